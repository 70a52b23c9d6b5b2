"""Cases that are small programs, run on both sides. In: the sides and a case. Out: whether what the program leaves in
`result` is the same. On the adapter's side an import of torch is one of the adapter's; nothing else of the program
differs.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable
from functools import partial
from typing import Any

from mapspore.cases.single.case_builder import Case
from mapspore.cases.single.program_cases import PROGRAM_ERROR, RESULT
from mapspore.verify.compare import DIFFERENT, NO_VALUE, Verdict, compare
from mapspore.verify.sides import AdapterSide, Side, TorchSide
from mapspore.verify.single.run_call import Ran, seen_of

TORCH = "torch"


def judge_program(torch: TorchSide, adapter: AdapterSide, case: Case) -> Ran:
    wanted, got = (seen_of(side, partial(_result, side, case)) for side in (torch, adapter))
    fails = case["kind"] == PROGRAM_ERROR
    verdict = compare(None, wanted, got, fails=fails)
    if fails and not wanted.error:
        return Ran(Verdict(DIFFERENT, "torch is expected to refuse this program, and it does not"))
    if verdict.kind == NO_VALUE:
        return Ran(Verdict(DIFFERENT, f"torch itself fails: {verdict.detail}"))
    return Ran(verdict)


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
