"""Dropout: elements, or whole channels, are made nought by chance while training. In: a tensor and a probability. Out:
a tensor; the words taken from the random stream are those that torch takes.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from ..random import discrete
from ..random.generator import default_generator
from ..tensor.arithmetic import mul
from .activations import written
from .computing import computed, keeps, kind_of, tensor_argument

SELU_DEPTH = 1.7580993408473766


@keeps()
def _scaled(x: Any, noise: Any) -> Any:
    return x * noise, lambda g: (g * noise,)


@keeps()
def _shifted(x: Any, scale: Any, shift: Any) -> Any:
    return x * scale + shift, lambda g: (g * scale,)


def _probability(p: float) -> None:
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")


def _dropped(input: Any, p: float, training: bool, inplace: bool, channels: int = 0) -> Any:
    """The input times what chance gives: to each element, or to all of a channel, which is the last of so many
    dimensions."""
    tensor_argument("dropout", "input", input)
    _probability(p)
    if p == 0 or not training or not input.numel():
        return input
    if inplace:
        return written(input, lambda tensor: _dropped(tensor, p, True, False, channels))
    shape = _channels(input, channels) if channels else None
    kind = kind_of(input)
    if p == 1:
        return mul(input, 0).to(kind)
    if kind.kind == "c":
        raise NotImplementedError(f"dropout is not implemented for {kind}")
    if kind.kind != "f":
        raise RuntimeError(f"result type Float can't be cast to the desired output type {kind}")
    strides = tuple(input.stride()) if shape is None else None
    noise = discrete.dropout_noise(default_generator, shape or tuple(input.shape), kind.name, p, strides)
    return computed(_scaled, (input,), noise.astype(np.float32) if noise.dtype == np.float16 else noise)


def dropout(input: Any, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    """The elements, each made nought with a probability, the rest scaled so that the mean stays."""
    return _dropped(input, p, training, inplace)


def _channels(input: Any, count: int) -> tuple[int, ...]:
    if input.ndim < 2:
        raise RuntimeError("Feature dropout requires at least 2 dimensions in the input")
    return (*map(int, input.shape[:count]), *(1,) * (input.ndim - count))


def dropout1d(input: Any, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    """Whole channels of sequences made nought."""
    _probability(p)
    if input.ndim not in (2, 3):
        raise RuntimeError(f"dropout1d: Expected 2D or 3D input, but received a {input.ndim}D input.")
    return _unbatched(input, 2, p, training, inplace)


def dropout2d(input: Any, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    """Whole channels of images made nought."""
    _probability(p)
    if input.ndim not in (3, 4):
        warnings.warn(f"dropout2d: Received a {input.ndim}-D input to dropout2d, which is deprecated.", stacklevel=2)
    return _dropped(input, p, training, inplace, 2)


def dropout3d(input: Any, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    """Whole channels of volumes made nought."""
    _probability(p)
    if input.ndim not in (4, 5):
        warnings.warn(f"dropout3d: Received a {input.ndim}-D input to dropout3d, which is deprecated.", stacklevel=2)
    return _unbatched(input, 4, p, training, inplace)


def _unbatched(input: Any, rank: int, p: float, training: bool, inplace: bool) -> Any:
    """Channels come first in a single sample, and after the batch elsewhere."""
    if not training:
        return input
    return _dropped(input, p, training, inplace, 1 if input.ndim == rank else 2)


def _alpha(input: Any, p: float, training: bool, inplace: bool, channels: int) -> Any:
    tensor_argument("alpha_dropout", "input", input)
    _probability(p)
    if p == 0 or not training or not input.numel():
        return input
    if inplace:
        return written(input, lambda tensor: _alpha(tensor, p, True, False, channels))
    shape = _channels(input, channels) if channels else None
    kind = kind_of(input)
    if p == 1:
        return mul(input, 0).to(kind)
    if kind.kind == "c":
        raise NotImplementedError(f"alpha_dropout is not implemented for {kind}")
    if kind.kind != "f":
        raise RuntimeError(f"result type Float can't be cast to the desired output type {kind}")
    strides = tuple(input.stride()) if shape is None else None
    kept = discrete.bernoulli(default_generator, shape or tuple(input.shape), kind_of(input).name, 1 - p, strides)
    kept = kept.astype(np.float64 if kind_of(input).name == "float64" else np.float32)
    scale = 1.0 / np.sqrt((SELU_DEPTH**2 * p + 1) * (1 - p))
    shift = (kept - 1) * (SELU_DEPTH * scale) + SELU_DEPTH * scale * p
    return computed(_shifted, (input,), (kept * scale).astype(kept.dtype), shift.astype(kept.dtype))


def alpha_dropout(input: Any, p: float = 0.5, training: bool = False, inplace: bool = False) -> Any:
    """Elements brought to the floor of the scaled exponential unit, the rest moved so that mean and variance stay."""
    return _alpha(input, p, training, inplace, 0)


def feature_alpha_dropout(input: Any, p: float = 0.5, training: bool = False, inplace: bool = False) -> Any:
    """The same for whole channels."""
    return _alpha(input, p, training, inplace, 2)
