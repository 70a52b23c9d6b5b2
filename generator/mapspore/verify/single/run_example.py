"""The evidence of a migration. In: a case that names an example's two programs. Out: whether both print the same, each
run as it is, on as many ranks as it needs.
"""

from __future__ import annotations

import contextlib
import io

from mapspore.cases.programs import ranks_of
from mapspore.cases.single.case_builder import Case
from mapspore.verify.compare import DIFFERENT, EQUAL, Verdict
from mapspore.verify.programs.run import run_all
from mapspore.verify.sides import AdapterSide, TorchSide
from mapspore.verify.single.run_call import Ran


def judge_example(torch: TorchSide, adapter: AdapterSide, case: Case) -> Ran:
    before, after = (_printed(case["id"], case["programs"][ending]) for ending in (".before.py", ".after.py"))
    if before and before == after:
        return Ran(Verdict(EQUAL))
    return Ran(Verdict(DIFFERENT, "\n".join([*before, "expected, got", *after])))


def _printed(name: str, text: str) -> list[str]:
    """What a program prints; nothing if it fails on its ranks. One that needs no others runs here."""
    if ranks_of(text) > 1:
        return run_all({name: text}).get(name, [])
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(compile(text, name, "exec"), {"__name__": "__main__"})
    return out.getvalue().splitlines()
