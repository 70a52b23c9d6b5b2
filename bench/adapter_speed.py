"""The adapter's section: its calls against MindSpore's own in the same processes, and the launcher against msrun.

The direct path is a call that MindSpore's CPU runtime has a kernel for; a composed one is compared with the cheapest
raw collective that moves as many bytes. Needs the environment with torch and MindSpore.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import time
from pathlib import Path
from statistics import median
from typing import Any

from measure import Crashed, Ratio
from tables import Row, Section, Times

HOME = Path(__file__).resolve().parents[1]
WORKER = Path(__file__).with_name("adapter_worker.py")
FRAMEWORKS = HOME / ".venv-verify" / "bin" / "python"
RANKS = 2
PATIENCE = 300
DIRECT = {"all_reduce": "raw all_reduce"}
COMPOSED = {
    "reduce_scatter": "raw all_gather",
    "all_to_all": "raw all_gather",
    "all_gather_into_tensor": "raw all_gather",
}

_FIRST_RESULT = """
import mindspore, numpy, torchspore.distributed as dist
dist.init_process_group()
dist.all_reduce(mindspore.Tensor(numpy.ones(4, numpy.float32)))
dist.barrier()
"""


def measure(folder: Path, rounds: int) -> Section:
    small, large = (_measured(what, rounds) for what in ("small", "large"))
    rows = [Row(f"{name}, small : {raw}", _ratio(small, name, raw), 1.10) for name, raw in DIRECT.items()]
    rows += [Row(f"{name}, small : {raw}", _ratio(small, name, raw), 3.0) for name, raw in COMPOSED.items()]
    rows += [Row(f"{name}, 16 MB : {raw}", _ratio(large, name, raw), 1.3) for name, raw in DIRECT.items()]
    rows += [Row(f"{name}, 16 MB : {raw}", _ratio(large, name, raw), 3.0) for name, raw in COMPOSED.items()]
    started = _starts(folder, max(1, rounds // 3))
    rows.append(Row("job start to first result, launcher : msrun", _of(started["launcher"], started["msrun"]), 0.8))
    over = {name: median(_seconds(small, name)) - median(_seconds(small, raw)) for name, raw in DIRECT.items()}
    peaks = {
        name: _measured(f"peak {name}", 1) for name in ("raw all_reduce", "all_reduce", "raw all_gather", "all_gather")
    }
    notes = [
        f"{RANKS} ranks on {os.cpu_count()} cores, {rounds} rounds, medians; CPU, MindSpore runtime, not HCCL",
        "overhead per call: " + ", ".join(f"{name} {seconds * 1e6:.0f} µs" for name, seconds in over.items()),
        "growth of the process at 16 MB: " + ", ".join(f"{name} {size / 2**20:.0f} MB" for name, size in peaks.items()),
    ]
    columns = list(small)
    times = Times(
        ("elements", *columns),
        [
            (256, *(median(_seconds(small, c)) for c in columns)),
            (2**22, *(median(_seconds(large, c)) for c in columns)),
        ],
    )
    return Section("adapter", rows, times, notes)


def _measured(what: str, rounds: int) -> Any:
    """What the ranks of one job measured."""
    port = _free_port()
    ranks = []
    for rank in range(RANKS):
        environment = {**os.environ, "PYTHONPATH": str(HOME / "adapter"), "GLOG_v": "3", "OMP_NUM_THREADS": "1"}
        environment |= {"RANK": str(rank), "WORLD_SIZE": str(RANKS), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port}
        argv = [str(FRAMEWORKS), str(WORKER), what, str(rounds)]
        ranks.append(subprocess.Popen(argv, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE))
    said = [rank.communicate(timeout=PATIENCE) for rank in ranks]
    if any(rank.returncode for rank in ranks):
        raise Crashed("\n".join(error[-2000:] for _, error in said))
    line = next(line for out, _ in said for line in out.splitlines() if line.startswith("measured "))
    return json.loads(line.removeprefix("measured "))


def _starts(folder: Path, rounds: int) -> dict[str, list[list[float]]]:
    """How long jobs take from start to end when all they do is one call, by launcher and round."""
    script = folder / "first_result.py"
    script.write_text(_FIRST_RESULT, "utf-8")
    path = f"{FRAMEWORKS.parent}{os.pathsep}{os.environ['PATH']}"  # msrun starts the `python` that it finds
    environment = {**os.environ, "PYTHONPATH": str(HOME / "adapter"), "GLOG_v": "3", "PATH": path}
    found: dict[str, list[list[float]]] = {"launcher": [], "msrun": []}
    for _ in range(rounds):
        port = _free_port()
        commands = {
            "launcher": [str(FRAMEWORKS), "-m", "torchspore.launch", "--nproc", str(RANKS), str(script)],
            "msrun": [
                str(FRAMEWORKS.with_name("msrun")), f"--worker_num={RANKS}", f"--local_worker_num={RANKS}",
                f"--master_port={port}", "--join=True", str(script),
            ],
        }  # fmt: skip
        for name, argv in commands.items():
            before = time.perf_counter()
            ended = subprocess.run(argv, env=environment, cwd=folder, capture_output=True, text=True, timeout=PATIENCE)
            if ended.returncode:
                raise Crashed(f"{name}: {ended.stdout[-1000:]}{ended.stderr[-1000:]}")
            found[name].append([time.perf_counter() - before, 0.0])
    return found


def _seconds(found: dict[str, list[list[float]]], name: str) -> list[float]:
    return [wall for wall, _ in found[name]]


def _ratio(found: dict[str, list[list[float]]], name: str, reference: str) -> Ratio:
    return _of(found[name], found[reference])


def _of(measured: list[list[float]], reference: list[list[float]]) -> Ratio:
    ratios = [one[0] / other[0] for one, other in zip(measured, reference, strict=True)]
    computed = [one[1] / other[1] for one, other in zip(measured, reference, strict=True) if other[1]]
    return Ratio(median(ratios), min(ratios), max(ratios), median(computed) if computed else 0.0)


def _free_port() -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])
