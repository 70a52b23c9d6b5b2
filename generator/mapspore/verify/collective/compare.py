"""How a rank of the adapter relates to the same rank of torch, and to the contract. In: a case, a rank and what both
sides did. Out: a verdict. Tensors must be equal, or within the case's number of units in the last place. The contract
judges as well, and alone where the reference lacks something.
"""

from __future__ import annotations

from functools import reduce
from typing import Any

import numpy as np

from mapspore.cases.case_arguments import specs
from mapspore.cases.collective.case_builder import Case
from mapspore.verify.collective.arguments import seed_of
from mapspore.verify.compare import (
    CLOSE,
    CONTRACT,
    DIFFERENT,
    EQUAL,
    SAME_ERROR,
    Verdict,
    agree,
    refused,
    same_error,
    shown,
)  # fmt: skip
from mapspore.verify.outcome import Outcome, Seen
from mapspore.verify.tensors import look, overlaid, storage

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
AT_ONCE = Seen("completed at once", True)


def compare(case: Case, rank: int, wanted: Outcome | None, got: Outcome) -> Verdict:
    """Judge one rank of a case; `wanted` is what the reference did, where it can judge."""
    if not got.own_tensors:
        return Verdict(DIFFERENT, "a list was given other tensors")
    refusal = case.get("refused", {}).get(case["target"] or "")
    if refusal and rank not in case.get("outside", ()):
        return refused(refusal, got)
    if rank in case.get("unsure", ()):
        warned = got.seen is not None and got.seen["warnings"].value
        return Verdict(CONTRACT) if warned else Verdict(DIFFERENT, shown(got))
    if wanted is None:
        verdict = Verdict(DIFFERENT, shown(got)) if got.error else Verdict(CONTRACT)
    else:
        verdict = _by_reference(case, rank, wanted, got)
    if verdict.kind in (DIFFERENT, SAME_ERROR) or "oracle" not in case:
        return verdict
    if wanted is not None and (wrong := against_contract(case, rank, wanted, _undefined(case, rank))):
        return Verdict(DIFFERENT, f"torch does not do what the contract says: {wrong}")
    if wrong := against_contract(case, rank, got):
        return Verdict(DIFFERENT, wrong)
    return Verdict(CONTRACT) if case.get("stand_in") else verdict


def _by_reference(case: Case, rank: int, wanted: Outcome, got: Outcome) -> Verdict:
    if wanted.error or got.error:
        return same_error(wanted, got)
    assert wanted.seen is not None and got.seen is not None
    if any(call.get("describe") for call in case["calls"]):
        return _in_common(wanted.seen["returned"].items[0], got.seen["returned"].items[0])
    verdict = agree(wanted.seen, _as_stated(case, got.seen), ulp=0)
    if verdict.kind == DIFFERENT:
        return verdict
    for name, tensor in wanted.tensors.items():
        if name in _undefined(case, rank):
            continue
        judged = agree(tensor, got.tensors[name], dtypes="stand_in" not in case, ulp=case.get("ulp", 0))
        if judged.kind == DIFFERENT:
            return Verdict(DIFFERENT, f"{name}, {judged.detail}")
        verdict = judged if judged.kind == CLOSE else verdict
    return verdict


def _in_common(wanted: Seen, got: Seen) -> Verdict:
    """A class shares names with torch's, and the values that both have are equal; a constant is equal."""
    if wanted.type != "class":
        return agree(wanted, got)
    if wanted.value and not set(wanted.value) & set(got.value or ()):
        return Verdict(DIFFERENT, f"none of {wanted.value} is there")
    for name in sorted(set(wanted.fields) & set(got.fields)):
        if agree(wanted[name], got[name]).kind != EQUAL:
            return Verdict(DIFFERENT, f"{name} is {got[name].value!r} instead of {wanted[name].value!r}")
    return Verdict(EQUAL)


def _as_stated(case: Case, got: Seen) -> Seen:
    """What came out, where the entry says that this target completes before it returns: as if it had not."""
    first, *rest = got["returned"].items or (None,)
    if case["target"] not in case.get("at_once", ()) or first != AT_ONCE:
        return got
    returned = Seen("list", items=(Seen(AT_ONCE.type, False), *filter(None, rest)))
    return Seen(got.type, items=(returned, *got.items[1:]), fields=got.fields)


def _undefined(case: Case, rank: int) -> list[str]:
    """Tensors that torch may leave in any state on this rank; the adapter leaves them as they were."""
    return list(case["undefined"][rank]) if "undefined" in case else []


def against_contract(case: Case, rank: int, got: Outcome, undefined: list[str] | None = None) -> str:
    """What of an outcome is not as the contract says: what outputs hold, and that nothing else was written."""
    expected = expected_on(case, rank)
    for spec in specs(case["calls"], rank):
        name, view, tensor = spec["name"], spec.get("view", "own"), got.tensors[spec["name"]]
        if name in (undefined or ()):
            continue
        judged = agree(Seen("tensor", expected[name], spec["dtype"]), tensor["tensor"], False, case.get("ulp", 0))
        if judged.kind == DIFFERENT:
            return f"{name}: {judged.detail}"
        whole = overlaid(storage(spec, seed_of(case, rank)), view, tensor["tensor"].value)
        if agree(Seen("tensor", whole, spec["dtype"]), tensor["storage"], False, 0).kind != EQUAL:
            return f"{name} was written beside its view"
        if not (tensor["same_memory"].value and tensor["same_dtype"].value):
            return f"{name} changed its dtype or its storage"
    return ""


def expected_on(case: Case, rank: int) -> dict[str, np.ndarray]:
    """What the contract says that each tensor of a rank must hold after the call."""
    wanted = case["oracle"][rank]
    before = {spec["name"]: _before(case, rank, spec) for spec in specs(case["calls"], rank)}
    return {name: _expected(case, wanted[name], array) if name in wanted else array for name, array in before.items()}


def _before(case: Case, rank: int, spec: dict[str, Any]) -> np.ndarray:
    """A tensor of a rank before the call."""
    return np.asarray(look(storage(spec, seed_of(case, rank)), spec.get("view", "own")))


def _expected(case: Case, wanted: dict[str, Any], like: np.ndarray) -> np.ndarray:
    terms = []
    for pieces in wanted["terms"]:
        parts = [_piece(case, *piece) for piece in pieces]
        if len(parts) > 1 or wanted["op"]:
            term = reduce(_REDUCTIONS[wanted["op"]], parts)
            parts = [term / len(parts) if wanted["op"] == "AVG" else term]
        terms += parts
    return np.concatenate([part.reshape(-1) for part in terms]).reshape(like.shape).astype(like.dtype)


def _piece(case: Case, rank: int, name: str, cut: list[int] | None) -> np.ndarray:
    array = _before(case, rank, next(spec for spec in specs(case["calls"], rank) if spec["name"] == name))
    return array if cut is None else array.reshape(-1)[cut[0] : cut[1]]
