"""The dtypes under the names by which callers know them; they are MindSpore's own."""

from torchspore._runtime.core.framework import dtypes

float16 = half = dtypes.float16
float32 = float = dtypes.float32
float64 = double = dtypes.float64
bfloat16 = dtypes.bfloat16
int8 = dtypes.int8
int16 = short = dtypes.int16
int32 = int = dtypes.int32
int64 = long = dtypes.int64
uint8 = dtypes.uint8
bool = dtypes.bool_
complex64 = cfloat = dtypes.complex64
complex128 = cdouble = dtypes.complex128

__all__ = [
    "bfloat16",
    "bool",
    "cdouble",
    "cfloat",
    "complex64",
    "complex128",
    "double",
    "float",
    "float16",
    "float32",
    "float64",
    "half",
    "int",
    "int8",
    "int16",
    "int32",
    "int64",
    "long",
    "short",
    "uint8",
]
