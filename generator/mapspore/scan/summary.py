"""What a scan adds up to: a report goes in, the counts that every format prints come out."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from mapspore.scan.codes import EFFORTS, SEVERITIES, UNKNOWN
from mapspore.scan.findings import Finding, Report, Tally, Texts

HARDEST = 10


class Summary(NamedTuple):
    files: int
    torch_files: int
    lines: int
    uses: int
    apis: int
    known_uses: int
    """Uses of APIs that have an entry."""
    known_apis: int
    covered: int
    """Uses that the adapter takes as they stand."""
    by_severity: dict[str, int]
    by_effort: dict[str, int]
    by_code: dict[str, int]
    hardest: tuple[Tally, ...]
    most_unknown: tuple[tuple[str, int], ...]
    """The APIs without an entry that are used most."""
    at_run_time: tuple[tuple[str, Texts, int], ...]
    """What only a run can tell: the API, with the parameter if there is one, what differs, and at how many places."""


def summary(report: Report) -> Summary:
    known = report.tallies
    unknown = report.unknown.total()
    severities = Counter(tally.severity for tally in known)
    efforts = Counter(tally.effort for tally in known)
    efforts["unknown"] = unknown
    found = Counter(finding.code for finding in (*report.findings, *report.quiet))
    if unknown:
        found[UNKNOWN] = unknown
    return Summary(
        files=report.files,
        torch_files=report.torch_files,
        lines=report.lines,
        uses=len(known) + unknown,
        apis=len({tally.torch for tally in known}) + len(report.unknown),
        known_uses=len(known),
        known_apis=len({tally.torch for tally in known}),
        covered=sum(tally.covered for tally in known),
        by_severity={name: severities[name] for name in SEVERITIES},
        by_effort={name: efforts[name] for name in EFFORTS},
        by_code=dict(sorted(found.items())),
        hardest=_hardest(known),
        at_run_time=_at_run_time(report.quiet),
        most_unknown=tuple(sorted(report.unknown.items(), key=lambda item: (-item[1], item[0]))[:HARDEST]),
    )


def _at_run_time(quiet: list[Finding]) -> tuple[tuple[str, Texts, int], ...]:
    """Each difference of each API once, those at most places first."""
    places = Counter(_told(finding) for finding in quiet if finding.confidence == "at_run_time")
    says = {_told(finding): finding.says for finding in quiet if finding.confidence == "at_run_time"}
    return tuple(
        (name, says[(name, code, text)], count)
        for (name, code, text), count in sorted(places.items(), key=lambda item: (-item[1], item[0]))
    )


def _told(finding: Finding) -> tuple[str, str, str]:
    return (finding.torch + (f"({finding.parameter})" if finding.parameter else ""), finding.code, finding.says["en"])


def _hardest(known: list[Tally]) -> tuple[Tally, ...]:
    """The places that cost most: the worst effort, then the worst severity, each API once per file."""

    def order(tally: Tally) -> tuple[int, int, int, str, int, int, int]:
        severity = SEVERITIES.index(tally.severity)
        effort = EFFORTS.index(tally.effort)
        return (effort, severity, -tally.differences, tally.path, tally.cell, tally.line, tally.column)

    chosen: dict[tuple[str, str], Tally] = {}
    for tally in sorted((t for t in known if t.severity != "same"), key=order):
        chosen.setdefault((tally.path, tally.torch), tally)
        if len(chosen) == HARDEST:
            break
    return tuple(chosen.values())


def share(part: int, whole: int) -> str:
    """A percentage as people read it."""
    return f"{100 * part / whole:.1f}%" if whole else "–"
