"""A process that imports one framework, both or none, and forks the ranks of job after job: `python -m
mapspore.verify.processes.server SIDE`. In: one JSON line per job on its standard input. Out: one JSON line with the
exit codes of the ranks (null for one that had to be ended) when all of them are gone.
"""

from __future__ import annotations

import importlib
import json
import os
import signal
import sys
import time
from typing import Any

SIDES: dict[str, tuple[str, tuple[str, ...]]] = {
    "torch": ("collective.rank", ("numpy", "torch", "torch.distributed")),
    "adapter": ("collective.rank", ("numpy", "mindspore")),
    "both": ("single.worker", ("numpy", "torch", "mindspore")),
    "program": ("programs.run", ()),
    "samples": ("torch_tests.draw", ("numpy", "torch")),
}
"""By side: the module below `verify` whose `work` runs cases, and what is imported before anything is forked."""
VERIFY = "mapspore.verify"
PATIENCE = 3.0  # seconds for the others once one rank has failed: they would wait for it in vain


def main(side: str) -> None:
    module, frameworks = SIDES[side]
    for name in (*frameworks, f"{VERIFY}.{module}"):
        importlib.import_module(name)
    replies = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a framework prints is no reply
    print(json.dumps({"ready": side}), file=replies, flush=True)
    for line in sys.stdin:
        print(json.dumps({"codes": run(json.loads(line))}), file=replies, flush=True)


def run(job: dict[str, Any]) -> list[int | None]:
    """Fork the ranks of a job and wait for them, no longer than it may take."""
    ranks = [_fork(job, rank) for rank in range(job["size"])]
    codes: dict[int, int] = {}
    ends = time.monotonic() + job["limit"]
    written, moved = 0, time.monotonic()
    while len(codes) < len(ranks) and time.monotonic() < ends:
        if (size := _written(job)) != written:
            written, moved = size, time.monotonic()
        elif time.monotonic() > moved + job["stall"]:
            break
        for process in ranks:
            if process not in codes and (done := os.waitpid(process, os.WNOHANG))[0]:
                codes[process] = os.waitstatus_to_exitcode(done[1])
                if codes[process]:
                    ends = min(ends, time.monotonic() + PATIENCE)
        time.sleep(0.05)
    for process in ranks:
        if process not in codes:
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
    return [codes.get(process) for process in ranks]


def _written(job: dict[str, Any]) -> int:
    """How much all ranks have reported: it grows with each case."""
    files = (f"{job['folder']}/rank{rank}.jsonl" for rank in range(job["size"]))
    return sum(os.stat(file).st_size for file in files if os.path.exists(file))


def _fork(job: dict[str, Any], rank: int) -> int:
    process = os.fork()
    if process:
        return process
    try:
        os.chdir(job["folder"])  # MindSpore leaves files where it runs
        log = os.open(f"rank{rank}.log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        for stream in (1, 2):
            os.dup2(log, stream)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.environ.update(
            RANK=str(rank), LOCAL_RANK=str(rank), WORLD_SIZE=str(job["size"]),
            MASTER_ADDR="127.0.0.1", MASTER_PORT=str(job["port"]),
        )  # fmt: skip
        importlib.import_module(f"{VERIFY}.{SIDES[job['side']][0]}").work(job, rank)
    except BaseException:
        import traceback

        traceback.print_exc()
        sys.stderr.flush()
        os._exit(1)
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1])
