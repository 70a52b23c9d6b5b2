"""M4xx: every parameter of both sides is accounted for exactly once, and no line contradicts the facts."""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from mapspore.base.diagnostics import Diagnostic
from mapspore.check.rules.base import Problems, Rule, alike, listed, nearest, problem
from mapspore.entry.model import Treatment
from mapspore.facts.snapshot import Api
from mapspore.resolve.binding import Binding
from mapspore.resolve.registry import Counterpart, Mapping, Registry
from mapspore.resolve.resolve import METHODS, SELF
from mapspore.words.vocabulary import HANDLE, POLICIES, PREDICATES, WORDS

Steps = tuple[str | int, ...]
CALLABLE = ("function", "method", "class")


@dataclass(frozen=True, slots=True)
class SignaturePair:
    """Two signatures that meet: of the APIs, or of what the objects of two classes are called with."""

    steps: Steps
    """Where the entry speaks of it."""
    ours: Api | None
    counterpart: Counterpart

    @property
    def named(self) -> Steps:
        """Where the entry names MindSpore's side."""
        return (*self.steps[:2], "mindspore")

    def parts(self) -> Iterator[tuple[Steps, Treatment]]:
        """The treatment and its forms, with the path of each."""
        yield self.steps, self.counterpart.target
        for number, form in enumerate(self.counterpart.target.forms):
            yield (*self.steps, "forms", number), form


def signature_pairs(mapping: Mapping) -> Iterator[SignaturePair]:
    """All pairs of signatures of an entry."""
    for index, counterpart in enumerate(mapping.counterparts):
        yield SignaturePair(("targets", index), mapping.api, counterpart)
        if counterpart.call is not None and mapping.api is not None:
            called = replace(mapping.api, forms=mapping.api.call, call=())
            yield SignaturePair(("targets", index, "call"), called, counterpart.call)


def names_of(api: Api | None) -> list[str]:
    """All parameters that any overload of an API has, in order."""
    return list(dict.fromkeys(p.name for form in api.forms for p in form.parameters)) if api else []


def all_names(api: Api | None) -> list[str]:
    """The parameters of an API, and of what the objects of a class are called with."""
    called = names_of(replace(api, forms=api.call)) if api else []
    owner = [SELF.name] if api and api.kind in METHODS else []
    return list(dict.fromkeys((*owner, *names_of(api), *called)))


def joined(mapping: Mapping) -> Iterator[SignaturePair]:
    """The pairs of signatures that can be compared; M302, M303 and M308 report the others."""
    if mapping.port == "rewrite":
        return  # nothing is called in its place
    for pair in signature_pairs(mapping):
        if pair.counterpart.api is not None and mapping.api is not None and alike(mapping.api, pair.counterpart.api):
            yield pair


def check_torch_accounted(mapping: Mapping, registry: Registry) -> Problems:
    as_it_is = mapping.port == "runtime" and mapping.api is not None and mapping.api.kind == "class"
    if mapping.api is not None and mapping.api.kind in CALLABLE and not (mapping.api.forms or as_it_is):
        yield problem("M401", mapping.source.place("torch"), "unsigned", api=mapping.name)
    for pair in joined(mapping):
        counterpart = pair.counterpart
        lost = dict.fromkeys(name for binding in counterpart.bindings for name in binding.unbound_torch)
        has = names_of(counterpart.api)
        for name in lost:
            if name in mapping.entry.contract.writes:
                continue  # M407 says it better
            yield problem(
                "M401", mapping.source.place(*pair.named), "" if has else "bare",
                name=name, mindspore=counterpart.target.mindspore, has=listed(has),
            )  # fmt: skip
        for signature in counterpart.untreated:
            shown = listed(parameter.name for parameter in signature.parameters)
            place = mapping.source.place(*pair.steps, "forms")
            variant = "form" if counterpart.api and counterpart.api.forms else "unsigned"
            yield problem("M401", place, variant, form=shown, api=counterpart.target.mindspore)


def check_mindspore_accounted(mapping: Mapping, registry: Registry) -> Problems:
    for pair in joined(mapping):
        counterpart = pair.counterpart
        lost: dict[str, bool] = {}
        for binding in counterpart.bindings:
            required = {p.name: p.required for p in binding.mindspore.parameters}
            lost.update({name: required[name] for name in binding.unbound_mindspore})
        for name, required_ in lost.items():
            place = mapping.source.place(*pair.named)
            variant = "required" if required_ else "optional"
            yield problem("M402", place, variant, name=name, mindspore=counterpart.target.mindspore)


