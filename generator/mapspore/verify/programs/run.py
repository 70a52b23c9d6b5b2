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
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from mapspore.cases.programs import RANKS, ranks_of

START = 120.0  # seconds that both ranks have to import and connect
EACH = 10.0  # seconds for each program beside that
LEAVING = re.compile(r"^( *)dist\.destroy_process_group\(\)", re.MULTILINE)
Printed = dict[str, list[str]]
"""By name the lines that a rank printed, of programs that came to their end."""


def run_all(texts: dict[str, str]) -> dict[str, list[str]]:
    """What all ranks printed, in the order of ranks, of the programs that came to their end on each."""
    printed: dict[str, list[str]] = {}
    for size in (1, RANKS):
        some = {name: text for name, text in texts.items() if ranks_of(text) == size}
        printed |= _run(some, size) if some else {}
    return printed


def _run(texts: dict[str, str], size: int) -> dict[str, list[str]]:
    """All programs in the same processes; after one that fails or hangs, those behind it in new ones."""
    printed: dict[str, list[str]] = {}
    left = list(texts)
    while left:
        said, failed = _in_processes({name: texts[name] for name in left}, size)
        printed |= {name: [line for each in said for line in each[name]] for name in left if _came(name, said)}
        left = [name for name in left if name not in printed]
        culprit = next((name for name in left if not _came(name, failed or said)), None)
        left = [name for name in left if name != culprit]
    return printed


def _came(name: str, said: list[Printed]) -> bool:
    """Whether a program came to its end on these ranks."""
    return all(name in each for each in said)


def _in_processes(texts: dict[str, str], size: int) -> tuple[list[Printed], list[Printed]]:
    """What each rank printed until one of them failed or all took too long; and the same of those that failed."""
    from mapspore.verify.processes.jobs import reserved_port  # not needed in a rank

    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as ports:
        work = Path(folder, "programs.json")
        programs = [[name, text, ports.enter_context(reserved_port())] for name, text in texts.items()]
        work.write_text(json.dumps(programs), "utf-8")
        files = [Path(folder, f"rank-{rank}.json") for rank in range(size)]
        ranks = [_start(rank, size, work, file) for rank, file in enumerate(files)]
        ends = time.monotonic() + START + EACH * len(texts)
        try:
            while any(rank.poll() is None for rank in ranks) and time.monotonic() < ends:
                if any(rank.poll() for rank in ranks):
                    break  # the others would wait for it
                time.sleep(0.05)
            codes = [rank.poll() for rank in ranks]
        finally:
            for rank in ranks:
                rank.kill()
                rank.wait()
        said: list[Printed] = [json.loads(file.read_text("utf-8")) for file in files]
    return said, [each for each, code in zip(said, codes, strict=True) if code]


def _start(rank: int, size: int, work: Path, results: Path) -> subprocess.Popen[bytes]:
    results.write_text("{}", "utf-8")
    environment = {**os.environ, "RANK": str(rank), "LOCAL_RANK": str(rank), "WORLD_SIZE": str(size)}
    environment |= {"MASTER_ADDR": "127.0.0.1", "GLOG_v": "3", "OMP_NUM_THREADS": "1"}
    command = [sys.executable, str(Path(__file__).resolve()), str(work), str(results)]
    quiet = subprocess.DEVNULL
    return subprocess.Popen(command, env=environment, cwd=work.parent, stdout=quiet, stderr=quiet)


def _together(text: str) -> str:
    """A program whose ranks leave together: one that left while another still connects would make that one fail, and a
    program that ends at once is over so soon."""
    return LEAVING.sub(r"\1dist.barrier()\n\g<0>", text)


def main(work: str, results: str) -> None:
    """One rank: every program in turn, with what it prints kept, until one fails."""
    printed: Printed = {}
    for name, text, port in json.loads(Path(work).read_text("utf-8")):
        os.environ["MASTER_PORT"] = str(port)
        said = io.StringIO()
        try:
            with contextlib.redirect_stdout(said):
                exec(compile(_together(text), f"{name}.py", "exec"), {"__name__": "__main__"})
        except Exception:
            os._exit(1)
        printed[name] = said.getvalue().splitlines()
        kept = Path(f"{results}.new")
        kept.write_text(json.dumps(printed), "utf-8")
        kept.replace(results)
    os._exit(0)  # what MindSpore says while a process ends is not wanted, and may take long


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
