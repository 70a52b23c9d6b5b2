"""Tensors as torch programs know them, over MindSpore's."""

from .base import Tensor, attach
from .creating import from_mindspore, from_numpy, lowered, wrap
from .device import device
from .dtypes import dtype
from .limits import finfo, iinfo
from .size import Size

__all__ = [
    "Size",
    "Tensor",
    "attach",
    "device",
    "dtype",
    "finfo",
    "from_mindspore",
    "from_numpy",
    "iinfo",
    "lowered",
    "wrap",
]
