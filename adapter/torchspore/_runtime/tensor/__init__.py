"""Tensors as torch programs know them, over MindSpore's. Importing the package puts the class together: each module
attaches its members, the last one refuses what is left of MindSpore's.
"""

from ..core.framework import mindspore, platform
from . import arithmetic, conversion, indexing, inplace, protocol, reductions, shapes
from .base import Tensor as Tensor  # not listed: generated modules mean the Tensor of `core`, which is MindSpore's
from .base import attach
from .creating import from_mindspore, from_numpy, lowered, wrap
from .devices import device
from .dtypes import dtype
from .inplace import attach_inplace
from .limits import finfo, iinfo
from .size import Size

from ..autograd import members  # isort: skip
from . import closing  # isort: skip

from ..autograd.modes import record

PARTS = (arithmetic, conversion, indexing, inplace, protocol, reductions, shapes, members, closing)
"""The modules that put the class together."""

if platform() == "CPU":
    mindspore.set_context(pynative_synchronize=True)  # memory is read and written directly; also, errors come in time
record()

__all__ = [
    "Size",
    "attach",
    "attach_inplace",
    "device",
    "dtype",
    "finfo",
    "from_mindspore",
    "from_numpy",
    "iinfo",
    "lowered",
    "wrap",
]
