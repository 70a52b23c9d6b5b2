"""MindSpore's own counterpart of what the adapter's runtime has, called as the entry's table of names says. In: the
sides and a case with how the counterpart is called. Out: a verdict: equal, or in which way what MindSpore gives is
another thing. Nothing of the adapter runs here.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from mapspore.cases.single.case_builder import Case
from mapspore.verify.compare import (
    CLOSE,
    DIFFERENT,
    DTYPE,
    EQUAL,
    FORM,
    NO_KERNEL,
    NO_REFERENCE,
    RAISES,
    SHAPE,
    SKIPPED,
    STATED,
    VALUE,
    Verdict,
    lacks_kernel,
)  # fmt: skip
from mapspore.verify.outcome import Outcome, Seen
from mapspore.verify.rounding import Rounding
from mapspore.verify.sides import AdapterSide, Side, TorchSide
from mapspore.verify.single.run_call import accounted, called, called_directly, judged_pairs, seen_of
from mapspore.verify.single.run_object import made_directly, used_directly, used_once

FEW, SHORT = 6, 48
"""How many elements of a result are all told, and in how many characters at most."""
NOTHING_KEPT = frozenset({"num_batches_tracked"})
"""State of torch's that no result depends on."""


def judge_beside(torch: TorchSide, adapter: AdapterSide, case: Case) -> Verdict:
    """What came of a call of MindSpore's own counterpart."""
    native = adapter.native()
    wanted, got, rounds = (_object if "made_with" in case else _function)(torch, native, case)
    if wanted.seen is None:
        return Verdict(NO_REFERENCE if wanted.error else SKIPPED, wanted.sentence)
    if lacks_kernel(got):
        return Verdict(NO_KERNEL, got.sentence)
    verdict = _compared(case, wanted.seen, got, rounds)
    apart = verdict.kind not in (EQUAL, CLOSE)
    return replace(verdict, kind=STATED) if apart and accounted(case, case["target"]) else verdict


def _function(torch: TorchSide, native: AdapterSide, case: Case) -> tuple[Outcome, Outcome, Rounding]:
    wanted, got = called(torch, case), called_directly(native, case, case["direct"])
    if case.get("uninitialised"):
        wanted, got = (replace(each, seen=each.seen and each.seen.blank()) for each in (wanted, got))
    return wanted, got, Rounding(lambda side: called(side, case))


def _object(torch: TorchSide, native: AdapterSide, case: Case) -> tuple[Outcome, Outcome, Rounding]:
    """The first result of an object with torch's state; none where MindSpore's does not hold all of that, for then the
    entry has to tell where it is."""

    def first(side: Side) -> Outcome:
        return seen_of(side, lambda: used_once(side, case, side.offered(case["entry"], None)))

    def result(side: Side) -> Outcome:
        outcome = first(side)
        return replace(outcome, seen=outcome.seen and outcome.seen["result"])

    wanted, rounds = first(torch), Rounding(result)
    if wanted.seen is None:
        return wanted, Outcome(), rounds
    stated = case["state"].get(case["target"], {})
    held = {name: stated.get(name, name) for name in wanted.seen["state"].fields if name not in NOTHING_KEPT}
    unheld: list[str] = []

    def run() -> Any:
        made = made_directly(native, case, case["direct"])
        unheld.extend(name for name, own in held.items() if own and getattr(made, own, None) is None)
        return None if unheld else used_directly(made, native, case, held)

    got = seen_of(native, run)
    return (Outcome() if unheld else Outcome(wanted.seen["result"])), got, rounds


def _compared(case: Case, wanted: Seen, got: Outcome, rounds: Rounding) -> Verdict:
    """The verdict; where something is apart, what torch and MindSpore gave stand in two lines."""
    if got.seen is None:
        return Verdict(RAISES, f"{brief(wanted)}\n{got.error[0]}")
    pairs = judged_pairs(wanted, got.seen, case["direct"], rounds)
    if pairs is None:
        return Verdict(FORM, f"{brief(wanted)}\n{brief(got.seen)}")
    for one, other, verdict in pairs:
        if verdict.kind == DIFFERENT:
            way = unlike(one, other)
            at = _farthest(one, other) if way == VALUE and one.type == "tensor" else None
            return Verdict(way, f"{brief(one, at)}\n{brief(other, at)}")
    return Verdict(CLOSE if any(verdict.kind == CLOSE for _, _, verdict in pairs) else EQUAL)


def unlike(wanted: Seen, got: Seen) -> str:
    """In which way one result is another one than torch's."""
    if wanted.type != got.type:
        return FORM
    if wanted.type != "tensor":
        return FORM if wanted.items else VALUE
    if wanted.dtype != got.dtype:
        return DTYPE
    return SHAPE if wanted.value.shape != got.value.shape else VALUE


def brief(seen: Seen, at: tuple[int, ...] | None = None) -> str:
    """A result in a line: of a tensor its dtype, its shape and, of few elements, all; of more the one at a place."""
    if seen.type != "tensor":
        inner = ", ".join(brief(each) for each in seen.items[:FEW])
        return f"{seen.type}({inner})" if seen.items else repr(seen.value)
    text = f"{seen.dtype}{list(seen.value.shape)}"
    every = _number(seen.value) if 0 < seen.value.size <= FEW else ""
    if every and len(every) <= SHORT:
        return f"{text} {every}"
    return text if at is None else f"{text}, {_number(seen.value[at])} at {list(at)}"


def _number(value: np.ndarray) -> str:
    text = np.array2string(np.asarray(value), precision=8, separator=", ", max_line_width=10_000)
    return str(text).replace("\n", "")


def _farthest(one: Seen, other: Seen) -> tuple[int, ...] | None:
    """Where two tensors of one shape are farthest apart; what is no number on one side only is farther than that."""
    if not one.value.size:
        return None
    with np.errstate(all="ignore"):
        wide = [each.value.astype(complex if each.value.dtype.kind == "c" else float) for each in (one, other)]
        same = (wide[0] == wide[1]) | (np.isnan(wide[0]) & np.isnan(wide[1]))
        apart = np.where(same, -1.0, np.nan_to_num(np.abs(wide[0] - wide[1]), nan=np.inf))
    return tuple(int(each) for each in np.unravel_index(int(apart.argmax()), apart.shape))
