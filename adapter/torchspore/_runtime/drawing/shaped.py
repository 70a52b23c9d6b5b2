"""Random numbers in a shape, or in that of another tensor. In: a shape, a range, a generator or none. Out: tensors."""

from __future__ import annotations

from functools import partial
from typing import Any

from ..random import draws, integers
from ..random.generator import Generator, chosen
from ..tensor import dtypes
from .made import Wanted, like, number, of_shape


def rand(*size: Any, generator: Generator | None = None, **wanted: Any) -> Any:
    """Uniform numbers from 0 to below 1."""
    return of_shape("torch.rand", size, Wanted(**wanted), _uniform(generator))


def randn(*size: Any, generator: Generator | None = None, **wanted: Any) -> Any:
    """Normal numbers around 0 with the deviation 1."""
    return of_shape("torch.randn", size, Wanted(**wanted), _normal(generator))


def rand_like(input: Any, *, generator: Generator | None = None, **wanted: Any) -> Any:
    """Uniform numbers in the shape of another tensor."""
    return like("torch.rand_like", input, Wanted(**wanted), _uniform(generator))


def randn_like(input: Any, *, generator: Generator | None = None, **wanted: Any) -> Any:
    """Normal numbers in the shape of another tensor."""
    return like("torch.randn_like", input, Wanted(**wanted), _normal(generator))


def randint(
    *given: Any, low: Any = None, high: Any = None, size: Any = None, generator: Generator | None = None, **wanted: Any
) -> Any:
    """Whole numbers from `low`, or 0, to below `high`. Alone, a number stands for `high`."""
    by_name = {name: value for name, value in (("low", low), ("high", high), ("size", size)) if value is not None}
    order = ("low", "high", "size") if len(given) + len(by_name) > 2 else ("high", "size")
    found = dict(zip(order, given, strict=False)) | by_name
    draw = _whole(generator, found.get("low", 0), found["high"])
    return of_shape("torch.randint", (found["size"],), Wanted(**wanted), draw, dtypes.int64)


def randint_like(
    input: Any, *given: Any, low: Any = None, high: Any = None, generator: Generator | None = None, **wanted: Any
) -> Any:
    """Whole numbers in the shape and of the dtype of another tensor."""
    limits = given if high is None else (*given, high)
    first, last = (low, limits[-1]) if low is not None else (0, *limits)[-2:]
    return like("torch.randint_like", input, Wanted(**wanted), _whole(generator, first, last))


def randperm(n: Any, *, generator: Generator | None = None, **wanted: Any) -> Any:
    """The numbers below `n` in some order."""
    return of_shape(
        "torch.randperm", (n,), Wanted(**wanted),
        lambda shape, dtype, _: integers.permutation(chosen(generator), shape[0], dtype), dtypes.int64,
    )  # fmt: skip


def _uniform(generator: Generator | None) -> Any:
    return lambda shape, dtype, strides: draws.uniform(chosen(generator), shape, dtype, strides=strides)


def _normal(generator: Generator | None) -> Any:
    return lambda shape, dtype, strides: draws.normal(chosen(generator), shape, dtype, strides=strides)


def _whole(generator: Generator | None, low: Any, high: Any) -> Any:
    first, last = int(number(low)), int(number(high))
    return partial(_drawn, chosen(generator), first, last)


def _drawn(generator: Generator, low: int, high: int, shape: Any, dtype: str, strides: Any) -> Any:
    return integers.integers(generator, shape, dtype, low, high, strides)
