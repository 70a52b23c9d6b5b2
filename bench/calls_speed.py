"""The section about calls in one process: an adapter's call against MindSpore's own, with that against itself as the
control. Needs the environment with torch and MindSpore.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median

from measure import Crashed, Ratio
from tables import Row, Section, Times

HOME = Path(__file__).resolve().parents[1]
WORKER = Path(__file__).with_name("calls_worker.py")
FRAMEWORKS = HOME / ".venv-verify" / "bin" / "python"
SAMPLES = 240  # of a round: ten in each order
Found = dict[str, list[list[tuple[float, float]]]]
"""By name, for each sample: the times of MindSpore's own call, of the adapter's, and of both again."""
ABOVE = {"abs": 0.10, "std": 0.15, "Linear.__call__": 0.10}
"""How much the ratio may be above the control's."""


def measure(folder: Path, rounds: int) -> Section:
    environment = {**os.environ, "PYTHONPATH": str(HOME / "adapter"), "GLOG_v": "3", "OMP_NUM_THREADS": "1"}
    found: Found = {}
    for number in range(1, rounds + 1):  # processes differ by more than calls in one do
        print(f"  process {number} of {rounds}: {', '.join(ABOVE)}", file=sys.stderr)
        for name, samples in _measured(environment, folder).items():
            found.setdefault(name, []).extend(samples)
    rows, over, times = [], [], []
    for name, samples in found.items():
        own, adapted, again = ([sample[at] for sample in samples] for at in range(3))
        control = _of(again, own)
        rows.append(Row(f"{name} : MindSpore's own", _of(adapted, own), round(control.middle + ABOVE[name], 2)))
        spent = [median(wall for wall, _ in each) for each in (own, adapted)]
        over.append(f"{name} {(spent[1] - spent[0]) * 1e6:.1f} µs (control {control.middle:.2f})")
        times.append((name, *spent))
    notes = [
        "the limit is the control's ratio in this run and 0.10 more, for std 0.15 more",
        f"overhead per call: {', '.join(over)}; CPU, MindSpore runtime, {SAMPLES} samples of 10 calls in each of "
        f"{rounds} processes",
    ]
    return Section("calls", rows, Times(("call", "MindSpore's own", "adapter"), times), notes)


def _measured(environment: dict[str, str], folder: Path) -> Found:
    argv = [str(FRAMEWORKS), str(WORKER), str(SAMPLES)]
    ran = subprocess.run(argv, env=environment, cwd=folder, text=True, capture_output=True, timeout=600)
    line = next((line for line in ran.stdout.splitlines() if line.startswith("measured ")), "")
    if not line:
        raise Crashed(ran.stderr[-2000:])
    found: Found = json.loads(line.removeprefix("measured "))
    return found


def _of(measured: list[tuple[float, float]], reference: list[tuple[float, float]]) -> Ratio:
    ratios, computed = (
        [one[at] / other[at] for one, other in zip(measured, reference, strict=True)] for at in range(2)
    )
    return Ratio(median(ratios), min(ratios), max(ratios), median(computed))
