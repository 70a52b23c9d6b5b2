"""Cases of classes. In: a plan. Out: cases that make an object and then use it: a layer is given torch's state and
called in both modes; an optimiser takes steps with the same gradients; what is random is compared by its distribution.
Of a migration, both programs of its example; of what MindSpore has nothing for, that it says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from mapspore.cases.single.case_builder import REFUSAL, CallCaseBuilder, Case, How
from mapspore.cases.single.cases import defaults
from mapspore.cases.single.plan import CallPlan, CallSignature, literal
from mapspore.cases.single.refusals import PLAIN, refusals
from mapspore.cases.tensor_tables import DTYPES

NAMES = ("norm.gamma", "norm.beta", "betamax.weight")
"""Names of parameters that mean nothing to torch."""
MANY = 20_000
"""Elements of a tensor whose distribution is looked at."""


class ObjectCaseBuilder:
    """States how objects are made and called, one after the other."""

    def __init__(self, plan: CallPlan) -> None:
        self.wholes: tuple[dict[str, Any], ...] = plan.calls or ({},)
        self.maker = self._part(plan, plan.signatures[0])
        self.caller = self._part(plan, plan.call) if plan.call else None

    def _part(self, plan: CallPlan, signature: CallSignature) -> CallCaseBuilder:
        """The part of the entry's whole calls that is about one of the two."""
        parts = tuple(
            {name: value for name, value in whole.items() if name in signature.names} for whole in self.wholes
        )
        return CallCaseBuilder(replace(plan, signatures=(signature,), calls=parts if plan.calls else ()), signature)

    @property
    def possible(self) -> bool:
        return self.maker.possible and (self.caller is None or self.caller.possible)

    def case(self, label: str, kind: str = "object", whole: dict[str, Any] | None = None, **more: Any) -> Case:
        """A case; `make` holds arguments of the constructor, `how` says how the tensors of the call are."""
        whole = self.wholes[0] if whole is None else whole
        made = self.maker.arguments(_of(whole, self.maker.signature), **more.get("how", {})) | more.pop("make", {})
        bare = more.pop("bare", False)
        made = {
            p.name: made[p.name] for p in self.maker.signature.parameters if p.name in made and (p.required or not bare)
        }
        how: How = more.pop("how", {})
        leading, by_keyword = more.pop("leading", 0), more.pop("by_keyword", False)
        case = self.maker.case(label, made, kind, leading, **more)
        if self.caller is not None:
            given = self.caller.arguments(_of(whole, self.caller.signature), **how)
            args, kwargs = self.caller.placed(given, 0 if by_keyword else len(given))
            case["calls"] = [*case["calls"], {"args": args, "kwargs": kwargs}]
            case["given"] = made | given
        case["made_with"] = list(made)
        return case


def _of(whole: dict[str, Any], signature: CallSignature) -> dict[str, Any]:
    return {name: value for name, value in whole.items() if name in signature.names}


def of_class(plan: CallPlan) -> Iterator[Case]:
    """A layer: its state, its calls in both modes, gradients, first values, ways to make it, refusals."""
    builder = ObjectCaseBuilder(plan)
    if not builder.possible or builder.caller is None:
        return
    kind = "draws" if plan.random else "object"
    yield builder.case("plain", kind, quick=True, plain=True, **_many_draws(plan))
    for number, whole in enumerate(builder.wholes[1:], 1):
        yield builder.case(f"call-{number}", kind, whole, quick=number == 1, **_many_draws(plan))
    kinds = {each for given in builder.caller.signature.tensors.values() for each in given.dtypes}
    for dtype in (dtype for each in DTYPES if each in kinds for dtype in DTYPES[each]):
        made: dict[str, Any] = {"dtype": {"$dtype": dtype}} if "dtype" in builder.maker.signature.names else {}
        yield builder.case(f"dtype-{dtype}", kind, make=made, how={"dtype": dtype}, **_many_draws(plan))
    for fill in ("nan", "inf") if not plan.random else ():
        yield builder.case(f"fill-{fill}", how={"fill": fill}, quick=fill == "nan")
    for view in ("transposed", "strided") if not plan.random else ():
        yield builder.case(f"view-{view}", how={"view": view})
    for name, values in builder.maker.samples().items():
        for number, value in enumerate(values):
            if name != "dtype":
                quick = number == 1
                yield builder.case(
                    f"sample-{name}-{number}", kind, make={name: value}, quick=quick, **_many_draws(plan)
                )
    for leading in range(1, len(builder.maker.arguments()) + 1):
        yield builder.case(f"form-{leading}-positional", kind, leading=leading, **_many_draws(plan))
    yield builder.case("form-bare", kind, bare=True, quick=True, **_many_draws(plan))
    yield builder.case("form-defaults", kind, make=defaults(builder.maker), quick=True, **_many_draws(plan))
    yield builder.case("form-call-by-keyword", kind, by_keyword=True, quick=True, **_many_draws(plan))
    if not plan.random:
        for number, whole in enumerate(builder.wholes):
            for mode in ("training", "evaluation"):
                more: dict[str, Any] = {"situations": [mode, "gradient"], "quick": number == 0}
                yield builder.case(f"gradient-{number}-{mode}", "object_gradient", whole, **more)
    yield builder.case("first-values", "first_values", quick=True, situations=["initial_values"])
    yield from _wrong(builder)


