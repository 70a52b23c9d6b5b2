"""One worker. In: a job, as data. Out: a file with one JSON line per case and target: the verdict, and what differs
between torch and MindSpore's own function if nothing accounts for it. Written case by case, so that what ran before a
crash is known.
"""

from __future__ import annotations

import json
import sys
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mapspore.cases.single.case_builder import Case
from mapspore.verify.compare import DIFFERENT, SKIPPED, Verdict
from mapspore.verify.sides import AdapterSide, TorchSide
from mapspore.verify.single import run_alone, run_object, run_optimiser, run_random
from mapspore.verify.single.run_call import both
from mapspore.verify.single.run_example import judge_example

Run = Callable[[TorchSide, AdapterSide, Case], tuple[Verdict, str]]


def work(job: dict[str, Any], rank: int) -> None:
    """Run the cases in order."""
    if job["adapter"]:
        sys.path.insert(0, job["adapter"])
    warnings.simplefilter("ignore")
    torch, adapter = TorchSide(), AdapterSide()
    with open(Path(job["folder"]) / f"rank{rank}.jsonl", "w", encoding="utf-8") as out:
        over = False
        for case in job["cases"]:
            verdict, undeclared = (Verdict(SKIPPED), "") if over else _ran(torch, adapter, case)
            over = over or (case["stops"] and (verdict.kind == DIFFERENT or bool(undeclared)))
            said = {"id": case["id"], "target": case["target"], "kind": verdict.kind, "detail": verdict.detail}
            said |= {"measured": [float(f"{value:.2g}") for value in verdict.measured]} if verdict.measured else {}
            out.write(json.dumps(said | ({"undeclared": undeclared} if undeclared else {})) + "\n")
            out.flush()


def _ran(torch: TorchSide, adapter: AdapterSide, case: Case) -> tuple[Verdict, str]:
    try:
        return RUNS.get(case["kind"], both)(torch, adapter, case)
    except Exception:  # something that is not there at all, such as an alias
        return Verdict(DIFFERENT, traceback.format_exc(limit=-3)), ""
    finally:
        adapter.settle()


RUNS: dict[str, Run] = {
    "object": run_object.judge_object,
    "object_error": run_object.judge_error,
    "object_gradient": run_object.judge_gradient,
    "first_values": run_random.judge_first_values,
    "draws": run_random.judge_draws,
    "steps": run_optimiser.judge_steps,
    "constant": run_alone.judge_constant,
    "unneeded": run_alone.judge_unneeded,
    "example": judge_example,
}
"""What runs a case, by its kind; a case of any other kind is one call."""
