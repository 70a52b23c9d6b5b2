"""What every part of the runtime stands on: MindSpore, the errors that adapters raise, the choice of a target, and what
callers hand over that is not MindSpore's.
"""

from .errors import Missing, NoCounterpart, fits_dtype, refuse
from .foreign import PLAIN, plain
from .framework import Tensor, mindspore
from .targets import Api, Composed, Target

__all__ = [
    "PLAIN",
    "Api",
    "Composed",
    "Missing",
    "NoCounterpart",
    "Target",
    "Tensor",
    "fits_dtype",
    "mindspore",
    "plain",
    "refuse",
]
