"""How what the adapter did relates to what torch did. In: two outcomes. Out: a verdict. Whole numbers and truth values
must be equal; floats may differ by rounding, nan equals nan; dtype, shape, number and names of results must agree; an
error must be of the type that torch raises, and shows something only where the case was made to fail. What a contract
says besides is judged by `collective.compare`, what an entry says besides by the runners of `single`.

What rounding may do is told by `rounding`, from torch's result in float64. Where there is none, an element may differ
by a few units in the last place of the largest value of its result.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from mapspore.verify.outcome import Outcome, Seen

(
    EQUAL, CLOSE, STATISTICAL, SAME_ERROR, REFUSED, CONTRACT, STATED, NO_EFFECT, NO_KERNEL, NO_REFERENCE, NO_VALUE,
    DIFFERENT, CRASHED,
) = OUTCOMES = (
    "equal", "within_ulp", "statistical", "same_error", "refused", "contract", "stated", "no_effect", "no_kernel",
    "no_reference", "no_value", "different", "crashed",
)  # fmt: skip
"""From what says most for an adapter to what says least."""
SHOWS = (EQUAL, CLOSE, STATISTICAL, CONTRACT)
"""Outcomes of a case that gave a value on both sides: without one of them nothing is verified."""
FAILED = (DIFFERENT, CRASHED)
APART = RAISES, FORM, DTYPE, SHAPE, VALUE = ("raises", "form", "dtype", "shape", "value")
"""In which way MindSpore's own function gives something else than torch, where the adapter has one of its own."""
SKIPPED = "skipped"
"""A case that means nothing for this API, such as the gradient of an index."""

ULP = {"float64": 8, "float32": 8, "float16": 4, "bfloat16": 2, "complex64": 8, "complex128": 8}
"""Units in the last place by which results of a computation may differ: the order of additions is no promise of either
side."""
DIGITS = {"float64": 52, "float32": 23, "float16": 10, "bfloat16": 7, "complex64": 23, "complex128": 52}

