"""Cases of PyTorch's own tests. In: a plan and the calls that its tests make, as data. Out: cases like ours: the calls
as they are, their gradients, and calls on top of which our situations are laid; at most `CAP` for each target, chosen
evenly from all strata. Needs no framework, and says without one what was chosen: see `identity`.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Iterable, Iterator
from typing import Any

from mapspore.cases.single.bind import bound
from mapspore.cases.single.case_builder import CallCaseBuilder, Case
from mapspore.cases.single.objects import MANY, ObjectCaseBuilder
from mapspore.cases.single.overlays import overlaid
from mapspore.cases.single.plan import CallPlan

SEED = 20
"""The seed of the samples, and of the choice among them."""
CAP = 150
"""Cases for each target at most."""
RULE = 1
"""The number of the rule by which they are chosen; whoever changes what this module makes of the same calls raises
it."""
BASES = 4
"""Calls on top of which situations are laid."""
SOURCE = "torch"

Call = dict[str, Any]


def identity(torch: str) -> dict[str, Any]:
    """What tells, without torch, which cases these are."""
    return {"torch": torch, "seed": SEED, "cap": CAP, "rule": RULE}


def digest(cases: Iterable[Case]) -> str:
    """The digest of the calls that cases make."""
    stated = sorted(json.dumps([case["id"], case["kind"], case["calls"]], sort_keys=True) for case in cases)
    return hashlib.blake2b("\n".join(stated).encode(), digest_size=16).hexdigest()


def drawn_cases(plan: CallPlan, calls: list[Call]) -> list[Case]:
    """The cases of a plan, out of the calls that PyTorch's own tests make."""
    made = {"function": _of_functions, "class": _of_objects, "optimizer": _of_optimizers}.get(plan.sort)
    strata: dict[str, list[Case]] = {}
    for stratum, case in made(plan, calls) if made else ():
        strata.setdefault(stratum, []).append(case | {"source": SOURCE})
    return _chosen(strata)


def _chosen(strata: dict[str, list[Case]]) -> list[Case]:
    """One of each stratum in turn, until there are enough; within a stratum in an order that only the seed tells."""
    queues = [sorted(cases, key=lambda case: zlib.crc32(f"{SEED}/{case['id']}".encode())) for cases in strata.values()]
    chosen: list[Case] = []
    for turn in range(max(map(len, queues), default=0)):
        chosen += [queue[turn] for queue in queues if turn < len(queue)]
    return sorted(chosen[:CAP], key=lambda case: str(case["id"]))


def _of_functions(plan: CallPlan, calls: list[Call]) -> Iterator[tuple[str, Case]]:
    found = [(number, call, fit) for number, call in enumerate(calls) if (fit := bound(plan, call))]
    for number, call, (signature, given) in found:
        builder, leading = CallCaseBuilder(plan, signature), len(call["args"])
        label = f"torch-{call['of'].replace('/', '-')}-{number}"
        yield f"call {call['of']}", builder.case(label, given, "value", leading)
        if call["gradient"] and _floats(given):
            yield f"gradient {call['of']}", builder.case(f"{label}-gradient", given, "gradient", leading)
    for number, call, (signature, given) in found[:: max(1, len(found) // BASES)][:BASES]:
        builder, leading = CallCaseBuilder(plan, signature), len(call["args"])
        for name, changed in overlaid(given, _distinct(plan)):
            label = f"torch-{call['of'].replace('/', '-')}-{number}-{name}"
            yield f"situation {name}", builder.case(label, changed, "value", leading)


def _distinct(plan: CallPlan) -> list[str]:
    return [name for name, tensor in plan.tensors.items() if tensor.distinct]


def _floats(given: dict[str, Any]) -> bool:
    return "'dtype': 'float32'" in str(given)


def _of_objects(plan: CallPlan, calls: list[Call]) -> Iterator[tuple[str, Case]]:
    builder = ObjectCaseBuilder(plan)
    if builder.caller is None:
        return
    maker, caller = builder.maker, builder.caller
    for number, call in enumerate(calls):
        fits = bound(maker.plan, call["make"]), bound(caller.plan, call["call"])
        if not fits[0] or not fits[1]:
            continue
        made, given = fits[0][1], fits[1][1]
        label = f"torch-{call['of']}-{number}"
        for name, changed in [("", given), *overlaid(given, _distinct(plan))]:
            kinds = ["draws"] if plan.random else ["object", *(["object_gradient"] if not name else [])]
            for kind in kinds:
                case = maker.case("-".join(filter(None, [label, name, kind])), made, kind, len(call["make"]["args"]))
                args, kwargs = caller.placed(changed, len(changed))
                case |= {"calls": [*case["calls"], {"args": args, "kwargs": kwargs}], "made_with": list(made)}
                case |= {"given": made | changed, "situations": ["training", "gradient"] if "grad" in kind else []}
                yield f"{kind} {name}", case | ({"many": MANY} if plan.random else {})


def _of_optimizers(plan: CallPlan, calls: list[Call]) -> Iterator[tuple[str, Case]]:
    builder = ObjectCaseBuilder(plan)
    for number, call in enumerate(calls):
        if set(call["kwargs"]) <= builder.maker.signature.names:
            yield "steps", builder.case(f"torch-{call['of']}-{number}", "steps", {}, make=call["kwargs"])
