"""Which signature a call is of. In: a plan, and a call with arguments by position and by name. Out: the first
overload that takes them, by number, name and type, and the arguments by name; None if no overload does.
"""

from __future__ import annotations

from typing import Any

from mapspore.cases.single.plan import CallPlan, CallSignature
from mapspore.facts.annotations import kinds_taken
from mapspore.facts.snapshot import Parameter
from mapspore.words.kinds import GENERAL_PARAMETERS

Bound = tuple[CallSignature, dict[str, Any]]
HERE = {"device": ("cpu", None), "layout": (None,), "requires_grad": (False,), "pin_memory": (False,)}
"""General arguments that only say what is so anyway on a CPU."""
_KINDS = {"bool": ("bool", "number"), "int": ("int", "number"), "float": ("number",), "str": ("text", "device")}


def bound(plan: CallPlan, call: dict[str, Any]) -> Bound | None:
    """The signature, and the arguments in the order of its signature."""
    kwargs = {
        name: value for name, value in call["kwargs"].items()
        if name not in HERE or name not in GENERAL_PARAMETERS or value not in HERE[name]
    }  # fmt: skip
    for signature in plan.signatures:
        given = _by_name(signature, call["args"], kwargs)
        if given is not None and all(_takes(signature.parameter(name), value) for name, value in given.items()):
            return signature, {
                parameter.name: given[parameter.name] for parameter in signature.parameters if parameter.name in given
            }
    return None


def _by_name(signature: CallSignature, args: list[Any], kwargs: dict[str, Any]) -> dict[str, Any] | None:
    """The arguments by name, if their number and names fit."""
    given: dict[str, Any] = {}
    rest = list(args)
    for parameter in signature.parameters:
        if parameter.kind == "var_positional":
            several = rest[0]["$list"] if len(rest) == 1 and isinstance(rest[0], dict) and "$list" in rest[0] else rest
            tuples = len(rest) == 1 and isinstance(rest[0], dict) and "$tuple" in rest[0]
            given[parameter.name] = {"$list": list(rest[0]["$tuple"] if tuples else several)}
            rest = []
        elif rest and parameter.kind in ("positional_only", "positional_or_keyword"):
            given[parameter.name] = rest.pop(0)
    if rest or set(kwargs) & set(given) or not set(kwargs) <= signature.names:
        return None
    given |= kwargs
    return given if set(signature.required) <= set(given) else None


def _takes(parameter: Parameter, value: Any) -> bool:
    """Whether a parameter's annotation allows a stated argument; one that says nothing allows all."""
    taken = kinds_taken(parameter.annotation)
    if not taken or parameter.kind == "var_positional":
        return True
    return bool(set(taken) & set(_kinds(value)))


def _kinds(value: Any) -> tuple[str, ...]:
    if value is None:
        return ("none",)
    if isinstance(value, dict):
        kind, content = next(iter(value.items()))
        if kind in ("$list", "$tuple"):
            tensors = any(isinstance(each, dict) and "$tensor" in each for each in content)
            return ("tensors",) if tensors else ("ints", "numbers")
        return (kind.removeprefix("$"),)
    return _KINDS[type(value).__name__]
