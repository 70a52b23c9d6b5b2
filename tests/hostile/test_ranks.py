"""Ranks at unlucky moments: asynchronous calls stay so (H11)."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from adapter.harness import MEETING, run_ranks

pytestmark = [pytest.mark.frameworks, pytest.mark.processes]

BEGIN = f"""
{MEETING}
import mindspore, numpy, torchspore, torchspore.distributed as dist
dist.init_process_group()
rank = dist.get_rank()
x = mindspore.Tensor(numpy.full(4, rank + 1, numpy.float32))
"""


def ranks(program: str, folder: Path, count: int = 2) -> list[str]:
    codes, said = run_ranks([[sys.executable, "-c", BEGIN + program]] * count, folder)
    assert codes == [0] * count, "\n".join(said)
    return said


ASYNCHRONOUS = """
assert torchspore.synchronous()
y = mindspore.Tensor(numpy.zeros(4, numpy.float32))
calls = [
    lambda: dist.all_reduce(x, async_op=True),
    lambda: dist.broadcast(x, 1, async_op=True),
    lambda: dist.all_gather([y, y], x, async_op=True),
    lambda: dist.reduce_scatter(y, [x, x], async_op=True),
    lambda: dist.irecv(y, 1) if rank == 0 else dist.isend(x, 0),
    lambda: dist.barrier(async_op=True),
]
for at, call in enumerate(calls):
    if rank == 1:
        await_file(f"launched{at}")  # so that rank 0 would wait for ever if its call did
    work = call()
    if rank == 0:
        assert not work.is_completed()
        say(f"launched{at}")
    work.wait()
    assert torchspore.synchronous()
assert x.tolist() == [3.0] * 4
"""


def test_h11_an_asynchronous_call_returns_before_the_others_have_made_it(tmp_path: Path) -> None:
    ranks(ASYNCHRONOUS, tmp_path)
