"""Differences of neighbours. In: a tensor, and what is put before and behind it. Out: tensors that are shorter by one
for each time.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..tensor.promotion import result_type
from ..tensor.size import wrapped
from .numbers import array, here, made, need_tensors, rank_of, shape_of


@here
def diff(input: Any, n: int = 1, dim: int = -1, prepend: Any = None, append: Any = None) -> Any:
    """What each element along a dimension is more than the one before it, so many times over; of truth values, whether
    they differ."""
    need_tensors("diff", input=input)
    if not rank_of(input):
        raise RuntimeError("diff expects input to be at least one-dimensional")
    place = wrapped(dim, rank_of(input))
    parts = [each for each in (prepend, input, append) if each is not None]
    for each in parts:
        _fits(input, each, place)
    if n < 0:
        raise RuntimeError(f"order must be non-negative but got {n}")
    if n == 0:
        return input.clone()
    kind = parts[0]._dtype
    for each in parts[1:]:
        kind = result_type(made(np.zeros(1), kind), each.reshape(-1))
    alike = [each.to(kind) for each in parts]
    lengths = [shape_of(each)[place] for each in alike]
    whole = np.concatenate([array(each) for each in alike], place)
    times = min(int(n), sum(lengths))

    def gradients(gradient: Any) -> Any:
        found = gradient
        for _ in range(times):
            wide = [(0, 0)] * found.ndim
            wide[place] = (1, 0)
            ahead = np.pad(found, wide)
            wide[place] = (0, 1)
            found = ahead - np.pad(found, wide)
        return np.split(found, np.cumsum(lengths)[:-1], place)

    found = np.diff(whole, times, place) if times < sum(lengths) else np.take(whole, [], place)
    return made(found, kind, alike, gradients if times < sum(lengths) else lambda _: _noughts(alike))


def _fits(input: Any, other: Any, place: int) -> None:
    need_tensors("diff", prepend=other)
    one, two = list(shape_of(input)), list(shape_of(other))
    if len(one) != len(two):
        raise RuntimeError("diff expects prepend or append to be the same dimension as input")
    if any(a != b for at, (a, b) in enumerate(zip(one, two, strict=True)) if at != place):
        raise RuntimeError(
            "diff expects the shape of tensor to prepend or append to match that of input except along the "
            f"differencing dimension; input has {one}, and the other {two}"
        )


def _noughts(tensors: list[Any]) -> list[Any]:
    return [np.zeros(tuple(shape_of(each))) for each in tensors]
