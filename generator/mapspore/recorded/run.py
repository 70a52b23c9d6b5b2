"""Runs programs on this machine: those that connect on two ranks, the others in one process, and all of one side in the
same processes. In: programs by name. Out: by name the lines that the ranks printed, of those that came to their end.
As a module it is one rank: `run.py PROGRAMS RESULTS`.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

RANKS = 2
START = 120.0  # seconds that both ranks have to import and connect
EACH = 10.0  # seconds for each program beside that
LEAVING = re.compile(r"^( *)dist\.destroy_process_group\(\)", re.MULTILINE)
Printed = dict[str, list[str] | None]
"""By name the lines that a rank printed; None for a program that failed."""


def ranks_of(text: str) -> int:
    """On how many ranks a program is run: one that connects to no other needs none."""
    return RANKS if "init_process_group(" in text else 1


def run_all(texts: dict[str, str]) -> dict[str, list[str]]:
    """What all ranks printed, in the order of ranks, of the programs that came to their end on each."""
    printed: dict[str, list[str]] = {}
    for size in (1, RANKS):
        some = {name: text for name, text in texts.items() if ranks_of(text) == size}
        printed |= _run(some, size) if some else {}
    return printed


def _run(texts: dict[str, str], size: int) -> dict[str, list[str]]:
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder, "programs.json")
        work.write_text(json.dumps([[name, text, _free_port()] for name, text in texts.items()]), "utf-8")
        ranks = [_start(rank, size, work, Path(folder, f"rank-{rank}.json")) for rank in range(size)]
        try:
            for process in ranks:
                process.wait(timeout=START + EACH * len(texts))
        finally:
            for process in ranks:
                process.kill()
        files = [Path(folder, f"rank-{rank}.json") for rank in range(size)]
        said: list[Printed] = [json.loads(file.read_text("utf-8")) for file in files]
    ended = {name: [each.get(name) for each in said] for name in texts}
    return {
        name: [line for lines in by_rank for line in lines or ()]
        for name, by_rank in ended.items()
        if all(lines is not None for lines in by_rank)
    }


def _start(rank: int, size: int, work: Path, results: Path) -> subprocess.Popen[bytes]:
    results.write_text("{}", "utf-8")
    environment = {**os.environ, "RANK": str(rank), "LOCAL_RANK": str(rank), "WORLD_SIZE": str(size)}
    environment |= {"MASTER_ADDR": "127.0.0.1", "GLOG_v": "3", "OMP_NUM_THREADS": "1"}
    command = [sys.executable, str(Path(__file__).resolve()), str(work), str(results)]
    quiet = subprocess.DEVNULL
    return subprocess.Popen(command, env=environment, cwd=work.parent, stdout=quiet, stderr=quiet)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _together(text: str) -> str:
    """A program whose ranks leave together: one that left while another still connects would make that one fail, and a
    program that ends at once is over so soon."""
    return LEAVING.sub(r"\1dist.barrier()\n\g<0>", text)


def main(work: str, results: str) -> None:
    """One rank: every program in turn, with what it prints kept."""
    printed: Printed = {}
    for name, text, port in json.loads(Path(work).read_text("utf-8")):
        os.environ["MASTER_PORT"] = str(port)
        said = io.StringIO()
        there: dict[str, Any] = {"__name__": "__main__"}
        try:
            with contextlib.redirect_stdout(said):
                exec(compile(_together(text), f"{name}.py", "exec"), there)
            printed[name] = said.getvalue().splitlines()
        except Exception:
            printed[name] = None
            with contextlib.suppress(Exception):  # the next one begins anew
                there["dist"].destroy_process_group()
        Path(results).write_text(json.dumps(printed), "utf-8")
    os._exit(0)  # what MindSpore says while a process ends is not wanted, and may take long


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
