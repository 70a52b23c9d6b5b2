"""Gamma and Dirichlet numbers. In: a generator and an array of concentrations. Out: an array of its dtype. The
rejections take as many words as they need, so elements are drawn one after another.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .draws import normal
from .engine import Array
from .generator import Generator

_THIRD = float(np.float32(1) / np.float32(3))
_SQUEEZE = float(np.float32(0.0331))


def gamma(generator: Generator, concentrations: Array) -> Array:
    """Gamma numbers of scale one."""
    kind = concentrations.dtype.type
    values = [kind(_number(generator, kind(each))) for each in concentrations.ravel()]
    return np.maximum(np.array(values, kind).reshape(concentrations.shape), np.finfo(kind).tiny)


def dirichlet(generator: Generator, concentrations: Array) -> Array:
    """Shares along the last dimension that sum up to one."""
    kind = concentrations.dtype.type
    parts = gamma(generator, concentrations.astype(np.float64))
    shares = (parts / parts.sum(axis=-1, keepdims=True)).astype(kind)
    return np.clip(shares, np.finfo(kind).tiny, np.nextafter(kind(1), kind(0)))


def _number(generator: Generator, concentration: Any) -> float:
    """The method of Marsaglia and Tsang (2000), with the constants of single precision that programs know."""
    kind, scale = type(concentration), 1.0
    if concentration < 1:
        if concentration == 0:
            return 0.0
        scale = math.pow(1 - generator.engine.double(), float(kind(1) / concentration))
        concentration = concentration + kind(1)
    d = float(concentration - kind(_THIRD))
    c = 1 / math.sqrt(9 * d)
    while True:
        y = 0.0
        while y <= 0:
            x = float(normal(generator, (1,), "float64")[0])
            y = 1 + c * x
        v = y * y * y
        u = 1 - generator.engine.double()
        square = x * x
        if u < 1 - _SQUEEZE * square * square or math.log(u) < 0.5 * square + d * (1 - v + math.log(v)):
            return scale * d * v
