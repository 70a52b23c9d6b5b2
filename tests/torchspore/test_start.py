"""Connecting the processes: every way that a job may have been started, and what is said if it cannot be."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from harness import reserved_port, run_ranks, torch_environments

pytestmark = [pytest.mark.frameworks, pytest.mark.processes]

WORK = """
import os, sys
from datetime import timedelta
import numpy as np
from mindspore import Tensor
import torchspore.distributed as dist

def check():
    rank, size = dist.get_rank(), dist.get_world_size()
    value = Tensor(np.full(3, rank + 1, np.float32))
    dist.all_reduce(value)
    assert value.asnumpy().tolist() == [sum(range(1, size + 1))] * 3
    print("rank", rank, "of", size, flush=True)

def said(call, *arguments, **keywords):
    try:
        call(*arguments, **keywords)
    except Exception as error:
        print(f"{type(error).__name__}: {error}", flush=True)
    else:
        print("no error", flush=True)
"""


def python(code: str) -> list[str]:
    return [sys.executable, "-c", WORK + code]


def test_from_the_environment_of_torchrun_and_again(tmp_path: Path) -> None:
    """MASTER_PORT may belong to torchrun's own store; a group can be left and joined again."""
    code = """
said(dist.get_rank)
said(dist.all_reduce, Tensor(np.ones(1)))
assert not dist.is_initialized() and dist.GroupMember.WORLD is None
dist.init_process_group("cpu:gloo,cuda:nccl", timeout=timedelta(seconds=600))
assert dist.is_initialized() and dist.GroupMember.WORLD.size() == 2
check()
said(dist.init_process_group)
group = dist.new_group([1])
assert (group == dist.GroupMember.NON_GROUP_MEMBER) == (dist.get_rank() == 0)
print(dist.get_rank(group), dist.get_world_size(group))
said(dist.new_group, [0, 0]); said(dist.new_group, [5])
said(dist.new_group, [1, 0], sort_ranks=False)
everyone = dist.new_group()
assert dist.get_process_group_ranks(everyone) == [0, 1] and dist.get_global_rank(everyone, 1) == 1
assert dist.get_group_rank(everyone, 1) == 1
work = dist.barrier(async_op=True); work.wait()
assert dist.barrier(group=everyone) is None
dist.destroy_process_group(everyone)
said(dist.barrier, everyone)
dist.destroy_process_group()
assert not dist.is_initialized()
said(dist.barrier)
dist.init_process_group()
check()
"""
    with reserved_port() as port:
        agent = [each | {"TORCHELASTIC_USE_AGENT_STORE": "True"} for each in torch_environments(2, port - 1)]
        codes, logs = run_ranks([python(code)] * 2, tmp_path, agent)
    assert codes == [0, 0], logs
    for rank, log in enumerate(logs):
        lines = log.splitlines()[1:]
        if rank == 0:
            note = "torchspore: backend 'cpu:gloo,cuda:nccl' becomes MindSpore's 'mccl' on CPU."
            assert lines.pop(2) == note
        assert [line.split(":")[0] for line in lines] == [
            "NotStarted",
            "NotStarted",
            f"rank {rank} of 2",
            "ValueError",
            "-1 -1" if rank == 0 else "0 1",
            "InvalidRank",
            "InvalidRank",
            "UnsupportedArgument",
            "ValueError",
            "NotStarted",
            f"rank {rank} of 2",
        ], log


def test_from_an_address(tmp_path: Path) -> None:
    with reserved_port() as port:
        url = f"tcp://localhost:{port}"
        codes, logs = run_ranks(
            [
                python(f"dist.init_process_group('gloo', init_method='{url}', rank=0, world_size=2); check()"),
                python(f"dist.init_process_group(init_method='{url}?rank=1&world_size=2'); check()"),
            ],
            tmp_path,
            [{}, {}],
        )
    assert codes == [0, 0], logs


