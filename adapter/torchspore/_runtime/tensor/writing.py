"""The one way to write into a tensor. Whatever changes elements (`add_`, `x[i] = v`, `copy_`, `+=`, an optimiser) comes
here with the new values: the memory is written, every tensor that shares it sees them, the count of writes goes up so
that the engine notices changed saved tensors, and the graph is told where the values came from.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..autograd.modes import record
from ..core.framework import mindspore
from ..core.private import become, detach, in_graph, is_enabled, is_leaf, set_enabled, set_versions, version_of
from . import memory
from .steps import Overwritten, mask_of, placed
from .steps import picked as elements
from .views import has_overlap, picked, refresh

_Plain = mindspore.Tensor
_shape = mindspore.Tensor.shape.__get__
_mul = mindspore.Tensor.__mul__

LEAF = "a leaf Variable that requires grad is being used in an in-place operation."
VIEW_OF_LEAF = "a view of a leaf Variable that requires grad is being used in an in-place operation."
UNRECORDED = (
    "A view was created in no_grad mode and is being modified inplace with grad mode enabled. "
    "Take the view where gradients are enabled, or write to it under no_grad."
)
SEVERAL = (
    "This view is the output of a function that returns several views, and is being modified inplace. "
    "Such functions do not allow that: replace the inplace operation by an out-of-place one."
)
OVERLAP = (
    "unsupported operation: more than one element of the written-to tensor refers to a single memory location. "
    "Please clone() the tensor before performing the operation."
)


def snapshot(tensor: Any, others_in_graph: bool = False) -> Any:
    """What an in-place operation computes from: the tensor itself, or, where a graph would hold on to it, its values
    before the write at the same place of the graph."""
    if is_enabled() and in_graph(tensor):
        return _mul(tensor, 1)
    return memory.copied(tensor) if is_enabled() and others_in_graph else tensor


def writable(tensor: Any, values_in_graph: bool = False) -> None:
    """Refuse what torch refuses to write to."""
    if has_overlap(tensor):
        raise RuntimeError(OVERLAP)
    if not is_enabled():
        return
    if in_graph(tensor) and is_leaf(tensor):
        raise RuntimeError(LEAF)
    base = tensor.__dict__.get("_base")
    if base is not None and (in_graph(base) or values_in_graph):
        if in_graph(base) and is_leaf(base):
            raise RuntimeError(VIEW_OF_LEAF)
        if "_unrecorded" in tensor.__dict__:
            raise RuntimeError(UNRECORDED)
        if "_several" in tensor.__dict__:
            raise RuntimeError(SEVERAL)


def write(tensor: Any, values: Any, replaces: bool = False) -> Any:
    """Write values of the same shape and dtype into a tensor, and give it back. If they replace what was there, the
    tensor keeps its place in the graph, with a gradient of nought; else they were computed from it."""
    record()
    writable(tensor, in_graph(values))
    _steady(tensor)
    base = tensor.__dict__.get("_base")
    step = _step(tensor, base, values, replaces) if is_enabled() else None
    memory.write(tensor, values)
    _done(tensor, base, step)
    return tensor


def write_at(tensor: Any, positions: Any, values: Any) -> Any:
    """Write values to elements of a tensor, which are given by their numbers; where one is named twice, the last of
    its values stays."""
    record()
    writable(tensor, in_graph(values))
    if not memory.on_cpu():
        raise NotImplementedError("writing to picked elements was not tried on Ascend yet: write to a slice instead")
    _steady(tensor)
    base = tensor.__dict__.get("_base")
    place = memory.array(tensor)
    step = None
    if is_enabled() and (in_graph(tensor) or in_graph(values)):
        pick = elements(positions, positions.shape)
        if base is None:
            step = _applied(tensor, values, pick, lambda: mask_of(place.shape, positions))
        else:
            path = tensor.__dict__["_path"]
            step = _applied(base, values, lambda g: pick(picked(path, g)), lambda: _mask_within(base, place, positions))
    kept = memory.array(values)
    if place.flags.c_contiguous:
        place.reshape(-1)[positions] = kept
    else:
        place[np.unravel_index(positions, place.shape)] = kept
    _done(tensor, base, step)
    return tensor


def _steady(tensor: Any) -> None:
    """Before a write, see to it that MindSpore takes none of the tensors that share the memory for a view of something
    that it made itself (the last reshape inside of a function): it would lose their gradient with the write."""
    family = tensor.__dict__.get("_family")
    living = [tensor] if family is None else [reference() for reference in list(family.members.values())]
    for each in (tensor.__dict__.get("_base"), *living):
        if each is None or not in_graph(each) or is_leaf(each) or not {"_path", "_steady"}.isdisjoint(each.__dict__):
            continue
        before = is_enabled()
        set_enabled(True)
        try:
            become(each, placed(each, detach(each)))
        finally:
            set_enabled(before)
        each.__dict__["_steady"] = True


def _step(tensor: Any, base: Any, values: Any, replaces: bool) -> Any:
    """The step of the graph that a write is, taken before the count of writes goes up: afterwards MindSpore would take
    the values, if they are a view of the same memory, for something else."""
    if base is not None:
        if not (in_graph(base) or in_graph(values)):
            return None
        path, inside = tensor.__dict__["_path"], memory.array(tensor)
        return _applied(base, values, lambda g: picked(path, g), lambda: _mask_within(base, inside, None))
    if replaces and in_graph(tensor):
        shape = tuple(_shape(tensor))
        return _applied(tensor, values, _whole, lambda: np.ones(shape, np.bool_))
    return placed(values, detach(tensor)) if in_graph(values) else None


def _done(tensor: Any, base: Any, step: Any) -> None:
    """Count a write, and let the tensor or its base stand for the result of the step."""
    wrote(tensor)
    if step is not None:
        _rebind(tensor if base is None else base, step)
    refresh(tensor)


def overwrite(tensor: Any, values: Any) -> None:
    """Write the values of an array into a tensor, unrecorded. CPU only."""
    memory.array(tensor)[...] = values
    wrote(tensor)
    refresh(tensor)


def wrote(tensor: Any) -> None:
    """Count a write, for all that share the memory."""
    set_versions([tensor], [version_of(tensor) + 1])


def _whole(gradient: Any) -> Any:
    return gradient


def _rebind(tensor: Any, result: Any) -> None:
    """Let a tensor stand for the result of a step of the graph that has the same memory."""
    become(tensor, result)
    tensor.__dict__.pop("_hooks", None)


def _applied(base: Any, values: Any, part: Any, mask: Any) -> Any:
    before = _Plain(0)
    become(before, base)
    return Overwritten.apply(before, values, [detach(base), part, mask])


def _mask_within(base: Any, part: Any, positions: Any) -> Any:
    """Where the elements of a view, or some of them, lie in its base: both are looked at by the same strides over
    markers instead of elements."""
    whole = memory.array(base)
    if whole.size == 0:
        return np.zeros(whole.shape, np.bool_)
    start = whole.__array_interface__["data"][0]
    size = whole.itemsize
    extent = 1 + sum((n - 1) * (s // size) for n, s in zip(whole.shape, whole.strides, strict=True))
    marks = np.zeros(extent, np.bool_)
    offset = (part.__array_interface__["data"][0] - start) // size
    seen = np.lib.stride_tricks.as_strided(marks[offset:], part.shape, [s // size for s in part.strides])
    if positions is None:
        seen[...] = True
    else:
        seen[np.unravel_index(positions, part.shape)] = True
    found = np.lib.stride_tricks.as_strided(marks, whole.shape, [s // size for s in whole.strides])
    return np.ascontiguousarray(found)
