"""States calls. In: a plan and one of its call signatures. Out: each parameter's argument in a little language of
JSON, and cases around calls. A case says which targets must refuse it, read off the same fields as the page.

    {"$tensor": {"name": "input", "shape": [3, 4], "dtype": "float32"}}     (see `values`)
    {"$list": [argument, …]}     {"$tuple": [argument, …]}     {"$iterator": [argument, …]}     {"$dtype": "float32"}
    anything else stands for itself
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import takewhile
from typing import Any

from mapspore.cases.case_arguments import specs
from mapspore.cases.single.plan import CallLimits, CallPlan, CallSignature, TensorParameter, literal
from mapspore.cases.tensor_tables import DTYPES, KIND
from mapspore.facts.annotations import kinds_taken
from mapspore.facts.snapshot import Parameter
from mapspore.words.kinds import GENERAL_PARAMETERS
from mapspore.words.pure import fits, function
from mapspore.words.situations import SITUATIONS
from mapspore.words.types import Predicate
from mapspore.words.vocabulary import PREDICATES

Case = dict[str, Any]
"""A case; `id`, `kind`, `calls` and, by target, what the entry says of it."""
How = dict[str, Any]
Reason = list[str]
"""Why a call is refused: the field of the entry that says so, and what it names."""

SHAPES = {0: (), 1: (5,), 2: (3, 4), 3: (2, 3, 4), 4: (2, 3, 4, 5), 5: (2, 2, 3, 4, 3)}
REFUSAL = "UnsupportedArgument"
NATIVE = "/native"
"""What the id of a case ends with that asks MindSpore itself what the adapter refuses."""


class CallCaseBuilder:
    """States the calls of one call signature."""

    def __init__(self, plan: CallPlan, signature: CallSignature) -> None:
        self.plan = plan
        self.signature = signature
        self.from_call = next(self.calls(), None)
        """The entry's first whole call that fits, if there is one: what is varied then."""

    # -- arguments ---------------------------------------------------------------------------------------------------

    def calls(self) -> Iterator[dict[str, Any]]:
        """The entry's whole calls that are of this signature, and not of one before it with other parameters."""
        for call in self.plan.calls:
            first = next((signature for signature in self.plan.signatures if self._fits(call, signature)), None)
            spread = any(parameter.kind == "var_positional" for parameter in self.signature.parameters)
            same = first is not None and (spread or first.names == self.signature.names)
            if same and self._fits(call, self.signature):
                yield call

    def _fits(self, call: dict[str, Any], signature: CallSignature) -> bool:
        """Whether a call is of a signature: by names, and by what stands in place of tensors, which is a shape."""
        shapes = all(_in_place(signature, p, call[p.name]) for p in signature.parameters if p.name in call)
        named = set(call) <= signature.names and set(signature.required) <= {*call, *_known(self.plan, signature)}
        return named and shapes

    @property
    def possible(self) -> bool:
        """Whether everything that must be given is known."""
        return self.from_call is not None or set(self.signature.required) <= _known(self.plan, self.signature)

    @property
    def called(self) -> bool:
        """Whether a whole call of the entry is of this signature, though an earlier one may take it first."""
        return any(self._fits(call, self.signature) for call in self.plan.calls)

    @property
    def missing(self) -> list[str]:
        """What must be given and is not known."""
        return [name for name in self.signature.required if name not in _known(self.plan, self.signature)]

    def arguments(self, call: dict[str, Any] | None = None, **how: Any) -> dict[str, Any]:
        """The arguments of a call, in the order of the signature: those of a whole call, and what must be given."""
        call = self.from_call if call is None else call
        call = call or {}
        made: dict[str, Any] = {}
        for parameter in self.signature.parameters:
            name = parameter.name
            if name in self.signature.tensors:
                if name in call and call[name] is None and "None" in (parameter.annotation or ""):
                    made[name] = None
                elif name in call or parameter.required or parameter.kind == "var_positional":
                    made[name] = self.tensors(self.signature.tensors[name], call.get(name), how)
            elif name in call:
                made[name] = self.value(parameter, call[name])
            elif parameter.required:
                made[name] = self.value(parameter, (self.plan.samples.get(name) or _by_annotation(parameter))[0])
        return made

    def unambiguous_arguments(self, **how: Any) -> dict[str, Any]:
        """The arguments of a call that can be of this signature only: where what must be given is enough for an earlier
        one too, with a value more that it does not take."""
        made = self.arguments(**how)
        if not self._of_earlier(made):
            return made
        longer = (made | {name: values[0]} for name, values in self.samples().items())
        return self.in_order(next((each for each in longer if not self._of_earlier(each)), made))

    def _of_earlier(self, arguments: dict[str, Any]) -> bool:
        earlier = takewhile(lambda signature: signature != self.signature, self.plan.signatures)
        return any(
            set(arguments) <= signature.names and set(signature.required) <= set(arguments) for signature in earlier
        )

    def in_order(self, arguments: dict[str, Any]) -> dict[str, Any]:
        return {p.name: arguments[p.name] for p in self.signature.parameters if p.name in arguments}

    def tensors(self, given: TensorParameter, shapes: Any, how: How) -> Any:
        """A tensor, or a list of them."""
        if not given.listed:
            return self.tensor(given, given.name, shapes, how)
        several = [None, None] if shapes is None else shapes
        return {"$list": [self.tensor(given, f"{given.name}{at}", each, how) for at, each in enumerate(several)]}

    def tensor(self, given: TensorParameter, name: str, shape: Any, how: How) -> dict[str, Any]:
        if shape is None:
            shape = how.get("shape", SHAPES[2 if not given.ndim or 2 in given.ndim else given.ndim[0]])
        dtype = how.get("dtype", "float32")
        if KIND[dtype] not in given.dtypes:
            dtype = DTYPES[given.dtypes[0]][0]
        spec: dict[str, Any] = {"name": name, "shape": list(shape), "dtype": dtype}
        wanted = [key for key in ("fill", "view") if key in how and how.get("only", name) == name]
        spec |= {key: how[key] for key in wanted if _takes(given, dtype, key, how[key], shape)}
        spec |= {"range": list(given.values)} if given.values else {}
        spec |= {"distinct": True} if given.distinct else {}
        return {"$tensor": spec}

    def value(self, parameter: Parameter, value: Any) -> Any:
        """A plain argument; the name of a dtype stands for the dtype, a list for a tuple where torch wants one."""
        if takes_dtype(parameter) and value in KIND:
            return {"$dtype": value}
        if isinstance(value, list | tuple) and (parameter.annotation or "").startswith("tuple["):
            return {"$tuple": list(value)}
        return value

    def samples(self) -> dict[str, list[Any]]:
        """By parameter: values to try, of the entry or by its annotation."""
        found: dict[str, list[Any]] = {}
        for parameter in self.signature.parameters:
            name = parameter.name
            if name in self.signature.tensors or parameter.kind.startswith("var_"):
                continue
            values = self.plan.samples.get(name)
            if values is None:
                values = () if name in GENERAL_PARAMETERS else _by_annotation(parameter)
            told = [value for value in self._values_of_stated_differences(name) if value not in values]
            if values or told:
                found[name] = [self.value(parameter, value) for value in (*values, *told)]
        return found

    def _values_of_stated_differences(self, name: str) -> list[Any]:
        """Values of a parameter for which some target is said to differ."""
        stated = (each for target in self.plan.targets.values() for each in target.differs)
        values = [
            value for about, when in stated for value in when
            if about == name and str(value) not in SITUATIONS and not isinstance(value, dict)
        ]  # fmt: skip
        return [value for at, value in enumerate(values) if value not in values[:at]]

    # -- cases -------------------------------------------------------------------------------------------------------

    def case(self, label: str, arguments: dict[str, Any], kind: str = "value", leading: int = 0, **more: Any) -> Case:
        """A case of one call; so many of its arguments are given by position, and those that have to be."""
        args, kwargs = self.placed(arguments, leading)
        number = f"{self.signature.number}-" if len(self.plan.signatures) > 1 else ""
        call = {"api": more.pop("api", self.plan.name), "args": args, "kwargs": kwargs}
        name = f"{self.plan.name}/{number}{label}"
        case = {
            "id": name,
            "kind": kind,
            "signature": self.signature.number,
            "given": arguments,
            "calls": [call],
            **more,
        }
        if (
            kind in ("value", "form")
            and (ahead := len([p for p in self.signature.parameters if p.name in arguments])) > leading
        ):
            args, kwargs = self.placed(arguments, ahead)
            case["by_position"] = {"args": args, "kwargs": kwargs}
        if refusing := self.refusing(arguments):
            # a call that is wrong in itself may be refused as that, or as what the target has no place for
            case.setdefault("refused" if kind != "error" else "may_refuse", dict.fromkeys(refusing, REFUSAL))
            case["because"] = refusing
        return case

    def placed(self, arguments: dict[str, Any], leading: int) -> tuple[list[Any], dict[str, Any]]:
        by_position = [p.name for p in self.signature.parameters if p.kind not in ("keyword_only", "var_keyword")]
        must = [
            at for at, name in enumerate(by_position)
            if name in arguments and self.signature.parameter(name).kind in ("positional_only", "var_positional")
        ]  # fmt: skip
        count = max(leading, *(at + 1 for at in must)) if must else leading
        args: list[Any] = []
        for name in by_position[:count]:
            if name not in arguments:
                break
            variadic = self.signature.parameter(name).kind == "var_positional"
            args += _spread(arguments[name]) if variadic else [arguments[name]]
        rest = {name: value for name, value in arguments.items() if name not in by_position[:count]}
        return args, rest

    def refusing(self, arguments: dict[str, Any]) -> dict[str, list[Reason]]:
        """The targets whose entry says that they refuse this call, and why."""
        reasons = {
            target: reasons_of(each.limits[self.signature.number], self.signature, arguments)
            for target, each in self.plan.targets.items()
            if target is not None and each.limits
        }
        return {target: found for target, found in reasons.items() if found}


