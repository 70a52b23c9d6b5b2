"""Cases of functions. In: a plan. Out: cases as data: every dtype, shape, special value and memory layout, every value
to try alone and in pairs, the ways to pass arguments, the entry's whole calls, and gradients.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

from mapspore.adapter.collective import is_literal
from mapspore.cases.single.case_builder import SHAPES, Case, Stating, specs
from mapspore.cases.single.plan import Plan, literal
from mapspore.cases.single.refusals import refusals, unknown
from mapspore.cases.tensor_tables import DTYPES, FILLS, KIND

EMPTY = {1: (0,), 2: (0, 3), 3: (2, 0, 4)}
VIEWS = ("transposed", "strided", "offset")
MOST_PAIRS = 80
QUICK_DTYPES = ("float32", "int64")


def of_function(plan: Plan) -> Iterator[Case]:
    """All cases of a function."""
    for way in plan.ways:
        stating = Stating(plan, way)
        if not stating.possible:
            yield from unknown(stating)
            continue
        yield from _values(stating)
        yield from _samples(stating)
        yield from _calls(stating)
        yield from _mixed(stating)
        yield from _forms(stating)
        yield from _gradients(stating)
        yield from refusals(stating)
    stating = Stating(plan, plan.ways[0])
    if stating.possible:
        for alias in plan.aliases:
            yield stating.case(f"alias-{alias}", stating.arguments(), "form", 1, api=alias, quick=True)


def _dtypes(stating: Stating) -> list[str]:
    kinds = {kind for given in stating.way.tensors.values() for kind in given.dtypes}
    return [dtype for kind, dtypes in DTYPES.items() if kind in kinds for dtype in dtypes]


def _values(stating: Stating) -> Iterator[Case]:
    """By dtype, shape, special value and memory layout."""
    yield stating.case("plain", stating.arguments(), quick=True, plain=True)
    if not stating.way.tensors:
        return
    for dtype in _dtypes(stating):
        yield stating.case(f"dtype-{dtype}", stating.telling(dtype=dtype), quick=dtype in QUICK_DTYPES)
    for label, shape in _shapes(stating):
        for dtype in ("float32", "int64"):
            if dtype in _dtypes(stating):
                arguments = stating.telling(shape=shape, dtype=dtype)
                yield stating.case(f"shape-{label}-{dtype}", arguments, quick=label in ("0d", "empty1"))
    for fill in FILLS:
        arguments = stating.telling(fill=fill)
        if f"'{fill}'" in str(arguments):
            yield stating.case(f"fill-{fill}", arguments, quick=fill == "nan")
    several = specs(list(stating.arguments().values()))
    for name in [spec["name"] for spec in several] if len(several) > 1 else []:
        arguments = stating.telling(fill="nan", only=name)
        if "'nan'" in str(arguments):
            yield stating.case(f"fill-nan-{name}", arguments)
    for view in VIEWS:
        arguments = stating.telling(view=view)
        if f"'{view}'" in str(arguments):
            yield stating.case(f"view-{view}", arguments, quick=view == "transposed")


def _shapes(stating: Stating) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Shapes that all tensors take; of a whole call the entry states them."""
    if stating.from_call is not None:
        return
    allowed = [set(given.ndim) for given in stating.way.tensors.values() if given.ndim]
    for ndim, shape in SHAPES.items():
        if all(ndim in each for each in allowed) and (ndim < 4 or allowed):
            yield f"{ndim}d", shape
            if ndim in EMPTY:
                yield f"empty{ndim}", EMPTY[ndim]


def _samples(stating: Stating) -> Iterator[Case]:
    """Every value to try, alone and in pairs."""
    samples, base = stating.samples(), stating.arguments()
    for name, values in samples.items():
        for number, value in enumerate(values):
            yield stating.case(f"sample-{name}-{number}", stating.in_order(base | {name: value}), quick=number == 1)
    pairs = [
        ((one, first), (other, second))
        for one, other in combinations(samples, 2)
        for first, second in product(range(len(samples[one])), range(len(samples[other])))
    ]
    for (one, first), (other, second) in pairs[:MOST_PAIRS]:
        arguments = stating.in_order(base | {one: samples[one][first], other: samples[other][second]})
        yield stating.case(f"pair-{one}-{first}-{other}-{second}", arguments)


