"""From what was found in files to findings: one per difference that a use meets, in order, filtered as asked for.

In go results and rules; out come `Finding`s, which every report prints. Sentences come from the rules, that is from the
registry, or from `templates/text/scan.yaml` where the scan itself speaks.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from mapspore.base.diagnostics import WRONG_USAGE, Refusal
from mapspore.base.language import LANGUAGES
from mapspore.base.read_file import Unreadable, read_file
from mapspore.facts.naming import is_private
from mapspore.scan import codes
from mapspore.scan.codes import Confidence, Effort, Severity
from mapspore.scan.file_uses import Use
from mapspore.scan.files import File, Problem
from mapspore.scan.ruleset import Ruleset
from mapspore.scan.scan_file import Result
from mapspore.text.phrases import catalogue, fill
from mapspore.words.kinds import NUMPY_NAMES

Texts = Mapping[str, str]
JSON_FORMAT = 1
"""The format of the JSON report (`scan.report_json`)."""
LARGEST_BASELINE = 1024 * 1024 * 1024


class Finding(NamedTuple):
    """One finding of a scan: a difference, or a missing counterpart, at one place in the code."""

    path: str
    cell: int
    """The cell of a notebook, from 1; 0 elsewhere."""
    line: int
    column: int
    end_line: int
    end_column: int
    code: str
    torch: str
    counterpart: str
    severity: Severity | None
    """None where no entry judges: an unknown API, a file that cannot be read."""
    effort: Effort | None
    confidence: Confidence
    parameter: str
    says: Texts
    page: str
    covered: bool
    """Whether the adapter takes this use as it stands."""

    @property
    def place(self) -> str:
        cell = f"#{self.cell}" if self.cell else ""
        return f"{self.path}{cell}:{self.line}:{self.column}"

    @property
    def sameness(self) -> tuple[str, str, str]:
        """What stays when lines move: how many of these a file has is what a baseline keeps."""
        return (self.path, self.code, self.torch)


class Tally(NamedTuple):
    """One use of an API with an entry, judged as a whole: what the summary counts."""

    path: str
    cell: int
    line: int
    column: int
    torch: str
    severity: Severity
    effort: Effort
    covered: bool
    differences: int


class Report(NamedTuple):
    """Everything that a scan has to say."""

    findings: list[Finding]
    """Those that count: selected, not ignored, not in the baseline."""
    quiet: list[Finding]
    """What is not told at each place: uses that are the same, APIs without an entry, what only a run can tell."""
    tallies: list[Tally]
    files: int
    torch_files: int
    lines: int
    problems: int
    ignored: int
    """Findings that a comment switched off."""
    known: int
    """Findings that the baseline has."""
    unknown: Counter[str]
    """How often each API without an entry is used."""


class Filter(NamedTuple):
    """Which findings count."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    baseline: Mapping[tuple[str, str, str], int] = {}

    def counts(self, code: str, confidence: str = "certain") -> bool:
        if any(code.startswith(prefix) for prefix in self.ignore):
            return False
        if self.select:
            return any(code.startswith(prefix) for prefix in self.select)
        return code not in codes.QUIET and confidence != "at_run_time"


def report(
    results: Iterable[tuple[File, Result]], problems: Iterable[Problem], rules: Ruleset, wanted: Filter, files: int,
    lines: int, every: bool = True,
) -> Report:  # fmt: skip
    """All findings of a scan. APIs without an entry are only counted unless `every` one is wanted or they count."""
    every = every or wanted.counts(codes.UNKNOWN)
    left = Counter(wanted.baseline)
    listed = [finding_of(problem) for problem in problems]
    tallies: list[Tally] = []
    unknown: Counter[str] = Counter()
    torch_files = ignored = 0
    for file, result in results:
        listed += [
            finding_of(Problem(code, file.shown, line, column, detail, cell))
            for code, line, column, detail, cell in result.problems
        ]
        torch_files += bool(result.uses or result.unknown)
        unknown.update(row[4] for row in result.unknown)
        if every:
            listed += [finding for finding in _without(file, result, rules) if not _ignored(finding, result)]
        for finding, tally in _of_file(file, result, rules):
            if tally is not None:
                tallies.append(tally)
            if finding is not None:
                if _ignored(finding, result):
                    ignored += 1
                else:
                    listed.append(finding)
    told: list[Finding] = []
    quiet: list[Finding] = []
    known = 0
    for finding in sorted(listed, key=order):
        if not wanted.counts(finding.code, finding.confidence):
            if finding.code in codes.QUIET or wanted.counts(finding.code):
                quiet.append(finding)
        elif left[finding.sameness] > 0:
            left[finding.sameness] -= 1
            known += 1
        else:
            told.append(finding)
    broken = sum(finding.code in codes.FILE_CODES for finding in listed)
    return Report(told, quiet, tallies, files, torch_files, lines, broken, ignored, known, unknown)


