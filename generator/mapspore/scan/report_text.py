"""The report for people at a terminal: each finding with its place, then what all of it adds up to."""

from __future__ import annotations

from collections.abc import Iterator

from mapspore.base.language import Language
from mapspore.base.terminal import padded, table, width
from mapspore.check.report import Ink
from mapspore.scan.codes import FILE_CODES
from mapspore.scan.findings import Finding, Report, order
from mapspore.scan.summary import Summary, share
from mapspore.text.phrases import catalogue, fill

LISTED = 10


def label(key: str, language: Language, **values: object) -> str:
    """A label of the scan."""
    return fill(catalogue("scan")["labels"][key][language], {k: str(v) for k, v in values.items()}, language, "scan")


def named(table: str, key: str, language: Language) -> str:
    """The name of a severity, an effort or a confidence."""
    return str(catalogue("scan")[table][key][language])


def code_name(code: str, language: Language) -> str:
    return str(catalogue("scan")["codes"][code]["name"][language])


def as_text(
    report: Report, total: Summary, site: str, language: Language, ink: Ink, all_of_it: bool, paths: str
) -> Iterator[str]:
    listed = [*report.findings, *(report.quiet if all_of_it else ())]
    for finding in sorted(listed, key=order):
        yield from _lines(finding, site, language, ink)
    if listed:
        yield ""
    yield from summary_lines(total, language, ink)
    yield ""
    yield closing(report, total, language, paths)


def _lines(finding: Finding, site: str, language: Language, ink: Ink) -> Iterator[str]:
    place = ink.bold(f"{finding.place}:")
    if finding.code in FILE_CODES:
        yield f"{place} {ink.red(finding.code)} {finding.says[language]}"
        return
    colour = {"breaks": ink.red, "silent": ink.red, "change": ink.yellow}.get(finding.severity or "", ink.cyan)
    grade = named("severities", finding.severity, language) if finding.severity else code_name(finding.code, language)
    arrow = f" → {finding.counterpart}" if finding.counterpart else ""
    name = finding.torch + (f"({finding.parameter})" if finding.parameter else "")
    yield f"{place} {colour(f'{finding.code} {grade}')} {name}{arrow}"
    notes = [named("efforts", finding.effort, language)] if finding.effort and finding.effort != "unknown" else []
    if finding.confidence != "certain":
        notes.append(named("confidences", finding.confidence, language))
    extra = f" [{', '.join(notes)}]" if notes else ""
    yield f"    {finding.says[language]}{extra}"
    if site and finding.page:
        yield f"    {ink.cyan(page_url(finding, site, language))}"


def page_url(finding: Finding, site: str, language: Language) -> str:
    """The comparison page: on the site if it is known where that is, otherwise within it."""
    if not finding.page:
        return ""
    return f"{site.rstrip('/')}/{language}/{finding.page}" if site else f"{language}/{finding.page}"


def summary_lines(total: Summary, language: Language, ink: Ink) -> Iterator[str]:
    """The numbers, one line each, then the bars and the lists."""
    rows = [(label(key, language), text) for key, text in facts(total, language)]
    yield from table(rows)
    for key, counts, names in (
        ("by_severity", total.by_severity, "severities"),
        ("by_effort", total.by_effort, "efforts"),
    ):
        yield ""
        yield ink.bold(label(key, language))
        yield from _bars([(named(names, name, language), count) for name, count in counts.items()])
    if total.hardest:
        yield ""
        yield ink.bold(label("hardest", language))
        places = [
            (
                f"  {tally.path}{f'#{tally.cell}' if tally.cell else ''}:{tally.line}",
                tally.torch,
                named("severities", tally.severity, language),
                named("efforts", tally.effort, language),
            )
            for tally in total.hardest
        ]
        yield from table(places)
    if total.at_run_time:
        yield ""
        yield ink.bold(label("at_run_time", language))
        for name, says, count in total.at_run_time[:LISTED]:
            yield f"  {name}  {label('places', language, count=count)}"
            yield f"      {says[language]}"
        if len(total.at_run_time) > LISTED:
            yield f"  {label('more_at_run_time', language, count=len(total.at_run_time) - LISTED)}"
    if total.most_unknown:
        yield ""
        yield ink.bold(label("most_unknown", language))
        yield from table([(f"  {count}", name) for name, count in total.most_unknown])


def facts(total: Summary, language: Language) -> list[tuple[str, str]]:
    """The main numbers by label."""
    values = {
        "files": total.files, "torch_files": total.torch_files, "lines": total.lines, "uses": total.uses,
        "apis": total.apis, "known_uses": total.known_uses, "known_apis": total.known_apis,
        "known_share": share(total.known_uses, total.uses), "unknown_uses": total.uses - total.known_uses,
        "unknown_apis": total.apis - total.known_apis, "covered": total.covered,
        "covered_share": share(total.covered, total.known_uses), "covered_all": share(total.covered, total.uses),
    }  # fmt: skip
    said = {key: label(f"{key}_said", language, **values) for key in ("files", "uses", "known", "unknown", "covered")}
    return list(said.items())


def _bars(counts: list[tuple[str, int]]) -> Iterator[str]:
    most = max((count for _, count in counts), default=0)
    wide = max(width(name) for name, _ in counts)
    digits = len(str(most))
    for name, count in counts:
        bar = "█" * (round(24 * count / most) or (1 if count else 0)) if most else ""
        yield f"  {padded(name, wide)}  {count:>{digits}}  {bar}".rstrip()


def closing(report: Report, total: Summary, language: Language, paths: str) -> str:
    """How many findings there are, what was left out, and what to run next."""
    count = len(report.findings)
    if not count:
        said = [label("found_none", language)]
    else:
        files = len({finding.path for finding in report.findings})
        key = "found_one" if count == 1 else "found_in_one" if files == 1 else "found_some"
        said = [label(key, language, count=count, files=files)]
    if report.known:
        said.append(label("baseline_said", language, count=report.known))
    if report.ignored:
        said.append(label("ignored_said", language, count=report.ignored))
    if total.covered:
        said.append(label("next_migrate", language, path=paths))
    elif count:
        said.append(label("next_explain", language, code=report.findings[0].code))
    return (" " if language == "en" else "").join(said)
