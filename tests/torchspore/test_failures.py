"""A communication that cannot complete ends with a sentence, not before the time that was set, and never with wrong
values.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from harness import MEETING, run_ranks

pytestmark = [pytest.mark.frameworks, pytest.mark.processes]

START = (
    MEETING
    + """
import select, sys
from datetime import timedelta
import numpy as np
from mindspore import Tensor
import torchspore.distributed as dist

def seconds(number):
    return timedelta(seconds=number)

def refused(call, *arguments, **keywords):
    began = time.monotonic()
    try:
        call(*arguments, **keywords)
    except Exception as error:
        print(f"{time.monotonic() - began:.0f}s {type(error).__name__}: {error}", flush=True)
        return error
    print("no error", flush=True)

rank = int(os.environ["RANK"])
SHORT, LONG = seconds(20), seconds(600)  # a time that is waited for in vain, and one that is not
await_ranks(2)  # all have imported what they need: connecting is not what takes the time
"""
)


def run(code: str, folder: Path) -> tuple[list[int | None], list[str]]:
    return run_ranks([[sys.executable, "-c", START + code]] * 2, folder)


def test_a_peer_that_ended(tmp_path: Path) -> None:
    codes, logs = run(
        """
dist.init_process_group(timeout=SHORT)
one = Tensor(np.ones(2, np.float32))
dist.all_reduce(one)
if rank == 1:  # it leaves once the other has its result: what it sent last goes with it
    await_file("arrived")
    os._exit(0)
say("arrived")
error = refused(dist.all_reduce, one)
assert isinstance(error, RuntimeError)
refused(dist.all_gather, [one, one], one)
os._exit(0)
""",
        tmp_path,
    )
    assert codes == [0, 0], logs
    first, second = logs[0].splitlines()[-2:]
    failed = "CollectiveFailed: rank 0: torch.distributed.all_reduce "
    assert first.endswith(f"{failed}cannot complete: rank 1 of the group has ended.")
    assert second.startswith(f"0s {failed}failed, because rank 1 has ended; after that no communication is possible")
    assert "start the job again" in second


def test_a_peer_that_is_too_late_gets_no_wrong_values(tmp_path: Path) -> None:
    codes, logs = run(
        """
dist.init_process_group(timeout=SHORT)
ones = Tensor(np.ones(64, np.float32))
dist.all_reduce(ones)
if rank == 1:
    await_file("given up")
refused(dist.all_reduce, ones)
say("given up" if rank == 0 else "refused")
refused(dist.all_reduce, ones)
await_file("refused")
os._exit(0)
""",
        tmp_path,
    )
    assert codes == [0, 0], logs
    for log in logs:
        assert "no error" not in log
        assert "CollectiveTimeout" in log.splitlines()[-2] and "CollectiveFailed" in log.splitlines()[-1], log


def test_a_peer_that_is_late_is_waited_for(tmp_path: Path) -> None:
    codes, logs = run(
        """
dist.init_process_group(timeout=LONG)
ones = Tensor(np.ones(2, np.float32))
if rank == 1:
    await_file("polled")
work = dist.all_reduce(ones, async_op=True)
polls = 0
while not work.is_completed():
    polls += 1
    if polls > 50:
        say("polled")
    time.sleep(0.01)
assert work.wait() and work.wait() and work.is_success() and work.exception() is None
assert work.result() == [ones] or work.result()[0] is ones
print("polls", polls, ones.asnumpy().tolist())
""",
        tmp_path,
    )
    assert codes == [0, 0], logs
    assert logs[0].endswith("[2.0, 2.0]") and int(logs[0].split("polls ")[1].split()[0]) > 50


def test_an_asynchronous_call_returns_before_its_peers_come(tmp_path: Path) -> None:
    codes, logs = run(
        """
dist.init_process_group(timeout=LONG)
if rank == 1:
    await_file("issued")
works, outputs = [], []
for target in ("mint", "comm_func"):
    dist.use(target)
    for dtype in (np.float32,):
        def ones():
            return Tensor(np.ones((2, 2), dtype))
        def pair():
            return [Tensor(np.zeros((2, 2), dtype)), Tensor(np.zeros((2, 2), dtype))]
        one, gathered, exchanged, scattered = ones(), pair(), pair(), Tensor(np.zeros((2, 2), dtype))
        works.append(dist.all_reduce(one, async_op=True))
        works.append(dist.all_gather(gathered, ones(), async_op=True))
        works.append(dist.all_to_all(exchanged, [ones(), ones()], async_op=True))
        works.append(dist.reduce_scatter(scattered, [ones(), ones()], async_op=True))
        outputs.append((dtype(1) + dtype(1), [one, scattered]))
        outputs.append((dtype(1), gathered + exchanged))
print("completed early:", [work.is_completed() for work in works])
say("issued")
for work in works:
    work.wait()
assert all((output.asnumpy() == value).all() for value, many in outputs for output in many)
""",
        tmp_path,
    )
    assert codes == [0, 0], logs
    assert logs[0].splitlines()[-1] == f"completed early: {[False] * 8}", logs


def test_a_time_out_shorter_than_the_job_s(tmp_path: Path) -> None:
    codes, logs = run(
        """
dist.init_process_group(timeout=LONG)
group = dist.new_group([0, 1], timeout=seconds(2))
if rank == 1:  # it stays as long as the other waits
    await_file("pid")
    select.select([os.pidfd_open(int(open("pid").read()))], [], [])
    os._exit(0)
with open("new", "w") as file:
    file.write(str(os.getpid()))
os.rename("new", "pid")
dist.all_reduce(Tensor(np.ones(2, np.float32)), group=group)
""",
        tmp_path,
    )
    assert codes == [1, 0], logs
    last = logs[0].splitlines()[-1]
    waited = re.search(r"CollectiveTimeout: rank 0: torch\.distributed\.all_reduce waited ([\d.]+) s for rank 1 ", last)
    assert waited and float(waited[1]) >= 2, last


def test_an_error_of_mindspore_itself_is_one_sentence(tmp_path: Path) -> None:
    """Ranks that disagree about the shape: local checks cannot see it, so MindSpore's error must reach the caller."""
    codes, logs = run(
        """
dist.init_process_group(timeout=SHORT)
dist.use("mint")
mine = Tensor(np.ones(2 + rank, np.float32))
refused(dist.all_gather, [Tensor(np.ones(2 + rank, np.float32)) for _ in range(2)], mine)
open(f"refused{rank}", "w").close()
await_file(f"refused{1 - rank}")  # who ends first ends the call of the other
os._exit(0)
""",
        tmp_path,
    )
    assert codes == [0, 0], logs
    assert any("CollectiveFailed: rank" in log or "CollectiveTimeout: rank" in log for log in logs), logs
