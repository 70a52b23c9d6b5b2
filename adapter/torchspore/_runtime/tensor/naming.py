"""The names under which methods take arguments. In: the functions of the class. Out: the same, which also take NumPy's
names where torch's own methods do, and a shape by its name. Calls without names cost nothing more than a call.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from ..calls.forms import NUMPY_NAMES
from ..core.scalars import plain

SHAPES = ("size", "sizes", "shape", "dim", "dims")
"""Parameters that take all positional arguments, or one sequence under their name."""


DECLARED_ONLY = frozenset(["norm", "split", "unique"])
"""Methods that torch has in Python: they take the names that they declare."""


def named(function: Callable[..., Any], like: Callable[..., Any] | None = None) -> Callable[..., Any]:
    """The function, so that it takes the names that torch's methods take; where it passes on what it is given, `like`
    tells its parameters."""
    try:
        parameters = inspect.signature(function if like is None else like).parameters
    except (TypeError, ValueError):
        return function
    also = {numpy: meant for numpy, meant in NUMPY_NAMES.items() if meant in parameters and meant != "input"}
    if function.__name__ in DECLARED_ONLY:
        also = {}
    shape = next((p.name for p in parameters.values() if p.kind is p.VAR_POSITIONAL and p.name in SHAPES), None)
    if not also and shape is None:
        return function

    @functools.wraps(function)
    def method(self: Any, *arguments: Any, **keywords: Any) -> Any:
        if keywords:
            keywords = {also.get(name, name): plain(value) for name, value in keywords.items()}
            if shape in keywords and not arguments:
                arguments = (keywords.pop(shape),)
        return function(self, *arguments, **keywords)

    return method
