"""Which overloads an adapter needs. In: torch's overloads, each with how it is treated. Out: the numbers of those that
are left when one that another covers is not told apart: `arange(start, end)` is `arange(start, end, step=1)`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mapspore.adapter.python_source import kinds_taken
from mapspore.entry.model import Treatment
from mapspore.facts.snapshot import Form, Parameter


def needed_forms(forms: Sequence[Form], treatments: Sequence[tuple[Treatment, ...]]) -> list[int]:
    """The numbers of the overloads that no later one covers, in torch's order."""
    return [
        at
        for at, form in enumerate(forms)
        if not any(
            treatments[later] == treatments[at]
            and _covers(forms[later], form)
            and not any(_may_fit(between, form) for between in forms[at + 1 : later])
            for later in range(at + 1, len(forms))
        )
    ]


def _covers(wider: Form, form: Form) -> bool:
    """Whether every call of an overload is one of a wider one too: it has all its parameters in the same places, takes
    what they take, and can be called without the rest."""
    theirs = {parameter.name: parameter for parameter in wider.parameters}
    own = {parameter.name for parameter in form.parameters}
    return (
        form.fields == wider.fields
        and list(_by_position(wider))[: len(list(_by_position(form)))] == list(_by_position(form))
        and all(
            (other := theirs.get(parameter.name)) is not None
            and other.kind == parameter.kind
            and (parameter.required or other.default == parameter.default)
            and _takes_all(other, parameter)
            for parameter in form.parameters
        )
        and not any(parameter.required for parameter in wider.parameters if parameter.name not in own)
    )


def _takes_all(wider: Parameter, parameter: Parameter) -> bool:
    kinds, all_kinds = kinds_taken(parameter.annotation), kinds_taken(wider.annotation)
    return not all_kinds or (bool(kinds) and set(kinds) <= set(all_kinds))


def _may_fit(other: Form, form: Form) -> bool:
    """Whether a call of one overload could be one of another: nothing that it needs is unknown there."""
    needed = {parameter.name for parameter in form.parameters if parameter.required}
    return needed <= {parameter.name for parameter in other.parameters}


def _by_position(form: Form) -> Iterator[str]:
    return (parameter.name for parameter in form.parameters if parameter.kind != "keyword_only")
