"""What to try of an entry that one process can run. In: a mapping: contract and facts. Out: a `CallPlan`: signatures to
call, tensors and values to call with, and by target what it refuses, what it states to differ, and how MindSpore's own
function is called where nothing differs. Nothing here is typed per API.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal

from mapspore.cases.programs import ranks_of
from mapspore.cases.tensor_tables import DTYPES
from mapspore.entry.load import CASES, EXAMPLE
from mapspore.entry.model import Behaviour, Entry, Tensors, Verification
from mapspore.facts.annotations import kinds_taken
from mapspore.facts.snapshot import Api, Parameter, Signature
from mapspore.resolve.adaptable import returns_nothing
from mapspore.resolve.binding import Binding
from mapspore.resolve.registry import Counterpart, Mapping
from mapspore.words.kinds import GENERAL_PARAMETERS, Kind
from mapspore.words.vocabulary import POLICIES, WORDS

Sort = Literal[
    "function", "class", "optimizer", "constant", "answer", "unneeded", "uncalled", "migration", "refusal", "program"
]
NO_DEMAND = Tensors()
OPTIMIZER = "torch.optim.Optimizer"
SELF = Parameter("self", "positional_only", annotation="Tensor")
"""What a method is a method of, as the functions of the adapter take it."""
FRACTION = ("fraction",)
"""The condition of a word that refuses what is no whole number."""
OMITTED = ("omitted",)
"""The condition of a word that changes nothing where its argument is given."""
_TENSOR = re.compile(r"\bTensor\b")


@dataclass(frozen=True, slots=True)
class TensorParameter:
    """A parameter that takes a tensor, or several."""

    name: str
    listed: bool = False
    variadic: bool = False
    dtypes: tuple[str, ...] = tuple(DTYPES)
    """Kinds of dtype."""
    ndim: tuple[int, ...] = ()
    values: tuple[float, ...] = ()
    distinct: bool = False
    like: str | None = None


@dataclass(frozen=True, slots=True)
class CallSignature:
    """One call signature: of an overload, or of the call of an object."""

    number: int
    parameters: tuple[Parameter, ...]
    tensors: dict[str, TensorParameter] = field(default_factory=dict)

    @property
    def names(self) -> set[str]:
        return {parameter.name for parameter in self.parameters}

    @property
    def required(self) -> list[str]:
        return [parameter.name for parameter in self.parameters if parameter.required]

    def parameter(self, name: str) -> Parameter:
        return next(parameter for parameter in self.parameters if parameter.name == name)


@dataclass(frozen=True, slots=True)
class NativeCall:
    """How MindSpore's own function is called by someone who follows the entry's table of names and defaults."""

    api: str
    passed: dict[str, str] = field(default_factory=dict)
    """By torch parameter: the name under which MindSpore takes it as it is."""
    fixed: dict[str, Any] = field(default_factory=dict)
    """What MindSpore needs besides, and torch's defaults where its own are others."""
    needed: tuple[str, ...] = ()
    """torch's parameters that must be given: what their default stands for has to be worked out."""
    positional: tuple[str, ...] = ()
    """MindSpore's parameters that have to stand by position, in order."""
    variadic: str = ""
    """The one of them that takes all the rest."""
    picked: tuple[int, ...] | None = None
    """Which of MindSpore's results torch has, where not all."""
    converted: tuple[int, ...] = ()
    """Results whose dtype or form words change."""

    @property
    def data(self) -> dict[str, Any]:
        """It as data of a case."""
        return {each.name: getattr(self, each.name) for each in fields(self)}


@dataclass(frozen=True, slots=True)
class CallLimits:
    """What one target does with one call signature, by its entry."""

    refuses: dict[str, Any] = field(default_factory=dict)
    """Parameters that must stay at their default, with it."""
    only: tuple[dict[str, Any], ...] = ()
    requires: dict[str, str] = field(default_factory=dict)
    converted: tuple[tuple[str, Any], ...] = ()
    """Parameters with values that a word of theirs refuses."""
    whole: tuple[str, ...] = ()
    """Parameters that a word takes whole numbers for only."""
    grouped: tuple[str, ...] = ()
    """Of an optimiser: the parameters that a group of tensors can have a value of its own for."""
    direct: NativeCall | None = None


