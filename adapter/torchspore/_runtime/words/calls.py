"""Words of calls in one process that are about more than a plain value: tensors, dtypes, devices, parameters."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy

from ..core.errors import Rejected, UnsupportedArgument
from ..core.framework import Tensor, dtypes, is_tensor, mindspore, platform


def promote(tensors: Sequence[Tensor]) -> Sequence[Tensor]:
    """Tensors in the one dtype that holds the values of all of them."""
    if len({tensor.dtype for tensor in tensors}) <= 1:
        return tensors
    common = tensors[0].dtype
    for tensor in tensors[1:]:
        common = _wider(common, tensor.dtype)
    return [tensor if tensor.dtype == common else tensor.astype(common) for tensor in tensors]


def promoted_with(tensor: Tensor, other: Tensor) -> Tensor:
    """A tensor in the dtype that it and another one have together: a tensor without dimensions counts only by its
    kind, unless both have none."""
    if tensor.dtype == other.dtype:
        return tensor
    common = _wider(tensor.dtype, other.dtype)
    if bool(tensor.ndim) != bool(other.ndim):
        sized, single = (tensor, other) if tensor.ndim else (other, tensor)
        common = sized.dtype if _kind(sized.dtype) >= _kind(single.dtype) else common
    return tensor if tensor.dtype == common else tensor.astype(common)


def _kind(dtype: Any) -> int:
    """Truth values below integers below floats below complex numbers."""
    kinds = ((dtypes.bool_,), (dtypes.uint8, *_SIGNED), (dtypes.bfloat16, *_FLOATS))
    return next((place for place, kind in enumerate(kinds) if dtype in kind), len(kinds))


def integers_as_float(tensor: Tensor) -> Tensor:
    """A tensor of integers or truth values as float32, any other as it is."""
    return tensor if _kind(tensor.dtype) > 1 else tensor.astype(dtypes.float32)


def without_legacy_empty(tensors: Sequence[Tensor]) -> Sequence[Tensor]:
    """Tensors to be joined, without those of the shape (0,) beside others of more dimensions: they add nothing."""
    if len({tensor.ndim for tensor in tensors}) == 1:
        return tensors
    return [tensor for tensor in tensors if tuple(tensor.shape) != (0,)] or tensors


def centred(tensor: Tensor) -> Tensor:
    """A tensor around 0 instead of around its mean, which changes no spread: MindSpore's CPU kernel loses the digits of
    numbers that are far from 0 and near to each other."""
    if platform() != "CPU" or not is_tensor(tensor) or not tensor.is_floating_point() or not tensor._size:
        return tensor
    mean = mindspore.ops.stop_gradient(mindspore.ops.mean(tensor.float()))
    return tensor - mean.astype(tensor.dtype) if numpy.isfinite(mean.asnumpy()) else tensor


def smallest_by_negation(largest: Any, tensor: Tensor) -> Any:
    """Whether the largest are asked for. MindSpore's CPU kernel finds the smallest as the largest of the negated, so
    that integers which cannot be negated are refused."""
    if largest or platform() != "CPU" or not is_tensor(tensor) or tensor.dtype not in (dtypes.uint8, *_SIGNED):
        return largest
    array = tensor.asnumpy()
    limit = numpy.iinfo(array.dtype).min
    if array.size and (tensor.dtype == dtypes.uint8 or (array == limit).any()):
        raise UnsupportedArgument(
            f"MindSpore finds the smallest by negation, which fails for uint8 and for {limit} of {array.dtype}."
        )
    return largest


def castable(dtype: Any, tensor: Tensor) -> Any:
    """A dtype that a tensor is to have; of complex numbers no truth values, because MindSpore looks at the real part
    only."""
    if dtype == dtypes.bool_ and tensor.dtype in (dtypes.complex64, dtypes.complex128):
        raise UnsupportedArgument("MindSpore takes the truth value of the real part only; compare with 0 instead.")
    return dtype


_FLOATS = (dtypes.float16, dtypes.float32, dtypes.float64)
_SIGNED = (dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64)


def _wider(one: Any, other: Any) -> Any:
    """The smaller of the dtypes that hold the values of both, a kind before a width."""
    if one == other:
        return one
    for kind in ((dtypes.complex64, dtypes.complex128), (dtypes.bfloat16, *_FLOATS), (dtypes.uint8, *_SIGNED)):
        inside = [each for each in (one, other) if each in kind]
        if len(inside) == 1:
            return _complex_of(inside[0], one, other) if kind[0] == dtypes.complex64 else inside[0]
        if inside:
            if kind[0] == dtypes.bfloat16 and set(inside) == {dtypes.bfloat16, dtypes.float16}:
                return dtypes.float32
            if kind[0] == dtypes.uint8 and set(inside) == {dtypes.uint8, dtypes.int8}:
                return dtypes.int16
            return max(inside, key=kind.index)
    return one


def _complex_of(found: Any, one: Any, other: Any) -> Any:
    return dtypes.complex128 if dtypes.float64 in (one, other) else found


def flatten(tensor: Tensor) -> Tensor:
    """All elements in one row."""
    return tensor.reshape((-1,))


def whole_number(value: Any) -> Any:
    """A whole number; what is none is refused, because MindSpore takes no other."""
    if not isinstance(value, float):
        return value
    if not value.is_integer():
        raise UnsupportedArgument(f"MindSpore takes whole numbers only here, and this is {value!r}.")
    return int(value)


def legacy_reduction(size_average: Any, reduce: Any, reduction: str) -> str:
    """The reduction that is meant: by its name, or by two older parameters, which win where they are given."""
    if size_average is None and reduce is None:
        return reduction
    meant = "none" if reduce is False else "sum" if size_average is False else "mean"
    warnings.warn(f"size_average and reduce will be removed; use reduction={meant!r} instead.", stacklevel=4)
    return meant


def dtype_or(value: Any, *, dtype: str) -> Any:
    """The dtype that is given, or else a certain one."""
    return getattr(dtypes, dtype) if value is None else value


def inferred_dtype(value: Any, sample: Any) -> Any:
    """The dtype that is given, or else the one that a Python number has as a tensor."""
    if value is not None:
        return value
    if isinstance(sample, mindspore.Tensor):
        return sample.dtype
    kinds = ((bool, dtypes.bool_), (int, dtypes.int64), (float, dtypes.float32), (complex, dtypes.complex64))
    return next((dtype for kind, dtype in kinds if isinstance(sample, kind)), None)


def in_range(value: Any, dtype: Any) -> Any:
    """A number that a dtype can hold; any other is refused, because MindSpore would wrap it around."""
    limits = _LIMITS.get(str(dtype).lower())
    if limits and isinstance(value, int | float) and not limits[0] <= value <= limits[1]:
        raise Rejected(f"{value!r} is out of the range of {str(dtype).lower()}.")
    return value


_LIMITS = {f"int{bits}": (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) for bits in (8, 16, 32, 64)}
_LIMITS["uint8"] = (-255, 255)  # a negative number means its two's complement


def varargs_or_list(values: Sequence[Any]) -> Sequence[Any]:
    """The positional arguments of a variadic parameter; a single list or tuple among them is taken for all of them."""
    return values[0] if len(values) == 1 and isinstance(values[0], list | tuple) else values


_DEVICES = {"cpu": "CPU", "npu": "Ascend", "ascend": "Ascend"}


def device_name(value: Any) -> Any:
    """A device under MindSpore's name; none given means the one that is in use."""
    if value is None:
        return platform()
    known = _DEVICES.get(str(value).lower().partition(":")[0])
    if known is None:
        raise UnsupportedArgument(f"MindSpore has no device {str(value)!r}; it has cpu and npu.")
    return known


def parameter_groups(params: Any, *, keys: Sequence[str]) -> Any:
    """Parameters as a list, or groups of them; a group has values of its own for some keys only."""
    listed = list(params)
    if not listed or not isinstance(listed[0], dict):
        return listed
    for group in listed:
        if others := [name for name in group if name not in ("params", *keys)]:
            taken = ", ".join(keys)
            raise UnsupportedArgument(f"MindSpore takes {taken} for a group of parameters, but not {others[0]}.")
    return [dict(group, params=_listed(group["params"])) for group in listed]


def _listed(parameters: Any) -> list[Any]:
    return [parameters] if is_tensor(parameters) else list(parameters)


def cast(tensor: Tensor, *, dtype: str) -> Tensor:
    """A result in the dtype that the caller expects."""
    return tensor.astype(getattr(dtypes, dtype))


def without_nan(tensor: Any) -> bool:
    """Whether a tensor is free of nan; looked at on a CPU only, whose kernels it leads astray."""
    if platform() != "CPU" or not is_tensor(tensor) or not tensor.is_floating_point():
        return True
    plain = tensor.float() if tensor.dtype == dtypes.bfloat16 else tensor
    return not numpy.isnan(plain.asnumpy()).any()
