"""What MindSpore's own counterpart was measured to do, where the adapter has something of its own. In: the findings of
one counterpart. Out: what the evidence keeps: how many cases came out how, and for each way in which results are apart
the situation that explains it, where one does, with the smallest example.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from mapspore.verify.compare import APART, CRASHED, NO_KERNEL, SHOWS, STATED
from mapspore.verify.result import Finding
from mapspore.words.situations import SITUATIONS

NOT_CALLED, EQUAL, OTHERWISE = "not_called", "direct", "apart"
"""The status of a counterpart that cannot be called with torch's arguments alone; of one that gave in every case what
torch gave, or what its entry says; and of one that did not."""
WAYS = (*APART, CRASHED)


def measured(findings: Sequence[Finding]) -> dict[str, Any]:
    """The record of one counterpart."""
    cases = dict(sorted(Counter(finding.kind for finding in findings).items()))
    apart = [group for way in WAYS for group in _groups(findings, way)]
    status = OTHERWISE if apart else EQUAL
    if not cases.keys() & {*SHOWS, STATED, *WAYS}:
        status = NO_KERNEL if cases else NOT_CALLED
    return {"status": status, "cases": cases, **({"apart": apart} if apart else {})}


def _groups(findings: Sequence[Finding], way: str) -> list[dict[str, Any]]:
    """The cases that are apart in one way, by the situation that they are in and that no other case is in."""
    left = [finding for finding in findings if finding.kind == way]
    ran = [finding for finding in findings if finding.kind != NO_KERNEL]
    groups: list[dict[str, Any]] = []
    for situation in SITUATIONS if len(left) < len(ran) else ():
        inside = [finding for finding in ran if situation in finding.case["around"]]
        if inside and all(finding.kind == way for finding in inside):
            explained = [finding for finding in left if situation in finding.case["around"]]
            left = [finding for finding in left if situation not in finding.case["around"]]
            groups += [_group(way, situation, explained)] if explained else []
    return [*groups, *([_group(way, "", left)] if left else [])]


def _group(way: str, situation: str, findings: Sequence[Finding]) -> dict[str, Any]:
    example = min(findings, key=lambda finding: finding.weight)
    torch, _, mindspore = example.detail.partition("\n")
    return {
        "way": way, "about": situation, "count": len(findings), "call": told(example.case), "torch": torch,
        "mindspore": mindspore,
    }  # fmt: skip


def told(case: dict[str, Any]) -> str:
    """The call of a case in a line: a tensor is told by its dtype and its shape."""
    first, *then = case["calls"]
    return _call(first["api"].removeprefix("torch."), first) + "".join(_call("", call) for call in then)


def _call(name: str, call: dict[str, Any]) -> str:
    named = (f"{key}={_argument(value)}" for key, value in call.get("kwargs", {}).items())
    return f"{name}({', '.join([*map(_argument, call.get('args', [])), *named])})"


def _argument(stated: Any) -> str:
    value: Any
    if isinstance(stated, list):
        return f"[{', '.join(map(_argument, stated))}]"
    if not isinstance(stated, dict):
        return repr(stated)
    kind, value = next(iter(stated.items()), ("", {}))
    if kind == "$tensor":
        more = [str(value[key]) for key in ("fill", "view") if key in value]
        return " ".join([f"{value['dtype']}{value['shape']}", *more])
    if kind == "$tuple":
        return f"({', '.join(map(_argument, value))}{',' if len(value) == 1 else ''})"
    if kind == "$dtype":
        return f"torch.{value}"
    if kind == "$numpy":
        return f"numpy.{value[0]}({value[1]!r})"
    return _argument(value) if kind.startswith("$") else repr(stated)
