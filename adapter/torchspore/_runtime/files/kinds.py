"""What the values of a file become. In: the parts of a tensor, the names of dtypes and devices. Out: objects of the
runtime; and the other way round, for writing. The default makes MindSpore's own tensors, which own their memory;
whoever brings a tensor class with views gives its own with `use`.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from ..core import arrays
from ..core.arrays import BFLOAT16
from ..core.errors import UnsupportedArgument

DTYPES = {
    "float64": "DoubleStorage", "float32": "FloatStorage", "float16": "HalfStorage", "bfloat16": "BFloat16Storage",
    "int64": "LongStorage", "int32": "IntStorage", "int16": "ShortStorage", "int8": "CharStorage",
    "uint8": "ByteStorage", "bool": "BoolStorage", "complex128": "ComplexDoubleStorage",
    "complex64": "ComplexFloatStorage",
}  # fmt: skip
"""The dtypes of tensors in files, and how files name a storage of theirs."""
UNTYPED = ("uint16", "uint32", "uint64")
"""Dtypes that came later: files name them beside a storage of bytes."""


def itemsize(dtype: str) -> int:
    return 2 if dtype == BFLOAT16 else int(np.dtype(dtype).itemsize)


@dataclass
class Storage:
    """The memory behind tensors of a file: bytes, which several tensors may look at, and the device they came from.
    `kept` is for who makes tensors of it."""

    data: Any
    location: str = "cpu"
    dtype: str = "uint8"
    kept: dict[str, Any] = field(default_factory=dict)

    def elements(self, dtype: str) -> Any:
        """The memory as an array of one dimension; bfloat16 as its bits."""
        return self.data.view(np.uint16 if dtype == BFLOAT16 else dtype)


class View(NamedTuple):
    """What a tensor is of a storage."""

    storage: Storage
    dtype: str
    offset: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    requires_grad: bool

    def array(self) -> Any:
        """The elements over the memory of the storage; bfloat16 as its bits."""
        elements = self.storage.elements(self.dtype)[self.offset :]
        steps = [step * elements.itemsize for step in self.strides]
        return np.lib.stride_tricks.as_strided(elements, self.shape, steps)


class Kinds:
    """How the runtime's objects are made and taken apart."""

    def tensor(self, view: View) -> Any:
        array = np.array(view.array(), order="C")
        return arrays.to_tensor(from_bits(array) if view.dtype == BFLOAT16 else array, view.dtype)

    def parameter(self, tensor: Any, requires_grad: bool) -> Any:
        mindspore = importlib.import_module("torchspore._runtime.core.framework").mindspore
        return mindspore.Parameter(tensor, requires_grad=requires_grad)

    def is_parameter(self, tensor: Any) -> bool:
        mindspore = importlib.import_module("torchspore._runtime.core.framework").mindspore
        return isinstance(tensor, mindspore.Parameter)

    def is_tensor(self, value: object) -> bool:
        return arrays.is_tensor(value)

    def view(self, tensor: Any) -> tuple[object, View]:
        """The parts of a tensor, and what identifies its memory."""
        layout = arrays.layout(tensor)
        if layout.dtype not in (*DTYPES, *UNTYPED):
            raise UnsupportedArgument(f"save: files have no tensors of {layout.dtype}.")
        array = np.ascontiguousarray(arrays.to_array(tensor))
        bits = to_bits(array) if layout.dtype == BFLOAT16 else array
        storage = Storage(bits.reshape(-1).view(np.uint8))
        grad = bool(getattr(tensor, "requires_grad", False))
        return id(tensor), View(storage, layout.dtype, 0, layout.shape, arrays.in_rows(layout.shape), grad)

    def dtype(self, name: str) -> Any:
        mindspore = importlib.import_module("torchspore._runtime.core.framework").mindspore
        return getattr(mindspore, "bool_" if name == "bool" else name)

    def dtype_name(self, value: object) -> str | None:
        """The name of a dtype; None for what is none."""
        module = type(value).__module__
        name = str(value).lower() if module.startswith("mindspore.") and not self.is_tensor(value) else ""
        return name if name in (*DTYPES, *UNTYPED) else None

    def size(self, sizes: tuple[int, ...]) -> Any:
        return tuple(sizes)

    def is_size(self, value: object) -> bool:
        return False

    def device(self, kind: str, index: int | None) -> Any:
        return kind if index is None else f"{kind}:{index}"

    def device_name(self, value: object) -> str | None:
        """How files name a device; None for what is none."""
        return None

    def has_device(self, location: str) -> bool:
        """Whether tensors can be put on a device."""
        return location.partition(":")[0] == "cpu"


def from_bits(bits: Any) -> Any:
    """The values of bfloat16 as float32."""
    return (bits.astype(np.uint32) << np.uint32(16)).view(np.float32)


def to_bits(values: Any) -> Any:
    """The bits of bfloat16 of values that it holds."""
    return (np.ascontiguousarray(values, np.float32).view(np.uint32) >> np.uint32(16)).astype(np.uint16)


_kinds = Kinds()


def use(kinds: Kinds) -> None:
    """Let files be read into these objects and written from them."""
    global _kinds
    _kinds = kinds


def kinds() -> Kinds:
    return _kinds
