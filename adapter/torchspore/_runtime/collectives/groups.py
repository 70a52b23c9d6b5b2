"""Which processes talk to each other. In: what a caller passes as `group` (nothing, a group object, the mark of a
non-member, a MindSpore group name). Out: a `ProcessGroup` with its MindSpore name and its ranks, or None for a
process that is not in it. `Job` is what this process knows once it is connected.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import numpy

from ..core.copies import Unique
from ..core.errors import InvalidRank, NoGroup, NotStarted
from ..core.foreign import kind
from .libraries import communication
from .peers import Peers

NON_MEMBER = -100  # what a process gets for a group that it is not in
DEFAULT_TIMEOUT = timedelta(minutes=30)


class ProcessGroup(Unique):
    """A group that this process is in. Its members are global ranks in ascending order."""

    UNIQUE = "it stands for connections between processes; each process makes its own"

    __slots__ = ("_rank", "calls", "group_desc", "name", "ranks", "timeout")

    def __init__(
        self, name: str, ranks: Sequence[int], own: int, timeout: timedelta, description: str | None = None
    ) -> None:
        self.name = name
        self.ranks = tuple(ranks)
        self.timeout = timeout
        self.group_desc = description or "undefined"
        self.calls = 0  # collectives that this process has made in it
        self._rank = self.ranks.index(own)

    def rank(self) -> int:
        return self._rank

    def size(self) -> int:
        return len(self.ranks)

    def here(self, rank: int) -> bool:
        """Whether a global rank is this process."""
        return self.ranks[self._rank] == rank

    @property
    def group_name(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"<ProcessGroup {self.name}: ranks {list(self.ranks)}>"


Group = ProcessGroup | str | int | None


@dataclass
class Job:
    """The connected processes, seen from this one."""

    rank: int
    world: ProcessGroup
    groups: dict[str, ProcessGroup] = field(default_factory=dict)
    made: int = 0
    failure: str | None = None  # why no further communication is possible
    peers: Peers | None = None  # the other ranks, where they can be watched

    def __post_init__(self) -> None:
        self.groups[self.world.name] = self.world


_job: Job | None = None


def current() -> Job | None:
    return _job


def become(job: Job | None) -> None:
    global _job
    _job = job


def job() -> Job:
    if _job is None:
        raise NotStarted("The default process group is not initialised; initialise it before anything is communicated.")
    return _job


class _Members(type):
    @property
    def WORLD(cls) -> ProcessGroup | None:
        return _job.world if _job else None


class GroupMember(metaclass=_Members):
    """`WORLD` is the group of all processes, `NON_GROUP_MEMBER` what a process gets for a group that it is not in."""

    NON_GROUP_MEMBER = NON_MEMBER


def resolve(group: Any) -> ProcessGroup | None:
    """The group that a caller means, or None if this process is not in it."""
    if group is None:
        return job().world
    if isinstance(group, ProcessGroup):
        if job().groups.get(group.name) is not group:
            raise ValueError(f"{group!r} does not exist any more; make a new group.")
        return group
    if isinstance(group, int) and group == NON_MEMBER:
        return None
    if isinstance(group, str):
        return _named(group)
    raise NoGroup(f"group must be a group object, the name of a MindSpore group or None, but it is {group!r}.")


def _named(name: str) -> ProcessGroup | None:
    """A group that was made with MindSpore's own functions."""
    known = job().groups.get(name)
    if known is not None:
        return known
    try:
        ranks = list(communication.get_process_group_ranks(name))
    except (RuntimeError, ValueError):
        ranks = []
    if not ranks:
        raise ValueError(f"There is no group named {name!r}; make it first, on every rank.")
    if job().rank not in ranks:
        return None
    job().groups[name] = ProcessGroup(name, ranks, job().rank, job().world.timeout)
    return job().groups[name]


@dataclass(frozen=True)
class Root:
    """The one rank that sends to, or receives from, all others."""

    world: int
    group: int
    here: bool


def find_root(
    group: ProcessGroup, in_world: tuple[str, int | None], in_group: tuple[str, int | None], default: int | None
) -> Root:
    """The root that a caller names by its global rank or by its rank in the group."""
    (world_name, world), (group_name, place) = in_world, in_group
    if world is not None and place is not None:
        raise InvalidRank(f"Give {world_name} (global rank) or {group_name} (rank in the group), not both.")
    if world is None and place is None:
        if default is None:
            raise InvalidRank(f"Give {world_name} (global rank) or {group_name} (rank in the group).")
        world = default
    for name, rank in ((world_name, world), (group_name, place)):
        if rank is not None and not isinstance(rank, int | numpy.integer):
            raise TypeError(f"{name} must be an int, but it is {kind(rank)}.")
    if place is not None:
        if not 0 <= place < group.size():
            raise InvalidRank(f"{group_name} must be between 0 and {group.size() - 1}, but it is {place}.")
        return Root(group.ranks[place], int(place), place == group.rank())
    if world not in group.ranks:
        raise InvalidRank(f"{world_name} is the global rank {world}, which is not in the group of {list(group.ranks)}.")
    place = group.ranks.index(world)
    return Root(group.ranks[place], place, place == group.rank())