# What MindSpore says where its CPU runtime has no kernel, for any dtype or for this one.
_NO_KERNEL = re.compile(
    r"unregistered|Unsupported op \[|Select CPU operator\[\w+\] fail|not supported on this device|only supports Ascend"
    r"|does not support this kernel data type|unsupported reduce operation for|Create kernelmod for op \w+ failed"
    r"|Kernel select failed"
)
# What torch says where it has none.
_NO_REFERENCE = re.compile(
    r"not implemented for '|not supported on CPU|unsupported on CPU|must be on supported devices"
    r"|Could not run '.+' with arguments from the 'CPU' backend"
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """One of the outcomes, and what differs, or the sentence of an error."""

    kind: str
    detail: str = ""
    measured: tuple[float, ...] = ()
    """By how much, where that is what an entry states."""


Place = tuple[int | str, ...]
"""Where a tensor is: in what a call returned, or, after the name of an argument, in what it was given."""
Rounds = Callable[[Place, Seen, Seen], bool]
"""Whether two tensors, at a place in what two calls left, differ by rounding only."""


def compare(
    refusal: str | None,
    wanted: Outcome,
    got: Outcome,
    types: tuple[str, ...] = (),
    rounds: Rounds | None = None,
    fails: bool = True,
) -> Verdict:
    """Judge a call of the adapter; `refusal` is the error that the entry speaks of, if it does, `types` are errors that
    are as good as torch's; `fails` says whether the case was made to fail."""
    if refusal:
        return refused(refusal, got)
    if wanted.error and _NO_REFERENCE.search(wanted.sentence):
        return Verdict(NO_REFERENCE, wanted.sentence)
    if lacks_kernel(got):
        return Verdict(NO_KERNEL, got.sentence)
    if wanted.error or got.error:
        verdict = same_error(wanted, got, types)
        return verdict if fails or verdict.kind == DIFFERENT else Verdict(NO_VALUE, shown(wanted))
    assert wanted.seen is not None and got.seen is not None
    for name, tensor in wanted.tensors.items():
        computed = name in wanted.written
        verdict = agree(tensor, got.tensors[name], ulp=None if computed else 0, rounds=rounds, place=(name,))
        if verdict.kind not in (EQUAL, CLOSE) or (verdict.kind == CLOSE and not computed):
            return Verdict(DIFFERENT, f"the call left {name} otherwise: {verdict.detail}")
    return agree(wanted.seen, got.seen, rounds=rounds)


def refused(refusal: str, got: Outcome) -> Verdict:
    """Whether the adapter refuses a call with the error that the entry speaks of."""
    if refusal in got.error:
        return Verdict(REFUSED, got.sentence)
    return Verdict(DIFFERENT, f"{refusal} expected, got {shown(got)}")


def same_error(wanted: Outcome, got: Outcome, types: tuple[str, ...] = ()) -> Verdict:
    """Whether the adapter raises what torch raises, where one of the two raises something."""
    if wanted.error and {wanted.error[0], *types} & set(got.error):
        return Verdict(SAME_ERROR, got.sentence)
    return Verdict(DIFFERENT, f"{shown(wanted)} expected, got {shown(got)}")


def lacks_kernel(outcome: Outcome) -> bool:
    return bool(outcome.error) and bool(_NO_KERNEL.search(outcome.sentence))


def agree(
    wanted: Seen,
    got: Seen,
    dtypes: bool = True,
    ulp: int | None = None,
    rounds: Rounds | None = None,
    place: Place = (),
) -> Verdict:
    """Whether two values agree in structure, dtype, shape and value; but for rounding, or a number of units."""
    unlike = Verdict(DIFFERENT, f"{described(wanted)} expected, got {described(got)}")
    if wanted.type != got.type or len(wanted.items) != len(got.items) or wanted.fields != got.fields:
        return unlike
    if wanted.items:
        verdicts = [
            agree(one, other, dtypes, ulp, rounds, (*place, at))
            for at, (one, other) in enumerate(zip(wanted.items, got.items, strict=True))
        ]
        different = next((at for at, each in enumerate(verdicts) if each.kind == DIFFERENT), None)
        if different is not None:
            which = wanted.fields[different] if wanted.fields else f"result {different}"
            return Verdict(DIFFERENT, f"{which}: {verdicts[different].detail}")
        return Verdict(CLOSE if any(each.kind == CLOSE for each in verdicts) else EQUAL)
    if wanted.type != "tensor":
        same = wanted.value == got.value or (wanted.value != wanted.value and got.value != got.value)
        return Verdict(EQUAL) if same else unlike
    if (dtypes and wanted.dtype != got.dtype) or wanted.value.shape != got.value.shape:
        return unlike
    if np.array_equal(wanted.value, got.value, equal_nan=wanted.value.dtype.kind in "fc"):
        return Verdict(EQUAL)
    if wanted.dtype in DIGITS:
        units = ULP[wanted.dtype] if ulp is None else ulp
        judge = rounds or (lambda _, one, other: within(one.value, other.value, one.dtype, units))
        if judge(place, wanted, got):
            return Verdict(CLOSE)
    return Verdict(DIFFERENT, f"{wanted.value}\nexpected, got\n{got.value}")


def within(one: np.ndarray, other: np.ndarray, dtype: str, ulp: int) -> bool:
    """Whether all elements differ by so many units in the last place of the largest at most."""
    if one.dtype.kind == "c":
        return within(one.real, other.real, dtype, ulp) and within(one.imag, other.imag, dtype, ulp)
    one, other = one.astype(np.float64), other.astype(np.float64)
    finite = np.isfinite(one)
    if not np.array_equal(one[~finite], other[~finite], equal_nan=True) or not np.isfinite(other[finite]).all():
        return False
    largest = np.abs(one[finite]).max(initial=0.0)
    unit = 2.0 ** (np.floor(np.log2(largest)) - DIGITS[dtype]) if largest > 0 else 0.0
    return bool(np.abs(one[finite] - other[finite]).max(initial=0.0) <= ulp * unit)


def described(seen: Seen) -> str:
    if seen.type == "tensor":
        content = f" {seen.value.tolist()}" if seen.value.size <= 12 else ""
        return f"{seen.dtype}{list(seen.value.shape)}{content}"
    if seen.items or seen.type in ("list", "tuple"):
        names = f" {', '.join(seen.fields)}" if seen.fields else ""
        return f"{seen.type}{names} of {', '.join(described(each) for each in seen.items) or 'nothing'}"
    return f"{seen.type} {seen.value!r}"


def shown(outcome: Outcome) -> str:
    if outcome.error:
        return f"{outcome.error[0]}: {first_line(outcome.sentence)}"
    return described(outcome.seen) if outcome.seen else "nothing"


def first_line(sentence: str) -> str:
    lines = [line.strip() for line in sentence.splitlines() if line.strip(" -")]
    return lines[0][:300] if lines else ""
