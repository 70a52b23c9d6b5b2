"""Cases of what is random, run on both sides. In: the sides and a case. Out: a verdict by statistics: the values that
new objects start with, and what a layer draws in training mode, must have the same distribution; what is fixed must be
equal.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mapspore.cases.single.case_builder import Case
from mapspore.verify.arguments import ArgumentFactory
from mapspore.verify.compare import DIFFERENT, EQUAL, STATISTICAL, ULP, Verdict, within
from mapspore.verify.outcome import Seen
from mapspore.verify.sides import AdapterSide, Side, TorchSide
from mapspore.verify.single.run_call import Ran, directly, excused, judged, on_both, refusal_of
from mapspore.verify.single.run_object import shared_state

OBJECTS = 60
"""How many objects are made to look at the distribution of their first values."""
SIGMAS = 5.0
"""By how many standard deviations shares may differ between the two sides."""
FAR = 2.7
"""How far two empirical distributions may be apart, in units of sqrt(2/n): equal ones are farther once in a million."""
OUTER = 1.25
"""By which factor the size that 99 of 100 values stay below may differ: it tells a bounded distribution from others."""


def judge_first_values(torch: TorchSide, adapter: AdapterSide, case: Case) -> Ran:
    """What new objects start with, by name: equal if it is fixed, equally distributed if it is drawn."""
    adapter.seed()
    torch.seed()
    chosen, wanted, got, _ = on_both(torch, adapter, case, _first)
    if wanted.error or got.error:
        return Ran(judged(case, chosen, wanted, got), chosen)
    assert wanted.seen is not None and got.seen is not None
    verdict = Verdict(EQUAL) if wanted.seen.fields == got.seen.fields else Verdict(DIFFERENT, "other names of state")
    for name, one, other in zip(wanted.seen.fields, wanted.seen.items, got.seen.items, strict=False):
        if said := sample_difference(one.value, other.value, one.dtype):
            verdict = Verdict(DIFFERENT, f"first values of {name}: {said}")
        elif np.unique(one.value).size > 1 and verdict.kind == EQUAL:
            verdict = Verdict(STATISTICAL)
    return Ran(excused(case, chosen, verdict, got), chosen, _direct_difference(adapter, case, chosen, wanted.seen))


def _direct_difference(adapter: AdapterSide, case: Case, chosen: str, wanted: Seen) -> str | None:
    """What objects of MindSpore's own class start with otherwise."""
    direct, state_names = case.get("direct", {}).get(chosen), case["state"].get(chosen, {})
    if direct is None or case["target"] is None:
        return None
    factory = ArgumentFactory(adapter, case["id"])
    given = {name: factory.make(case["given"][name]) for name in case["made_with"]}
    made = [directly(adapter, direct, given) for _ in range(OBJECTS)]
    for name, one in zip(wanted.fields, wanted.items, strict=True):
        if state_names.get(name) is None:
            continue
        other = np.concatenate([adapter.array(getattr(each, str(state_names[name]))).reshape(-1) for each in made])
        if said := sample_difference(one.value, other, one.dtype):
            return f"{direct['api']}: first values of {name}: {said}"
    return ""


def _first(side: Side, case: Case, made_by: Any) -> Seen:
    first = case["calls"][0]
    found: dict[str, list[np.ndarray]] = {}
    for _ in range(OBJECTS):
        factory = ArgumentFactory(side, case["id"])
        made = factory.call(made_by, first)
        for name in shared_state(case, made):
            found.setdefault(name, []).append(side.array(made.state_dict()[name]).reshape(-1))
    items = tuple(Seen("tensor", np.concatenate(arrays), str(arrays[0].dtype)) for arrays in found.values())
    return Seen("tuple", items=items, fields=tuple(found))


def judge_draws(torch: TorchSide, adapter: AdapterSide, case: Case) -> Ran:
    """What is drawn in training mode, by its distribution; what comes out in evaluation, exactly."""
    adapter.seed()
    torch.seed()
    chosen, wanted, got, _ = on_both(torch, adapter, case, _drawn)
    if not (wanted.seen and got.seen) or refusal_of(case, chosen):
        return Ran(judged(case, chosen, wanted, got), chosen)
    (one, again, still), (other, another, quiet) = wanted.seen.items, got.seen.items
    verdict = Verdict(STATISTICAL)
    if (one.dtype, one.value.shape) != (other.dtype, other.value.shape):
        verdict = Verdict(DIFFERENT, f"{one.dtype}{one.value.shape} expected, got {other.dtype}{other.value.shape}")
    elif said := sample_difference(one.value, other.value, one.dtype):
        verdict = Verdict(DIFFERENT, f"in training: {said}")
    elif not np.array_equal(still.value, quiet.value):
        verdict = Verdict(DIFFERENT, f"in evaluation {still.value} expected, got {quiet.value}")
    elif np.array_equal(one.value, again.value) != np.array_equal(other.value, another.value):
        verdict = Verdict(DIFFERENT, "only one side draws anew at each call")
    return Ran(excused(case, chosen, verdict, got), chosen)


def _drawn(side: Side, case: Case, made_by: Any) -> Seen:
    factory, (first, second) = ArgumentFactory(side, case["id"]), case["calls"]
    made = factory.call(made_by, first)
    stated: dict[str, Any] = next(iter([*second["args"], *second["kwargs"].values()]))
    ones = {"$tensor": stated["$tensor"] | {"shape": [case["many"]], "fill": "constant"}}
    name = next(iter(second["kwargs"]), None)

    def called(value: Any) -> Any:
        return made(**{name: value}) if name else made(value)

    results = [called(factory.make(ones))]  # it starts in training mode
    made.train()
    results.append(called(factory.make(ones)))
    made.eval()
    results.append(called(factory.make(stated)))
    return side.see(tuple(results))


def sample_difference(one: np.ndarray, other: np.ndarray, dtype: str) -> str:
    """What tells two samples apart: values, if there are few different ones, and their shares; else their ranks."""
    one, other = one.reshape(-1).astype(np.float64), other.reshape(-1).astype(np.float64)
    kinds, counts = np.unique(one, return_counts=True)
    if kinds.size <= 8:
        others, other_counts = np.unique(other, return_counts=True)
        if kinds.shape != others.shape or not within(kinds, others, dtype, ULP.get(dtype, 0)):
            return f"values {kinds} expected, got {others}"
        shares = counts / one.size
        allowed = SIGMAS * np.sqrt(2 * shares * (1 - shares) / one.size)
        off = np.abs(shares - other_counts / other.size)
        return "" if (off <= allowed).all() else f"shares {shares} expected, got {other_counts / other.size}"
    places = np.sort(np.concatenate([one, other]))
    ranks = [np.searchsorted(np.sort(each), places, "right") / each.size for each in (one, other)]
    distance = float(np.abs(ranks[0] - ranks[1]).max())
    ends = [float(np.quantile(np.abs(each), 0.99)) for each in (one, other)]
    if distance <= FAR * np.sqrt(2 / min(one.size, other.size)) and max(ends) <= OUTER * min(ends):
        return ""
    wanted, got = (f"{each.min():.4} to {each.max():.4}, spread {each.std():.4}" for each in (one, other))
    return f"{wanted} expected, got {got}"
