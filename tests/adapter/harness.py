"""Runs cases in real processes and compares two sides. In: cases as data (see `values`), a number of ranks. Out:
one finding per case and rank: equal, equal error, different. Many cases share one job; a job has a free port, a
time limit and one retry.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import warnings
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import Any

import numpy as np

Case = dict[str, Any]
Outcome = dict[str, Any]
HERE = Path(__file__).parent
ADAPTER = HERE.parents[1] / "adapter"


REDUCTIONS = {
    "SUM": np.add,
    "PRODUCT": np.multiply,
    "MIN": np.minimum,
    "MAX": np.maximum,
    "BAND": np.bitwise_and,
    "BOR": np.bitwise_or,
    "BXOR": np.bitwise_xor,
}


class JobFailed(AssertionError):
    """A job did not come to its end; the text says where it stood and what its ranks printed."""


@dataclass(frozen=True)
class Job:
    """Cases that run one after the other in one set of processes."""

    side: str
    size: int
    cases: Sequence[Case]
    groups: dict[str, list[int]]
    timeout: float = 30.0  # of one communication
    limit: float = 240.0  # of the whole job


@dataclass(frozen=True)
class Finding:
    """What the comparison of one case on one rank found. `kind` is equal, same error, contract or different."""

    case: str
    target: str | None
    rank: int
    kind: str
    detail: str = ""


def run_job(job: Job, folder: Path) -> list[list[Outcome]]:
    """The outcomes of a job: one list per rank, in the order of cases. Retried once, for a port that was taken between
    choosing and using it."""
    for attempt in (1, 2):
        folder.mkdir(parents=True, exist_ok=True)
        try:
            return _run_once(job, folder)
        except JobFailed as failure:
            if attempt == 2:
                raise
            warnings.warn(f"tried again: {failure}", stacklevel=2)
    raise AssertionError("not reached")


def _run_once(job: Job, folder: Path) -> list[list[Outcome]]:
    for stale in folder.glob("*.done"):
        stale.unlink()
    description = {
        "side": job.side,
        "size": job.size,
        "cases": list(job.cases),
        "groups": job.groups,
        "timeout": job.timeout,
    }
    (folder / "job.json").write_text(json.dumps(description))
    results = [folder / f"rank{rank}.jsonl" for rank in range(job.size)]
    commands = [[sys.executable, str(HERE / "worker.py"), str(folder / "job.json"), str(path)] for path in results]
    codes, logs = run_ranks(commands, folder, job.limit)
    outcomes = [
        [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else [] for path in results
    ]
    if any(code != 0 for code in codes):
        done = min(len(rank) for rank in outcomes)
        at = job.cases[done]["id"] if done < len(job.cases) else "the end"
        raise JobFailed(f"{job.side} job of {job.size} ranks ended with {codes} at {at}:\n" + "\n".join(logs))
    return outcomes


def run_ranks(
    commands: Sequence[Sequence[str]],
    folder: Path,
    limit: float,
    environments: Sequence[dict[str, str]] | None = None,
) -> tuple[list[int | None], list[str]]:
    """Start one process per rank with the environment that torchrun gives, or another, and wait. Returns exit codes
    (None: had to be ended) and what each printed."""
    folder.mkdir(parents=True, exist_ok=True)
    shared = os.environ | {
        "OMP_NUM_THREADS": "1",
        "GLOG_v": "3",
        "PYTHONPATH": os.pathsep.join([str(ADAPTER), str(HERE)]),
    }
    environments = environments or torch_environments(len(commands))
    processes, files = [], [folder / f"rank{rank}.log" for rank in range(len(commands))]
    for command, environment, file in zip(commands, environments, files, strict=True):
        with file.open("w") as log:
            env = shared | environment
            # MindSpore leaves files where it runs
            processes.append(subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, env=env, cwd=folder))
    ends = time.monotonic() + limit
    try:
        # one rank that failed leaves the others waiting: end them soon rather than at the limit
        while any(process.poll() is None for process in processes) and time.monotonic() < ends:
            if any(process.poll() not in (None, 0) for process in processes):
                ends = min(ends, time.monotonic() + 20)
            time.sleep(0.05)
        codes = [process.poll() for process in processes]
    finally:
        for process in processes:
            if process.poll() is None:
                process.kill()
            process.wait()
    return codes, [f"--- rank {rank}\n{_said(file)[-3000:]}" for rank, file in enumerate(files)]


def _said(file: Path) -> str:
    """What a process printed, without what MindSpore's threads say on every start."""
    lines = file.read_text(errors="replace").splitlines()
    return "\n".join(line for line in lines if "Event base dispatch" not in line)


