"""Run by the bench with MindSpore: times of a call through the adapter, of MindSpore's own, and of that again as a
control, interleaved: by the clock on the wall, and of the calling thread. Prints them as JSON.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import Any

import mindspore
import numpy

import torchspore
from torchspore._runtime.framework import settle

CALLS = 10  # in one sample, so that reading the clock does not count


def cases() -> dict[str, tuple[Callable[[], Any], Callable[[], Any]]]:
    """By name: the call through the adapter, and MindSpore's own that it makes."""
    tensor = mindspore.Tensor(numpy.random.default_rng(0).random((16, 8), numpy.float32))
    adapted, own = torchspore.nn.Linear(8, 8), mindspore.mint.nn.Linear(8, 8)
    own.set_train()
    return {
        "abs": (lambda: torchspore.abs(tensor), lambda: mindspore.mint.abs(tensor)),
        "std": (lambda: torchspore.std(tensor, 1), lambda: mindspore.ops.std(tensor, 1, 1)),
        "Linear.__call__": (lambda: adapted(tensor), lambda: own(tensor)),
    }


def timed(call: Callable[[], Any]) -> tuple[float, float]:
    begin, computed = time.perf_counter(), time.thread_time()
    for _ in range(CALLS):
        call()
    spent = (time.perf_counter() - begin) / CALLS, (time.thread_time() - computed) / CALLS
    settle()  # outside of the time: what counts is the call, not the computation
    return spent


def main() -> None:
    samples = int(sys.argv[1])
    found: dict[str, list[list[tuple[float, float]]]] = {}
    for name, (adapted, own) in cases().items():
        ways = (own, adapted, own)
        for call in ways:
            timed(call)
        taken = []
        for number in range(samples):
            order = [(number + shift) % 3 for shift in range(3)]
            spent = {at: timed(ways[at]) for at in order}
            taken.append([spent[at] for at in range(3)])
        found[name] = taken
    print("measured " + json.dumps(found))


main()
