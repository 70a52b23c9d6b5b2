"""Cases of collectives. In: a plan and a number of ranks. Out: cases as data: what comes out for every shape, dtype,
view, operator, group, root and way of calling. Which of them are made follows from the plan alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from mapspore.cases.collective.case_builder import Case, CollectiveCaseBuilder, How
from mapspore.cases.collective.plan import CollectivePlan
from mapspore.words.vocabulary import PREDICATES

DTYPES = ("float32", "float64", "float16", "bfloat16", "int8", "uint8", "int16", "int32", "int64", "bool", "complex64")
OPS = ("SUM", "PRODUCT", "MIN", "MAX", "AVG", "BAND", "BOR", "BXOR")
SHAPES = ((), (1,), (0, 3), (3, 2), (2, 3, 4))
VIEWS = ("row", "first_row", "transposed", "offset", "strided")


def values(plan: CollectivePlan, size: int, thorough: bool) -> Iterator[Case]:
    """What comes out, by dtype, shape, view and operator."""
    builder = CollectiveCaseBuilder(plan, size)
    if not plan.parts or plan.objects:
        yield builder.valued("plain", quick=True)
        yield builder.valued("again")
    else:
        yield from _tensors(builder, thorough)
    if plan.asynchronous:
        yield builder.valued("async", async_op=True)
        yield builder.valued("sync-said", async_op=False)
        # rank 0 is early; a root that only sends may be done before anyone comes
        early: How = {"root": 1} if plan.from_root else {}
        yield builder.valued("async-late", async_op=True, quick=True, **early) | {"late": True}
    if plan.op:
        yield from _reductions(builder, thorough)
    if plan.uneven:
        for dtype in ("float32", "bool", "float64"):
            yield _within(builder.valued(f"uneven-{dtype}", dtype=dtype, uneven=True, quick=dtype == "float32"), plan)
        yield _within(builder.valued("uneven-group", group="ends", uneven=True), plan)


def _tensors(builder: CollectiveCaseBuilder, thorough: bool) -> Iterator[Case]:
    for dtype in DTYPES if thorough else ("float32", "bfloat16", "int16", "bool", "complex64"):
        yield builder.valued(f"dtype-{dtype}", dtype=dtype, quick=dtype in ("float32", "int16"))
    for shape in SHAPES:
        for dtype in ("float32", "bool", "int16") if thorough else ("float32",):
            quick = shape == () and dtype == "float32"
            yield builder.valued(f"shape-{shape}-{dtype}", shape=shape, dtype=dtype, quick=quick)
    for view in VIEWS:
        for dtype in ("float32", "bfloat16", "bool", "float64") if thorough else ("float32",):
            for side in ("read", "written"):
                seen: How = {side: view}
                yield builder.valued(f"view-{side}-{view}-{dtype}", dtype=dtype, **seen)
        how: How = {"async_op": True} if builder.plan.asynchronous else {}
        yield builder.valued(f"view-both-{view}", read=view, written=view, quick=view == "transposed", **how)
    for view in ("row", "first_row"):
        yield builder.valued(f"view-scalar-{view}", shape=(), read=view, written=view)
    if any(part.layout == "joined" for part in builder.plan.parts):
        for shape in ((), (1,), (3, 2)):
            yield builder.valued(f"stacked-{shape}", shape=shape, stacked=True, quick=shape == (3, 2))
    if builder.plan.asynchronous:
        yield builder.valued("async-composed", async_op=True, dtype="bool")
    yield builder.valued("floats", fractions=True)


def _reductions(builder: CollectiveCaseBuilder, thorough: bool) -> Iterator[Case]:
    name = builder.plan.op
    assert name is not None
    for op in OPS:
        for dtype in DTYPES if thorough else ("float32", "int32", "bool"):
            quick = (op, dtype) in (("MAX", "int32"), ("BXOR", "int32"), ("AVG", "float32"))
            yield builder.valued(f"op-{op}-{dtype}", op=op, dtype=dtype, quick=quick)
        yield builder.valued(f"op-{op}-scalar", op=op, dtype="float32" if op == "AVG" else "int32", shape=())
        yield builder.valued(f"op-{op}-view", op=op, dtype="int32", read="offset", written="row")
        foreign = builder.arguments(op=op, dtype="int64") | {name: {"$foreign_op": op}}
        yield builder.judged(builder.case(f"op-foreign-{op}", foreign, "value"), {"op": op, "dtype": "int64"})
    yield builder.valued("op-AVG-floats", op="AVG", fractions=True)


def _within(case: Case, plan: CollectivePlan) -> Case:
    """The case with the targets whose entry says that they cannot take it."""
    refusing = [
        target for target, limits in plan.targets.items()
        if any(PREDICATES[predicate].excludes == "shapes" for predicate in limits.requires.values())
    ]  # fmt: skip
    return case | {"refused": dict.fromkeys(refusing, "UnsupportedArgument")} if refusing else case


def in_groups(plan: CollectivePlan, size: int) -> Iterator[Case]:
    """One rank, some, all; by object, by name, as the world, as nothing; and every root in each space of ranks."""
    name = plan.group
    if name is None:
        return
    builder = CollectiveCaseBuilder(plan, size)
    for group, members in builder.groups.items():
        for dtype in ("float32", "bool") if plan.parts and not plan.objects else ("float32",):
            yield builder.valued(
                f"group-{group}-{dtype}", "group", group=group, dtype=dtype, quick=(group, dtype) == ("ends", "float32")
            )
        if plan.asynchronous:
            yield builder.valued(f"group-{group}-async", "group", group=group, async_op=True)
        named = builder.arguments(group=group) | {name: {"$group_name": group}}
        yield builder.judged(builder.case(f"group-name-{group}", named, "group"), {"group": group})
        if plan.op:
            for op, dtype in (("AVG", "float32"), ("MAX", "int32"), ("BAND", "int32")):
                yield builder.valued(f"group-{group}-{op}", "group", group=group, op=op, dtype=dtype)
        if plan.root:
            yield from _roots(builder, group, members)
    yield builder.judged(builder.case("group-world", builder.arguments() | {name: {"$world": True}}, "group"), {})
    yield builder.judged(builder.case("group-none", builder.arguments() | {name: None}, "group"), {})


def _roots(builder: CollectiveCaseBuilder, group: str, members: list[int]) -> Iterator[Case]:
    root, inside = builder.plan.root, builder.plan.named("group_root")
    assert root is not None and inside is not None
    for place, rank in enumerate(members):
        how = {"group": group, "root": rank}
        quick = group == "ends" and place > 0
        yield builder.valued(f"root-{group}-{rank}", "group", quick=quick, **how)
        stated = {key: value for key, value in builder.arguments(**how).items() if key != root} | {inside: place}
        yield builder.judged(builder.case(f"group-root-{group}-{place}", stated, "group"), how) | {"quick": quick}


def call_forms(plan: CollectivePlan, size: int) -> Iterator[Case]:
    """Positional, keyword, mixed, and defaults left out; the other cases are keyword."""
    builder = CollectiveCaseBuilder(plan, size)
    how: How = {"group": "everyone"}
    how |= ({"async_op": False} if plan.asynchronous else {}) | ({"op": "MAX"} if plan.op else {})
    full = builder.arguments(**how)
    ordered = leading(plan, full)
    for given in range(1, len(ordered) + 1):
        rest = {name: value for name, value in full.items() if name not in ordered[:given]}
        positional = [full[name] for name in ordered[:given]]
        case = builder.case(f"form-{given}-positional", rest, "form", args=positional)
        yield builder.judged(case, how) | {"quick": given == len(ordered)}
    if plan.root and plan.root_default is not None:
        bare = {part.name: builder.arguments(root=plan.root_default)[part.name] for part in plan.parts}
        yield builder.judged(builder.case("form-no-root", bare, "form"), {"root": plan.root_default})


def leading(plan: CollectivePlan, given: dict[str, object]) -> list[str]:
    """The parameters that can be given by position: those before the first that is left out."""
    leading: list[str] = []
    for parameter in plan.parameters:
        if parameter.name not in given or parameter.kind == "keyword_only":
            break
        leading.append(parameter.name)
    return leading
