"""Who is who. In: a group as a caller passes it. Out: its ranks, this process's place in it, and the way from ranks in
a group to ranks in the whole job and back.
"""

from __future__ import annotations

import os

from ..core.errors import InvalidRank, NotAMember
from .groups import Group, ProcessGroup, current, resolve


def own_rank(group: Group) -> int:
    """The rank of this process in a group; -1 if it is not in it."""
    found = resolve(group)
    return -1 if found is None else found.rank()


def group_size(group: Group) -> int:
    """The number of ranks of a group; -1 if this process is not in it."""
    found = resolve(group)
    return -1 if found is None else found.size()


def group_ranks(group: Group) -> list[int]:
    """The global ranks of a group, in the order of their ranks in it."""
    return list(_member(group).ranks)


def rank_in_group(group: Group, rank: int) -> int:
    """The rank in a group of the process with this global rank."""
    members = _given(group)
    if _is_world(members):
        return rank
    if rank not in members.ranks:
        raise InvalidRank(f"The global rank {rank} is not in the group of {list(members.ranks)}.")
    return members.ranks.index(rank)


def rank_in_world(group: Group, rank: int) -> int:
    """The global rank of the process with this rank in a group."""
    members = _given(group)
    if _is_world(members):
        return rank
    if not 0 <= rank < members.size():
        raise InvalidRank(f"The group has the ranks 0 to {members.size() - 1}, but not {rank}.")
    return members.ranks[rank]


def local_rank(fallback: int | None) -> int:
    """The rank of this process among those on its machine, as its launcher has told it."""
    told = os.environ.get("LOCAL_RANK", fallback)
    if told is None:
        raise RuntimeError(
            "LOCAL_RANK is not in the environment; start the job with a launcher that sets it, or give a fallback rank."
        )
    return int(told)


def group_count() -> int:
    """How many groups were made since the processes were connected, the one of all ranks included."""
    here = current()
    return 0 if here is None else 1 + here.made


def _is_world(group: ProcessGroup) -> bool:
    here = current()
    return here is not None and group is here.world


def _given(group: Group) -> ProcessGroup:
    if group is None:
        raise ValueError("The group must be given; the group of all ranks is GroupMember.WORLD.")
    return _member(group)


def _member(group: Group) -> ProcessGroup:
    found = resolve(group)
    if found is None:
        raise NotAMember("This process is not in the group, so it does not know the group's ranks.")
    return found
