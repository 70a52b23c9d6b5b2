"""Files with tensors: those of the original framework, in its zip format and the one before it, and safetensors.
Reading one never runs code from it: what a file may contain is listed, and everything else is refused by name.
"""

from typing import TYPE_CHECKING

from ..._lazy import lazy_attributes

if TYPE_CHECKING:
    from .reading import load
    from .writing import save

__all__ = ["load", "save"]

__getattr__ = lazy_attributes(__name__, {"load": f"{__name__}.reading", "save": f"{__name__}.writing"})
