"""What of the adapter is loaded for what: a part of the runtime only where it is needed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from harness import ADAPTER

pytestmark = [pytest.mark.frameworks, pytest.mark.processes]

LOADED = "import json, sys; print(json.dumps([name for name in sys.modules if name.partition('.')[0] in {roots}]))"
ONE = "mindspore.Tensor([-1.0])"


def loaded(code: str, folder: Path, *roots: str) -> set[str]:
    """The modules below some packages that a program has loaded when it ends."""
    program = f"{code}\n{LOADED.replace('{roots}', repr(roots))}"
    env = {**os.environ, "PYTHONPATH": str(ADAPTER), "GLOG_v": "3"}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, env=env, cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_the_package_alone_loads_no_mindspore_and_no_runtime(tmp_path: Path) -> None:
    found = loaded("import torchspore", tmp_path, "torchspore", "mindspore")
    assert found == {"torchspore", "torchspore._lazy"}


@pytest.mark.parametrize(
    "code",
    [
        f"torchspore.abs({ONE})",
        f"torchspore.std({ONE}, 0, False)",
        f"torchspore.nn.Linear(1, 1)({ONE})",
        f"torchspore.nn.functional.leaky_relu({ONE})",
        "torchspore.optim.Adam; torchspore.float32; torchspore.use(None)",
    ],
)
def test_what_one_process_does_loads_nothing_of_the_collectives(code: str, tmp_path: Path) -> None:
    found = loaded(f"import mindspore, torchspore; {code}", tmp_path, "torchspore")
    assert "torchspore._runtime.core.targets" in found
    assert [name for name in found if "collectives" in name or "distributed" in name] == []


def test_the_collectives_load_nothing_of_the_calls(tmp_path: Path) -> None:
    found = loaded("import torchspore._runtime.collectives", tmp_path, "torchspore")
    assert "torchspore._runtime.collectives.groups" in found
    assert [name for name in found if name.endswith("calls")] == []
