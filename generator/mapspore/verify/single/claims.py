"""Whether what an entry says is so. In: the entry, its plan and what came of its cases. Out: `Contradiction`s, each
with the line to change: a plain call without a value, a signature without a case, a target without an equal case, a
refusal without need, a stated difference that is none or that no case meets.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from mapspore.base.diagnostics import Place
from mapspore.cases.case_arguments import dtypes_in
from mapspore.cases.single.plan import CallPlan, CallSignature
from mapspore.cases.single.uncovered import uncovered
from mapspore.entry.complete import concerns
from mapspore.resolve.registry import Mapping
from mapspore.verify.compare import NO_EFFECT, NO_KERNEL, NO_VALUE, REFUSED, SHOWS
from mapspore.verify.contradictions import (
    BROKEN,
    HERE_TOO,
    NEEDLESS,
    NOTHING_EQUAL,
    UNCOVERED,
    UNREACHED,
    UNSEEN,
    Contradiction,
)  # fmt: skip
from mapspore.verify.contradictions import NO_VALUE as WITHOUT_VALUE
from mapspore.verify.result import Finding
from mapspore.words.situations import SITUATIONS

Steps = tuple[str | int, ...]


def contradictions(mapping: Mapping, plan: CallPlan, findings: Sequence[Finding]) -> Iterator[Contradiction]:
    """All that the findings of an entry, in one process, say against it."""
    yield from _without_value(mapping, plan, findings)
    for signature, missing in uncovered(plan):
        yield _said(mapping, UNCOVERED, ("verify",), signature=_signature(plan, signature), missing=", ".join(missing))
    for index, counterpart in enumerate(mapping.counterparts if mapping.port == "calls" else ()):
        own = [finding for finding in findings if finding.target == counterpart.id]
        yield from _nothing_equal(mapping, plan, index, counterpart.id, own)
        yield from _needless(mapping, index, own)
        yield from _untrue(mapping, plan, index, counterpart.id, own)


def broken(mapping: Mapping, error: Exception) -> Contradiction:
    """An entry whose cases cannot even be made."""
    return _said(mapping, BROKEN, ("torch",), error=f"{type(error).__name__}: {error}")


def _said(mapping: Mapping, code: str, steps: Steps, **values: str) -> Contradiction:
    place = mapping.source.place(*steps, key=isinstance(steps[-1], str))
    line = mapping.source.text.split("\n")[place.line - 1]
    return Contradiction(code, mapping.name, Place(*place), tuple(values.items()), line)


def _signature(plan: CallPlan, signature: CallSignature) -> str:
    shown = [parameter.name if parameter.required else f"{parameter.name}=…" for parameter in signature.parameters]
    return f"{plan.name}({', '.join(shown)})"


def _without_value(mapping: Mapping, plan: CallPlan, findings: Sequence[Finding]) -> Iterator[Contradiction]:
    """Plain calls that torch itself refuses: they show nothing of anything."""
    plain = {f.case["signature"]: f.detail for f in findings if f.case.get("plain") and f.kind == NO_VALUE}
    for number, detail in plain.items():
        signature = next(signature for signature in plan.signatures if signature.number == number)
        yield _said(mapping, WITHOUT_VALUE, ("verify",), signature=_signature(plan, signature), error=detail)


def _nothing_equal(
    mapping: Mapping, plan: CallPlan, index: int, target: str, own: Sequence[Finding]
) -> Iterator[Contradiction]:
    """A target that nothing was shown of, though a CPU can run it; or that a CPU is said not to have, and has."""
    kinds = {finding.kind for finding in own}
    plain = {finding.kind for finding in own if finding.case.get("plain")}
    steps: Steps = ("targets", index, "mindspore")
    if own and not kinds & set(SHOWS) and not plain & {NO_KERNEL, NO_EFFECT}:
        yield _said(mapping, NOTHING_EQUAL, steps, target=target, count=str(len(own)))
    if mapping.entry.targets[index].platforms and not plan.targets[target].on_cpu and plain and plain <= set(SHOWS):
        yield _said(mapping, HERE_TOO, ("targets", index, "platforms"), target=target)


def _needless(mapping: Mapping, index: int, own: Sequence[Finding]) -> Iterator[Contradiction]:
    """Refusals of something that MindSpore does as torch does, in every case that was refused for this reason."""
    asked: dict[tuple[str, ...], list[Finding]] = {}
    for finding in own:
        if finding.kind == REFUSED and finding.native and (reason := _reason(mapping, index, finding)):
            asked.setdefault(reason, []).append(finding)
    for (key, *names), found in sorted(asked.items()):
        kinds = {finding.native for finding in found} - {NO_VALUE}
        if kinds and kinds <= set(SHOWS):
            steps = _steps(mapping, index, key, names)
            what = names[-1]
            yield _said(mapping, NEEDLESS, steps, key=key, what=what, count=str(len(found)), case=found[0].case["id"])


def _reason(mapping: Mapping, index: int, finding: Finding) -> tuple[str, ...] | None:
    """The one reason of a refusal; None where there are several."""
    stated = [tuple(reason) for reason in finding.case.get("because", {}).get(finding.target, [])]
    takes = mapping.entry.targets[index].dtypes
    lacking = sorted(dtypes_in(finding.case["calls"]) - set(takes)) if takes else []
    reasons = [*stated, *(("dtypes", dtype) for dtype in lacking)]
    return reasons[0] if len(reasons) == 1 else None


def _steps(mapping: Mapping, index: int, key: str, names: Sequence[str]) -> Steps:
    """Where a target, or one of its forms, says it."""
    target: Any = mapping.source.data["targets"][index]
    forms = [("forms", number) for number in range(len(target.get("forms", ())))]
    for inner in ((), *forms, ("call",)):
        part: Any = target
        for step in inner:
            part = part[step] if isinstance(step, int) or step in part else {}
        if key in part:
            return ("targets", index, *inner, key, *(names[:1] if key == "requires" else ()))
    return ("targets", index)


def _stated_at(mapping: Mapping, index: int, number: int) -> Steps:
    """Where a difference of a target is stated: there, or for several targets at once."""
    target = mapping.entry.targets[index]
    shared = [at for at, each in enumerate(mapping.entry.differs) if concerns(each, target)]
    own = len(target.differs) - len(shared)
    return (
        ("targets", index, "differs", number, "about") if number < own else ("differs", shared[number - own], "about")
    )


def _untrue(
    mapping: Mapping, plan: CallPlan, index: int, target: str, own: Sequence[Finding]
) -> Iterator[Contradiction]:
    """Stated differences that were met and did not show, or that no case meets."""
    if not own or all(finding.kind in (NO_KERNEL, NO_EFFECT) for finding in own if finding.case.get("plain")):
        return  # nobody can tell here
    signatures = (*plan.signatures, *((plan.call,) if plan.call else ()))
    testable = {*SITUATIONS, "result", *(name for signature in signatures for name in signature.names)}
    for number, (about, when) in enumerate(plan.targets[target].differs):
        if about not in testable:
            continue
        met = [finding for finding in own if number in finding.reached]
        said = f"about: {about}" + (f", when: {list(when)}" if when else "")
        steps = _stated_at(mapping, index, number)
        if not met:
            yield _said(mapping, UNREACHED, steps, said=said)
        elif not any(finding.differed for finding in met):
            yield _said(mapping, UNSEEN, steps, said=said, count=str(len(met)), case=met[0].case["id"])
