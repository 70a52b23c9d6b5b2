"""The evidence of calls in one process. In: the result of a run. Out: a file per entry under `evidence/`, for entries
that agree; the file of one that does not is taken away.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mapspore.base.paths import evidence_folder
from mapspore.cases.single.plan import CallPlan
from mapspore.evidence.files import PLATFORM, PLATFORM_OF_RANKS, place, write
from mapspore.evidence.fingerprint import Fingerprints
from mapspore.resolve.evidence_status import ADAPTER
from mapspore.resolve.resolve import Registry
from mapspore.verify.collective.run import Result
from mapspore.verify.compare import NO_EFFECT, NO_KERNEL, STATED

EXAMPLE = "example"
"""The status of a migration: what was run is its example."""


def keep(result: Result, plans: Sequence[CallPlan], versions: dict[str, str], root: Path, registry: Registry) -> int:
    fingerprints, folder, written = Fingerprints(root, registry.mappings), evidence_folder(root), 0
    differing = {finding.entry for finding in result.different}
    for plan in plans:
        file = folder / place(plan.name)
        targets = {target or ADAPTER: _ran(result, plan, target, versions) for target in plan.targets}
        if (
            plan.name in differing
            or not all(ran["cases"] for ran in targets.values())
            or not (plan.nowhere or _works(targets))
        ):
            file.unlink(missing_ok=True)
            continue
        write(root, registry.claims[plan.name], fingerprints, targets)
        written += 1
    return written


def _ran(result: Result, plan: CallPlan, target: str | None, versions: dict[str, str]) -> dict[str, Any]:
    where = {"platform": PLATFORM_OF_RANKS, "ranks": [plan.ranks]} if plan.ranks > 1 else {"platform": PLATFORM}
    ran: dict[str, Any] = {
        **versions, **where, "cases": result.counts(plan.name, target),
        "quick": {"cases": result.counts(plan.name, target, True)},
    }  # fmt: skip
    status, measured = status_of(result, plan, target), _measured(result, plan, target)
    return ran | ({"status": status} if status else {}) | ({"measured": measured} if measured else {})


def _measured(result: Result, plan: CallPlan, target: str | None) -> dict[str, list[float]]:
    """By arguments, how far weights are apart after one step and after ten, where the entry says that they are."""
    found = [f for f in result.findings if (f.entry, f.target, f.kind) == (plan.name, target, STATED)]
    return {
        ", ".join(f"{name}={value}" for name, value in f.case["given"].items() if not isinstance(value, dict)):
        f.case["measured"]
        for f in found
        if f.case["measured"]
    }  # fmt: skip


def status_of(result: Result, plan: CallPlan, target: str | None) -> str:
    """Why a target counts as not verified although nothing differs; or that an example is the evidence."""
    if plan.sort == "migration":
        return EXAMPLE
    plain = {f.kind for f in result.findings if (f.entry, f.target) == (plan.name, target) and f.case.get("plain")}
    return next((kind for kind in (NO_KERNEL, NO_EFFECT) if plain == {kind}), "")


def _works(targets: dict[str, dict[str, Any]]) -> bool:
    """Whether something was verified."""
    return any(ran.get("status", EXAMPLE) == EXAMPLE for ran in targets.values())