def order(finding: Finding) -> tuple[str, int, int, int, str, str]:
    """How findings are sorted: by place."""
    return (finding.path, finding.cell, finding.line, finding.column, finding.code, finding.parameter)


def _ignored(finding: Finding, result: Result) -> bool:
    return bool(result.ignores) and switched_off(finding.code, finding.line, result.ignores, finding.cell)


def switched_off(code: str, line: int, ignores: Mapping[str, list[str]], cell: int = 0) -> bool:
    """Whether a comment in the line switches a code off."""
    listed = ignores.get(f"{cell}:{line}")
    return listed is not None and (not listed or any(code.startswith(each) for each in listed))


def finding_of(problem: Problem) -> Finding:
    """What to tell of a file or folder that cannot be looked at."""
    says = own_words(problem.code, problem.detail if problem.code == codes.UNREADABLE else "", detail=problem.detail)
    return Finding(
        problem.shown, problem.cell, problem.line, problem.column, problem.line, problem.column + 1, problem.code,
        "", "", None, None, "certain", "", says, "", False,
    )  # fmt: skip


def own_words(code: str, variant: str = "", **values: str) -> Texts:
    """What the scan itself says, in both languages."""
    says = catalogue("scan")["codes"][code]["says"]
    texts = says if isinstance(says.get("en"), str) else says[variant]
    return {language: fill(texts[language], values, language, "scan") for language in LANGUAGES}


def _of_file(file: File, result: Result, rules: Ruleset) -> Iterator[tuple[Finding | None, Tally | None]]:
    for row in result.uses:
        use, cell = Use(*row[:-1]), row[-1]
        rule = rules.rules[use.rule]
        met = met_by(use, rule)
        covered = covers(use, rule)
        effort = effort_of(use, rule, covered)
        shown = [check for check, sure in met if sure != "at_run_time"]
        worst: Severity = min((check["severity"] for check in shown), key=codes.SEVERITIES.index, default="same")
        if use.open and worst == "same":
            worst = "change"
        differences = len(shown) + bool(use.open)
        yield None, Tally(file.shown, cell, use.line, use.column, use.rule, worst, effort, covered, differences)
        name = f"{use.rule}.{use.rest}" if use.rest else use.rule
        for check, sure in met:
            confidence = max(sure, use.confidence, key=codes.CONFIDENCES.index)
            says: Texts = check  # it holds a sentence in each language, among other things
            yield _finding(file, use, cell, check["code"], name, rule, check["severity"], effort, confidence,
                           check["parameter"], says, covered), None  # fmt: skip
        if use.open:
            says = open_words(use)
            yield _finding(file, use, cell, codes.CANNOT_TELL, name, rule, "change", effort, "possible", "", says,
                           covered), None  # fmt: skip
        elif not met:
            says = _same()
            yield _finding(file, use, cell, codes.SAME, name, rule, "same", effort, use.confidence, "", says,
                           covered), None  # fmt: skip


def _without(file: File, result: Result, rules: Ruleset) -> Iterator[Finding]:
    """The uses of APIs that have no entry."""
    for line, column, end_line, end_column, path, confidence, _, cell in result.unknown:
        yield Finding(
            file.shown, cell, line, column, end_line, end_column, codes.UNKNOWN, path, "", None, "unknown",
            confidence, "", _without_entry("known" if path in rules.known else _stranger(path)), "", False,
        )  # fmt: skip


@cache
def _same() -> Texts:
    return own_words(codes.SAME)


@cache
def _without_entry(variant: str) -> Texts:
    return own_words(codes.UNKNOWN, variant)


