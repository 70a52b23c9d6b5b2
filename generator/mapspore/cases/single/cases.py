"""Cases of functions. In: a plan. Out: cases as data: every dtype, shape, special value and memory layout, every value
to try alone and in pairs, the signatures to pass arguments, the entry's whole calls, and gradients.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from itertools import combinations, product
from typing import Any

from mapspore.cases.case_arguments import specs
from mapspore.cases.single.case_builder import SHAPES, CallCaseBuilder, Case
from mapspore.cases.single.plan import CallPlan, TensorParameter, literal
from mapspore.cases.single.refusals import refusals, unknown
from mapspore.cases.tensor_tables import DTYPES, EXTREMES, FILLS, KIND
from mapspore.facts.defaults import is_literal

EMPTY = {1: (0,), 2: (0, 3), 3: (2, 0, 4)}
VIEWS = ("transposed", "strided", "offset")
MOST_PAIRS = 80
MOST_VALUES = 3
"""How many values of a parameter are tried with every dtype."""
QUICK_DTYPES = ("float32", "int64")


def of_function(plan: CallPlan) -> Iterator[Case]:
    """All cases of a function."""
    for signature in plan.signatures:
        builder = CallCaseBuilder(plan, signature)
        if not builder.possible:
            yield from unknown(builder)
            continue
        yield from _values(builder)
        yield from _samples(builder)
        yield from _calls(builder)
        yield from _shaped(builder)
        yield from _mixed(builder)
        yield from _forms(builder)
        yield from _gradients(builder)
        yield from refusals(builder)
    builder = CallCaseBuilder(plan, plan.signatures[0])
    if builder.possible:
        for alias in plan.aliases:
            yield builder.case(f"alias-{alias}", builder.arguments(), "form", 1, api=alias, quick=True)


def _dtypes(builder: CallCaseBuilder) -> list[str]:
    kinds = {kind for given in builder.signature.tensors.values() for kind in given.dtypes}
    return [dtype for kind, dtypes in DTYPES.items() if kind in kinds for dtype in dtypes]


def _values(builder: CallCaseBuilder) -> Iterator[Case]:
    """By dtype, shape, special value and memory layout."""
    yield builder.case("plain", builder.unambiguous_arguments(), quick=True, plain=True)
    if not builder.signature.tensors:
        return
    for dtype in _dtypes(builder):
        yield builder.case(f"dtype-{dtype}", builder.unambiguous_arguments(dtype=dtype), quick=dtype in QUICK_DTYPES)
    for label, shape in _shapes(builder):
        for dtype in ("float32", "int64"):
            if dtype in _dtypes(builder):
                arguments = builder.unambiguous_arguments(shape=shape, dtype=dtype)
                yield builder.case(f"shape-{label}-{dtype}", arguments, quick=label in ("0d", "empty1"))
    for fill in FILLS:
        arguments = builder.unambiguous_arguments(fill=fill)
        if f"'{fill}'" in str(arguments):
            yield builder.case(f"fill-{fill}", arguments, quick=fill == "nan")
    several = specs(list(builder.arguments().values()))
    for name in [spec["name"] for spec in several] if len(several) > 1 else []:
        arguments = builder.unambiguous_arguments(fill="nan", only=name)
        if "'nan'" in str(arguments):
            yield builder.case(f"fill-nan-{name}", arguments)
    for view in VIEWS:
        arguments = builder.unambiguous_arguments(view=view)
        if f"'{view}'" in str(arguments):
            yield builder.case(f"view-{view}", arguments, quick=view == "transposed")


def _shapes(builder: CallCaseBuilder) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Shapes that all tensors take; of a whole call the entry states them."""
    if builder.from_call is not None:
        return
    allowed = [set(given.ndim) for given in builder.signature.tensors.values() if given.ndim]
    for ndim, shape in SHAPES.items():
        if all(ndim in each for each in allowed) and (ndim < 4 or allowed):
            yield f"{ndim}d", shape
            if ndim in EMPTY:
                yield f"empty{ndim}", EMPTY[ndim]


