"""A report in the format that was asked for: its text in parts, to be printed or written."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable

from mapspore.check.report import Ink
from mapspore.scan.findings import Report
from mapspore.scan.ruleset import Ruleset
from mapspore.scan.settings import Settings
from mapspore.scan.summary import Summary


def printed(chosen: Settings, found: Report, total: Summary, rules: Ruleset, args: argparse.Namespace) -> Iterable[str]:
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
    lines = as_text(found, total, chosen.site, args.lang, ink, args.all, " ".join(args.paths))
    return (f"{line}\n" for line in lines)
