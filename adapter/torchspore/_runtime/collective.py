"""One call of a collective, from the caller's arguments to the result. A generated adapter makes a `Collective`,
lets it check the arguments against the contract, and lets it run the chosen target; the target's function ends with
`finish`.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from typing import Any

from . import checks
from .errors import UnsupportedArgument
from .framework import Tensor
from .groups import Group, ProcessGroup, Root, find_root, job, resolve
from .reductions import Reduction
from .targets import Api
from .watch import watched
from .work import Work


class Collective:
    """A call in a group. `outsider` is a process that is not in it."""

    __slots__ = ("_api", "_dtype", "_group", "_job", "outsider")

    def __init__(self, api: Api, group: Group) -> None:
        self._api = api
        self._job = job()
        self._group = resolve(group)
        self._dtype: str | None = None
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

    def root(
        self, in_world: tuple[str, int | None], in_group: tuple[str, int | None], default: int | None = None
    ) -> Root:
        """The rank that sends to or receives from all others, given in either space of ranks."""
        return find_root(self.group, in_world, in_group, default)

    def tensor(self, name: str, tensor: Tensor) -> None:
        """Check one tensor."""
        checks.check_tensor(name, tensor)
        self._dtype = str(tensor.dtype)

    def tensors(
        self,
        name: str,
        tensors: list[Tensor] | None,
        each_like: Tensor | None = None,
        own_like: Tensor | list[Tensor] | None = None,
        at: Root | None = None,
    ) -> list[Tensor]:
        """Check a list with one tensor per rank of the group: all of one dtype, and all of one shape (`each_like`)
        or the one of this rank (`own_like`). With a root (`at`), the list is there and nowhere else; elsewhere it
        is empty."""
        if at is not None and not at.here:
            if tensors:
                raise ValueError(
                    f"{name} must be None on ranks that receive nothing; give it on global rank {at.world} only."
                )
            return []
        if at is not None and not tensors:
            raise ValueError(f"{name} must be given on global rank {at.world}, which receives.")
        checks.check_list(name, tensors)
        assert tensors is not None
        checks.check_count(name, tensors, self.size)
        own = self.group.rank()
        if each_like is not None:
            checks.check_dtype(name, tensors, each_like)
            for tensor in tensors:
                checks.check_shape(name, tensor, each_like)
        elif own_like is not None:
            like = own_like[own] if isinstance(own_like, list) else own_like
            checks.check_dtype(name, tensors, like)
            checks.check_shape(name, tensors[own], like)
        else:
            checks.check_dtype(name, tensors, tensors[own])
        self._dtype = str(tensors[own].dtype)
        return tensors

    def reduction(self, name: str, op: Any, tensor: Tensor) -> Reduction:
        """Check that a reduction exists for this dtype."""
        return Reduction(name, op, tensor.dtype, self.size)

    def accepts(self, fits: bool, name: str, needs: str) -> None:
        """Refuse values that the contract allows and this target cannot take."""
        if not fits:
            raise UnsupportedArgument(
                f"{name} does not fit the chosen target, which needs {needs}; choose another with use()."
            )

    def run(self, *arguments: Any) -> Work | None:
        """Hand the checked arguments to the target that fits. The last one says whether to return at once."""
        checks.check_flag("async_op", arguments[-1])
        target, _ = self._api.choose(self._dtype)
        with watched(self._job, self.group, self._api.name, time.monotonic()):  # an earlier error may surface already
            result: Work | None = target.function(self, *arguments)
        return result

    def finish(
        self, async_op: bool, handle: Any, output: Tensor | list[Tensor], value: Callable[[], Any]
    ) -> Work | None:
        """Deliver a value into the caller's output: now, or when the caller waits for the work that is returned."""
        work = Work(self._job, self.group, self._api.name, handle, output, value)
        if async_op:
            return work
        work.wait()
        return None
