"""Writing evidence. In: the result of a run. Out: a file per entry under `evidence/`, for entries that agree; the file
of one that does not is taken away.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mapspore.base.paths import evidence_folder
from mapspore.cases.collective.plan import CollectivePlan
from mapspore.cases.single.drawn import SOURCE, identity
from mapspore.evidence.errata import Claims, claimed, consistent, program_file
from mapspore.evidence.files import PLATFORM, PLATFORM_OF_RANKS, place, write
from mapspore.evidence.fingerprint import Fingerprints
from mapspore.facts.official import load_claims
from mapspore.resolve.evidence_status import ADAPTER
from mapspore.resolve.registry import Mapping, Registry
from mapspore.verify.compare import NO_EFFECT, NO_KERNEL, SHOWS, STATED
from mapspore.verify.errata import erratum
from mapspore.verify.measured import measured
from mapspore.verify.result import Finding, Result
from mapspore.verify.run import Plan

NEEDED = (2, 3)
"""Numbers of ranks that evidence needs; `make test` runs the quick cases at these again."""
EXAMPLE = "example"
"""The status of a migration: what was run is its example."""


def write_evidence(
    result: Result,
    plans: Sequence[Plan],
    sizes: Sequence[int],
    versions: dict[str, str],
    root: Path,
    registry: Registry,
) -> int:
    """How many entries have evidence now, of those that were run."""
    fingerprints, written = Fingerprints(root, registry.mappings), 0
    claims = consistent(load_claims(root))
    for plan in plans:
        targets = {target or ADAPTER: _ran(result, plan, target, sizes, versions) for target in plan.targets}
        if plan.name in result.failed or not _works(plan, targets):
            (evidence_folder(root) / place(plan.name)).unlink(missing_ok=True)
            continue
        targets |= {target: _beside(result, plan, target, versions) for target in getattr(plan, "beside", ())}
        _write_errata(result, registry.by_name[plan.name], versions, root, claims)
        drawn = result.drawn[plan.name].data | identity(versions["torch"]) if plan.name in result.drawn else None
        write(root, registry.by_name[plan.name], fingerprints, targets, drawn)
        written += 1
    return written


def _beside(result: Result, plan: Plan, target: str, versions: dict[str, str]) -> dict[str, Any]:
    """What was measured of MindSpore's own counterpart of what the runtime has."""
    return {**versions, "platform": PLATFORM, **measured(_measured_of(result, plan.name, target))}


def _measured_of(result: Result, entry: str, target: str) -> list[Finding]:
    return [finding for finding in result.beside if (finding.entry, finding.target) == (entry, target)]


def _write_errata(result: Result, mapping: Mapping, versions: dict[str, str], root: Path, claims: Claims) -> None:
    """Keeps the programs that contradict the official tables, and takes those away that no longer do."""
    for counterpart in mapping.counterparts:
        own = _measured_of(result, mapping.name, counterpart.id)
        program = erratum(own, versions, PLATFORM) if own and claimed(mapping, counterpart, claims) else None
        file = program_file(root, mapping.name, counterpart.id)
        if program is None:
            file.unlink(missing_ok=True)
        else:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(program, "utf-8")


def _works(plan: Plan, targets: dict[str, dict[str, Any]]) -> bool:
    """Whether every target was run, and one of them verified, if a CPU has one."""
    nowhere = not isinstance(plan, CollectivePlan) and plan.nowhere
    verified = any(ran.get("status", EXAMPLE) == EXAMPLE for ran in targets.values())
    return all(ran["cases"] for ran in targets.values()) and (nowhere or verified)


def _ran(
    result: Result, plan: Plan, target: str | None, sizes: Sequence[int], versions: dict[str, str]
) -> dict[str, Any]:
    """What was run of a target, and what came of it."""
    quick: dict[str, Any] = {"cases": result.counts(plan.name, target, True)}
    ranks = sorted(sizes)
    if isinstance(plan, CollectivePlan):
        quick = {"ranks": list(NEEDED), "cases": result.counts(plan.name, target, True, NEEDED)}
    else:
        ranks = [plan.ranks] if plan.ranks > 1 else []
    where: dict[str, Any] = {"platform": PLATFORM_OF_RANKS, "ranks": ranks} if ranks else {"platform": PLATFORM}
    ran = {**versions, **where, "cases": result.counts(plan.name, target, source=None), "quick": quick}
    if theirs := result.counts(plan.name, target, source=SOURCE):
        ran["drawn"] = theirs
    if isinstance(plan, CollectivePlan):
        return ran
    status = EXAMPLE if plan.sort == "migration" else _unverified(result, plan.name, target)
    measured = _measured(result, plan.name, target)
    return ran | ({"status": status} if status else {}) | ({"measured": measured} if measured else {})


def _measured(result: Result, entry: str, target: str | None) -> dict[str, list[float]]:
    """By arguments, how far weights are apart after one step and after ten, where the entry says that they are."""
    found = [f for f in result.findings if (f.entry, f.target, f.kind) == (entry, target, STATED)]
    return {
        ", ".join(f"{name}={value}" for name, value in f.case["given"].items() if not isinstance(value, dict)):
        f.case["measured"]
        for f in found
        if f.case["measured"]
    }  # fmt: skip


def _unverified(result: Result, entry: str, target: str | None) -> str:
    """Why a target counts as not verified although nothing differs: its plain calls do nothing here, or no case gave a
    value on both sides."""
    own = [f for f in result.findings if (f.entry, f.target) == (entry, target)]
    plain, shows = {f.kind for f in own if f.case.get("plain")}, any(f.kind in SHOWS for f in own)
    return next((kind for kind in (NO_KERNEL, NO_EFFECT) if plain == {kind} or (not shows and kind in plain)), "")
