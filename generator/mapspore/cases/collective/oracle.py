"""The contract as a judge. In: a plan and how a call is made. Out: for each rank, which tensors of which ranks each of
its outputs must hold, and reduced by what: read off the contract's fields, not off any API. It judges alone what the
entry says that gloo cannot judge, and it is itself proven by every case that gloo can judge as well.
"""

from __future__ import annotations

from typing import Any

from mapspore.cases.collective.plan import CollectivePlan, Part

Piece = list[Any]
"""A rank, the name of a tensor there, and from which to which of its elements (null: all)."""

SHAPE = (3, 2)


def rows(source: int, receiver: int, per_rank: bool) -> int:
    """How many rows travel between two ranks of a group where sizes differ: none, too, on some ways."""
    return abs(source - receiver) + min(source, receiver) if per_rank else source


def lacking(plan: CollectivePlan, how: dict[str, Any]) -> str | None:
    """What a call has about it that the reference cannot judge, as the entry says."""
    traits = [how.get("dtype"), how.get("read"), how.get("written"), *(name for name, value in how.items() if value)]
    traits += ["scalar"] if how.get("shape") == () else []
    return next((each for each in traits if each in plan.reference_lacks), None)


def oracle(
    plan: CollectivePlan, how: dict[str, Any], members: list[int], size: int, elements: int
) -> list[dict[str, dict[str, Any]]]:
    """For each rank, by output: the terms whose elements follow each other in it, each one piece or several that are
    reduced. `elements` is the number of elements that one rank gives to another."""
    root = how.get("root", members[0])
    return [
        _of_rank(plan, how, members, members.index(rank), root, elements) if rank in members else {}
        for rank in range(size)
    ]


def _of_rank(
    plan: CollectivePlan, how: dict[str, Any], members: list[int], own: int, root: int, elements: int
) -> dict[str, dict[str, Any]]:
    wanted: dict[str, dict[str, Any]] = {}
    op = how.get("op", "SUM") if plan.op else None
    givers = [members.index(root)] if plan.from_root else list(range(len(members)))
    for output in plan.outputs:
        if (output.at_root or output.written_at_root) and members[own] != root:
            continue
        source = plan.sources[0]
        pieces = [_piece(source, members, giver, own, how, elements) for giver in givers]
        if output.layout == "list":
            for place, piece in enumerate(pieces):
                wanted[f"{output.name}{place}"] = {"terms": [[piece]], "op": op}
        elif op:
            wanted[output.name] = {"terms": [pieces], "op": op}
        else:
            wanted[output.name] = {"terms": [[piece] for piece in pieces], "op": op}
    return wanted


def _piece(source: Part, members: list[int], giver: int, own: int, how: dict[str, Any], elements: int) -> Piece:
    """What one rank of the group gives to another."""
    rank = members[giver]
    if source.layout == "list":
        return [rank, f"{source.name}{own}", None]
    if source.layout == "one":
        return [rank, source.name, None]
    if how.get("uneven"):
        width = how.get("shape", SHAPE)[1]
        start = sum(rows(giver, place, True) for place in range(own))
        return [rank, source.name, [start * width, (start + rows(giver, own, True)) * width]]
    return [rank, source.name, [own * elements, (own + 1) * elements]]
