"""Lengths of vectors. In: a tensor of fractions or of complex numbers. Out: tensors of the real dtype that belongs to
it. What `norm` makes of matrices is its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..tensor import dtypes
from .numbers import Plain, here, kept, kind_of, made, need_tensors, places, shape_of
from .summing import _is_alone, _norm, _norm_gradient

At = tuple[int, ...]


@here
def vector_norm(
    input: Any, ord: Any = 2, dim: int | Sequence[int] | None = None, keepdim: bool = False, *, dtype: Any = None
) -> Any:
    """The length of all elements as of one vector, or of the vectors along dimensions, by an order."""
    need_tensors("linalg_vector_norm", input=input)
    order = float(ord.item() if isinstance(ord, Plain) else ord)
    own = kind_of(input)
    if own.kind not in "fc":
        raise RuntimeError(f"linalg.vector_norm: Expected a floating point or complex tensor as input. Got {own}")
    kind = own if dtype is None else _wanted(own, dtypes.of(dtype))
    at = places(input, dim)
    _has_value(tuple(shape_of(input)), at, order, dim)
    source = input if kind is own else input.to(kind)
    values = kept(source.to(dtypes.PRECISE.get(kind, kind)))
    size = np.asarray(np.abs(values))
    with np.errstate(all="ignore"):
        whole = size if order and _is_alone(size, at, dim) else _norm(size, order, at)

    def gradients(gradient: Any) -> Any:
        return (_norm_gradient(values, size, whole, order, at, gradient.reshape(whole.shape)),)

    return made(whole if keepdim else whole.squeeze(at), kind.to_real(), (source,), gradients)


def _wanted(own: Any, kind: Any) -> Any:
    """The dtype to compute in, which has to hold what the tensor has."""
    if kind.kind not in "fc":
        raise RuntimeError(f"linalg.vector_norm: dtype should be floating point or complex, but got {kind}")
    if kind.is_complex != own.is_complex:
        word = "complex" if own.is_complex else "real"
        raise RuntimeError(f"linalg.vector_norm: dtype should be {word} for {word} inputs, but got {kind}")
    if kind.itemsize < own.itemsize:
        raise RuntimeError(
            f"linalg.vector_norm: the dtype of the input ({own}) should be convertible without narrowing to the "
            f"specified dtype ({kind})"
        )
    return kind


def _has_value(shape: tuple[int, ...], at: At, order: float, dim: Any) -> None:
    """Refuse what no number stands for: the largest or smallest of no elements."""
    if 0 not in shape or (0 <= order < np.inf):
        return
    whole = dim is None or dim in ((), [])
    if whole or any(shape[place] == 0 for place in at):
        raise RuntimeError(
            f"linalg.vector_norm cannot compute the {order} norm on an empty tensor because the operation does not "
            "have an identity"
        )
