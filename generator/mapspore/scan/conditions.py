"""When a call meets a difference: a derived difference goes in, a condition over a call's arguments comes out.

A condition is a small list, so that it can be kept as JSON: a word of `WORDS` and the torch parameter that it looks at.
`calls.py` judges conditions. Beside it stands whether `migrate` can mend the difference exactly in direct mode:
`always`, only for a `simple` argument (a literal or a plain name), or `never`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from mapspore.bind import Binding
from mapspore.derive import Difference, Row
from mapspore.kinds import Kind
from mapspore.model import Contract
from mapspore.scan.codes import Severity
from mapspore.vocabulary import POLICIES

WORDS = frozenset(
    ["always", "given", "other", "named", "placed", "omitted", "none", "nonzero", "true", "perhaps", "used"]
)
"""always; P is given; P is given a value other than its default; P is given by keyword; P is given by position;
P is left out; P is left out or None; P is given and not 0; P is given and true; P is given, and only a run can tell;
the result is used."""

_SEVERITIES: dict[Kind, Severity] = {
    Kind.EXTRA: "change", Kind.RENAMED: "change", Kind.TYPE: "change", Kind.ORDER: "silent", Kind.SPLIT: "change",
    Kind.MERGED: "change", Kind.MISSING: "breaks", Kind.REQUIRED: "change", Kind.OUTPUT: "silent",
    Kind.VALUE: "silent", Kind.DEFAULT: "silent", Kind.BEHAVIOUR: "silent", Kind.UNMAPPED: "breaks",
}  # fmt: skip

_EXACT_WORDS = {"complement": "always", "item": "simple", "reduce_op": "simple"}
"""What `migrate` can write out for a word in direct mode; see `mapspore.migrate.words`."""

Condition = tuple[list[Any], str]


def severity(difference: Difference) -> Severity:
    """How bad it is to meet a difference."""
    if difference.kind is Kind.MISSING and difference.variant in POLICIES and not POLICIES[difference.variant].refuses:
        return "change"
    if difference.kind is Kind.ORDER and difference.variant == "keyword":
        return "change"
    return _SEVERITIES[difference.kind]


def condition(
    difference: Difference, row: Row, binding: Binding, contract: Contract, defaults: dict[str, str | None]
) -> Iterator[Condition]:
    """The condition of one difference, or none if no call can meet it."""
    kind, variant, name = difference.kind, difference.variant, row.torch
    if row.item == "returns":
        yield _returned(difference, defaults)
    elif name is None:  # a parameter that only MindSpore has and that needs a value
        yield ["always"], "always"
    elif kind is Kind.RENAMED:
        yield ["named", name], "always"
    elif kind is Kind.ORDER:
        yield ["placed", name], "always"
    elif kind is Kind.SPLIT:
        yield ["given", name], "simple"
    elif kind is Kind.MERGED:
        if not _same_rank(difference, row, contract):
            yield ["other", name], "never"
    elif kind is Kind.TYPE:
        yield ["other" if defaults[name] == "None" else "given", name], _EXACT_WORDS.get(variant, "never")
    elif kind is Kind.VALUE:
        yield ["given", name], _EXACT_WORDS.get(variant, "never")
    elif kind is Kind.MISSING:
        if variant == "zero":
            yield ["nonzero", name], "never"
        elif variant in POLICIES:
            yield ["other", name], "simple" if variant == "no_effect" else "never"
        else:
            yield ["perhaps", name], "never"  # a predicate about the value
    elif kind is Kind.REQUIRED:
        yield (["none", name], "never") if variant == "placeholders" else (["omitted", name], "always")
    elif kind is Kind.DEFAULT:
        yield ["omitted", name], "always" if _literal(defaults[name]) else "never"
    elif kind is Kind.OUTPUT:
        yield ["always"], "never"
    elif kind is Kind.BEHAVIOUR:
        yield (["other", name] if defaults[name] in _IDLE else ["always"]), "never"
    else:
        yield ["always"], "never"


_IDLE = frozenset({"None", "''", '""', "False", "()", "[]"})
"""Defaults that stand for not using a parameter: a difference about it then concerns only calls that give it."""


def _returned(difference: Difference, defaults: dict[str, str | None]) -> Condition:
    if difference.kind is Kind.BEHAVIOUR:
        return ["always"], "never"
    if difference.variant == "handle":
        return ["true", "async_op"], "never"
    return ["used"], "never"


def _same_rank(difference: Difference, row: Row, contract: Contract) -> bool:
    """Whether a rank keeps its name and its way of counting, so that nothing changes for this parameter."""
    values = dict(difference.values)
    ranks = contract.collective.ranks if contract.collective else {}
    return row.torch == values.get("mindspore") and ranks.get(row.torch or "") == values.get("space")


def _literal(source: str | None) -> bool:
    try:
        ast.literal_eval(source or "")
    except (ValueError, SyntaxError):
        return False
    return True
