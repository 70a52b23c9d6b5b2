"""Cases that are small programs, run on both sides. In: the sides and a case. Out: whether what the program leaves in
`result` is the same. On the adapter's side an import of torch is one of the adapter; nothing else of it differs.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable
from functools import partial
from typing import Any

from mapspore.cases.single.case_builder import Case
from mapspore.cases.single.program_cases import PROGRAM_ERROR, RESULT
from mapspore.verify.compare import DIFFERENT, NO_VALUE, Verdict, compare, same_error, shown
from mapspore.verify.outcome import OBJECT, Seen
from mapspore.verify.sides import AdapterSide, Side, TorchSide
from mapspore.verify.single.run_call import Ran, seen_of

TORCH = "torch"


def judge_program(torch: TorchSide, adapter: AdapterSide, case: Case) -> Ran:
    wanted, got = (seen_of(side, partial(_result, side, case)) for side in (torch, adapter))
    fails = case["kind"] == PROGRAM_ERROR
    if fails:
        refused = Verdict(DIFFERENT, "torch is expected to refuse this program, and it does not")
        return Ran(same_error(wanted, got) if wanted.error else refused)
    verdict = compare(None, wanted, got, fails=False)
    if verdict.kind == NO_VALUE:
        return Ran(Verdict(DIFFERENT, f"torch itself fails: {verdict.detail}"))
    if wanted.seen is not None and _hides(wanted.seen):
        return Ran(Verdict(DIFFERENT, f"`{RESULT}` holds something that cannot be compared: {shown(wanted)}"))
    return Ran(verdict)


def _hides(seen: Seen) -> bool:
    """Whether a value holds an object of which nothing is known, so that any other would be equal."""
    return seen.type == OBJECT or any(map(_hides, seen.items))


def _result(side: Side, case: Case) -> Any:
    """What a program found."""
    known = {"__name__": "__main__", "__builtins__": vars(builtins) | {"__import__": _importing(side.package)}}
    exec(compile(case["text"], case["id"], "exec"), known)
    return known.get(RESULT)


def _importing(package: str) -> Callable[..., Any]:
    """The import statement, for which `torch` is this package."""

    def load(name: str, *rest: Any, **more: Any) -> Any:
        first, dot, inner = name.partition(".")
        return builtins.__import__(f"{package}{dot}{inner}" if first == TORCH else name, *rest, **more)

    return load
