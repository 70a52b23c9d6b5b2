"""What a program leaves of its training, and how far two of its curves are apart."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from mapspore.verify.curves import observe
from mapspore.verify.curves.deviation import LEAST, Bound, bound, deviation

pytestmark = [pytest.mark.frameworks, pytest.mark.processes]

PROGRAMS = Path(__file__).resolve().parents[2] / "examples" / "programs"
CURVE = {
    "loss": np.array([2.0, 1.0]),
    "seconds": np.array([0.1]),
    "gradient/0/0": np.array([[1.0, -4.0]]),
    "gradient/0/1": np.array([1e-9]),
    "state/0/weight": np.array([3.0, 4.0]),
}


def left(program: str, out: Path, *options: str) -> dict[str, np.ndarray]:
    """The curve of a program, run in a process of its own."""
    command = [sys.executable, observe.__file__, *options, str(out), str(PROGRAMS / program)]
    subprocess.run(command, check=True, capture_output=True, timeout=600)
    with np.load(out) as curve:
        return dict(curve)


def test_a_program_leaves_its_curve_and_is_well_posed(tmp_path: Path) -> None:
    once, again = (left("adversarial_pair.py", tmp_path / f"{number}.npz") for number in range(2))
    noisy = left("adversarial_pair.py", tmp_path / "noisy.npz", "--perturb", "0")
    assert len(once["loss"]) == 312 and np.isfinite(once["loss"]).all()
    assert {name.partition("/")[0] for name in once} == {"loss", "seconds", "gradient", "state"}
    assert sum(name.startswith("gradient/1/") for name in once) == 6, "the second optimiser's first step counts too"
    assert deviation(once, again).loss == deviation(once, again).state == 0
    strayed = deviation(once, noisy)
    assert 0 < strayed.loss < 1e-4 and 0 < strayed.gradient < 1e-4
    assert not bound(once, noisy).ill_posed and bound(once, noisy).holds(strayed)


@pytest.mark.parametrize(
    ("name", "value", "sort", "expected"),
    [
        ("loss", [2.0, 1.002], "loss", 0.001),
        ("gradient/0/0", [[1.0, -4.004]], "gradient", 0.001),
        ("gradient/0/1", [2e-9], "gradient", 1e-9 / 4e-3),
        ("state/0/weight", [3.003, 4.004], "state", 0.001),
        ("loss", [2.0, np.nan], "loss", np.inf),
        ("loss", [2.0], "loss", np.inf),
    ],
)
def test_a_deviation_is_relative_to_what_strays(name: str, value: list[float], sort: str, expected: float) -> None:
    found = deviation(CURVE, CURVE | {name: np.array(value)})
    assert found.of(sort) == pytest.approx(expected)
    assert not Bound(LEAST, LEAST, LEAST).holds(found) or expected < LEAST


def test_curves_of_other_programs_are_infinitely_far() -> None:
    assert deviation(CURVE, {name: value for name, value in CURVE.items() if name != "gradient/0/1"}).loss == np.inf


def test_a_program_that_rounding_takes_away_is_ill_posed() -> None:
    assert bound(CURVE, CURVE | {"loss": np.array([2.0, 1.001])}).ill_posed
    assert bound(CURVE, CURVE) == Bound(LEAST, LEAST, LEAST)
