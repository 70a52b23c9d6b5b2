"""The result of a verification for readers: a table and the smallest failing case for people, JSON for programs.

The JSON, version 1: `format`, the versions (`torch`, `mindspore`, `python`, `platform`), `ranks`, `select`, `entries`
(each with `torch` and, by target, how many cases had which outcome) and `different`, a list sorted from the smallest
case (`entry`, `target`, `size`, `rank`, `case`, `outcome`, `detail`, and `script` of one that ended its process);
`script` reproduces the first of them. `retried` lists cases
that crashed or hung among others, and came to their end alone. `contradictions` are what the run says against entries:
`code`, `entry`, `path`, `line`, `column`, `sentence` and `hint` in both languages.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from mapspore.base.language import LANGUAGES, Language
from mapspore.base.terminal import table, visible
from mapspore.cases.single.drawn import SOURCE
from mapspore.evidence.files import PLATFORM_OF_RANKS
from mapspore.resolve.evidence_status import ADAPTER
from mapspore.text.phrases import say
from mapspore.verify.compare import CRASHED, OUTCOMES, REFUSED, first_line
from mapspore.verify.contradictions import Contradiction, as_lines
from mapspore.verify.result import Finding, Result
from mapspore.verify.run import Plan
from mapspore.verify.script import script

JSON_FORMAT = 1
LISTED = 40
"""How many differences are told by a line each."""
SHOWN = ("equal", "within_ulp", "same_error", "refused", "different")
ALSO = tuple(kind for kind in OUTCOMES if kind not in SHOWN)
"""Outcomes that have a column only where there are any."""


def as_text(
    result: Result, plans: Sequence[Plan], sizes: Sequence[int], versions: dict[str, str], language: Language
) -> Iterator[str]:
    """A table of outcomes by entry and target, and what to do about the first difference."""
    counted = list(_counted(result, plans))
    columns = [*SHOWN[:-1], *(kind for kind in ALSO if any(kind in counts for *_, counts in counted)), SHOWN[-1]]
    rows = [tuple(say(f"verify.{key}", language) for key in ("entry", "target", "cases", *columns))]
    for plan, target, counts in counted:
        numbers = [str(counts.get(kind, 0) or "-") for kind in columns]
        rows.append((visible(plan.name), target, str(sum(counts.values())), *numbers))
    yield from table(rows)
    alone = sum(finding.size == 1 for finding in result.findings)
    count, different = len(result.findings), result.different
    if alone:
        yield say("verify.platform_alone", language, **versions)
    if alone < count or not count:
        yield say("verify.platform", language, **versions)
    yield from _share_refused(result, language)
    if result.retried:
        yield say("verify.retried", language, count=len(result.retried))
        yield from (f"    {visible(each)}" for each in result.retried)
    if not count:
        yield say("verify.nothing", language)
    elif not different and not result.contradictions:
        if alone:
            yield say("verify.agree_alone", language, count=alone)
        if alone < count:
            yield say("verify.agree", language, count=count - alone, ranks=", ".join(map(str, sizes)))
    elif different:
        first = different[0]
        yield say("verify.differ", language, count=count, different=len(different))
        for each in different[:LISTED]:
            detail = first_line(each.detail)
            yield f"    {visible(each.case['id'])} ({each.target or ADAPTER}): {visible(detail)}"
        if len(different) > LISTED:
            yield f"    {say('verify.further', language, count=len(different) - LISTED)}"
        yield ""
        yield say(
            "verify.smallest" if first.size > 1 else "verify.smallest_alone",
            language,
            case=first.case["id"],
            target=first.target or ADAPTER,
            size=first.size,
            rank=first.rank,
        )
        yield from (f"    {visible(line)}" for line in first.detail.splitlines())
        yield ""
        yield say("verify.reproduce", language)
        yield ""
        yield script(first)
    if result.contradictions:
        yield ""
        yield from as_lines(result.contradictions, language)
        yield say("verify.contradicted", language, count=len(result.contradictions))


def _share_refused(result: Result, language: Language) -> Iterator[str]:
    """Of how many calls of PyTorch's own tests the adapter refuses some, by entry and in total."""
    theirs = [finding for finding in result.findings if finding.case.get("source") == SOURCE]
    if not theirs:
        return
    total, refused = (Counter(finding.entry for finding in found) for found in (theirs, _refused(theirs)))
    shares = [
        say("verify.refused_of", language, entry=name, refused=refused[name], count=total[name])
        for name in sorted(refused, key=lambda name: (-refused[name] / total[name], name))
    ]
    share = f"{refused.total() / total.total():.1%}"
    yield say("verify.share_refused", language, refused=refused.total(), count=total.total(), share=share)
    yield from (f"    {each}" for each in shares)


def _refused(findings: Sequence[Finding]) -> list[Finding]:
    return [finding for finding in findings if finding.kind == REFUSED]


def as_json(result: Result, plans: Sequence[Plan], sizes: Sequence[int], versions: dict[str, str], select: str) -> str:
    entries: dict[str, dict[str, Any]] = {}
    for plan, target, counts in _counted(result, plans):
        entries.setdefault(plan.name, {"torch": plan.name, "targets": {}})["targets"][target] = counts
    different = [
        {"entry": f.entry, "target": f.target, "size": f.size, "rank": f.rank, "case": f.case["id"], "outcome": f.kind}
        | {"detail": f.detail} | ({"script": script(f)} if f.kind == CRASHED else {})
        for f in result.different
    ]  # fmt: skip
    data: dict[str, Any] = {
        "format": JSON_FORMAT, **versions, "platform": PLATFORM_OF_RANKS, "ranks": list(sizes), "select": select,
        "entries": list(entries.values()), "different": different, "retried": result.retried,
        "contradictions": [_contradiction(each) for each in result.contradictions],
    }  # fmt: skip
    if different:
        data["script"] = script(result.different[0])
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def _contradiction(each: Contradiction) -> dict[str, Any]:
    said = {language: each.said(language) for language in LANGUAGES}
    place = {"path": each.place.path, "line": each.place.line, "column": each.place.column}
    return {"code": each.code, "entry": each.entry, **place} | {
        key: {language: said[language][at] for language in LANGUAGES} for at, key in enumerate(("sentence", "hint"))
    }


def _counted(result: Result, plans: Sequence[Plan]) -> Iterator[tuple[Plan, str, dict[str, int]]]:
    for plan in plans:
        for target in (*plan.targets, *(() if None in plan.targets else (None,))):
            if counts := result.counts(plan.name, target):
                yield plan, target or ADAPTER, counts
