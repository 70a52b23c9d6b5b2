"""One call of a collective, from the caller's arguments to the result. A generated adapter makes a `Collective`,
lets it check the arguments against the contract, and lets it run the chosen target; the target's function ends with
`finish`.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

from ..core.errors import InvalidRank, NotAMember, UnsupportedArgument
from ..core.framework import Tensor, blocking
from ..core.modes import enqueueing
from ..core.targets import Api
from . import background, checks
from .agreement import Agreement, is_debugging
from .groups import Group, ProcessGroup, Root, find_root, job, resolve
from .reductions import Reduction
from .watch import check_usable, watched
from .work import Work

_SENDS = "src"  # what the original calls a root that sends to all; one that receives from all is its `dst`


class Collective:
    """A call in a group. `outsider` is a process that is not in it."""

    __slots__ = (
        "_agreement",
        "_api",
        "_dtype",
        "_group",
        "_job",
        "_limit",
        "_needs",
        "_output",
        "_partner",
        "_same",
        "_work",
        "outsider",
    )

    def __init__(self, api: Api, group: Group) -> None:
        self._api = api
        self._job = job()
        self._group = resolve(group)
        self._dtype: str | None = None
        self._limit: timedelta | None = None
        self._same: dict[str, object] = {}  # what must be the same on all ranks, beside the name and the dtype
        self._needs: Sequence[int] | None = None  # the ranks whose tensors this one needs, if not those of all
        self._partner: list[int] | None = None  # the one other rank, of a message between two
        self._agreement: Agreement | None = None
        self._output: Tensor | list[Tensor] = []
        self._work: Work | None = None
        self.outsider = self._group is None

    @property
    def group(self) -> ProcessGroup:
        assert self._group is not None, "an outsider has no group"
        return self._group

    @property
    def size(self) -> int:
        return self.group.size()

    def outside(self) -> Work | None:
        """What a process gets that is not in the group: a warning, and nothing."""
        name = self._api.name.rpartition(".")[2]
        warnings.warn(
            f"Running {name} on global rank {self._job.rank} which does not belong to the given group.", stacklevel=3
        )
        return None

    def not_a_member(self) -> NotAMember:
        """The error for a process that is not in the group, where it cannot just go on."""
        name = self._api.name.rpartition(".")[2]
        return NotAMember(f"{name}: global rank {self._job.rank} is not in the given group; call it on members only.")

    def root(
        self, in_world: tuple[str, int | None], in_group: tuple[str, int | None], default: int | None = None
    ) -> Root:
        """The rank that sends to or receives from all others, given in either space of ranks."""
        found = find_root(self.group, in_world, in_group, default)
        self._same[in_world[0]] = found.world
        if in_world[0] == _SENDS:
            self._needs = [] if found.here else [found.world]
        else:
            self._needs = [rank for rank in self.group.ranks if rank != found.world] if found.here else []
        return found

    def peer(self, in_world: tuple[str, int | None], in_group: tuple[str, int | None]) -> Root:
        """The one other rank that takes part."""
        found = find_root(self.group, in_world, in_group, None)
        self._partner = [found.world]
        if found.here:
            name = in_group[0] if in_world[1] is None else in_world[0]
            raise InvalidRank(f"{name} is this process itself; a message goes to or comes from another one.")
        return found

    def tensor(
        self,
        name: str,
        tensor: Tensor,
        like: Tensor | None = None,
        holds: Tensor | None = None,
    ) -> None:
        """Check one tensor: against another that it must be like, or of which it holds one per rank (`holds`)."""
        checks.check_tensor(name, tensor)
        self._one_dtype(name, [tensor])
        self._same.setdefault("shape", tensor.shape)
        if like is not None:
            checks.check_shape(name, tensor, like)
        if holds is not None:
            checks.check_parts(name, tensor, holds, self.size)

    def split(self, name: str, tensor: Tensor, sizes_name: str, sizes: Sequence[int] | None) -> None:
        """Check into which parts, one per rank, a tensor is cut along dimension 0."""
        self._same["shape"] = None  # each rank has its own
        checks.check_split(name, tensor, sizes_name, sizes, self.size)

    def tensors(
        self,
        name: str,
        tensors: list[Tensor] | None,
        like: Tensor | None = None,
        own_like: Tensor | list[Tensor] | None = None,
        at: Root | None = None,
    ) -> list[Tensor]:
        """Check a list with one tensor per rank of the group: all of one dtype, and all of one shape (`like`) or
        the one of this rank (`own_like`). With a root (`at`), the list is there and nowhere else; elsewhere it is
        empty."""
        if at is not None and not self._wanted(name, tensors, at):
            return []
        checks.check_list(name, tensors)
        assert tensors is not None
        checks.check_count(name, tensors, self.size)
        self._one_dtype(name, tensors)
        own = self.group.rank()
        if like is not None:
            for tensor in tensors:
                checks.check_shape(name, tensor, like)
        elif own_like is not None:
            self._same["shape"] = None  # each rank has its own
            own_tensor = own_like[own] if isinstance(own_like, list) else own_like
            checks.check_shape(name, tensors[own], own_tensor)
        return tensors

    def _one_dtype(self, name: str, tensors: Sequence[Tensor]) -> None:
        """All tensors of a call have one dtype."""
        if self._dtype is None:
            self._dtype = str(tensors[0].dtype)
        checks.check_dtype(name, tensors, self._dtype)

    def objects(
        self, name: str, objects: list[Any] | None, count: int = 0, at: Root | None = None, read: bool = False
    ) -> list[Any] | None:
        """Check a list of objects: of one per rank (`count`), or of at least one. With a root (`at`) it is there and
        nowhere else; one that is only read may be given elsewhere too, and is not looked at."""
        if at is not None and not self._wanted(name, None if read and not at.here else objects, at):
            return None
        checks.check_objects(name, objects, count)
        return objects

    @staticmethod
    def _wanted(name: str, values: list[Any] | None, at: Root) -> bool:
        if at.here and not values:
            raise ValueError(f"{name} must be given on global rank {at.world}.")
        if values and not at.here:
            raise ValueError(f"{name} must be None except on global rank {at.world}; leave it out here.")
        return at.here

    def reduction(self, name: str, op: Any, tensor: Tensor) -> Reduction:
        """Check that a reduction exists for this dtype."""
        self._same["op"] = getattr(op, "name", op)
        return Reduction(name, op, tensor.dtype, self.size)

    def accepts(self, fits: bool, name: str, needs: str) -> None:
        """Refuse values that the contract allows and this target cannot take."""
        if not fits:
            raise UnsupportedArgument(
                f"{name} does not fit the chosen target, which needs {needs}; choose another with use()."
            )

    def time_limit(self, name: str, limit: timedelta | None) -> None:
        """How long the call may wait, where it is not as long as the group's time-out says."""
        if limit is not None and not isinstance(limit, timedelta):
            raise TypeError(f"{name} must be a datetime.timedelta, but it is {type(limit).__name__}.")
        self._limit = limit

    def run(self, *arguments: Any) -> Work | None:
        """Hand the checked arguments to the target that fits. The last one says whether to return at once."""
        *others, async_op = arguments
        checks.check_flag("async_op", async_op)
        target, _ = self._api.choose(self._dtype and self._dtype.lower())
        if async_op and blocking():
            return self._in_background(target.function, others)
        background.join()
        self._make(target.function, others, bool(async_op))
        return self._work

    def _in_background(self, function: Callable[..., Any], arguments: Sequence[Any]) -> Work:
        """Have the call made as if it were synchronous, and return at once; in the debug mode, once it is known that
        the others make it too."""
        if is_debugging():
            background.join()
            self._agree(False)
        made = background.submit(lambda: self._make(function, arguments, False))
        what = f"rank {self._job.rank}: {self._api.name}"
        return background.Background(what, made, self._delivered, self._seconds())

    def _make(self, function: Callable[..., Any], arguments: Sequence[Any], async_op: bool) -> None:
        check_usable(self._job)
        self._agree(async_op)
        # an earlier error may surface already
        with enqueueing(), watched(self._job, self.group, self._api.name, time.monotonic(), None, self._partner):
            self._work = function(self, *arguments, async_op)

    def _agree(self, async_op: bool) -> None:
        """Tell the others of this call, unless it is one between two ranks; wait for them, unless it may not wait."""
        if self._partner is not None or self.size == 1 or self._agreement is not None:
            return
        said = [f"{name} {value}" for name, value in self._same.items() if value is not None]
        words = f"{self._api.name} ({', '.join([self._dtype or 'objects', *said])})"
        self._agreement = Agreement(self._job, self.group, self._api.name, words, self._needs)
        if not async_op or is_debugging():
            self._agreement.reach(self._seconds())

    def _seconds(self) -> float:
        return (self._limit or self.group.timeout).total_seconds()

    def _delivered(self) -> list[Tensor]:
        return list(self._output) if isinstance(self._output, list) else [self._output]

    def finish(
        self,
        async_op: bool,
        handle: Any,
        output: Tensor | list[Tensor] = (),
        value: Callable[[], Any] = tuple,
        at: Root | None = None,
    ) -> Work | None:
        """Deliver a value into the caller's output: now, or when the caller waits for the work that is returned. With
        a root (`at`) it is delivered there and nowhere else."""
        if at is not None and not at.here:
            output, value = [], list
        self._output = output
        agreed, ranks = self._agreement if async_op else None, self._partner
        work = Work(self._job, self.group, self._api.name, handle, output, value, self._limit, agreed, ranks)
        if async_op:
            return work
        work.wait()
        return None
