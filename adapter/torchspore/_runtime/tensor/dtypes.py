"""The dtypes: MindSpore's own, in classes that also answer what torch programs ask of a dtype.

An object of these classes is equal to MindSpore's dtype of the same name and every function of MindSpore takes it.
`of` gives the object for one of MindSpore's dtypes, `default` the dtype of Python's floats.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.framework import dtypes as mindspore_dtypes
from ..core.private import dtype_classes


class dtype:
    """What kind of numbers a tensor holds."""

    _known: tuple[str, int, str]

    def __repr__(self) -> str:
        return f"torch.{self._known[0]}"

    __str__ = __repr__

    def __reduce__(self) -> Any:
        return named, (self._known[0],)

    def __copy__(self) -> dtype:
        return self

    def __deepcopy__(self, memo: object) -> dtype:
        return self

    @property
    def name(self) -> str:
        return self._known[0]

    @property
    def itemsize(self) -> int:
        return self._known[1]

    @property
    def kind(self) -> str:
        """b: truth values, u and i: whole numbers, f: fractions, c: complex numbers."""
        return self._known[2]

    @property
    def is_floating_point(self) -> bool:
        return self._known[2] == "f"

    @property
    def is_complex(self) -> bool:
        return self._known[2] == "c"

    @property
    def is_signed(self) -> bool:
        return self._known[2] not in "bu"

    def to_complex(self) -> Any:
        return {"float64": complex128}.get(self.name, self if self.is_complex else complex64)

    def to_real(self) -> Any:
        return {"complex64": float32, "complex128": float64}.get(self.name, self)


class _Bool(dtype, dtype_classes.Bool):
    __slots__ = ()


class _UInt(dtype, dtype_classes.UInt):
    __slots__ = ()


class _Int(dtype, dtype_classes.Int):
    __slots__ = ()


class _Float(dtype, dtype_classes.Float):
    __slots__ = ()


class _BFloat(dtype, dtype_classes.BFloat):
    __slots__ = ()


class _Complex(dtype, dtype_classes.Complex):
    __slots__ = ()


def _make(made: Any, name: str, size: int, kind: str) -> Any:
    made._known = (name, size, kind)
    return made


bool_ = _make(_Bool(), "bool", 1, "b")
uint8 = _make(_UInt(8), "uint8", 1, "u")
uint16 = _make(_UInt(16), "uint16", 2, "u")
uint32 = _make(_UInt(32), "uint32", 4, "u")
uint64 = _make(_UInt(64), "uint64", 8, "u")
int8 = _make(_Int(8), "int8", 1, "i")
int16 = _make(_Int(16), "int16", 2, "i")
int32 = _make(_Int(32), "int32", 4, "i")
int64 = _make(_Int(64), "int64", 8, "i")
float16 = _make(_Float(16), "float16", 2, "f")
bfloat16 = _make(_BFloat(16), "bfloat16", 2, "f")
float32 = _make(_Float(32), "float32", 4, "f")
float64 = _make(_Float(64), "float64", 8, "f")
complex64 = _make(_Complex(64), "complex64", 8, "c")
complex128 = _make(_Complex(128), "complex128", 16, "c")

ALL: tuple[Any, ...] = (
    bool_, uint8, uint16, uint32, uint64, int8, int16, int32, int64,
    float16, bfloat16, float32, float64, complex64, complex128,
)  # fmt: skip
BY_NAME: dict[str, Any] = {each.name: each for each in ALL}
ALIASES = {
    "half": float16, "float": float32, "double": float64, "short": int16, "int": int32, "long": int64,
    "cfloat": complex64, "cdouble": complex128,
}  # fmt: skip

_by_mindspore: dict[Any, Any] = {each: each for each in ALL}
of = _by_mindspore.__getitem__
"""The dtype for one of MindSpore's."""

NUMPY: dict[Any, Any] = {each: np.dtype(each.name) for each in ALL if each.name not in ("bool", "bfloat16")}
NUMPY[bool_] = np.dtype(np.bool_)
BY_NUMPY: dict[Any, Any] = {numpy: each for each, numpy in NUMPY.items()}

PRECISE: dict[Any, Any] = {float16: float32, bfloat16: float32}
"""What calculations of several steps are made in, so that only their result is rounded."""

_default = float32


def named(name: str) -> Any:
    """The dtype of a name such as `float32` or `long`, which may have torch's module before it."""
    bare = name.removeprefix("torch.")
    return BY_NAME[bare] if bare in BY_NAME else ALIASES[bare]


def default() -> Any:
    """The dtype that Python's floats become."""
    return _default


def set_default(chosen: Any) -> None:
    global _default
    chosen = of(chosen)
    if not chosen.is_floating_point:
        raise TypeError(f"only floating-point types are supported as the default type, and {chosen} is none")
    _default = chosen


def default_complex() -> Any:
    return _default.to_complex()


assert all(getattr(mindspore_dtypes, {"bool": "bool_"}.get(each.name, each.name)) in _by_mindspore for each in ALL)
