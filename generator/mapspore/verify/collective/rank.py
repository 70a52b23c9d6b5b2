"""One rank of a job. In: the job, as data. Out: a file with one JSON line per case that tells what the case did on this
rank, written case by case, so that what ran before a crash is known.
"""

from __future__ import annotations

import json
import os
import sys
import time
import warnings
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from mapspore.verify.collective.arguments import RankArgumentFactory
from mapspore.verify.outcome import Outcome, Seen, named, raised
from mapspore.verify.sides import SIDES, Side

BROKEN = 3  # exit code of a rank whose connection is not usable any more
LATE = 5.0  # seconds that late ranks wait at most for the one that is early


def work(job: dict[str, Any], rank: int) -> None:
    """Connect, run the cases in order, and leave together with the other ranks."""
    if job["adapter"]:
        sys.path.insert(0, job["adapter"])
    side = SIDES[job["side"]]()
    side.join(job["timeout"])
    groups = {name: side.dist.new_group(ranks) for name, ranks in job["groups"].items()}
    folder = Path(job["folder"])
    with open(folder / f"rank{rank}.jsonl", "w", encoding="utf-8") as out:
        for case in job["cases"]:
            outcome, seconds = run(side, case, RankArgumentFactory(side, case, rank, groups), folder)
            out.write(json.dumps(outcome.data()) + "\n")
            out.flush()
            if seconds > 0.9 * job["timeout"] or "CollectiveFailed" in outcome.error:
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


def run(side: Side, case: dict[str, Any], factory: RankArgumentFactory, folder: Path) -> tuple[Outcome, float]:
    """What a case does on this rank: what is raised or returned, and every tensor and list of it afterwards; and how
    long its calls took."""
    calls = [
        (call, factory.make(call.get("args", [])), factory.make(call.get("kwargs", {})))
        for call in case["calls"]
    ]  # fmt: skip
    if side.name == "adapter":
        side.dist.use(case.get("target"))
    mine = [each for each in calls if factory.rank in each[0].get("callers", [factory.rank])]
    began = time.monotonic()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            outcome = Outcome(Seen("list", items=tuple(_call(side, case, mine, factory.rank, folder))))
        except Exception as error:
            outcome = raised(error)
    seconds = time.monotonic() - began
    if outcome.seen:
        strangers = len([each for each in caught if "does not belong" in str(each.message)])
        lists = named(**{name: side.see(values) for name, values in factory.objects.items()})
        outcome = replace(outcome, seen=named(returned=outcome.seen, warnings=Seen("int", strangers), lists=lists))
    return replace(outcome, tensors=factory.after(), own_tensors=factory.own_tensors), seconds


def _call(side: Side, case: dict[str, Any], calls: list[Any], rank: int, folder: Path) -> list[Seen]:
    """Make the calls in order, then wait for what was started."""
    early = folder / f"{case['number']}.{case.get('target')}.early"
    if case.get("late") and rank > 0:
        ends = time.monotonic() + LATE
        while not early.exists() and time.monotonic() < ends:
            time.sleep(0.005)
    returned: list[Any] = [
        described(side, call["api"]) if call.get("describe") else side.api(call["api"])(*arguments, **keywords)
        for call, arguments, keywords in calls
    ]
    seen: list[Seen] = []
    if case.get("late") and rank == 0:
        seen.append(Seen("completed at once", bool(returned[0].is_completed())))
        early.touch()
    return [*seen, *(each if isinstance(each, Seen) else _waited(side, each) for each in returned)]


def _waited(side: Side, value: Any) -> Seen:
    if isinstance(value, list) and value and all(hasattr(each, "wait") for each in value):
        return Seen("list", items=tuple(_waited(side, each) for each in value))
    if not hasattr(value, "wait"):
        return side.see(value)
    waited = side.see(value.wait())
    return named(wait=waited, again=side.see(value.wait()) if side.waits_twice else waited)


def described(side: Side, name: str) -> Seen:
    """A class or a constant: its public names, and the values among them; or its value."""
    thing = side.api(name)
    if isinstance(thing, bool | int | float | str | timedelta):
        return side.see(thing)
    names = [each for each in dir(thing) if not each.startswith("_")]
    values = {each: getattr(thing, each, None) for each in names}
    plain = {
        each: Seen(type(value).__name__, value)
        for each, value in values.items()
        if type(value) in (bool, int, float, str)
    }
    return Seen("class", names, items=tuple(plain.values()), fields=tuple(plain))
