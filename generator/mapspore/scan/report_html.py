"""The report as one self-contained HTML page: charts, lists and all findings, with a filter; nothing is loaded.

Everything that comes from the scanned code or the registry is escaped here, before it meets the template.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

from mapspore.base.language import Language
from mapspore.scan.codes import EFFORTS, SEVERITIES
from mapspore.scan.findings import Finding, Report
from mapspore.scan.report_text import code_name, facts, label, named, page_url
from mapspore.scan.summary import Summary
from mapspore.text.phrases import catalogue
from mapspore.text.templates import environment


@dataclass(frozen=True, slots=True)
class Named:
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Choice:
    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Bar:
    id: str
    name: str
    count: int
    width: float


@dataclass(frozen=True, slots=True)
class Chart:
    title: str
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class Listing:
    title: str
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class RowView:
    place: str
    severity: str
    severity_name: str
    effort: str
    effort_name: str
    code: str
    api: str
    counterpart: str
    says: str
    note: str


@dataclass(frozen=True, slots=True)
class PageView:
    lang: str
    facts: tuple[Named, ...]
    charts: tuple[Chart, ...]
    lists: tuple[Listing, ...]
    severities: tuple[Choice, ...]
    efforts: tuple[Choice, ...]
    codes: tuple[Choice, ...]
    rows: tuple[RowView, ...]


def as_html(report: Report, total: Summary, site: str, language: Language) -> str:
    codes = total.by_code
    page = PageView(
        lang="zh-CN" if language == "zh" else "en",
        facts=tuple(Named(escape(label(key, language)), escape(text)) for key, text in facts(total, language)),
        charts=(
            _chart("by_severity", total.by_severity, "severities", language),
            _chart("by_effort", total.by_effort, "efforts", language),
            Chart(label("by_code", language), _bars((c, f"{c} {code_name(c, language)}", n) for c, n in codes.items())),
        ),
        lists=tuple(listing for listing in _lists(total, language) if listing.rows),
        severities=tuple(Choice(name, named("severities", name, language)) for name in SEVERITIES[:-1]),
        efforts=tuple(Choice(name, named("efforts", name, language)) for name in EFFORTS),
        codes=tuple(
            Choice(code, f"{code} {escape(code_name(code, language))}")
            for code in sorted({finding.code for finding in report.findings})
        ),
        rows=tuple(_row(finding, site, language) for finding in report.findings),
    )
    labels = {key: escape(texts[language]) for key, texts in catalogue("scan")["labels"].items()}
    return environment().get_template("report/scan.html.j2").render(page=page, label=labels)


def _chart(title: str, counts: dict[str, int], names: str, language: Language) -> Chart:
    return Chart(
        escape(label(title, language)),
        _bars((name, named(names, name, language), count) for name, count in counts.items()),
    )


def _bars(counts: Iterable[tuple[str, str, int]]) -> tuple[Bar, ...]:
    listed = list(counts)
    most = max((count for _, _, count in listed), default=0) or 1
    return tuple(Bar(key, escape(name), count, round(100 * count / most, 1)) for key, name, count in listed)


def _lists(total: Summary, language: Language) -> Iterable[Listing]:
    yield Listing(
        label("hardest", language),
        tuple(
            (
                f'<span class="place">{escape(f"{t.path}{_cell(t.cell)}:{t.line}")}</span>',
                f"<code>{escape(t.torch)}</code>",
                f'<span class="tag {t.severity}">{escape(named("severities", t.severity, language))}</span>',
                escape(named("efforts", t.effort, language)),
            )
            for t in total.hardest
        ),
    )
    yield Listing(
        label("at_run_time", language),
        tuple(
            (str(count), f"<code>{escape(name)}</code>", marked(says[language]))
            for name, says, count in total.at_run_time
        ),
    )
    yield Listing(
        label("most_unknown", language),
        tuple((str(count), f"<code>{escape(name)}</code>") for name, count in total.most_unknown),
    )


def _cell(number: int) -> str:
    return f"#{number}" if number else ""


def _row(finding: Finding, site: str, language: Language) -> RowView:
    name = escape(finding.torch + (f"({finding.parameter})" if finding.parameter else ""))
    url = page_url(finding, site, language)
    return RowView(
        place=escape(finding.place),
        severity=finding.severity or "unknown",
        severity_name=escape(
            named("severities", finding.severity, language) if finding.severity else code_name(finding.code, language)
        ),
        effort=finding.effort or "unknown",
        effort_name=escape(named("efforts", finding.effort or "unknown", language)),
        code=finding.code,
        api=f'<a href="{escape(url)}">{name}</a>' if site and url else name,
        counterpart=f"→ {escape(finding.counterpart)}" if finding.counterpart else "",
        says=marked(finding.says[language]),
        note=""
        if finding.confidence == "certain"
        else f"({escape(named('confidences', finding.confidence, language))})",
    )


def marked(text: str) -> str:
    """Plain text as HTML, with what stands in backticks as code."""
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", escape(text))