def reasons_of(limits: CallLimits, signature: CallSignature, arguments: dict[str, Any]) -> list[Reason]:
    """Why a target refuses a call: it has no place for an argument, does not accept one, or supports no such
    combination."""
    found: list[Reason] = []
    for name, default in limits.refuses.items():
        if name in arguments and arguments[name] != default:
            found.append(["absent", name])
    for name, predicate in limits.requires.items():
        if name in arguments and not _meets(PREDICATES[predicate], arguments[name]):
            found.append(["requires", name, predicate])
    for name in limits.whole:
        value = arguments.get(name)
        number = value["$numpy"][1] if isinstance(value, dict) and "$numpy" in value else value
        if isinstance(number, float) and not number.is_integer():
            found.append(["word", name])
    asked = sorted({name for row in limits.only for name in row if name in signature.names})
    stated = {name: _stated(name, signature, arguments) for name in asked}
    if limits.only and not any(fits(row, stated) for row in limits.only):
        found.append(["only", ", ".join(f"{name}={value}" for name, value in stated.items())])
    return found


_SHOWN: dict[str, Callable[[dict[str, Any]], bool]] = {
    "empty_input": lambda spec: 0 in spec["shape"],
    "nan": lambda spec: spec.get("fill") == "nan",
}
"""The situations that the description of a tensor shows."""


