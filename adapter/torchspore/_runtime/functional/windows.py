"""Windows over images of any number of dimensions, as arrays: where they lie, how they are laid out as columns for a
product with weights, and how columns are added back to the image. Convolutions, pools and `unfold` stand on this.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

AT_ONCE = 1 << 22
"""How many elements of columns are laid out at once: what a processor's memory holds near."""


class Grid(NamedTuple):
    """How windows lie over an image: all in elements, one number per dimension."""

    kernel: tuple[int, ...]
    stride: tuple[int, ...]
    dilation: tuple[int, ...]
    before: tuple[int, ...]
    after: tuple[int, ...]

    def fits(self, size: Sequence[int]) -> tuple[int, ...]:
        """How many windows fit along each dimension."""
        return tuple(
            (n + a + b - d * (k - 1) - 1) // s + 1
            for n, k, s, d, a, b in zip(
                size, self.kernel, self.stride, self.dilation, self.before, self.after, strict=True
            )
        )

    def is_pointwise(self) -> bool:
        """Whether every element is a window of its own."""
        return set(self.kernel) == {1} and set(self.stride) == {1} and not any((*self.before, *self.after))


def padded(x: Any, grid: Grid, value: float = 0) -> Any:
    """An array with its last dimensions widened on both sides."""
    if not any((*grid.before, *grid.after)):
        return x
    rank = len(grid.kernel)
    size = tuple(n + a + b for n, a, b in zip(x.shape[-rank:], grid.before, grid.after, strict=True))
    wide = np.full((*x.shape[:-rank], *size), value, x.dtype)
    wide[inner(grid, x.shape[-rank:])] = x
    return wide


def inner(grid: Grid, size: Sequence[int]) -> Any:
    """Where the image lies in the widened one."""
    return (..., *(slice(a, a + n) for a, n in zip(grid.before, size, strict=True)))


def steps(grid: Grid, count: Sequence[int]) -> Iterator[tuple[tuple[int, ...], Any]]:
    """Every place inside of a window, with the slices of the widened image that lie there in all windows."""
    for place in itertools.product(*map(range, grid.kernel)):
        yield place, (..., *(
            slice(k * d, k * d + (n - 1) * s + 1, s)
            for k, d, s, n in zip(place, grid.dilation, grid.stride, count, strict=True)
        ))  # fmt: skip


def columns(wide: Any, grid: Grid, count: Sequence[int]) -> Any:
    """The windows of a widened image (N, C, ...) as (N, C, kernel, windows), kernel and windows in one piece each."""
    rank = len(grid.kernel)
    strides = wide.strides[2:]
    view = np.lib.stride_tricks.as_strided(
        wide,
        (*wide.shape[:2], *grid.kernel, *count),
        (
            *wide.strides[:2],
            *(step * d for step, d in zip(strides, grid.dilation, strict=True)),
            *(step * s for step, s in zip(strides, grid.stride, strict=True)),
        ),
        writeable=False,
    )
    return view.reshape(*wide.shape[:2], int(np.prod(grid.kernel)), int(np.prod(count))) if rank else view


def added(parts: Any, grid: Grid, size: Sequence[int], count: Sequence[int]) -> Any:
    """The image to which columns (N, C, kernel, windows) add up, each at its place."""
    shape = tuple(n + a + b for n, a, b in zip(size, grid.before, grid.after, strict=True))
    wide = np.zeros((*parts.shape[:2], *shape), parts.dtype)
    spread = parts.reshape(*parts.shape[:3], *count)
    for number, (_, where) in enumerate(steps(grid, count)):
        wide[where] += spread[:, :, number]
    return np.ascontiguousarray(wide[inner(grid, size)])


def samples_at_once(channels: int, grid: Grid, count: Sequence[int]) -> int:
    """Of how many samples the columns are laid out together."""
    each = channels * int(np.prod(grid.kernel)) * int(np.prod(count))
    return max(1, AT_ONCE // max(each, 1))
