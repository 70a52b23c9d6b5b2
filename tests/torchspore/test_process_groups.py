"""What is asked of groups, ranks and backends, and messages in batches: one program, with torch and with the adapter,
has to print the same.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from harness import reserved_port, run_ranks, torch_environments

from processes import ABORT, torch_ended

pytestmark = [pytest.mark.frameworks, pytest.mark.processes]

PROGRAM = """
import os
from datetime import timedelta
import numpy as np

def said(what, call, *arguments, **keywords):
    try:
        print(what, call(*arguments, **keywords), flush=True)
    except Exception as error:
        wanted = (ValueError, KeyError, TypeError, IndexError, AssertionError, AttributeError, RuntimeError)
        kinds = [kind.__name__ for kind in type(error).__mro__ if kind in wanted]
        print(what, "raised", *kinds, flush=True)

said("early rank", dist.get_rank)
said("early size", dist.get_world_size)
said("early end", dist.destroy_process_group)
said("early outside", dist.get_rank, dist.GroupMember.NON_GROUP_MEMBER)
said("early group", dist.new_group)
print(dist.get_pg_count(), dist.is_initialized(), dist.is_available(), dist.group.WORLD, dist.default_pg_timeout)
dist.init_process_group("gloo", timeout=timedelta(seconds=600))
rank, size = dist.get_rank(), dist.get_world_size()
print(rank, size, dist.is_initialized(), dist.get_pg_count(), dist.get_rank(dist.group.WORLD))
print(dist.GroupMember.WORLD is dist.group.WORLD, dist.GroupMember.NON_GROUP_MEMBER, dist.group.WORLD.group_desc)
said("twice", dist.init_process_group)

if rank < 2:
    local = dist.new_group([0, 1], use_local_synchronization=True)
    mine = array(np.full(2, rank + 1.0, np.float32))
    dist.all_reduce(mine, group=local)
    print(mine.tolist(), dist.get_rank(local), dist.get_pg_count())
else:
    print(dist.new_group([0, 1], use_local_synchronization=True), dist.get_pg_count())

pair = dist.new_group([1, 0], group_desc="pair")
everyone = dist.new_group()
only = dist.new_group(ranks=[size - 1], timeout=timedelta(seconds=9))
named = {"pair": pair, "everyone": everyone, "only": only, "world": dist.group.WORLD, "none": None}
for name, group in named.items():
    said(name, dist.get_rank, group)
    said(name, dist.get_world_size, group)
    if group == dist.GroupMember.NON_GROUP_MEMBER:
        continue  # torch then answers for whichever group it was not in last
    said(name, dist.get_process_group_ranks, group)
    for number in (0, 1, size, -1):
        said(f"{name} {number}", dist.get_global_rank, group, number)
        said(f"{name} {number}", dist.get_group_rank, group, number)
    if group is not None:
        print(group.rank(), group.size(), group.group_desc, isinstance(group, dist.ProcessGroup))
print(dist.get_pg_count())
said("same twice", dist.new_group, [0, 0])
said("outside", dist.new_group, [size])
said("below", dist.new_group, [-1])
said("no text", dist.new_group, "ab")
said("no time", dist.new_group, [0], timeout=3)
said("no group", dist.get_rank, 3)
said("no such name", dist.get_world_size, object())

own, groups = dist.new_subgroups(1)
print(own.size(), [dist.get_rank(each) for each in groups], dist.get_pg_count())
own, groups = dist.new_subgroups_by_enumeration([[1, 0]])
print(None if own is None else own.size(), [dist.get_world_size(each) for each in groups])
said("no size", dist.new_subgroups)
said("too large", dist.new_subgroups, size + 1)
said("zero", dist.new_subgroups, 0)
said("nothing", dist.new_subgroups_by_enumeration, [])
said("nobody", dist.new_subgroups_by_enumeration, None)
said("shared", dist.new_subgroups_by_enumeration, [[0, 1], [1]])
before, after = (rank - 1) % size, (rank + 1) % size
for order in (0, 1):
    sent, received = array(np.arange(4, dtype=np.float32) + rank), array(np.zeros(4, np.float32))
    batch = [dist.P2POp(dist.isend, sent, after), dist.P2POp(dist.irecv, received, group_peer=before)]
    print([(each.peer, each.group_peer, each.tag, each.group is dist.group.WORLD) for each in batch])
    works = dist.batch_isend_irecv(batch[::-1] if order else batch)
    for work in works:
        work.wait()
    print(len(works), received.tolist())
