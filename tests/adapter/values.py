"""The little language in which cases state their arguments, as JSON. In: a stated argument, the side, the rank.
Out: the argument itself. Every tensor that is made is remembered with the storage that it looks into, so that what
a call did to all of them can be read back.

    {"$tensor": {"shape": [2, 3], "dtype": "float32", "name": "x", "view": "row", "fill": "integers"}}
    {"$list": [argument, …]}          {"$tuple": [argument, …]}
    {"$op": "SUM"}                    {"$foreign_op": "SUM"}  (torch's own enum, on both sides)
    {"$group": "pair"}                {"$group_name": "pair"}     {"$world": true}
    {"$by_rank": [argument of rank 0, argument of rank 1, …]}
    anything else stands for itself
"""

from __future__ import annotations

import importlib
import zlib
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sides import CARRIED, Side


@dataclass
class Made:
    """A tensor of a case, with the storage it looks into and how it was before the call."""

    name: str
    tensor: Any
    base: Any
    address: int
    dtype: str


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

    def make(self, stated: Any) -> Any:
        if not isinstance(stated, dict):
            return stated
        ((kind, value),) = stated.items()
        return getattr(self, "_" + kind.removeprefix("$"))(value)

    def _tensor(self, spec: dict[str, Any]) -> Any:
        dtype = self.dtypes.get(spec.get("dtype", "float32"), spec.get("dtype", "float32"))
        shape, view = tuple(spec["shape"]), spec.get("view", "own")
        base = self.side.tensor(self._fill(spec, _base_shape(shape, view), dtype), dtype)
        tensor = self._look(base, shape, view)
        self.made.append(Made(spec["name"], tensor, base, self.side.address(tensor), dtype))
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

    def _look(self, base: Any, shape: tuple[int, ...], view: str) -> Any:
        if view == "own":
            return base
        if view == "transposed":
            return self.side.transposed(base)
        return {
            "row": lambda: base[1],
            "first_row": lambda: base[0],
            "offset": lambda: base[1 : 1 + shape[0]],
            "strided": lambda: base[::2],
        }[view]()

    def _list(self, values: list[Any]) -> list[Any]:
        made = [self.make(value) for value in values]
        self.lists.append((made, list(made)))
        return made

    def _tuple(self, values: list[Any]) -> tuple[Any, ...]:
        return tuple(self.make(value) for value in values)

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
