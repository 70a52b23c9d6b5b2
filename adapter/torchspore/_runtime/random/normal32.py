"""Logarithm, sine and cosine in single precision, step for step as the vector instructions of a processor compute them
for normal numbers. In: float32 arrays. Out: float32 arrays. The polynomials are those of the Cephes library.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .engine import Array
from .rounding import fused

_single = np.float32
_LOGARITHM = (7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1, 1.4249322787e-1,
              -1.6668057665e-1, 2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1)  # fmt: skip
_SINE = (-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1)
_COSINE = (2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2)
_ROOT_HALF = _single(0.707106781186547524)
_LN_2 = (_single(-2.12194440e-4), _single(0.693359375))
_QUARTER = tuple(map(_single, (-0.78515625, -2.4187564849853515625e-4, -3.77489497744594108e-8)))
_PER_QUARTER = _single(1.27323954473516)


def log(values: Array) -> Array:
    """The natural logarithm of numbers above 0."""
    fraction, exponent = np.frexp(values)
    small = fraction < _ROOT_HALF
    power = (exponent - small).astype(_single)
    x = np.where(small, fraction - _single(1) + fraction, fraction - _single(1))
    z = x * x
    y = fused(_polynomial(_LOGARITHM, x) * x, z, power * _LN_2[0])
    y = y - z * _single(0.5)
    return (x + y) + power * _LN_2[1]


def sine_and_cosine(angles: Array) -> tuple[Array, Array]:
    """Both functions of angles from 0 on."""
    octant = (angles * _PER_QUARTER).astype(np.int32)
    octant = octant + 1 & ~1
    steps = octant.astype(_single)
    x = angles
    for part in _QUARTER:
        x = fused(steps, part, x)
    z = x * x
    near = _polynomial(_COSINE, z) * z
    near = fused(near, z, -(z * _single(0.5))) + _single(1)
    steep = fused(_polynomial(_SINE, z) * z, x, x)
    swapped = (octant & 2) != 0
    sine = np.where(swapped, near, steep)
    cosine = np.where(swapped, steep, near)
    return np.where(octant & 4, -sine, sine), np.where(octant - 2 & 4, cosine, -cosine)


def _polynomial(coefficients: tuple[float, ...], x: Array) -> Any:
    total = np.full_like(x, coefficients[0])
    for coefficient in coefficients[1:]:
        total = fused(total, x, _single(coefficient))
    return total
