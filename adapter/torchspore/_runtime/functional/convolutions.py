"""Convolutions of one, two and three dimensions, and the transposed ones. In: images with or without a batch, weights
as torch lays them out. Out: images. Each is a product of the weights with the windows of the image.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from . import windows
from .computing import computed, keeps, kind_of, tensor_argument
from .windows import Grid


def sizes(call: str, name: str, value: Any, rank: int) -> tuple[int, ...]:
    """One number per dimension, out of one or several."""
    if isinstance(value, (int, np.integer)) or hasattr(value, "__index__"):
        return (int(value),) * rank
    found = tuple(int(each) for each in value)
    if len(found) == 1:
        found *= rank
    if len(found) != rank:
        raise RuntimeError(
            f"{call}: expected {name} to be a single integer value or a list of {rank} values, but got {list(found)}"
        )
    return found


def _matrix(weight: Any, groups: int) -> Any:
    return weight.reshape(groups, weight.shape[0] // groups, int(np.prod(weight.shape[1:])))


def forward(x: Any, weight: Any, grid: Grid, groups: int) -> Any:
    """The convolution of an array (N, C, ...) with weights (M, C / groups, ...)."""
    count = grid.fits(x.shape[2:])
    y = np.empty((x.shape[0], weight.shape[0], *count), np.result_type(x, weight))
    matrix = _matrix(weight, groups)
    flat = y.reshape(x.shape[0], groups, matrix.shape[1], int(np.prod(count)))
    for part, parts in _laid_out(x, grid, groups):
        np.matmul(matrix, parts, out=flat[part])
    return y


def to_input(g: Any, weight: Any, grid: Grid, groups: int, size: Sequence[int]) -> Any:
    """The gradient of the image: what a transposed convolution computes."""
    count = g.shape[2:]
    channels = weight.shape[1] * groups
    x = np.empty((g.shape[0], channels, *size), np.result_type(g, weight))
    matrix = _matrix(weight, groups).transpose(0, 2, 1)
    flat = g.reshape(g.shape[0], groups, weight.shape[0] // groups, int(np.prod(count)))
    if grid.is_pointwise():
        np.matmul(matrix, flat, out=x.reshape(g.shape[0], groups, weight.shape[1], flat.shape[-1]))
        return x
    for part in _parts(g.shape[0], channels, grid, count):
        parts = np.matmul(matrix, flat[part])
        x[part] = windows.added(
            parts.reshape(len(parts), channels, int(np.prod(grid.kernel)), flat.shape[-1]), grid, size, count
        )
    return x


def to_weight(g: Any, x: Any, grid: Grid, groups: int, shape: Sequence[int]) -> Any:
    """The gradient of the weights."""
    flat = g.reshape(g.shape[0], groups, g.shape[1] // groups, int(np.prod(g.shape[2:])))
    found = np.zeros((groups, g.shape[1] // groups, int(np.prod(shape[1:]))), np.result_type(g, x))
    for part, parts in _laid_out(x, grid, groups, g.shape[2:]):
        found += np.matmul(flat[part], parts.swapaxes(2, 3)).sum(0)
    return found.reshape(shape)


def _parts(samples: int, channels: int, grid: Grid, count: Sequence[int]) -> list[slice]:
    together = windows.samples_at_once(channels, grid, count)
    return [slice(start, min(start + together, samples)) for start in range(0, samples, together)]


def _laid_out(x: Any, grid: Grid, groups: int, count: Sequence[int] | None = None) -> Any:
    """Some samples at a time, and their windows as (samples, groups, channels * kernel, windows)."""
    count = grid.fits(x.shape[2:]) if count is None else count
    inside = int(np.prod(count))
    if grid.is_pointwise():
        yield slice(0, x.shape[0]), x.reshape(x.shape[0], groups, x.shape[1] // groups, inside)
        return
    for part in _parts(x.shape[0], x.shape[1], grid, count):
        laid = windows.columns(windows.padded(x[part], grid), grid, count)
        yield part, laid.reshape(len(laid), groups, laid.shape[1] // groups * laid.shape[2], inside)


def _with_bias(y: Any, bias: Any) -> Any:
    if bias is not None:
        y += bias.reshape(-1, *(1,) * (y.ndim - 2))
    return y


def _over_channels(g: Any) -> Any:
    return g.sum((0, *range(2, g.ndim)))


@keeps(0, 1)
def _conv(x: Any, weight: Any, bias: Any, grid: Grid, groups: int) -> Any:
    def back(g: Any) -> Any:
        g = np.ascontiguousarray(g)
        return (
            lambda: to_input(g, weight, grid, groups, x.shape[2:]),
            lambda: to_weight(g, x, grid, groups, weight.shape),
            lambda: _over_channels(g),
        )

    return _with_bias(forward(np.ascontiguousarray(x), weight, grid, groups), bias), back


@keeps(0, 1)
def _conv_transpose(x: Any, weight: Any, bias: Any, grid: Grid, groups: int, size: tuple[int, ...]) -> Any:
    def back(g: Any) -> Any:
        g = np.ascontiguousarray(g)
        return (
            lambda: forward(g, weight, grid, groups),
            lambda: to_weight(np.ascontiguousarray(x), g, grid, groups, weight.shape),
            lambda: _over_channels(g),
        )

    return _with_bias(to_input(np.ascontiguousarray(x), weight, grid, groups, size), bias), back


def _checked(call: str, input: Any, weight: Any, bias: Any, rank: int, groups: int) -> None:
    for name, each in (("input", input), ("weight", weight), *((("bias", bias),) if bias is not None else ())):
        tensor_argument(call, name, each)
    if weight.ndim != rank + 2:
        raise RuntimeError(
            f"weight should have at least three dimensions: {call} expects {rank + 2}, but got {weight.ndim}"
        )
    if input.ndim not in (rank + 1, rank + 2):
        raise RuntimeError(
            f"Expected {rank + 1}D (unbatched) or {rank + 2}D (batched) input to {call}, but got input of size: "
            f"{list(input.shape)}"
        )
    kinds = [kind_of(each) for each in (input, weight, bias) if each is not None]
    if any(each is not kinds[0] for each in kinds):
        raise RuntimeError(f"Input type ({kinds[0]}) and weight or bias type ({kinds[1]}) should be the same")
    if kinds[0].kind == "b":
        raise NotImplementedError(f"{call} is not implemented for {kinds[0]}")
    if groups <= 0:
        raise RuntimeError("non-positive groups is not supported")


def _long_only(call: str, input: Any) -> None:
    """Of whole numbers torch convolves only those of 64 bits here."""
    if kind_of(input).kind in "ui" and kind_of(input).name != "int64":
        raise NotImplementedError(f"{call} is not implemented for {kind_of(input)}")


def _positive(call: str, **named: tuple[int, ...]) -> None:
    for name, each in named.items():
        if any(n <= 0 for n in each):
            raise RuntimeError(f"non-positive {name} is not supported")


def _padding(call: str, padding: Any, kernel: Any, stride: Any, dilation: Any, rank: int) -> tuple[Any, Any]:
    if isinstance(padding, str):
        if padding == "valid":
            return (0,) * rank, (0,) * rank
        if padding != "same":
            raise RuntimeError(f"Invalid padding string: '{padding}'")
        if any(each != 1 for each in stride):
            raise RuntimeError("padding='same' is not supported for strided convolutions")
        total = tuple(d * (k - 1) for d, k in zip(dilation, kernel, strict=True))
        return tuple(each // 2 for each in total), tuple(each - each // 2 for each in total)
    both = sizes(call, "padding", padding, rank)
    if any(each < 0 for each in both):
        raise RuntimeError("negative padding is not supported")
    return both, both


def _convolved(
    call: str, rank: int, input: Any, weight: Any, bias: Any, stride: Any, padding: Any, dilation: Any, groups: int
) -> Any:
    _checked(call, input, weight, bias, rank, groups)
    kernel = tuple(weight.shape[2:])
    steps, far = sizes(call, "stride", stride, rank), sizes(call, "dilation", dilation, rank)
    _positive(call, stride=steps, dilation=far)
    before, after = _padding(call, padding, kernel, steps, far, rank)
    grid = Grid(kernel, steps, far, before, after)
    if rank < 3 and any(each != 1 for each in far):
        _long_only(call, input)
    single = input.ndim == rank + 1
    source = input.unsqueeze(0) if single else input
    if weight.shape[0] % groups or weight.shape[0] < groups:
        raise RuntimeError(
            f"Given groups={groups}, expected weight to be at least {groups} at dimension 0 and divisible by it, but "
            "got "
            f"weight of size {list(weight.shape)} instead"
        )
    if source.shape[1] != weight.shape[1] * groups:
        raise RuntimeError(
            f"Given groups={groups}, weight of size {list(weight.shape)}, expected input{list(source.shape)} to have "
            f"{weight.shape[1] * groups} channels, but got {source.shape[1]} channels instead"
        )
    if bias is not None and tuple(bias.shape) != (weight.shape[0],):
        raise RuntimeError(
            f"Given weight of size {list(weight.shape)}, expected bias to be 1-dimensional with {weight.shape[0]} "
            f"elements, but got bias of size {list(bias.shape)} instead"
        )
    if any(each <= 0 for each in grid.fits(source.shape[2:])):
        raise RuntimeError(
            f"Calculated padded input size per channel is too small: input {list(source.shape[2:])}, kernel "
            f"{list(kernel)}. Kernel size can't be greater than actual input size"
        )
    found = computed(_conv, (source, weight, bias), grid, groups)
    return found.squeeze(0) if single else found


def conv1d(
    input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1
) -> Any:
    """The convolution of sequences."""
    return _convolved("conv1d", 1, input, weight, bias, stride, padding, dilation, groups)


def conv2d(
    input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1
) -> Any:
    """The convolution of images."""
    return _convolved("conv2d", 2, input, weight, bias, stride, padding, dilation, groups)


def conv3d(
    input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1
) -> Any:
    """The convolution of volumes."""
    return _convolved("conv3d", 3, input, weight, bias, stride, padding, dilation, groups)


def _transposed(
    call: str,
    rank: int,
    input: Any,
    weight: Any,
    bias: Any,
    stride: Any,
    padding: Any,
    more: Any,
    groups: int,
    dilation: Any,
) -> Any:
    _checked(call, input, weight, bias, rank, groups)
    _long_only(call, input)
    kernel = tuple(weight.shape[2:])
    steps, far = sizes(call, "stride", stride, rank), sizes(call, "dilation", dilation, rank)
    _positive(call, stride=steps, dilation=far)
    both, extra = sizes(call, "padding", padding, rank), sizes(call, "output_padding", more, rank)
    if any(each < 0 for each in both):
        raise RuntimeError("negative padding is not supported")
    if any(e < 0 or (e >= s and e >= d) for e, s, d in zip(extra, steps, far, strict=True)):
        raise RuntimeError(f"output padding must be smaller than either stride or dilation, but got {list(extra)}")
    single = input.ndim == rank + 1
    source = input.unsqueeze(0) if single else input
    if weight.shape[0] < groups:
        raise RuntimeError(
            f"Given groups={groups}, expected weight to be at least {groups} at dimension 0, but got weight of size "
            f"{list(weight.shape)} instead"
        )
    if source.shape[1] != weight.shape[0] or weight.shape[0] % groups:
        raise RuntimeError(
            f"Given transposed=1, weight of size {list(weight.shape)}, expected input{list(source.shape)} to have "
            f"{weight.shape[0]} channels, but got {source.shape[1]} channels instead"
        )
    if bias is not None and tuple(bias.shape) != (weight.shape[1] * groups,):
        raise RuntimeError(
            f"Given transposed=1, weight of size {list(weight.shape)}, expected bias to be 1-dimensional with "
            f"{weight.shape[1] * groups} elements, but got bias of size {list(bias.shape)} instead"
        )
    size = tuple(
        (n - 1) * s - 2 * p + d * (k - 1) + e + 1
        for n, s, p, d, k, e in zip(source.shape[2:], steps, both, far, kernel, extra, strict=True)
    )
    if any(each <= 0 for each in size):
        raise RuntimeError(f"{call}: the output would have the size {list(size)}")
    after = tuple(
        (n - 1) * s + d * (k - 1) + 1 - p - m
        for n, s, d, k, p, m in zip(source.shape[2:], steps, far, kernel, both, size, strict=True)
    )
    grid = Grid(kernel, steps, far, both, tuple(max(each, 0) for each in after))
    found = computed(_conv_transpose, (source, weight, bias), grid, groups, size)
    return found.squeeze(0) if single else found


def conv_transpose1d(
    input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, output_padding: Any = 0,
    groups: int = 1, dilation: Any = 1,
) -> Any:  # fmt: skip
    """The transposed convolution of sequences."""
    return _transposed("conv_transpose1d", 1, input, weight, bias, stride, padding, output_padding, groups, dilation)


def conv_transpose2d(
    input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, output_padding: Any = 0,
    groups: int = 1, dilation: Any = 1,
) -> Any:  # fmt: skip
    """The transposed convolution of images."""
    return _transposed("conv_transpose2d", 2, input, weight, bias, stride, padding, output_padding, groups, dilation)


def conv_transpose3d(
    input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, output_padding: Any = 0,
    groups: int = 1, dilation: Any = 1,
) -> Any:  # fmt: skip
    """The transposed convolution of volumes."""
    return _transposed("conv_transpose3d", 3, input, weight, bias, stride, padding, output_padding, groups, dilation)
