"""When a call meets a difference: a derived difference goes in, a condition over a call's arguments comes out.

A condition is a small list, so that it can be kept as JSON: a word of `WORDS` and the torch parameter that it looks at.
`judge_call.py` judges conditions. Beside it stands whether `migrate` can mend the difference exactly in direct mode:
`always`, only for a `simple` argument (a literal or a plain name), only for a `reduction` by its name, or `never`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from mapspore.entry.model import Contract, Target
from mapspore.facts.snapshot import Parameter
from mapspore.resolve.binding import Binding
from mapspore.resolve.differences import Difference, Row
from mapspore.scan.codes import Severity
from mapspore.words.kinds import Kind
from mapspore.words.vocabulary import POLICIES, PREDICATES
from mapspore.words.vocabulary import WORDS as WORDS_OF_ARGUMENTS

WORDS = frozenset(
    [
        "always",
        "given",
        "some",
        "other",
        "named",
        "placed",
        "omitted",
        "none",
        "nonzero",
        "true",
        "among",
        "changed",
        "fraction",
        "unlike",
        "perhaps",
        "unsaid",
        "combined",
        "used",
        "whole",
        "own_device",
    ]
)
"""always; P is given; P is given and not None; P is given a value other than its default; P is given by keyword; P is
given by position; P is left out; P is left out or None; P is given and not 0; P is given and true; P is one of the
values that follow; P is given and changed by the word that follows; P is given and no whole number; P does not fulfil
the predicate that follows; P is given, and only a run can tell; only a run can tell; the parameters together fit none
of the rows that follow; the result is used; the result is used as a whole, not unpacked; P
is given a device that is not the one of a tensor, which has MindSpore's name already."""

_SEVERITIES: dict[Kind, Severity] = {
    Kind.EXTRA: "change", Kind.RENAMED: "change", Kind.TYPE: "change", Kind.ORDER: "silent", Kind.SPLIT: "change",
    Kind.MERGED: "change", Kind.MISSING: "breaks", Kind.REQUIRED: "change", Kind.OUTPUT: "silent",
    Kind.VALUE: "silent", Kind.DEFAULT: "silent", Kind.BEHAVIOUR: "silent", Kind.UNMAPPED: "breaks",
    Kind.MIGRATE: "breaks",
}  # fmt: skip

_EXACT_WORDS = {"complement": "always", "item": "simple", "reduce_op": "reduction"}
"""When `migrate` can write out a word in direct mode; see `mapspore.migrate.words`."""

_OF_TENSORS = frozenset({"promote"})
"""Words that change nothing unless the tensors demand it, which only a run can tell."""

PLAIN_WORDS = frozenset({"group_name", "root_rank"})
"""Words that change nothing in the calls that are rewritten: no group is given, and the rank counts alike."""

Condition = tuple[list[Any], str]


def severity(difference: Difference) -> Severity:
    """How bad it is to meet a difference."""
    if difference.kind is Kind.MISSING and difference.variant in POLICIES and not POLICIES[difference.variant].refuses:
        return "change"
    if difference.kind is Kind.ORDER and difference.variant == "keyword":
        return "change"
    return _SEVERITIES[difference.kind]


def exact_form(binding: Binding) -> bool:
    """Whether a call form has nothing in it that only the adapter can do."""
    treatment = binding.treatment
    words = {use.word for passing in binding.passings for use in passing.words}
    return (
        not treatment.outputs
        and not treatment.results
        and not treatment.supports
        and not treatment.accepts
        and not binding.torch.fields
        and words <= {*_EXACT_WORDS, *PLAIN_WORDS}
        and treatment.result in (None, treatment.returns)
    )


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
    elif kind is Kind.TYPE or kind is Kind.VALUE:
        yield _converted(difference, name, binding, defaults[name]), _EXACT_WORDS.get(variant, "never")
    elif kind is Kind.MISSING:
        if variant == "zero":
            yield ["nonzero", name], "never"
        elif variant == "demanded":
            yield ["given", name], "never"
        elif variant in POLICIES:
            yield ["other", name], "simple" if variant == "no_effect" else "never"
        elif PREDICATES.get(variant) == "plain":
            yield ["unlike", name, variant], "never"
        else:
            yield ["perhaps", name], "never"  # a predicate about tensors
    elif kind is Kind.REQUIRED:
        if variant == "placeholders":
            yield ["none", name], "never"
        else:
            yield ["omitted", name], _writable(defaults[name])
    elif kind is Kind.DEFAULT:
        yield ["omitted", name], _writable(defaults[name])
    elif kind is Kind.OUTPUT:
        yield ["always"], "never"
    elif kind is Kind.BEHAVIOUR:
        ranks = contract.collective.ranks if contract.collective else {}
        word = "none" if name in ranks else "other"  # a rank that is left out means something of its own
        if difference.when:
            yield ["among", name, *difference.when], "never"
        elif defaults[name] is None:
            yield ["always"], "never"
        else:
            yield ([word, name] if defaults[name] in _IDLE else ["unsaid", name]), "never"
    else:
        yield ["always"], "never"


