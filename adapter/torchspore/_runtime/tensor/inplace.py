"""The methods that change a tensor. Each is made of a function that computes the new values; they are brought to the
tensor's shape and dtype as torch allows, and written.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core.framework import mindspore
from ..core.private import detach, in_graph, is_enabled, is_leaf
from . import dtypes, memory
from .arithmetic import FUNCTIONS, OPERATORS
from .base import attach
from .kernels import broadcast, cast, filled
from .promotion import can_cast
from .writing import snapshot, writable, write

_Plain = mindspore.Tensor
_shape = mindspore.Tensor.shape.__get__
_dtype = mindspore.Tensor._dtype.__get__


def fitted(value: Any, tensor: Any, shape: tuple[int, ...]) -> Any:
    """A value in the dtype of a tensor and in a shape, for an assignment: any dtype is converted."""
    kind = dtypes.of(_dtype(tensor))
    if not isinstance(value, _Plain):
        if not isinstance(value, (bool, int, float, complex)):
            import numpy as np

            value = memory.from_array(np.array(value))
        else:
            return filled(shape, value, kind)
    if in_graph(value) and not is_enabled():
        value = detach(value)
    own = tuple(_shape(value))
    while len(own) > len(shape) and own[0] == 1:
        own = own[1:]
        value = mindspore.ops.reshape(value, own)
    if len(own) > len(shape) or any(n not in (1, m) for n, m in zip(reversed(own), reversed(shape), strict=False)):
        raise RuntimeError(
            f"shape mismatch: value tensor of shape {list(_shape(value))} cannot be broadcast to indexing result of "
            f"shape {list(shape)}"
        )
    if kind.kind != "c" and dtypes.of(_dtype(value)).kind == "c":
        raise RuntimeError("complex numbers cannot be written into a tensor of real ones: their imaginary part is lost")
    return broadcast(cast(value, kind), shape)


def changes(function: Callable[..., Any]) -> Callable[..., Any]:
    """The method that writes what a function computes into its first argument."""

    def method(self: Any, *arguments: Any, **keywords: Any) -> Any:
        others = any(isinstance(each, _Plain) and in_graph(each) for each in (*arguments, *keywords.values()))
        writable(self, others)
        found = function(snapshot(self, others), *arguments, **keywords)
        kind, result = dtypes.of(_dtype(self)), dtypes.of(_dtype(found))
        if kind is not result:
            if not can_cast(result, kind):
                raise RuntimeError(f"result type {result} can't be cast to the desired output type {kind}")
            found = cast(found, kind)
        if tuple(_shape(found)) != tuple(_shape(self)):
            raise RuntimeError(
                f"output with shape {list(_shape(self))} doesn't match the broadcast shape {list(_shape(found))}"
            )
        return write(self, found)

    method.__name__ = method.__qualname__ = f"{function.__name__}_"
    return method


def copy_(self: Any, other: Any, non_blocking: bool = False) -> Any:
    """Write the values of another tensor."""
    if not isinstance(other, _Plain):
        raise TypeError(f"copy_(): argument 'other' (position 1) must be Tensor, not {type(other).__name__}")
    shape = tuple(_shape(self))
    try:
        values = fitted(other, self, shape)
    except RuntimeError as unfit:
        if "shape" not in str(unfit):
            raise
        raise RuntimeError(
            f"The size of tensor a {list(shape)} must match the size of tensor b {list(_shape(other))}"
        ) from None
    return write(self, values, replaces=True)


def fill_(self: Any, value: Any) -> Any:
    """Write one value everywhere."""
    if not isinstance(value, (_Plain, bool, int, float, complex)) and not hasattr(value, "item"):
        raise TypeError(f"fill_(): argument 'value' must be a number or a Tensor, not {type(value).__name__}")
    if isinstance(value, _Plain) and len(_shape(value)):
        raise RuntimeError(f"fill_ only supports 0-dimension value tensor but got tensor with {len(_shape(value))}")
    return write(self, fitted(value, self, tuple(_shape(self))), replaces=True)


def zero_(self: Any) -> Any:
    return fill_(self, 0)


def detach_(self: Any) -> Any:
    """Take a tensor out of the graph."""
    if "_path" in self.__dict__:
        raise RuntimeError("Can't detach views in-place. Use detach() instead.")
    if not is_leaf(self):
        from ..core.private import become

        become(self, detach(self))
    return self


def attach_inplace(name: str, function: Callable[..., Any]) -> None:
    """Give the class the method `name_` that writes what a function computes."""
    method = changes(function)
    method.__name__ = method.__qualname__ = f"{name}_"
    attach(f"{name}_", method)


NOT_IN_PLACE = {
    "matmul", "maximum", "minimum", "isnan", "isinf", "isfinite", "eq", "ne", "lt", "le", "gt", "ge",
}  # fmt: skip

for _name, _function in FUNCTIONS.items():
    if _name not in NOT_IN_PLACE:
        attach_inplace(_name, _function)
for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    attach_inplace(_name, lambda self, other, _f=FUNCTIONS[_name]: cast(_f(self, other), _dtype(self)))
for _name, _function in OPERATORS.items():
    if _name != "matmul":
        attach(f"__i{_name}__", changes(_function))
for _function in (copy_, fill_, zero_, detach_):
    attach(_function.__name__, _function)
