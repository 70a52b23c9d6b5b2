"""Cases of one call, run on both sides. In: the sides and a case. Out: what came of it: the verdict on the adapter, and
what MindSpore's own function does otherwise, called as the entry's table of names and defaults says.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from mapspore.cases.case_arguments import dtypes_in, specs
from mapspore.cases.single.case_builder import REFUSAL, Case
from mapspore.cases.single.conditions import holds
from mapspore.verify.arguments import ArgumentFactory
from mapspore.verify.compare import (
    DIFFERENT,
    REFUSED,
    SKIPPED,
    STATED,
    Rounds,
    Verdict,
    agree,
    compare,
    described,
    lacks_kernel,
    shown,
)  # fmt: skip
from mapspore.verify.outcome import Outcome, Seen, raised
from mapspore.verify.rounding import Rounding
from mapspore.verify.sides import AdapterSide, Side, TorchSide
from mapspore.verify.single.situations_of import observed
from mapspore.verify.tensors import look, storage
from mapspore.words.situations import SITUATIONS

MADE_TO_FAIL = ("error", "object_error")
"""Kinds of case in which an error on both sides shows something."""


@dataclass(frozen=True, slots=True)
class Ran:
    """What came of a case with one target."""

    verdict: Verdict
    chosen: str = ""
    """The target that was used."""
    direct: str | None = None
    """What MindSpore's own function does otherwise; None where it was not called, or could not tell."""


def both(torch: TorchSide, adapter: AdapterSide, case: Case) -> Ran:
    """Call torch, the adapter with the case's target, and MindSpore's own function."""
    gradient = case["kind"] == "gradient"
    run = _gradient if gradient else called
    wanted = run(torch, case)
    if "TypeError" in wanted.error and "by_position" in case:  # declared by name, and taken by position only
        case = case | {"calls": [case["calls"][0] | case["by_position"]]}
        wanted = run(torch, case)
    chosen = choose(adapter, case)
    got = run(adapter, case)
    if gradient and wanted.seen is None:  # of an index, or of nothing; what raises, raises without a gradient too
        return Ran(Verdict(SKIPPED), chosen)
    if case["kind"] == "error" and not wanted.error and "refused" not in case:
        return Ran(Verdict(SKIPPED), chosen)  # torch does not look at it
    rounds = Rounding(lambda side: run(side, case))
    if case.get("uninitialised"):
        wanted, got = (replace(each, seen=each.seen and each.seen.blank()) for each in (wanted, got))
    verdict = judged(case, chosen, wanted, got, rounds)
    if case["kind"] != "value" or case["target"] is None:
        return Ran(verdict, chosen)
    return Ran(verdict, chosen, _direct_difference(adapter, case, chosen, wanted, rounds))


def refusal_of(case: Case, chosen: str) -> str | None:
    """The error that the entry speaks of: for this call, or because no target has this platform."""
    if case["target"] is None and case["nowhere"] and case["kind"] != "error":
        return REFUSAL
    found: str | None = case.get("refused", {}).get(chosen)
    return found


def judged(case: Case, chosen: str, wanted: Outcome, got: Outcome, rounds: Rounds | None = None) -> Verdict:
    """The verdict on two outcomes, by what the entry says of such a call."""
    refusal, types, fails = refusal_of(case, chosen), tuple(case.get("or", ())), case["kind"] in MADE_TO_FAIL
    return excused(case, chosen, compare(refusal, wanted, got, types, rounds, fails), got)


def excused(case: Case, chosen: str, verdict: Verdict, got: Outcome) -> Verdict:
    """The verdict, where what differs may be what the entry says: a refusal, a dtype, a behaviour. A call that the
    entry says is refused, and that is not, has no excuse."""
    if verdict.kind != DIFFERENT or chosen in case.get("refused", {}):
        return verdict
    if case.get("may_refuse", {}).get(chosen) in got.error:
        return Verdict(REFUSED, got.sentence)
    if got.error and dtype_lacking(case, chosen) and (REFUSAL in got.error or _by_mindspore(case, chosen)):
        return Verdict(REFUSED, got.sentence)
    return replace(verdict, kind=STATED) if accounted(case, chosen, closely=True) else verdict


