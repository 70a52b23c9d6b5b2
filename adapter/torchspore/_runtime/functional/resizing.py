"""Images of another size: `interpolate`, `upsample`, and images seen through a grid of places, `grid_sample`."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from .computing import computed, fractions, keeps, kind_of, tensor_argument
from .padding import gathered
from .pooling import adaptive_mean

WHOLE = ("nearest", "area", "nearest-exact")
"""Modes that have no corners to align."""
LINEAR = {"linear": 1, "bilinear": 2, "trilinear": 3}
SHARPNESS = -0.75
"""The parameter of the cubic curve."""


def _scale(size: int, count: int, corners: bool, given: float | None) -> float:
    if corners:
        return (size - 1) / (count - 1) if count > 1 else 0.0
    return 1 / given if given is not None and given > 0 else size / count


def _places(size: int, count: int, corners: bool, given: float | None, cubic: bool) -> Any:
    scale = _scale(size, count, corners, given)
    if corners:
        return np.arange(count) * scale
    found = (np.arange(count) + 0.5) * scale - 0.5
    return found if cubic else np.maximum(found, 0)


def _cubic(t: Any) -> Any:
    """The weights of the four elements around a place, by its distance from the second."""
    a = SHARPNESS
    near = [((a + 2) * x - (a + 3)) * x * x + 1 for x in (t, 1 - t)]
    far = [((a * x - 5 * a) * x + 8 * a) * x - 4 * a for x in (t + 1, 2 - t)]
    return np.stack([far[0], near[0], near[1], far[1]])


def _taps(size: int, count: int, mode: str, corners: bool, given: float | None) -> tuple[Any, Any]:
    """For each place of the result, which elements it is made of and with which weights: two arrays (taps, places)."""
    if mode in ("nearest", "nearest-exact"):
        scale = np.float32(_scale(size, count, False, given))
        offset = np.float32(0.5 if mode == "nearest-exact" else 0)
        found = np.floor((np.arange(count, dtype=np.float32) + offset) * scale).astype(np.int64)
        return np.minimum(found, size - 1)[None], np.ones((1, count))
    places = _places(size, count, corners, given, mode == "bicubic")
    first = np.floor(places).astype(np.int64)
    if mode == "bicubic":
        return np.clip(first + np.arange(-1, 3)[:, None], 0, size - 1), _cubic(places - first)
    first = np.minimum(first, size - 1)
    share = places - first
    return np.stack([first, np.minimum(first + 1, size - 1)]), np.stack([1 - share, share])


def _smooth_taps(size: int, count: int, mode: str, corners: bool, given: float | None) -> tuple[Any, Any]:
    """The same where the result is smaller and every element is to count."""
    scale = _scale(size, count, corners, given)
    reach = (2 if mode == "bicubic" else 1) * max(scale, 1.0)
    middle = scale * (np.arange(count) + 0.5)
    start = np.maximum((middle - reach + 0.5).astype(np.int64), 0)
    length = np.minimum((middle + reach + 0.5).astype(np.int64), size) - start
    taps = np.arange(int(length.max()))[:, None]
    distance = (taps + start - middle + 0.5) / max(scale, 1.0)
    weights = np.where(taps < length, _filter(np.abs(distance), mode), 0)
    return np.minimum(start + taps, size - 1), weights / weights.sum(0)


def _filter(x: Any, mode: str) -> Any:
    if mode == "bilinear":
        return np.maximum(1 - x, 0)
    a = -0.5
    inner, outer = ((a + 2) * x - (a + 3)) * x * x + 1, (((x - 5) * x + 8) * x - 4) * a
    return np.where(x < 1, inner, np.where(x < 2, outer, 0))


@keeps()
def _tapped(x: Any, plan: Sequence[tuple[int, Any, Any]]) -> Any:
    """Each dimension in turn: the sum of some elements times their weights."""
    shapes, y = [], x
    for axis, places, weights in plan:
        shapes.append(y.shape)
        y = _sum(y, axis, places, weights)

    def back(g: Any) -> Any:
        for (axis, places, weights), shape in zip(reversed(plan), reversed(shapes), strict=True):
            along = (-1, *(1,) * (g.ndim - axis - 1))
            parts = [
                gathered(g * w.reshape(along).astype(g.dtype), p, axis, shape)
                for p, w in zip(places, weights, strict=True)
            ]
            g = sum(parts[1:], parts[0])
        return (g,)

    return y, back


def _sum(x: Any, axis: int, places: Any, weights: Any) -> Any:
    along = (-1, *(1,) * (x.ndim - axis - 1))
    y = x.take(places[0], axis)
    if len(places) == 1 and (weights == 1).all():
        return y
    y *= weights[0].reshape(along).astype(x.dtype) if x.dtype.kind == "f" else 1
    for place, weight in zip(places[1:], weights[1:], strict=True):
        y += x.take(place, axis) * weight.reshape(along).astype(x.dtype)
    return y


def _asked(
    input: Any, size: Any, scale_factor: Any, recompute: bool | None
) -> tuple[tuple[int, ...], list[float | None]]:
    """The size of the result, and the factors that places are computed with where no size decides."""
    rank = input.ndim - 2
    if size is not None and scale_factor is not None:
        raise ValueError("only one of size or scale_factor should be defined")
    if size is None and scale_factor is None:
        raise ValueError("either size or scale_factor should be defined")
    if size is not None:
        wanted = _several("size", size, rank, input)
        return tuple(int(each) for each in wanted), [None] * rank
    factors = [float(each) for each in _several("scale_factor", scale_factor, rank, input)]
    found = tuple(math.floor(n * f) for n, f in zip(input.shape[2:], factors, strict=True))
    return found, [None] * rank if recompute else list(factors)


def _several(name: str, value: Any, rank: int, input: Any) -> list[Any]:
    if not isinstance(value, (list, tuple)):
        return [value] * rank
    if len(value) != rank:
        raise ValueError(
            "Input and output must have the same number of spatial dimensions, but got input with spatial dimensions "
            "of "
            f"{list(input.shape[2:])} and {name} of {list(value)}."
        )
    return list(value)


def interpolate(
    input: Any,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
    antialias: bool = False,
) -> Any:
    """Images in another size."""
    tensor_argument("interpolate", "input", input)
    if mode in WHOLE and align_corners is not None:
        raise ValueError(
            "align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic | trilinear"
        )
    rank = input.ndim - 2
    if recompute_scale_factor and size is not None:
        raise ValueError("recompute_scale_factor is not meaningful with an explicit size.")
    wanted, factors = _asked(input, size, scale_factor, recompute_scale_factor)
    if antialias and not (mode in ("bilinear", "bicubic") and input.ndim == 4):
        raise ValueError(
            "Anti-alias option is restricted to bilinear and bicubic modes and requires a 4-D tensor as input"
        )
    if rank not in (1, 2, 3):
        raise NotImplementedError(f"Input Error: Only 3D, 4D and 5D input Tensors supported (got {input.ndim}D)")
    if mode not in (*WHOLE, *LINEAR, "bicubic"):
        raise NotImplementedError(f"interpolate has no mode {mode!r}")
    if LINEAR.get(mode, 2 if mode == "bicubic" else rank) != rank:
        raise NotImplementedError(f"Got {input.ndim}D input, but {mode} mode needs another number of dimensions")
    if any(each <= 0 for each in (*wanted, *input.shape[1:])):
        raise RuntimeError(
            f"Input and output sizes should be greater than 0, but got input {list(input.shape)} and output "
            f"{list(wanted)}"
        )
    whole = kind_of(input).name == "uint8" and (
        mode in ("nearest", "nearest-exact") or (mode in ("bilinear", "bicubic") and rank == 2)
    )
    if not whole:
        fractions("interpolate", input)
    if mode == "area":
        return computed(adaptive_mean, (input,), wanted)
    kind = "linear" if mode in LINEAR and not antialias else mode
    taps = _smooth_taps if antialias else _taps
    plan = []
    for dim, (count, factor) in enumerate(zip(wanted, factors, strict=True)):
        n = input.shape[2 + dim]
        if count == n and kind == "linear" and (factor in (None, 1.0) or align_corners):
            continue
        plan.append((2 + dim, *taps(n, count, kind, bool(align_corners), factor)))
    if whole and mode in ("bilinear", "bicubic"):
        return _rounded_between(input, plan)
    return computed(_tapped, (input,), plan) if plan else input.clone()


def _rounded_between(input: Any, plan: list[Any]) -> Any:
    """Images of bytes in another size: the last dimension first, rounded to bytes after each."""
    return computed(_bytes_tapped, (input,), plan[::-1])


@keeps()
def _bytes_tapped(x: Any, plan: Sequence[tuple[int, Any, Any]]) -> Any:
    """Sums of bytes times weights in whole numbers, with as many binary places as 16 bits hold, as torch has them."""
    y = x.astype(np.int64)
    for axis, places, weights in plan:
        largest = max(float(np.max(each)) for each in weights)
        digits = next(n for n in range(22) if n == 21 or int(0.5 + largest * 2 ** (n + 1)) >= 2**15)
        whole = [np.trunc(each * 2**digits + np.where(each < 0, -0.5, 0.5)).astype(np.int64) for each in weights]
        along = (-1, *(1,) * (x.ndim - axis - 1))
        parts = [y.take(place, axis) * weight.reshape(along) for place, weight in zip(places, whole, strict=True)]
        y = np.clip((sum(parts) + (1 << (digits - 1))) >> digits, 0, 255)
    return y.astype(x.dtype), lambda g: (None,)


def upsample(
    input: Any, size: Any = None, scale_factor: Any = None, mode: str = "nearest", align_corners: bool | None = None
) -> Any:
    """The former name of `interpolate`."""
    warnings.warn("`nn.functional.upsample` is deprecated. Use `nn.functional.interpolate` instead.", stacklevel=2)
    return interpolate(input, size, scale_factor, mode, align_corners)


def upsample_nearest(input: Any, size: Any = None, scale_factor: Any = None) -> Any:
    """`interpolate` by the nearest element."""
    warnings.warn(
        "`nn.functional.upsample_nearest` is deprecated. Use `nn.functional.interpolate` instead.", stacklevel=2
    )
    return interpolate(input, size, scale_factor, mode="nearest")


def upsample_bilinear(input: Any, size: Any = None, scale_factor: Any = None) -> Any:
    """`interpolate` by straight lines between the middles of the corners."""
    warnings.warn(
        "`nn.functional.upsample_bilinear` is deprecated. Use `nn.functional.interpolate` instead.", stacklevel=2
    )
    return interpolate(input, size, scale_factor, mode="bilinear", align_corners=True)


def _steps(count: int, corners: bool, kind: Any) -> Any:
    if count <= 1:
        return np.zeros(count, kind)
    found = np.linspace(-1, 1, count)
    return (found if corners else found * (count - 1) / count).astype(kind)


@keeps(0)
def _affine_grid(theta: Any, size: tuple[int, ...], corners: bool) -> Any:
    lengths = size[2:]
    axes = np.meshgrid(*(_steps(n, corners, theta.dtype) for n in lengths), indexing="ij")
    base = np.stack([*(each.reshape(-1) for each in reversed(axes)), np.ones(axes[0].size, theta.dtype)], 1)
    y = (base @ theta.swapaxes(1, 2)).reshape(size[0], *lengths, len(lengths))
    return y, lambda g: (g.reshape(size[0], -1, len(lengths)).swapaxes(1, 2) @ base,)


def affine_grid(theta: Any, size: Sequence[int], align_corners: bool | None = None) -> Any:
    """The places that an affine map takes each place of an image to."""
    if align_corners is None:
        warnings.warn(
            "Default grid_sample and affine_grid behavior has changed to align_corners=False since 1.3.0.", stacklevel=2
        )
    tensor_argument("affine_grid", "theta", theta)
    if not kind_of(theta).is_floating_point:
        raise ValueError(f"Expected theta to have floating point type, but got {kind_of(theta)}")
    lengths = tuple(int(each) for each in size)
    if len(lengths) not in (4, 5):
        raise NotImplementedError("affine_grid only supports 4D and 5D sizes, for 2D and 3D affine transforms")
    rank = len(lengths) - 2
    if theta.ndim != 3 or tuple(theta.shape[1:]) != (rank, rank + 1):
        raise ValueError(
            f"Expected a batch of {rank}D affine matrices of shape Nx{rank}x{rank + 1} for size {lengths}. Got "
            f"{tuple(theta.shape)}."
        )
    if min(lengths) <= 0:
        raise ValueError(f"Expected non-zero, positive output size. Got {lengths}")
    return computed(_affine_grid, (theta,), lengths, bool(align_corners))


def _unnormalized(places: Any, size: int, corners: bool) -> tuple[Any, float]:
    if corners:
        return (places + 1) * ((size - 1) / 2), (size - 1) / 2
    return ((places + 1) * size - 1) / 2, size / 2


def _reflected(x: Any, low: float, high: float) -> tuple[Any, Any]:
    """Places turned back at two limits, and the direction in which they move then."""
    if low == high:
        return np.zeros_like(x), np.zeros_like(x)
    span = high - low
    sign = np.where(x < low, -1.0, 1.0)
    away = np.abs(x - low)
    turns = np.floor(away / span)
    rest = away - turns * span
    even = turns % 2 == 0
    return np.where(even, rest + low, span - rest + low), np.where(even, sign, -sign)


def _bounded(x: Any, size: int, padding: str, corners: bool) -> tuple[Any, Any]:
    """Places brought into the image as the mode says, and their slope."""
    slope = np.ones_like(x)
    if padding == "reflection":
        x, slope = _reflected(x, *((0, size - 1) if corners else (-0.5, size - 0.5)))
    if padding in ("border", "reflection"):
        slope = slope * ((x > 0) & (x < size - 1))
        x = np.clip(x, 0, size - 1)
    return x, slope


@keeps(0, 1)
def _grid_sample(x: Any, grid: Any, mode: str, padding: str, corners: bool) -> Any:
    size = x.shape[2:]
    rank = len(size)
    flat = x.reshape(*x.shape[:2], int(np.prod(size)))
    points = grid.reshape(grid.shape[0], int(np.prod(grid.shape[1:-1])), rank)[
        ..., ::-1
    ]  # the last number of a place is its first dimension
    raw = [_unnormalized(points[..., dim], size[dim], corners) for dim in range(rank)]
    bent = [
        (each, np.ones_like(each)) if mode == "bicubic" else _bounded(each, n, padding, corners)
        for (each, _), n in zip(raw, size, strict=True)
    ]
    slopes = [slope * factor for (_, slope), (_, factor) in zip(bent, raw, strict=True)]
    flattened = rank == 2 and (padding == "zeros" or mode == "bicubic")
    if rank == 3 and padding != "zeros":  # there torch takes the last place for no number
        bent = [(np.where(np.isnan(each), n - 1, each), slope) for (each, slope), n in zip(bent, size, strict=True)]
    axes = [_neighbours(each, n, mode, padding, corners, flattened) for (each, _), n in zip(bent, size, strict=True)]
    corners_of: list[tuple[Any, Any, list[Any]]] = []
    for choice in np.ndindex(*(len(each) for each in axes)):
        chosen = [axes[dim][k] for dim, k in enumerate(choice)]
        place, valid = np.zeros(points.shape[:2], np.int64), np.ones(points.shape[:2], bool)
        for (index, inside, _, _), n in zip(chosen, size, strict=True):
            place = place * n + np.clip(index, 0, n - 1)
            valid &= inside
        weight = np.prod([each[2] for each in chosen], axis=0)
        turned = [
            np.prod([each[3] if n == dim else each[2] for n, each in enumerate(chosen)], axis=0) for dim in range(rank)
        ]
        corners_of.append((np.where(valid, place, -1), weight, turned))
    y = sum(_fetched(flat, place) * weight[:, None] for place, weight, _ in corners_of)
    shape = (*x.shape[:2], *grid.shape[1:-1])

    def back(g: Any) -> Any:
        given = g.reshape(*x.shape[:2], points.shape[1])

        def of_image() -> Any:
            found = np.zeros((*x.shape[:2], flat.shape[2] + 1))
            rows = int(np.prod(x.shape[:2]))
            for place, weight, _ in corners_of:
                where = np.broadcast_to(np.where(place < 0, flat.shape[2], place)[:, None], given.shape).reshape(
                    rows, -1
                )
                each = where + (np.arange(rows) * (flat.shape[2] + 1))[:, None]
                part = np.bincount(each.reshape(-1), (given * weight[:, None]).reshape(-1), found.size)
                found += part.reshape(found.shape)
            return found[..., :-1].reshape(x.shape)

        def of_grid() -> Any:
            found = np.zeros(points.shape, grid.dtype)
            for place, _, turned in corners_of:
                through = (given * _fetched(flat, place)).sum(1)
                for dim in range(rank):
                    found[..., dim] += through * turned[dim] * slopes[dim]
            return found[..., ::-1].reshape(grid.shape)

        return of_image, of_grid

    return y.reshape(shape).astype(x.dtype), back


def _neighbours(
    x: Any, size: int, mode: str, padding: str, corners: bool, flat: bool
) -> list[tuple[Any, Any, Any, Any]]:
    """The elements near places along one dimension: number, whether it is there, weight, and slope of the weight. In
    `flat` images a place that is no number has nan for its weights."""
    lost = ~np.isfinite(x)
    x = np.where(lost, -1e9 if padding == "zeros" else 0, x)
    if mode == "nearest":
        index = np.rint(x).astype(np.int64)
        return [(index, (index >= 0) & (index < size), np.ones_like(x), np.zeros_like(x))]
    first = np.floor(x)
    t = np.where(lost & flat, np.nan, x - first).astype(x.dtype)
    if mode == "bilinear":
        found = [(first, 1 - t, -np.ones_like(t)), (first + 1, t, np.ones_like(t))]
    else:
        weights, turned = _cubic(t), _cubic_slopes(t)
        found = [(first + n - 1, weights[n], turned[n]) for n in range(4)]
        if padding != "zeros":
            found = [(np.floor(_bounded(each, size, padding, corners)[0]), w, s) for each, w, s in found]
    return [(each.astype(np.int64), (each >= 0) & (each < size), weight, slope) for each, weight, slope in found]


def _cubic_slopes(t: Any) -> Any:
    a = SHARPNESS
    near = [(3 * (a + 2) * x - 2 * (a + 3)) * x for x in (t, 1 - t)]
    far = [(3 * a * x - 10 * a) * x + 8 * a for x in (t + 1, 2 - t)]
    return np.stack([far[0], near[0], -near[1], -far[1]])


def _fetched(flat: Any, place: Any) -> Any:
    found = np.take_along_axis(flat, np.maximum(place, 0)[:, None].repeat(flat.shape[1], 1), 2)
    return np.where(place[:, None] >= 0, found, 0)


def grid_sample(
    input: Any, grid: Any, mode: str = "bilinear", padding_mode: str = "zeros", align_corners: bool | None = None
) -> Any:
    """Images seen at the places of a grid, which goes from -1 to 1."""
    if mode not in ("bilinear", "nearest", "bicubic"):
        raise ValueError(
            f"nn.functional.grid_sample(): expected mode to be 'bilinear', 'nearest' or 'bicubic', but got: '{mode}'"
        )
    if padding_mode not in ("zeros", "border", "reflection"):
        raise ValueError(
            "nn.functional.grid_sample(): expected padding_mode to be 'zeros', 'border', or 'reflection', but got: "
            f"'{padding_mode}'"
        )
    if align_corners is None:
        warnings.warn(
            "Default grid_sample and affine_grid behavior has changed to align_corners=False since 1.3.0.", stacklevel=2
        )
    fractions("grid_sampler", input, grid)
    rank = input.ndim - 2
    if rank not in (2, 3) or grid.ndim != input.ndim or input.shape[0] != grid.shape[0] or grid.shape[-1] != rank:
        raise RuntimeError(
            "grid_sampler(): expected 4D or 5D input and grid with same number of dimensions and batch, and one number "
            f"per dimension, but got input with sizes {list(input.shape)} and grid with sizes {list(grid.shape)}"
        )
    if kind_of(input) is not kind_of(grid):
        raise RuntimeError(
            f"grid_sampler(): expected input and grid to have same dtype, but input has {kind_of(input)} and grid has "
            f"{kind_of(grid)}"
        )
    if any(not each for each in input.shape[2:]):
        raise RuntimeError(
            "grid_sampler(): expected input to have non-empty spatial dimensions, but input has sizes "
            f"{list(input.shape)}"
        )
    if mode == "bicubic" and rank != 2:
        raise RuntimeError("grid_sampler(): bicubic interpolation only supports 4D input")
    return computed(_grid_sample, (input, grid), mode, padding_mode, bool(align_corners))
