"""The class of tensors. It derives from MindSpore's, so that every function of MindSpore takes one; MindSpore's class
stays as it is. The methods stand in modules of their own, each of which attaches what it has.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..._names import member_sentence
from ..core.framework import mindspore

if TYPE_CHECKING:
    _Plain = Any
else:
    _Plain = mindspore.Tensor


class Tensor(_Plain):
    """A tensor that behaves as torch's does, computed by MindSpore."""

    def __init__(self, *data: Any, **keywords: Any) -> None:
        """`__new__` has made it."""

    def __getattr__(self, name: str) -> Any:
        told = None if name.startswith("_") else member_sentence(name)
        raise AttributeError(told or f"{type(self).__name__!r} object has no attribute {name!r}")


def attach(name: str, member: Any) -> None:
    """Make a function, or a property, a member of the class."""
    setattr(Tensor, name, member)
