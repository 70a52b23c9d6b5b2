"""Whole programs on both sides: what is run, what is compared, what is told of one without an end."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mapspore.evidence.programs import FOLDER, file_of
from mapspore.verify.curves.names import named
from mapspore.verify.curves.run import Ran, judged, together

pytestmark = [pytest.mark.frameworks, pytest.mark.processes]

HOME = Path(__file__).resolve().parents[2]
TRAINS = '''"""Fits a line by hand."""
import torch
from torch import nn

torch.manual_seed(1)
weight = nn.Parameter(torch.tensor([[0.5, -0.5]]))
x = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 7.0]])
optimizer = torch.optim.SGD([weight], lr=0.01)
for _ in range(5):
    optimizer.zero_grad()
    loss = ((x @ weight.t() - 1) ** 2).mean()
    loss.backward()
    optimizer.step()
{more}
'''
LACKS = "print(torch.distributions.Normal(0.0, 1.0).sample())"
FAILS = "raise SystemError('a word at the end')"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A registry with ours and programs of its own."""
    for name in ("mappings", "facts", "adapter", "mkdocs.yml"):
        (tmp_path / name).symlink_to(HOME / name)
    (tmp_path / FOLDER).mkdir(parents=True)
    (tmp_path / FOLDER / "lacking.py").write_text(TRAINS.format(more=LACKS))
    (tmp_path / FOLDER / "failing.py").write_text(TRAINS.format(more=FAILS))
    return tmp_path


def test_one_program_that_fails_is_told_and_keeps_no_other_from_running(
    root: Path, mapspore: Callable[..., tuple[int, str, str]]
) -> None:
    code, out, err = mapspore("verify", "--programs", "--root", str(root), "--format", "json")
    failing, lacking = json.loads(out)["programs"]
    assert code == 1 and "Traceback" not in err
    assert (failing["outcome"], failing["says"]) == ("no_reference", "SystemError: a word at the end")
    assert (lacking["outcome"], lacking["program"]) == ("fails", "lacking")
    assert "the registry has no entry for it yet" in lacking["says"]
    assert "torch.distributions.Normal" in lacking["lacking"]
    assert {"torch.Tensor.backward", "torch.manual_seed", "torch.optim.SGD"} <= set(lacking["apis"])
    assert "torch.zeros" not in lacking["lacking"] and lacking["processor"]
    for result in (failing, lacking):
        assert json.loads(file_of(root, result["program"]).read_text()).items() >= result.items()


def test_a_program_that_is_not_there(root: Path, mapspore: Callable[..., tuple[int, str, str]]) -> None:
    code, _, err = mapspore("verify", "--programs", "no_such_program", "--root", str(root), "--no-evidence")
    assert code == 2 and "no_such_program" in err and "failing, lacking" in err
    assert not file_of(root, "failing").exists()


CURVE = {
    "loss": np.array([2.0, 1.0]),
    "seconds": np.array([0.1, 0.3]),
    "gradient/0/0": np.array([[1.0, -4.0]]),
    "state/0/weight": np.array([3.0, 4.0]),
}


def off(factor: float) -> dict[str, Any]:
    return CURVE | {"loss": CURVE["loss"] * factor}


@pytest.mark.parametrize(
    ("perturbed", "adapter", "outcome"),
    [
        (1 + 1e-6, 1 + 1.9e-5, "agrees"),
        (1 + 1e-6, 1 + 2.1e-5, "differs"),
        (1.0, 1 + 9e-6, "agrees"),
        (1.0, 1 + 1.1e-5, "differs"),
        (1 + 6e-5, 1.0, "ill_posed"),
        (1.0, float("nan"), "differs"),
    ],
)
def test_a_program_agrees_within_what_torch_strays_from_itself(perturbed: float, adapter: float, outcome: str) -> None:
    found = judged({"reference": Ran(CURVE), "perturbed": Ran(off(perturbed)), "adapter": Ran(off(adapter))})
    assert found["outcome"] == outcome
    assert found["seconds"] == {"torch": 0.2, "mindspore": 0.2}
    json.dumps(found, allow_nan=False)


def test_a_run_without_an_end_is_an_outcome() -> None:
    whole, broken = Ran(CURVE), Ran(None, "ValueError: no")
    failed = judged({"reference": whole, "perturbed": whole, "adapter": broken})
    assert failed == {"outcome": "fails", "says": "ValueError: no"}
    assert judged({"reference": broken})["outcome"] == "no_reference"


def test_all_ranks_count() -> None:
    whole = together([CURVE, off(2.0)])
    assert whole["loss/rank 1/"].tolist() == [4.0, 2.0] and whole["loss"].tolist() == [2.0, 1.0]
    assert whole["state/rank 1/0/weight"].tolist() == [3.0, 4.0] and "seconds/rank 1/" not in whole


def test_what_a_program_names() -> None:
    text = (
        "import torch.nn.functional as F, os\nimport torch\nimport torch.utils.data\nfrom torch import nn as layers\n"
        "from torch.optim import SGD\nF.relu(torch.zeros(1)); layers.Linear(1, 1); torch.utils.data.DataLoader\n"
        "os.path.join; x.backward()\n"
    )
    assert named(text) >= {
        "torch.nn.functional.relu", "torch.zeros", "torch.nn.Linear", "torch.optim.SGD", "torch.utils.data.DataLoader",
    }  # fmt: skip
    assert not any(name.startswith("os") or "backward" in name for name in named(text))