_IDLE = frozenset({"None", "''", '""', "False", "()", "[]"})
"""Defaults that stand for not using a parameter: a difference about it then concerns only calls that give it."""


def _converted(difference: Difference, name: str, binding: Binding, default: str | None) -> list[Any]:
    """When a word that converts an argument makes something else of it."""
    word = difference.variant
    if word == "group_name":
        return ["some", name]
    if word == "device_name":
        return ["own_device", name]
    if word == "integral":
        return ["fraction", name]
    if word in _OF_TENSORS:
        return ["perhaps", name]
    if word == "inferred_dtype":
        return ["omitted", name]
    if word in WORDS_OF_ARGUMENTS and WORDS_OF_ARGUMENTS[word].pure:
        options = next(
            dict(use.options)
            for passing in binding.passings
            for use in passing.words
            if use.word == word and any(source.name == name for source in passing.sources)
        )
        return ["changed", name, word, options]
    return ["other" if difference.kind is Kind.TYPE and default == "None" else "given", name]


def of_the_whole(difference: Difference, target: Target, contract: Contract) -> list[Any]:
    """The condition of a difference that belongs to no parameter: the object's mode, or a situation."""
    if difference.variant in {"combinations", "choices"}:
        tensors = contract.inputs
        asked = [{name: wanted for name, wanted in row.items() if name not in tensors} for row in target.supports]
        return ["combined", *([row, len(row) < len(full)] for row, full in zip(asked, target.supports, strict=True))]
    return ["always"] if difference.variant == "mode" else ["unsaid", dict(difference.values)["about"]]


def _returned(difference: Difference, defaults: dict[str, str | None]) -> Condition:
    if difference.kind is Kind.BEHAVIOUR:
        return ["always"], "never"
    if difference.variant in {"handle", "handle_beside"}:
        return ["true", "async_op"], "never"
    return ["whole" if difference.variant == "named" else "used"], "never"


def _same_rank(difference: Difference, row: Row, contract: Contract) -> bool:
    """Whether a rank keeps its name and its way of counting, so that nothing changes for this parameter."""
    values = dict(difference.values)
    ranks = contract.collective.ranks if contract.collective else {}
    return row.torch == values.get("mindspore") and ranks.get(row.torch or "") == values.get("space")


def _writable(default: str | None) -> str:
    """Whether torch's default can be written out; `None` may mean something that only torch knows."""
    try:
        return "never" if ast.literal_eval(default or "") is None else "always"
    except (ValueError, SyntaxError):
        return "never"


def shifted(binding: Binding) -> list[str]:
    """The torch parameters that have another number in MindSpore, because something before them is missing there."""
    places = {parameter.name: at for at, parameter in enumerate(binding.mindspore.parameters)}
    found = []
    for at, parameter in enumerate(binding.torch.parameters):
        takers = [passing for passing in binding.passings if parameter in passing.sources]
        if parameter.kind == "positional_or_keyword" and len(takers) == 1:
            receiver = takers[0].receiver
            if places[receiver.name] != at and not _like_range(parameter, receiver, binding):
                found.append(parameter.name)
    return found


def _like_range(source: Parameter, receiver: Parameter, binding: Binding) -> bool:
    """Whether MindSpore counts arguments as Python's `range` does: `(start=0, end=None)` takes one as the end."""
    given = {passing.receiver.name for passing in binding.passings}
    before = binding.mindspore.parameters[: binding.mindspore.parameters.index(receiver)]
    left = [parameter for parameter in before if parameter.name not in given]
    return source.required and receiver.default == "None" and len(left) == len(before) == 1 and left[0].default == "0"
