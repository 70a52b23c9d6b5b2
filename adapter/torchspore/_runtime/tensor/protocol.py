"""What Python asks of an object: truth, length, iteration, membership, conversion to numbers, copying, pickling; and
the tensor's numbers of dimensions and elements.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.framework import mindspore
from ..core.private import address_of, in_graph, is_leaf
from . import dtypes, memory
from .arithmetic import eq
from .base import Tensor, attach
from .conversion import item
from .creating import wrap
from .kernels import cast
from .shapes import unbind
from .shown import shown
from .size import CallableSize, Size

_Plain = mindspore.Tensor
_shape = mindspore.Tensor.shape.__get__
_ndim = mindspore.Tensor.ndim.__get__
_dtype = mindspore.Tensor._dtype.__get__
_size = mindspore.Tensor.size.__get__


def truth(self: Any) -> bool:
    if _size(self) != 1:
        many = "no values" if not _size(self) else "more than one value"
        raise RuntimeError(f"Boolean value of Tensor with {many} is ambiguous")
    return bool(item(self))


def length(self: Any) -> int:
    if not _ndim(self):
        raise TypeError("len() of a 0-d tensor")
    return int(_shape(self)[0])


def iterate(self: Any) -> Any:
    if not _ndim(self):
        raise TypeError("iteration over a 0-d tensor")
    return iter(unbind(self, 0))


def contains(self: Any, element: Any) -> bool:
    if isinstance(element, (_Plain, bool, int, float, complex)):
        return bool(memory.numpy_values(eq(self, element)).any())
    raise RuntimeError(
        f"Tensor.__contains__ only supports Tensor or scalar, but you passed in a {type(element).__name__}."
    )


def index(self: Any) -> int:
    if dtypes.of(_dtype(self)).kind not in "bui" or _size(self) != 1:
        raise TypeError("only integer tensors of a single element can be converted to an index")
    return int(item(self))


def formatted(self: Any, spec: str) -> str:
    return format(item(self), spec) if not _ndim(self) and type(self) is Tensor else object.__format__(self, spec)


def size_of(self: Any) -> Any:
    made = CallableSize(_size(self))
    made.shape = Size(_shape(self))
    return made


class SizeOf:
    """What `Tensor.size` is: of a tensor its number of elements and its shape in one, of the class a function."""

    def __get__(self, tensor: Any, kind: type) -> Any:
        return self if tensor is None else size_of(tensor)

    def __call__(self, tensor: Any, *dim: Any, **named: Any) -> Any:
        return size_of(tensor)(*dim, **named)


def deepcopied(self: Any, memo: dict[int, Any]) -> Any:
    """A copy with memory, gradient and the wish for one of its own."""
    if id(self) in memo:
        return memo[id(self)]
    if not is_leaf(self):
        raise RuntimeError(
            "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the moment."
        )
    made = wrap(memory.copied(self))
    made.__class__ = type(self)
    memo[id(self)] = made
    if in_graph(self):
        made.requires_grad_()
    gradient = self.grad
    if gradient is not None:
        made.grad = deepcopied(gradient, memo)
    return made


def rebuilt(kind: type, values: Any, dtype: str, requires_grad: bool) -> Any:
    """A tensor out of what was pickled."""
    made = wrap(memory.from_array(values, dtypes.named(dtype)))
    made.__class__ = kind
    return made.requires_grad_() if requires_grad else made


def reduced(self: Any, protocol: Any) -> Any:
    if not is_leaf(self):
        raise RuntimeError("Only leaves of the graph can be pickled: detach the tensor first.")
    values = np.array(memory.array(self) if memory.on_cpu() else memory.numpy_values(self), order="C")
    return rebuilt, (type(self), values, dtypes.of(_dtype(self)).name, in_graph(self))


def is_same_size(self: Any, other: Any) -> bool:
    return tuple(_shape(self)) == tuple(_shape(other))


def constructed(cls: type, *data: Any, device: Any = None) -> Any:
    """`Tensor(2, 3)` has a shape, `Tensor([2, 3])` has elements; both are of the default dtype."""
    kind = dtypes.NUMPY[dtypes.default()]
    if len(data) == 1 and isinstance(data[0], _Plain):
        return data[0].detach()
    if len(data) == 1 and not isinstance(data[0], (int, Size)):
        made = wrap(memory.from_array(np.array(data[0], kind)))
    else:
        made = wrap(
            memory.from_array(np.zeros(data[0] if len(data) == 1 and isinstance(data[0], Size) else data, kind))
        )
    made.__class__ = cls
    return made


attach("__new__", staticmethod(constructed))
attach("__bool__", truth)
attach("__len__", length)
attach("__iter__", iterate)
attach("__contains__", contains)
attach("__index__", index)
attach("__int__", lambda self: int(item(self)))
attach("__float__", lambda self: float(item(self)))
attach("__complex__", lambda self: complex(item(self)))
attach("__format__", formatted)
attach("__repr__", shown)
attach("__str__", shown)
attach("__deepcopy__", deepcopied)
attach("__copy__", lambda self: self.detach().requires_grad_(in_graph(self)))
attach("__reduce_ex__", reduced)
attach("__round__", lambda self, digits=0: self.round() if not digits else (self * 10**digits).round() / 10**digits)
attach("size", SizeOf())
attach("dim", lambda self: _ndim(self))
attach("ndimension", lambda self: _ndim(self))
attach("numel", lambda self: _size(self))
attach("nelement", lambda self: _size(self))
attach("is_same_size", is_same_size)
attach("is_set_to", lambda self, other: address_of(self) == address_of(other) and is_same_size(self, other))
for _name in ("is_cuda", "is_sparse", "is_quantized", "is_meta", "is_mps", "is_xpu", "is_mkldnn", "is_nested"):
    attach(_name, property(lambda self: False))

__all__ = ["cast", "rebuilt"]
