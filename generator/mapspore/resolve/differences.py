"""What differs: from the bindings of a target to rows of differences, and from those to the verdict.

In go bindings and judgement; out come `Row`s for parameters and results, free of any language. Nothing
here is typed by a contributor, and no row depends on a free note.
"""

from __future__ import annotations

import ast
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Any

from mapspore.entry.model import Behaviour, Collective, Contract, Delivery, Target, Tensors, Text
from mapspore.facts.snapshot import Api, Parameter
from mapspore.resolve.binding import ArgumentRoute, Binding
from mapspore.words.kinds import Exemption, Kind
from mapspore.words.pure import convert
from mapspore.words.vocabulary import COLLECTIVE_CONVENTIONS, HANDLE, POLICIES, TRUTH, WORDS

CELL = "mindspore.nn.Cell"


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference: its kind, which phrase of that kind says it, and what fills the phrase."""

    kind: Kind
    variant: str = ""
    values: tuple[tuple[str, str], ...] = ()
    exemption: Exemption | None = None
    covered_by_other: bool = False
    """True if another difference of the row already says it (a word's phrase covers a new name)."""
    text: Text | None = None
    """The contributor's own sentence, for a behaviour."""
    when: tuple[str, ...] = ()
    """As Python source: the values of the parameter that a behaviour is about; without one, any."""
    adapted: bool = True
    """Whether the entry has an adapter, whose doing its sentence may tell."""

    @property
    def counts(self) -> bool:
        return self.exemption is None and self.kind is not Kind.SAME


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the difference table: names on both sides and what differs, the worst first."""

    torch: str | None
    mindspore: tuple[str, ...]
    differences: tuple[Difference, ...]
    item: str = "parameter"

    @property
    def kind(self) -> Kind:
        return self.differences[0].kind if self.differences else Kind.SAME

    def unadapted(self) -> Row:
        return replace(self, differences=unadapted(self.differences))


@dataclass(frozen=True, slots=True)
class FormRows:
    """What differs in one call form: an overload of torch, met by an overload of MindSpore."""

    binding: Binding
    rows: tuple[Row, ...]
    """A row per torch parameter, in torch's order, then one per MindSpore parameter that torch lacks."""
    returns: Row


def unadapted(differences: Iterable[Difference]) -> tuple[Difference, ...]:
    """The differences of an entry that has no adapter."""
    return tuple(replace(difference, adapted=False) for difference in differences)


def form_rows(binding: Binding, target: Target, contract: Contract) -> FormRows:
    """The rows of one call form."""
    return FormRows(binding, tuple(_parameter_rows(binding, target, contract)), _return_row(binding, target, contract))


def parameter_rows(forms: Sequence[FormRows]) -> tuple[Row, ...]:
    """The rows of all call forms: what is said of a parameter in one of them or in several is said once."""
    if len(forms) == 1:
        return forms[0].rows
    found: dict[str, list[Row]] = {}
    extras: dict[tuple[str, ...], Row] = {}
    for form in forms:
        for row in form.rows:
            if row.torch is None:
                extras.setdefault(row.mindspore, row)
            else:
                found.setdefault(row.torch, []).append(row)
    for name in dict.fromkeys(name for form in forms for name in form.binding.defaulted_elsewhere):
        if name in found:
            overload = Difference(Kind.SAME, "overload", exemption=Exemption.OVERLOAD)
            found[name].append(Row(name, (), (overload,)))
    return (*(_merged(rows) for rows in found.values()), *extras.values())


def return_row(forms: Sequence[FormRows]) -> Row:
    """The row for what is returned, whichever the call form is."""
    return _merged([form.returns for form in forms]) if forms else Row(None, (), (), item="returns")


def _merged(rows: Sequence[Row]) -> Row:
    """Rows about the same thing as one."""
    first = rows[0]
    if len(rows) == 1:
        return first
    names = dict.fromkeys(name for row in rows for name in row.mindspore)
    found = dict.fromkeys(difference for row in rows for difference in row.differences)
    return Row(first.torch, tuple(names), worst_first(found), first.item)


def _parameter_rows(binding: Binding, target: Target, contract: Contract) -> Iterator[Row]:
    receivers: dict[str, dict[str, None]] = {parameter.name: {} for parameter in binding.torch.parameters}
    found: dict[str, dict[Difference, None]] = {parameter.name: {} for parameter in binding.torch.parameters}
    extras: dict[str, Difference] = {}
    routes_by_source: dict[str, list[ArgumentRoute]] = {}
    for route in binding.routes:
        for source in route.sources:
            routes_by_source.setdefault(source.name, []).append(route)
            receivers[source.name][route.receiver.name] = None
        if not route.sources:
            extras.setdefault(route.receiver.name, _fixed(route))
    for name, routes in routes_by_source.items():
        for difference in _passed(name, routes, contract):
            found[name].setdefault(difference)
    for name in _out_of_order(binding):
        found[name].setdefault(Difference(Kind.ORDER))
    for route in binding.routes:
        if route.receiver.kind == "keyword_only" and all(s.kind == _BY_POSITION for s in route.sources):
            for source in route.sources:
                found[source.name].setdefault(Difference(Kind.ORDER, "keyword"))
    for parameter, policy in binding.absent:
        exemption = Exemption.GENERAL if parameter.name in binding.general else None
        values = (("torch", parameter.name), ("default", parameter.default or ""))
        found[parameter.name].setdefault(Difference(Kind.MISSING, _refused(parameter, policy), values, exemption))
    for name, predicate in binding.treatment.requires.items():
        if name in found:
            found[name].setdefault(Difference(Kind.MISSING, predicate, (("torch", name),)))
    for name, delivery in binding.treatment.fill.items():
        if name in found:
            values = (("torch", name), ("returned", delivery.from_))
            variant = _delivered(delivery, contract.writes.get(name), bool(receivers[name]))
            found[name].setdefault(Difference(Kind.OUTPUT, variant, values))
    for parameter in binding.defaulted:
        values = (("mindspore", parameter.name), ("default", parameter.default or ""))
        variant = "" if parameter.default is not None else "rest"
        extras.setdefault(parameter.name, Difference(Kind.EXTRA, variant, values, Exemption.EXTRA))
    for behaviour in target.differs:
        if behaviour.about in found:
            found[behaviour.about].setdefault(_behaviour(behaviour))
    for name, differences in found.items():
        yield Row(name, tuple(receivers[name]), worst_first(differences))
    for name, difference in extras.items():
        yield Row(None, (name,), (difference,))


def behaviour_differences(target: Target, rows: Iterable[Row]) -> list[Difference]:
    """The declared behaviours that belong to no parameter and not to the result."""
    named = {row.torch for row in rows} | {"result"}
    return [_behaviour(b) for b in target.differs if b.about not in named]


def _return_row(binding: Binding, target: Target, contract: Contract) -> Row:
    """The row for what is returned: a collective gives a handle, any other call its result."""
    treatment, collective = binding.treatment, contract.collective
    returns = treatment.returns or ()
    found: dict[Difference, None] = {}
    if collective:
        found |= dict.fromkeys(_handed_back(binding, collective))
    else:
        if (
            treatment.hand_back is not None
            and treatment.returns is not None
            and treatment.hand_back != treatment.returns
        ):
            values = (("result", ", ".join(treatment.hand_back)), ("returned", ", ".join(treatment.returns)))
            found.setdefault(Difference(Kind.TYPE, "picked", values))
        if binding.torch.fields and not binding.mindspore.fields:
            found.setdefault(Difference(Kind.TYPE, "named", (("fields", ", ".join(binding.torch.fields)),)))
        for name, use in ((name, use) for name, uses in treatment.convert_returns.items() for use in uses):
            options = tuple((key, _said(value)) for key, value in sorted(use.options.items()))
            if (word := WORDS.get(use.word)) is not None:
                kind = Kind.SAME if word.changes == "nothing" else Kind(word.changes)
                found.setdefault(Difference(kind, use.word, (("returned", name), *options)))
    for behaviour in target.differs:
        if behaviour.about == "result":
            found.setdefault(_behaviour(behaviour))
    return Row(None, tuple(dict.fromkeys(returns)), worst_first(found), item="returns")


def _handed_back(binding: Binding, collective: Collective) -> Iterator[Difference]:
    """What is different of what the caller of a collective gets."""
    returns = binding.treatment.returns or ()
    content = [name for name in returns if name != HANDLE]
    delivered = {delivery.from_ for delivery in binding.treatment.fill.values()}
    if collective.returns == "sender":
        yield Difference(Kind.TYPE, "sender")
        return
    if content:
        named = [name for name in content if name in delivered]
        yield Difference(Kind.OUTPUT, "returned", (("returned", ", ".join(named or content)),))
    asynchronous = any(p.name == "async_op" for p in binding.torch.parameters)
    if asynchronous or collective.returns == "work":
        variant = "work" if not asynchronous else "handle_beside" if content and HANDLE in returns else "handle"
        yield Difference(Kind.TYPE if HANDLE in returns else Kind.MISSING, variant)


def object_differences(target: Target, contract: Contract, api: Api) -> list[Difference]:
    """What is different of the whole, not of a parameter: dtypes, combinations, the mode of an object, methods."""
    found: list[Difference] = []
    if target.dtypes:
        found.append(Difference(Kind.TYPE, "dtypes", (("dtypes", ", ".join(target.dtypes)),), Exemption.DTYPES))
    if target.only:
        limited = _limited(target)
        one = (("about", limited[0]), ("torch", limited[0]))
        several = (("names", ", ".join(limited)),)
        found.append(Difference(Kind.MISSING, *(("choices", one) if len(limited) == 1 else ("combinations", several))))
    if contract.modes and api.kind == "class" and CELL in api.bases:
        found.append(Difference(Kind.DEFAULT, "mode", (("about", "mode"),)))
    for name, method in contract.methods.items():
        found.append(Difference(Kind.BEHAVIOUR, "", (("about", name),), text=Text(en=method.en, zh=method.zh)))
    return found


def measured_differences(run: Mapping[str, Any]) -> tuple[Difference, ...]:
    """What MindSpore's own counterpart was seen to do otherwise, on the platform where it was run."""
    total = sum(run.get("cases", {}).values())
    return tuple(
        Difference(
            Kind.BEHAVIOUR, f"measured_{group['way']}",
            tuple(sorted({"about": group["about"] or "measured", "platform": run["platform"], "total": str(total),
                          **{key: str(group[key]) for key in ("count", "call", "torch", "mindspore")}}.items())),
        )
        for group in run.get("apart", ())
    )  # fmt: skip


def _limited(target: Target) -> list[str]:
    """The torch parameters that a target's supported combinations speak of."""
    return list(dict.fromkeys(name for row in target.only for name in row))


def state_rows(target: Target) -> list[Row]:
    """A row for each name of torch's state."""
    rows = []
    for name, mindspore_name in target.state.items():
        found: list[Difference] = []
        values = (("torch", name), ("mindspore", mindspore_name or ""))
        if mindspore_name is None:
            found.append(Difference(Kind.MISSING, "state", values))
        elif mindspore_name != name:
            found.append(Difference(Kind.RENAMED, "state", values))
        rows.append(Row(name, (mindspore_name,) if mindspore_name else (), worst_first(found), item="state"))
    return rows


def worst_first(differences: Iterable[Difference]) -> tuple[Difference, ...]:
    """Sorted by severity; those that count before those that an exemption covers; else in the order of the entry."""
    found = tuple(differences)
    if len(found) < 2:
        return found
    return tuple(sorted(found, key=lambda d: (not d.counts, -d.kind.severity)))


def _refused(parameter: Parameter, policy: str) -> str:
    """The phrase for a parameter with no place: its policy; without a default, a refusal does not speak of one."""
    refuses = policy in POLICIES and POLICIES[policy].refuses
    return "demanded" if refuses and parameter.default is None else policy


def _delivered(delivery: Delivery, demand: Tensors | None, received: bool) -> str:
    """The phrase for a delivery: its last word, said differently of a list, and where MindSpore has no parameter."""
    name = delivery.by[-1].word if delivery.by else ""  # of a damaged entry
    word = WORDS.get(name)
    variants = word.variants if word is not None else ()
    if "list" in variants and demand is not None and demand.count:
        return f"{name}_list"
    return f"{name}_new" if "new" in variants and not received else name


def _behaviour(behaviour: Behaviour) -> Difference:
    values = (("about", behaviour.about),)
    when = tuple(repr(value) for value in behaviour.when)
    return Difference(Kind.BEHAVIOUR, "", values, text=Text(en=behaviour.en, zh=behaviour.zh), when=when)


def _fixed(route: ArgumentRoute) -> Difference:
    receiver = route.receiver
    values = (("mindspore", receiver.name), ("value", repr(route.value)))
    harmless = receiver.default is not None and same_default(repr(route.value), receiver.default)
    return Difference(Kind.EXTRA, "fixed", values, Exemption.EXTRA if harmless else None)


def _passed(name: str, routes: list[ArgumentRoute], contract: Contract) -> Iterator[Difference]:
    """The differences of a torch parameter that MindSpore receives."""
    if len(routes) > 1 and not any(len(p.sources) > 1 for p in routes):
        into = ", ".join(route.receiver.name for route in routes)
        yield Difference(Kind.SPLIT, "", (("torch", name), ("mindspore", into)))
        for route in routes:
            yield from _default(route.sources[0], route)
        return
    for route in routes:
        receiver, source = route.receiver, next(p for p in route.sources if p.name == name)
        if len(route.sources) > 1:
            sources = ", ".join(parameter.name for parameter in route.sources)
            word = route.words[-1].word if route.words else ""
            yield Difference(Kind.MERGED, word, (("torch", sources), ("mindspore", receiver.name), *_options(route)))
            if source.default != "None" or all(each.default == "None" for each in route.sources):
                yield from _default(_without_rank(source, contract), route)  # `None` leaves it to the others
            continue
        said = demanded = False
        for use in route.words:
            word_ = WORDS.get(use.word)
            if word_ is None or word_.bool_only not in (None, source.annotation in TRUTH):
                continue
            values = (("torch", name), ("mindspore", receiver.name), *_options(route))
            if word_.changes == "nothing":
                yield Difference(Kind.SAME, use.word, values if word_.options else ())
                continue
            kind = Kind(word_.changes)
            demanded = demanded or kind is Kind.REQUIRED
            yield Difference(kind, use.word, values)
            said = True
        if receiver.name != name:
            values = (("torch", name), ("mindspore", receiver.name))
            yield Difference(Kind.RENAMED, "", values, covered_by_other=said)
        if not demanded:
            yield from _default(_without_rank(source, contract), route)


def _options(route: ArgumentRoute) -> tuple[tuple[str, str], ...]:
    return tuple((key, _said(value)) for use in route.words for key, value in sorted(use.options.items()))


def _said(value: object) -> str:
    """The value of an option, as a phrase takes it."""
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _default(source: Parameter, route: ArgumentRoute) -> Iterator[Difference]:
    """Whether leaving the argument out means something else; compared after pure words."""
    if source.default is None:
        return
    receiver = route.receiver
    values = (("torch", source.name), ("mindspore", receiver.name), ("torch_default", source.default))
    if receiver.default is None:
        if not receiver.kind.startswith("var_"):
            yield Difference(Kind.REQUIRED, "", values)
        return
    if same_default(_converted(source.default, route), receiver.default):
        return
    settled = [word for use in route.words if (word := WORDS.get(use.word)) and word.fixes_default]
    if settled and (same_default(source.default, receiver.default) or not settled[0].pure):
        return
    word = COLLECTIVE_CONVENTIONS.get(source.name)
    conventional = word is not None and any(use.word == word.name for use in route.words)
    equal = word.convention.equal_defaults if word is not None and word.convention else ()
    if conventional and (source.default, receiver.default) in equal:
        return
    yield Difference(Kind.DEFAULT, "", (*values, ("mindspore_default", receiver.default)))


def _without_rank(source: Parameter, contract: Contract) -> Parameter:
    """A rank whose default `None` stands for another rank, or for none at all, has that as its real default."""
    collective = contract.collective
    if collective is None or source.name not in collective.ranks or source.default != "None":
        return source
    return replace(source, default=None if collective.rank_default is None else str(collective.rank_default))


def _converted(default: str, route: ArgumentRoute) -> str:
    """The default that MindSpore receives, as far as pure words convert it."""
    for use in route.words:
        word = WORDS.get(use.word)
        if word is not None and word.pure:
            default = convert(use.word, use.options, default) or default
    return default


@lru_cache(maxsize=4096)
def same_default(one: str, other: str) -> bool:
    """Whether two defaults, as Python source, are the same value (`0.10` and `0.1`, `1` and `1.0`)."""
    if one == other:
        return True
    try:
        left, right = ast.literal_eval(one), ast.literal_eval(other)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return False
    return bool(left == right) and isinstance(left, bool) == isinstance(right, bool)


def _out_of_order(binding: Binding) -> list[str]:
    """The torch parameters whose position relative to the others differs in MindSpore."""
    places = {parameter.name: index for index, parameter in enumerate(binding.mindspore.parameters)}
    alone = {
        route.sources[0].name: places[route.receiver.name]
        for route in binding.routes
        if len(route.sources) == 1 and not route.receiver.kind.startswith("var_")
    }
    names = [
        p.name for p in binding.torch.parameters if p.name in alone and p.kind != "keyword_only"
    ]  # a keyword-only parameter has no position to lose
    in_order = _longest_rising(names, alone)
    # A MindSpore parameter that torch lacks shifts what stands behind it.
    own = {parameter.name for parameter in binding.defaulted}
    own.update(route.receiver.name for route in binding.routes if not route.sources)
    positional = [p.name for p in binding.mindspore.parameters if p.kind == _BY_POSITION]
    first = next((places[name] for name in positional if name in own), len(places))
    return [name for name in names if name not in in_order or alone[name] > first]


_BY_POSITION = "positional_or_keyword"


def _longest_rising(names: list[str], places: dict[str, int]) -> set[str]:
    """The largest set of names that stand in the same order on both sides (patience sorting)."""
    if all(places[a] < places[b] for a, b in pairwise(names)):
        return set(names)
    tails: list[int] = []
    ends: list[str] = []
    before: dict[str, str | None] = {}
    for name in names:
        at = bisect_left(tails, places[name])
        tails[at : at + 1] = [places[name]]
        ends[at : at + 1] = [name]
        before[name] = ends[at - 1] if at else None
    chain: set[str] = set()
    last: str | None = ends[-1] if ends else None
    while last is not None:
        chain.add(last)
        last = before[last]
    return chain
