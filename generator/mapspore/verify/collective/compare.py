"""How an outcome of the adapter relates to the reference's. In: a case, a rank and what both sides did. Out: a finding.
Whole numbers must be equal; floats may differ by the case's number of units in the last place; an error must be of
the type that torch raises. The contract judges as well, and alone where gloo lacks something.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np

from mapspore.cases.collective.case_builder import Case
from mapspore.verify.collective.arguments import look
from mapspore.verify.collective.sides import decoded

Outcome = dict[str, Any]

EQUAL, CLOSE, SAME_ERROR, REFUSED, CONTRACT, DIFFERENT = OUTCOMES = (
    "equal", "within_ulp", "same_error", "refused", "contract", "different",
)  # fmt: skip
_REDUCTIONS = {
    "SUM": np.add,
    "AVG": np.add,
    "PRODUCT": np.multiply,
    "MIN": np.minimum,
    "MAX": np.maximum,
    "BAND": np.bitwise_and,
    "BOR": np.bitwise_or,
    "BXOR": np.bitwise_xor,
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """One of the outcomes, and what differs, or the sentence of an error."""

    kind: str
    detail: str = ""


def compare(case: Case, rank: int, wanted: list[Outcome], got: Outcome) -> Verdict:
    """Judge one rank of a case; `wanted` holds what the reference did on all ranks."""
    reference = wanted[rank]
    if not got["same_objects"]:
        return Verdict(DIFFERENT, "a list was given other tensors")
    refusal = case.get("refused", {}).get(got["target"] or "")
    if refusal and rank not in case.get("outside", ()):
        if refusal in got.get("error", ()):
            return Verdict(REFUSED, got["sentence"])
        return Verdict(DIFFERENT, f"{refusal} expected, got {_short(got)}")
    if rank in case.get("unsure", ()):
        gone_on = "error" not in got and got["warnings"]
        return Verdict(CONTRACT) if gone_on else Verdict(DIFFERENT, _short(got))
    if not case.get("lacking"):
        verdict = _by_reference(case, rank, reference, got)
        if verdict.kind in (DIFFERENT, SAME_ERROR):
            return verdict
        if "oracle" not in case:
            return verdict
        if wrong := _against_contract(case, rank, wanted, reference, _undefined(case, rank)):
            return Verdict(DIFFERENT, f"torch does not do what the contract says: {wrong}")
    else:
        verdict = Verdict(CONTRACT)
        if "error" in got:
            return Verdict(DIFFERENT, _short(got))
    if "oracle" in case and (wrong := _against_contract(case, rank, wanted, got)):
        return Verdict(DIFFERENT, wrong)
    return Verdict(CONTRACT) if case.get("stand_in") else verdict


def _by_reference(case: Case, rank: int, wanted: Outcome, got: Outcome) -> Verdict:
    if "error" in wanted:
        if wanted["error"][0] in got.get("error", ()):
            return Verdict(SAME_ERROR, got["sentence"])
        return Verdict(DIFFERENT, f"{_short(wanted)} expected, got {_short(got)}")
    if any(call.get("describe") for call in case["calls"]):
        return (
            Verdict(DIFFERENT, _short(got)) if "error" in got else _in_common(wanted["returned"][0], got["returned"][0])
        )
    for key in ("returned", "warnings", "lists"):
        if key == "returned" and _at_once(case, wanted, got):
            continue
        if wanted.get(key) != got.get(key):
            return Verdict(DIFFERENT, f"{_short(wanted, key)} expected, got {_short(got, key)}")
    close = False
    for name, tensor in wanted["tensors"].items():
        mine = got["tensors"][name]
        if not mine["kept"]:
            return Verdict(DIFFERENT, f"{name} changed its dtype or its storage")
        if name in _undefined(case, rank):
            continue
        for part in ("tensor", "base"):
            one, other = decoded(tensor[part]), decoded(mine[part])
            if not agree(one, other, case.get("ulp", 0)):
                return Verdict(DIFFERENT, f"{name} ({part}):\n{one}\nexpected, got\n{other}")
            close = close or not agree(one, other)
    return Verdict(CLOSE if close else EQUAL)


def _in_common(wanted: dict[str, Any], got: dict[str, Any]) -> Verdict:
    """A class shares names with torch's, and the values that both have are equal; a constant is equal."""
    if "value" in wanted:
        return Verdict(EQUAL if wanted == got else DIFFERENT, "" if wanted == got else f"{wanted} expected, got {got}")
    both = set(wanted["names"]) & set(got.get("names", ()))
    if wanted["names"] and not both:
        return Verdict(DIFFERENT, f"none of {wanted['names']} is there")
    for name in sorted(set(wanted["values"]) & set(got["values"])):
        if wanted["values"][name] != got["values"][name]:
            return Verdict(DIFFERENT, f"{name} is {got['values'][name]!r} instead of {wanted['values'][name]!r}")
    return Verdict(EQUAL)


