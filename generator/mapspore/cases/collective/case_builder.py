"""States the arguments of a call. In: a plan, a number of ranks and how the call should be (shape, dtype, op, group,
root, views, fractions). Out: each parameter's argument in the language of `verify.arguments`, and the case around it.
What must come out is stated by `oracle` from the same description.
"""

from __future__ import annotations

from math import prod
from typing import Any

from mapspore.cases.collective.oracle import SHAPE, lacking, oracle, rows
from mapspore.cases.collective.plan import CollectivePlan, Part

Case = dict[str, Any]
How = dict[str, Any]
STAND_IN = {"int16": "int32"}  # gloo does not move the former; values are small, so the latter shows the same


def groups_of(size: int) -> dict[str, list[int]]:
    """Groups of every kind that a number of ranks allows: one rank, some, all."""
    return {"last": [size - 1], "ends": sorted({0, size - 1}), "everyone": list(range(size))}


class CollectiveCaseBuilder:
    """States the calls of one plan at one number of ranks."""

    def __init__(self, plan: CollectivePlan, size: int) -> None:
        self.plan = plan
        self.size = size
        self.groups = groups_of(size)

    def arguments(self, **how: Any) -> dict[str, Any]:
        """Every parameter that has a value, in the order of the signature."""
        members = self.groups[how.get("group", "everyone")]
        root = how.get("root", members[0])
        parts = {part.name: part for part in self.plan.parts}
        made: dict[str, Any] = {}
        for parameter in self.plan.parameters:
            name, role = parameter.name, self.plan.roles.get(parameter.name)
            if name in parts:
                made[name] = self._part(parts[name], how, members, root)
            elif role == "root":
                made[name] = root
            elif role == "op" and "op" in how:
                made[name] = {"$op": how["op"]}
            elif role == "group" and "group" in how:
                made[name] = {"$group": how["group"]}
            elif role == "async_op" and "async_op" in how:
                made[name] = how["async_op"]
            elif role == "splits" and how.get("uneven"):
                made[name] = self._by_member(members, lambda own: self._sizes(own, members))
        return made

    def _part(self, part: Part, how: How, members: list[int], root: int) -> Any:
        if how.get("uneven"):
            made = self._by_member(members, lambda own: self._of_rank(part, how, members, own))
        else:
            made = self._of_rank(part, how, members, 0)
        if not part.at_root:
            return made
        return {"$by_rank": [made if rank == root else None for rank in range(self.size)]}

    def _by_member(self, members: list[int], make: Any) -> dict[str, Any]:
        return {"$by_rank": [make(members.index(rank)) if rank in members else None for rank in range(self.size)]}

    def _of_rank(self, part: Part, how: How, members: list[int], own: int) -> Any:
        """A parameter's argument on one rank of the group."""
        places = range(len(members))
        if part.objects:
            return self._objects(part, how.get("prefix", "") + part.name, len(members))
        if part.layout == "list":
            shapes = [self._shape(part, how, own, place) for place in places]
            return {"$list": [self._tensor(part, how, f"{part.name}{place}", shapes[place]) for place in places]}
        shape = self._shape(part, how, own, own)
        if part.layout == "one":
            return self._tensor(part, how, part.name, shape)
        count = sum(self._sizes(own, members)) if how.get("uneven") else len(members) * (shape or [1])[0]
        stacked = how.get("stacked") and part.layout == "joined"
        return self._tensor(part, how, part.name, [len(members), *shape] if stacked else [count, *shape[1:]])

    def _shape(self, part: Part, how: How, own: int, place: int) -> list[int]:
        shape = list(how.get("shape", SHAPE))
        if not how.get("uneven"):
            return shape
        per_rank = any(each.per_rank for each in self.plan.sources)
        source, receiver = (place, own) if part.written else (own, place)
        return [rows(source, receiver, per_rank), *shape[1:]]

    def _sizes(self, own: int, members: list[int]) -> list[int]:
        """How a tensor is cut into parts for, or from, the ranks of the group; the sizes are of the pair."""
        return [rows(own, place, True) for place in range(len(members))]

    def _tensor(self, part: Part, how: How, name: str, shape: list[int]) -> dict[str, Any]:
        only_written = part.written and not part.read
        view = how.get("written" if part.written else "read", how.get("read", "own") if part.read else "own")
        name, dtype = how.get("prefix", "") + name, how.get("dtype", "float32")
        fractions = how.get("fractions") and not only_written
        # of one sign, so that nothing cancels and units in the last place mean something
        filled: dict[str, Any] = {"range": [1, 2]} if fractions else {"fill": "summable"}
        return {"$tensor": {"name": name, "shape": shape, "dtype": dtype, "view": view, **filled}}

    def _objects(self, part: Part, name: str, count: int) -> Any:
        if part.layout == "one":
            return {"$object": [name, 0]}
        number = count if part.layout == "list" else 2
        items = [{"$object": [name, place]} for place in range(number)]
        return {"$objects": {"name": name, "items": items if part.read else [None] * number}}

    # -- cases -------------------------------------------------------------------------------------------------------

    def case(self, label: str, arguments: dict[str, Any], kind: str, **more: Any) -> Case:
        """A case of one call; `more` may name the ranks that call, and positional arguments."""
        call: dict[str, Any] = {"api": self.plan.name, "args": more.pop("args", []), "kwargs": arguments}
        if "callers" in more:
            call["callers"] = more.pop("callers")
        return {"id": f"{self.plan.name}/{label}", "kind": kind, "calls": [call], **more}

    def valued(self, label: str, kind: str = "value", **how: Any) -> Case:
        """A case whose result counts."""
        quick = how.pop("quick", False)
        case = self.case(label, self.arguments(**how), kind)
        if how.get("group", "everyone") != "everyone":
            case["outside"] = [rank for rank in range(self.size) if rank not in self.groups[how["group"]]]
        return self.judged(case, how) | ({"quick": True} if quick else {})

    def judged(self, case: Case, how: How) -> Case:
        """The case with what must come out, and with what gloo lacks to show it."""
        if how.get("dtype") in STAND_IN:
            case["stand_in"] = STAND_IN
        if missing := lacking(self.plan, how):
            case["lacking"] = missing
        if lacking(self.plan, {"non_member": True}):
            members = self.groups[how.get("group", "everyone")]
            case["unsure"] = [rank for rank in range(self.size) if rank not in members]
        if at_once := [target for target, limits in self.plan.targets.items() if limits.completes_at_once]:
            case["at_once"] = at_once
        if how.get("fractions"):
            case["ulp"] = 4
        elif how.get("op") == "AVG":
            case["ulp"] = 2
        if not self.plan.objects:
            members = self.groups[how.get("group", "everyone")]
            if alone := [part.name for part in self.plan.outputs if part.written_at_root]:
                root = how.get("root", members[0])
                case["undefined"] = [[] if rank == root else alone for rank in range(self.size)]
            case["oracle"] = oracle(self.plan, how, members, self.size, prod(how.get("shape", SHAPE)))
        return case
