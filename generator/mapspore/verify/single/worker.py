"""One worker. In: a job, as data. Out: a file with one JSON line per case and target, written case by case, so that
what ran before a crash is known:

    id, target, kind, detail    the verdict
    undeclared                  what MindSpore's own function does otherwise, if nothing in the entry accounts for it
    reached, differed           which stated differences the case meets, and whether anything differed in it
    questionable                whether MindSpore itself can be asked what the adapter refuses; a case of its own does
    around                      the situations of a case of MindSpore's own counterpart
    measured                    how far weights are apart, of a stated difference
"""

from __future__ import annotations

import json
import sys
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mapspore.cases.case_arguments import empty
from mapspore.cases.single.case_builder import NATIVE, Case
from mapspore.cases.single.program_cases import PROGRAM, PROGRAM_ERROR
from mapspore.verify.compare import DIFFERENT, NO_KERNEL, NO_REFERENCE, REFUSED, SKIPPED, STATED, Verdict
from mapspore.verify.sides import AdapterSide, OwnTensorsSide, TorchSide
from mapspore.verify.single import run_alone, run_object, run_optimiser, run_random
from mapspore.verify.single.run_beside import judge_beside
from mapspore.verify.single.run_call import Ran, accounted, both, dtype_lacking, reached, situations
from mapspore.verify.single.run_example import judge_example
from mapspore.verify.single.run_program import judge_program
from mapspore.words.situations import SITUATIONS

Run = Callable[[TorchSide, AdapterSide, Case], Ran]
Said = dict[str, Any]
UNEXCUSED: dict[str, Any] = {"refused": {}, "may_refuse": {}, "dtypes": {}, "differs": {}, "direct": {}}
"""What an entry says of a case, taken away: it is then judged as if the entry said nothing."""


def work(job: dict[str, Any], rank: int) -> None:
    """Run the cases in order."""
    if job["adapter"]:
        sys.path.insert(0, job["adapter"])
    warnings.simplefilter("ignore")
    torch, adapter = TorchSide(), OwnTensorsSide()
    adapter.at_once()
    with open(Path(job["folder"]) / f"rank{rank}.jsonl", "w", encoding="utf-8") as out:
        over = False
        for case in job["cases"]:
            tells = _asked if case.get("native") else _beside if case.get("beside_runtime") else _told
            said = _said(case, Ran(Verdict(SKIPPED))) if over else tells(torch, adapter, case)
            over = over or (case["stops"] and (said["kind"] == DIFFERENT or "undeclared" in said))
            out.write(json.dumps(said) + "\n")
            out.flush()


def _told(torch: TorchSide, adapter: AdapterSide, case: Case) -> Said:
    """What came of a case, and of MindSpore itself in it."""
    ran = _ran(torch, adapter, case)
    said = _said(case, ran)
    if case["target"] is None or ran.verdict.kind == SKIPPED:
        return said
    met = reached(case, ran.chosen) if case["differs"].get(ran.chosen) else []
    refusing = bool(case.get("refused", {}).get(ran.chosen)) or dtype_lacking(case, ran.chosen)
    if ran.direct and not refusing and ran.verdict.kind != NO_REFERENCE and not accounted(case, ran.chosen):
        said["undeclared"] = ran.direct
    if ran.verdict.kind == REFUSED and _questionable(case, ran.chosen):
        said["questionable"] = True
    if met and (ran.verdict.kind not in (NO_KERNEL, REFUSED) or ran.direct is not None or "questionable" in said):
        said |= {"reached": met, "differed": bool(ran.direct) or ran.verdict.kind == STATED}
    return said


def _beside(torch: TorchSide, adapter: AdapterSide, case: Case) -> Said:
    """What MindSpore's own counterpart does, where the adapter has a function of its own."""
    if empty(case):
        adapter.soil()
    try:
        verdict = judge_beside(torch, adapter, case)
    except Exception:
        verdict = Verdict(DIFFERENT, traceback.format_exc(limit=-3))
    return _said(case, Ran(verdict)) | {"around": sorted(situations(case) & {*SITUATIONS})}


def _asked(torch: TorchSide, adapter: AdapterSide, case: Case) -> Said:
    """What MindSpore itself does, called as the page says, in a case that the adapter refuses."""
    with adapter.unrefusing(case["entry"]):
        return _said(case, _ran(torch, adapter, case | UNEXCUSED | {"id": case["id"].removesuffix(NATIVE)}))


def _questionable(case: Case, chosen: str) -> bool:
    """Whether a refusal is of something that MindSpore has a place for, so that it can be asked."""
    reasons = case.get("because", {}).get(chosen, [])
    return all(reason[0] not in ("absent", "word") for reason in reasons) and (
        bool(reasons) or dtype_lacking(case, chosen)
    )


def _said(case: Case, ran: Ran) -> Said:
    verdict = ran.verdict
    said: Said = {"id": case["id"], "target": case["target"], "kind": verdict.kind, "detail": verdict.detail}
    return said | ({"measured": [float(f"{each:.2g}") for each in verdict.measured]} if verdict.measured else {})


def _ran(torch: TorchSide, adapter: AdapterSide, case: Case) -> Ran:
    if empty(case):
        adapter.soil()
    try:
        return RUNS.get(case["kind"], both)(torch, adapter, case)
    except Exception:  # something that is not there at all, such as an alias
        return Ran(Verdict(DIFFERENT, traceback.format_exc(limit=-3)))


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
    PROGRAM: judge_program,
    PROGRAM_ERROR: judge_program,
}
"""What runs a case, by its kind; a case of any other kind is one call."""
