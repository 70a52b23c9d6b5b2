"""The little language in which cases state their arguments, as JSON. In: a stated argument, the side, the rank.
Out: the argument itself. Every tensor that is made is remembered with the storage that it looks into, and every list
of objects, so that what a call did to all of them can be read back.

    {"$tensor": {"shape": [2, 3], "dtype": "float32", "name": "x", "view": "row", "fill": "floats"}}
    {"$list": [argument, …]}          {"$tuple": [argument, …]}     {"$objects": {"name": "x", "items": [argument, …]}}
    {"$object": [name, number]}       (some Python object, another one for each name, number and rank)
    {"$op": "SUM"}                    {"$foreign_op": "SUM"}        (torch's own enum, on both sides)
    {"$group": "pair"}                {"$group_name": "pair"}       {"$world": true}        {"$seconds": 20}
    {"$by_rank": [argument of rank 0, argument of rank 1, …]}       {"$api": "isend"}       {"$new": [api, argument…]}
    anything else stands for itself
"""

from __future__ import annotations

import importlib
import zlib
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import numpy as np

from mapspore.verify.collective.sides import CARRIED, Side, encoded


@dataclass
class Made:
    """A tensor of a case, with the storage it looks into and how it was before the call."""

    name: str
    tensor: Any
    base: Any
    address: int
    dtype: str
    before: dict[str, Any]
    """Its content before the call, the whole storage included."""
    view: str


@dataclass
class Maker:
    """Makes the arguments of one case on one rank."""

    side: Side
    rank: int
    seed: str
    groups: dict[str, Any]
    dtypes: dict[str, str] = field(default_factory=dict)  # dtypes that are replaced on this side
    made: list[Made] = field(default_factory=list)
    lists: list[tuple[list[Any], list[Any]]] = field(default_factory=list)
    objects: dict[str, list[Any]] = field(default_factory=dict)

    def make(self, stated: Any) -> Any:
        if not isinstance(stated, dict):
            return stated
        kind, value = next(iter(stated.items()), ("", None))
        if not kind.startswith("$"):
            return self.made_of(stated)
        return getattr(self, "_" + kind.removeprefix("$"))(value)

    def made_of(self, stated: dict[str, Any]) -> dict[str, Any]:
        return {name: self.make(value) for name, value in stated.items()}

    def _tensor(self, spec: dict[str, Any]) -> Any:
        dtype = self.dtypes.get(spec.get("dtype", "float32"), spec.get("dtype", "float32"))
        shape, view = tuple(spec["shape"]), spec.get("view", "own")
        array = self._fill(spec, _base_shape(shape, view), dtype)
        base = self.side.tensor(array, dtype)
        tensor = look(base, shape, view)
        before = {"tensor": encoded(np.asarray(look(array, shape, view))), "base": encoded(array)}
        self.made.append(Made(spec["name"], tensor, base, self.side.address(tensor), dtype, before, view))
        return tensor

    def _fill(self, spec: dict[str, Any], shape: tuple[int, ...], dtype: str) -> np.ndarray:
        """Whole numbers, so that any order of summation gives the same; the same on both sides, other on each rank."""
        generator = np.random.default_rng(zlib.crc32(f"{self.seed}/{spec['name']}/{self.rank}".encode()))
        if spec.get("fill") == "zeros":
            numbers = np.zeros(shape)
        elif spec.get("fill") == "floats":
            numbers = generator.random(shape) + 1  # no cancellation, so that units in the last place mean something
        else:
            unsigned = spec.get("dtype", "float32") in ("uint8", "bool")
            numbers = generator.integers(0 if unsigned else -3, 2 if spec.get("dtype") == "bool" else 4, shape)
        if dtype.startswith("complex"):
            numbers = numbers + 1j * generator.integers(-3, 4, shape)
        return np.asarray(numbers).astype(CARRIED.get(dtype, dtype))

    def _list(self, values: list[Any]) -> list[Any]:
        made = [self.make(value) for value in values]
        self.lists.append((made, list(made)))
        return made

    def _tuple(self, values: list[Any]) -> tuple[Any, ...]:
        return tuple(self.make(value) for value in values)

    def _objects(self, spec: dict[str, Any]) -> list[Any]:
        made = [self.make(each) for each in spec["items"]]
        self.objects[spec["name"]] = made
        return made

    def _object(self, spec: list[Any]) -> Any:
        """Objects of several types and sizes, nothing among them."""
        name, number = spec
        kinds = (
            {"rank": self.rank, name: [number, 1.5, None, (True, "组")]},
            name * (1 + 7 * (self.rank + number)),
            None,
            [self.rank, number] * 40,
            bytes(range(self.rank + number + 3)),
        )
        return kinds[(self.rank + 2 * number) % len(kinds)]

    def _seconds(self, number: float) -> timedelta:
        return timedelta(seconds=number)

    def _api(self, name: str) -> Any:
        return self.side.api(name)

    def _new(self, stated: list[Any]) -> Any:
        return self.side.api(stated[0])(*[self.make(each) for each in stated[1:]])

    def _op(self, name: str) -> Any:
        return self.side.operator(name)

    def _foreign_op(self, name: str) -> Any:
        return getattr(importlib.import_module("torch.distributed").ReduceOp, name)

    def _group(self, name: str) -> Any:
        return self.groups[name]

    def _group_name(self, name: str) -> Any:
        return self.side.name_of(self.groups[name])

    def _world(self, _: Any) -> Any:
        return self.side.world()

    def _by_rank(self, values: list[Any]) -> Any:
        return self.make(values[self.rank])


def _base_shape(shape: tuple[int, ...], view: str) -> tuple[int, ...]:
    if view in ("row", "first_row"):
        return (3, *shape)
    if view == "transposed":
        return tuple(reversed(shape))
    if view == "offset":
        return (shape[0] + 2, *shape[1:])
    if view == "strided":
        return (2 * shape[0], *shape[1:])
    return shape


def look(base: Any, shape: tuple[int, ...], view: str) -> Any:
    """A view of a tensor, or of an array, that has this shape."""
    if view == "own":
        return base
    return {
        "row": lambda: base[1],
        "first_row": lambda: base[0],
        "transposed": lambda: base.T,
        "offset": lambda: base[1 : 1 + shape[0]],
        "strided": lambda: base[::2],
    }[view]()
