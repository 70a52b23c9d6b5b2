"""What generated adapters of calls in one process are made of: functions, methods of tensors, layers, optimisers."""

from .forms import Form, Forms, Slot
from .layers import Layer, Optimiser
from .refusals import rejected, supported, unfit
from .results import named
from .transparent import Transparent, transparent

__all__ = [
    "Form",
    "Forms",
    "Layer",
    "Optimiser",
    "Slot",
    "Transparent",
    "named",
    "rejected",
    "supported",
    "transparent",
    "unfit",
]
