"""Losses as torch composes them from operations on tensors. In: tensors of any dtype, whole and complex numbers among
them, and settings. Out: the loss of each element. Rules compute with fractions only, and in one step; what is no
fraction gets its promotions and refusals from the operations themselves.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .computing import computed, keeps, kind_of


def absolute(x: Any, y: Any) -> Any:
    """The size of the difference."""
    return (x - y).abs()


def weighted_absolute(x: Any, y: Any, weight: Any) -> Any:
    """The same, each times a weight."""
    return (x - y).abs() * weight


def weighted_square(x: Any, y: Any, weight: Any) -> Any:
    """The square of the difference, each times a weight."""
    return (x - y).pow(2) * weight


def poisson(x: Any, y: Any, log_input: bool, full: bool, eps: float) -> Any:
    """The loss of rates of counts."""
    loss = x.exp() - y * x if log_input else x - y * (x + eps).log()
    if full:
        loss = loss + (y * y.log() - y + 0.5 * (2 * math.pi * y).log()).masked_fill(y <= 1, 0)
    return loss


def hinge(x: Any, y: Any, margin: float) -> Any:
    """The element where the target is 1, and what is missing to a margin where it is -1."""
    nought = x * 0
    away = (margin - x).clamp(min=0)
    return away.where(y != 1, nought) + x.where(y != -1, nought)


def ranking(x: Any, z: Any, y: Any, margin: float) -> Any:
    """What is missing to a margin between two scores."""
    return (-y * (x - z) + float(margin)).clamp(min=0)


def soft(x: Any, y: Any) -> Any:
    """The logistic loss of a score."""
    both = (-y * x).exp()
    return computed(_log1p, (both,)) if kind_of(both).kind == "c" else both.log1p()


@keeps(0)
def _log1p(z: Any) -> Any:
    """The logarithm of one more than a complex number, of which small ones keep their digits."""
    size = np.log1p(z.real * (2 + z.real) + z.imag**2) / 2
    return size + 1j * np.arctan2(z.imag, 1 + z.real), lambda g: (g / np.conj(1 + z),)
