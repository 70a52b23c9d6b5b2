"""The result of a verification for readers: a table and the smallest failing case for people, JSON for programs.

The JSON, version 1: `format`, the versions (`torch`, `mindspore`, `python`, `platform`), `ranks`, `select`, `entries`
(each with `torch` and, by target, how many cases had which outcome) and `different`, a list sorted from the smallest
case (`entry`, `target`, `size`, `rank`, `case`, `detail`); `script` reproduces the first of them. `retried` lists cases
that crashed or hung among others, and came to their end alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from mapspore.base.language import Language
from mapspore.base.terminal import table, visible
from mapspore.evidence.files import PLATFORM_OF_RANKS
from mapspore.resolve.evidence_status import ADAPTER
from mapspore.text.phrases import say
from mapspore.verify.compare import OUTCOMES
from mapspore.verify.result import Result
from mapspore.verify.run import Plan
from mapspore.verify.script import script

JSON_FORMAT = 1
SHOWN = ("equal", "within_ulp", "same_error", "refused", "contract", "different")
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
    if result.retried:
        yield say("verify.retried", language, count=len(result.retried))
        yield from (f"    {visible(each)}" for each in result.retried)
    if not count:
        yield say("verify.nothing", language)
    elif not different:
        if alone:
            yield say("verify.agree_alone", language, count=alone)
        if alone < count:
            yield say("verify.agree", language, count=count - alone, ranks=", ".join(map(str, sizes)))
    else:
        first = different[0]
        yield say("verify.differ", language, count=count, different=len(different))
        yield ""
        yield say(
            "smallest" if first.size > 1 else "smallest_alone",
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


def as_json(result: Result, plans: Sequence[Plan], sizes: Sequence[int], versions: dict[str, str], select: str) -> str:
    entries: dict[str, dict[str, Any]] = {}
    for plan, target, counts in _counted(result, plans):
        entries.setdefault(plan.name, {"torch": plan.name, "targets": {}})["targets"][target] = counts
    different = [
        {"entry": f.entry, "target": f.target, "size": f.size, "rank": f.rank, "case": f.case["id"], "detail": f.detail}
        for f in result.different
    ]
    data: dict[str, Any] = {
        "format": JSON_FORMAT, **versions, "platform": PLATFORM_OF_RANKS, "ranks": list(sizes), "select": select,
        "entries": list(entries.values()), "different": different, "retried": result.retried,
    }  # fmt: skip
    if different:
        data["script"] = script(result.different[0])
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def _counted(result: Result, plans: Sequence[Plan]) -> Iterator[tuple[Plan, str, dict[str, int]]]:
    for plan in plans:
        for target in (*plan.targets, *(() if None in plan.targets else (None,))):
            if counts := result.counts(plan.name, target):
                yield plan, target or ADAPTER, counts