def check_twice(mapping: Mapping, registry: Registry) -> Problems:
    for pair in joined(mapping):
        counterpart = pair.counterpart
        twice = dict.fromkeys(name for binding in counterpart.bindings for name in binding.twice)
        for name in twice:
            where: Steps = (*pair.steps, "absent", name)
            if name not in counterpart.target.absent:
                where = (*pair.steps, "arguments")
            yield problem("M403", mapping.source.place(*where, key=True), name=name)


def check_existing(mapping: Mapping, registry: Registry) -> Problems:
    """Parameters that lines name exist in some overload of the side they are meant for."""
    if mapping.api is None:
        return
    ours = all_names(mapping.api)
    contract = mapping.entry.contract
    spoken: list[tuple[str, Steps, bool]] = []
    for key, tensors in (("writes", contract.writes), ("reads", contract.reads)):
        for name, demand in tensors.items():
            base: Steps = ("contract", key, name)
            spoken.append((name, base, True))
            spoken += [(value, (*base, "like"), False) for value in (demand.like,) if value]
            spoken += [(value, (*base, "own_like"), False) for value in (demand.own_like,) if value]
            spoken += [(value, (*base, "at"), False) for value in demand.at]
    if contract.collective:
        spoken += [(n, ("contract", "collective", "ranks", n), True) for n in contract.collective.ranks]
    for pair in joined(mapping):
        counterpart = pair.counterpart
        theirs = names_of(counterpart.api)
        for steps, treatment in pair.parts():
            for name, argument in treatment.arguments.items():
                at = (*steps, "arguments", name)
                if name not in theirs:
                    yield _missing(mapping, at, True, name, theirs, counterpart.target.mindspore)
                spoken += [(value, (*at, "from"), False) for value in argument.from_]
                spoken += [(value, (*at, "with"), False) for value in argument.with_]
            for number, name in enumerate(treatment.leave_default):
                if name not in theirs:
                    at = (*steps, "leave_default", number)
                    yield _missing(mapping, at, False, name, theirs, counterpart.target.mindspore)
            spoken += [(name, (*steps, "absent", name), True) for name in treatment.absent]
            spoken += [(name, (*steps, "requires", name), True) for name in treatment.requires]
            spoken += [(name, (*steps, "fill", name), True) for name in treatment.fill]
        for number, form in enumerate(counterpart.target.forms):
            base = (*pair.steps, "forms", number)
            spoken += [(name, (*base, "has"), False) for name in form.has]
            spoken += [(name, (*base, "lacks"), False) for name in form.lacks]
    for name, steps, is_key in spoken:
        if name not in ours:
            yield _missing(mapping, steps, is_key, name, ours, mapping.name)


def _missing(mapping: Mapping, steps: Steps, is_key: bool, name: str, known: list[str], api: str) -> Diagnostic:
    near = nearest(name, known, 1)
    place = mapping.source.place(*steps, key=is_key)
    if near:
        return problem("M404", place, "near", name=name, api=api, near=near[0])
    return problem("M404", place, name=name, api=api, known=listed(known))


def check_contradicted(mapping: Mapping, registry: Registry) -> Problems:
    """A line that says what the facts already say, or what they deny."""
    for pair in joined(mapping):
        counterpart = pair.counterpart
        assert counterpart.api is not None
        ours, theirs = names_of(pair.ours), names_of(counterpart.api)
        for steps, treatment in pair.parts():
            for name, argument in treatment.arguments.items():
                fixed, said = "value" in argument.model_fields_set, ""
                if argument.from_ and fixed:
                    said = "both"
                elif not argument.from_ and not fixed:
                    said = "nothing"
                elif argument.from_ == (name,) and name in theirs and not argument.by and not argument.with_:
                    said = "same"
                if said:
                    place = mapping.source.place(*steps, "arguments", name, key=True)
                    yield problem("M405", place, said, name=name)
            for name in treatment.absent:
                if name in theirs and name in ours and name not in treatment.leave_default:
                    place = mapping.source.place(*steps, "absent", name, key=True)
                    yield problem("M405", place, "present", name=name, api=counterpart.target.mindspore)
            required = {p.name for form in counterpart.api.forms for p in form.parameters if p.required}
            for number, name in enumerate(treatment.leave_default):
                received = (name in ours and name not in treatment.absent) or name in treatment.arguments
                if name in required or received:
                    place = mapping.source.place(*steps, "leave_default", number)
                    yield problem("M405", place, "required" if name in required else "received", name=name)


