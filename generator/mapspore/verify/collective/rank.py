"""One rank of a job. In: the job, as data. Out: a file with one JSON line per case that tells what the case did on this
rank, written case by case, so that what ran before a crash is known.
"""

from __future__ import annotations

import json
import os
import sys
import time
import warnings
from pathlib import Path
from typing import Any

from mapspore.verify.collective.arguments import Made, Maker
from mapspore.verify.collective.sides import SIDES, Side, encoded

BROKEN = 3  # exit code of a rank whose connection is not usable any more
LATE = 5.0  # seconds that late ranks wait at most for the one that is early


def work(job: dict[str, Any], rank: int) -> None:
    """Connect, run the cases in order, and leave together with the other ranks."""
    if job["adapter"]:
        sys.path.insert(0, job["adapter"])
    side = SIDES[job["side"]]()
    side.start(job["timeout"])
    groups = {name: side.dist.new_group(ranks) for name, ranks in job["groups"].items()}
    folder = Path(job["folder"])
    with open(folder / f"rank{rank}.jsonl", "w", encoding="utf-8") as out:
        for case in job["cases"]:
            outcome = run(side, case, rank, groups, folder, job["timeout"])
            out.write(json.dumps(outcome) + "\n")
            out.flush()
            if outcome.get("broken"):
                os._exit(BROKEN)
    if not any(case.get("ends") for case in job["cases"]):
        side.dist.barrier()
    _leave_together(folder, rank, job["size"])


def _leave_together(folder: Path, rank: int, size: int) -> None:
    """A message is lost if its sender ends before it has been read, and the barrier is made of messages."""
    (folder / f"rank{rank}.done").touch()
    ends = time.monotonic() + 20
    while len(list(folder.glob("*.done"))) < size and time.monotonic() < ends:
        time.sleep(0.02)


def run(
    side: Side, case: dict[str, Any], rank: int, groups: dict[str, Any], folder: Path, timeout: float
) -> dict[str, Any]:
    """What a case does on this rank: what is raised or returned, and every tensor and list of it afterwards."""
    maker = Maker(side, rank, case["id"], groups, case.get("stand_in", {}) if side.name == "torch" else {})
    calls = [
        (call, [maker.make(each) for each in call.get("args", [])], maker.made_of(call.get("kwargs", {})))
        for call in case["calls"]
    ]
    outcome: dict[str, Any] = {"id": case["id"], "target": case.get("target")}
    if side.name == "adapter":
        side.dist.use(case.get("target"))
    # where the reference cannot judge, it only shows what went in
    judged = not (side.name == "torch" and case.get("lacking"))
    mine = [each for each in calls if judged and rank in each[0].get("callers", [rank])]
    began = time.monotonic()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            outcome["returned"] = _call(side, case, mine, rank, folder)
        except Exception as error:
            outcome["error"] = [kind.__name__ for kind in type(error).__mro__]
            outcome["sentence"] = str(error)
    if time.monotonic() - began > 0.9 * timeout or "CollectiveFailed" in outcome.get("error", ()):
        outcome["broken"] = True
    outcome["warnings"] = len([each for each in caught if "does not belong" in str(each.message)])
    outcome["tensors"] = {made.name: _read(side, made) for made in maker.made}
    outcome["lists"] = {name: [side.plain(each) for each in values] for name, values in maker.objects.items()}
    outcome["same_objects"] = all(
        all(one is other for one, other in zip(now, before, strict=True)) for now, before in maker.lists
    )
    return outcome


def _call(side: Side, case: dict[str, Any], calls: list[Any], rank: int, folder: Path) -> list[Any]:
    """Make the calls in order, then wait for what was started."""
    early = folder / f"{case['number']}.{case.get('target')}.early"
    if case.get("late") and rank > 0:
        ends = time.monotonic() + LATE
        while not early.exists() and time.monotonic() < ends:
            time.sleep(0.005)
    returned = [
        side.described(call["api"]) if call.get("describe") else side.api(call["api"])(*arguments, **keywords)
        for call, arguments, keywords in calls
    ]
    said: list[Any] = []
    if case.get("late") and rank == 0:
        said.append({"completed at once": returned[0].is_completed()})
        early.touch()
    for each in returned:
        said.append(_waited(side, each))
    return said


def _waited(side: Side, value: Any) -> Any:
    if isinstance(value, list) and value and all(hasattr(each, "wait") for each in value):
        return [_waited(side, each) for each in value]
    if not hasattr(value, "wait"):
        return side.plain(value)
    waited = value.wait()
    return {"wait": waited, "again": value.wait() if side.waits_twice else waited}


def _read(side: Side, made: Made) -> dict[str, Any]:
    return {
        "tensor": encoded(side.array(made.tensor)),
        "base": encoded(side.array(made.base)),
        "before": made.before,
        "view": made.view,
        "kept": side.dtype(made.tensor) == made.dtype and side.address(made.tensor) == made.address,
    }