def _stranger(path: str) -> str:
    """What a name that the facts do not list is, as far as its spelling tells."""
    return "private" if is_private(path) else "unlisted"


def _finding(
    file: File, use: Use, cell: int, code: str, name: str, rule: dict[str, Any], severity: Severity, effort: Effort,
    confidence: Any, parameter: str, says: Texts, covered: bool,
) -> Finding:  # fmt: skip
    return Finding(
        file.shown, cell, use.line, use.column, use.end_line, use.end_column, code, name, rule["counterpart"] or "",
        severity, effort, confidence, parameter, says, rule["page"], covered,
    )  # fmt: skip


def met_by(use: Use, rule: dict[str, Any]) -> list[tuple[dict[str, Any], str]]:
    """The checks that a use meets, each with how sure that is."""
    checks = rule["forms"][use.form]["checks"] if use.form >= 0 else []
    return [*((check, "certain") for check in rule["always"]), *((checks[at], sure) for at, sure in use.met)]


def open_words(use: Use) -> Texts:
    """Why nobody can tell what a use meets."""
    reason = {"()": "reference", "=": "replaced", "*": "signature", "class": "subclass"}.get(use.open[0], "stars")
    if reason == "signature" and use.open[1:]:
        meant = ", ".join(NUMPY_NAMES[name] for name in use.open[1:])
        return own_words(codes.CANNOT_TELL, "numpy", names=", ".join(use.open[1:]), meant=meant)
    return own_words(codes.CANNOT_TELL, reason, names=", ".join(use.open))


def covers(use: Use, rule: dict[str, Any]) -> bool:
    """Whether the adapter takes a use as it stands: it has the name, and refuses none of the arguments."""
    if use.open[:1] in (["*"], ["class"]):  # an undeclared way to call it, or to build on it, that the adapter may lack
        return False
    return rule["adapter"] == "covers" and use.path in rule["offers"] and refused_in(use, rule) is None


def refused_in(use: Use, rule: dict[str, Any]) -> list[str] | None:
    """The arguments of a use that the adapter refuses, none by name if it is how they go together; None if it takes
    all of them."""
    names = set(use.given) & set(rule["refuses"])
    checks = rule["forms"][use.form]["checks"] if use.met else ()
    found = [checks[at] for at, sure in use.met if sure == "certain" and "refused" in checks[at]]
    names.update(check["parameter"] for check in found if check["parameter"])
    return sorted(names) if names or found else None


def exact(use: Use, rule: dict[str, Any]) -> bool:
    """Whether a call can be rewritten to MindSpore's API exactly."""
    if not (use.called and use.site and use.form >= 0 and rule["counterpart"]) or use.open or use.rest:
        return False
    if use.confidence != "certain" or rule["kind"] not in ("function", "class") or not rule["forms"][use.form]["exact"]:
        return False
    return all(_mended(check, use) for check, _ in met_by(use, rule))


def _mended(check: dict[str, Any], use: Use) -> bool:
    rewritable, name = check["rewritable"], check["parameter"]
    if isinstance(rewritable, list):
        return any(f"{name}={constant}" in use.simple for constant in rewritable)
    return rewritable == "always" or (rewritable == "simple" and name in use.simple)


def effort_of(use: Use, rule: dict[str, Any], covered: bool) -> Effort:
    if covered:
        return "import"
    if not rule["counterpart"]:
        return "redesign"
    return "rewrite" if exact(use, rule) else "hand"


def read_baseline(path: str) -> Counter[tuple[str, str, str]]:
    """The findings of an earlier run, from its JSON report."""
    try:
        data = json.loads(read_file(path, LARGEST_BASELINE))
        if data["format"] != JSON_FORMAT:
            raise _no_baseline(path, "format", found=data["format"], known=JSON_FORMAT)
        return Counter((str(f["path"]), str(f["code"]), str(f["torch"])) for f in data["findings"])
    except Unreadable as problem:
        raise _no_baseline(path, "unreadable", reason=problem.reason) from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise _no_baseline(path, "") from None


def _no_baseline(path: str, variant: str, **values: Any) -> Refusal:
    return Refusal("C405", variant, exit_code=WRONG_USAGE, path=path, **values)