@dataclass(frozen=True, slots=True)
class TargetPlan:
    """A counterpart: its limits by call signature, the dtypes it takes, and what its entry says to differ."""

    limits: tuple[CallLimits, ...] = ()
    dtypes: tuple[str, ...] = ()
    on_cpu: bool = True
    """Whether it is said to be there on a CPU, by the entry or else by MindSpore's documentation."""
    differs: tuple[tuple[str, tuple[Any, ...]], ...] = ()
    """What the entry says to differ: a parameter, `result` or a situation, and when."""
    state: dict[str, str | None] = field(default_factory=dict)
    """Of a class: by name in torch's state, what holds it; None if nothing does."""


@dataclass(frozen=True, slots=True)
class CallPlan:
    """An API and what is known about calling it."""

    name: str
    sort: Sort
    signatures: tuple[CallSignature, ...] = ()
    """Overloads that differ in more than general parameters; of a class, those of its constructor."""
    call: CallSignature | None = None
    """How an object of the class is called."""
    aliases: tuple[str, ...] = ()
    samples: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    calls: tuple[dict[str, Any], ...] = ()
    random: bool = False
    modes: bool = False
    """Whether the result depends on the mode that an object is in."""
    targets: dict[str | None, TargetPlan] = field(default_factory=dict)
    programs: dict[str, str] = field(default_factory=dict)
    """Programs that are run, by ending: the two of a migration's example, or the one that holds cases."""
    ranks: int = 1
    """For a migration: the number of processes that its example is about."""
    tensors: dict[str, TensorParameter] = field(default_factory=dict)
    decorates: bool = False
    """Whether it is a decorator or a context, of those that have nothing to do."""
    uninitialised: bool = False
    """Whether the elements of the result mean nothing."""
    beside: dict[str, TargetPlan] = field(default_factory=dict)
    """Of what the runtime has: MindSpore's own counterparts, which are called too; limits by numbers of signatures."""

    @property
    def nowhere(self) -> bool:
        """Whether none of the targets is said to be there on a CPU."""
        return not any(target.on_cpu for target in self.targets.values())


def call_plan(mapping: Mapping) -> CallPlan:
    """The plan of an entry."""
    entry, api = mapping.entry, mapping.api
    if mapping.port == "rewrite":
        programs = {ending: text for ending, text in mapping.source.examples.items() if ending in EXAMPLE}
        ranks = max(map(ranks_of, programs.values()))
        return CallPlan(mapping.name, "migration", targets={None: TargetPlan()}, programs=programs, ranks=ranks)
    value = mapping.port == "runtime" and api is not None and api.kind == "constant"
    if api is not None and (value or mapping.port in ("value", "answer", "unneeded")):
        alone: Sort = "constant" if api.kind == "constant" else "answer" if mapping.port == "answer" else "unneeded"
        forms = api.forms[:1] or (Signature(),)
        own = tuple(CallSignature(0, form.parameters) for form in forms)
        aliases = entry.aliases
        return CallPlan(
            mapping.name, alone, own, aliases=aliases, decorates=_decorates(mapping), targets={None: TargetPlan()}
        )
    if api is not None and mapping.port == "runtime":
        return _of_runtime(mapping, api)
    if api is None or not mapping.counterparts:
        signatures = (
            tuple(CallSignature(number, form.parameters) for number, form in enumerate(api.forms)) if api else ()
        )
        return CallPlan(mapping.name, "refusal", signatures, targets={None: TargetPlan()})
    forms = mapping.call_forms
    if api.kind in ("method", "property"):
        forms = tuple(replace(form, parameters=_with_self(form.parameters)) for form in forms)
    if api.kind == "class" and _steps(mapping):
        forms = tuple(replace(form, parameters=_with_tensors(form.parameters)) for form in forms)
    signatures = tuple(
        _call_signature(number, form, entry) for number, form in enumerate(forms) if not _repeats_earlier(forms, number)
    )
    sort: Sort = "function"
    call = None
    if api.kind == "class":
        sort = "optimizer" if _steps(mapping) else "class"
        call = _call_signature(0, api.call[0], entry) if api.call else None
    return CallPlan(
        mapping.name, sort, signatures, call, (*entry.aliases, *mapping.methods),
        dict(entry.verify.samples), entry.verify.calls, entry.verify.random, entry.contract.modes,
        {counterpart.id: _target(counterpart) for counterpart in mapping.counterparts},
        tensors=_tensors_of(signatures, call), uninitialised=entry.verify.uninitialised,
    )  # fmt: skip


