"""When a call meets a difference: a derived difference goes in, a condition over a call's arguments comes out.

A condition is a small list, so that it can be kept as JSON: one of `CONDITIONS` and the torch parameter that it looks
at. `judge_call.py` judges conditions. Beside it stands whether `migrate` can mend the difference exactly in direct
mode: `always`; only for a `simple` argument, a literal or a plain name; only for one of the constants listed; `never`.
What is special about a word, a policy or a predicate stands in its value; see `mapspore.words`.
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
from mapspore.words.situations import SITUATIONS
from mapspore.words.types import Rewrite
from mapspore.words.vocabulary import POLICIES, PREDICATES, WORDS

CONDITIONS = frozenset(
    [
        "always",  # every call
        "given",  # P is given
        "some",  # P is given and not None
        "other",  # P is given a value other than its default
        "named",  # P is given by keyword
        "placed",  # P is given by position
        "omitted",  # P is left out
        "none",  # P is left out or None
        "nonzero",  # P is given and not 0
        "true",  # P is given and true
        "among",  # P is one of the values that follow
        "among_perhaps",  # the same, in a situation of which only a run can tell
        "compares",  # P stands in the relation that follows to a number, or to a quantity that only a run can tell
        "changed",  # P is given and changed by the pure word that follows with its options
        "replaced",  # the same of a word that changes every value
        "fraction",  # P is given and no whole number
        "own_device",  # P is given a device, and not that of a tensor, which has MindSpore's name already
        "unlike",  # P does not meet the predicate that follows
        "perhaps",  # P is given, and only a run can tell
        "unsaid",  # only a run can tell
        "combined",  # the parameters together fit none of the rows that follow
        "used",  # the result is used
        "whole",  # the result is used as a whole, not unpacked
    ]
)
"""What a condition can be; P is the torch parameter that it names."""

BY_FUNCTION = frozenset({"changed", "replaced"})
"""Conditions that a pure word's function judges."""

_SEVERITIES: dict[Kind, Severity] = {
    Kind.EXTRA: "change", Kind.RENAMED: "change", Kind.TYPE: "change", Kind.ORDER: "silent", Kind.SPLIT: "change",
    Kind.MERGED: "change", Kind.MISSING: "breaks", Kind.REQUIRED: "change", Kind.OUTPUT: "silent",
    Kind.VALUE: "silent", Kind.DEFAULT: "silent", Kind.BEHAVIOUR: "silent", Kind.UNMAPPED: "breaks",
    Kind.MIGRATE: "breaks", Kind.ANSWERED: "change", Kind.UNNEEDED: "same", Kind.PROVIDED: "same",
}  # fmt: skip

Rewritable = str | list[str]
Condition = tuple[list[Any], Rewritable]


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
    words = {use.word for route in binding.routes for use in route.words}
    return (
        not treatment.fill
        and not treatment.convert_returns
        and not treatment.only
        and not treatment.requires
        and not binding.torch.fields
        and all(WORDS[word].rewrite is not None for word in words)
        and treatment.hand_back in (None, treatment.returns)
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
    elif variant in WORDS and kind is not Kind.OUTPUT:
        yield _converted(difference, name, binding, defaults[name]), _mends(WORDS[variant].rewrite)
    elif kind is Kind.MISSING:
        if variant == "demanded":
            yield ["given", name], "never"
        elif variant in POLICIES:
            yield ["other", name], "simple" if POLICIES[variant].droppable else "never"
        else:
            first, *rest = PREDICATES[variant].scan or ("unlike", variant)
            yield [first, name, *rest], "never"
    elif kind is Kind.REQUIRED or kind is Kind.DEFAULT:
        yield ["omitted", name], _writable(defaults[name])
    elif kind is Kind.OUTPUT:
        yield ["always"], "never"
    elif kind is Kind.BEHAVIOUR:
        ranks = contract.collective.ranks if contract.collective else {}
        word = "none" if name in ranks else "other"  # a rank that is left out means something of its own
        compared = [each for each in difference.when if each.startswith("{")]
        if compared:
            (word, other), *_ = ast.literal_eval(compared[0]).items()
            yield ["compares", name, word, other], "never"
        elif difference.when:
            values = [each for each in difference.when if each not in _SITUATIONS]
            among = "among" if len(values) == len(difference.when) else "among_perhaps"
            yield ([among, name, *values] if values else ["unsaid", name]), "never"
        elif defaults[name] is None:
            yield ["always"], "never"
        else:
            yield ([word, name] if defaults[name] in _IDLE else ["unsaid", name]), "never"
    else:
        yield ["always"], "never"


_IDLE = frozenset({"None", "''", '""', "False", "()", "[]"})
"""Defaults that stand for not using a parameter: a difference about it then concerns only calls that give it."""


_SITUATIONS = frozenset(map(repr, SITUATIONS))
"""Situations as they stand among the values that a difference is about."""


def _converted(difference: Difference, name: str, binding: Binding, default: str | None) -> list[Any]:
    """When a word that converts an argument makes something else of it."""
    word = WORDS[difference.variant]
    plain = "other" if difference.kind is Kind.TYPE and default == "None" else "given"
    first, *rest = word.scan or ("changed" if word.pure else plain,)
    if first not in BY_FUNCTION:
        return [first, name, *rest]
    options = next(
        dict(use.options)
        for route in binding.routes
        for use in route.words
        if use.word == word.name and any(source.name == name for source in route.sources)
    )
    return [first, name, word.name, options]


def _mends(rewrite: Rewrite | None) -> Rewritable:
    """For which arguments `migrate` can write out a word."""
    if rewrite is None:
        return "never"
    return list(rewrite.members) if rewrite.when == "member" else rewrite.when


def of_the_whole(difference: Difference, target: Target, contract: Contract) -> list[Any]:
    """The condition of a difference that belongs to no parameter: the object's mode, or a situation."""
    if difference.variant in {"combinations", "choices"}:
        tensors = contract.reads
        asked = [{name: wanted for name, wanted in row.items() if name not in tensors} for row in target.only]
        return ["combined", *([row, len(row) < len(full)] for row, full in zip(asked, target.only, strict=True))]
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
        routes = [route for route in binding.routes if parameter in route.sources]
        if parameter.kind == "positional_or_keyword" and len(routes) == 1:
            receiver = routes[0].receiver
            if places[receiver.name] != at and not _like_range(parameter, receiver, binding):
                found.append(parameter.name)
    return found


def _like_range(source: Parameter, receiver: Parameter, binding: Binding) -> bool:
    """Whether MindSpore counts arguments as Python's `range` does: `(start=0, end=None)` takes one as the end."""
    given = {route.receiver.name for route in binding.routes}
    before = binding.mindspore.parameters[: binding.mindspore.parameters.index(receiver)]
    left = [parameter for parameter in before if parameter.name not in given]
    return source.required and receiver.default == "None" and len(left) == len(before) == 1 and left[0].default == "0"
