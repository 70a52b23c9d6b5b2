"""The words of the vocabulary written out in code: an argument goes in, the one to pass comes out. How a word is
written stands in its `Rewrite`; here is the syntax only.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

import libcst as cst

from mapspore.words.pure import convert
from mapspore.words.vocabulary import WORDS


def written(word: str, options: Mapping[str, Any], value: cst.BaseExpression) -> cst.BaseExpression | None:
    """The expression that MindSpore gets instead of torch's argument; None if it cannot be written."""
    rewrite = WORDS[word].rewrite
    if rewrite is None:
        return None
    if rewrite.when == "never":  # the call does not meet the difference
        return value
    if rewrite.when == "member":  # `scan` has found out that the constant is torch's
        last = value.attr.value if isinstance(value, cst.Attribute) else ""
        code = next((code for name, code in rewrite.members.items() if name.endswith(f".{last}")), None)
        return cst.parse_expression(code) if code is not None else None
    source = cst.Module([]).code_for_node(value)
    literal = convert(word, options, source) if WORDS[word].pure else None
    if literal is not None:
        return value if literal == repr(ast.literal_eval(source)) else cst.parse_expression(literal)
    dotted = isinstance(value, (cst.Name, cst.Attribute))
    if rewrite.when == "simple" and not dotted:
        return None
    plain = dotted or isinstance(value, (cst.Integer, cst.Float))
    return cst.parse_expression(rewrite.code.format(value=source if plain else f"({source})", **options))
