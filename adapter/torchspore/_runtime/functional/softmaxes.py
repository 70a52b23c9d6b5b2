"""Functions that make shares of a whole along a dimension. In: scores. Out: shares, or their logarithms."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from ..random import draws
from ..random.generator import default_generator
from ..tensor import dtypes
from ..tensor.creating import from_numpy
from ..tensor.size import wrapped
from .computing import RESULT, computed, fractions, keeps, kind_of, tensor_argument


def shares(x: Any, dim: int) -> Any:
    """The softmax of an array."""
    if not x.ndim:
        return np.ones_like(x) * np.where(np.isfinite(x), 1, np.nan)
    y = np.exp(x - x.max(dim, keepdims=True, initial=-np.inf))
    y /= y.sum(dim, keepdims=True)
    return y


def log_shares(x: Any, dim: int) -> Any:
    """The logarithm of the softmax of an array."""
    if not x.ndim:
        return np.where(np.isfinite(x), np.zeros_like(x), np.nan)
    y = x - x.max(dim, keepdims=True, initial=-np.inf)
    y -= np.log(np.exp(y).sum(dim, keepdims=True))
    return y


@keeps(RESULT)
def _softmax(x: Any, dim: int) -> Any:
    y = shares(x.astype(np.float64), dim)  # of a share near one, few digits of what is missing to it would be left

    def back(g: Any) -> Any:
        mean = (g * y).sum(dim, keepdims=True) if x.ndim else g * y
        return ((g - mean) * y,)

    return y.astype(x.dtype), back


@keeps(RESULT)
def _log_softmax(x: Any, dim: int) -> Any:
    y = log_shares(x, dim)
    return y, lambda g: (g - np.exp(y) * (g.sum(dim, keepdims=True) if x.ndim else g),)


def _dim(name: str, input: Any, dim: int | None) -> int:
    tensor_argument(name, "input", input)
    if dim is None:
        warnings.warn(
            f"Implicit dimension choice for {name} has been deprecated. Change the call to include dim=X as an "
            "argument.",
            stacklevel=3,
        )
        dim = 0 if input.ndim in (0, 1, 3) else 1
    return wrapped(dim, input.ndim)


def _applied(name: str, rule: Any, input: Any, dim: int | None, dtype: Any) -> Any:
    place = _dim(name, input, dim)
    source = input if dtype is None else input.to(dtype)
    if not source.numel():
        return source.clone()  # torch looks at the dtype of what has elements
    fractions(name, source)
    return computed(rule, (source,), place)


def softmax(input: Any, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Any:
    """The shares of a whole that scores stand for."""
    return _applied("softmax", _softmax, input, dim, dtype)


def log_softmax(input: Any, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Any:
    """The logarithms of the shares."""
    return _applied("log_softmax", _log_softmax, input, dim, dtype)


def softmin(input: Any, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Any:
    """The shares of the scores with the other sign."""
    place = _dim("softmin", input, dim)
    return softmax(-input, place, dtype=dtype)


@keeps()
def _straight(soft: Any, dim: int) -> Any:
    hard = np.zeros_like(soft)
    np.put_along_axis(hard, np.expand_dims(soft.argmax(dim), dim), 1, dim)
    return (hard - soft) + soft, lambda g: (g,)


def gumbel_softmax(logits: Any, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1) -> Any:
    """Shares of scores to which noise is added; hard ones are one for the greatest and nought elsewhere, with the
    gradient of the shares."""
    if eps != 1e-10:
        warnings.warn("`eps` parameter is deprecated and has no effect.", stacklevel=2)
    tensor_argument("gumbel_softmax", "logits", logits)
    if not logits.numel():
        wrapped(dim, logits.ndim)
        return logits.clone() if kind_of(logits).kind in "fc" else logits.to(dtypes.default())
    fractions("gumbel_softmax", logits)
    kind = kind_of(logits)
    drawn = from_numpy(draws.exponential(default_generator, tuple(logits.shape), kind.name)).to(kind)
    noise = -drawn.log()
    soft = softmax((logits + noise) / tau, dim)
    return computed(_straight, (soft,), wrapped(dim, logits.ndim)) if hard else soft
