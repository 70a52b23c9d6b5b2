"""Random numbers that are drawn each by a value of its own. In: a tensor of probabilities, weights, means, deviations
or rates. Out: tensors.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core import arrays
from ..random import discrete, draws
from ..random.generator import Generator, chosen
from .made import Wanted, number, of_shape


def bernoulli(input: Any, p: Any = None, *, generator: Generator | None = None) -> Any:
    """One where a trial succeeds, else zero: each with the probability in its place, or all with `p`."""
    shape, dtype, _ = arrays.layout(input)
    if p is not None:
        return arrays.to_tensor(discrete.bernoulli(chosen(generator), shape, dtype, float(number(p))), dtype)
    each = arrays.to_array(input)
    if each.dtype.kind != "f":
        raise NotImplementedError(f"torch.bernoulli: probabilities are fractions; there are none of {dtype}.")
    return arrays.to_tensor(discrete.bernoulli_each(chosen(generator), each, dtype, shape), dtype)


def multinomial(input: Any, num_samples: int, replacement: bool = False, *, generator: Generator | None = None) -> Any:
    """Indices that are drawn by their weights; one row of them per row of weights."""
    return arrays.to_tensor(discrete.multinomial(chosen(generator), arrays.to_array(input), num_samples, replacement))


def poisson(input: Any, generator: Generator | None = None) -> Any:
    """Counts, each with the rate in its place."""
    _, dtype, _ = arrays.layout(input)
    rates = arrays.to_array(input)
    if rates.dtype.kind != "f":
        raise NotImplementedError(f"torch.poisson: rates are fractions; there are none of {dtype}.")
    return arrays.to_tensor(discrete.poisson(chosen(generator), rates), dtype)


def normal(
    mean: Any = 0.0, std: Any = 1.0, size: Any = None, *, generator: Generator | None = None, **wanted: Any
) -> Any:
    """Normal numbers: all around one mean with one deviation in a shape, or each with its own."""
    if size is not None:
        return of_shape(
            "torch.normal", (size,), Wanted(**wanted),
            lambda shape, dtype, strides: draws.normal(
                chosen(generator), shape, dtype, float(number(mean)), float(number(std)), strides
            ),
        )  # fmt: skip
    first = mean if arrays.is_tensor(mean) else std
    dtype = arrays.layout(first).dtype
    around, apart = (arrays.to_array(each) if arrays.is_tensor(each) else each for each in (mean, std))
    _fitting(np.shape(around), np.shape(apart))
    return arrays.to_tensor(draws.normal_around(chosen(generator), around, apart, dtype), dtype)


def _fitting(one: tuple[int, ...], other: tuple[int, ...]) -> None:
    try:
        np.broadcast_shapes(one, other)
    except ValueError:
        raise RuntimeError(f"torch.normal: means of the shape {one} do not fit deviations of {other}.") from None