def test_from_a_store_of_mindspore(tmp_path: Path) -> None:
    code = """
from mindspore.mint.distributed import TCPStore
rank, port, limit = int(os.environ["RANK"]), int(os.environ["PORT"]), timedelta(seconds=600)
store = TCPStore("127.0.0.1", port, world_size=2, is_master=rank == 0, timeout=limit, wait_for_workers=False)
said(dist.init_process_group, store=store)
said(dist.init_process_group, store=store, init_method="env://", rank=rank, world_size=2)
said(dist.init_process_group, store=object(), rank=rank, world_size=2)
said(dist.init_process_group, pg_options=object())
said(dist.init_process_group, device_id=0)
dist.init_process_group("mccl", store=store, rank=rank, world_size=2, timeout=limit)
check()
"""
    with reserved_port() as port:
        environments = [{"RANK": str(rank), "PORT": str(port)} for rank in range(2)]
        codes, logs = run_ranks([python(code)] * 2, tmp_path, environments)
    assert codes == [0, 0], logs
    for rank, log in enumerate(logs):
        assert [line.split(":")[0] for line in log.splitlines()[1:]] == [
            "ValueError",
            "NotPossible",
            "UnsupportedArgument",
            "UnsupportedArgument",
            "UnsupportedArgument",
            f"rank {rank} of 2",
        ], log


def test_from_mindspore_s_environment(tmp_path: Path) -> None:
    """As msrun starts it: a scheduler and workers, all with one script. MS_ROLE wins over RANK."""
    with reserved_port() as port:
        cluster = {"MS_WORKER_NUM": "2", "MS_SCHED_HOST": "127.0.0.1", "MS_SCHED_PORT": str(port)}
        cluster |= {"RANK": "7", "WORLD_SIZE": "9"}
        workers = [cluster | {"MS_ROLE": "MS_WORKER", "MS_NODE_ID": str(rank)} for rank in range(2)]
        codes, logs = run_ranks(
            [python("dist.init_process_group(); check()")] * 3, tmp_path, [cluster | {"MS_ROLE": "MS_SCHED"}, *workers]
        )
    assert codes == [0, 0, 0], logs
    assert sorted(log.splitlines()[-1] for log in logs[1:]) == ["rank 0 of 2", "rank 1 of 2"]


def test_what_is_said_if_it_cannot_be_started(tmp_path: Path) -> None:
    """One process, many refusals; the last ones wait for ranks that never come."""
    code = """
import socket, time
port = os.environ["PORT"]
soon = timedelta(seconds=2)
said(dist.init_process_group)
os.environ.update(RANK="zero", WORLD_SIZE="2", MASTER_ADDR="127.0.0.1", MASTER_PORT=port)
said(dist.init_process_group)
said(dist.init_process_group, "no such backend")
said(dist.init_process_group, init_method="file:///somewhere")
said(dist.init_process_group, init_method=f"tcp://127.0.0.1:{port}")
said(dist.init_process_group, init_method="tcp://127.0.0.1", rank=0, world_size=1)
said(dist.init_process_group, init_method=f"tcp://127.0.0.1:{port}", rank=2, world_size=2)
said(dist.init_process_group, timeout=5)
said(dist.init_process_group, store=object())
taken = socket.create_server(("127.0.0.1", 0))
busy = taken.getsockname()[1]
said(dist.init_process_group, init_method=f"tcp://127.0.0.1:{busy}", rank=0, world_size=2, timeout=soon)
taken.close()
began = time.monotonic()
said(dist.init_process_group, init_method=f"tcp://127.0.0.1:{port}", rank=1, world_size=2, timeout=soon)
said(dist.init_process_group, init_method=f"tcp://127.0.0.1:{port}", rank=0, world_size=2, timeout=soon)
print("waited", time.monotonic() - began)
os._exit(0)
"""
    with reserved_port() as port:
        codes, logs = run_ranks([python(code)], tmp_path, [{"PORT": str(port)}])
    assert codes == [0], logs
    said = [line for line in logs[0].splitlines()[1:] if not line.startswith("[ERROR]")]
    assert [line.split(":")[0] for line in said] == [
        "ValueError",
        "ValueError",
        "ValueError",
        "UnsupportedArgument",
        "ValueError",
        "ValueError",
        "ValueError",
        "TypeError",
        "UnsupportedArgument",
        "StartFailed",
        "StartFailed",
        "StartFailed",
        said[-1],
    ], logs
    assert "rank 0 of 2 cannot meet the others" in said[9] and "the port is free" in said[9]
    assert "rank 0 is running there" in said[10]
    assert "1 of 2 ranks came to" in said[11]
    assert float(said[-1].split()[1]) >= 4
