"""The functions that torch programs call on tensors, under torch's names: arithmetic, views, reductions, and how
tensors are made. Most are methods of the class too and stand beside it in `tensor`; what has no method stands here.
"""

from importlib import import_module
from typing import Any

__all__ = [
    "add",
    "addcdiv",
    "addcmul",
    "all",
    "any",
    "as_strided",
    "as_tensor",
    "asked_for_determinism",
    "atan2",
    "bitwise_and",
    "bitwise_not",
    "bitwise_or",
    "bitwise_xor",
    "chunk",
    "clamp",
    "clone",
    "diagonal",
    "div",
    "empty",
    "empty_like",
    "erfc",
    "exp",
    "flatten",
    "floor_divide",
    "from_numpy",
    "ge",
    "get_default_dtype",
    "gt",
    "is_complex",
    "is_floating_point",
    "is_nonzero",
    "is_tensor",
    "le",
    "lerp",
    "masked_fill",
    "matmul",
    "maximum",
    "mean",
    "min",
    "minimum",
    "movedim",
    "mul",
    "narrow",
    "ne",
    "numel",
    "permute",
    "pow",
    "remainder",
    "reshape",
    "round",
    "scalar_tensor",
    "select",
    "set_default_dtype",
    "sigmoid",
    "split",
    "squeeze",
    "sub",
    "sum",
    "t",
    "tanh",
    "tensor",
    "transpose",
    "true_divide",
    "unbind",
    "unflatten",
    "unsqueeze",
    "where",
]

_MADE = (
    "as_tensor",
    "empty",
    "empty_like",
    "from_numpy",
    "get_default_dtype",
    "is_tensor",
    "scalar_tensor",
    "set_default_dtype",
    "tensor",
)
"""What is no method of a tensor."""


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name == "asked_for_determinism":
        return import_module(f"{__name__}.determinism").asked_for_determinism
    if name in _MADE:
        return getattr(import_module(f"{__name__}.making"), name)
    return getattr(import_module("torchspore._runtime.tensor").Tensor, name)
