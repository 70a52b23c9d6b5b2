"""Calls that must be refused. In: a call signature. Out: cases whose error counts: what is missing, too much, of the
wrong type or out of range, which both sides refuse; general parameters and undeclared NumPy names, which the adapter
refuses by rule whatever torch does.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mapspore.cases.single.case_builder import REFUSAL, CallCaseBuilder, Case
from mapspore.cases.single.plan import SELF
from mapspore.words.kinds import NUMPY_NAMES
from mapspore.words.vocabulary import PREDICATES

PLAIN: dict[str, Any] = {"or": ["TypeError"]}
"""What is missing, unknown or of the wrong type is a TypeError in Python, by whatever accident torch finds it out."""
_VALUES: dict[str, Any] = {
    "device": "cuda", "out": None, "layout": "strided", "memory_format": "contiguous_format",
    "dtype": {"$dtype": "float64"},
}  # fmt: skip
_ERRORS = {"device": "UnknownDevice"}
"""The error of a parameter that is refused with another one than `REFUSAL`: the device that MindSpore computes on
passes everywhere."""


def refusals(builder: CallCaseBuilder) -> Iterator[Case]:
    base, signature = builder.arguments(), builder.signature
    for name in signature.required:
        rest = {key: value for key, value in base.items() if key != name}
        if len(builder.plan.signatures) == 1:  # else it may be another overload
            yield builder.case(f"error-{name}-missing", rest, "error", quick=True, **PLAIN)
    yield builder.case("error-unknown-keyword", base | {"unknown_keyword": 1}, "error", quick=True, **PLAIN)
    for name, given in signature.tensors.items():
        if name == SELF.name and None in builder.plan.targets:
            continue  # a method is found by what it is a method of
        wrong = {"none": None, "number": 3, "text": "x"} | ({} if given.listed else {"list": {"$list": [1, 2]}})
        for label, value in wrong.items():
            if not given.variadic:
                quick = label == "text"
                yield builder.case(f"error-{name}-{label}", base | {name: value}, "error", quick=quick, **PLAIN)
    for parameter in signature.parameters:
        if parameter.name == "dim":
            yield builder.case("error-dim-range", base | {"dim": 7}, "error", quick=True)
            yield builder.case("error-dim-text", base | {"dim": "x"}, "error", **PLAIN)
    yield from _general(builder, base)
    limits = [each.limits[signature.number] for each in builder.plan.targets.values() if each.limits]
    for name, predicate in {pair: None for each in limits for pair in each.requires.items()}:
        for unmet in PREDICATES[predicate].unmet if name not in signature.tensors else ():
            yield builder.case(f"not-accepted-{name}", base | {name: unmet}, "value", quick=True)
    for name, value in {pair: None for each in limits for pair in each.converted}:
        refusing = [
            t for t, each in builder.plan.targets.items() if (name, value) in each.limits[signature.number].converted
        ]
        refused = dict.fromkeys(filter(None, refusing), REFUSAL)
        yield builder.case(f"not-converted-{name}", base | {name: value}, "value", refused=refused, quick=True)
    for name, meant in NUMPY_NAMES.items():
        if meant in signature.names:
            value = base.get(meant, 0 if meant == "dim" else True)
            rest = {key: each for key, each in base.items() if key != meant}
            refused = dict.fromkeys(filter(None, builder.plan.targets), "TypeError")
            yield builder.case(f"numpy-name-{name}", rest | {name: value}, "error", refused=refused, quick=True)


def unknown(builder: CallCaseBuilder) -> Iterator[Case]:
    """An overload that cannot be called, because nothing is known of a parameter that every target refuses."""
    targets = {
        target: each.limits[builder.signature.number].refuses for target, each in builder.plan.targets.items() if target
    }
    missing = [
        name for name in builder.signature.required if name not in (*builder.signature.tensors, *builder.plan.samples)
    ]
    if missing and targets and all(set(missing) <= set(refused) for refused in targets.values()):
        known = {
            name: builder.plan.samples[name][0] for name in builder.signature.required if name in builder.plan.samples
        }
        given = known | {name: ["x", "y"] for name in missing}
        refused = dict.fromkeys(targets, REFUSAL)
        yield builder.case(f"refused-{missing[0]}", given, "error", refused=refused, quick=True)


def _general(builder: CallCaseBuilder, base: dict[str, Any]) -> Iterator[Case]:
    """Every parameter that some target refuses, with a value other than its default."""
    signature = builder.signature
    for parameter in signature.parameters:
        name = parameter.name
        limits = {t: each.limits[signature.number] for t, each in builder.plan.targets.items() if t and each.limits}
        refusing = [target for target, each in limits.items() if name in each.refuses]
        if not refusing or name in signature.tensors:
            continue
        default = limits[refusing[0]].refuses[name]
        value = not default if isinstance(default, bool) else _VALUES.get(name, True)
        if name == "out":
            value = {"$tensor": {"name": "out", "shape": [3, 4], "dtype": "float32"}}
        refused = dict.fromkeys(refusing, _ERRORS.get(name, REFUSAL))
        yield builder.case(f"refused-{name}", base | {name: value}, "error", refused=refused, quick=True)