def _calls(stating: Stating) -> Iterator[Case]:
    """The entry's whole calls, with other dtypes and by position."""
    for number, call in enumerate(stating.calls()):
        arguments = stating.arguments(call)
        yield stating.case(f"call-{number}", arguments, quick=number < 2)
        yield stating.case(f"call-{number}-positional", arguments, "form", _positional(stating, arguments))
        for dtype in ("float64", "int64"):
            if stating.way.tensors and KIND[dtype] in {k for g in stating.way.tensors.values() for k in g.dtypes}:
                yield stating.case(f"call-{number}-{dtype}", stating.arguments(call, dtype=dtype))


MIXED = (("float32", "int64"), ("float16", "float32"), ("int32", "int64"), ("uint8", "int8"), ("bool", "float32"))


def _mixed(stating: Stating) -> Iterator[Case]:
    """Several tensors of different dtypes, where none has to be like another."""
    several = [given for given in stating.way.tensors.values() if given.like is None]
    if len(several) < 2 and not any(given.listed for given in several):
        return
    kinds = {kind for given in several for kind in given.dtypes}
    for first, second in MIXED:
        if {KIND[first], KIND[second]} <= kinds:
            arguments = stating.arguments(dtype=first)
            for number, spec in enumerate(specs(list(arguments.values()))):
                spec["dtype"] = second if number % 2 else first
            if len({spec["dtype"] for spec in specs(list(arguments.values()))}) > 1:
                yield stating.case(f"mixed-{first}-{second}", arguments, quick=first == "float32")


def _forms(stating: Stating) -> Iterator[Case]:
    """By position, by keyword, mixed, and with defaults left out; the other cases are by keyword."""
    samples = stating.samples()
    full = stating.arguments() | {name: values[-1] for name, values in samples.items() if None not in values[-1:]}
    full = stating.in_order(full)
    most = _positional(stating, full)
    for leading in range(1, most + 1):
        yield stating.case(f"form-{leading}-positional", full, "form", leading, quick=leading == most)
    for name, given in stating.way.tensors.items():
        if given.variadic:  # torch takes one list in place of several arguments
            case = stating.case(f"form-{name}-as-list", stating.arguments(), "form", quick=True)
            args = case["calls"][0]["args"]
            count = len(stating.arguments()[name]["$list"])
            case["calls"][0]["args"] = [*args[: len(args) - count], {"$list": args[len(args) - count :]}]
            del case["by_position"]
            yield case
    yield stating.case("form-defaults", stating.in_order(stating.arguments() | defaults(stating)), "form", quick=True)
    needed = {*stating.way.required, *(name for name, given in stating.way.tensors.items() if given.variadic)}
    bare = {name: value for name, value in stating.arguments().items() if name in needed}
    yield stating.case("form-bare", bare, "form", quick=True)
    for leading in range(1, _positional(stating, bare) + 1):
        yield stating.case(f"form-{leading}-positional-bare", bare, "form", leading, quick=leading == 1)


def defaults(stating: Stating) -> dict[str, Any]:
    """Every argument that can be left out, spelled out with torch's default."""
    return {
        p.name: stating.value(p, literal(p.default))
        for p in stating.way.parameters
        if p.default is not None and is_literal(p.default) and p.name not in stating.arguments()
    }


def _positional(stating: Stating, arguments: dict[str, Any]) -> int:
    """How many arguments can be given by position: those before the first that is left out."""
    count = 0
    for parameter in stating.way.parameters:
        if parameter.name not in arguments or parameter.kind in ("keyword_only", "var_keyword"):
            break
        count += 1
    return count


def _gradients(stating: Stating) -> Iterator[Case]:
    """By every tensor that can have one."""
    if not any("float" in given.dtypes for given in stating.way.tensors.values()):
        return
    for dtype in ("float32", "float64"):
        yield stating.case(f"gradient-{dtype}", stating.arguments(dtype=dtype), "gradient", quick=dtype == "float32")
    for number, call in enumerate(stating.calls()):
        yield stating.case(f"gradient-call-{number}", stating.arguments(call), "gradient")
    base = stating.arguments()
    for name, values in stating.samples().items():
        for number, value in enumerate(values):
            arguments = stating.in_order(base | {name: value})
            yield stating.case(f"gradient-sample-{name}-{number}", arguments, "gradient")
