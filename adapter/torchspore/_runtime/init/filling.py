"""The functions that fill a tensor with initial weights. In: a tensor, parameters of a formula, a generator or none.
Out: the same tensor; what is written is no part of a gradient.
"""

from __future__ import annotations

import functools
import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from ..core import arrays
from ..core.arrays import BFLOAT16
from ..random import draws
from ..random.generator import Generator, chosen
from . import values

Tensor = Any


def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """The factor that keeps the variance behind a function."""
    return values.gain(nonlinearity, param)


def _calculate_fan_in_and_fan_out(tensor: Tensor) -> tuple[int, int]:
    return values.fans(arrays.layout(tensor).shape)


def _calculate_correct_fan(tensor: Tensor, mode: str) -> int:
    return values.fan(arrays.layout(tensor).shape, mode)


def uniform_(tensor: Tensor, a: float = 0.0, b: float = 1.0, generator: Generator | None = None) -> Tensor:
    """Uniform numbers from `a` to below `b`."""
    shape, dtype, strides = arrays.layout(tensor)
    return _filled(tensor, draws.uniform(chosen(generator), shape, dtype, a, b, strides))


def normal_(tensor: Tensor, mean: float = 0.0, std: float = 1.0, generator: Generator | None = None) -> Tensor:
    """Normal numbers."""
    shape, dtype, strides = arrays.layout(tensor)
    return _filled(tensor, draws.normal(chosen(generator), shape, dtype, mean, std, strides))


def trunc_normal_(
    tensor: Tensor,
    mean: float = 0.0,
    std: float = 1.0,
    a: float = -2.0,
    b: float = 2.0,
    generator: Generator | None = None,
) -> Tensor:
    """Normal numbers between two limits."""
    return _filled(tensor, values.truncated_normal(arrays.layout(tensor), mean, std, a, b, chosen(generator)))


def constant_(tensor: Tensor, val: float) -> Tensor:
    """One number everywhere."""
    shape, dtype, _ = arrays.layout(tensor)
    return _filled(tensor, np.full(shape, val, "float32" if dtype == BFLOAT16 else dtype))


def ones_(tensor: Tensor) -> Tensor:
    """Ones."""
    return constant_(tensor, 1.0)


def zeros_(tensor: Tensor) -> Tensor:
    """Zeros."""
    return constant_(tensor, 0.0)


def eye_(tensor: Tensor) -> Tensor:
    """Ones on the diagonal."""
    return _filled(tensor, values.identity(arrays.layout(tensor)))


def dirac_(tensor: Tensor, groups: int = 1) -> Tensor:
    """Kernels that hand channels on as they are."""
    return _filled(tensor, values.dirac(arrays.layout(tensor), groups))


def xavier_uniform_(tensor: Tensor, gain: float = 1.0, generator: Generator | None = None) -> Tensor:
    """Uniform numbers whose variance suits both directions through a layer."""
    bound = math.sqrt(3.0) * _xavier(tensor, gain)
    return uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor: Tensor, gain: float = 1.0, generator: Generator | None = None) -> Tensor:
    """Normal numbers whose variance suits both directions through a layer."""
    return normal_(tensor, 0.0, _xavier(tensor, gain), generator)


def kaiming_uniform_(
    tensor: Tensor,
    a: float = 0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: Generator | None = None,
) -> Tensor:
    """Uniform numbers whose variance suits one direction through a layer and the function behind it."""
    if _is_empty(tensor):
        return tensor
    bound = math.sqrt(3.0) * _kaiming(tensor, a, mode, nonlinearity)
    return uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(
    tensor: Tensor,
    a: float = 0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: Generator | None = None,
) -> Tensor:
    """Normal numbers whose variance suits one direction through a layer and the function behind it."""
    if _is_empty(tensor):
        return tensor
    return normal_(tensor, 0, _kaiming(tensor, a, mode, nonlinearity), generator)


def orthogonal_(tensor: Tensor, gain: float = 1, generator: Generator | None = None) -> Tensor:
    """Rows or columns at right angles."""
    layout = arrays.layout(tensor)
    if len(layout.shape) > 1 and 0 in layout.shape:
        return tensor
    return _filled(tensor, values.orthogonal(layout, gain, chosen(generator)))


def sparse_(tensor: Tensor, sparsity: float, std: float = 0.01, generator: Generator | None = None) -> Tensor:
    """Normal numbers with zeros among them."""
    return _filled(tensor, values.sparse(arrays.layout(tensor), sparsity, std, chosen(generator)))


def _filled(tensor: Tensor, array: Any) -> Tensor:
    arrays.write(tensor, array)
    return tensor


def _xavier(tensor: Tensor, gain: float) -> float:
    return gain * math.sqrt(2.0 / float(sum(_calculate_fan_in_and_fan_out(tensor))))


def _kaiming(tensor: Tensor, a: float, mode: str, nonlinearity: str) -> float:
    fan = _calculate_correct_fan(tensor, mode)
    return values.gain(nonlinearity, a) / math.sqrt(fan)


def _is_empty(tensor: Tensor) -> bool:
    if 0 not in arrays.layout(tensor).shape:
        return False
    warnings.warn("Initializing zero-element tensors is a no-op", stacklevel=3)
    return True


def _old_name(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """A function under the name that it had before names of what writes in place ended in a line."""
    new = function.__name__
    old = new.removesuffix("_")

    @functools.wraps(function)
    def deprecated(*arguments: Any, **keywords: Any) -> Tensor:
        warnings.warn(f"`nn.init.{old}` is now deprecated in favor of `nn.init.{new}`.", FutureWarning, stacklevel=2)
        return function(*arguments, **keywords)

    deprecated.__name__ = deprecated.__qualname__ = old
    return deprecated


uniform = _old_name(uniform_)
normal = _old_name(normal_)
constant = _old_name(constant_)
eye = _old_name(eye_)
dirac = _old_name(dirac_)
xavier_uniform = _old_name(xavier_uniform_)
xavier_normal = _old_name(xavier_normal_)
kaiming_uniform = _old_name(kaiming_uniform_)
kaiming_normal = _old_name(kaiming_normal_)
orthogonal = _old_name(orthogonal_)
sparse = _old_name(sparse_)