def torch_environments(size: int) -> list[dict[str, str]]:
    """What torchrun tells each of its processes."""
    meeting = {"WORLD_SIZE": str(size), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(free_port())}
    return [meeting | {"RANK": str(rank)} for rank in range(size)]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def run_both(
    cases: Sequence[Case], size: int, groups: dict[str, list[int]], targets: Sequence[str], folder: Path
) -> list[Finding]:
    """Run the cases on the reference, and on the adapter with each target, and compare."""
    adapted = [case | {"target": target} for target in targets for case in cases]
    with ThreadPoolExecutor(2) as pool:
        reference = pool.submit(run_job, Job("torch", size, cases, groups), folder / "torch")
        adapter = pool.submit(run_job, Job("adapter", size, adapted, groups), folder / "adapter")
        expected, found = reference.result(), adapter.result()
    by_id = {case["id"]: case for case in cases}
    findings = []
    for rank in range(size):
        wanted = {outcome["id"]: outcome for outcome in expected[rank]}
        for outcome in found[rank]:
            case = by_id[outcome["id"]]
            kind, detail = compare(case, rank, wanted[outcome["id"]], outcome, expected)
            findings.append(Finding(outcome["id"], outcome["target"], rank, kind, detail))
    return findings


def compare(case: Case, rank: int, wanted: Outcome, got: Outcome, everyone: list[list[Outcome]]) -> tuple[str, str]:
    """How an outcome of the adapter relates to the reference."""
    if not got["same_objects"]:
        return "different", "a list was given other tensors"
    refused = case.get("refused_with_target", {}).get(got["target"])
    if refused:
        return ("contract", "") if refused in got.get("error", ()) else ("different", f"not refused: {_short(got)}")
    if "contract" in case:
        return _by_contract(case, rank, got, everyone)
    if "error" in wanted:
        if wanted["error"][0] in got.get("error", ()):
            return "same error", got["sentence"]
        return "different", f"{wanted['error'][0]} expected, got {_short(got)}"
    if wanted.get("returned") != got.get("returned") or wanted.get("warnings") != got.get("warnings"):
        return "different", f"{_short(wanted)} expected, got {_short(got)}"
    for name, tensor in wanted["tensors"].items():
        if not got["tensors"][name]["kept"]:
            return "different", f"{name} changed its dtype or its storage"
        for part in ("tensor", "base"):
            one, other = _decode(tensor[part]), _decode(got["tensors"][name][part])
            if not agree(one, other, case.get("ulp", 0)):
                return "different", f"{name} ({part}):\n{one}\nexpected, got\n{other}"
    return "equal", ""


def _by_contract(case: Case, rank: int, got: Outcome, everyone: list[list[Outcome]]) -> tuple[str, str]:
    """What the reference cannot judge: which tensors of which ranks an output must hold, or the reduction of."""
    if "error" in got:
        return "different", f"{got['error'][0]}: {got['sentence']}"
    at = next(place for place, outcome in enumerate(everyone[0]) if outcome["id"] == case["id"])
    for name, sources in case["contract"][rank].items():
        parts = [_decode(everyone[source_rank][at]["tensors"][source]["tensor"]) for source_rank, source in sources]
        one, other = reduce(REDUCTIONS[case.get("op", "SUM")], parts), _decode(got["tensors"][name]["tensor"])
        if not agree(one, other) or not got["tensors"][name]["kept"]:
            return "different", f"{name}:\n{one}\nexpected, got\n{other}"
        before, after = (_decode(each["tensors"][name]["base"]) for each in (everyone[rank][at], got))
        if np.sum(before != after) > other.size:
            return "different", f"{name}: written beside the view"
    return "contract", ""


def agree(one: np.ndarray, other: np.ndarray, ulp: int = 0) -> bool:
    """Equal in shape and value; bit by bit, or within a number of units in the last place."""
    if one.shape != other.shape:
        return False
    if one.dtype != other.dtype:  # a stand-in dtype on one side: the values decide
        other = other.astype(one.dtype)
    if ulp and one.dtype.kind == "c":
        return agree(one.real, other.real, ulp) and agree(one.imag, other.imag, ulp)
    if ulp and one.dtype.kind == "f":
        return bool(np.all(np.abs(one - other) <= ulp * np.spacing(np.maximum(np.abs(one), np.abs(other)))))
    return bool(np.array_equal(one, other, equal_nan=one.dtype.kind in "fc"))


def _decode(encoded: dict[str, Any]) -> np.ndarray:
    return np.frombuffer(bytes.fromhex(encoded["bytes"]), encoded["dtype"]).reshape(encoded["shape"])


def _short(outcome: Outcome) -> str:
    if "error" in outcome:
        return f"{outcome['error'][0]}: {outcome['sentence']}"
    return str({key: outcome.get(key) for key in ("returned", "warnings")})