def _meets(predicate: Predicate, stated: Any) -> bool:
    """Whether a stated argument meets a predicate: by the situation that it excludes, or by its function."""
    if predicate.excludes:
        return not any(_SHOWN[predicate.excludes](spec) for spec in specs(stated))
    return bool(function(predicate.name)(stated))


def _stated(name: str, signature: CallSignature, arguments: dict[str, Any]) -> Any:
    """An argument as a row of `only` takes it, or torch's default: a tensor by its number of dimensions."""
    if name not in arguments:
        return literal(signature.parameter(name).default)
    value = arguments[name]
    if name not in signature.tensors:
        return value
    return len(value["$tensor"]["shape"]) if isinstance(value, dict) and "$tensor" in value else NO_TENSOR


LISTS = {"ints", "tensors", "tensor"}
"""Kinds of value that a list can stand for."""


def _in_place(signature: CallSignature, parameter: Parameter, value: Any) -> bool:
    """Whether a value of a whole call can stand for a parameter: a shape for a tensor, a list only where one is
    taken."""
    if parameter.name in signature.tensors:
        return value is None or isinstance(value, list)
    kinds = [] if parameter.kind == "var_positional" else kinds_taken(parameter.annotation)
    return not isinstance(value, list) or not kinds or not LISTS.isdisjoint(kinds)


NO_TENSOR = "no tensor"
"""Stands for what is given in the place of a tensor and is none."""


def _spread(value: Any) -> list[Any]:
    if isinstance(value, dict) and "$list" in value:
        return list(value["$list"])
    return list(value) if isinstance(value, list | tuple) else [value]


def _takes(given: TensorParameter, dtype: str, key: str, value: str, shape: Any) -> bool:
    """Whether a tensor can be filled, or viewed, as a case asks."""
    if key == "view":
        return len(shape) > (1 if value == "transposed" else 0)
    if value == "ties":
        return not given.distinct and KIND[dtype] != "bool"
    if value == "extremes":
        return KIND[dtype] != "bool" and not given.values
    return value == "constant" or KIND[dtype] == "float"


def _known(plan: CallPlan, signature: CallSignature) -> set[str]:
    """The parameters that something can be given to: tensors, what the entry has samples of, what a type implies."""
    implied = {parameter.name for parameter in signature.parameters if _by_annotation(parameter)}
    return {*signature.tensors, *plan.samples, *implied}


def takes_dtype(parameter: Parameter) -> bool:
    return parameter.name == "dtype" or "_dtype" in (parameter.annotation or "")


def _by_annotation(parameter: Parameter) -> tuple[Any, ...]:
    """Values that follow from a parameter's type, or from its name."""
    kinds = {part.strip() for part in (parameter.annotation or "").split("|")}
    if kinds & {"bool", "_bool"}:
        return (False, True)
    if takes_dtype(parameter):
        return ("float32", "float64", "float16", "int64", "int32", "uint8", "bool")
    if parameter.name == "dim":
        return (0, -1, *(([0, 1], [-1]) if "_size" in kinds else ()), *((None,) if "None" in kinds else ()))
    return ()
