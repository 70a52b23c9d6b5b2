"""One rank of the adapter's benchmark: measures pairs of calls in turns and prints, on rank 0, seconds as JSON.

Run by `adapter_speed.py` with the environment of a launcher. Raw calls are MindSpore's own, followed by the same wait
of the host that the adapter makes.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable
from typing import Any

import mindspore
import mindspore.mint.distributed as raw
import numpy as np

import torchspore.distributed as dist
from torchspore._runtime.core.framework import settle

SMALL = 256
LARGE = 4 * 2**20  # float32: 16 MB


def ones(*shape: int) -> Any:
    return mindspore.Tensor(np.ones(shape, np.float32))


def calls(size: int, group: str) -> dict[str, Callable[[], object]]:
    """The measured calls on tensors of `size` elements per rank."""
    ranks = dist.get_world_size()
    tensor, whole, list_in, list_out = ones(size), ones(ranks * size), [], []
    for _ in range(ranks):
        list_in.append(ones(size))
        list_out.append(ones(size))

    def settled(call: Callable[[], object]) -> Callable[[], object]:
        def run() -> None:
            call()
            settle()

        return run

    return {
        "raw all_reduce": settled(lambda: raw.all_reduce(tensor, op="max", group=group)),
        "all_reduce": lambda: dist.all_reduce(tensor, op=dist.ReduceOp.MAX),
        "raw all_gather": settled(lambda: raw.all_gather(list_out, tensor, group=group)),
        "all_gather": lambda: dist.all_gather(list_out, tensor),
        "raw broadcast": settled(lambda: raw.broadcast(tensor, 0, group=group)),
        "broadcast": lambda: dist.broadcast(tensor, 0),
        "reduce_scatter": lambda: dist.reduce_scatter(tensor, list_in, op=dist.ReduceOp.MAX),
        "all_to_all": lambda: dist.all_to_all(list_out, list_in),
        "all_gather_into_tensor": lambda: dist.all_gather_into_tensor(whole, tensor),
    }


def measure(rounds: int, repeat: int, measured: dict[str, Callable[[], object]]) -> dict[str, list[list[float]]]:
    """Seconds per call, on the wall and of the processor, by call and round; all ranks begin each block together."""
    found: dict[str, list[list[float]]] = {name: [] for name in measured}
    for call in measured.values():
        call()  # what is made at the first call is not counted
    for _ in range(rounds):
        for name, call in measured.items():
            dist.barrier()
            wall, own = time.perf_counter(), time.process_time()
            for _ in range(repeat):
                call()
            found[name].append([(time.perf_counter() - wall) / repeat, (time.process_time() - own) / repeat])
    return found


def peak(call: Callable[[], object]) -> int:
    """How far the process grew by a call, in bytes; 0 if it had been larger before."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    call()
    return (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024


def main(what: str, rounds: int) -> None:
    dist.init_process_group()
    group = dist.GroupMember.WORLD.name
    if what.startswith("peak "):
        call = calls(LARGE, group)[what.removeprefix("peak ")]
        found: Any = peak(call)
    else:
        small = what == "small"
        found = measure(rounds, 40 if small else 2, calls(SMALL if small else LARGE, group))
    dist.barrier()
    if dist.get_rank() == 0:
        print("measured " + json.dumps(found), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
