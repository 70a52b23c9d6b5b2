"""Wider or narrower edges: `pad` in all its modes. In: a tensor and two numbers per dimension, the last one first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .computing import computed, keeps, tensor_argument

MODES = ("constant", "reflect", "replicate", "circular")


@keeps()
def _constant(x: Any, pairs: tuple[tuple[int, int], ...], value: Any) -> Any:
    size = tuple(n + a + b for n, (a, b) in zip(x.shape, pairs, strict=True))
    y = np.full(size, value, x.dtype)
    into = tuple(
        slice(max(a, 0), max(a, 0) + n + min(a, 0) + min(b, 0)) for n, (a, b) in zip(x.shape, pairs, strict=True)
    )
    out = tuple(slice(max(-a, 0), n - max(-b, 0)) for n, (a, b) in zip(x.shape, pairs, strict=True))
    y[into] = x[out]

    def back(g: Any) -> Any:
        found = np.zeros(x.shape, g.dtype)
        found[out] = g[into]
        return (found,)

    return y, back


def _sources(size: int, before: int, after: int, mode: str) -> Any:
    """Which element stands at each place of a dimension."""
    if mode == "circular":
        cut = max(-before, 0)
        left = size - cut - max(-after, 0)
        return np.arange(-max(before, 0), left + max(after, 0)) % left + cut
    places = np.arange(-before, size + after)
    if mode == "replicate":
        return np.clip(places, 0, size - 1)
    period = 2 * (size - 1)
    turned = np.abs(places) % period if period else np.zeros_like(places)
    return np.minimum(turned, period - turned)


@keeps()
def _copied(x: Any, sources: tuple[tuple[int, Any], ...]) -> Any:
    shapes, y = [], x
    for axis, source in sources:
        shapes.append(y.shape)
        y = y.take(source, axis)

    def back(g: Any) -> Any:
        for (axis, source), shape in zip(reversed(sources), reversed(shapes), strict=True):
            g = gathered(g, source, axis, shape)
        return (g,)

    return y, back


def gathered(g: Any, source: Any, axis: int, shape: tuple[int, ...]) -> Any:
    """A gradient of slices that were taken from places of a dimension, added up at these places."""
    order = np.argsort(source, kind="stable")
    named, starts = np.unique(source[order], return_index=True)
    found = np.zeros(shape, g.dtype)
    if source.size:
        sums = np.add.reduceat(g.take(order, axis), starts, axis)
        found[(*(slice(None),) * axis, named)] = sums
    return found


def _edges(input: Any, pad: Sequence[int], mode: str) -> tuple[tuple[int, Any], ...]:
    rank = len(pad) // 2
    if input.ndim not in (rank + 1, rank + 2) or not 1 <= rank <= 3:
        raise NotImplementedError(
            "Only 2D, 3D, 4D, 5D padding with non-constant padding are supported for now; the input has "
            f"{input.ndim} dimensions and {len(pad)} numbers are given"
        )
    if any(not each for each in input.shape[-rank:]) or (mode != "circular" and not input.shape[-rank - 1]):
        raise RuntimeError(
            f"Expected {rank + 1}D or {rank + 2}D tensor with non-zero size, but got {list(input.shape)}"
        )
    found = []
    for number in range(rank):
        before, after = pad[2 * number], pad[2 * number + 1]
        axis = input.ndim - 1 - number
        size = input.shape[axis]
        if mode == "reflect" and (before >= size or after >= size):
            raise RuntimeError(
                "Argument #4: Padding size should be less than the corresponding input dimension, but got: padding "
                f"({before}, {after}) at dimension {axis} of input {list(input.shape)}"
            )
        if mode == "circular" and (before > size or after > size):
            raise RuntimeError("Padding value causes wrapping around more than once.")
        if size + before + after <= 0:
            raise RuntimeError(f"the output of pad would have the size {size + before + after} at dimension {axis}")
        if before or after:
            found.append((axis, _sources(size, before, after, mode)))
    return tuple(reversed(found))


def pad(input: Any, pad: Sequence[int], mode: str = "constant", value: float | None = None) -> Any:
    """The input with wider edges; of a negative width, narrower ones."""
    tensor_argument("pad", "input", input)
    widths = [int(each) for each in pad]
    if len(widths) % 2:
        raise RuntimeError("Padding length must be divisible by 2")
    if len(widths) > 2 * input.ndim:
        raise RuntimeError(
            "Padding length should be less than or equal to two times the input dimension but got padding length "
            f"{len(widths)} and input of dimension {input.ndim}"
        )
    if mode not in MODES:
        raise NotImplementedError(f"Unrecognised padding mode {mode}")
    if mode == "constant":
        pairs = [(0, 0)] * input.ndim
        for number in range(len(widths) // 2):
            pairs[-1 - number] = (widths[2 * number], widths[2 * number + 1])
        if any(n + a + b < 0 or n + min(a, 0) + min(b, 0) < 0 for n, (a, b) in zip(input.shape, pairs, strict=True)):
            raise RuntimeError(f"The input size {list(input.shape)}, plus negative padding {widths}, is below nought")
        return computed(_constant, (input,), tuple(pairs), 0 if value is None else value)
    if value not in (None, 0, 0.0):
        raise ValueError(f'Padding mode "{mode}" doesn\'t take in value argument')
    return computed(_copied, (input,), _edges(input, widths, mode))
