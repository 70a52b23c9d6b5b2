"""The report as Markdown, for a pull request or a wiki: the numbers, then the findings as a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mapspore.base.language import Language
from mapspore.scan.findings import Finding, Report
from mapspore.scan.report_text import code_name, facts, label, named, page_url
from mapspore.scan.summary import Summary


def as_markdown(report: Report, total: Summary, site: str, language: Language) -> str:
    return "\n".join(_lines(report, total, site, language)) + "\n"


def _lines(report: Report, total: Summary, site: str, language: Language) -> Iterator[str]:
    yield f"# {label('title', language)}"
    yield ""
    yield from _table(("", ""), ((label(key, language), text) for key, text in facts(total, language)))
    for key, counts, names in (
        ("by_severity", total.by_severity, "severities"),
        ("by_effort", total.by_effort, "efforts"),
    ):
        yield from ("", f"## {_capital(label(key, language))}", "")
        head = (label("severity" if names == "severities" else "effort", language), _capital(label("uses", language)))
        yield from _table(head, ((named(names, name, language), str(count)) for name, count in counts.items()))
    if total.hardest:
        yield from ("", f"## {_capital(label('hardest', language))}", "")
        head4 = tuple(label(key, language) for key in ("place", "api", "severity", "effort"))
        yield from _table(
            head4,
            (
                (
                    _code(f"{t.path}{f'#{t.cell}' if t.cell else ''}:{t.line}"), _code(t.torch),
                    named("severities", t.severity, language), named("efforts", t.effort, language),
                )
                for t in total.hardest
            ),
        )  # fmt: skip
    if total.at_run_time:
        yield from ("", f"## {_capital(label('at_run_time', language))}", "")
        yield from _table(
            (label("api", language), _capital(label("uses", language)), label("finding", language)),
            ((_code(name), str(count), _cell(says[language])) for name, says, count in total.at_run_time),
        )
    if total.most_unknown:
        yield from ("", f"## {_capital(label('most_unknown', language))}", "")
        yield from _table(
            (label("api", language), _capital(label("uses", language))),
            ((_code(name), str(count)) for name, count in total.most_unknown),
        )
    yield from ("", f"## {label('findings', language)}", "")
    if not report.findings:
        yield label("found_none", language)
        return
    head5 = tuple(label(key, language) for key in ("place", "code", "severity", "api", "finding"))
    yield from _table(head5, (_row(finding, site, language) for finding in report.findings))


def _row(finding: Finding, site: str, language: Language) -> tuple[str, ...]:
    grade = named("severities", finding.severity, language) if finding.severity else code_name(finding.code, language)
    name = _code(finding.torch + (f"({finding.parameter})" if finding.parameter else "")) if finding.torch else ""
    if site and finding.page:
        name = f"[{name}]({page_url(finding, site, language)})"
    note = "" if finding.confidence == "certain" else f" ({named('confidences', finding.confidence, language)})"
    return (_code(finding.place), finding.code, grade, name, _cell(finding.says[language]) + note)


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    titles = tuple(head)
    yield f"| {' | '.join(titles)} |"
    yield f"|{' --- |' * len(titles)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def _code(text: str) -> str:
    """Text as code in a table's cell; a backtick in it would end the code, a bar the cell."""
    return f"`{_cell(text).replace('`', chr(39))}`"


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").replace("<", "&lt;").split())


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
