"""What generated adapters of calls in one process are made of: functions, methods of tensors, layers, optimisers.
Hand-written, small, and about MindSpore only: names of the other framework come in as parameters from generated code.
"""

from ..core.errors import UnsupportedArgument, refuse
from ..core.framework import Tensor, mindspore
from ..words.calls import (
    device_name,
    dtype_or,
    flatten,
    in_range,
    inferred_dtype,
    integral,
    legacy_reduction,
    parameter_groups,
    promote,
    spread,
)
from ..words.numbers import complement, item
from ..words.values import axes, choose, degrees, given, given_or, nonempty, nonzero, real, uncorrected
from .choice import Call, Counterpart
from .forms import Forms, Slot
from .layers import Layer, Optimiser
from .refusals import Rejected, fits_dtype, rejected, supported, unfit, without_nan
from .results import cast, named

__all__ = [
    "Call",
    "Counterpart",
    "Forms",
    "Layer",
    "Optimiser",
    "Rejected",
    "Slot",
    "Tensor",
    "UnsupportedArgument",
    "axes",
    "cast",
    "choose",
    "complement",
    "degrees",
    "device_name",
    "dtype_or",
    "fits_dtype",
    "flatten",
    "given",
    "given_or",
    "in_range",
    "inferred_dtype",
    "integral",
    "item",
    "legacy_reduction",
    "mindspore",
    "named",
    "nonempty",
    "nonzero",
    "parameter_groups",
    "promote",
    "real",
    "refuse",
    "rejected",
    "spread",
    "supported",
    "uncorrected",
    "unfit",
    "without_nan",
]
