"""The contract as a judge. In: a plan and how a call is made. Out: for each rank, which tensors of which ranks each of
its outputs must hold, and reduced by what: read off the contract's fields, not off any API. It judges alone what
gloo lacks, and it is itself proven by every case that gloo can judge as well.
"""

from __future__ import annotations

from typing import Any

from mapspore.cases.collective.plan import CollectivePlan, Part

Piece = list[Any]
"""A rank, the name of a tensor there, and from which to which of its elements (null: all)."""

# What torch 2.13 on gloo refuses, or does wrong, by the last part of the API's name. Everything else it judges.
_BESIDE, _MIXES = "takes the view for dense memory and writes beside it", "mixes up the elements of the view"
_JOINED = {"scalar": "refuses it, or crashes", "stacked": "refuses it, though torch documents it"}
_DENSE = {"strided": "refuses it", "transposed": "refuses it"}
_OTHERS = {"outside": "answers with the ranks of the last group that the process is not in"}
_ROOTED = {"non_member": "looks for the root in the last group that the process is not in"}
GLOO_LACKS = {
    "all_gather": {"uneven": "refuses it"},
    "all_gather_into_tensor": _JOINED,
    "all_gather_single": _JOINED,
    "all_reduce": {"strided": _BESIDE},
    "all_to_all": {"uneven": "refuses it"},
    "all_to_all_single": {"strided": _MIXES, "transposed": _MIXES},
    "broadcast": {"strided": _BESIDE} | _ROOTED,
    "broadcast_object_list": _ROOTED,
    "gather": {"complex64": "refuses it"},
    "gather_object": _ROOTED,
    "get_global_rank": _OTHERS,
    "get_group_rank": _OTHERS,
    "get_process_group_ranks": _OTHERS,
    "irecv": _DENSE,
    "is_gloo_available": {"equal": "speaks of itself"},
    "isend": _DENSE,
    "recv": _DENSE,
    "reduce": {"strided": _BESIDE} | _ROOTED,
    "reduce_scatter": {"strided": _MIXES, "transposed": _MIXES},
    "reduce_scatter_single": _JOINED,
    "reduce_scatter_tensor": _JOINED,
    "scatter_object_list": _ROOTED,
    "send": _DENSE,
    "scatter": {"strided": _MIXES, "transposed": _MIXES} | _ROOTED,
}


SHAPE = (3, 2)


def rows(source: int, receiver: int, per_rank: bool) -> int:
    """How many rows travel between two ranks of a group where sizes differ: none, too, on some ways."""
    return abs(source - receiver) + min(source, receiver) if per_rank else source


def lacking(plan: CollectivePlan, how: dict[str, Any]) -> str | None:
    """What a call uses that gloo lacks."""
    lacks = GLOO_LACKS.get(plan.name.rpartition(".")[2], {})
    uses = [how.get("dtype"), how.get("read"), how.get("written")]
    uses += [each for each in ("uneven", "stacked", "outside", "equal", "non_member") if how.get(each)]
    uses += ["scalar"] if how.get("shape") == () else []
    return next((each for each in uses if each in lacks), None)


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