_TUPLE = re.compile(r"[Tt]uple\s*[(\[](.*)")


def documented_count(text: str | None) -> int | None:
    """How many things a documented return such as `Tuple(Tensor, CommHandle)` holds, if it is that clear."""
    match = _TUPLE.match(text or "")
    if match is None:
        return None
    depth, count = 0, 1
    for sign in match[1]:
        if sign in "([":
            depth += 1
        elif sign in ")]":
            if depth == 0:
                return count
            depth -= 1
        elif sign == "," and depth == 0:
            count += 1
    return None


def check_returns(mapping: Mapping, registry: Registry) -> Problems:
    """The number of things in `returns` is what the facts document; a collective names them all."""
    for pair in joined(mapping):
        counterpart = pair.counterpart
        assert counterpart.api is not None
        stated = documented_count(counterpart.api.returns_doc)
        documented = counterpart.api.returns_doc or ""
        for steps, treatment in pair.parts():
            returns = treatment.returns
            if returns is not None and stated is not None and len(returns) != stated:
                place = mapping.source.place(*steps, "returns")
                yield problem("M406", place, count=str(len(returns)), stated=str(stated), documented=documented)
            elif returns is None and mapping.entry.contract.collective and not counterpart.target.forms:
                place = mapping.source.place(*pair.named)
                yield problem("M406", place, "unnamed" if documented else "undocumented", documented=documented)


def check_outputs(mapping: Mapping, registry: Registry) -> Problems:
    """Each output of the contract is written by MindSpore itself or delivered from what it returns."""
    promised = mapping.entry.contract.writes
    for pair in joined(mapping):
        counterpart = pair.counterpart
        for steps, treatment in pair.parts():
            returns = treatment.returns if treatment.returns is not None else counterpart.target.returns
            for name, delivery in treatment.fill.items():
                if name not in promised:
                    place = mapping.source.place(*steps, "fill", name, key=True)
                    yield problem("M407", place, "unpromised", name=name)
                if delivery.from_ not in (returns or ()):
                    place = mapping.source.place(*steps, "fill", name, "from")
                    yield problem("M407", place, "unnamed", name=delivery.from_)
            for name in treatment.hand_back or ():
                if name not in (returns or ()):
                    yield problem("M407", mapping.source.place(*steps, "hand_back"), "unnamed", name=name)
            for name in treatment.convert_returns:
                if name not in (returns or ()):
                    yield problem(
                        "M407", mapping.source.place(*steps, "convert_returns", name, key=True), "unnamed", name=name
                    )
        for name in promised:
            if not all(_written(name, binding) for binding in counterpart.bindings):
                place = mapping.source.place(*pair.named)
                yield problem("M407", place, "unwritten", name=name, mindspore=counterpart.target.mindspore)


def _written(name: str, binding: Binding) -> bool:
    if name in binding.treatment.fill:
        return True
    for route in binding.routes:
        if any(source.name == name for source in route.sources):
            return all(WORDS[u.word].changes != "type" for u in route.words if u.word in WORDS)
    return False


def check_handle(mapping: Mapping, registry: Registry) -> Problems:
    """`handle` is for collectives; anything else that returns one has no Work to make of it."""
    if mapping.entry.contract.collective is None:
        for pair in signature_pairs(mapping):
            for steps, treatment in pair.parts():
                if HANDLE in (treatment.returns or ()):
                    yield problem("M408", mapping.source.place(*steps, "returns"))


def check_python(mapping: Mapping, registry: Registry) -> Problems:
    """Names and defaults of both signatures are Python, for they become Python."""
    for steps, api in ((("torch",), mapping.api), *_apis(mapping)):
        forms = (*api.forms, *api.call) if api else ()
        kept = api is not None and api.kind != "function"  # of a builtin method; it then has no adapter
        for name, default in {p.name: p.default for form in forms for p in form.parameters}.items():
            if not name.isidentifier() or (keyword.iskeyword(name) and not kept):
                yield problem("M409", mapping.source.place(*steps), "name", name=name)
            if default is not None and not _is_expression(default):
                yield problem("M409", mapping.source.place(*steps), "default", name=name, default=default)


def _apis(mapping: Mapping) -> Iterator[tuple[Steps, Api | None]]:
    for index, counterpart in enumerate(mapping.counterparts):
        yield ("targets", index, "mindspore"), counterpart.api


@cache
def _is_expression(text: str) -> bool:
    try:
        ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return False
    return True


