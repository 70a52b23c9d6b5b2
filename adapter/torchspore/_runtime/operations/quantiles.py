"""Quantiles: what a share of the elements lies below. In: a tensor of fractions and shares from 0 to 1. Out: tensors
with a dimension for the shares in front, if they have one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..tensor import dtypes
from ..tensor.size import wrapped
from .numbers import Plain, array, here, kind_of, made, need_tensors, rank_of, shape_of

WAYS = ("linear", "lower", "higher", "midpoint", "nearest")
MOST = 16_000_000
"""Of more elements torch refuses to find a quantile."""


@here
def quantile(input: Any, q: Any, dim: Any = None, keepdim: bool = False, *, interpolation: str = "linear") -> Any:
    """The element that a share of the others lies below, or a number between two; nan where one of them is nan."""
    return _quantile("quantile", input, q, dim, keepdim, interpolation, False)


@here
def nanquantile(input: Any, q: Any, dim: Any = None, keepdim: bool = False, *, interpolation: str = "linear") -> Any:
    """The same among the elements that are not nan."""
    return _quantile("nanquantile", input, q, dim, keepdim, interpolation, True)


def _quantile(name: str, input: Any, q: Any, dim: Any, keepdim: bool, way: str, passes_nan: bool) -> Any:
    need_tensors(name, input=input)
    kind, shape = kind_of(input), tuple(shape_of(input))
    shares = _shares(name, q, kind, shape)
    if way not in WAYS:
        raise RuntimeError(
            f"{name}() interpolation must be one of linear, lower, higher, midpoint or nearest, but got {way}"
        )
    place = None if dim is None else wrapped(dim, len(shape))
    values = array(input)
    rows = values.reshape(-1) if place is None or not shape else np.moveaxis(values, place, -1)
    if rows.shape[-1] > MOST:
        raise RuntimeError(f"{name}() input tensor is too large")
    order = np.argsort(rows, -1, kind="stable")
    ordered = np.take_along_axis(rows, order, -1)
    known = (~np.isnan(rows)).sum(-1, keepdims=True)
    count = np.maximum(known if passes_nan else np.full_like(known, rows.shape[-1]), 1)
    ranks = (shares.reshape(-1) * (count - 1).astype(rows.dtype)).astype(rows.dtype)
    if not passes_nan:
        ranks = np.where(known < rows.shape[-1], rows.dtype.type(rows.shape[-1] - 1), ranks)  # nan is the last
    below, weight = _between(ranks, way)
    above = np.ceil(ranks).astype(np.int64) if way in ("linear", "midpoint") else below
    one, other = np.take_along_axis(ordered, below, -1), np.take_along_axis(ordered, above, -1)
    with np.errstate(invalid="ignore"):
        step = other - one
        found = np.where(weight < 0.5, one + weight * step, other - step * (1 - weight))
    if way not in ("linear", "midpoint"):
        found = one
    result = _shaped(found, shares.shape, place, keepdim, shape)

    def gradients(gradient: Any) -> Any:
        inner = gradient.reshape(shares.size, *found.shape[:-1])
        each = np.moveaxis(inner, 0, -1)
        flat = np.zeros((*rows.shape[:-1], rows.shape[-1]), gradient.dtype)
        for at, part in ((below, each * (1 - weight)), (above, each * weight)):
            for number in range(shares.size):
                to = np.take_along_axis(order, at[..., number : number + 1], -1)
                held = np.take_along_axis(flat, to, -1)
                np.put_along_axis(flat, to, held + part[..., number : number + 1], -1)
        to_input = flat.reshape(shape) if place is None or not shape else np.moveaxis(flat, -1, place)
        if not isinstance(q, Plain):
            return (to_input,)
        slope = each * step * (count - 1) * (known == rows.shape[-1] if not passes_nan else 1)
        to_shares = slope.reshape(-1, shares.size).sum(0) if way == "linear" else np.zeros(shares.size)
        return to_input, to_shares.reshape(shares.shape)

    return made(result, kind, (input, *((q,) if isinstance(q, Plain) else ())), gradients)


def _shares(name: str, q: Any, kind: Any, shape: tuple[int, ...]) -> Any:
    """The shares in the dtype of the elements; what torch refuses is refused."""
    if isinstance(q, Plain) and rank_of(q) > 1:
        raise RuntimeError(f"{name}() q must be a scalar or 1D tensor")
    if 0 in shape:
        raise RuntimeError(f"{name}() input tensor must be non-empty")
    if kind not in (dtypes.float32, dtypes.float64):
        raise RuntimeError(f"{name}() input tensor must be either float or double dtype")
    if isinstance(q, Plain):
        if kind_of(q) != kind:
            raise RuntimeError(f"{name}() q tensor must be same dtype as the input tensor")
        shares = np.array(array(q))
    else:
        shares = np.asarray(q, dtypes.NUMPY[kind])
    if not ((shares >= 0) & (shares <= 1)).all():
        raise RuntimeError(f"{name}() q must be in the range [0, 1], and it is {shares.tolist()}")
    return shares


def _between(ranks: Any, way: str) -> tuple[Any, Any]:
    """The place before a rank, and how far it is from there to the next."""
    if way == "nearest":
        return np.round(ranks).astype(np.int64), np.zeros_like(ranks)
    if way == "higher":
        return np.ceil(ranks).astype(np.int64), np.zeros_like(ranks)
    below = np.floor(ranks)
    weight = np.full_like(ranks, 0.5) if way == "midpoint" else ranks - below
    return below.astype(np.int64), weight if way != "lower" else np.zeros_like(ranks)


def _shaped(found: Any, asked: tuple[int, ...], place: int | None, keepdim: bool, shape: tuple[int, ...]) -> Any:
    """The quantiles with the dimension of the shares in front, and what keeps the place of the dimension."""
    ahead = np.moveaxis(found, -1, 0)
    if keepdim and shape:
        ahead = ahead.reshape(-1, *(1,) * len(shape)) if place is None else np.expand_dims(ahead, place + 1)
    return ahead if asked else ahead[0]
