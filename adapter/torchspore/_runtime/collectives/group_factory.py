"""Groups come and go. In: global ranks. Out: for members a `ProcessGroup` that MindSpore knows by its name, for others
the mark of a non-member.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from ..core.errors import InvalidRank, UnsupportedArgument
from ..core.framework import platform
from ..core.scalars import plain
from .backends import accept_backend
from .groups import NON_MEMBER, Group, ProcessGroup, job, resolve
from .libraries import communication

_named: Counter[tuple[int, ...]] = Counter()  # MindSpore keeps a name until the process ends, so none comes twice


def make_group(
    ranks: Sequence[int] | None,
    timeout: timedelta | None,
    backend: str | None,
    options: Any,
    local: bool,
    description: str | None,
    sort: bool,
) -> ProcessGroup | int | None:
    """A new group of some or all ranks. Members get it. Every rank calls this, in the same order; with `local` only the
    members have to, and another rank gets nothing."""
    here = job()
    accept_backend(backend)
    if timeout is not None and not isinstance(timeout, timedelta):
        raise TypeError(f"timeout must be a datetime.timedelta, but it is {type(timeout).__name__}.")
    if options is not None and platform() == "CPU":
        raise UnsupportedArgument("On a CPU a MindSpore group has no options; leave them out.")
    if local and ranks is not None and here.rank not in ranks:
        return None
    members = _checked(list(range(here.world.size())) if ranks is None else plain(list(ranks)), sort)
    here.made += not local
    if here.rank not in members:
        return NON_MEMBER
    name = _name(members)
    communication.create_group(name, list(members), *([] if options is None else [options]))
    here.groups[name] = ProcessGroup(name, members, here.rank, timeout or here.world.timeout, description)
    return here.groups[name]


def make_groups(
    ranks: Sequence[Sequence[int]] | None,
    timeout: timedelta | None,
    backend: str | None,
    options: Any,
    description: str | None,
) -> tuple[ProcessGroup | int | None, list[ProcessGroup | int | None]]:
    """One group per list of ranks, of which no two share a rank: the one that this process is in, and all of them."""
    if not ranks:
        raise ValueError("Give one list of ranks for each group; there is none.")
    everyone = [rank for each in ranks for rank in each]
    twice = sorted(rank for rank, times in Counter(everyone).items() if times > 1)
    if twice:
        raise InvalidRank(f"A rank belongs to one group at most, but {twice} stand in several of {list(ranks)}.")
    made = [make_group(each, timeout, backend, options, False, description, True) for each in ranks]
    own = [group for group, each in zip(made, ranks, strict=True) if job().rank in each]
    return (own[0] if own else None), made


def make_subgroups(
    size: int | None,
    group: Group,
    timeout: timedelta | None,
    backend: str | None,
    options: Any,
    description: str | None,
) -> tuple[ProcessGroup | int | None, list[ProcessGroup | int | None]]:
    """A group cut into groups of one size, in the order of ranks."""
    parent = resolve(group)
    size = _devices() if size is None else size
    count = -1 if parent is None else parent.size()
    if size <= 0 or parent is None or count % size:
        raise ValueError(
            f"A group of {count} ranks cannot be cut into groups of {size}; give a number that divides it."
        )
    parts = [parent.ranks[start : start + size] for start in range(0, count, size)]
    return make_groups(parts, timeout, backend, options, description)


def drop_group(group: ProcessGroup) -> None:
    """Forget a group. On a CPU MindSpore has nothing to release for it, and would print an error."""
    del job().groups[group.name]
    if platform() != "CPU":
        communication.destroy_group(group.name)


def _checked(members: list[int], sort: bool) -> tuple[int, ...]:
    size = job().world.size()
    if not members:
        raise TypeError("A group has at least one rank, but none is given.")
    if len(set(members)) != len(members):
        raise InvalidRank(f"The ranks of a group must differ, but they are {members}.")
    if any(not 0 <= rank < size for rank in members):
        raise InvalidRank(f"The ranks of a group must be between 0 and {size - 1}, but are {members}.")
    if not sort and members != sorted(members):
        raise UnsupportedArgument(
            "MindSpore numbers the members of a group by ascending rank; give the ranks in ascending order."
        )
    return tuple(sorted(members))


def _name(members: tuple[int, ...]) -> str:
    """The same on all members whatever other ranks have done, and short, because libraries limit it."""
    _named[members] += 1
    listed = "_".join(map(str, members))
    short = listed if len(listed) <= 40 else hashlib.sha256(listed.encode()).hexdigest()[:16]
    return f"torchspore_{short}_{_named[members]}"


def _devices() -> int:
    """How many ranks there are on each machine."""
    told = os.environ.get("LOCAL_WORLD_SIZE", "")
    if platform() == "CPU" or not told.isdigit():
        raise ValueError("Give the size of the groups; by default it is the number of devices of a machine.")
    return int(told)