def _samples(builder: CallCaseBuilder) -> Iterator[Case]:
    """Every value to try, alone and in pairs."""
    samples, base = builder.samples(), builder.arguments()
    for name, values in samples.items():
        for number, value in enumerate(values):
            yield builder.case(f"sample-{name}-{number}", builder.in_order(base | {name: value}), quick=number == 1)
    yield from _extremes(builder, samples)
    pairs = [
        ((one, first), (other, second))
        for one, other in combinations(samples, 2)
        for first, second in product(range(len(samples[one])), range(len(samples[other])))
    ]
    for (one, first), (other, second) in pairs[:MOST_PAIRS]:
        arguments = builder.in_order(base | {one: samples[one][first], other: samples[other][second]})
        yield builder.case(f"pair-{one}-{first}-{other}-{second}", arguments)


def _extremes(builder: CallCaseBuilder, samples: dict[str, list[Any]]) -> Iterator[Case]:
    """Every value to try with the largest and the smallest value of each dtype; and numbers as NumPy has them."""
    base = builder.arguments()
    dtypes = _dtypes(builder) if builder.signature.tensors else []
    for dtype in dtypes:
        arguments = builder.unambiguous_arguments(dtype=dtype, fill=EXTREMES)
        if f"'{EXTREMES}'" in str(arguments):
            yield builder.case(f"extremes-{dtype}", arguments)
            for name, values in samples.items():
                for number, value in enumerate(values if name == "dtype" else values[:MOST_VALUES]):
                    given = builder.in_order(builder.arguments(dtype=dtype, fill=EXTREMES) | {name: value})
                    yield builder.case(f"extremes-{dtype}-{name}-{number}", given)
    for name, value in ({name: values[0] for name, values in samples.items()} | base).items():
        if type(value) in (int, float):
            theirs = {"$numpy": ["int64" if isinstance(value, int) else "float64", value]}
            yield builder.case(f"numpy-{name}", builder.in_order(base | {name: theirs}))


def _calls(builder: CallCaseBuilder) -> Iterator[Case]:
    """The entry's whole calls, with other dtypes and by position."""
    for number, call in enumerate(builder.calls()):
        arguments = builder.arguments(call)
        yield builder.case(f"call-{number}", arguments, quick=number < 2)
        yield builder.case(f"call-{number}-positional", arguments, "form", _positional(builder, arguments))
        for dtype in ("float64", "int64"):
            if builder.signature.tensors and KIND[dtype] in {
                k for g in builder.signature.tensors.values() for k in g.dtypes
            }:
                yield builder.case(f"call-{number}-{dtype}", builder.arguments(call, dtype=dtype))


MIXED = (("float32", "int64"), ("float16", "float32"), ("int32", "int64"), ("uint8", "int8"), ("bool", "float32"))


def _shaped(builder: CallCaseBuilder) -> Iterator[Case]:
    """Two tensors of different shapes, of which one can be broadcast to the other."""
    several = [given for given in builder.signature.tensors.values() if not given.listed and not given.ndim]
    if len(several) < 2 or builder.from_call is not None:
        return
    arguments, name = builder.arguments(), several[1].name
    if name in arguments:
        spec = arguments[name]["$tensor"]
        for label, first in {"fewer": (), "one": (1,)}.items():
            shorter = {"$tensor": spec | {"shape": [*first, *spec["shape"][1:]]}}
            yield builder.case(f"shapes-{label}", arguments | {name: shorter}, quick=not first)


def _mixed(builder: CallCaseBuilder) -> Iterator[Case]:
    """Several tensors of different dtypes, where none has to be like another."""
    several = [given for given in builder.signature.tensors.values() if given.like is None]
    if len(several) < 2 and not any(given.listed for given in several):
        return
    kinds = {kind for given in several for kind in given.dtypes}
    for first, second in MIXED:
        if {KIND[first], KIND[second]} <= kinds:
            arguments = builder.arguments(dtype=first)
            for number, (given, spec) in enumerate(_specs(builder, arguments)):
                wanted = second if number % 2 else first
                spec["dtype"] = wanted if KIND[wanted] in given.dtypes else spec["dtype"]
            if len({spec["dtype"] for spec in specs(list(arguments.values()))}) > 1:
                yield builder.case(f"mixed-{first}-{second}", arguments, quick=first == "float32")
                if builder.from_call is None and not any(given.listed or given.ndim for given in several):
                    for at, spec in enumerate(specs(list(arguments.values()))):
                        single = deepcopy(arguments)
                        specs(list(single.values()))[at]["shape"] = []
                        yield builder.case(f"mixed-{first}-{second}-0d-{spec['name']}", single)


