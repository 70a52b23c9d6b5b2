"""The process group functions of torch.distributed on MindSpore: torch's signatures, the runtime's functions."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from torchspore._runtime import Group, GroupMember, ProcessGroup, ReduceOp, UnsupportedArgument, Work, use, which
from torchspore._runtime.groups import current, find_root, make_group, resolve
from torchspore._runtime.start import meet, start, stop

__all__ = [
    "GroupMember",
    "ProcessGroup",
    "ReduceOp",
    "Work",
    "barrier",
    "destroy_process_group",
    "get_global_rank",
    "get_group_rank",
    "get_process_group_ranks",
    "get_rank",
    "get_world_size",
    "init_process_group",
    "is_initialized",
    "new_group",
    "use",
    "which",
]


def init_process_group(
    backend: str | None = None,
    init_method: str | None = None,
    timeout: timedelta | None = None,
    world_size: int = -1,
    rank: int = -1,
    store: Any = None,
    group_name: str = "",
    pg_options: Any = None,
    device_id: Any = None,
    _ranks: list[int] | None = None,
) -> None:
    """Connect this process with the others of its job: from MindSpore's environment if MS_ROLE is set, otherwise
    from RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT, or from init_method="tcp://HOST:PORT" with rank and
    world_size."""
    _refuse(store=store, pg_options=pg_options, _ranks=_ranks)
    start(backend, init_method, timeout, world_size, rank)


def destroy_process_group(group: Group = None) -> None:
    """Leave a group, or all of them."""
    stop(group)


def is_initialized() -> bool:
    """Whether the processes are connected."""
    return current() is not None


def new_group(
    ranks: Sequence[int] | None = None,
    timeout: timedelta | None = None,
    backend: str | None = None,
    pg_options: Any = None,
    use_local_synchronization: bool = False,
    group_desc: str | None = None,
    device_id: Any = None,
    sort_ranks: bool = True,
) -> ProcessGroup | int:
    """A group of some ranks; every rank calls it, members get the group, others GroupMember.NON_GROUP_MEMBER."""
    _refuse(pg_options=pg_options, use_local_synchronization=use_local_synchronization or None)
    return make_group(ranks, timeout, sort_ranks)


def get_rank(group: Group = None) -> int:
    """The rank of this process in a group, or -1."""
    found = resolve(group)
    return -1 if found is None else found.rank()


def get_world_size(group: Group = None) -> int:
    """The number of ranks in a group, or -1 if this process is not in it."""
    found = resolve(group)
    return -1 if found is None else found.size()


def get_process_group_ranks(group: Group) -> list[int]:
    """The global ranks of a group."""
    found = resolve(group)
    if found is None:
        raise ValueError("This process is not in the group, so it does not know its ranks.")
    return list(found.ranks)


def get_global_rank(group: Group, group_rank: int) -> int:
    """The global rank of a rank in a group."""
    return find_root(_member(group), ("global_rank", None), ("group_rank", group_rank), None).world


def get_group_rank(group: Group, global_rank: int) -> int:
    """The rank in a group of a global rank."""
    return find_root(_member(group), ("global_rank", global_rank), ("group_rank", None), None).group


def barrier(
    group: Group = None, async_op: bool = False, device_ids: Any = None, timeout: timedelta | None = None
) -> Work | None:
    """Block until all ranks of a group are here."""
    found = resolve(group)
    if found is None:
        warnings.warn("Running barrier on a rank which does not belong to the given group.", stacklevel=2)
        return None
    work = meet(found, "torch.distributed.barrier")
    if async_op:
        return work
    work.wait(timeout)
    return None


def _member(group: Group) -> ProcessGroup:
    found = resolve(group)
    if found is None:
        raise ValueError("This process is not in the group.")
    return found


def _refuse(**given: Any) -> None:
    for name, value in given.items():
        if value is not None:
            raise UnsupportedArgument(f"{name}={value!r} has no counterpart in MindSpore; leave it out.")


__all__ = [
    "barrier",
    "destroy_process_group",
    "get_global_rank",
    "get_group_rank",
    "get_process_group_ranks",
    "get_rank",
    "get_world_size",
    "init_process_group",
    "is_initialized",
    "new_group",
]
