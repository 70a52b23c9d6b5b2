"""The methods that look at a tensor's memory in another way: views, none of which copies unless torch does."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..autograd.modes import record
from ..core.framework import dtypes as types
from ..core.framework import mindspore
from ..core.private import detach, in_graph, is_enabled
from . import dtypes, memory
from .base import attach
from .creating import wrap
from .kernels import filled
from .size import Size, called_with, wrapped
from .steps import embedded
from .strides import completed, restrided
from .views import one_of_several, seen, strided

_Plain = mindspore.Tensor
_mint: Any = mindspore.mint
_shape = mindspore.Tensor.shape.__get__
_dtype = mindspore.Tensor._dtype.__get__
_ndim = mindspore.Tensor.ndim.__get__
_stride = mindspore.Tensor.stride
_is_contiguous = mindspore.Tensor.is_contiguous
_view = mindspore.Tensor.view
_reshape = mindspore.Tensor.reshape
_size = mindspore.Tensor.size.__get__
_getitem = mindspore.Tensor.__getitem__


def view(self: Any, *size: Any, dtype: Any = None) -> Any:
    """The same memory in another shape, refused where that needs a copy; or as numbers of another dtype."""
    if dtype is not None or (len(size) == 1 and isinstance(size[0], types.Type)):
        return _viewed_as(self, dtypes.of(size[0] if dtype is None else dtype))
    if not size:
        raise TypeError("view() needs a shape or a dtype")
    found = _looked_at(self, completed(called_with(size), _size(self)))
    if found is None:
        raise RuntimeError(
            "view size is not compatible with input tensor's size and stride (at least one dimension spans across two "
            "contiguous subspaces). Use .reshape(...) instead."
        )
    return found


def _looked_at(self: Any, shape: tuple[int, ...]) -> Any:
    record()
    if _is_contiguous(self):
        return seen(self, lambda tensor: _view(tensor, shape))
    strides = restrided(tuple(_shape(self)), tuple(_stride(self)), shape)
    return None if strides is None else strided(self, shape, strides, lambda tensor: _reshape(tensor, shape))


def _viewed_as(self: Any, dtype: Any) -> Any:
    """The bits of the same memory as numbers of another dtype; the last dimension has as many more as they are
    smaller."""
    own = dtypes.of(_dtype(self))
    if in_graph(self) and own != dtype:
        raise RuntimeError("a view of another dtype has no gradient: detach the tensor first")
    if dtype.itemsize == own.itemsize:
        return seen(self, lambda tensor: _view(tensor, dtype))
    if not _ndim(self):
        raise RuntimeError(f"self.dim() cannot be 0 to view {own} as {dtype} (different element sizes)")
    if _stride(self)[-1] != 1:
        raise RuntimeError(f"self.stride(-1) must be 1 to view {own} as {dtype} (different element sizes)")
    if _shape(self)[-1] * own.itemsize % dtype.itemsize:
        raise RuntimeError(
            f"self.size(-1) must be divisible by {dtype.itemsize // own.itemsize} to view {own} as {dtype} "
            f"(different element sizes), but got {_shape(self)[-1]}"
        )
    return seen(self, lambda tensor: _as_bits(tensor, own, dtype))


def _as_bits(tensor: Any, own: Any, dtype: Any) -> Any:
    """The memory of a tensor as numbers of another size, looked at from the first element on."""
    shape, steps = tuple(_shape(tensor)), tuple(_stride(tensor))
    size = (*shape[:-1], shape[-1] * own.itemsize // dtype.itemsize)
    kind = dtypes.NUMPY.get(dtype, memory.BITS)
    if 0 in shape:
        return memory.from_array(np.empty(size, kind), dtype)
    extent = 1 + sum((length - 1) * step for length, step in zip(shape, steps, strict=True))
    whole = np.lib.stride_tricks.as_strided(memory.array(tensor), (extent,), (own.itemsize,))
    known = extent * own.itemsize // dtype.itemsize * dtype.itemsize // own.itemsize
    flat = memory.from_array(whole[:known].view(kind), dtype)
    stride = (*(step * own.itemsize // dtype.itemsize for step in steps[:-1]), 1)
    return memory.strided(flat, size, stride, 0)


def reshape(self: Any, *shape: Any) -> Any:
    """Another shape: a view where that is possible, else a copy."""
    wanted = completed(called_with(shape), _size(self))
    found = _looked_at(self, wanted)
    return wrap(_reshape(self, wanted)) if found is None else found


def flatten(self: Any, start_dim: int = 0, end_dim: int = -1) -> Any:
    shape = tuple(_shape(self))
    start, end = wrapped(start_dim, len(shape)), wrapped(end_dim, len(shape))
    if not shape:
        return reshape(self, 1)
    if start > end:
        raise RuntimeError("flatten() has invalid args: start_dim cannot come after end_dim")
    if start == end:
        return self
    count = 1
    for length in shape[start : end + 1]:
        count *= length
    return reshape(self, (*shape[:start], count, *shape[end + 1 :]))


def unflatten(self: Any, dim: int, sizes: Any) -> Any:
    shape = tuple(_shape(self))
    place = wrapped(dim, len(shape))
    if not shape:
        raise RuntimeError("unflatten: a tensor without dimensions has none to unfold")
    return view(self, (*shape[:place], *completed(tuple(sizes), shape[place]), *shape[place + 1 :]))


def transpose(self: Any, dim0: int, dim1: int) -> Any:
    record()
    rank = _ndim(self)
    one, other = wrapped(dim0, rank), wrapped(dim1, rank)
    if one == other:
        return seen(self, lambda tensor: same(tensor))
    return seen(self, lambda tensor: _mint.transpose(tensor, one, other))


def same(tensor: Any) -> Any:
    return (
        _view(tensor, _shape(tensor)) if _is_contiguous(tensor) else _mint.permute(tensor, tuple(range(_ndim(tensor))))
    )


def permute(self: Any, *dims: Any) -> Any:
    record()
    asked = called_with(dims)
    if len(asked) != _ndim(self):
        raise RuntimeError(f"permute(): {len(asked)} dimensions do not order those of a tensor of {_ndim(self)}")
    order = tuple(wrapped(each, _ndim(self)) for each in asked)
    if sorted(order) != list(range(_ndim(self))):
        raise RuntimeError(f"permute(): the dimensions {list(order)} are not those of a tensor of {_ndim(self)}")
    return seen(self, lambda tensor: _mint.permute(tensor, order)) if order else seen(self, same)


def movedim(self: Any, source: Any, destination: Any) -> Any:
    """Dimensions at other places; the rest stay in order."""
    rank = _ndim(self)
    froms = [wrapped(each, rank) for each in ([source] if isinstance(source, int) else source)]
    tos = [wrapped(each, rank) for each in ([destination] if isinstance(destination, int) else destination)]
    order = [each for each in range(rank) if each not in froms]
    for place, dim in sorted(zip(tos, froms, strict=True)):
        order.insert(place, dim)
    return permute(self, order)


def t(self: Any) -> Any:
    if _ndim(self) > 2:
        raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {_ndim(self)}D")
    return transpose(self, 0, 1) if _ndim(self) == 2 else seen(self, same)


def unsqueeze(self: Any, dim: int) -> Any:
    record()
    place = wrapped(dim, _ndim(self) + 1)
    return seen(self, lambda tensor: _mint.unsqueeze(tensor, place))


def squeeze(self: Any, *dim: Any) -> Any:
    """Without dimensions of length one: all of them, or those that are named."""
    record()
    shape = tuple(_shape(self))
    asked = called_with(dim) if dim and dim != (None,) else range(len(shape))
    gone = {wrapped(each, len(shape)) for each in asked}
    left = tuple(length for place, length in enumerate(shape) if place not in gone or length != 1)
    return _looked_at(self, left)


def expand(self: Any, *size: Any, implicit: bool = False) -> Any:
    """Dimensions of length one repeated, without a copy; -1 leaves a dimension as it is."""
    record()
    shape = tuple(_shape(self))
    asked = called_with(size)
    missing = len(asked) - len(shape)
    if missing < 0:
        raise RuntimeError(
            f"expand({list(asked)}): the number of sizes provided ({len(asked)}) must be greater or equal to the "
            f"number of dimensions in the tensor ({len(shape)})"
        )
    wanted = []
    for place, length in enumerate(asked):
        own = shape[place - missing] if place >= missing else None
        if length == -1 and own is None:
            raise RuntimeError("expand: -1 stands for the length of a dimension that the tensor does not have")
        wanted.append(own if length == -1 else length)
        if own not in (None, 1) and wanted[-1] != own:
            raise RuntimeError(
                f"The expanded size of the tensor ({length}) must match the existing size ({own}) at non-singleton "
                f"dimension {place}."
            )
    target = tuple(int(each) for each in wanted if each is not None)
    if target == shape:
        return seen(self, same)
    return seen(self, lambda tensor: mindspore.ops.broadcast_to(tensor, target))


def narrow(self: Any, dim: int, start: Any, length: int) -> Any:
    """A part of a dimension."""
    record()
    if not _ndim(self):
        raise RuntimeError("narrow() cannot be applied to a 0-dim tensor.")
    place, begin, count = wrapped(dim, _ndim(self)), int(start), int(length)
    whole = _shape(self)[place]
    begin = begin + whole if begin < 0 else begin
    if count < 0 or not 0 <= begin <= whole or begin + count > whole:
        raise RuntimeError(f"start ({int(start)}) + length ({count}) exceeds dimension size ({whole}).")
    if not count:
        return _emptied(self, place)
    return seen(self, lambda tensor: _mint.narrow(tensor, place, begin, count))


def _emptied(self: Any, place: int) -> Any:
    """No slice of a dimension: MindSpore's backward of one reads out of bounds."""
    size = tuple(0 if dim == place else length for dim, length in enumerate(_shape(self)))

    def look(tensor: Any) -> Any:
        return embedded(tensor, filled(size, 0, _dtype(tensor)), lambda numbers: numbers[..., :0].reshape(-1))

    return seen(self, look)


