"""What only several processes can state in an argument. In: a stated argument, the side, the rank. Out: the argument
itself. Lists of tensors and of objects are remembered, so that what a call did to them can be read back.

    {"$objects": {"name": "x", "items": [argument, …]}}
    {"$object": [name, number]}       (some Python object, another one for each name, number and rank)
    {"$op": "SUM"}                    {"$foreign_op": "SUM"}        (torch's own enum, on both sides)
    {"$group": "pair"}                {"$group_name": "pair"}       {"$world": true}        {"$seconds": 20}
    {"$by_rank": [argument of rank 0, argument of rank 1, …]}       {"$api": "isend"}       {"$new": [api, argument…]}
"""

from __future__ import annotations

import importlib
from datetime import timedelta
from typing import Any

from mapspore.verify.arguments import ArgumentFactory
from mapspore.verify.outcome import Seen, named
from mapspore.verify.sides import Side


def seed_of(case: dict[str, Any], rank: int) -> str:
    """What the numbers of a case are drawn from: others on each rank, the same on both sides."""
    return f"{case['id']}/{rank}"


def some_object(name: str, number: int, rank: int) -> object:
    """Objects of several types and sizes, nothing among them."""
    kinds = (
        {"rank": rank, name: [number, 1.5, None, (True, "\u7ec4")]},
        name * (1 + 7 * (rank + number)),
        None,
        [rank, number] * 40,
        bytes(range(rank + number + 3)),
    )
    return kinds[(rank + 2 * number) % len(kinds)]


class RankArgumentFactory(ArgumentFactory):
    """Makes the arguments of one case on one rank."""

    def __init__(self, side: Side, case: dict[str, Any], rank: int, groups: dict[str, Any]) -> None:
        super().__init__(side, seed_of(case, rank))
        self.rank = rank
        self.groups = groups
        self.stand_in: dict[str, str] = case.get("stand_in", {}) if side.name == "torch" else {}
        self.lists: list[tuple[list[Any], list[Any]]] = []
        self.objects: dict[str, list[Any]] = {}
        self.addresses: dict[str, int] = {}

    def after(self) -> dict[str, Seen]:
        """The tensors as they are now, each with its storage, and whether it still is the one that was given."""
        return {
            name: named(
                tensor=self.side.see(made.tensor),
                storage=self.side.see(made.base),
                same_memory=Seen("bool", made.tensor.data_ptr() == self.addresses[name]),
                same_dtype=Seen("bool", self.side.dtype(made.tensor) == made.dtype),
            )
            for name, made in self.made.items()
        }

    @property
    def own_tensors(self) -> bool:
        """Whether lists hold the tensors that were put there."""
        return all(all(one is other for one, other in zip(*pair, strict=True)) for pair in self.lists)

    def _tensor(self, spec: dict[str, Any]) -> Any:
        tensor = super()._tensor(spec | {"dtype": self.stand_in.get(spec["dtype"], spec["dtype"])})
        self.addresses[spec["name"]] = tensor.data_ptr()
        return tensor

    def _list(self, values: list[Any]) -> list[Any]:
        made = super()._list(values)
        self.lists.append((made, list(made)))
        return made

    def _objects(self, spec: dict[str, Any]) -> list[Any]:
        self.objects[spec["name"]] = [self.make(each) for each in spec["items"]]
        return self.objects[spec["name"]]

    def _object(self, spec: list[Any]) -> Any:
        return some_object(spec[0], spec[1], self.rank)

    def _seconds(self, number: float) -> timedelta:
        return timedelta(seconds=number)

    def _api(self, name: str) -> Any:
        return self.side.api(name)

    def _new(self, stated: list[Any]) -> Any:
        return self.side.api(stated[0])(*self.make(stated[1:]))

    def _op(self, name: str) -> Any:
        return getattr(self.side.dist.ReduceOp, name)

    def _foreign_op(self, name: str) -> Any:
        return getattr(importlib.import_module("torch.distributed").ReduceOp, name)

    def _group(self, name: str) -> Any:
        return self.groups[name]

    def _group_name(self, name: str) -> Any:
        return self.side.name_of(self.groups[name])

    def _world(self, _: Any) -> Any:
        return self.side.dist.GroupMember.WORLD

    def _by_rank(self, values: list[Any]) -> Any:
        return self.make(values[self.rank])