def _many_draws(plan: CallPlan) -> dict[str, Any]:
    return {"many": MANY} if plan.random else {}


def _wrong(builder: ObjectCaseBuilder) -> Iterator[Case]:
    """Constructors that must be refused; and calls that must."""
    for case in refusals(builder.maker):
        yield case
    assert builder.caller is not None
    for name in builder.caller.signature.tensors:
        for label, value in {"none": None, "number": 3, "text": "x"}.items():
            case = builder.case(f"call-error-{name}-{label}", "object_error", quick=label == "text", **PLAIN)
            case["calls"][1] = {"args": [value], "kwargs": {}}
            yield case
    case = builder.case("call-error-nothing", "object_error", quick=True, **PLAIN)
    case["calls"][1] = {"args": [], "kwargs": {}}
    yield case


def of_optimizer(plan: CallPlan) -> Iterator[Case]:
    """Ten steps with every value to try, and with the entry's whole calls; refusals."""
    builder = ObjectCaseBuilder(plan)
    if not builder.possible:
        return
    yield builder.case("plain", "steps", quick=True, plain=True)
    yield builder.case("form-bare", "steps", bare=True)
    for dtype in ("float16", "float64"):
        yield builder.case(f"dtype-{dtype}", "steps", how={"dtype": dtype})
    for number, whole in enumerate(builder.wholes[1:], 1):
        yield builder.case(f"call-{number}", "steps", whole)
    for name, values in builder.maker.samples().items():
        for number, value in enumerate(values):
            if value != _default(builder.maker.signature, name):
                yield builder.case(f"sample-{name}-{number}", "steps", make={name: value}, varied=name)
    for name in NAMES:
        for number, whole in enumerate(builder.wholes):
            yield builder.case(f"named-{name}-{number}", "steps", whole, named=name)
    yield from _groups(builder)
    for case in refusals(builder.maker):
        if "refused" in case:  # not by every target
            yield case | {"kind": "steps"}
        elif "/error-params" not in case["id"]:
            yield case


def _groups(builder: ObjectCaseBuilder) -> Iterator[Case]:
    """The tensors in groups, of which the first has a value of its own; and one by one, as a model hands them out."""
    signature = builder.maker.signature
    (name,) = signature.tensors
    listed = builder.maker.arguments()[name]["$list"]
    yield builder.case("form-iterator", "steps", make={name: {"$iterator": listed}})
    for key, value in {key: value for whole in builder.wholes for key, value in whole.items()}.items():
        first, *rest = listed
        groups = [{"params": {"$list": [first]}, key: builder.maker.value(signature.parameter(key), value)}]
        groups.append({"params": {"$list": rest}})
        refused = [
            target for target, each in builder.maker.plan.targets.items()
            if target is not None and each.limits and key not in each.limits[signature.number].grouped
        ]  # fmt: skip
        more: dict[str, Any] = {"refused": dict.fromkeys(refused, REFUSAL)} if refused else {}
        case = builder.case(f"group-{key}", "steps", make={name: {"$list": groups}}, **more)
        yield case | {"given": case["given"] | {key: value}}


def _default(signature: CallSignature, name: str) -> Any:
    return literal(signature.parameter(name).default)


def of_migration(plan: CallPlan) -> Iterator[Case]:
    """Both programs of the example; and that the adapter points there."""
    case = {"id": f"{plan.name}/example", "kind": "example", "signature": 0, "given": {}, "quick": True, "plain": True}
    calls = [{"api": plan.name, "args": [], "kwargs": {}}]
    yield case | {"calls": calls, "programs": plan.programs, "ranks": plan.ranks}
    yield from of_refusal(plan)


def of_refusal(plan: CallPlan) -> Iterator[Case]:
    """The refusal of an API without a counterpart: one call, with None for every required parameter."""
    signature = plan.signatures[0] if plan.signatures else CallSignature(0, ())
    needed = dict.fromkeys(signature.required)
    args, kwargs = CallCaseBuilder(plan, signature).placed(needed, leading=0)
    call = {"api": plan.name, "args": args, "kwargs": kwargs}
    case = {"id": f"{plan.name}/no-counterpart", "kind": "error", "signature": 0, "given": needed, "calls": [call]}
    yield case | {"refused": {"": "NoCounterpart"}, "quick": True}