def _of_runtime(mapping: Mapping, api: Api) -> CallPlan:
    """The plan of what the runtime has: torch's own signatures, and one piece of code behind them. What is neither
    called nor makes something that is called has nothing to run."""
    entry = mapping.entry
    if CASES in mapping.source.examples:
        programs = {CASES: mapping.source.examples[CASES]}
        return CallPlan(mapping.name, "program", targets={None: TargetPlan()}, programs=programs)
    forms = tuple(form for form in api.forms if not form.legacy) or api.forms
    of_tensors = mapping.name.startswith("torch.Tensor.") and api.kind in ("method", "property")
    if of_tensors:
        forms = tuple(replace(form, parameters=_with_self(form.parameters)) for form in forms or (Signature(),))
    signatures = tuple(_call_signature(number, form, entry) for number, form in enumerate(forms))
    call = _call_signature(0, api.call[0], entry) if api.call else None
    own = _differing([each for each in entry.differs if each.of_adapter])
    sort: Sort = "function" if of_tensors or api.kind == "function" else "class" if call else "uncalled"
    return CallPlan(
        mapping.name, sort, signatures, call, (*entry.aliases, *mapping.methods), dict(entry.verify.samples),
        entry.verify.calls,
        entry.verify.random, entry.contract.modes, {None: TargetPlan(differs=own)},
        tensors=_tensors_of(signatures, call), uninitialised=entry.verify.uninitialised,
        beside={each.id: _beside(each, signatures, of_tensors) for each in mapping.counterparts},
    )  # fmt: skip


def _beside(counterpart: Counterpart, signatures: Sequence[CallSignature], of_tensors: bool) -> TargetPlan:
    """A counterpart that is called beside what the runtime has: how, in each call signature."""
    of_torch = {
        tuple(p.name for p in form.torch.parameters if p.name != SELF.name): limits
        for form, limits in zip(counterpart.bindings, _target(counterpart).limits, strict=True)
    }
    limits = []
    for signature in signatures:
        names = tuple(p.name for p in signature.parameters if p.name != SELF.name)
        found = of_torch.get(names, CallLimits())
        limits.append(replace(found, direct=_of_object(found.direct)) if of_tensors else found)
    return replace(_target(counterpart), limits=tuple(limits))


def _of_object(direct: NativeCall | None) -> NativeCall | None:
    """A call of a method, which takes its object first."""
    if direct is None or SELF.name in direct.passed:
        return direct
    passed = {SELF.name: SELF.name} | direct.passed
    return replace(direct, passed=passed, positional=(SELF.name, *direct.positional))


def _tensors_of(signatures: tuple[CallSignature, ...], call: CallSignature | None) -> dict[str, TensorParameter]:
    every = (*signatures, *((call,) if call else ()))
    return {name: given for signature in every for name, given in signature.tensors.items()}


def _decorates(mapping: Mapping) -> bool:
    api = mapping.api
    return mapping.port == "unneeded" and api is not None and not returns_nothing(api)


def _with_self(parameters: tuple[Parameter, ...]) -> tuple[Parameter, ...]:
    """A method's parameters with what it is a method of, which stands there already if a function is counterpart."""
    return (SELF, *(parameter for parameter in parameters if parameter.name != SELF.name))


def _with_tensors(parameters: tuple[Parameter, ...]) -> tuple[Parameter, ...]:
    """An optimiser's parameters: the first one takes the tensors that it changes."""
    return (replace(parameters[0], annotation="list[Tensor]"), *parameters[1:])


def literal(source: str | None) -> Any:
    """A default, where it is a literal; any other stands for nothing given."""
    try:
        return None if source is None else ast.literal_eval(source)
    except (ValueError, SyntaxError):
        return None


def _steps(mapping: Mapping) -> bool:
    assert mapping.api is not None
    return OPTIMIZER in mapping.api.bases or "step" in mapping.entry.contract.methods


def _repeats_earlier(forms: tuple[Signature, ...], number: int) -> bool:
    """Whether an earlier overload has the same parameters but for general ones."""

    def own(form: Signature) -> list[tuple[str, str, bool]]:
        return [(p.name, p.kind, p.required) for p in form.parameters if p.name not in GENERAL_PARAMETERS]

    return any(own(forms[number]) == own(form) for form in forms[:number])