if rank < 2:
    received = array(np.zeros(1, np.int32))
    batch = [dist.P2POp(dist.irecv, received, 1 - rank, pair),
             dist.P2POp(dist.isend, array(np.full(1, rank, np.int32)), group=pair, group_peer=1 - rank)]
    for work in dist.batch_isend_irecv(batch):
        work.wait()
    print(received.tolist())
    other = dist.P2POp(dist.isend, sent, 1 - rank)
    said("two groups", dist.batch_isend_irecv, [other, batch[0]])
said("empty", dist.batch_isend_irecv, [])
said("no list", dist.batch_isend_irecv, 3)
said("no messages", dist.batch_isend_irecv, [3])
said("other function", dist.P2POp, dist.send, sent, after)
said("no tensor", dist.P2POp, dist.isend, 3, after)
said("no peer", dist.P2POp, dist.isend, sent)
said("both", dist.P2POp, dist.isend, sent, after, group_peer=after)

for name in ("GLOO", "nccl", "Mpi", "other"):
    print(repr(dist.Backend(name)))
print(dist.Backend.GLOO, dist.Backend.UNDEFINED, isinstance(dist.get_backend(pair if rank < 2 else None), str))
said("no name", dist.Backend, 3)
said("not mine", dist.get_backend, dist.GroupMember.NON_GROUP_MEMBER)
said("unknown device", dist.get_default_backend_for_device, "xyz")
said("no text", dist.is_backend_available, 3)
said("nonsense", dist.is_backend_available, "nonsense")
said("ucc", dist.is_ucc_available)
for name in ("SUM", "AVG", "MAX", "BAND", "PRODUCT"):
    print(name, dist.supports_complex(getattr(dist.ReduceOp, name)))
said("no local rank", dist.get_node_local_rank)
said("fallback", dist.get_node_local_rank, 3)
os.environ["LOCAL_RANK"] = "5"
said("local", dist.get_node_local_rank, fallback_rank=3)
print(dist.is_torchelastic_launched())
os.environ["TORCHELASTIC_RUN_ID"] = "1"
print(dist.is_torchelastic_launched())

said("no ranks", dist.new_group, [])
dist.barrier()
dist.destroy_process_group(everyone)
said("gone", dist.get_rank, everyone)
said("nobody", dist.destroy_process_group, dist.GroupMember.NON_GROUP_MEMBER)
dist.destroy_process_group()
print(dist.is_initialized(), dist.get_pg_count(), dist.group.WORLD)
said("late", dist.get_rank)
"""
NOTE = "torchspore: backend 'gloo' becomes MindSpore's 'mccl' on CPU."
SIDES = {
    "torch": "import torch, torch.distributed as dist\narray = torch.tensor\n",
    "adapter": "import mindspore, torchspore.distributed as dist\n"
    "mindspore.Tensor.tolist = lambda self: self.asnumpy().tolist()\narray = mindspore.Tensor.from_numpy\n",
}


@pytest.mark.parametrize("size", [2, 3])
def test_the_same_program_prints_the_same(size: int, tmp_path: Path) -> None:
    printed = {}
    for side, start in SIDES.items():
        code = "import os; del os.environ['LOCAL_RANK']\n" + start + PROGRAM
        with reserved_port() as port:
            environments = [each | {"LOCAL_RANK": ""} for each in torch_environments(size, port)]
            command = [sys.executable, "-W", "ignore", "-c", code]
            codes, logs = run_ranks([command] * size, tmp_path / side, environments)
        ended = torch_ended if side == "torch" else lambda code, said: code == 0
        assert all(map(ended, codes, logs)), (codes, logs)
        assert [log.count(NOTE) for log in logs] == [int(side == "adapter"), *[0] * (size - 1)]
        beside = ("[W", NOTE, ABORT)
        printed[side] = [[line for line in log.splitlines() if not line.startswith(beside)] for log in logs]
    for rank in range(size):
        for wanted, got in zip(printed["torch"][rank], printed["adapter"][rank], strict=True):
            if " raised " in wanted:  # one of the types that the adapter's error has is torch's
                what, _, kind = wanted.rpartition(" ")
                assert got.startswith(what) and kind in got.split(), f"rank {rank}: {wanted}, but {got}"
            else:
                assert got == wanted, f"rank {rank}"
        assert len(printed["torch"][rank]) > 100
