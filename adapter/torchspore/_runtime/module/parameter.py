"""Parameters and buffers: tensors that a module knows as its own."""

from __future__ import annotations

from typing import Any

from ..core.framework import mindspore
from ..core.private import in_graph
from ..tensor import memory
from ..tensor.base import Tensor
from ..tensor.creating import from_mindspore, wrap
from ..tensor.views import outside

_Plain = mindspore.Tensor


def _leaf(data: Any) -> Any:
    """A tensor over the memory of the given one, outside of its graph."""
    if data is None:
        import numpy as np

        return wrap(memory.from_array(np.zeros(0, np.float32)))
    if not isinstance(data, _Plain):
        raise TypeError(f"a parameter is made of a tensor, not of {type(data).__name__}")
    return outside(data if isinstance(data, Tensor) else from_mindspore(data))


class Parameter(Tensor):
    """A tensor whose gradient is wanted, and that a module it is assigned to lists."""

    def __new__(cls, data: Any = None, requires_grad: bool = True) -> Any:
        made = _leaf(data)
        made.__class__ = cls
        return made.requires_grad_() if requires_grad else made

    def __repr__(self) -> str:
        return "Parameter containing:\n" + Tensor.__repr__(self)

    __str__ = __repr__

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        if id(self) in memo:
            return memo[id(self)]
        made = type(self)(wrap(memory.copied(self)), in_graph(self))
        memo[id(self)] = made
        if self.grad is not None:
            made.grad = wrap(memory.copied(self.grad))
        return made


class Buffer(Tensor):
    """A tensor that belongs to a module's state and is not learnt; `persistent` says whether it is saved."""

    def __new__(cls, data: Any = None, *, persistent: bool = True) -> Any:
        made = _leaf(data)
        made.__class__ = cls
        made.persistent = persistent
        return made


def is_parameter(value: object) -> bool:
    return isinstance(value, (Parameter, mindspore.Parameter))
