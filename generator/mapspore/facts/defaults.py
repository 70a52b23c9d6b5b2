"""Defaults of torch's parameters, as Python source: which are literals, and which are names that only torch has."""

from __future__ import annotations

import ast
from functools import lru_cache

NO_GROUP_YET = frozenset({"GroupMember.WORLD", "group.WORLD"})
"""Defaults that torch evaluates when it is imported, before there is any group: they are `None`."""


@lru_cache(maxsize=4096)
def is_literal(source: str) -> bool:
    try:
        ast.literal_eval(source)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return False
    return True


def is_reduce_op(source: str) -> bool:
    return source.startswith("ReduceOp.") and source.partition(".")[2].isidentifier()
