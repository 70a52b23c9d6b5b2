"""Products, running sums and products, norms and logarithms of sums. In and out: tensors. Sums and means are the
tensor's own.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.errors import UnsupportedArgument
from ..tensor import dtypes
from ..tensor.size import wrapped
from .numbers import array, here, kept, kind_of, made, places, rank_of

_WIDE = {"f": np.float64, "c": np.complex128}
"""In what floats are added up and multiplied before each result is rounded."""


def _summed_in(input: Any, dtype: Any) -> tuple[Any, Any, Any]:
    """The values in the dtype of a result, and in the one to compute in."""
    kind = kind_of(input)
    result = dtypes.of(dtype) if dtype is not None else dtypes.int64 if kind.kind in "bui" else kind
    inside = _WIDE.get(result.kind) or dtypes.NUMPY[result]
    values = array(input)
    if dtype is not None and result != kind and result in dtypes.NUMPY:
        values = values.astype(dtypes.NUMPY[result])
    with np.errstate(all="ignore"):
        return result, values.astype(inside), inside


@here
def cumsum(input: Any, dim: int, *, dtype: Any = None) -> Any:
    """The sums of the elements so far along a dimension."""
    place = wrapped(dim, rank_of(input))
    result, values, _ = _summed_in(input, dtype)
    if not values.ndim:
        return made(values, result, (input,), lambda gradient: (gradient,))

    def gradients(gradient: Any) -> Any:
        return (np.flip(np.cumsum(np.flip(gradient, place), place), place),)

    with np.errstate(all="ignore"):
        return made(np.cumsum(values, place, values.dtype), result, (input,), gradients)


@here
def cumprod(input: Any, dim: int, *, dtype: Any = None) -> Any:
    """The products of the elements so far along a dimension."""
    place = wrapped(dim, rank_of(input))
    result, values, _ = _summed_in(input, dtype)
    if not values.ndim:
        return made(values, result, (input,), lambda gradient: (gradient,))
    values = np.array(values)

    def gradients(gradient: Any) -> Any:
        if (values != 0).all():
            return (np.flip(np.cumsum(np.flip(gradient * whole.conj(), place), place), place) / values.conj(),)
        rows, factors = np.moveaxis(gradient, place, 0), np.moveaxis(values.conj(), place, 0)
        before = np.ones_like(factors)
        before[1:] = np.cumprod(factors[:-1], 0)
        after = np.array(rows, factors.dtype)
        for at in range(len(after) - 2, -1, -1):  # without a division, which noughts do not allow
            after[at] += factors[at + 1] * after[at + 1]
        return (np.moveaxis(before * after, 0, place),)

    with np.errstate(all="ignore"):
        whole = np.cumprod(values, place, values.dtype)
    return made(whole, result, (input,), gradients)


def prod(input: Any, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    """The product of all elements, or along a dimension."""
    return _product(input, dim, keepdim, dtype)


def _product(input: Any, dim: Any, keepdim: bool, dtype: Any) -> Any:
    result, values, _ = _summed_in(input, dtype)
    if result.kind == "f":  # each product is rounded
        values = values.astype(dtypes.NUMPY.get(result, np.float32))
    values = np.array(values)
    place = None if dim is None else wrapped(dim, rank_of(input))
    shape = values.shape

    def gradients(gradient: Any) -> Any:
        wide = gradient if keepdim or place is None or not shape else np.expand_dims(gradient, place)
        if (values != 0).all():
            product = found if keepdim or place is None or not shape else np.expand_dims(found, place)
            return (wide * (product / values).conj(),)
        rows = values.reshape(1, -1) if place is None or not shape else np.moveaxis(values, place, -1)
        ahead, behind = np.ones_like(rows), np.ones_like(rows)
        ahead[..., 1:] = np.cumprod(rows[..., :-1], -1)
        behind[..., :-1] = np.flip(np.cumprod(np.flip(rows, -1)[..., :-1], -1), -1)
        others = (ahead * behind).conj()
        return (wide * (others.reshape(shape) if place is None or not shape else np.moveaxis(others, -1, place)),)

    with np.errstate(all="ignore"):
        found = values.prod(axis=place if shape else None, keepdims=keepdim and place is not None, dtype=values.dtype)
    return made(found, result, (input,), gradients)


def logsumexp(input: Any, dim: Any, keepdim: bool = False) -> Any:
    """The logarithm of the sum of exponentials along dimensions, without overflow on the way."""
    kind = kind_of(input)
    result = dtypes.default() if kind.kind in "bui" else kind
    at = places(input, dim)
    values = array(input).astype(np.complex128 if result.is_complex else np.float64)
    with np.errstate(all="ignore"):
        top = values.real.max(axis=at, keepdims=True, initial=-np.inf)
        top = np.where(np.isinf(top), 0, top)
        whole = np.log(np.exp(values - top).sum(axis=at, keepdims=True)) + top

    def gradients(gradient: Any) -> Any:
        wide = gradient if keepdim else gradient.reshape(whole.shape)
        return (wide * np.exp(values - whole).conj(),)

    return made(whole if keepdim else whole.squeeze(at), result, (input,), gradients)


def norm(input: Any, p: Any = "fro", dim: Any = None, keepdim: bool = False, out: Any = None, dtype: Any = None) -> Any:
    """The norm of all elements as of one vector, or along dimensions."""
    if out is not None:
        raise UnsupportedArgument("torch.norm: MindSpore has nothing for out, so it must stay None.")
    if isinstance(p, str) and p != "fro":
        if p == "nuc":
            return _nuclear(input if dtype is None else input.to(dtype), dim, keepdim)
        raise RuntimeError(f"only valid string values are 'fro' (corresponding to p=2) and 'nuc'; found {p!r}")
    order = 2.0 if p is None or p == "fro" else float(p)
    if dtype is not None:
        if kind_of(input).is_complex and not dtypes.of(dtype).is_complex:
            raise RuntimeError("norm(): dtype should be complex for complex inputs")
        input = input.to(dtype)
    kind = kind_of(input)
    if kind.kind in "bui":
        raise RuntimeError(f"norm(): input dtype should be either floating point or complex. Got {kind}")
    at = places(input, dim)
    values = kept(input.to(dtypes.PRECISE.get(kind, kind)))
    size = np.asarray(np.abs(values))
    if not values.size and (order < 0 or order == np.inf):
        raise RuntimeError(f"norm(): the norm of order {order} of no elements has no value")
    with np.errstate(all="ignore"):
        whole = size if order and _is_alone(size, at, dim) else _norm(size, order, at)

    def gradients(gradient: Any) -> Any:
        wide = gradient if keepdim else gradient.reshape(whole.shape)
        return (_norm_gradient(values, size, whole, order, at, wide),)

    return made(whole if keepdim else whole.squeeze(at), kind.to_real(), (input,), gradients)


def _nuclear(input: Any, dim: Any, keepdim: bool) -> Any:
    """The sum of the singular values of matrices, whose gradient is the product of their directions."""
    at = places(input, dim) if dim is not None or rank_of(input) == 2 else ()
    if len(at) != 2:
        raise RuntimeError("norm(): the nuclear norm needs two dimensions")
    kind = kind_of(input)
    values: Any = np.moveaxis(array(input), at, (-2, -1)).astype(np.complex128 if kind.is_complex else np.float64)
    left, sizes, right = np.linalg.svd(values, full_matrices=False)
    found = sizes.sum(-1)

    def gradients(gradient: Any) -> Any:
        wide = gradient.reshape(found.shape)[..., None, None]
        return (np.moveaxis(wide * (left @ right), (-2, -1), at),)

    return made(np.expand_dims(found, at) if keepdim else found, kind.to_real(), (input,), gradients)


def _is_alone(size: Any, at: tuple[int, ...], dim: Any) -> bool:
    """Whether each norm is that of a single element, whose power may overflow; torch computes it nevertheless of what
    has no dimensions, if one is asked for."""
    return all(size.shape[place] == 1 for place in at) and (size.ndim > 0 or dim is None)


def _norm(size: Any, order: float, at: tuple[int, ...]) -> Any:
    if order == np.inf:
        return size.max(axis=at, keepdims=True)
    if order == -np.inf:
        return size.min(axis=at, keepdims=True)
    if order == 0:
        return (size != 0).sum(axis=at, keepdims=True).astype(size.dtype)
    if order == 1:
        return size.sum(axis=at, keepdims=True, dtype=np.float64)
    if order == 2:
        return np.sqrt((size * size).sum(axis=at, keepdims=True, dtype=np.float64))
    return np.power(size, size.dtype.type(order)).sum(axis=at, keepdims=True, dtype=np.float64) ** (1 / order)


def _norm_gradient(values: Any, size: Any, whole: Any, order: float, at: tuple[int, ...], gradient: Any) -> Any:
    """What a norm's gradient is of each element; where the norm is 0, nought."""
    direction = np.where(size == 0, 0, values / np.where(size == 0, 1, size))
    if order == 0:
        return np.zeros_like(values)
    if order == 1:
        return direction * gradient
    if order in (np.inf, -np.inf):
        reached = (size == whole) | np.isnan(size)
        return direction * reached * (gradient / reached.sum(axis=at, keepdims=True))
    scale = np.where(whole == 0, 0, gradient / np.where(whole == 0, 1, whole) ** (order - 1))
    if order == 2:
        return values * scale
    return direction * np.where(size == 0, 0, np.where(size == 0, 1, size) ** (order - 1)) * scale
