"""What every part of the runtime stands on: MindSpore, the errors that adapters raise, the choice of a target, and what
callers hand over that is not MindSpore's. MindSpore is loaded when something of it is asked for, so that a process that
only loads data starts without it.
"""

from typing import TYPE_CHECKING

from ..._lazy import lazy_attributes

if TYPE_CHECKING:
    from .errors import Missing, NoCounterpart, fits_dtype, refuse
    from .framework import Tensor, mindspore, platform
    from .scalars import PLAIN, plain
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
    "platform",
    "refuse",
]

_HOMES = {
    "errors": ("Missing", "NoCounterpart", "fits_dtype", "refuse"),
    "framework": ("Tensor", "mindspore", "platform"),
    "scalars": ("PLAIN", "plain"),
    "targets": ("Api", "Composed", "Target"),
}
__getattr__ = lazy_attributes(
    __name__, {name: f"{__name__}.{home}" for home, names in _HOMES.items() for name in names}
)
