"""M5xx: the words and policies that an entry uses."""

from __future__ import annotations

from collections.abc import Iterator

from mapspore.base.diagnostics import Diagnostic
from mapspore.check.rules.base import Problems, Rule, listed, nearest, problem
from mapspore.check.rules.roles import sound_ranks
from mapspore.check.rules.signatures import signature_pairs
from mapspore.entry.load import Source
from mapspore.entry.model import Argument, Collective, Contract, WordUse
from mapspore.entry.renames import FORMER_WORDS
from mapspore.resolve.registry import Mapping, Registry
from mapspore.words.runtime import nameable, sort_of
from mapspore.words.types import Predicate, Word
from mapspore.words.vocabulary import COLLECTIVE_CONVENTIONS, POLICIES, PREDICATES, WORDS, wrong_options

Steps = tuple[str | int, ...]
ROOT = "root"


def uses(mapping: Mapping) -> list[tuple[WordUse, Steps, str]]:
    """Every use of a word, with its path and whether it stands at an argument or an output."""
    found: list[tuple[WordUse, Steps, str]] = []
    for pair in signature_pairs(mapping):
        for steps, treatment in pair.parts():
            for name, argument in treatment.arguments.items():
                by = (*steps, "arguments", name, "by")
                found += [(use, at, "argument") for use, at in _placed(argument.by, by, mapping.source)]
            for name, delivery in treatment.fill.items():
                by = (*steps, "fill", name, "by")
                found += [(use, at, "output") for use, at in _placed(delivery.by, by, mapping.source)]
            for name, words in treatment.convert_returns.items():
                by = (*steps, "convert_returns", name)
                found += [(use, at, "result") for use, at in _placed(words, by, mapping.source)]
    return found


def _placed(by: tuple[WordUse, ...], steps: Steps, source: Source) -> Iterator[tuple[WordUse, Steps]]:
    """Words and their paths; `by` holds a list of them, or one alone."""
    listed_ = bool(by) and source.place(*steps, 0) != source.place(*steps)
    for number, use in enumerate(by):
        yield use, (*steps, *((number,) if listed_ else ()), use.word)


_FOR_INSTANCE = {int: "`0`, `1`, …", list: "`[lr, weight_decay]`, …"}
"""What an option takes that is no choice of some texts."""


def check_uses(mapping: Mapping, registry: Registry) -> Problems:
    """Each use of a word: that there is such a word, with such options, at such a place."""
    for use, steps, where in uses(mapping):
        word = WORDS.get(use.word)
        if use.word in FORMER_WORDS:
            place = mapping.source.place(*steps, key=True)
            yield problem("M501", place, "renamed", word=use.word, now=FORMER_WORDS[use.word])
            continue
        if word is None:
            yield _unknown("M501", mapping, steps, use.word, list(WORDS), key=True)
            continue
        for variant, option in wrong_options(word, use.options):
            wanted = word.options.get(option)
            shown = listed(sorted(wanted)) if isinstance(wanted, frozenset) else _FOR_INSTANCE.get(wanted or object, "")
            if variant == "unknown" and not word.options:
                variant = "bare"
            known = listed(word.options)
            place = mapping.source.place(*steps, *(() if variant == "missing" else (option,)), key=variant != "value")
            yield problem("M502", place, variant, word=use.word, option=option, wanted=shown, known=known)
        if word.place != where:
            yield problem("M503", mapping.source.place(*steps, key=True), word.place, word=use.word)


def check_sources(mapping: Mapping, registry: Registry) -> Problems:
    """Several torch parameters for one of MindSpore need a word that says how they become one."""
    for pair in signature_pairs(mapping):
        routes = [route for binding in pair.counterpart.bindings for route in binding.routes]
        together = {route.receiver.name for route in routes if len(route.sources) > 1}
        for steps, treatment in pair.parts():
            for name, argument in treatment.arguments.items():
                if any((word := WORDS.get(use.word)) and word.merges for use in argument.by):
                    continue
                if len(argument.from_) > 1 and argument.by and all(use.word in WORDS for use in argument.by):
                    place = mapping.source.place(*steps, "arguments", name, "by")
                    yield problem("M503", place, "merge", word=argument.by[0].word)
                elif name in together and not argument.by:
                    place = mapping.source.place(*steps, "arguments", name, "from")
                    yield problem("M503", place, "unmerged", name=name, torch=listed(argument.from_))


def check_policies(mapping: Mapping, registry: Registry) -> Problems:
    for pair in signature_pairs(mapping):
        for steps, treatment in pair.parts():
            for name, policy in treatment.absent.items():
                if policy not in POLICIES:
                    yield _unknown("M504", mapping, (*steps, "absent", name), policy, list(POLICIES))
            for name, predicate in treatment.requires.items():
                if predicate not in PREDICATES:
                    yield _unknown("M505", mapping, (*steps, "requires", name), predicate, list(PREDICATES))


def _unknown(code: str, mapping: Mapping, steps: Steps, name: str, known: list[str], key: bool = False) -> Diagnostic:
    near = nearest(name, known, 1)
    place = mapping.source.place(*steps, key=key)
    if near:
        return problem(code, place, "near", word=name, near=near[0])
    return problem(code, place, word=name, known=listed(sorted(known)))


