"""Functions that write their result into their first argument, after the model of those that return it. In: such a
function and the arguments of a call. Out: the tensor that was written to.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..tensor.inplace import changes


def written(function: Callable[..., Any], input: Any, *arguments: Any, **keywords: Any) -> Any:
    """A tensor, after what a function computes of it was written there; refused where torch refuses to write."""
    return changes(function)(input, *arguments, **keywords)