def accounted(case: Case, chosen: str, closely: bool = False) -> bool:
    """Whether the entry says of this target that it differs in such a case. What is only said of a parameter, and not
    of which values, does not say it closely enough of the adapter, which may bridge the rest."""
    stated = case["differs"].get(chosen, ())
    said = [stated[number] for number in reached(case, chosen)]
    return any(not closely or about in SITUATIONS or when for about, when in said)


def reached(case: Case, chosen: str) -> list[int]:
    """The differences, by their number, that the entry states of this target and that such a case meets."""
    around, stated = situations(case), case["differs"].get(chosen, ())
    return [
        number for number, (about, when) in enumerate(stated)
        if (about in around or about == "result") and holds(case, around, about, when)
    ]  # fmt: skip


def choose(adapter: AdapterSide, case: Case) -> str:
    """Make the adapter use the case's target, or leave it the choice; what it is."""
    adapter.api(case["calls"][0]["api"])
    if case["single_implementation"]:
        return ""
    adapter.api("use")(case["target"])
    return str(case["target"] or adapter.api("which")(case["entry"]).target)


def seen_of(side: Side, run: Callable[[], Any]) -> Outcome:
    """The outcome of a call, its result read into NumPy arrays; what it draws begins at the same place on both
    sides."""
    side.seed()
    try:
        value = run()
        return value if isinstance(value, Outcome) else Outcome(value if isinstance(value, Seen) else side.see(value))
    except Exception as error:
        return raised(error)


def on_both(
    torch: TorchSide, adapter: AdapterSide, case: Case, run: Callable[[Side, Case, Any], Any]
) -> tuple[str, Outcome, Outcome, Rounding]:
    """The target that the adapter uses, what both sides do with what they offer under the entry's name, and what
    rounding may do to it."""
    chosen = choose(adapter, case)

    def outcome(side: Side) -> Outcome:
        offered = partial(side.offered, case["entry"], case["target"])
        return seen_of(side, lambda: run(side, case | {"chosen": chosen}, offered()))

    return chosen, outcome(torch), outcome(adapter), Rounding(outcome)


def called(side: Side, case: Case) -> Outcome:
    """The outcome of a case's one call."""
    (call,) = case["calls"]

    def run() -> Outcome:
        factory = ArgumentFactory(side, case["id"])
        value = factory.call(side.offered(call["api"], case["target"]), call)
        return Outcome(
            side.see(value), tensors=factory.after(), written=factory.written() if side.name == "torch" else ()
        )

    return seen_of(side, run)


def _gradient(side: Side, case: Case) -> Outcome:
    """The gradients, by every float tensor, of the results' sum with fixed weights."""
    (call,) = case["calls"]

    def run() -> Any:
        factory = ArgumentFactory(side, case["id"])
        factory.make([call["args"], call["kwargs"]])
        names, function = factory.floats, side.api(call["api"])

        def scalar(*tensors: Any) -> Any:
            result = factory.replacing(dict(zip(names, tensors, strict=True))).call(function, call)
            return weighted(side, result, case["id"])

        return side.gradients(scalar, [factory.tensors[name] for name in names])

    done = seen_of(side, run)
    nothing = done.seen is not None and done.seen.type == "NoneType"
    return Outcome() if nothing or (done.error and side.name == "torch") else done


def weighted(side: Side, result: Any, seed: str) -> Any:
    """The sum of a result's float tensors with weights that depend on the case only."""
    total = None
    for number, tensor in enumerate(_floats(side, result)):
        generator = np.random.default_rng(zlib.crc32(f"{seed}/weight{number}".encode()))
        weights = generator.uniform(0.5, 1.5, tuple(tensor.shape)).astype(side.dtype(tensor))
        part = (tensor * side.tensor(np.asarray(weights), side.dtype(tensor))).sum()
        total = part if total is None else total + part
    return total


