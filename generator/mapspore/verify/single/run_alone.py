"""Cases of what needs no call of MindSpore, run on both sides: a constant, and what has nothing to do. In: the sides
and a case. Out: the verdict. A question about the environment is a call like any other.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from mapspore.cases.single.case_builder import Case
from mapspore.verify.compare import DIFFERENT, NO_REFERENCE, SKIPPED, Verdict, agree, compare, shown
from mapspore.verify.outcome import Outcome, Seen, named
from mapspore.verify.sides import AdapterSide, Side, TorchSide
from mapspore.verify.single.run_call import Ran, seen_of

PROBE = 7


def judge_constant(torch: TorchSide, adapter: AdapterSide, case: Case) -> Ran:
    """Whether a constant is the same on both sides; of a dtype, also what tensors have that are made with it."""
    (call,) = case["calls"]
    wanted, got = (seen_of(side, partial(_constant, side, call["api"])) for side in (torch, adapter))
    return Ran(compare(None, wanted, got))


def _constant(side: Side, name: str) -> Any:
    value = side.api(name)
    if not side.is_dtype(value):
        return value
    made = side.tensor(np.ones((2,), np.float32), "float32").to(value)
    return named(dtype=side.see(value), made=side.see(made.dtype == value), size=side.see(int(made.itemsize)))


def judge_unneeded(torch: TorchSide, adapter: AdapterSide, case: Case) -> Ran:
    """Whether the adapter takes what torch takes and gives back what torch does; where torch needs a device for it that
    is not here, that the adapter does nothing is all there is to see."""
    wanted, got = (seen_of(side, partial(_used, side, case)) for side in (torch, adapter))
    if got.error:
        return Ran(Verdict(DIFFERENT, f"nothing to do expected, got {shown(got)}"))
    if wanted.error:
        return Ran(Verdict(SKIPPED) if case["use"] != "call" else _nothing(wanted, got))
    assert wanted.seen is not None and got.seen is not None
    return Ran(agree(wanted.seen, got.seen))


def _nothing(wanted: Outcome, got: Outcome) -> Verdict:
    returned = got.seen == Seen("NoneType")
    return (
        Verdict(NO_REFERENCE, wanted.sentence) if returned else Verdict(DIFFERENT, f"None expected, got {shown(got)}")
    )


def _used(side: Side, case: Case) -> Any:
    """What a use gives: the call itself, a function that it is put on, a block that it is put around."""
    (call,) = case["calls"]
    api = side.api(call["api"])
    if case["use"] == "call":
        return api(*call["args"], **call["kwargs"])

    def probe(value: int) -> int:
        return value + 1

    if case["use"] == "bare":
        return api(probe)(PROBE)
    made = api(*call["args"], **call["kwargs"])
    if case["use"] == "called":
        return made(probe)(PROBE)
    with made:
        return probe(PROBE)
