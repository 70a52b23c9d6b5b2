"""Ranks at unlucky moments: asynchronous calls stay so (H11), ranks that do not make the same call are told (H14), and
one that has ended is noticed (H19). No launcher looks after them here.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from harness import ADAPTER, MEETING, reserved_port, run_ranks, torch_environments

from processes import HANGS

pytestmark = [pytest.mark.frameworks, pytest.mark.processes]

BEGIN = f"""
{MEETING}
import mindspore, numpy, torchspore, torchspore.distributed as dist
dist.init_process_group()
rank = dist.get_rank()
x = mindspore.Tensor(numpy.full(4, rank + 1, numpy.float32))
"""


def ranks(program: str, folder: Path, count: int = 2, **environment: str) -> list[str]:
    """What ranks say that all end well."""
    with reserved_port() as port:
        environments = [each | environment for each in torch_environments(count, port)]
        codes, said = run_ranks([[sys.executable, "-c", BEGIN + program]] * count, folder, environments)
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


# Each way in which ranks do not make the same call: the call of rank 1, and that of the others.
DIFFERENT = {
    "another collective": ("dist.broadcast(x, 0)", "dist.all_reduce(x)"),
    "another shape": ("dist.all_reduce(x[:2])", "dist.all_reduce(x)"),
    "another dtype": ("dist.all_reduce(x.astype(mindspore.int32))", "dist.all_reduce(x)"),
    "another operator": ("dist.all_reduce(x, dist.ReduceOp.MAX)", "dist.all_reduce(x)"),
    "another root": ("dist.broadcast(x, 1)", "dist.broadcast(x, 0)"),
    "another order": ("dist.barrier(); dist.all_reduce(x)", "dist.all_reduce(x); dist.barrier()"),
    "an asynchronous one": ("dist.all_reduce(x, async_op=True)", "dist.barrier()"),
}
DIFFERS = """
before = x.tolist()
try:
    if rank == 1:
        {one}
    else:
        {other}
except RuntimeError as error:
    print("told:", type(error).__name__, error, flush=True)
    assert x.tolist() == before  # nothing was received
    await_ranks({size})  # who ends early would be what the others tell
    os._exit(0)
os._exit(7)
"""


@pytest.mark.parametrize("how", DIFFERENT)
def test_h14_each_rank_is_told_in_the_debug_mode(how: str, tmp_path: Path) -> None:
    one, other = DIFFERENT[how]
    for text in ranks(DIFFERS.format(one=one, other=other, size=3), tmp_path, 3, TORCH_DISTRIBUTED_DEBUG="DETAIL"):
        assert "told: CollectiveMismatch" in text and "rank 1 calls torch.distributed." in text


@pytest.mark.parametrize("how", ["another collective", "another shape", "another dtype", "another operator"])
def test_h14_each_rank_is_told_outside_it_too(how: str, tmp_path: Path) -> None:
    one, other = DIFFERENT[how]
    for text in ranks(DIFFERS.format(one=one, other=other, size=3), tmp_path, 3):
        assert "told: CollectiveMismatch" in text


def test_h14_the_launcher_asks_for_the_debug_mode(tmp_path: Path) -> None:
    (tmp_path / "says.py").write_text("import os; print(os.environ.get('TORCH_DISTRIBUTED_DEBUG'))")
    for options, said in ((["--debug"], "DETAIL"), ([], "None")):
        done = subprocess.run(
            [sys.executable, "-m", "torchspore.launch", *options, "says.py"], cwd=tmp_path, capture_output=True,
            env={**os.environ, "PYTHONPATH": str(ADAPTER)}, text=True, timeout=HANGS,
        )  # fmt: skip
        assert done.stdout == f"[rank 0] {said}\n"


def test_h14_calls_that_may_differ_by_rank_still_may(tmp_path: Path) -> None:
    ranks(
        """
def made(*shape):
    return mindspore.Tensor(numpy.zeros(shape, numpy.float32))
own, size = made(rank + 1), dist.get_world_size()
dist.all_gather([made(each + 1) for each in range(size)], own)
dist.all_to_all([made(each + rank) for each in range(size)], [made(rank + each) for each in range(size)])
dist.all_to_all_single(made(3), made(3), [1, 2] if rank == 0 else [2, 1], [1, 2] if rank == 0 else [2, 1])
objects = [None, None]
dist.all_gather_object(objects, "x" * (rank + 1))
dist.send(own, 1) if rank == 0 else dist.recv(made(1), 0)
half = dist.new_group([0])
if rank == 0:
    dist.all_reduce(own, group=half)