def check_context(mapping: Mapping, registry: Registry) -> Problems:
    """What a word's function takes besides the value is there: a group, a rank, another parameter, tensors."""
    contract = mapping.entry.contract
    for pair in signature_pairs(mapping):
        for steps, treatment in pair.parts():
            for name, argument in treatment.arguments.items():
                for use, at in _placed(argument.by, (*steps, "arguments", name, "by"), mapping.source):
                    word = WORDS.get(use.word)
                    lacking = _lacking(word, contract, argument) if word else ""
                    if lacking:
                        place = mapping.source.place(*at, key=True)
                        names = argument.with_ if lacking == "consulted" else argument.from_
                        yield problem("M506", place, lacking, word=use.word, name=", ".join(names))
                known = [word for use in argument.by if (word := WORDS.get(use.word))]
                if argument.with_ and known and not any(word.consults for word in known):
                    place = mapping.source.place(*steps, "arguments", name, "by")
                    yield problem("M506", place, "alone", word=known[0].name)
                if argument.with_ and not argument.by:
                    place = mapping.source.place(*steps, "arguments", name, "with")
                    yield problem("M506", place, "idle", name=", ".join(argument.with_))
            for name, predicate in treatment.requires.items():
                misplaced = _misplaced(PREDICATES[predicate], name, contract) if predicate in PREDICATES else ""
                if misplaced:
                    place = mapping.source.place(*steps, "requires", name, key=True)
                    yield problem("M506", place, misplaced, word=predicate, name=name)
            for name, policy in treatment.absent.items():
                before_call = policy in POLICIES and POLICIES[policy].method
                if before_call and (contract.collective is None or mapping.port == "runtime"):
                    place = mapping.source.place(*steps, "absent", name)
                    yield problem("M506", place, "collective" if contract.collective is None else "own", word=policy)


def _misplaced(predicate: Predicate, name: str, contract: Contract) -> str:
    """What is wrong with a predicate on a parameter: it is about another sort of value."""
    if predicate.about == "plain":
        return "other" if contract.collective is not None else ""
    if contract.collective is None or (predicate.about == "list" and name not in {*contract.reads, *contract.writes}):
        return "tensors"
    return "other" if _subject(name, contract.collective) != "value" else ""


def _lacking(word: Word, contract: Contract, argument: Argument) -> str:
    if (word.applies_to != "value" or word.needs) and contract.collective is None:
        return "collective"
    if word.applies_to == ROOT and not (contract.collective and contract.collective.ranks):
        return "ranks"
    if not _belongs(word, contract, argument):
        return "other"
    if word.of_tensors and contract.collective and not {*contract.reads, *contract.writes}.issuperset(argument.from_):
        return "tensors"
    if word.consults > len(argument.with_):
        return "with"
    spoken = {*contract.reads, *contract.writes}
    return "consulted" if word.consults and word.of_tensors and not spoken.issuperset(argument.with_) else ""


def _belongs(word: Word, contract: Contract, argument: Argument) -> bool:
    """Whether a word that stands for something of the call, and no other, is used on the parameters it comes from."""
    if contract.collective is None:
        return True
    return {word.applies_to} == {_subject(name, contract.collective) for name in argument.from_}


def _subject(name: str, collective: Collective) -> str:
    """What the call makes of a torch parameter before any word sees it."""
    if name in collective.ranks:
        return ROOT
    word = COLLECTIVE_CONVENTIONS.get(name)
    return word.applies_to if word else "value"


def check_ranks(mapping: Mapping, registry: Registry) -> Problems:
    """A rank is settled before the call, so only a word that knows of it passes it on."""
    ranks = sound_ranks(mapping.entry.contract)
    for index, counterpart in enumerate(mapping.counterparts if ranks else ()):
        bare: dict[str, str] = {}
        for route in (route for binding in counterpart.bindings for route in binding.routes):
            if not route.words and len(route.sources) == 1:  # M503 speaks of several
                bare.update({source.name: route.receiver.name for source in route.sources if source.name in ranks})
        for name, receiver in bare.items():
            place = mapping.source.place("targets", index, "mindspore")
            yield problem("M506", place, "rank", name=name, mindspore=receiver)


def check_runtime(mapping: Mapping, registry: Registry) -> Problems:
    """`runtime` names something that the adapter has, and of the right sort: only a function can be called."""
    name, place = mapping.entry.runtime, mapping.source.place("runtime")
    if name is None:
        return
    called = mapping.api is None or mapping.api.kind == "function" or mapping.is_function_of_runtime
    if name not in nameable():
        near = nearest(name, sorted(known for known in nameable() if (sort_of(known) == "function") == called), 1)
        if near:
            yield problem("M507", place, "near", word=name, near=near[0])
        else:
            parts = sorted({part for part, dot, _ in (known.partition(".") for known in nameable()) if dot})
            yield problem("M507", place, word=name, known=listed(parts))
    elif mapping.api is not None and sort_of(name) and called != (sort_of(name) == "function"):
        variant = "thing" if called else "function"
        yield problem("M507", place, variant, word=name, torch=mapping.name)


RULES = (
    Rule("M501", "entry", check_uses, works_on_partial_entry=True),
    Rule("M502", "entry"),
    Rule("M503", "entry", check_sources, works_on_partial_entry=True),
    Rule("M504", "entry", check_policies, works_on_partial_entry=True),
    Rule("M505", "entry"),
    Rule("M506", "entry", check_context),
    Rule("M506", "entry", check_ranks),
    Rule("M507", "entry", check_runtime, works_on_partial_entry=True),
)