def _specs(builder: CallCaseBuilder, arguments: dict[str, Any]) -> Iterator[tuple[TensorParameter, dict[str, Any]]]:
    """The tensors of a call, each with what its parameter takes."""
    for name, given in builder.signature.tensors.items():
        yield from ((given, spec) for spec in specs(arguments.get(name)))


def _forms(builder: CallCaseBuilder) -> Iterator[Case]:
    """By position, by keyword, mixed, and with defaults left out; the other cases are by keyword."""
    samples = builder.samples()
    full = builder.arguments() | {name: values[-1] for name, values in samples.items() if None not in values[-1:]}
    full = builder.in_order(full)
    most = _positional(builder, full)
    for leading in range(1, most + 1):
        yield builder.case(f"form-{leading}-positional", full, "form", leading, quick=leading == most)
    for name, given in builder.signature.tensors.items():
        if given.variadic:  # torch takes one list in place of several arguments
            case = builder.case(f"form-{name}-as-list", builder.arguments(), "form", quick=True)
            args = case["calls"][0]["args"]
            count = len(builder.arguments()[name]["$list"])
            case["calls"][0]["args"] = [*args[: len(args) - count], {"$list": args[len(args) - count :]}]
            del case["by_position"]
            yield case
    yield builder.case("form-defaults", builder.in_order(builder.arguments() | defaults(builder)), "form", quick=True)
    needed = {
        *builder.signature.required,
        *(parameter.name for parameter in builder.signature.parameters if parameter.kind == "var_positional"),
    }
    bare = {name: value for name, value in builder.arguments().items() if name in needed}
    yield builder.case("form-bare", bare, "form", quick=True)
    for leading in range(1, _positional(builder, bare) + 1):
        yield builder.case(f"form-{leading}-positional-bare", bare, "form", leading, quick=leading == 1)


def defaults(builder: CallCaseBuilder) -> dict[str, Any]:
    """Every argument that can be left out, spelled out with torch's default."""
    return {
        p.name: builder.value(p, literal(p.default))
        for p in builder.signature.parameters
        if p.default is not None and is_literal(p.default) and p.name not in builder.arguments()
    }


def _positional(builder: CallCaseBuilder, arguments: dict[str, Any]) -> int:
    """How many arguments can be given by position: those before the first that is left out."""
    count = 0
    for parameter in builder.signature.parameters:
        if parameter.name not in arguments or parameter.kind in ("keyword_only", "var_keyword"):
            break
        count += 1
    return count


def _gradients(builder: CallCaseBuilder) -> Iterator[Case]:
    """By every tensor that can have one."""
    if not any("float" in given.dtypes for given in builder.signature.tensors.values()):
        return
    for dtype in ("float32", "float64"):
        yield builder.case(f"gradient-{dtype}", builder.arguments(dtype=dtype), "gradient", quick=dtype == "float32")
    for number, call in enumerate(builder.calls()):
        yield builder.case(f"gradient-call-{number}", builder.arguments(call), "gradient")
    for fill in ("ties", "constant", "nan"):
        arguments = builder.unambiguous_arguments(fill=fill)
        if f"'{fill}'" in str(arguments):
            yield builder.case(f"gradient-fill-{fill}", arguments, "gradient")
    for label, shape in _shapes(builder):
        if label == "0d" or 0 in shape:
            yield builder.case(f"gradient-shape-{label}", builder.unambiguous_arguments(shape=shape), "gradient")
    base = builder.arguments()
    for name, values in builder.samples().items():
        for number, value in enumerate(values):
            arguments = builder.in_order(base | {name: value})
            yield builder.case(f"gradient-sample-{name}-{number}", arguments, "gradient")