def _call_signature(number: int, form: Signature, entry: Entry) -> CallSignature:
    demands = entry.contract.reads
    tensors = {
        parameter.name: _tensor_parameter(parameter, demands.get(parameter.name, NO_DEMAND), entry.verify)
        for parameter in form.parameters
        if (parameter.name in demands and (not kinds_taken(parameter.annotation) or _takes_tensor(parameter)))
        or (parameter.name not in GENERAL_PARAMETERS and _takes_tensor(parameter) and parameter.required)
    }
    return CallSignature(number, form.parameters, tensors)


def _takes_tensor(parameter: Parameter) -> bool:
    return bool(_TENSOR.search(parameter.annotation or ""))


def _tensor_parameter(parameter: Parameter, demand: Tensors, tried: Verification) -> TensorParameter:
    variadic = parameter.kind == "var_positional"
    listed = variadic or demand.count is not None or "[Tensor" in (parameter.annotation or "")
    return TensorParameter(
        parameter.name, listed, variadic, demand.dtypes or tuple(DTYPES), demand.ndim,
        tried.values.get(parameter.name, ()), parameter.name in tried.distinct, demand.like,
    )  # fmt: skip


def _target(counterpart: Counterpart) -> TargetPlan:
    target = counterpart.target
    limits = tuple(_limits(counterpart, binding) for binding in counterpart.bindings)
    on_cpu = counterpart.runs_on("CPU")
    return TargetPlan(limits, target.dtypes, on_cpu, _differing(target.differs), dict(target.state))


def _differing(stated: Sequence[Behaviour]) -> tuple[tuple[str, tuple[Any, ...]], ...]:
    return tuple((each.about, tuple(getattr(each, "when", ()))) for each in stated)


def _limits(counterpart: Counterpart, binding: Binding) -> CallLimits:
    refuses = {
        parameter.name: literal(parameter.default)
        for parameter, policy in binding.absent
        if POLICIES[policy].refuses
    }  # fmt: skip
    treatment = binding.treatment
    uses = [(route, use) for route in binding.routes for use in route.words]
    converted = tuple(
        (source.name, value)
        for route, use in uses
        for value in WORDS[use.word].refuses
        for source in route.sources
        if _takes(source, value)
    )
    grouped = tuple(name for _, use in uses for name in use.options.get(WORDS[use.word].group_keys, ()))
    whole = tuple(source.name for route, use in uses if WORDS[use.word].scan == FRACTION for source in route.sources)
    return CallLimits(
        refuses, treatment.only, dict(treatment.requires), converted, whole, grouped, _direct(counterpart, binding)
    )


def _takes(parameter: Parameter, value: Any) -> bool:
    """Whether torch's signature lets a parameter have a number that is no integer, or a text."""
    kinds = kinds_taken(parameter.annotation)
    return not kinds or bool({"number"} & set(kinds) if isinstance(value, float) else {"text", "device"} & set(kinds))


def _direct(counterpart: Counterpart, binding: Binding) -> NativeCall | None:
    """MindSpore's own call, where the entry's words change nothing of the arguments."""
    words = [WORDS[use.word] for route in binding.routes for use in route.words]
    if any(word.changes != "nothing" and word.scan != OMITTED for word in words):
        return None
    treatment = binding.treatment
    passed: dict[str, str] = {}
    fixed: dict[str, Any] = {}
    needed: list[str] = []
    other = {row.torch for row in counterpart.rows for d in row.differences if d.kind in (Kind.DEFAULT, Kind.REQUIRED)}
    for route in binding.routes:
        name = route.receiver.name
        if not route.sources:
            fixed[name] = route.value
            continue
        source = route.sources[0]
        passed[source.name] = name
        if source.name in other and not source.required:
            if route.words:
                needed.append(source.name)
            elif source.documented is None:  # where it is told, torch's `None` stands for that
                fixed[name] = literal(source.default)
        elif any(WORDS[use.word].scan == OMITTED for use in route.words):
            needed.append(source.name)
    kinds = {parameter.name: parameter.kind for parameter in binding.mindspore.parameters}
    variadic = next((name for name, kind in kinds.items() if kind == "var_positional"), "")
    ordered = list(kinds)
    positional = tuple(
        name
        for at, name in enumerate(ordered)
        if kinds[name] == "positional_only" or (variadic and at <= ordered.index(variadic))
    )
    returns, result = treatment.returns or (), treatment.hand_back or treatment.returns or ()
    picked = tuple(returns.index(name) for name in result) if result != returns else None
    converted = tuple(place for place, name in enumerate(result) if name in treatment.convert_returns)
    return NativeCall(
        counterpart.target.mindspore, passed, fixed, tuple(needed), positional, variadic, picked, converted
    )
