"""Tensors as torch programs know them, over MindSpore's. Importing the package puts the class together: each module
attaches its members, the last one refuses what is left of MindSpore's.
"""

from ..core import own
from ..core.framework import mindspore, platform
from . import arithmetic, conversion, indexing, inplace, protocol, reductions, shapes
from .base import Tensor, attach
from .creating import from_mindspore, from_numpy, lowered, wrap
from .devices import device
from .dtypes import (
    bfloat16,
    bool_,
    complex64,
    complex128,
    dtype,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
)
from .inplace import attach_inplace
from .limits import finfo, iinfo
from .size import Size

from ..autograd import members  # isort: skip
from . import closing, streams  # isort: skip

from ..autograd.modes import record

from .typed import (  # isort: skip
    BFloat16Tensor,
    BoolTensor,
    ByteTensor,
    CharTensor,
    DoubleTensor,
    FloatTensor,
    HalfTensor,
    IntTensor,
    LongTensor,
    ShortTensor,
)

PARTS = (arithmetic, conversion, indexing, inplace, protocol, reductions, shapes, members, closing)
"""The modules that put the class together."""

if platform() == "CPU":
    mindspore.set_context(pynative_synchronize=True)  # memory is read and written directly; also, errors come in time
record()
own.use(Tensor)

streams.install()

__all__ = [
    "BFloat16Tensor",
    "BoolTensor",
    "ByteTensor",
    "CharTensor",
    "DoubleTensor",
    "FloatTensor",
    "HalfTensor",
    "IntTensor",
    "LongTensor",
    "ShortTensor",
    "Size",
    "Tensor",
    "attach",
    "attach_inplace",
    "bfloat16",
    "bool_",
    "complex64",
    "complex128",
    "device",
    "dtype",
    "finfo",
    "float16",
    "float32",
    "float64",
    "from_mindspore",
    "from_numpy",
    "iinfo",
    "int8",
    "int16",
    "int32",
    "int64",
    "lowered",
    "record",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "wrap",
]
