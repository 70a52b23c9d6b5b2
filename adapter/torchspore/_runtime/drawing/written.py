"""Random numbers that are written into a tensor. In: the tensor, what its numbers are drawn by, a generator or none.
Out: the same tensor. Its elements are drawn in the order in which they lie in memory; what was there has no gradient.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..core import arrays
from ..random import discrete, draws, integers
from ..random.generator import Generator, chosen
from ..tensor import dtypes
from ..tensor.writing import writable, write
from .made import number


def uniform_(input: Any, low: Any = 0, high: Any = 1, *, generator: Generator | None = None, **limits: Any) -> Any:
    """Uniform numbers from one limit to below another, which may be given as `from` and `to`."""
    low, high = limits.pop("from", low), limits.pop("to", high)
    return _drawn(input, draws.uniform, generator, _float(low), _float(high))


def normal_(input: Any, mean: Any = 0, std: Any = 1, *, generator: Generator | None = None) -> Any:
    """Normal numbers around a mean with a deviation."""
    return _drawn(input, draws.normal, generator, _float(mean), _float(std))


def exponential_(input: Any, lambd: Any = 1, *, generator: Generator | None = None) -> Any:
    """Exponential numbers with a rate."""
    return _drawn(input, draws.exponential, generator, _float(lambd))


def cauchy_(input: Any, median: Any = 0, sigma: Any = 1, *, generator: Generator | None = None) -> Any:
    """Numbers of the Cauchy distribution around a median."""
    return _drawn(input, draws.cauchy, generator, _float(median), _float(sigma))


def log_normal_(input: Any, mean: Any = 1, std: Any = 2, *, generator: Generator | None = None) -> Any:
    """Numbers whose logarithms are normal, with the mean and the deviation of these."""
    return _drawn(input, draws.log_normal, generator, _float(mean), _float(std))


def geometric_(input: Any, p: Any, *, generator: Generator | None = None) -> Any:
    """How many trials a success takes."""
    _of_kinds("geometric_", input, "fui")
    return _drawn(input, draws.geometric, generator, _float(p))


def bernoulli_(input: Any, p: Any = 0.5, *, generator: Generator | None = None) -> Any:
    """One where a trial succeeds, else zero: all with one probability, or each with its own."""
    _of_kinds("bernoulli_", input, "fuib")
    if not arrays.is_tensor(p):
        return _drawn(input, discrete.bernoulli, generator, float(p))
    each = arrays.to_array(p)
    if each.dtype.kind != "f":
        raise NotImplementedError(
            f"bernoulli_: probabilities are fractions; there are none of {arrays.layout(p).dtype}."
        )
    shape, dtype, strides = arrays.layout(input)
    try:
        each = np.broadcast_to(each, shape)
    except ValueError:
        raise RuntimeError(
            f"bernoulli_: probabilities of the shape {list(each.shape)} do not fit a tensor of {list(shape)}."
        ) from None
    writable(input)
    numbers = discrete.bernoulli_each(chosen(generator), each, dtype, shape, strides)
    return write(input, arrays.to_tensor(numbers, dtype), replaces=True)


def random_(input: Any, *limits: Any, generator: Generator | None = None, **named: Any) -> Any:
    """Whole numbers: from 0 to the largest that the dtype holds without gaps, or from a first to below a last one; one
    limit alone is the last."""
    _of_kinds("random_", input, "fuib")
    first, last = (*limits, None)[:2] if len(limits) > 1 or "from" in named else (0, *limits, None)[:2]
    first, last = named.pop("from", first), named.pop("to", last)
    if not limits and first == 0 and last is None and "from" not in named:
        return _drawn(input, integers.all_integers, generator)
    return _drawn(input, integers.integers, generator, int(first), None if last is None else int(last))


def _of_kinds(name: str, input: Any, kinds: str) -> None:
    """Refuse dtypes that nothing is drawn for."""
    kind = dtypes.named(arrays.layout(input).dtype).kind
    if kind not in kinds:
        raise NotImplementedError(f"{name} is not implemented for {arrays.layout(input).dtype}.")


def _drawn(input: Any, draw: Callable[..., Any], generator: Generator | None, *by: Any) -> Any:
    """Fill a tensor with what a function draws for its shape and its dtype."""
    writable(input)
    shape, dtype, strides = arrays.layout(input)
    return write(input, arrays.to_tensor(draw(chosen(generator), shape, dtype, *by, strides), dtype), replaces=True)


def _float(value: Any) -> float:
    return float(number(value))
