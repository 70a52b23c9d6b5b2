"""Run by the bench with MindSpore: times of a call through the adapter, of MindSpore's own, and of that again as a
control, interleaved. Prints them as JSON.
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


def timed(call: Callable[[], Any]) -> float:
    before = time.perf_counter()
    for _ in range(CALLS):
        call()
    spent = time.perf_counter() - before
    mindspore.runtime.synchronize()  # outside of the time: what counts is the call, not the computation
    return spent / CALLS


def main() -> None:
    rounds = int(sys.argv[1])
    found: dict[str, list[list[float]]] = {}
    for name, (adapted, own) in cases().items():
        for call in (adapted, own):
            timed(call)
        ways = (own, adapted, own)
        samples = []
        for number in range(rounds):
            order = [(number + shift) % 3 for shift in range(3)]
            spent = {at: timed(ways[at]) for at in order}
            samples.append([spent[0], spent[1], spent[2]])
        found[name] = samples
    print("measured " + json.dumps(found))


main()
