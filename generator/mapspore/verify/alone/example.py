"""The evidence of a migration. In: a case that names an example's two programs. Out: whether both print the same, each
run as it is, in a process of its own.
"""

from __future__ import annotations

import contextlib
import io
import runpy

from mapspore.verify.alone.compare import DIFFERENT, EQUAL, Verdict
from mapspore.verify.alone.sides import AdapterSide, TorchSide
from mapspore.verify.alone.stated import Case


def of_example(torch: TorchSide, adapter: AdapterSide, case: Case) -> tuple[Verdict, str]:
    before, after = (_printed(f"{case['root']}/{case['example']}.{side}.py") for side in ("before", "after"))
    if before == after and before.strip():
        return Verdict(EQUAL), ""
    return Verdict(DIFFERENT, f"{before}\nexpected, got\n{after}"), ""


def _printed(program: str) -> str:
    """What a program prints."""
    with contextlib.redirect_stdout(io.StringIO()) as out:
        runpy.run_path(program, run_name="__main__")
    return out.getvalue()
