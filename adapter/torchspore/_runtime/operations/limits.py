"""The largest and the smallest elements, and elements kept within limits. In and out: tensors; the names that end in a
line write into the first of them. Where several elements are the largest, they share its gradient.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from ..tensor import dtypes
from ..tensor.arithmetic import FUNCTIONS
from ..tensor.size import wrapped
from .numbers import array, here, kind_of, made, need_tensors, places, rank_of, shape_of
from .writing import written

Range = namedtuple("aminmax", ("min", "max"))  # type: ignore[name-match]
"""What `aminmax` gives."""


@here
def amax(input: Any, dim: Any = (), keepdim: bool = False) -> Any:
    """The largest element, of all or along dimensions."""
    return _extreme("amax", np.max, input, dim, keepdim)


@here
def amin(input: Any, dim: Any = (), keepdim: bool = False) -> Any:
    """The smallest element, of all or along dimensions."""
    return _extreme("amin", np.min, input, dim, keepdim)


@here
def aminmax(input: Any, *, dim: Any = None, keepdim: bool = False) -> Any:
    """The smallest and the largest element, of all or along a dimension."""
    need_tensors("aminmax", input=input)
    if dim is None and 0 in shape_of(input):
        raise RuntimeError(
            "aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity."
        )
    if dim is not None:
        dim = wrapped(dim, rank_of(input))
    return Range(
        _extreme("aminmax", np.min, input, dim, keepdim),
        _extreme("aminmax", np.max, input, dim, keepdim),
    )


def _extreme(name: str, reduce: Any, input: Any, dim: Any, keepdim: bool) -> Any:
    need_tensors(name, input=input)
    kind = kind_of(input)
    if kind.is_complex:
        raise NotImplementedError(f"{name} is not implemented for {kind}: complex numbers have no order")
    at, shape = places(input, dim), tuple(shape_of(input))
    if any(shape[place] == 0 for place in at):
        if len(at) == len(shape) and (dim is None or dim in ((), [])):
            raise RuntimeError(
                f"{name}(): Expected reduction dim to be specified for input.numel() == 0. "
                "Specify the reduction dim with the 'dim' argument."
            )
        raise IndexError(f"{name}(): Expected reduction dim {dim} to have non-zero size.")
    values = np.array(array(input))
    whole = np.asarray(reduce(values, axis=at, keepdims=True))

    def gradients(gradient: Any) -> Any:
        chosen = values == whole  # nan is not equal to itself: nothing shares the gradient then, which is nan
        return (chosen * gradient.reshape(whole.shape) / chosen.sum(axis=at, keepdims=True),)

    return made(whole if keepdim else whole.squeeze(at), kind, (input,), gradients)


@here
def nan_to_num(input: Any, nan: Any = None, posinf: Any = None, neginf: Any = None) -> Any:
    """The elements with numbers in place of nan and of the infinite ones: unless others are given, 0 and the largest
    and the smallest of the dtype."""
    need_tensors("nan_to_num", input=input)
    kind = kind_of(input)
    if kind.kind not in "fc":
        return input.clone()
    values, limit = np.array(array(input)), _largest(kind.to_real())
    by = (0.0 if nan is None else nan, limit if posinf is None else posinf, -limit if neginf is None else neginf)
    if not kind.is_complex:
        found, finite = _replaced(values, by)
        return made(found, kind, (input,), lambda gradient: (np.where(finite, gradient, 0),))
    real, real_finite = _replaced(values.real, by)
    imaginary, imaginary_finite = _replaced(values.imag, by)
    both = np.empty_like(values)
    both.real, both.imag = real, imaginary

    def gradients(gradient: Any) -> Any:
        kept = np.array(gradient)
        kept.real, kept.imag = np.where(real_finite, kept.real, 0), np.where(imaginary_finite, kept.imag, 0)
        return (kept,)

    return made(both, kind, (input,), gradients)


def nan_to_num_(input: Any, nan: Any = None, posinf: Any = None, neginf: Any = None) -> Any:
    """The tensor, with numbers in place of nan and of the infinite ones."""
    return written(nan_to_num, input, nan, posinf, neginf)


def _largest(kind: Any) -> float:
    """The largest number of a dtype; that of bfloat16 has seven digits behind the point."""
    return (2 - 2**-7) * 2.0**127 if kind == dtypes.bfloat16 else float(np.finfo(dtypes.NUMPY[kind]).max)


def _replaced(values: Any, by: tuple[float, float, float]) -> tuple[Any, Any]:
    with np.errstate(over="ignore"):
        nan, high, low = (np.asarray(each).astype(values.dtype) for each in by)
    found = np.where(np.isnan(values), nan, np.where(values == np.inf, high, np.where(values == -np.inf, low, values)))
    return found, np.isfinite(values)


def clamp_min(input: Any, min: Any) -> Any:
    """The elements, or a limit where they are below it."""
    return FUNCTIONS["clamp"](input, min=min)


def clamp_min_(input: Any, min: Any) -> Any:
    """The tensor, with a limit in place of what is below it."""
    return written(clamp_min, input, min)


def clamp_max(input: Any, max: Any) -> Any:
    """The elements, or a limit where they are above it."""
    return FUNCTIONS["clamp"](input, max=max)


def clamp_max_(input: Any, max: Any) -> Any:
    """The tensor, with a limit in place of what is above it."""
    return written(clamp_max, input, max)