def stepped(self: Any, dim: int, step: int) -> Any:
    """Every so manyth slice of a dimension. MindSpore's backward of it reads out of bounds for some lengths."""
    index = (*(slice(None),) * dim, slice(None, None, step))
    steps = tuple(each * step if place == dim else each for place, each in enumerate(_stride(self)))
    size = tuple(-(-each // step) if place == dim else each for place, each in enumerate(_shape(self)))

    def graph(tensor: Any) -> Any:
        return embedded(tensor, _getitem(detach(tensor), index), lambda numbers: numbers[index])

    return strided(self, size, steps, graph) if size[dim] else self


def select(self: Any, dim: int, index: Any) -> Any:
    """One slice of a dimension, which goes away."""
    record()
    place, number = wrapped(dim, _ndim(self)), int(index)
    if not _ndim(self):
        raise IndexError("select() cannot be applied to a 0-dim tensor.")
    length = _shape(self)[place]
    if not -length <= number < length:
        raise IndexError(f"index {number} is out of bounds for dimension {place} with size {length}")
    before = (slice(None),) * place
    if 0 in _shape(self):
        return _slice_of_nothing(self, place)
    return seen(self, lambda tensor: _getitem(tensor, (*before, number % length)))


def _slice_of_nothing(self: Any, place: int) -> Any:
    """A slice of a tensor without elements: MindSpore's backward of one raises."""
    size = tuple(length for dim, length in enumerate(_shape(self)) if dim != place)
    return seen(self, lambda tensor: embedded(tensor, filled(size, 0, _dtype(tensor)), lambda numbers: numbers.ravel()))


def unbind(self: Any, dim: int = 0) -> tuple[Any, ...]:
    """Every slice of a dimension. MindSpore's own has no backward on a CPU."""
    place = wrapped(dim, _ndim(self))
    return one_of_several(tuple(select(self, place, number) for number in range(_shape(self)[place])))


def split(self: Any, split_size: Any, dim: int = 0) -> tuple[Any, ...]:
    """Parts of a dimension, of one length or of several."""
    if not _ndim(self):
        raise RuntimeError("split expects at least a 1-dimensional tensor")
    place = wrapped(dim, _ndim(self))
    whole = _shape(self)[place]
    if isinstance(split_size, int):
        size = split_size
        if size < 0 or (size == 0 and whole):
            raise RuntimeError(f"split expects split_size to be non-negative and not 0, but got split_size={size}")
        lengths = [min(size, whole - begin) for begin in range(0, whole, size)] if whole else [0]
    else:
        lengths = [int(each) for each in split_size]
        if sum(lengths) != whole:
            raise RuntimeError(
                f"split_with_sizes expects split_sizes to sum exactly to {whole} (input tensor's size at dimension "
                f"{place}), but got split_sizes={lengths}"
            )
    begins = [sum(lengths[:number]) for number in range(len(lengths))]
    return one_of_several(
        tuple(narrow(self, place, begin, length) for begin, length in zip(begins, lengths, strict=True))
    )


def chunk(self: Any, chunks: int, dim: int = 0) -> tuple[Any, ...]:
    if not _ndim(self):
        raise RuntimeError("chunk expects at least a 1-dimensional tensor")
    if chunks < 1:
        raise RuntimeError("chunk expects `chunks` to be greater than 0, got: " + str(chunks))
    whole = _shape(self)[wrapped(dim, _ndim(self))]
    size = -(-whole // chunks)
    return split(self, size or [0] * chunks, dim)


def diagonal(self: Any, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    """The elements whose two indices are equal, or differ by an offset, as the last dimension."""
    rank = _ndim(self)
    one, other = wrapped(dim1, rank), wrapped(dim2, rank)
    if one == other:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    moved = _moved(self, one, other, offset)
    shape, steps = tuple(_shape(moved)), tuple(_stride(moved))
    rest = [each for each in range(rank) if each not in (one, other)]
    size = (*(shape[each] for each in rest), min(shape[one], shape[other]))
    stride = (*(steps[each] for each in rest), steps[one] + steps[other])

    def graph(tensor: Any) -> Any:
        part = mindspore.ops.diagonal(detach(tensor), 0, one, other)
        return embedded(tensor, part, lambda numbers: numbers.diagonal(0, one, other))

    return strided(moved, size, stride, graph)


def _moved(self: Any, one: int, other: int, offset: int) -> Any:
    """The part of a tensor whose main diagonal is the one asked for."""
    shape = _shape(self)
    if offset > 0:
        return narrow(self, other, min(offset, shape[other]), max(shape[other] - offset, 0))
    return narrow(self, one, min(-offset, shape[one]), max(shape[one] + offset, 0)) if offset < 0 else self


def contiguous(self: Any, memory_format: Any = None) -> Any:
    """The tensor itself if its elements lie one after the other, else a copy that is so."""
    record()
    return self if _is_contiguous(self) else wrap(_Plain.contiguous(self))


def clone(self: Any, *, memory_format: Any = None) -> Any:
    """The same values in new memory."""
    record()
    if is_enabled() and in_graph(self):
        return wrap(_Plain.__mul__(self, 1))
    return wrap(memory.copied(self))


def _reversed(self: Any) -> Any:
    return permute(self, tuple(range(_ndim(self) - 1, -1, -1)))


def _last_two(self: Any) -> Any:
    if not _ndim(self):
        return seen(self, same)
    if _ndim(self) < 2:
        raise RuntimeError(
            f"tensor.mT is only supported on matrices or batches of matrices. Got {_ndim(self)}-D tensor."
        )
    return transpose(self, -2, -1)


def _as(name: str, look: Any) -> Any:
    """The method that takes a shape from another tensor."""

    def method(self: Any, other: Any) -> Any:
        if not isinstance(other, _Plain):
            raise TypeError(f"{name}(): argument 'other' must be Tensor, not {type(other).__name__}")
        return look(self, _shape(other))

    return method


METHODS = {
    function.__name__: function
    for function in (
        view, reshape, flatten, unflatten, transpose, permute, movedim, t, unsqueeze, squeeze, expand, narrow, select,
        unbind, split, chunk, diagonal, contiguous, clone,
    )
}  # fmt: skip
METHODS |= {
    "swapaxes": transpose,
    "swapdims": transpose,
    "moveaxis": movedim,
    "ravel": lambda self: contiguous(flatten(self)),
    "view_as": _as("view_as", view),
    "reshape_as": _as("reshape_as", reshape),
    "expand_as": _as("expand_as", expand),
    "split_with_sizes": split,
    "stride": lambda self, dim=None: tuple(_stride(self)) if dim is None else _stride(self)[wrapped(dim, _ndim(self))],
    "data_ptr": _Plain._data_ptr,
}

for _name, _function in METHODS.items():
    attach(_name, _function)
attach("T", property(_reversed))
attach("mT", property(_last_two))
attach("shape", property(lambda self: Size(_shape(self))))
