"""Which dtype a calculation with several operands has. Tensors with dimensions count most, then tensors without, then
Python's numbers; one that counts less changes the dtype only by being of a higher kind.
"""

from __future__ import annotations

from typing import Any

from ..core.framework import mindspore
from . import dtypes

_Plain = mindspore.Tensor
_dtype = mindspore.Tensor._dtype.__get__
_ndim = mindspore.Tensor.ndim.__get__

KIND = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}


def promote(one: Any, other: Any) -> Any:
    """The dtype that holds the values of both."""
    if one is other or one == other:
        return one
    low, high = sorted((one, other), key=lambda each: KIND[each.kind])
    if KIND[low.kind] < KIND[high.kind]:
        wide = low == dtypes.float64 or low == dtypes.complex128
        return dtypes.complex128 if high.is_complex and wide else high
    if high.kind == "f" and low.itemsize == high.itemsize:
        return dtypes.float32  # the two halves
    if low.kind == high.kind:
        return low if low.itemsize > high.itemsize else high
    unsigned, signed = sorted((one, other), key=lambda each: each.kind, reverse=True)
    if unsigned.itemsize < signed.itemsize:
        return signed
    if unsigned == dtypes.uint8:
        return dtypes.int16
    raise RuntimeError(f"Promotion for {unsigned} and {signed} is not defined: cast one of them.")


def _joined(higher: Any, lower: Any) -> Any:
    """Of two ranks of operands, what the lower one makes of the dtype of the higher."""
    if lower is None or higher is None:
        return higher if lower is None else lower
    if higher.is_complex:
        return higher
    if higher.is_floating_point:
        return higher.to_complex() if lower.is_complex else higher
    if higher == dtypes.bool_ or KIND[lower.kind] > 1:
        return promote(higher, lower)
    return higher


def of_number(number: Any) -> Any:
    """The dtype that a Python number counts as."""
    if isinstance(number, bool):
        return dtypes.bool_
    if isinstance(number, int):
        return dtypes.int64
    return dtypes.default_complex() if isinstance(number, complex) else dtypes.default()


def result_type(*operands: Any, compares: bool = False) -> Any:
    """The dtype of a calculation with these tensors and numbers; of a comparison, the one that it is made in."""
    ranks: list[Any] = [None, None, None]
    for operand in operands:
        tensor = isinstance(operand, _Plain)
        rank = (0 if _ndim(operand) else 1) if tensor else 2
        kind = dtypes.of(_dtype(operand)) if tensor else of_number(operand)
        ranks[rank] = kind if ranks[rank] is None else promote(ranks[rank], kind)
    result = _joined(ranks[0], _joined(ranks[1], ranks[2]))
    if not compares and result.is_complex and next(each for each in ranks if each is not None) == dtypes.float16:
        raise RuntimeError("the result would be of dtype complex32, which MindSpore does not have")
    return result


def can_cast(source: Any, target: Any) -> bool:
    """Whether a result of one dtype may be written into a tensor of another."""
    source, target = dtypes.of(source), dtypes.of(target)
    order = KIND[source.kind] <= KIND[target.kind]
    return order and not (source.is_signed and target.kind == "u") if target.kind != "u" else order
