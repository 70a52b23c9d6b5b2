"""Run by the bench with MindSpore: times of a call through the adapter, of MindSpore's own, and of that again as a
control, interleaved in every order: by the clock on the wall, and of the calling thread. Prints them as JSON. The
adapter's call is made a second time too, so that neither side is warmer than the other.

What calls has a core of its own, and MindSpore's threads have the others: where they take turns on one, how they do it
is most of what is measured.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Callable
from itertools import cycle, islice, permutations
from typing import Any

import mindspore
import numpy

import torchspore
from torchspore._runtime.core.framework import settle

CORES = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()
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


def apart() -> None:
    """Give this thread one core and all others the rest, where that can be done."""
    if not hasattr(os, "sched_setaffinity"):
        return
    first, *others = sorted(CORES)
    for thread in map(int, os.listdir("/proc/self/task")):
        os.sched_setaffinity(thread, {first} if thread == threading.get_native_id() or not others else others)


def main() -> None:
    samples = int(sys.argv[1])
    found: dict[str, list[list[tuple[float, float]]]] = {}
    for name, (adapted, own) in cases().items():
        ways = (own, adapted, own, adapted)
        for call in ways:
            timed(call)
        apart()
        taken = []
        for order in islice(cycle(permutations(range(len(ways)))), samples):
            spent = {at: timed(ways[at]) for at in order}
            taken.append([spent[at] for at in range(len(ways))])
        found[name] = taken
    print("measured " + json.dumps(found))


main()