CONSTRUCT = "construct"
"""What objects of a layer do when they are called, in MindSpore."""
_RESERVED = frozenset({"call", "root", "reduction", "async_op", *WORDS, *PREDICATES})


def check_result_names(mapping: Mapping, registry: Registry) -> Problems:
    """The names in `returns` become variables of the adapter, beside torch's parameters and the runtime's words; those
    of methods become methods."""
    taken = _RESERVED.union(names_of(mapping.api))
    for pair in signature_pairs(mapping):
        for steps, treatment in pair.parts():
            seen: set[str] = set()
            for number, name in enumerate(treatment.returns or ()):
                if not name.isidentifier() or keyword.iskeyword(name) or name.startswith("_"):
                    yield problem("M410", mapping.source.place(*steps, "returns", number), "name", name=name)
                elif name in seen or name in taken:
                    yield problem("M410", mapping.source.place(*steps, "returns", number), "taken", name=name)
                seen.add(name)
    for called, method in mapping.entry.contract.methods.items():
        place = mapping.source.place("contract", "methods", called, key=True)
        for name in (called, *method.takes, *filter(None, [method.calls])):
            if not name.isidentifier() or keyword.iskeyword(name):
                yield problem("M410", place, "method", name=name)
        if called.startswith("_") or called == CONSTRUCT:
            yield problem("M410", place, "own", name=called)
        given = ("self", *method.takes)
        yield from (problem("M410", place, "own", name=n) for n in dict.fromkeys(given) if given.count(n) > 1)


def check_required(mapping: Mapping, registry: Registry) -> Problems:
    """A policy is about values other than the default; what torch demands in every call cannot have one. An adapter
    does by itself only what its runtime does."""
    forms = mapping.api.forms if mapping.api else ()
    required = [{p.name for p in form.parameters if p.required} for form in forms]
    demanded = set.intersection(*required) if required else set()
    for pair in signature_pairs(mapping):
        for steps, treatment in pair.parts():
            for name, policy in treatment.absent.items():
                known = POLICIES.get(policy)
                if name in demanded and not (known and known.of_required):
                    place = mapping.source.place(*steps, "absent", name, key=True)
                    yield problem("M405", place, "demanded", name=name)
                elif known and known.of_runtime and mapping.port != "runtime":
                    place = mapping.source.place(*steps, "absent", name)
                    yield problem("M405", place, "nobody", name=name)


def check_named(mapping: Mapping, registry: Registry) -> Problems:
    """What the contract says of parts per rank, of the writing rank and of state, what `verify` lists to try, and the
    rows of `only` are about parameters."""
    ours, contract, tried = all_names(mapping.api), mapping.entry.contract, mapping.entry.verify
    spoken: list[tuple[str, Steps, bool]] = [(name, ("verify", "samples", name), True) for name in tried.samples]
    spoken += [(name, ("verify", "calls", at, name), True) for at, call in enumerate(tried.calls) for name in call]
    spoken += [(name, ("verify", "values", name), True) for name in tried.values]
    spoken += [(name, ("verify", "distinct", at), False) for at, name in enumerate(tried.distinct)]
    spoken += [(name, ("contract", "state_if", name), True) for name in contract.state_if]
    for index, target in enumerate(mapping.entry.targets):
        rows = enumerate(target.only)
        spoken += [(name, ("targets", index, "only", at, name), True) for at, row in rows for name in row]
    for key, tensors in (("writes", contract.writes), ("reads", contract.reads)):
        for name, demand in tensors.items():
            base: Steps = ("contract", key, name)
            spoken += [(demand.holds, (*base, "holds"), False)] if demand.holds else []
            spoken += [(demand.splits, (*base, "splits"), False)] if demand.splits else []
            spoken += [(value, (*base, "written_at"), False) for value in demand.written_at]
    for name, steps, is_key in spoken:
        if mapping.api is not None and name not in ours:
            yield _missing(mapping, steps, is_key, name, ours, mapping.name)


RULES = (
    Rule("M401", "entry", check_torch_accounted),
    Rule("M402", "entry", check_mindspore_accounted),
    Rule("M403", "entry", check_twice),
    Rule("M404", "entry", check_existing, works_on_partial_entry=True),
    Rule("M404", "entry", check_named, works_on_partial_entry=True),
    Rule("M405", "entry", check_contradicted),
    Rule("M406", "entry", check_returns),
    Rule("M407", "entry", check_outputs),
    Rule("M408", "entry", check_handle),
    Rule("M409", "entry", check_python),
    Rule("M410", "entry", check_result_names),
    Rule("M405", "entry", check_required),
)
