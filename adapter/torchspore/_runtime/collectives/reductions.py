"""Reductions across ranks. In: a reduce operator of the caller (our own, or the enum of another framework) and the
tensor it applies to. Out: a `Reduction`, which says what MindSpore is asked for, how tensors are encoded before and
decoded after. MindSpore has sum, prod, min and max; everything else is one of these on encoded tensors.
"""

from __future__ import annotations

from enum import Enum
from typing import Any, overload

from ..core.errors import UnsupportedReduceOp
from ..core.framework import Tensor, dtypes, mindspore
from .delivery import flat, whole


class ReduceOp(Enum):
    """How values of several ranks become one."""

    SUM = 0
    AVG = 1
    PRODUCT = 2
    MIN = 3
    MAX = 4
    BAND = 5
    BOR = 6
    BXOR = 7
    PREMUL_SUM = 8


_NATIVE = {ReduceOp.SUM: "sum", ReduceOp.PRODUCT: "prod", ReduceOp.MIN: "min", ReduceOp.MAX: "max"}
# A bit that is set anywhere, everywhere, an odd number of times: the largest, the smallest, the sum of the bits.
_BITWISE = {ReduceOp.BOR: "max", ReduceOp.BAND: "min", ReduceOp.BXOR: "sum"}
_LOGICAL = {
    ReduceOp.SUM: "max",
    ReduceOp.MAX: "max",
    ReduceOp.BOR: "max",
    ReduceOp.PRODUCT: "min",
    ReduceOp.MIN: "min",
    ReduceOp.BAND: "min",
    ReduceOp.BXOR: "sum",
}
_FLOATS = (dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64)
_PARTS = {dtypes.complex64: dtypes.float32, dtypes.complex128: dtypes.float64}
_INTEGERS = (dtypes.int8, dtypes.uint8, dtypes.int16, dtypes.int32, dtypes.int64)
_BITS = [1 << place for place in range(7)] + [-128]  # of a byte, as int8


def operator_of(name: str, op: Any) -> ReduceOp:
    """The operator that a caller means. Enums of another framework count by the names of their members, so that
    its package need not be imported."""
    if isinstance(op, ReduceOp):
        found = op
    else:
        member = getattr(op, "op", op)  # an operator with a factor wraps its enum member
        label = str(getattr(member, "name", ""))
        if type(member).__name__ != "RedOpType" or label not in ReduceOp.__members__:
            raise TypeError(f"{name} must be a ReduceOp such as ReduceOp.SUM, but it is {op!r}.")
        found = ReduceOp[label]
    if found is ReduceOp.PREMUL_SUM:
        raise UnsupportedReduceOp(
            f"{name}=ReduceOp.PREMUL_SUM does not exist in MindSpore; multiply the tensor first and use ReduceOp.SUM."
        )
    return found


class Reduction:
    """One reduction of tensors of one dtype: `op` is MindSpore's word for it. Encoded tensors of one shape have one
    shape again, so that they can be joined and split by rank along dimension 0."""

    __slots__ = ("_bitwise", "_dtype", "_shared", "op")

    def __init__(self, name: str, op: Any, dtype: Any, ranks: int) -> None:
        operator = operator_of(name, op)
        self._dtype = dtype
        self._bitwise = False
        self._shared = 0
        if dtype in _PARTS:
            if operator not in (ReduceOp.SUM, ReduceOp.AVG):
                raise UnsupportedReduceOp(f"{name}={operator} is not defined for complex tensors; use SUM or AVG.")
        elif operator is ReduceOp.AVG and dtype not in _FLOATS:
            raise UnsupportedReduceOp(
                f"{name}={operator} needs a floating-point tensor, not {dtype}; use SUM and divide."
            )
        if operator is ReduceOp.AVG:
            self._shared = ranks
            operator = ReduceOp.SUM
        if dtype == dtypes.bool_:
            self.op = _LOGICAL[operator]
        elif operator in _BITWISE:
            if dtype not in _INTEGERS:
                raise UnsupportedReduceOp(f"{name}={operator} needs an integer or bool tensor, not {dtype}.")
            self.op = _BITWISE[operator]
            self._bitwise = True
        else:
            self.op = _NATIVE[operator]

    @overload
    def encode(self, value: list[Tensor]) -> list[Tensor]: ...
    @overload
    def encode(self, value: Tensor) -> Tensor: ...
    def encode(self, value: Any) -> Any:
        """What is sent, or received into, instead of a tensor or of each of a list."""
        if isinstance(value, list | tuple):
            return [self.encode(tensor) for tensor in value]
        if self._dtype == dtypes.bool_:
            return flat(value).view(dtypes.int8)
        if self._dtype in _PARTS:
            return flat(value).view(_PARTS[self._dtype])
        if self._bitwise:
            octets = flat(value).view(dtypes.int8).reshape((-1, 1))
            return (mindspore.mint.bitwise_and(octets, _octet()) != 0).astype(dtypes.int8)
        return whole(value)

    def decode(self, value: Tensor) -> Tensor:
        """The caller's tensor for a received one that was encoded."""
        if self._dtype == dtypes.bool_:
            value = self._odd(value).view(dtypes.bool_)
        elif self._dtype in _PARTS:
            value = value.view(self._dtype)
        elif self._bitwise:
            octets = mindspore.mint.sum(self._odd(value).reshape((-1, 8)) * _octet(), dim=-1)
            value = octets.astype(dtypes.int8).view(self._dtype)
        return value / self._shared if self._shared else value

    def _odd(self, bits: Tensor) -> Tensor:
        """Sums of bits as bits: their parity, which survives that sums wrap at 256."""
        return mindspore.mint.bitwise_and(bits, mindspore.Tensor([1], dtypes.int8)) if self.op == "sum" else bits


def _octet() -> Tensor:
    return mindspore.Tensor(_BITS, dtypes.int8)


def reduces_complex(op: Any) -> bool:
    """Whether complex numbers can be reduced by an operator."""
    return getattr(op, "name", None) not in ("MAX", "MIN", "PRODUCT", "BAND", "BOR", "BXOR")
