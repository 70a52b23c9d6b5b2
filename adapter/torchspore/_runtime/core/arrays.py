"""Where parts of the runtime that compute with NumPy meet tensors. In: an array, or a tensor. Out: the other. Which
class of tensors is made and how one is written into is decided by whoever brings an `Access`, with `use`; until then
tensors are MindSpore's own. MindSpore is loaded with the first tensor: what only needs arrays runs without it.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

BFLOAT16 = "bfloat16"
"""The dtype that NumPy lacks: its values are kept as float32, which holds each of them, and the name goes beside."""


class Layout(NamedTuple):
    """What a tensor is like: its shape, the name of its dtype and its strides in elements."""

    shape: tuple[int, ...]
    dtype: str
    strides: tuple[int, ...]


class Access(Protocol):
    """How tensors are made, read and written into."""

    def make(self, array: Any, dtype: str) -> Any:
        """A tensor of the dtype of this name with the values of an array."""

    def read(self, tensor: Any) -> Any:
        """The values as an array, those of bfloat16 as float32."""

    def write(self, tensor: Any, array: Any) -> None:
        """Change the values of a tensor in place, outside of any gradient."""

    def layout(self, tensor: Any) -> Layout:
        """What the tensor is like."""

    def is_tensor(self, value: object) -> bool:
        """Whether a value is a tensor."""


class _MindSpore:
    """Access to MindSpore's own tensors."""

    @property
    def _mindspore(self) -> Any:
        return importlib.import_module("torchspore._runtime.core.framework").mindspore

    def make(self, array: Any, dtype: str) -> Any:
        tensor = self._mindspore.Tensor(array)
        return tensor.astype(self._mindspore.bfloat16) if dtype == BFLOAT16 else tensor

    def read(self, tensor: Any) -> Any:
        if str(tensor.dtype).lower() == BFLOAT16:
            tensor = tensor.astype(self._mindspore.float32)
        return tensor.asnumpy()

    def write(self, tensor: Any, array: Any) -> None:
        # while operations are recorded, what is written into a view does not reach its tensor
        engine = importlib.import_module("torchspore._runtime.core.private")
        before = engine.is_enabled()
        engine.set_enabled(False)
        try:
            self._assign(tensor, self.make(array, self.layout(tensor).dtype))
        finally:
            engine.set_enabled(before)

    def _assign(self, tensor: Any, values: Any) -> None:
        if not tensor.ndim:
            tensor, values = tensor.reshape((1,)), values.reshape((1,))
        if self.layout(tensor).dtype == BFLOAT16:  # assignment has no kernel for it; its bits are moved as integers
            bits = self._mindspore.int16
            tensor, values = tensor.view(bits), values.view(bits)
        tensor[:] = values

    def layout(self, tensor: Any) -> Layout:
        return Layout(tuple(tensor.shape), str(tensor.dtype).lower(), tuple(tensor.stride()))

    def is_tensor(self, value: object) -> bool:
        return "mindspore" in sys.modules and isinstance(value, self._mindspore.Tensor)


_access: Access = _MindSpore()


def use(access: Access) -> None:
    """Let tensors be made, read and written into by this from now on."""
    global _access
    _access = access


def to_tensor(array: Any, dtype: str | None = None) -> Any:
    """A tensor with an array's values and dtype; `dtype` is given where the array cannot tell it: "bfloat16"."""
    array = np.asarray(array)
    return _access.make(array, str(array.dtype) if dtype is None else dtype)


def to_array(tensor: Any) -> Any:
    """The values of a tensor. An array stays what it is."""
    return tensor if isinstance(tensor, np.ndarray) else _access.read(tensor)


def is_tensor(value: object) -> bool:
    return _access.is_tensor(value)


def layout(tensor: Any) -> Layout:
    return _access.layout(tensor)


def write(tensor: Any, array: Any) -> None:
    """Write values into a tensor in place."""
    _access.write(tensor, array)


def in_rows(shape: Sequence[int]) -> tuple[int, ...]:
    """The strides of a tensor whose elements lie one after another."""
    strides, step = [], 1
    for length in reversed(shape):
        strides.append(step)
        step *= max(length, 1)
    return tuple(reversed(strides))
