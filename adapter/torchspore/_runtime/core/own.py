"""The adapter's own class of tensors, as far as the choice of a target has to know of it. In: a function of MindSpore.
Out: what takes and gives tensors of that class. MindSpore's own tensors come back as MindSpore's; what is made of no
tensor at all is the adapter's. The class itself is left to `tensor`, which is imported when the first one is asked for.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import cache, wraps
from types import ModuleType
from typing import Any

from . import framework, modes

_HOME = "torchspore._runtime.tensor"
_kind: type | None = None


def use(kind: type) -> None:
    """Know the class, once it is there."""
    global _kind
    _kind = kind


def entered(function: Any, tensor: Any) -> Any:
    """What is called where a target's function, or each of several, is chosen for a tensor, or for no tensor."""
    if isinstance(function, tuple):
        return tuple(entered(each, tensor) for each in function)
    prompt = modes.prompt(function)
    if tensor is None:
        return _by_arguments(prompt)
    return _given_own(prompt) if _kind is not None and isinstance(tensor, _kind) else prompt


def _given_own(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function for tensors of our class. It gets MindSpore's objects for them, because methods of one name mean
    different things."""
    made = _made()

    @wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        made.record()
        if kwargs:
            kwargs = {name: _lowered(value) for name, value in kwargs.items()}
        return made.wrap(function(*map(_lowered, args), **kwargs))

    return called


def _by_arguments(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function for whatever it is given: lists of tensors, or none."""

    @wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        found = _class_in((*args, *kwargs.values()))
        if found is not None and found is not _kind:
            return function(*args, **kwargs)
        return _given_own(function)(*args, **kwargs)

    return called


def _class_in(values: Any) -> type | None:
    """Our class if one of the tensors is of it, else MindSpore's; None if there is no tensor."""
    found: type | None = None
    for value in values:
        if isinstance(value, (list, tuple)):
            inside = _class_in(value)
        elif framework.is_tensor(value):
            inside = _kind if _kind is not None and isinstance(value, _kind) else framework.Tensor
        else:
            continue
        if inside is not None and inside is _kind:
            return inside
        found = inside or found
    return found


def _lowered(value: Any) -> Any:
    if isinstance(value, (list, tuple)) and type(value) in (list, tuple):
        return type(value)(map(_lowered, value))
    return _made().lowered(value) if _kind is not None and isinstance(value, _kind) else value


@cache
def _made() -> ModuleType:
    return importlib.import_module(_HOME)
