"""Applies a pure word to a default, given and returned as Python source.

The function is the adapter's own (`numbers` and `values` of its words), loaded by its path so that MindSpore is
not needed: what the page says of a default and what the adapter computes are one definition.
"""

from __future__ import annotations

import ast
import importlib.util
from collections.abc import Mapping
from functools import cache
from typing import Any

from mapspore.base.paths import adapter_folder


@cache
def _functions() -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in ("values",):
        path = adapter_folder() / "torchspore" / "_runtime" / "words" / f"{name}.py"
        spec = importlib.util.spec_from_file_location(f"_torchspore_{name}", path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        found |= vars(module)
    return found


def convert(word: str, options: Mapping[str, Any], default: str) -> str | None:
    """The converted default, or None if the default is no literal or the word cannot take it."""
    try:
        value = ast.literal_eval(default)
        return repr(_functions()[word](value, **options))
    except (KeyError, ValueError, SyntaxError, TypeError, IndexError, AttributeError, MemoryError, RecursionError):
        return None
