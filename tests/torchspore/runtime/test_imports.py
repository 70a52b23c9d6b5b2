"""Each part of the runtime can be the first that a program imports."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = [pytest.mark.frameworks, pytest.mark.processes]

PARTS = (
    "tensor",
    "autograd.function",
    "autograd.modes",
    "module",
    "optim",
    "functional.computing",
    "functional",
    "layers",
    "layers.linear",
)


@pytest.mark.parametrize("part", PARTS)
def test_a_part_comes_first(part: str) -> None:
    program = (
        f"import torchspore._runtime.{part}; import numpy; from torchspore._runtime.tensor import from_numpy; "
        "x = from_numpy(numpy.ones(2, numpy.float32), True); (x * x).sum().backward(); print(x.grad.tolist())"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert done.stdout.strip().endswith("[2.0, 2.0]"), done.stderr
