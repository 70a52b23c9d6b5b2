"""Pools: the greatest value or the mean of each window, with windows of one size or with as many windows as asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.errors import UnsupportedArgument
from ..tensor import dtypes
from . import windows
from .computing import computed, fractions, keeps, kind_of, tensor_argument
from .convolutions import sizes
from .windows import Grid


def _grid(call: str, input: Any, rank: int, kernel: Any, stride: Any, padding: Any, dilation: Any, up: bool) -> Grid:
    """Where the windows lie. One that only partly lies over the image counts if `up` says so."""
    size, far = sizes(call, "kernel_size", kernel, rank), sizes(call, "dilation", dilation, rank)
    steps = (
        size
        if stride is None or (isinstance(stride, (tuple, list)) and not stride)
        else sizes(call, "stride", stride, rank)
    )
    both = sizes(call, "padding", padding, rank)
    if any(each <= 0 for each in (*size, *steps, *far)):
        raise RuntimeError(f"{call}: kernel size, stride and dilation should be greater than zero")
    for pad, length, d in zip(both, size, far, strict=True):
        if pad < 0:
            raise RuntimeError(f"pad must be non-negative, but got pad: {pad}")
        if 2 * pad > (length - 1) * d + 1:
            raise RuntimeError(
                f"pad should be at most half of effective kernel size, but got pad={pad}, kernel_size={length}"
            )
    after = []
    for n, k, s, d, p in zip(input.shape[-rank:], size, steps, far, both, strict=True):
        span = n + 2 * p - d * (k - 1) - 1
        count = (span + s - 1 if up else span) // s + 1
        if up and (count - 1) * s >= n + p:
            count -= 1
        if count <= 0:
            raise RuntimeError(f"Given input size {list(input.shape[-rank:])}, the output size of {call} is too small")
        after.append((count - 1) * s + d * (k - 1) + 1 - n - p)
    return Grid(size, steps, far, both, tuple(after))


def _checked(call: str, input: Any, rank: int, first: int | None = None) -> None:
    """Refuse other ranks, and dimensions without elements; `first` is the first one that needs some."""
    tensor_argument(call, "input", input)
    shape = tuple(input.shape)
    if call == "avg_pool2d" and not shape:
        raise IndexError("Dimension specified as -3 but tensor has no dimensions")
    if len(shape) not in (rank + 1, rank + 2):
        raise RuntimeError(f"{call}: Expected {rank + 1}D or {rank + 2}D input, but got input of size {list(shape)}")
    if any(not each for each in shape[-rank - 1 if first is None else first :]):
        raise RuntimeError(
            f"{call}: Expected input to have non-zero size for non-batch dimensions, but got {list(shape)}"
        )


def _cut(x: Any, grid: Grid, value: float) -> Any:
    """The widened image; where the last window ends before the image does, less of it."""
    end = tuple(slice(None, n + min(b, 0)) for n, b in zip(x.shape[-len(grid.kernel) :], grid.after, strict=True))
    return windows.padded(x[(..., *end)], grid._replace(after=tuple(max(each, 0) for each in grid.after)), value)


@keeps()
def _max_pool(x: Any, grid: Grid, rank: int) -> Any:
    """The greatest values, and where they are: their numbers among the elements of the image."""
    size = x.shape[-rank:]
    count = grid.fits(size)
    lowest = -np.inf if x.dtype.kind == "f" else np.iinfo(x.dtype).min
    wide = _cut(x, grid, lowest)
    best: Any = None
    at = np.zeros((), np.int64)
    for place, where in windows.steps(grid, count):
        number = _numbers(place, grid, count, size)
        part = wide[where]
        if best is None:
            best, at = part.copy(), np.broadcast_to(number, part.shape).copy()
            continue
        better = (part > best) | (part != part)
        valid = _inside(place, grid, count, size)
        if valid is not None:
            better |= (at < 0) & valid
            better &= valid
        np.copyto(best, part, where=better)
        np.copyto(at, np.broadcast_to(number, part.shape), where=better)

    def back(g: Any) -> Any:
        total = int(np.prod(size))
        rows = int(np.prod(x.shape[:-rank]))
        flat = at.reshape(rows, -1) + (np.arange(rows) * total)[:, None]
        found = np.bincount(flat.reshape(-1), np.ascontiguousarray(g).reshape(-1), rows * total)
        return (found.astype(g.dtype).reshape(x.shape),)

    return (best, at), back


def _numbers(place: Sequence[int], grid: Grid, count: Sequence[int], size: Sequence[int]) -> Any:
    """The numbers of the elements at one place of all windows; -1 outside of the image."""
    total = np.zeros((), np.int64)
    outside = np.zeros((), bool)
    for dim, (k, d, s, p, c, n) in enumerate(
        zip(place, grid.dilation, grid.stride, grid.before, count, size, strict=True)
    ):
        where = (np.arange(c) * s + k * d - p).reshape(-1, *(1,) * (len(size) - dim - 1))
        total = total * n + where
        outside = outside | (where < 0) | (where >= n)
    return np.where(outside, -1, total)


def _inside(place: Sequence[int], grid: Grid, count: Sequence[int], size: Sequence[int]) -> Any:
    """Where one place of a window lies over the image; None if it does everywhere."""
    if not any((*grid.before, *(max(each, 0) for each in grid.after))):
        return None
    return _numbers(place, grid, count, size) >= 0


def _max_pooled(
    call: str, rank: int, input: Any, kernel: Any, stride: Any, padding: Any, dilation: Any, up: bool, indices: bool
) -> Any:
    _checked(call, input, rank)
    if kind_of(input).kind in "bc":
        raise NotImplementedError(f"{call} is not implemented for {kind_of(input)}")
    grid = _grid(call, input, rank, kernel, stride, padding, dilation, up)
    found, at = computed(_max_pool, (input,), grid, rank)
    return (found, at) if indices else found


def max_pool1d(
    input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:  # fmt: skip
    """The greatest value of each window of sequences."""
    return _max_pooled("max_pool1d", 1, input, kernel_size, stride, padding, dilation, ceil_mode, return_indices)


def max_pool2d(
    input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:  # fmt: skip
    """The greatest value of each window of images."""
    return _max_pooled("max_pool2d", 2, input, kernel_size, stride, padding, dilation, ceil_mode, return_indices)


def max_pool3d(
    input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:  # fmt: skip
    """The greatest value of each window of volumes."""
    return _max_pooled("max_pool3d", 3, input, kernel_size, stride, padding, dilation, ceil_mode, return_indices)


def max_pool1d_with_indices(
    input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:  # fmt: skip
    """The greatest values and their places."""
    return max_pool1d(input, kernel_size, stride, padding, dilation, ceil_mode, True)


def max_pool2d_with_indices(
    input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:  # fmt: skip
    """The greatest values and their places."""
    return max_pool2d(input, kernel_size, stride, padding, dilation, ceil_mode, True)


def max_pool3d_with_indices(
    input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:  # fmt: skip
    """The greatest values and their places."""
    return max_pool3d(input, kernel_size, stride, padding, dilation, ceil_mode, True)


def _avg_pool(x: Any, grid: Grid, rank: int, divisor: Any) -> Any:
    size = x.shape[-rank:]
    count = grid.fits(size)
    wide = _cut(x, grid, 0)
    y: Any = None
    for _, where in windows.steps(grid, count):
        part = wide[where]
        if y is None:
            y = part.copy()
        else:
            y += part
    if y.dtype.kind == "f":
        y /= divisor
    else:
        by = np.asarray(divisor).astype(y.dtype)
        whole = y // by
        y = whole + ((whole * by != y) & ((y < 0) != (by < 0)))  # towards nought, as in C++

    def back(g: Any) -> Any:
        each = (g / divisor).astype(g.dtype)
        gradient = np.zeros(wide.shape, g.dtype)
        for _, where in windows.steps(grid, count):
            gradient[where] += each
        inner = gradient[windows.inner(grid, tuple(n + min(b, 0) for n, b in zip(size, grid.after, strict=True)))]
        if inner.shape == x.shape:
            return (np.ascontiguousarray(inner),)
        full = np.zeros(x.shape, g.dtype)
        full[tuple(map(slice, inner.shape))] = inner
        return (full,)

    return y, back


_avg_pool = keeps()(_avg_pool)


def _divisor(grid: Grid, size: Sequence[int], padding_counts: bool) -> Any:
    """How many elements count in each window: those of the image, or also those beside it, yet not beyond."""
    total: Any = 1
    for dim, (k, s, p, c, n) in enumerate(
        zip(grid.kernel, grid.stride, grid.before, grid.fits(size), size, strict=True)
    ):
        start = np.arange(c) * s - p
        end = np.minimum(start + k, n + p)
        length = end - start if padding_counts else np.minimum(end, n) - np.maximum(start, 0)
        total = total * length.reshape(-1, *(1,) * (len(size) - dim - 1))
    return total


def _avg_pooled(
    call: str, rank: int, input: Any, kernel: Any, stride: Any, padding: Any, up: bool, counts: bool, divisor: Any
) -> Any:
    _checked(call, input, rank)
    if kind_of(input).name != "int64":
        fractions(call, input)
    if divisor == 0:
        raise RuntimeError("divisor must be not zero")
    grid = _grid(call, input, rank, kernel, stride, padding, 1, up)
    by = _divisor(grid, tuple(input.shape[-rank:]), counts) if divisor is None else divisor
    inside = np.float64 if kind_of(input).itemsize == 8 else np.float32
    return computed(_avg_pool, (input,), grid, rank, np.asarray(by).astype(inside))


def avg_pool1d(
    input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Any:  # fmt: skip
    """The mean of each window of sequences."""
    return _avg_pooled("avg_pool1d", 1, input, kernel_size, stride, padding, ceil_mode, count_include_pad, None)


def avg_pool2d(
    input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
    count_include_pad: bool = True, divisor_override: int | None = None,
) -> Any:  # fmt: skip
    """The mean of each window of images."""
    return _avg_pooled(
        "avg_pool2d", 2, input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override
    )


def avg_pool3d(
    input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
    count_include_pad: bool = True, divisor_override: int | None = None,
) -> Any:  # fmt: skip
    """The mean of each window of volumes."""
    return _avg_pooled(
        "avg_pool3d", 3, input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override
    )


def parts_of(size: int, count: int) -> list[tuple[int, int]]:
    """A length in so many parts, which overlap where they do not come out even."""
    return [(n * size // count, -(-(n + 1) * size // count)) for n in range(count)]


@keeps()
def adaptive_mean(x: Any, count: tuple[int, ...]) -> Any:
    """The rule of means over parts, one dimension after the other."""
    rank = len(count)
    shapes = []
    y = x
    for dim, parts in enumerate(count):
        axis = y.ndim - rank + dim
        shapes.append(y.shape)
        y = _means(y, axis, parts)

    def back(g: Any) -> Any:
        for dim in reversed(range(rank)):
            g = _spread(g, g.ndim - rank + dim, shapes[dim])
        return (g,)

    return y, back


def _means(x: Any, axis: int, count: int) -> Any:
    if not count:
        return np.zeros((*x.shape[:axis], 0, *x.shape[axis + 1 :]), x.dtype)
    before = (slice(None),) * axis
    parts = [x[(*before, slice(*each))].mean(axis, keepdims=True) for each in parts_of(x.shape[axis], count)]
    return np.concatenate(parts, axis) if len(parts) > 1 else parts[0]


def _spread(g: Any, axis: int, shape: tuple[int, ...]) -> Any:
    found = np.zeros(shape, g.dtype)
    before = (slice(None),) * axis
    for number, (start, end) in enumerate(parts_of(shape[axis], g.shape[axis])):
        found[(*before, slice(start, end))] += g[(*before, slice(number, number + 1))] / (end - start)
    return found


def _outputs(call: str, input: Any, output_size: Any, rank: int) -> tuple[int, ...]:
    tensor_argument(call, "input", input)
    single = output_size is None or hasattr(output_size, "__index__")
    if rank > 1 and not single and input.ndim <= rank:
        raise ValueError(f"Input dimension should be at least {rank + 1}")
    _checked(call, input, rank, 1)
    given = (output_size,) * rank if single else tuple(output_size)
    if len(given) == 1:
        given *= rank
    if len(given) != rank:
        raise RuntimeError(f"{call}: output_size must be {rank} numbers, but got {list(given)}")
    found = tuple(n if each is None else int(each) for each, n in zip(given, input.shape[-rank:], strict=True))
    if any(each < 0 for each in found):
        raise RuntimeError(f"{call}: elements of output_size must be greater than or equal to 0, but got {list(found)}")
    return found


def _adaptive_avg(call: str, rank: int, input: Any, output_size: Any) -> Any:
    count = _outputs(call, input, output_size, rank)
    if not input.numel() and kind_of(input).kind != "f":
        return input.new_zeros((*input.shape[:-rank], *count))
    if kind_of(input).kind != "c" or any(each != 1 for each in count):  # one window is a mean, of complex numbers too
        fractions(call, input)
    return computed(adaptive_mean, (input,), count)


def adaptive_avg_pool1d(input: Any, output_size: Any) -> Any:
    """The means of so many windows of sequences."""
    return _adaptive_avg("adaptive_avg_pool1d", 1, input, output_size)


def adaptive_avg_pool2d(input: Any, output_size: Any) -> Any:
    """The means of so many windows of images."""
    return _adaptive_avg("adaptive_avg_pool2d", 2, input, output_size)


def adaptive_avg_pool3d(input: Any, output_size: Any) -> Any:
    """The means of so many windows of volumes."""
    return _adaptive_avg("adaptive_avg_pool3d", 3, input, output_size)


@keeps()
def _adaptive_max(x: Any, count: tuple[int, ...]) -> Any:
    rank = len(count)
    size = x.shape[-rank:]
    y, at = x, np.broadcast_to(np.arange(int(np.prod(size))).reshape(size), x.shape)
    for dim in reversed(range(rank)):
        y, at = _greatest_parts(y, at, x.ndim - rank + dim, count[dim])

    def back(g: Any) -> Any:
        rows, total = int(np.prod(x.shape[:-rank])), int(np.prod(size))
        flat = at.reshape(rows, -1) + (np.arange(rows) * total)[:, None]
        found = np.bincount(flat.reshape(-1), np.ascontiguousarray(g).reshape(-1), rows * total)
        return (found.astype(g.dtype).reshape(x.shape),)

    return (y, at), back


def _greatest_parts(x: Any, at: Any, axis: int, count: int) -> tuple[Any, Any]:
    """The greatest elements of so many parts of a dimension, and the numbers of these elements; nan is greater."""
    before = (slice(None),) * axis
    found = []
    for start, end in parts_of(x.shape[axis], count):
        part, numbers = (each[(*before, slice(start, end))] for each in (x, at))
        best = part.argmax(axis, keepdims=True)
        blank = part != part
        if blank.any():  # the last one of them
            last = end - start - 1 - np.flip(blank, axis).argmax(axis, keepdims=True)
            best = np.where(blank.any(axis, keepdims=True), last, best)
        found.append([np.take_along_axis(each, best, axis) for each in (part, numbers)])
    if not found:
        return x[(*before, slice(0, 0))], at[(*before, slice(0, 0))]
    values, numbers = (np.concatenate(each, axis) for each in zip(*found, strict=True))
    return values, numbers


def _adaptive_maxed(call: str, rank: int, input: Any, output_size: Any, indices: bool) -> Any:
    count = _outputs(call, input, output_size, rank)
    if not input.numel() and kind_of(input).kind != "f":
        shape = (*input.shape[:-rank], *count)
        blank = input.new_zeros(shape)
        return (blank, input.new_zeros(shape, dtype=dtypes.int64)) if indices else blank
    fractions(call, input)
    found, at = computed(_adaptive_max, (input,), count)
    return (found, at) if indices else found


def adaptive_max_pool1d(input: Any, output_size: Any, return_indices: bool = False) -> Any:
    """The greatest values of so many windows of sequences."""
    return _adaptive_maxed("adaptive_max_pool1d", 1, input, output_size, return_indices)


def adaptive_max_pool2d(input: Any, output_size: Any, return_indices: bool = False) -> Any:
    """The greatest values of so many windows of images."""
    return _adaptive_maxed("adaptive_max_pool2d", 2, input, output_size, return_indices)


def adaptive_max_pool3d(input: Any, output_size: Any, return_indices: bool = False) -> Any:
    """The greatest values of so many windows of volumes."""
    return _adaptive_maxed("adaptive_max_pool3d", 3, input, output_size, return_indices)


def adaptive_max_pool1d_with_indices(input: Any, output_size: Any, return_indices: bool = False) -> Any:
    """The greatest values of so many windows and their places."""
    return adaptive_max_pool1d(input, output_size, True)


def adaptive_max_pool2d_with_indices(input: Any, output_size: Any, return_indices: bool = False) -> Any:
    """The greatest values of so many windows and their places."""
    return adaptive_max_pool2d(input, output_size, True)


def adaptive_max_pool3d_with_indices(input: Any, output_size: Any, return_indices: bool = False) -> Any:
    """The greatest values of so many windows and their places."""
    return adaptive_max_pool3d(input, output_size, True)


@keeps()
def _unpool(x: Any, at: Any, size: tuple[int, ...]) -> Any:
    rank = len(size)
    rows, total = int(np.prod(x.shape[:-rank])), int(np.prod(size))
    places = at.reshape(rows, int(np.prod(at.shape[-rank:])))
    y = np.zeros((rows, total), x.dtype)
    np.put_along_axis(y, places, x.reshape(places.shape), 1)
    return y.reshape(*x.shape[:-rank], *size), lambda g: (
        np.take_along_axis(g.reshape(rows, total), places, 1).reshape(x.shape),
    )


def _unpooled(call: str, rank: int, input: Any, indices: Any, kernel: Any, stride: Any, padding: Any, size: Any) -> Any:
    tensor_argument(call, "input", input)
    tensor_argument(call, "indices", indices)
    if kind_of(indices).name != "int64":
        raise RuntimeError(f"elements in indices should be type int64 but got: {kind_of(indices)}")
    length = sizes(call, "kernel_size", kernel, rank)
    steps = length if stride is None else sizes(call, "stride", stride, rank)
    both = sizes(call, "padding", padding, rank)
    usual = tuple((n - 1) * s + k - 2 * p for n, s, k, p in zip(input.shape[-rank:], steps, length, both, strict=True))
    if size is not None:
        given = tuple(size)[-rank:] if len(size) == rank + 2 else tuple(size)
        if len(given) != rank:
            raise ValueError(
                f"output_size should be a sequence containing {rank} or {rank + 2} elements, but it has a length of "
                f"'{len(size)}'"
            )
        for each, least, step in zip(given, usual, steps, strict=True):
            if not least - step < each < least + step:
                raise ValueError(f'invalid output_size "{list(given)}" (dim 0 must be near {list(usual)})')
        usual = given
    if tuple(indices.shape) != tuple(input.shape):
        raise RuntimeError(f"Expected shape of indices to be same as that of the input tensor ({list(input.shape)})")
    at = np.array(indices.numpy())
    if at.size and (at.min() < 0 or at.max() >= int(np.prod(usual))):
        raise RuntimeError(f"Found an invalid max index: {int(at.max())} (output volumes are of size {list(usual)})")
    return computed(_unpool, (input,), at, usual)


def max_unpool1d(
    input: Any, indices: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None
) -> Any:
    """The greatest values of sequences put back where they were."""
    return _unpooled("max_unpool1d", 1, input, indices, kernel_size, stride, padding, output_size)


def max_unpool2d(
    input: Any, indices: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None
) -> Any:
    """The greatest values of images put back where they were."""
    return _unpooled("max_unpool2d", 2, input, indices, kernel_size, stride, padding, output_size)


def max_unpool3d(
    input: Any, indices: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None
) -> Any:
    """The greatest values of volumes put back where they were."""
    return _unpooled("max_unpool3d", 3, input, indices, kernel_size, stride, padding, output_size)


def _power_mean(x: Any, grid: Grid, rank: int, p: float) -> Any:
    """The rule of power means, which are of no use for negative numbers unless the power is even."""
    count = int(np.prod(grid.kernel))
    size = x.shape[-rank:]
    mean, back_to_powers = _avg_pool(x**p, grid, rank, np.asarray(_divisor(grid, size, True)).astype(x.dtype))
    base = np.sign(mean) * np.maximum(np.abs(mean), 0) * count

    def back(g: Any) -> Any:
        given = g * (base ** (1 / p - 1) / p) * count * np.sign(mean) * (np.abs(mean) > 0) * np.sign(mean)
        return (back_to_powers(given)[0] * p * x ** (p - 1),)

    return _root_of(base, p), back


def _root_of(base: Any, p: float) -> Any:
    """A root with the exponent in all its digits: one of 32 bits leaves few of them to a great number."""
    return (base.astype(np.float64) ** (1 / p)).astype(base.dtype)


def _composed_power_pool(call: str, rank: int, powers: Any, p: float, kernel: Any, stride: Any, up: bool) -> Any:
    """The power mean of whole numbers, by operations on tensors: their powers are averaged in their own dtype."""
    mean = _avg_pooled(call, rank, powers, kernel, stride, 0, up, True, None)
    count = int(np.prod(sizes(call, "kernel_size", kernel, rank)))
    base = (mean.sign() * mean.abs()) * count
    kind = base.dtype if base.is_floating_point() else dtypes.default()
    return computed(_root, (base.to(kind),), p)


@keeps()
def _root(base: Any, p: float) -> Any:
    """A root of what no gradient is wanted for: the powers of whole numbers."""
    return _root_of(base, p), lambda g: (None,)


def _power_pooled(call: str, rank: int, input: Any, norm_type: float, kernel: Any, stride: Any, up: bool) -> Any:
    tensor_argument(call, "input", input)
    if rank == 2 and not input.ndim:
        raise IndexError("Dimension specified as -3 but tensor has no dimensions")
    powers = input if kind_of(input).kind == "f" else input**norm_type
    if kind_of(powers).name == "int64" or (powers is not input and kind_of(powers).name == "float32" and not norm_type):
        return _composed_power_pool(call, rank, powers, norm_type, kernel, stride, up)
    input = input.to(kind_of(powers))
    fractions(call, input)
    _checked(call, input, rank)
    if norm_type == 0:
        raise UnsupportedArgument(f"{call}: norm_type must not be 0.")
    return computed(_power_mean, (input,), _grid(call, input, rank, kernel, stride, 0, 1, up), rank, float(norm_type))


def lp_pool1d(input: Any, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False) -> Any:
    """The power mean of each window of sequences."""
    return _power_pooled("lp_pool1d", 1, input, norm_type, kernel_size, stride, ceil_mode)


def lp_pool2d(input: Any, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False) -> Any:
    """The power mean of each window of images."""
    return _power_pooled("lp_pool2d", 2, input, norm_type, kernel_size, stride, ceil_mode)


def lp_pool3d(input: Any, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False) -> Any:
    """The power mean of each window of volumes."""
    return _power_pooled("lp_pool3d", 3, input, norm_type, kernel_size, stride, ceil_mode)
