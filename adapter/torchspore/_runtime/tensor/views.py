"""Tensors that share memory. Every tensor that looks at the memory of another is a member of the same family, so that a
write to one of them can tell all: on a CPU the engine of MindSpore loses the gradients of such views.

A view knows the tensor that it comes from (its base) and the path to it, a row of MindSpore's view functions; the path
is walked again when the base has become the result of another step of the graph. `refresh` does that.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

from ..core.framework import mindspore
from ..core.private import become, detach, in_graph, is_enabled, set_enabled
from . import memory
from .base import Tensor
from .steps import placed

Look = Callable[[Any], Any]
"""One view function of MindSpore with its arguments."""

_stride = mindspore.Tensor.stride
_offset = mindspore.Tensor.storage_offset
_shape = mindspore.Tensor.shape.__get__


class Family:
    """The tensors that share a memory, as long as they live."""

    __slots__ = ("members",)

    def __init__(self) -> None:
        self.members: dict[int, weakref.ref[Any]] = {}

    def join(self, tensor: Any) -> None:
        key, members = id(tensor), self.members

        def leave(_: object) -> None:
            members.pop(key, None)

        members[key] = weakref.ref(tensor, leave)
        tensor.__dict__["_family"] = self

    def views(self) -> list[Any]:
        """The living members that a path leads to from their base."""
        living = [reference() for reference in list(self.members.values())]
        return [each for each in living if each is not None and "_path" in each.__dict__]


def family_of(tensor: Any) -> Family:
    family: Family | None = tensor.__dict__.get("_family")
    if family is None:
        family = Family()
        family.join(tensor)
    return family


def walked(path: tuple[Look, ...], tensor: Any) -> Any:
    """What a path of view functions leads to in the memory of a base."""
    for look in path:
        tensor = look(tensor)
    return tensor


def picked(path: tuple[Look, ...], gradient: Any) -> Any:
    """The part of a gradient that a path leads to; its memory is its own."""
    for look in path:
        gradient = getattr(look, "graph", look)(gradient)
    return gradient


def seen(source: Any, look: Look) -> Any:
    """A view of a tensor through one of MindSpore's view functions."""
    result = look(source)
    result.__class__ = Tensor
    known = source.__dict__
    inside = result.__dict__
    inside["_base"] = known.get("_base", source)
    inside["_path"] = (*known.get("_path", ()), look)
    if not is_enabled():
        inside["_unrecorded"] = True
    elif "_several" in known:
        inside["_several"] = True
    family_of(source).join(result)
    return result


def one_of_several(views: tuple[Any, ...]) -> tuple[Any, ...]:
    """Mark the views that one function gives together: torch refuses writes to them where gradients are recorded."""
    for view in views:
        view.__dict__["_several"] = True
    return views


def outside(source: Any) -> Any:
    """A tensor with the same memory that has no part in the graph."""
    made = detach(source)
    made.__class__ = Tensor
    family_of(source).join(made)
    return made


def strided(source: Any, size: tuple[int, ...], stride: tuple[int, ...], graph: Look) -> Any:
    """A view with other strides where MindSpore would copy: its function gives the place in the graph, the memory is
    looked at directly."""

    def look(tensor: Any) -> Any:
        return placed(graph(tensor), memory.strided(tensor, size, stride, _offset(tensor)))

    look.graph = graph  # type: ignore[attr-defined]
    return seen(source, look)


def refresh(tensor: Any) -> None:
    """Walk the paths of all views again, after a write or after a base has become the result of another step."""
    family: Family | None = tensor.__dict__.get("_family")
    if family is None:
        return
    views = [view for view in family.views() if in_graph(view.__dict__["_base"])]
    if not views:
        return
    before = is_enabled()
    set_enabled(True)
    try:
        for view in views:
            if "_unrecorded" not in view.__dict__:
                become(view, walked(view.__dict__["_path"], view.__dict__["_base"]))
                view.__dict__.pop("_hooks", None)
    finally:
        set_enabled(before)


def has_overlap(tensor: Any) -> bool:
    """Whether two elements share an address, as those of an expanded tensor do."""
    return 0 not in _shape(tensor) and any(
        length > 1 and step == 0 for length, step in zip(_shape(tensor), _stride(tensor), strict=True)
    )
