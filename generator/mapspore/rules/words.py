"""M5xx: the words and policies that an entry uses."""

from __future__ import annotations

from mapspore.diagnostics import Diagnostic
from mapspore.model import Argument, Contract, WordUse
from mapspore.resolve import Mapping, Registry
from mapspore.rules.accounts import parts
from mapspore.rules.base import Found, Rule, listed, nearest, problem
from mapspore.vocabulary import COLLECTIVE_CONVENTIONS, POLICIES, PREDICATES, WORDS, Word, wrong_options

Steps = tuple[str | int, ...]


def uses(mapping: Mapping) -> list[tuple[WordUse, Steps, str]]:
    """Every use of a word, with its path and whether it stands at an argument or an output."""
    found: list[tuple[WordUse, Steps, str]] = []
    for index, counterpart in enumerate(mapping.counterparts):
        for steps, treatment in parts(counterpart, index):
            for name, argument in treatment.arguments.items():
                found += [(use, (*steps, "arguments", name, "by"), "argument") for use in argument.by]
            for name, delivery in treatment.outputs.items():
                found += [(use, (*steps, "outputs", name, "by"), "output") for use in delivery.by]
    return found


def check_uses(mapping: Mapping, registry: Registry) -> Found:
    """Each use of a word: that there is such a word, with such options, at such a place."""
    for use, steps, where in uses(mapping):
        word = WORDS.get(use.word)
        if word is None:
            yield _unknown("M501", mapping, steps, use.word, list(WORDS))
            continue
        for variant, option in wrong_options(word, use.options):
            wanted = word.options.get(option)
            shown = listed(sorted(wanted)) if isinstance(wanted, frozenset) else "`0`, `1`, …"
            if variant == "unknown" and not word.options:
                variant = "bare"
            known = listed(word.options)
            place = mapping.source.place(*steps)
            yield problem("M502", place, variant, word=use.word, option=option, wanted=shown, known=known)
        if word.place != where:
            yield problem("M503", mapping.source.place(*steps), word.place, word=use.word)


def check_sources(mapping: Mapping, registry: Registry) -> Found:
    """Several torch parameters for one of MindSpore need a word that says how they become one."""
    for index, counterpart in enumerate(mapping.counterparts):
        passings = [passing for binding in counterpart.bindings for passing in binding.passings]
        together = {passing.receiver.name for passing in passings if len(passing.sources) > 1}
        for steps, treatment in parts(counterpart, index):
            for name, argument in treatment.arguments.items():
                if any((word := WORDS.get(use.word)) and word.merges for use in argument.by):
                    continue
                if len(argument.from_) > 1 and argument.by:
                    place = mapping.source.place(*steps, "arguments", name, "by")
                    yield problem("M503", place, "merge", word=argument.by[0].word)
                elif name in together and not argument.by:
                    place = mapping.source.place(*steps, "arguments", name, "from")
                    yield problem("M503", place, "unmerged", name=name, torch=listed(argument.from_))


def check_policies(mapping: Mapping, registry: Registry) -> Found:
    for index, counterpart in enumerate(mapping.counterparts):
        for steps, treatment in parts(counterpart, index):
            for name, policy in treatment.absent.items():
                if policy not in POLICIES:
                    yield _unknown("M504", mapping, (*steps, "absent", name), policy, list(POLICIES))
            for name, predicate in treatment.accepts.items():
                if predicate not in PREDICATES:
                    yield _unknown("M505", mapping, (*steps, "accepts", name), predicate, list(PREDICATES))


def _unknown(code: str, mapping: Mapping, steps: Steps, name: str, known: list[str]) -> Diagnostic:
    near = nearest(name, known, 1)
    place = mapping.source.place(*steps)
    if near:
        return problem(code, place, "near", word=name, near=near[0])
    return problem(code, place, word=name, known=listed(sorted(known)))


def check_context(mapping: Mapping, registry: Registry) -> Found:
    """What a word's function takes besides the value is there: a group, a rank, another parameter, tensors."""
    contract = mapping.entry.contract
    tensors = {**contract.inputs, **contract.outputs}
    for index, counterpart in enumerate(mapping.counterparts):
        for steps, treatment in parts(counterpart, index):
            for name, argument in treatment.arguments.items():
                for use in argument.by:
                    word = WORDS.get(use.word)
                    lacking = _lacking(word, contract, argument) if word else ""
                    if lacking:
                        place = mapping.source.place(*steps, "arguments", name, "by")
                        sources = ", ".join(argument.from_)
                        yield problem("M506", place, lacking, word=use.word, name=sources)
            for name, predicate in treatment.accepts.items():
                if predicate in PREDICATES and (name not in tensors or contract.collective is None):
                    place = mapping.source.place(*steps, "accepts", name, key=True)
                    yield problem("M506", place, "tensors", word=predicate, name=name)


def _lacking(word: Word, contract: Contract, argument: Argument) -> str:
    if (word.subject != "value" or word.needs) and contract.collective is None:
        return "collective"
    if word.subject == "root" and not (contract.collective and contract.collective.ranks):
        return "ranks"
    if word.subject != "value" and not _belongs(word, contract, argument):
        return "other"
    if word.of_tensors and contract.collective and not {*contract.inputs, *contract.outputs}.issuperset(argument.from_):
        return "tensors"
    return "with" if word.consults != len(argument.with_) else ""


def _belongs(word: Word, contract: Contract, argument: Argument) -> bool:
    """Whether a word that stands for something of the call is used on the parameters that it comes from."""
    if word.subject == "root":
        return contract.collective is not None and set(argument.from_) <= set(contract.collective.ranks)
    conventions = [COLLECTIVE_CONVENTIONS.get(name) for name in argument.from_]
    return all(convention is not None and convention.word == word.name for convention in conventions)


RULES = (
    Rule("M501", "entry", check_uses, of_parts=True),
    Rule("M502", "entry"),
    Rule("M503", "entry", check_sources, of_parts=True),
    Rule("M504", "entry", check_policies, of_parts=True),
    Rule("M505", "entry"),
    Rule("M506", "entry", check_context),
)
