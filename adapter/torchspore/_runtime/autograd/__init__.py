"""The engine: what is recorded, and what runs backwards through it. Its members are attached to the class of tensors,
which is put together first whichever part of the runtime a program imports.
"""

from typing import TYPE_CHECKING

from ..._lazy import lazy_attributes
from .. import tensor as tensor

if TYPE_CHECKING:
    from .engine import backward, grad
    from .function import Function, FunctionCtx, once_differentiable
    from .modes import (
        enable_grad,
        inference_mode,
        is_grad_enabled,
        is_inference_mode_enabled,
        no_grad,
        set_grad_enabled,
    )

__all__ = [
    "Function",
    "FunctionCtx",
    "backward",
    "enable_grad",
    "grad",
    "inference_mode",
    "is_grad_enabled",
    "is_inference_mode_enabled",
    "no_grad",
    "once_differentiable",
    "set_grad_enabled",
]

_HOMES = {
    "engine": ("backward", "grad"),
    "function": ("Function", "FunctionCtx", "once_differentiable"),
    "modes": (
        "enable_grad", "inference_mode", "is_grad_enabled", "is_inference_mode_enabled", "no_grad", "set_grad_enabled",
    ),
}  # fmt: skip
__getattr__ = lazy_attributes(
    __name__, {name: f"{__name__}.{home}" for home, names in _HOMES.items() for name in names}
)
