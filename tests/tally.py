"""How many hostile inputs the tests tried, and with how many faults, for the end of a run of pytest.

A test that tries more than one input records the number as the property `inputs`, which travels between processes.
"""

from __future__ import annotations

from typing import Any

FOLDER = "tests/hostile/"
INPUTS = "inputs"


def summary(stats: dict[str, list[Any]]) -> str:
    """The line to print; empty if no test of this folder was run."""
    reports = [
        report
        for outcome in ("passed", "failed", "error")
        for report in stats.get(outcome, [])
        if getattr(report, "nodeid", "").startswith(FOLDER) and (report.when == "call" or report.failed)
    ]
    if not reports:
        return ""
    tried = sum(dict(getattr(report, "user_properties", ())).get(INPUTS, 1) for report in reports)
    faults = sum(report.failed for report in reports)
    return f"hostile inputs tried: {tried}; faults: {faults}"