def _at_once(case: Case, wanted: Outcome, got: Outcome) -> bool:
    """Whether the entry says that this target completes before it returns, and that is all that differs."""
    if got["target"] not in case.get("at_once", ()) or not wanted.get("returned") or not got.get("returned"):
        return False
    completed = {"completed at once": True}
    return bool(
        got["returned"] == [completed, *wanted["returned"][1:]] and wanted["returned"][0].keys() == completed.keys()
    )


def expected_by_contract(case: Case, everyone: list[Outcome]) -> tuple[dict[str, Any], ...]:
    """By rank, what the contract says that each tensor must hold."""
    return tuple(
        {
            name: _expected(wanted, everyone, decoded(everyone[rank]["tensors"][name]["before"]["tensor"])).tolist()
            for name, wanted in case["oracle"][rank].items()
        }
        for rank in range(len(everyone))
    )


def _undefined(case: Case, rank: int) -> list[str]:
    """Tensors that torch may leave in any state on this rank; the adapter leaves them as they were."""
    return list(case["undefined"][rank]) if "undefined" in case else []


def _against_contract(
    case: Case, rank: int, everyone: list[Outcome], got: Outcome, undefined: list[str] | None = None
) -> str:
    """What of an outcome is not as the contract says: what outputs hold, and that nothing else was written."""
    for name, tensor in got["tensors"].items():
        if undefined and name in undefined:
            continue
        before, base = decoded(tensor["before"]["tensor"]), decoded(tensor["before"]["base"]).copy()
        now, whole = decoded(tensor["tensor"]), decoded(tensor["base"])
        wanted = case["oracle"][rank].get(name)
        expected = before if wanted is None else _expected(wanted, everyone, before)
        if not agree(expected, now, case.get("ulp", 0)):
            return f"{name}:\n{expected}\nexpected, got\n{now}"
        if not agree(_overlaid(base, now, tensor["view"]), whole):
            return f"{name} was written beside its view"
        if not tensor["kept"]:
            return f"{name} changed its dtype or its storage"
    return ""


def _overlaid(base: np.ndarray, now: np.ndarray, view: str) -> np.ndarray:
    """A storage in which nothing but the view has changed."""
    if view in ("row", "first_row"):
        base[1 if view == "row" else 0] = now
    else:
        look(base, now.shape, view)[...] = now
    return base


def _expected(wanted: dict[str, Any], everyone: list[Outcome], like: np.ndarray) -> np.ndarray:
    terms = []
    for pieces in wanted["terms"]:
        parts = [_piece(everyone, *piece) for piece in pieces]
        if len(parts) > 1 or wanted["op"]:
            term = reduce(_REDUCTIONS[wanted["op"]], parts)
            parts = [term / len(parts) if wanted["op"] == "AVG" else term]
        terms += parts
    return np.concatenate([part.reshape(-1) for part in terms]).reshape(like.shape).astype(like.dtype)


def _piece(everyone: list[Outcome], rank: int, name: str, cut: list[int] | None) -> np.ndarray:
    array = decoded(everyone[rank]["tensors"][name]["before"]["tensor"])
    return array if cut is None else array.reshape(-1)[cut[0] : cut[1]]


def agree(one: np.ndarray, other: np.ndarray, ulp: int = 0) -> bool:
    """Equal in shape and value; bit by bit, or within a number of units in the last place."""
    if one.shape != other.shape:
        return False
    if one.dtype != other.dtype:  # a stand-in dtype on one side: the values decide
        other = other.astype(one.dtype)
    if ulp and one.dtype.kind == "c":
        return agree(one.real, other.real, ulp) and agree(one.imag, other.imag, ulp)
    if ulp and one.dtype.kind == "f":
        return bool(np.all(np.abs(one - other) <= ulp * np.spacing(np.maximum(np.abs(one), np.abs(other)))))
    return bool(np.array_equal(one, other, equal_nan=one.dtype.kind in "fc"))


def _short(outcome: Outcome, key: str = "returned") -> str:
    if "error" in outcome:
        return f"{outcome['error'][0]}: {outcome['sentence'].splitlines()[0] if outcome['sentence'] else ''}"
    return f"{key} {outcome.get(key)}"
