"""Functions that see a gradient on its way. A tensor has one hook of MindSpore's, made when the first is asked for; it
calls ours in their order, notes the arrival of a leaf's gradient and keeps the gradient of a tensor that retains it.
"""

from __future__ import annotations

import itertools
import weakref
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from ..core.framework import mindspore
from ..core.private import in_graph, is_leaf
from ..tensor import memory
from ..tensor.creating import wrap

Hook = Callable[[Any], Any]

_numbers = itertools.count()
_register = mindspore.Tensor.register_hook

arrivals: list[list[Any]] = []
"""Of each backward run that is under way, the leaves that have got a gradient."""


class RemovableHandle:
    """What takes a hook away again; also by the end of a `with` block."""

    def __init__(self, hooks: Any, *, extra_dict: Any = None) -> None:
        self.id = next(_numbers)
        self._hooks = weakref.ref(hooks)
        self._extra = [weakref.ref(each) for each in ([extra_dict] if extra_dict is not None else [])]

    def remove(self) -> None:
        for reference in (self._hooks, *self._extra):
            hooks = reference()
            if hooks is not None:
                hooks.pop(self.id, None)

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *raised: object) -> None:
        self.remove()


class Hooks(OrderedDict[int, Hook]):
    """The hooks of one tensor, in the order of their registration."""

    retains = False


def hooks_of(tensor: Any) -> Hooks:
    """The hooks of a tensor at its present place in the graph."""
    hooks: Hooks | None = tensor.__dict__.get("_hooks")
    if hooks is None:
        hooks = tensor.__dict__["_hooks"] = Hooks()
        _register(tensor, _arrived(hooks, weakref.ref(tensor), is_leaf(tensor)))
    return hooks


def _arrived(hooks: Hooks, reference: weakref.ref[Any], leaf: bool) -> Hook:
    def arrived(gradient: Any) -> Any:
        for hook in list(hooks.values()):
            answer = hook(wrap(gradient))
            if answer is not None:
                gradient = answer
        tensor = reference()
        if tensor is not None:
            if leaf:
                if arrivals:
                    arrivals[-1].append(tensor)
                gradient = _own(gradient)
            elif hooks.retains:
                retained(tensor, gradient)
        return gradient

    return arrived


def _own(gradient: Any) -> Any:
    """A gradient in memory that nobody else has: the engine may hand one tensor to two leaves, or what a caller gave
    it, and where it sees that it wants a copy by a kernel that a processor lacks."""
    return gradient * 1 if in_graph(gradient) else memory.copied(gradient)


def retained(tensor: Any, gradient: Any) -> None:
    before = tensor.__dict__.get("_gradient")
    tensor.__dict__["_gradient"] = wrap(gradient) if before is None else before + gradient


def register_hook(self: Any, hook: Hook) -> RemovableHandle:
    """Call a function with the gradient of this tensor, each time that it is known; what it returns goes on instead."""
    if not in_graph(self):
        raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
    hooks = hooks_of(self)
    handle = RemovableHandle(hooks)
    hooks[handle.id] = hook
    return handle


def retain_grad(self: Any) -> None:
    """Keep the gradient of a tensor that is no leaf in `grad`."""
    if not in_graph(self):
        raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")
    if not is_leaf(self):
        hooks_of(self).retains = True
