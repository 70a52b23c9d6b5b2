"""Small programs before and after `mapspore migrate`: both run, in processes of their own, and print the same; one that
the tool refuses stays as it is, byte for byte."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from processes import HANGS

pytestmark = [pytest.mark.frameworks, pytest.mark.processes]

HOME = Path(__file__).resolve().parents[2]
Files = dict[str, str]

CHAIN = """import torch

SIZES = 3, 4


def table(rows, columns):
    numbers = torch.arange(0.0, rows * columns)
    return torch.abs(numbers - 5).view(rows, columns)


def spread(values):
    order = torch.sort(values, dim=1, descending=True)
    return order.values, torch.std(values, dim=1)


rows = table(*SIZES)
largest, deviations = spread(rows)
joined = torch.cat([largest, rows], dim=0)
best, places = torch.topk(joined, 2, dim=1)
for row in range(6):
    print(row, joined[row, 0].item(), best[row, 1].item(), places[row, 0].item())
print([round(deviations[row].item(), 4) for row in range(3)])
"""

LAYERS = """import torch
import torch.nn as nn
import torch.nn.functional as F


class Scorer:
    \"\"\"Two layers with weights that are given.\"\"\"

    def __init__(self, width, dtype=torch.float32):
        self.first, self.last = nn.Linear(width, 3), nn.Linear(3, 1)
        self.first.load_state_dict(filled((3, width), 0.5, dtype))
        self.last.load_state_dict(filled((1, 3), -0.25, dtype))

    def __call__(self, rows):
        return self.last(F.leaky_relu(self.first(rows), 0.1))


def filled(shape, value, dtype):
    return {"weight": torch.full(shape, value, dtype=dtype), "bias": torch.full(shape[:1], 1.0, dtype=dtype)}


scores = Scorer(4)(torch.arange(8.0).view(2, 4) - 3)
wanted = torch.full((2, 1), 0.5)
print([round(scores[row, 0].item(), 5) for row in range(2)])
print(round(F.smooth_l1_loss(scores, wanted).item(), 5))
"""

LOADING = """import torch
from torch.utils.data.distributed import DistributedSampler

samples = torch.arange(20.0).view(10, 2)


def batches(rank, epoch):
    sampler = DistributedSampler(range(10), num_replicas=2, rank=rank, seed=4)
    sampler.set_epoch(epoch)
    chosen = list(sampler)
    for start in range(0, len(chosen), 2):
        yield torch.cat([samples[index : index + 1] for index in chosen[start : start + 2]])


for rank in range(2):
    for batch in batches(rank, epoch=1):
        print(rank, [batch[row, 1].item() for row in range(len(batch))])
"""

TWO_FILES = {
    "numbers_of_ours.py": """import torch

START = 2


def ramp(size, dtype=torch.float32):
    return torch.arange(START, START + size, dtype=dtype)
""",
    "main.py": """import torch
from numbers_of_ours import START, ramp

values = torch.abs(ramp(4) - 3.5)
print(START, torch.max(values).item(), torch.argmin(values).item(), torch.median(values).item())
""",
}

SEPARATE = """import torch


def moved(size):
    values = torch.abs(torch.arange(size) - 3)
    return torch.max(values).item()


def kept(size):
    weights = torch._softmax(torch.arange(0.0, size), 0, False)
    return weights.tolist()


print(moved(9))
print([round(each, 4) for each in kept(3)])
"""

TRAINING = """import torch
from torch import nn


class Line(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(1, 1)

    def forward(self, points):
        return self.layer(points)


points = torch.arange(8.0).view(8, 1) / 8
model = Line()
with torch.no_grad():
    model.layer.weight.fill_(0.0)
    model.layer.bias.fill_(0.0)
optimiser = torch.optim.Adam(model.parameters(), lr=0.1)
for step in range(5):
    loss = nn.functional.smooth_l1_loss(model(points), points * 2 - 1)
    optimiser.zero_grad()
    loss.backward()
    optimiser.step()
    print(round(loss.item(), 4))
"""

DIRECT = """import torch


def steps(size):
    return torch.abs(torch.arange(0.0, size) - 3)


numbers = steps(7)
for index in range(7):
    print(index, numbers[index].item())
"""


def run(folder: Path, program: str) -> str:
    done = subprocess.run(
        [sys.executable, program], cwd=folder, capture_output=True, text=True, timeout=HANGS,
        env={**os.environ, "GLOG_v": "3"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def migrated(folder: Path, files: Files, *options: str) -> dict[str, Any]:
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")
    command = [sys.executable, "-m", "mapspore", "migrate", ".", "--write", "--format", "json", "--root", str(HOME)]
    environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache")}
    done = subprocess.run(
        [*command, *options], cwd=folder, env=environment, capture_output=True, text=True, check=True, timeout=HANGS
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def texts(folder: Path, files: Files) -> Files:
    return {name: (folder / name).read_text("utf-8") for name in files}


def before_and_after(folder: Path, files: Files, program: str, *options: str) -> tuple[str, str, dict[str, Any]]:
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")
    before = run(folder, program)
    account = migrated(folder, files, *options)
    return before, run(folder, program), account


@pytest.mark.parametrize("text", [CHAIN, LAYERS, LOADING], ids=["chain", "layers", "loading"])
def test_a_program_runs_on_mindspore_and_prints_the_same(text: str, tmp_path: Path) -> None:
    before, after, account = before_and_after(tmp_path, {"main.py": text}, "main.py")
    assert before and after == before
    assert account["programs"] == {"total": 1, "ready": ["main.py"]} and account["left"] == []
    assert "import torch\n" not in (tmp_path / "main.py").read_text("utf-8")


def test_two_files_move_together(tmp_path: Path) -> None:
    before, after, account = before_and_after(tmp_path, TWO_FILES, "main.py")
    assert before and after == before
    assert account["files"]["ready"] == ["main.py", "numbers_of_ours.py"]
    assert all("import torchspore as torch\n" in text for text in texts(tmp_path, TWO_FILES).values())


def test_of_two_flows_that_never_meet_one_moves(tmp_path: Path) -> None:
    before, after, account = before_and_after(tmp_path, {"main.py": SEPARATE}, "main.py")
    assert before and after == before
    made = (tmp_path / "main.py").read_text("utf-8")
    assert "torchspore.abs(torchspore.arange(size) - 3)" in made and "torch._softmax(torch.arange(" in made
    assert account["programs"] == {"total": 1, "ready": []}


def test_direct_calls_run_too(tmp_path: Path) -> None:
    options = ("--mode", "direct", "--platform", "CPU")
    before, after, account = before_and_after(tmp_path, {"main.py": DIRECT}, "main.py", *options)
    assert before and after == before and account["programs"]["ready"] == ["main.py"]
    made = (tmp_path / "main.py").read_text("utf-8")
    assert "torch" not in made and "mindspore.mint.arange(" not in made, "it has no kernel on a CPU"


@pytest.mark.parametrize("mode", ["adapter", "direct"])
def test_a_training_program_moves_as_a_whole_or_stays(mode: str, tmp_path: Path) -> None:
    """Whichever the registry allows: never an optimiser of one framework with parameters of the other."""
    files = {"main.py": TRAINING}
    before, after, account = before_and_after(tmp_path, files, "main.py", "--mode", mode, "--platform", "CPU")
    assert before and after == before
    made = [
        line for line in texts(tmp_path, files)["main.py"].splitlines() if not line.lstrip().startswith("# mapspore[")
    ]
    if account["programs"]["ready"]:
        assert "import torch" not in made
    else:
        assert made == TRAINING.splitlines() and account["because"]
