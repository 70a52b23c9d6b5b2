"""What a section of the benchmark found, as a table for people or as JSON."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from measure import Ratio


@dataclass(frozen=True, slots=True)
class Row:
    """A measured ratio or count, and the most it may be, or the least."""

    what: str
    measured: Ratio | float
    limit: float
    least: bool = False

    @property
    def value(self) -> float:
        return self.measured.middle if isinstance(self.measured, Ratio) else self.measured

    @property
    def met(self) -> bool:
        return self.value >= self.limit if self.least else self.value <= self.limit


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds by size and command."""

    head: Sequence[str]
    lines: Sequence[Sequence[Any]]


@dataclass(frozen=True, slots=True)
class Section:
    name: str
    rows: list[Row]
    times: Times
    notes: list[str]


def as_text(sections: Sequence[Section]) -> str:
    lines = []
    for section in sections:
        width = max(len(row.what) for row in section.rows)
        lines += [section.name, f"  {'':{width}}  measured  limit          least … most   of CPU time"]
        for row in section.rows:
            verdict = "ok    " if row.met else "MISSED"
            shown = f"{row.value:8.2f}  {row.limit:5.2f}"
            spread = ""
            if isinstance(row.measured, Ratio):
                found = row.measured
                spread = f"  {found.least:5.2f} … {found.most:<5.2f}  {found.cpu:6.2f}"
            else:
                shown = f"{row.value:8.0f}  {row.limit:5.0f}"
            lines.append(f"  {row.what:{width}}  {shown}  {verdict}{spread}".rstrip())
        lines += ["", *_times(section.times)]
        lines += ["", *(f"  {note}" for note in section.notes), ""]
    missed = [f"{section.name}: {row.what}" for section in sections for row in section.rows if not row.met]
    lines += [f"limits missed: {len(missed)}", *missed] if missed else ["All limits are met."]
    return "\n".join(lines)


def _times(times: Times) -> list[str]:
    """Seconds in columns that are as wide as their heads need."""
    table = [list(times.head)]
    for size, *seconds in times.lines:
        table.append([size if isinstance(size, str) else f"{size:.0f}", *map(_seconds, seconds)])
    widths = [max(len(line[at]) for line in table) for at in range(len(times.head))]
    return ["  " + "  ".join(f"{cell:>{width}}" for cell, width in zip(line, widths, strict=True)) for line in table]


def _seconds(value: float) -> str:
    return f"{value:.2f} s" if value >= 0.01 else f"{value * 1e6:.1f} µs"


def as_json(sections: Sequence[Section]) -> str:
    data = {
        "python": platform.python_version(),
        "cores": os.cpu_count(),
        "sections": [_section(section) for section in sections],
    }
    return json.dumps(data, ensure_ascii=False, indent=2)


def _section(section: Section) -> dict[str, Any]:
    return {
        "name": section.name,
        "rows": [_row(row) for row in section.rows],
        "times": [dict(zip(section.times.head, line, strict=True)) for line in section.times.lines],
        "notes": section.notes,
    }


def _row(row: Row) -> dict[str, Any]:
    data: dict[str, Any] = {"what": row.what, "measured": row.value, "limit": row.limit, "met": row.met}
    if isinstance(row.measured, Ratio):
        data |= {"least": row.measured.least, "most": row.measured.most, "cpu": row.measured.cpu}
    return data
