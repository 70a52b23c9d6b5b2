"""Runs programs on this machine: those that connect on two ranks, the others in one process, and all of one number of
ranks in the same processes. In: programs by name. Out: by name the lines that the ranks printed, of those that came to
their end. Starting processes, and again after one that fails or hangs, is left to `processes`.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import sys
from typing import Any

from mapspore.cases.programs import RANKS, ranks_of
from mapspore.verify.processes.jobs import Job, Servers, Settings, run_jobs

SIDE = "program"
START = 75.0  # seconds more that a framework may take to be imported
EACH = 10.0  # seconds of a program
LEAVING = re.compile(r"^( *)dist\.destroy_process_group\(\)", re.MULTILINE)


def run_all(texts: dict[str, str]) -> dict[str, list[str]]:
    """What all ranks printed, in the order of ranks, of the programs that came to their end on each."""
    jobs = []
    for size in (1, RANKS):
        cases = tuple({"id": name, "text": text} for name, text in texts.items() if ranks_of(text) == size)
        jobs.append(Job(SIDE, size, cases, start=START, of_a_case=EACH, restarts=len(cases) + 1))
    with Servers() as servers:
        done = run_jobs(jobs, Settings(servers, at_once=1))
    ended = {name: ranks for each in done for (name, _), ranks in each.outcomes.items()}
    return {
        name: [line for rank in ranks for line in rank["printed"]]
        for name, ranks in ended.items()
        if not any(rank["failed"] for rank in ranks)
    }  # fmt: skip


def work(job: dict[str, Any], rank: int) -> None:
    """One rank: every program in turn, with what it prints, until one fails."""
    with open(f"rank{rank}.jsonl", "w", encoding="utf-8") as out:
        for case in job["cases"]:
            os.environ["MASTER_PORT"] = str(case["port"])
            printed, failed = io.StringIO(), False
            _forget_recording()
            try:
                with contextlib.redirect_stdout(printed):
                    exec(compile(_together(case["text"]), f"{case['id']}.py", "exec"), {"__name__": "__main__"})
            except Exception:
                failed = True  # what it leaves behind would be in the way of the next
            out.write(json.dumps({"printed": printed.getvalue().splitlines(), "failed": failed}) + "\n")
            out.flush()
            if failed:
                os._exit(1)


def _forget_recording() -> None:
    """A program starts as in a process of its own: nothing is recorded for gradients because an earlier one had
    tensors of the adapter."""
    if (modes := sys.modules.get("torchspore._runtime.autograd.modes")) is not None:
        modes.set_recording(False)


def _together(text: str) -> str:
    """A program whose ranks leave together: one that left while another still connects would make that one fail, and a
    program that ends at once is over so soon."""
    return LEAVING.sub(r"\1dist.barrier()\n\g<0>", text)
