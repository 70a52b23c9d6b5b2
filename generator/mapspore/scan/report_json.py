"""The report for programs, and the baseline of later scans: the same bytes in every language.

Format 1: an object with `format`, `tool` (`name`, `version`), `registry` (`torch`, `mindspore`: the versions that the
facts are of), `summary`, and `findings`, sorted by place. A finding has `path`, `cell` (of a notebook, otherwise 0),
`line`, `column`, `end_line`, `end_column` (from 1, in characters), `code`, `torch`, `counterpart` (or null),
`severity` and `effort` (or null), `confidence`, `parameter`, `adapter` (whether the adapter takes the use as it
stands), `page` (the address of the comparison page, within one language of the site), `counts` (whether it makes the
scan fail) and `says` (`{en, zh}`). Within a format keys are added, never removed or given another meaning.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mapspore.base.json_text import json_text
from mapspore.base.language import LANGUAGES
from mapspore.base.version import version
from mapspore.scan.findings import JSON_FORMAT, Finding, Report, order
from mapspore.scan.ruleset import Ruleset
from mapspore.scan.summary import Summary


def as_json(report: Report, total: Summary, rules: Ruleset) -> Iterator[str]:
    """The text in parts, so that a large code base does not fill the memory: a line per finding, for `git diff`."""
    head = {
        "format": JSON_FORMAT,
        "tool": {"name": "mapspore", "version": version()},
        "registry": {"torch": rules.data["torch"], "mindspore": rules.data["mindspore"]},
        "summary": summary_data(total, report),
    }
    yield json_text(head, indent=1).removesuffix("\n}") + ',\n "findings": ['
    listed = [*((f, True) for f in report.findings), *((f, False) for f in report.quiet)]
    listed.sort(key=lambda each: order(each[0]))
    between = "\n  "
    for finding, counts in listed:
        yield between + json_text(finding_data(finding, counts))
        between = ",\n  "
    yield "\n ]\n}\n" if listed else "]\n}\n"


def summary_data(total: Summary, report: Report) -> dict[str, Any]:
    data = total._asdict()
    data["hardest"] = [
        {"path": t.path, "cell": t.cell, "line": t.line, "torch": t.torch, "severity": t.severity, "effort": t.effort}
        for t in total.hardest
    ]
    data["most_unknown"] = [{"torch": name, "uses": count} for name, count in total.most_unknown]
    data["at_run_time"] = [
        {"torch": name, "uses": count, "says": {language: says[language] for language in LANGUAGES}}
        for name, says, count in total.at_run_time
    ]
    data["findings"] = len(report.findings)
    data["ignored"], data["in_baseline"] = report.ignored, report.known
    return data


def finding_data(finding: Finding, counts: bool) -> dict[str, Any]:
    return {
        "path": finding.path,
        "cell": finding.cell,
        "line": finding.line,
        "column": finding.column,
        "end_line": finding.end_line,
        "end_column": finding.end_column,
        "code": finding.code,
        "torch": finding.torch,
        "counterpart": finding.counterpart or None,
        "severity": finding.severity,
        "effort": finding.effort,
        "confidence": finding.confidence,
        "parameter": finding.parameter,
        "adapter": finding.covered,
        "page": finding.page or None,
        "counts": counts,
        "says": {language: finding.says[language] for language in LANGUAGES},
    }