dist.barrier()
dist.broadcast(own if rank == 0 else made(1), 0)
""",
        tmp_path,
        TORCH_DISTRIBUTED_DEBUG="DETAIL",
    )


DIES = """
import signal, sys
def told(call):
    try:
        call()
    except RuntimeError as error:
        print("told:", type(error).__name__, error, flush=True)
        return
    os._exit(7)
dist.all_reduce(x)
if rank == 1:
    await_file("waits0"), await_file("waits2")
    os.kill(os.getpid(), signal.SIGKILL)
"""


def dying(program: str, folder: Path, **environment: str) -> tuple[list[int | None], list[str]]:
    """How three ranks end, of which one kills itself while the others make calls that have half an hour of time."""
    with reserved_port() as port:
        environments = [each | environment for each in torch_environments(3, port)]
        codes, said = run_ranks([[sys.executable, "-c", BEGIN + DIES + program]] * 3, folder, environments)
    assert codes[1] == -signal.SIGKILL
    return [codes[0], codes[2]], [said[0], said[2]]


def test_h19_a_dead_peer_ends_a_collective(tmp_path: Path) -> None:
    codes, said = dying(
        """
say(f"waits{rank}")
told(lambda: dist.all_reduce(x))
told(dist.barrier)
print("x is still", x.tolist())  # MindSpore is not stuck
""",
        tmp_path,
    )
    assert codes == [0, 0], said
    for text in said:
        assert "told: CollectiveFailed" in text and "rank 1 of the group has ended" in text
        assert "x is still [6.0, 6.0, 6.0, 6.0]" in text


@pytest.mark.parametrize(("synchronous", "code"), [("1", 0), ("0", 1)])  # else MindSpore waits for what does not come
def test_h19_a_dead_peer_ends_an_asynchronous_collective(synchronous: str, code: int, tmp_path: Path) -> None:
    program = "work = dist.all_reduce(x, async_op=True); say(f'waits{rank}'); told(work.wait)"
    codes, said = dying(program, tmp_path, TORCHSPORE_SYNCHRONOUS=synchronous)
    assert codes == [code, code], said
    assert all("rank 1 of the group has ended" in text for text in said)


def test_h19_a_dead_peer_ends_a_message_and_the_process_with_it(tmp_path: Path) -> None:
    codes, said = dying("say(f'waits{rank}'); dist.recv(x, 1); print('received')", tmp_path)
    assert codes == [1, 1], said
    for text in said:
        assert "torch.distributed.recv cannot complete: rank 1 of the group has ended. This process ends now." in text


STOPS = """
import signal
dist.barrier()
if rank == 1:
    with open("number", "w") as file:
        file.write(str(os.getpid()))
    say("stops")
    os.kill(os.getpid(), signal.SIGSTOP)
await_file("stops")
began = time.monotonic()
try:
    dist.all_reduce(x)
except RuntimeError as error:
    print("told:", type(error).__name__, error, "in time" if time.monotonic() - began >= 8 else "too early")
os.kill(int(open("number").read()), signal.SIGKILL)
"""


def test_h19_a_stopped_peer_is_not_dead(tmp_path: Path) -> None:
    limited = "from datetime import timedelta\n" + BEGIN.replace("group()", "group(timeout=timedelta(seconds=8))")
    codes, said = run_ranks([[sys.executable, "-c", limited + STOPS]] * 2, tmp_path)
    assert codes == [0, -signal.SIGKILL], said
    assert "told: CollectiveTimeout" in said[0] and "in time" in said[0]


def test_h19_a_rank_that_has_sent_what_it_had_to_send_may_end(tmp_path: Path) -> None:
    ranks(
        """
if rank == 0:
    dist.broadcast(x, 0)
    say("sent")
else:
    await_file("sent")
    y = mindspore.Tensor(numpy.zeros(4, numpy.float32))
    dist.broadcast(y, 0)
    assert y.tolist() == [1.0] * 4
""",
        tmp_path,
    )
