"""A report in the format that was asked for: its text in parts, to be printed or written.

What people read is made visible first: no name or text from outside reaches a terminal, a table or a page with a
character in it that would be obeyed or hidden. Programs get the names as they are, escaped as JSON escapes.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable

from mapspore.base.language import LANGUAGES
from mapspore.base.terminal import visible
from mapspore.check.report import Ink
from mapspore.scan.findings import Finding, Report
from mapspore.scan.ruleset import Ruleset
from mapspore.scan.settings import Settings
from mapspore.scan.summary import summary


def printed(chosen: Settings, found: Report, rules: Ruleset, args: argparse.Namespace) -> Iterable[str]:
    if chosen.format not in ("json", "sarif"):
        found = for_people(found)
    total = summary(found)
    if chosen.format == "json":
        from mapspore.scan.report_json import as_json

        return as_json(found, total, rules)
    if chosen.format == "sarif":
        from mapspore.scan.report_sarif import as_sarif

        return [as_sarif(found, chosen.site, args.lang)]
    if chosen.format == "md":
        from mapspore.scan.report_md import as_markdown

        return [as_markdown(found, total, chosen.site, args.lang)]
    if chosen.format == "html":
        from mapspore.scan.report_html import as_html

        return [as_html(found, total, chosen.site, args.lang)]
    from mapspore.scan.report_text import as_text

    ink = Ink.for_stream(sys.stdout) if args.output is None else Ink(False)
    lines = as_text(found, total, chosen.site, args.lang, ink, args.all, visible(" ".join(args.paths)))
    return (f"{line}\n" for line in lines)


def for_people(report: Report) -> Report:
    """The report with a sign for each character that cannot be seen."""
    unknown: Counter[str] = Counter()
    for name, count in report.unknown.items():
        unknown[visible(name)] += count
    return report._replace(
        findings=[_visible(finding) for finding in report.findings],
        quiet=[_visible(finding) for finding in report.quiet],
        tallies=[tally._replace(path=visible(tally.path), torch=visible(tally.torch)) for tally in report.tallies],
        unknown=unknown,
    )


def _visible(finding: Finding) -> Finding:
    return finding._replace(
        path=visible(finding.path),
        torch=visible(finding.torch),
        counterpart=visible(finding.counterpart),
        parameter=visible(finding.parameter),
        says={language: visible(finding.says[language]) for language in LANGUAGES},
    )
