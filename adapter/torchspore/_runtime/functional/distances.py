"""How alike rows are: angles and distances."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..tensor import dtypes
from ..tensor.promotion import result_type
from ..tensor.size import wrapped
from .computing import computed, fractions, kind_of, summed_to, tensor_argument


def _cosine(one: Any, other: Any, dim: int, eps: float) -> Any:
    x, y = np.broadcast_arrays(one, other)
    size_x = np.sqrt((x * x).sum(dim, keepdims=True))
    size_y = np.sqrt((y * y).sum(dim, keepdims=True))
    floor_x, floor_y = np.maximum(size_x, eps), np.maximum(size_y, eps)
    cosine = (x / floor_x * (y / floor_y)).sum(dim, keepdims=True)  # each side over its own size, as in torch

    def back(g: Any) -> Any:
        given = np.expand_dims(g, dim)

        def of(own: Any, theirs: Any, floor: Any, other_floor: Any, size: Any, shape: Any) -> Any:
            turned = theirs / (floor * other_floor) - cosine * own / (floor * np.where(size == 0, 1, size))
            return summed_to(given * turned, shape)

        return (
            lambda: of(x, y, floor_x, floor_y, size_x, one.shape),
            lambda: of(y, x, floor_y, floor_x, size_y, other.shape),
        )

    return cosine.squeeze(dim), back


def _promoted(call: str, *tensors: Any) -> list[Any]:
    """Tensors in the dtype that holds the values of all."""
    for each in tensors:
        tensor_argument(call, "input", each)
    kind = result_type(*tensors)
    return [each if kind_of(each) is kind else each.to(kind) for each in tensors]


def cosine_similarity(x1: Any, x2: Any, dim: int = 1, eps: float = 1e-8) -> Any:
    """The cosine of the angle between rows."""
    one, other = _promoted("cosine_similarity", x1, x2)
    if kind_of(one).kind not in "f":
        raise RuntimeError(
            "expected common dtype to be floating point, yet common dtype is " + kind_of(one).name.capitalize()
        )
    shape = _broadcast(one, other)
    return computed(_cosine, (one, other), wrapped(dim, len(shape)), eps)


def _broadcast(one: Any, other: Any) -> tuple[int, ...]:
    try:
        return tuple(map(int, np.broadcast_shapes(tuple(one.shape), tuple(other.shape))))
    except ValueError:
        raise RuntimeError(
            f"The size of tensor a {list(one.shape)} must match the size of tensor b {list(other.shape)}"
        ) from None


def _distance(one: Any, other: Any, p: float, eps: float, keepdim: bool) -> Any:
    between = (one if other is None else one - other) + eps
    if not between.ndim:
        between = between[None]
    size = np.abs(between)
    if p == 0:
        norm, turned = (between != 0).sum(-1, keepdims=True).astype(between.dtype), np.zeros_like(between)
        if other is not None and eps == 0:  # the distance of every two rows, in which nan stays
            norm = np.where(np.isnan(between).any(-1, keepdims=True), np.nan, norm).astype(between.dtype)
    elif p == float("inf"):
        norm = size.max(-1, keepdims=True)
        ties = size == norm
        turned = np.sign(between) * ties / ties.sum(-1, keepdims=True)
    elif p == 2:
        norm = np.sqrt((between * between).sum(-1, keepdims=True))
        turned = between / np.where(norm == 0, 1, norm)
    else:
        norm = (size**p).sum(-1, keepdims=True) ** (1 / p)
        turned = np.sign(between) * np.where(norm == 0, 0, (size / np.where(norm == 0, 1, norm)) ** (p - 1))

    def back(g: Any) -> Any:
        found = (g.reshape(norm.shape)) * turned
        return lambda: summed_to(found, one.shape), lambda: None if other is None else summed_to(-found, other.shape)

    shape = () if one.ndim == 0 and (other is None or other.ndim == 0) else norm.shape if keepdim else norm.shape[:-1]
    return norm.reshape(shape), back


def pairwise_distance(x1: Any, x2: Any, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False) -> Any:
    """The distance of each pair of rows."""
    if kind_of(x1).kind == "b" or kind_of(x2).kind == "b" or kind_of(x1).kind == "c":
        return (x1 - x2 + eps).norm(p, -1, keepdim)
    one, other = _promoted("pairwise_distance", x1, x2)
    if kind_of(one).kind != "f":
        one, other = (one - other).to(dtypes.default()), None  # whole numbers may wrap around
    else:
        _broadcast(one, other)
    return computed(_distance, (one, other), p, eps, keepdim)


def _pdist(x: Any, p: float) -> Any:
    first, second = np.triu_indices(len(x), 1)
    distance, back_to_pairs = _distance(x[first], x[second], p, 0.0, False)

    def back(g: Any) -> Any:
        one, other = (each() for each in back_to_pairs(g))
        found = np.zeros_like(x)
        np.add.at(found, first, one)
        np.add.at(found, second, other)
        return (found,)

    return distance, back


def pdist(input: Any, p: float = 2.0) -> Any:
    """The distances between every two rows."""
    fractions("pdist", input)
    if input.ndim != 2:
        raise RuntimeError(f"pdist only supports 2D tensors, got: {input.ndim}D")
    if p < 0:
        raise RuntimeError("pdist only supports non-negative p values")
    return computed(_pdist, (input,), p)
