"""The adapter's own functions on plain values. In: the name of a pure word or of a predicate, or a row of `only`.
Out: what the adapter makes of a value.

The functions are those of `values.py` among the adapter's words, which imports nothing and is loaded by its path, so
that MindSpore is not needed: what a page, a scan and a case say and what the adapter computes are one definition.
"""

from __future__ import annotations

import ast
import importlib.util
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from mapspore.base.paths import adapter_folder


@cache
def _functions() -> dict[str, Any]:
    path = adapter_folder() / "torchspore" / "_runtime" / "words" / "values.py"
    spec = importlib.util.spec_from_file_location("_torchspore_values", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return vars(module)


def function(name: str) -> Callable[..., Any]:
    """The function of a pure word, or of a predicate on plain values."""
    made: Callable[..., Any] = _functions()[name]
    return made


def fits(row: Mapping[str, Any], arguments: Mapping[str, Any]) -> bool:
    """Whether arguments fit a row of `only`, as the adapter judges it; a tensor counts by its dimensions."""
    return bool(function("fits")(row, arguments))


def convert(word: str, options: Mapping[str, Any], default: str) -> str | None:
    """The converted default, or None if the default is no literal or the word cannot take it."""
    try:
        value = ast.literal_eval(default)
        return repr(function(word)(value, **options))
    except (KeyError, ValueError, SyntaxError, TypeError, IndexError, AttributeError, MemoryError, RecursionError):
        return None
