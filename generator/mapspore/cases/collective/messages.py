"""Cases of messages from one rank to another. In: a plan that sends or receives, the plans that there are, a number of
ranks. Out: cases in which one rank sends and another receives, each by the API that fits the other; rings and
exchanges; and what a process outside the group gets.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from mapspore.cases.collective.case_builder import STAND_IN, Case, CollectiveCaseBuilder, How, groups_of
from mapspore.cases.collective.cases import DTYPES, SHAPES, VIEWS
from mapspore.cases.collective.oracle import lacking
from mapspore.cases.collective.plan import CollectivePlan
from mapspore.words.vocabulary import PREDICATES


def partner(plan: CollectivePlan, plans: Sequence[CollectivePlan]) -> CollectivePlan | None:
    """The API that takes what this one sends, or sends what it takes, and waits as it does."""
    for other in plans:
        alike = other.kind == "peer" and other.objects == plan.objects
        waits = (other.returns == "work") == (plan.returns == "work")
        if alike and waits and bool(other.sources) != bool(plan.sources):
            return other
    return None


def messages(plan: CollectivePlan, other: CollectivePlan, size: int, thorough: bool) -> Iterator[Case]:
    """All cases of one of two APIs that belong together."""
    pair = _Pair(plan, other, size)
    yield pair.case("plain", quick=True)
    if not plan.objects:
        for dtype in DTYPES:
            yield pair.case(f"dtype-{dtype}", dtype=dtype, quick=dtype == "int16")
        for shape in SHAPES:
            yield pair.case(f"shape-{shape}", shape=shape, quick=shape == ())
        for view in VIEWS if thorough else VIEWS[:3]:
            for side in ("read", "written"):
                seen: How = {side: view}
                yield pair.case(f"view-{side}-{view}", quick=view == "transposed", **seen)
        yield pair.case("floats", fractions=True)
    if plan.returns == "work" and plan.outputs:
        yield pair.case("late", 1, 0, quick=True) | {"late": True}
    yield pair.steps("in-order", [(0, 1), (0, 1)])
    yield pair.steps("exchange", [(0, 1), (1, 0)], quick=True)
    if plan.returns == "work":
        yield pair.steps("ring", [(rank, (rank + 1) % size) for rank in range(size)], quick=True)
    if "tag" in plan.roles and "tag" in other.roles:
        yield pair.case("tag-zero", more={"tag": 0})
        yield pair.case("tag-three", more={"tag": 3}, quick=True)
    if plan.outputs and plan.root and plan.root_default is None:
        unknown = {
            name: value for name, value in CollectiveCaseBuilder(plan, size).arguments().items() if name != plan.root
        }
        refused = {target or "": "InvalidRank" for target in plan.targets}  # torch would receive from anyone
        case = CollectiveCaseBuilder(plan, size).case("from-anyone", unknown, "error", callers=[1], refused=refused)
        yield case | {"lacking": "a sender", "outside": [rank for rank in range(size) if rank != 1]}
    yield from _in_groups(pair, size)


def _in_groups(pair: _Pair, size: int) -> Iterator[Case]:
    for group, members in groups_of(size).items():
        for source in members:
            for receiver in members:
                if source == receiver:
                    continue
                way = f"{group}-{source}-{receiver}"
                quick = group == "ends" and source < receiver
                yield pair.case(f"group-{way}", source, receiver, kind="group", group=group, quick=quick)
                yield pair.case(f"group-root-{way}", source, receiver, kind="group", group=group, inside=True)
        outside = [rank for rank in range(size) if rank not in members]
        if outside:
            builder = CollectiveCaseBuilder(pair.plan, size)
            arguments = builder.arguments(group=group, root=members[0])
            yield builder.case(f"outside-{group}", arguments, "group", callers=outside, quick=True)
    yield pair.case("group-name", kind="group", group="everyone", named=True)


class _Pair:
    """States calls of two APIs that belong together; a case is counted for the one that is verified."""

    def __init__(self, plan: CollectivePlan, other: CollectivePlan, size: int) -> None:
        self.plan = plan
        self.size = size
        self.sender, self.receiver = (plan, other) if plan.sources else (other, plan)

    def case(self, label: str, source: int = 0, receiver: int = 1, kind: str = "value", **how: Any) -> Case:
        return self.steps(label, [(source, receiver)], kind, **how)

    def steps(self, label: str, ways: list[tuple[int, int]], kind: str = "value", **how: Any) -> Case:
        """A message for each pair of ranks, in order on each rank."""
        quick, more = how.pop("quick", False), how.pop("more", {})
        calls: list[dict[str, Any]] = []
        wanted: list[dict[str, Any]] = [{} for _ in range(self.size)]
        for number, (source, receiver) in enumerate(ways):
            sent, arrived = f"sent{number}.", f"arrived{number}."
            calls.append(self._call(self.sender, source, receiver, how | {"prefix": sent}, more))
            calls.append(self._call(self.receiver, receiver, source, how | {"prefix": arrived}, more))
            if not self.plan.objects:
                name, place = self.sender.sources[0].name, self.receiver.outputs[0].name
                wanted[receiver][arrived + place] = {"terms": [[[source, sent + name, None]]], "op": None}
        case: Case = {"id": f"{self.plan.name}/{label}", "kind": kind, "calls": calls}
        if not self.plan.objects:
            case["oracle"] = wanted
        if how.get("dtype") in STAND_IN:
            case["stand_in"] = STAND_IN
        if missing := lacking(self.plan, how):
            case["lacking"] = missing
        refusing = [
            target or ""
            for target, limits in self.plan.targets.items()
            if any(more[name] not in PREDICATES[limits.requires[name]].only for name in more if name in limits.requires)
        ]
        if refusing:
            case["refused"] = dict.fromkeys(refusing, "UnsupportedArgument")
            case["outside"] = [rank for rank in range(self.size) if rank not in ways[0]]
        return case | ({"quick": True} if quick else {})

    def _call(
        self, plan: CollectivePlan, caller: int, peer: int, how: dict[str, Any], more: dict[str, Any]
    ) -> dict[str, Any]:
        arguments = CollectiveCaseBuilder(plan, self.size).arguments(**how, root=peer) | more
        root, inside = plan.root, plan.named("group_root")
        if how.get("inside") and root and inside:
            del arguments[root]
            arguments[inside] = groups_of(self.size)[how["group"]].index(peer)
        if how.get("named") and plan.group:
            arguments[plan.group] = {"$group_name": how["group"]}
        return {"api": plan.name, "args": [], "kwargs": arguments, "callers": [caller]}
