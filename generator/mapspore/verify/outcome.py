"""What a call did, as both sides spell it. In: values, arrays, errors. Out: `Seen` and `Outcome`, which can be
compared, and which are plain JSON between processes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

Data = dict[str, Any]
OBJECT = "object"
"""The type of a value of which only its use shows what it is; all such values are equal."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A value as both sides spell it."""

    type: str
    """`tensor`, `list`, `tuple`, `dict`, or the name of a Python type."""
    value: Any = None
    """An array; a plain value."""
    dtype: str = ""
    items: tuple[Seen, ...] = ()
    fields: tuple[str, ...] = ()

    @property
    def leaves(self) -> Iterator[Seen]:
        if self.type in ("list", "tuple"):
            for item in self.items:
                yield from item.leaves
        else:
            yield self

    def blank(self) -> Seen:
        """The same with nought for every element of a tensor."""
        value = np.zeros_like(self.value) if self.type == "tensor" else self.value
        return replace(self, value=value, items=tuple(item.blank() for item in self.items))

    def __getitem__(self, name: str) -> Seen:
        """The item of this name."""
        return self.items[self.fields.index(name)]

    def data(self) -> Data:
        value = _encoded(self.value) if isinstance(self.value, np.ndarray) else self.value
        return {
            "type": self.type, "value": value, "dtype": self.dtype, "fields": self.fields,
            "items": [item.data() for item in self.items],
        }  # fmt: skip

    @staticmethod
    def of(data: Data) -> Seen:
        value = _decoded(data["value"]) if data["type"] == "tensor" else data["value"]
        items = tuple(Seen.of(item) for item in data["items"])
        return Seen(data["type"], value, data["dtype"], items, tuple(data["fields"]))


def named(**items: Seen) -> Seen:
    """Several values, each with a name."""
    return Seen("tuple", items=tuple(items.values()), fields=tuple(items))


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a call did: what it returned, or what it raised."""

    seen: Seen | None = None
    error: tuple[str, ...] = ()
    """The error's type and what that is derived from."""
    sentence: str = ""
    tensors: dict[str, Seen] = field(default_factory=dict)
    """The arguments' tensors after the call."""
    written: tuple[str, ...] = ()
    """Those of them that the call changed, where somebody looked."""
    own_tensors: bool = True
    """Whether lists still hold the tensors that the caller put there."""

    def data(self) -> Data:
        tensors = {name: tensor.data() for name, tensor in self.tensors.items()}
        return {
            "seen": self.seen and self.seen.data(), "error": self.error, "sentence": self.sentence, "tensors": tensors,
            "written": self.written, "own_tensors": self.own_tensors,
        }  # fmt: skip

    @staticmethod
    def of(data: Data) -> Outcome:
        tensors = {name: Seen.of(tensor) for name, tensor in data["tensors"].items()}
        seen = Seen.of(data["seen"]) if data["seen"] else None
        written = tuple(data["written"])
        return Outcome(seen, tuple(data["error"]), data["sentence"], tensors, written, data["own_tensors"])


def raised(error: Exception) -> Outcome:
    """What a call did that ended with an error."""
    return Outcome(None, tuple(kind.__name__ for kind in type(error).__mro__), str(error))


def _encoded(array: np.ndarray) -> Data:
    return {"shape": list(array.shape), "dtype": str(array.dtype), "bytes": np.ascontiguousarray(array).tobytes().hex()}


def _decoded(content: Data) -> np.ndarray:
    return np.frombuffer(bytes.fromhex(content["bytes"]), content["dtype"]).reshape(content["shape"])
