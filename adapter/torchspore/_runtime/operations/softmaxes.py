"""Shares of a whole along a dimension, as torch's own functions and methods name them. In: scores. Out: shares, or
their logarithms. The functions of layers leave the dimension open and know other parameters.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..functional import softmaxes
from ..functional.computing import RESULT, computed, fractions, keeps
from ..tensor.size import wrapped


def softmax(input: Any, dim: int, dtype: Any = None) -> Any:
    """The shares of a whole that scores stand for."""
    place = wrapped(dim, input.ndim)
    source = input if dtype is None else input.to(dtype)
    fractions("softmax", source)
    return computed(_shares, (source,), place)


@keeps(RESULT)
def _shares(x: Any, dim: int) -> Any:
    y = softmaxes.shares(x, dim)

    def back(g: Any) -> Any:
        whole = (g * y).sum(dim, keepdims=True, dtype=np.float64) if x.ndim else g * y
        return ((g - whole) * y,)

    return y, back


def log_softmax(input: Any, dim: int, dtype: Any = None) -> Any:
    """The logarithms of the shares."""
    return softmaxes.log_softmax(input, dim, dtype=dtype)
