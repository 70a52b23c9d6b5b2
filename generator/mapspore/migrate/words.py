"""The words of the vocabulary that can be written out in code: an argument goes in, the one to pass comes out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import libcst as cst

from mapspore.scan.codes import REDUCTIONS
from mapspore.scan.conditions import PLAIN_WORDS
from mapspore.words.pure import convert


def written(word: str, options: Mapping[str, Any], value: cst.BaseExpression) -> cst.BaseExpression | None:
    """The expression that MindSpore gets instead of torch's argument; None if it cannot be written."""
    if word in PLAIN_WORDS:
        return value
    if word == "reduce_op":
        name = value.attr.value if isinstance(value, cst.Attribute) else ""
        return cst.SimpleString(f'"{REDUCTIONS[name]}"') if name in REDUCTIONS else None
    source = cst.Module([]).code_for_node(value)
    literal = convert(word, options, source)
    if literal is not None:
        return cst.parse_expression(literal)
    if word == "complement":
        plain = isinstance(value, (cst.Name, cst.Attribute))
        return cst.parse_expression(f"1 - {source}" if plain else f"1 - ({source})")
    if word == "item" and isinstance(value, (cst.Name, cst.Attribute)):
        return cst.parse_expression(f"{source}[{options['index']}]")
    return None
