"""The smallest failing case as a program. In: a finding. Out: a script that needs nothing of mapspore: it starts plain
processes with torch and with the adapter, makes the same calls, and prints what is different.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mapspore.cases.collective.case_builder import groups_of
from mapspore.pages.templates import environment
from mapspore.verify.collective.run import Finding


@dataclass(frozen=True, slots=True)
class CallView:
    callers: str
    code: str


def script(finding: Finding) -> str:
    """The program's text."""
    case, size = finding.case, finding.size
    calls = [CallView(repr(call.get("callers", list(range(size)))), _call(call)) for call in case["calls"]]
    text: str = environment().get_template("code/reproduce.py.j2").render(
        title=f"{case['id']} with target {finding.target} at {size} ranks.",
        size=size,
        target=repr(finding.target),
        seed=repr(case["id"]),
        stand_in=repr(case.get("stand_in", {})),
        ulp=case.get("ulp", 0),
        judged=repr(not case.get("lacking")),
        expected=repr(_expected(finding)),
        calls=calls,
        groups=repr(groups_of(size)),
    )  # fmt: skip
    return text


def _expected(finding: Finding) -> dict[int, dict[str, Any]]:
    """What torch cannot tell: the refusals that the entry speaks of, and outputs by contract."""
    case = finding.case
    refusal = case.get("refused", {}).get(finding.target or "")
    outside = case.get("outside", ())
    if refusal:
        return {rank: {"error": refusal, "tensors": {}} for rank in range(finding.size) if rank not in outside}
    if not case.get("lacking"):
        return {}
    return {rank: {"error": None, "tensors": tensors} for rank, tensors in enumerate(finding.expected)}


def _call(call: dict[str, Any]) -> str:
    name = "lib" + str(call["api"]).removeprefix("torch")
    if call.get("describe"):
        return name
    arguments = [_code(value) for value in call.get("args", [])]
    arguments += [f"{name}={_code(value)}" for name, value in call.get("kwargs", {}).items()]
    return f"{name}({', '.join(arguments)})"


def _code(stated: Any) -> str:
    """A stated argument as Python."""
    if isinstance(stated, list):
        return f"[{', '.join(map(_code, stated))}]"
    if not isinstance(stated, dict):
        return repr(stated)
    kind, value = next(iter(stated.items()), ("", None))
    if not kind.startswith("$"):
        return "{" + ", ".join(f"{key!r}: {_code(each)}" for key, each in stated.items()) + "}"
    return _CODE[kind](value)


def _tensor(spec: dict[str, Any]) -> str:
    parts = [repr(spec["name"]), repr(tuple(spec["shape"]))]
    parts += [f"{key}={spec[key]!r}" for key in ("dtype", "view", "fill") if key in spec]
    return f"tensor({', '.join(parts)})"


_CODE: dict[str, Callable[[Any], str]] = {
    "$tensor": _tensor,
    "$list": _code,
    "$tuple": lambda items: f"({', '.join(map(_code, items))},)",
    "$objects": lambda spec: f"objects({spec['name']!r}, {_code(spec['items'])})",
    "$object": lambda spec: f"some_object({spec[0]!r}, {spec[1]})",
    "$op": lambda name: f"lib.distributed.ReduceOp.{name}",
    "$foreign_op": lambda name: f"__import__('torch').distributed.ReduceOp.{name}",
    "$group": lambda name: f"groups[{name!r}]",
    "$group_name": lambda name: f"getattr(groups[{name!r}], 'name', None) if side != 'torch' else groups[{name!r}]",
    "$world": lambda _: "lib.distributed.GroupMember.WORLD",
    "$seconds": lambda number: f"timedelta(seconds={number})",
    "$by_rank": lambda values: f"[{', '.join(f'lambda: {_code(value)}' for value in values)}][rank]()",
    "$api": lambda name: "lib" + name.removeprefix("torch"),
    "$new": lambda stated: f"lib{stated[0].removeprefix('torch')}({', '.join(map(_code, stated[1:]))})",
}