def _floats(side: Side, result: Any) -> list[Any]:
    if isinstance(result, list | tuple):
        return [each for item in result for each in _floats(side, item)]
    return [result] if side.is_tensor(result) and side.dtype(result) in ("float32", "float64") else []


def situations(case: Case) -> set[str]:
    """The situations and parameters of a case, read off its arrays."""
    stated = specs(case["calls"])
    arrays = {spec["name"]: look(storage(spec, case["id"]), spec.get("view", "own")) for spec in stated}
    return observed(case, arrays, {spec["name"]: spec["dtype"] for spec in stated}, case["given"])


def dtype_lacking(case: Case, chosen: str) -> bool:
    """Whether a case has a dtype that a target does not take, as its entry says."""
    takes = case.get("dtypes", {}).get(chosen)
    return bool(takes) and not dtypes_in(case["calls"]) <= set(takes)


def _by_mindspore(case: Case, chosen: str) -> bool:
    """Whether MindSpore itself may refuse a dtype: one that is given as an argument, or of an optimiser's tensors."""
    tensors = {spec["dtype"] for spec in specs(case["calls"])}
    return case["kind"] == "steps" or tensors <= set(case["dtypes"][chosen])


def _direct_difference(adapter: AdapterSide, case: Case, chosen: str, wanted: Outcome, rounds: Rounds) -> str | None:
    """What MindSpore's own function does otherwise than torch."""
    direct = case.get("direct", {}).get(chosen)
    if direct is None:
        return None
    got = called_directly(adapter.native(), case, direct)
    if lacks_kernel(got):
        return None
    if wanted.error and got.error:
        return ""
    if wanted.error or got.error:
        return f"torch: {shown(wanted)}; {direct['api']}: {shown(got)}"
    assert wanted.seen is not None and got.seen is not None
    if verdict := _differing(wanted.seen, got.seen, direct, rounds):
        return f"torch: {described(wanted.seen)}; {direct['api']}: {described(got.seen)}; {verdict}"
    return ""


def called_directly(native: AdapterSide, case: Case, direct: dict[str, Any]) -> Outcome:
    """What MindSpore's own function does with torch's arguments."""
    factory = ArgumentFactory(native, case["id"])
    given = case["given"].items()
    return seen_of(native, lambda: directly(native, direct, {name: factory.make(value) for name, value in given}))


def directly(adapter: AdapterSide, direct: dict[str, Any], given: dict[str, Any]) -> Any:
    """Call MindSpore's own function with torch's arguments under its names."""
    named = dict(direct["fixed"]) | {direct["passed"][name]: value for name, value in given.items()}
    args: list[Any] = []
    for name in direct["positional"]:
        if name in named:
            value = named.pop(name)
            args += value if name == direct["variadic"] else [value]
    return adapter.own(direct["api"])(*args, **named)


def _differing(wanted: Seen, got: Seen, direct: dict[str, Any], rounds: Rounds) -> str:
    pairs = judged_pairs(wanted, got, direct, rounds)
    if pairs is None:
        return "another number of results"
    return next((verdict.detail for _, _, verdict in pairs if verdict.kind == DIFFERENT), "")


def judged_pairs(
    wanted: Seen, got: Seen, direct: dict[str, Any], rounds: Rounds, place: tuple[int, ...] = ()
) -> list[tuple[Seen, Seen, Verdict]] | None:
    """The results of torch and of MindSpore's own function, each pair with its verdict; None if there are not as many
    of both."""
    if direct["picked"] is not None and got.items:
        got = _picked(got, direct["picked"])
    ours, theirs = wanted.items or (wanted,), got.items or (got,)
    if len(ours) != len(theirs):
        return None
    return [
        (one, other, agree(one, other, number not in direct["converted"], rounds=rounds, place=(*place, *at)))
        for number, (one, other) in enumerate(zip(ours, theirs, strict=True))
        for at in [(number,) if wanted.items else ()]
    ]


def _picked(got: Seen, places: list[int]) -> Seen:
    items = tuple(got.items[place] for place in places)
    return items[0] if len(items) == 1 else Seen("tuple", items=items)
