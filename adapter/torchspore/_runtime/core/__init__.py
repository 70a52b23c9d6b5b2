"""What every part of the runtime stands on: MindSpore, the errors that adapters raise, the choice of a target."""

from .errors import Missing, NoCounterpart, fits_dtype, refuse
from .framework import Tensor, mindspore, platform
from .targets import Api, Composed, Target

__all__ = [
    "Api",
    "Composed",
    "Missing",
    "NoCounterpart",
    "Target",
    "Tensor",
    "fits_dtype",
    "mindspore",
    "platform",
    "refuse",
]
