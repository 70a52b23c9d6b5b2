"""Cases that are refused. In: a plan and a number of ranks. Out: each way in which an argument can be wrong: its type,
its shape, its dtype, how many there are, a rank that does not exist, a parameter that is missing or unknown.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mapspore.cases.collective.case_builder import Case, CollectiveCaseBuilder
from mapspore.cases.collective.plan import CollectivePlan, Part

UNLIKE = [5]  # a shape that no other tensor of a case has


def refusals(plan: CollectivePlan, size: int) -> Iterator[Case]:
    """All of them. Where only one rank would notice, only that rank calls: the others would wait for it."""
    builder = CollectiveCaseBuilder(plan, size)
    good = builder.arguments()
    for part in plan.parts:
        if part.objects:
            yield from _wrong_objects(builder, part, good)
        elif part.at_root:
            yield from _wrong_at_root(builder, part, good)
        elif part.layout == "list":
            yield from _wrong_list(builder, part, good)
        else:
            yield from _wrong_tensor(builder, part, good)
    for name, role in plan.roles.items():
        for label, value in _WRONG.get(role, {}).items():
            yield _error(builder, f"{name}-{label}", good | {name: value})
    if plan.root:
        yield from _wrong_roots(builder, good)
    for parameter in plan.parameters:
        if parameter.required:
            rest = {name: value for name, value in good.items() if name != parameter.name}
            yield _error(builder, f"{parameter.name}-missing", rest)
    yield _error(builder, "unknown-keyword", good | {"unknown_keyword": 1}, quick=True)


_WRONG: dict[str, dict[str, Any]] = {
    "op": {
        "text": "sum",
        "none": None,
        "number": 0,
        "premultiplied": {"$op": "PREMUL_SUM"},
        "foreign-premultiplied": {"$foreign_op": "PREMUL_SUM"},
    },
    "group": {"unknown": "no such group", "number": 7},
    "async_op": {"text": "yes"},
}


def _error(builder: CollectiveCaseBuilder, label: str, arguments: dict[str, Any], **more: Any) -> Case:
    if builder.plan.kind == "peer":
        more.setdefault("callers", [1])
    return builder.case(f"error-{label}", arguments, "error", **more)


def _with(tensor: dict[str, Any], **changed: Any) -> dict[str, Any]:
    return {"$tensor": tensor["$tensor"] | changed}


def _wrong_tensor(builder: CollectiveCaseBuilder, part: Part, good: dict[str, Any]) -> Iterator[Case]:
    tensor = good[part.name]
    wrong = {"none": None, "number": 3, "list": {"$list": [tensor]}}
    if part.per_rank:
        wrong |= {"dtype": _with(tensor, dtype="int32"), "shape": _with(tensor, shape=UNLIKE)}
    for label, value in wrong.items():
        yield _error(builder, f"{part.name}-{label}", good | {part.name: value}, quick=label == "number")


def _wrong_list(builder: CollectiveCaseBuilder, part: Part, good: dict[str, Any]) -> Iterator[Case]:
    items = good[part.name]["$list"]
    wrong: dict[str, Any] = {
        "none": None,
        "tuple": {"$tuple": items},
        "tensor": items[0],
        "short": {"$list": items[:-1]},
        "long": {"$list": [*items, _with(items[0], name="extra")]},
        "number-inside": {"$list": [*items[:-1], 3]},
        "dtype-of-one": {"$list": [_with(items[0], dtype="int32"), *items[1:]]},
        "dtype-of-all": {"$list": [_with(item, dtype="int32") for item in items]},
        "shape-of-all": {"$list": [_with(item, shape=UNLIKE) for item in items]},
    }
    for label, value in wrong.items():
        yield _error(builder, f"{part.name}-{label}", good | {part.name: value}, quick=label == "short")
    one = {"$list": [_with(items[0], shape=UNLIKE), *items[1:]]}
    yield _error(builder, f"{part.name}-shape-of-one", good | {part.name: one}, callers=[0])


def _wrong_at_root(builder: CollectiveCaseBuilder, part: Part, good: dict[str, Any]) -> Iterator[Case]:
    here = good[part.name]["$by_rank"][0]
    items = here["$list"]
    wrong: dict[str, Any] = {
        "missing": None,
        "empty": {"$list": []},
        "tuple": {"$tuple": items},
        "short": {"$list": items[:-1]},
        "number-inside": {"$list": [*items[:-1], 3]},
        "dtype-of-all": {"$list": [_with(item, dtype="int32") for item in items]},
        "shape-of-one": {"$list": [_with(items[0], shape=UNLIKE), *items[1:]]},
    }
    for label, value in wrong.items():
        yield _error(builder, f"{part.name}-{label}", good | {part.name: value}, callers=[0], quick=label == "short")
    yield _error(builder, f"{part.name}-elsewhere", good | {part.name: here}, callers=[1])


def _wrong_objects(builder: CollectiveCaseBuilder, part: Part, good: dict[str, Any]) -> Iterator[Case]:
    """A list that is none, or too short to hold what arrives."""
    if part.layout == "one":
        return
    here = good[part.name]["$by_rank"][0] if part.at_root else good[part.name]
    spec = here["$objects"]
    wrong: dict[str, Any] = {"none": None, "number": 3, "empty": {"$objects": spec | {"items": []}}}
    if part.at_root and part.written:
        del wrong["number"]  # torch notices only after it has sent
    at = {"callers": [0]} if part.at_root else {}
    for label, value in wrong.items():
        yield _error(builder, f"{part.name}-{label}", good | {part.name: value}, quick=label == "none", **at)


def _unchecked(builder: CollectiveCaseBuilder) -> dict[str, Any]:
    """gloo looks for the peer, whatever its rank, until it crashes or the time is over."""
    refused = {target or "": "InvalidRank" for target in builder.plan.targets}
    return {"lacking": "a check of the rank", "refused": refused, "outside": [r for r in range(builder.size) if r != 1]}


def _wrong_roots(builder: CollectiveCaseBuilder, good: dict[str, Any]) -> Iterator[Case]:
    """Ranks that are none, or not in the group; a rank that needs nothing for it calls alone."""
    root, inside = builder.plan.root, builder.plan.named("group_root")
    assert root is not None and inside is not None
    none = good | {part.name: None for part in builder.plan.parts if part.at_root}
    wrong = {"too-big": none | {root: 99}, "negative": none | {root: -1}, "text": none | {root: "0"}}
    wrong["twice"] = none | {inside: 0}
    # torch sends the sizes of objects before it looks at the rank, so that all have to call
    callers = list(range(builder.size)) if builder.plan.objects and builder.plan.kind != "peer" else [1]
    unchecked = _unchecked(builder) if builder.plan.kind == "peer" else {}
    for label, value in wrong.items():
        more = unchecked if label in ("too-big", "negative") else {}
        yield _error(builder, f"{root}-{label}", value, callers=callers, quick=label == "too-big", **more)
    bare = {name: value for name, value in none.items() if name != root}
    yield _error(builder, f"{inside}-too-big", bare | {inside: 99}, callers=callers, **unchecked)
    if builder.plan.group:
        outside = none | {builder.plan.group: {"$group": "last"}, root: 0}
        yield _error(builder, f"{root}-not-in-group", outside, callers=[builder.size - 1])
    if builder.plan.kind == "peer":
        yield _error(builder, f"{root}-itself", good | {root: 1})
    if builder.plan.root_default is None and builder.plan.sources:
        yield _error(builder, f"{root}-not-given", bare, callers=[1])
