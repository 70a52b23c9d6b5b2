"""Cases of optimisers, run on both sides. In: the sides and a case that makes an optimiser. Out: the verdict on the
weights after one step and after ten with the same gradients: equal but for rounding, without effect, or by how much
they differ. An argument that is said to differ must still matter where it does in torch.
"""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np

from mapspore.cases.single.case_builder import Case
from mapspore.verify.arguments import ArgumentFactory
from mapspore.verify.compare import CLOSE, DIFFERENT, EQUAL, NO_EFFECT, STATED, ULP, Verdict, agree, within
from mapspore.verify.outcome import Seen
from mapspore.verify.sides import AdapterSide, Side, TorchSide
from mapspore.verify.single.run_call import Ran, excused, judged, on_both, refusal_of

STEPS = 10
FADING = 6
"""From this step on gradients are 0, so that it shows what an optimiser keeps of earlier ones."""


def judge_steps(torch: TorchSide, adapter: AdapterSide, case: Case) -> Ran:
    """Weights after one step and after ten, with the same gradients; MindSpore's optimisers change its own parameters
    only."""
    adapter = adapter.native()
    chosen, wanted, got, _ = on_both(torch, adapter, case, _stepped)
    verdict = judged(case, chosen, wanted, got)
    if wanted.seen and got.seen and verdict.kind in (DIFFERENT, STATED) and not refusal_of(case, chosen):
        verdict = excused(case, chosen, _after_steps(wanted.seen, got.seen), got)
    if verdict.kind == STATED and "varied" in case and got.seen:
        without = _stepped(adapter, case, adapter.offered(case["entry"], case["target"]), leave_out=case["varied"])
        if agree(without, got.seen).kind == EQUAL:
            return Ran(Verdict(DIFFERENT, f"{case['varied']} changes nothing"), chosen)
    return Ran(verdict, chosen)


def _stepped(side: Side, case: Case, made_by: Any, leave_out: str = "") -> Seen:
    factory, (first, *_) = ArgumentFactory(side, case["id"]), case["calls"]
    first = first | {"kwargs": {name: value for name, value in first["kwargs"].items() if name != leave_out}}
    factory.make([first["args"], first["kwargs"]])
    parameters = {
        name: side.parameter(tensor, case.get("named", "") + name) for name, tensor in factory.tensors.items()
    }
    made = factory.replacing(parameters).call(made_by, first)
    seen = [side.see(list(parameters.values()))]
    for step in range(STEPS):
        gradients = []
        for name, parameter in parameters.items():
            generator = np.random.default_rng(zlib.crc32(f"{case['id']}/{name}/{step}".encode()))
            drawn = generator.normal(0, 1, tuple(parameter.shape)) * (step < FADING)
            gradients.append(side.tensor(np.asarray(drawn).astype(side.dtype(parameter)), side.dtype(parameter)))
        side.step(made, list(parameters.values()), gradients)
        if step in (0, STEPS - 1):
            seen.append(side.see(list(parameters.values())))
    return Seen("tuple", items=tuple(seen), fields=("before", "after one step", "after ten steps"))


def _after_steps(wanted: Seen, got: Seen) -> Verdict:
    """Rounding adds up over steps; what stands still has no effect; else the largest difference is told."""
    pairs = [
        [(one.value, other.value) for one, other in zip(ours.items, theirs.items, strict=True)]
        for ours, theirs in zip(wanted.items, got.items, strict=True)
    ]
    before = [other for _, other in pairs[0]]
    if all(np.array_equal(other, start) for (_, other), start in zip(pairs[2], before, strict=True)):
        moved = any(not np.array_equal(one, start) for (one, _), start in zip(pairs[2], before, strict=True))
        if moved:
            return Verdict(NO_EFFECT, "the steps change nothing")
    close = all(
        within(one, other, str(one.dtype), STEPS * ULP[str(one.dtype)]) for part in pairs for one, other in part
    )
    if close:
        return Verdict(CLOSE)
    largest = [max(float(np.abs(one - other).max()) for one, other in part) for part in pairs]
    said = f"weights differ by {largest[1]:.2g} after one step, by {largest[2]:.2g} after ten"
    return Verdict(DIFFERENT, said, tuple(largest[1:]))
