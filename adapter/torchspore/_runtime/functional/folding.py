"""The same elements in another order: windows as columns and back, channels as places and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from . import windows
from .computing import computed, fractions, keeps, kind_of, tensor_argument
from .convolutions import sizes
from .windows import Grid


def _grid(call: str, kernel_size: Any, dilation: Any, padding: Any, stride: Any) -> Grid:
    kernel, far = sizes(call, "kernel_size", kernel_size, 2), sizes(call, "dilation", dilation, 2)
    both, steps = sizes(call, "padding", padding, 2), sizes(call, "stride", stride, 2)
    if any(each <= 0 for each in (*kernel, *far, *steps)):
        raise RuntimeError(f"{call}: kernel size, dilation and stride should be greater than zero")
    if any(each < 0 for each in both):
        raise RuntimeError(f"{call}: padding should be non-negative, but got {list(both)}")
    return Grid(kernel, steps, far, both, both)


@keeps()
def _unfold(x: Any, grid: Grid) -> Any:
    count = grid.fits(x.shape[2:])
    laid = windows.columns(windows.padded(x, grid), grid, count)
    y = np.array(laid.reshape(x.shape[0], laid.shape[1] * laid.shape[2], laid.shape[3]))
    return y, lambda g: (windows.added(np.ascontiguousarray(g).reshape(laid.shape), grid, x.shape[2:], count),)


def unfold(input: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Any:
    """The windows of images, each as a column."""
    tensor_argument("im2col", "input", input)
    if not input.ndim:
        raise IndexError("Dimension specified as 1 but tensor has no dimensions")
    if kind_of(input).kind not in "fcb":
        fractions("im2col", input)
    grid = _grid("unfold", kernel_size, dilation, padding, stride)
    if input.ndim not in (3, 4) or any(not each for each in input.shape[-3:]):
        raise RuntimeError(
            "Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for input, "
            f"but got: {list(input.shape)}"
        )
    if any(each <= 0 for each in grid.fits(input.shape[-2:])):
        raise RuntimeError(f"unfold: the windows do not fit into an image of {list(input.shape[-2:])}")
    if input.ndim == 3:
        return computed(_unfold, (input.unsqueeze(0),), grid).squeeze(0)
    return computed(_unfold, (input,), grid)


@keeps()
def _fold(x: Any, size: tuple[int, ...], grid: Grid) -> Any:
    count = grid.fits(size)
    inside = int(np.prod(grid.kernel))
    y = windows.added(
        np.ascontiguousarray(x).reshape(x.shape[0], -1 if x.size else x.shape[1] // inside, inside, x.shape[2]),
        grid,
        size,
        count,
    )
    return y, lambda g: (
        np.array(windows.columns(windows.padded(np.ascontiguousarray(g), grid), grid, count)).reshape(x.shape),
    )


def fold(input: Any, output_size: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Any:
    """Images that columns of windows add up to."""
    tensor_argument("col2im", "input", input)
    if kind_of(input).kind not in "fcb":
        fractions("col2im", input)
    grid = _grid("fold", kernel_size, dilation, padding, stride)
    size = sizes("fold", "output_size", output_size, 2)
    if any(each <= 0 for each in size):
        raise RuntimeError(f"fold: output size should be greater than zero, but got {list(size)}")
    if input.ndim not in (2, 3) or any(not each for each in input.shape[-2:]):
        raise RuntimeError(
            "Expected 2D or 3D (batch mode) tensor for input with possibly 0 batch size and non-zero dimensions for "
            f"input, but got: {list(input.shape)}"
        )
    inside, count = int(np.prod(grid.kernel)), grid.fits(size)
    if input.shape[-2] % inside:
        raise RuntimeError(
            "Expected size of input's dimension 1 to be divisible by the product of kernel_size, but got "
            f"input.size(1)={input.shape[-2]} and kernel_size={list(grid.kernel)}."
        )
    if any(each < 0 for each in count) or input.shape[-1] != int(np.prod(count)):
        raise RuntimeError(
            f"Given output_size={list(size)}, expected size of input's dimension 2 to match the calculated number of "
            f"sliding blocks {' * '.join(map(str, count))}, but got input.size(2)={input.shape[-1]}."
        )
    if input.ndim == 2:
        return computed(_fold, (input.unsqueeze(0),), size, grid).squeeze(0)
    return computed(_fold, (input,), size, grid)


@keeps()
def _reordered(x: Any, split: tuple[int, ...], order: tuple[int, ...], joined: tuple[int, ...]) -> Any:
    moved = x.reshape(split).transpose(order)
    y = np.array(moved).reshape(joined)
    back_order = tuple(np.argsort(order))
    return y, lambda g: (np.array(g.reshape(moved.shape).transpose(back_order)).reshape(x.shape),)


def _at_least_3d(call: str, input: Any) -> None:
    tensor_argument(call, "input", input)
    if input.ndim < 3:
        raise RuntimeError(
            f"{call} expects input to have at least 3 dimensions, but got input with {input.ndim} dimension(s)"
        )


def pixel_shuffle(input: Any, upscale_factor: int) -> Any:
    """Channels laid out as places of a greater image."""
    _at_least_3d("pixel_shuffle", input)
    if upscale_factor <= 0:
        raise RuntimeError(f"pixel_shuffle expects a positive upscale_factor, but got {upscale_factor}")
    *outer, channels, height, width = input.shape
    r = upscale_factor
    if channels % (r * r):
        raise RuntimeError(
            "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of upscale_factor, "
            "but "
            f"input.size(-3)={channels} is not divisible by {r * r}"
        )
    n, inside = len(outer), channels // (r * r)
    order = (*range(n), n, n + 3, n + 1, n + 4, n + 2)
    return computed(
        _reordered, (input,), (*outer, inside, r, r, height, width), order, (*outer, inside, height * r, width * r)
    )


def pixel_unshuffle(input: Any, downscale_factor: int) -> Any:
    """Places of an image laid out as channels."""
    _at_least_3d("pixel_unshuffle", input)
    if downscale_factor <= 0:
        raise RuntimeError(f"pixel_unshuffle expects a positive downscale_factor, but got {downscale_factor}")
    if not input.numel():
        return input.clone()
    *outer, channels, height, width = input.shape
    r = downscale_factor
    for name, each in (("height", height), ("width", width)):
        if each % r:
            raise RuntimeError(
                f"pixel_unshuffle expects {name} to be divisible by downscale_factor, but {each} is not divisible by "
                f"{r}"
            )
    n = len(outer)
    order = (*range(n), n, n + 2, n + 4, n + 1, n + 3)
    split = (*outer, channels, height // r, r, width // r, r)
    return computed(_reordered, (input,), split, order, (*outer, channels * r * r, height // r, width // r))


def channel_shuffle(input: Any, groups: int) -> Any:
    """Channels of groups taken in turn."""
    tensor_argument("channel_shuffle", "input", input)
    if input.ndim < 3:
        raise RuntimeError(f"channel_shuffle expects input with > 2 dims, but got input with sizes {list(input.shape)}")
    if groups <= 0:
        raise RuntimeError(f"Number of groups to divide channels in must be positive. Value of groups:{groups}")
    samples, channels, *rest = input.shape
    if channels % groups:
        raise RuntimeError(
            f"Number of channels must be divisible by groups. Got {channels} channels and {groups} groups."
        )
    order: Sequence[int] = (0, 2, 1, *range(3, 3 + len(rest)))
    return computed(
        _reordered, (input,), (samples, groups, channels // groups, *rest), tuple(order), tuple(input.shape)
    )


native_channel_shuffle = channel_shuffle
