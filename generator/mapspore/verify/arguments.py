"""The little language in which cases state their arguments, as JSON. In: a stated argument and a side. Out: the
argument itself. Every tensor that is made is remembered with the storage that it looks into, so that what a call did to
it can be read back. What only several processes can state is added by `collective.arguments`.

    {"$tensor": {"name": "x", "shape": [2, 3], "dtype": "float32"}}     (see `tensors`)
    {"$list": [argument, …]}     {"$tuple": [argument, …]}     {"$iterator": [argument, …]}     {"$dtype": "float32"}
    {"$numpy": ["int64", 3]}
    anything else stands for itself
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np

from mapspore.verify.outcome import Seen
from mapspore.verify.sides import Side
from mapspore.verify.tensors import look, storage


@dataclass(frozen=True, slots=True)
class MadeTensor:
    """A tensor of a case, and the storage that it looks into."""

    tensor: Any
    base: Any
    dtype: str
    spec: dict[str, Any]


class ArgumentFactory:
    """Makes the arguments of one case; the same numbers on both sides."""

    def __init__(self, side: Side, seed: str) -> None:
        self.side = side
        self.seed = seed
        self.made: dict[str, MadeTensor] = {}
        self.instead: Mapping[str, Any] = {}

    def replacing(self, instead: Mapping[str, Any]) -> ArgumentFactory:
        """The same factory with tensors, by name, that stand in for those of the case."""
        other = copy(self)
        other.instead = instead
        return other

    @property
    def tensors(self) -> dict[str, Any]:
        return {name: made.tensor for name, made in self.made.items()}

    @property
    def floats(self) -> list[str]:
        """The tensors that have a gradient."""
        return [name for name, made in self.made.items() if made.dtype.startswith("float")]

    def call(self, function: Any, call: Mapping[str, Any]) -> Any:
        """What a function gives back for the arguments of a stated call."""
        return function(*self.make(call["args"]), **self.make(call["kwargs"]))

    def make(self, stated: Any) -> Any:
        if isinstance(stated, list):
            return [self.make(each) for each in stated]
        if not isinstance(stated, dict):
            return stated
        kind, value = next(iter(stated.items()), ("", None))
        if not kind.startswith("$"):
            return {name: self.make(each) for name, each in stated.items()}
        return getattr(self, "_" + kind.removeprefix("$"))(value)

    def _tensor(self, spec: dict[str, Any]) -> Any:
        if spec["name"] in self.instead:
            return self.instead[spec["name"]]
        base = self.side.tensor(storage(spec, self.seed), spec["dtype"])
        tensor = look(base, spec.get("view", "own"))
        self.made[spec["name"]] = MadeTensor(tensor, base, spec["dtype"], spec)
        return tensor

    def _list(self, values: list[Any]) -> list[Any]:
        return [self.make(each) for each in values]

    def _tuple(self, values: list[Any]) -> tuple[Any, ...]:
        return tuple(self.make(each) for each in values)

    def _iterator(self, values: list[Any]) -> Iterator[Any]:
        return iter(self._list(values))

    def _numpy(self, stated: list[Any]) -> Any:
        dtype, value = stated
        return np.dtype(dtype).type(value)

    def _dtype(self, name: str) -> Any:
        return self.side.named(name)

    def written(self) -> tuple[str, ...]:
        """The tensors that hold something else than they were made with."""
        before = ArgumentFactory(self.side, self.seed)
        before.make([{"$tensor": made.spec} for made in self.made.values()])
        was, now = before.after(), self.after()
        return tuple(name for name, seen in now.items() if seen.value.tobytes() != was[name].value.tobytes())

    def after(self) -> dict[str, Seen]:
        """The tensors as they are now."""
        return {name: self.side.see(made.tensor) for name, made in self.made.items()}
