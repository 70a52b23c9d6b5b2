"""Cases of everything that is no communication of tensors. In: a plan and a number of ranks. Out: cases that compare
what is returned, for the values that the entry gives and for every kind of group; what a class or a constant has in
common with torch's; and that an API without a counterpart says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mapspore.cases.collective.case_builder import Case, CollectiveCaseBuilder
from mapspore.cases.collective.cases import leading
from mapspore.cases.collective.oracle import lacking
from mapspore.cases.collective.plan import CollectivePlan

STOPS = "stop"  # the part of the runtime that ends a job, if it is given nothing to end
OPERATIONS = "list[P2POp]"  # the annotation of a list of messages


def unmapped(plan: CollectivePlan, size: int) -> Iterator[Case]:
    """The refusal of an API without a counterpart: one call, without arguments that matter."""
    needed = {parameter.name: None for parameter in plan.parameters if parameter.required}
    case = CollectiveCaseBuilder(plan, size).case(
        "no-counterpart", needed, "error", refused={"": "NoCounterpart"}, quick=True
    )
    yield case | {"lacking": "a counterpart"}


def described(plan: CollectivePlan, size: int) -> Iterator[Case]:
    """A class or a constant: what both sides have; and objects of it, where the entry says what they are made of."""
    builder = CollectiveCaseBuilder(plan, size)
    yield {
        "id": f"{plan.name}/described", "kind": "value", "quick": True,
        "calls": [{"api": plan.name, "describe": True}],
    }  # fmt: skip
    if plan.samples:
        yield from _sampled(builder, {})


def returned(plan: CollectivePlan, size: int) -> Iterator[Case]:
    """A function whose result counts."""
    builder = CollectiveCaseBuilder(plan, size)
    if any(parameter.annotation == OPERATIONS for parameter in plan.parameters):
        yield from _operations(builder)
        return
    if plan.runtime == STOPS:
        yield from _stopping(builder)
        return
    first = {name: values[0] for name, values in plan.samples.items()}
    unknown = [each.name for each in plan.parameters if each.required and each.name not in first]
    group = plan.group
    if group is not None and group in unknown:
        first[group] = {"$group": "everyone"}
        unknown.remove(group)
    if unknown:
        return  # nothing says what to give
    plain = builder.case("plain", first, "value", quick=True)
    yield plain | ({"lacking": missing} if (missing := lacking(plan, {"own_backend": True})) else {})
    yield from _sampled(builder, first)
    if group:
        yield from _grouped(builder, group, first)
    ordered = leading(plan, first)
    for given in range(1, len(ordered) + 1):
        rest = {name: value for name, value in first.items() if name not in ordered[:given]}
        yield builder.case(f"form-{given}-positional", rest, "form", args=[first[name] for name in ordered[:given]])
    for parameter in plan.parameters:
        if parameter.required:
            rest = {name: value for name, value in first.items() if name != parameter.name}
            yield builder.case(f"error-{parameter.name}-missing", rest, "error", quick=True)
    yield builder.case("error-unknown-keyword", first | {"unknown_keyword": 1}, "error", quick=True)


def _sampled(builder: CollectiveCaseBuilder, first: dict[str, Any]) -> Iterator[Case]:
    samples = builder.plan.samples
    first = {name: values[0] for name, values in samples.items()} | first
    for name, values in samples.items():
        for number, value in enumerate(values):
            yield builder.case(f"sample-{name}-{number}", first | {name: value}, "value")


def _grouped(builder: CollectiveCaseBuilder, group: str, first: dict[str, Any]) -> Iterator[Case]:
    missing = lacking(builder.plan, {"outside": True})
    for name, members in builder.groups.items():
        callers = {"callers": members} if missing else {}
        given = first | {group: {"$group": name}}
        yield builder.case(f"group-{name}", given, "group", quick=name == "ends", **callers)
        yield builder.case(f"group-name-{name}", first | {group: {"$group_name": name}}, "group", **callers)
        others = [rank for rank in range(builder.size) if rank not in members]
        if missing and others:
            case = builder.case(f"outside-{name}", given, "error", callers=others, refused={"": "ValueError"})
            yield case | {"lacking": missing, "outside": members}
    yield builder.case("group-world", first | {group: {"$world": True}}, "group")
    yield builder.case("group-none", first | {group: None}, "group")


def _stopping(builder: CollectiveCaseBuilder) -> Iterator[Case]:
    """A group that was made for it; and, as the last thing that a job does, everything."""
    group = builder.plan.group
    made = {"$new": ["torch.distributed.new_group", [0, 1]]}
    yield builder.case("group", {group: made} if group else {}, "group", quick=True)
    case = builder.case("everything", {}, "value")
    case["calls"].append({"api": "torch.distributed.is_initialized"})
    yield case | {"ends": True}
    yield builder.case("error-unknown-keyword", {"unknown_keyword": 1}, "error", quick=True)


def _operations(builder: CollectiveCaseBuilder) -> Iterator[Case]:
    """Messages stated as a list: a ring, and an exchange between two ranks."""
    size = builder.size
    (name,) = (each.name for each in builder.plan.parameters if each.annotation == OPERATIONS)
    module = builder.plan.name.rpartition(".")[0]
    ways = {"ring": [(rank, (rank + 1) % size) for rank in range(size)], "exchange": [(0, 1), (1, 0)]}
    for label, pairs in ways.items():
        for dtype in ("float32", "bool", "int64"):
            operations: list[list[Any]] = [[] for _ in range(size)]
            wanted: list[dict[str, Any]] = [{} for _ in range(size)]
            for number, (source, receiver) in enumerate(pairs):
                ends = ((source, receiver, "isend", "sent"), (receiver, source, "irecv", "arrived"))
                for own, peer, api, side in ends:
                    spec = {"name": f"{side}{number}", "shape": [3, 2], "dtype": dtype, "fill": "summable"}
                    operation = [f"{module}.P2POp", {"$api": f"{module}.{api}"}, {"$tensor": spec}, peer]
                    operations[own].append({"$new": operation})
                wanted[receiver][f"arrived{number}"] = {"terms": [[[source, f"sent{number}", None]]], "op": None}
            stated = {name: {"$by_rank": [{"$list": each} for each in operations]}}
            callers = sorted({rank for pair in pairs for rank in pair})
            case = builder.case(f"{label}-{dtype}", stated, "value", callers=callers, quick=dtype == "float32")
            yield case | {"oracle": wanted}
    yield builder.case(f"error-{name}-empty", {name: {"$list": []}}, "error", quick=True)
    yield builder.case(f"error-{name}-number", {name: {"$list": [3]}}, "error")
    yield builder.case(f"error-{name}-missing", {}, "error")
