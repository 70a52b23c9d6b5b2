"""An error belongs to the call that made it: on a CPU the adapter makes MindSpore synchronous (H11)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mindspore
import numpy as np
import pytest
import torch

import torchspore
from processes import HANGS

pytestmark = [pytest.mark.frameworks, pytest.mark.processes]

ADAPTER = Path(__file__).resolve().parents[2] / "adapter"
LATE: list[tuple[str, Callable[[Any, Any], Any]]] = [
    ("torch.cat", lambda lib, made: lib.cat([])),
    ("torch.cat", lambda lib, made: lib.cat([made((2, 2)), made((3, 3))])),
    ("torch.max", lambda lib, made: lib.max(made((0,)))),
    ("torch.max", lambda lib, made: lib.max(made((2, 2)), 5)),
    ("torch.meshgrid", lambda lib, made: lib.meshgrid()),
    ("torch.meshgrid", lambda lib, made: lib.meshgrid(made((2, 2)))),
    ("torch.topk", lambda lib, made: lib.topk(made((2,)), 7)),
    ("torch.sort", lambda lib, made: lib.sort(made((2,)), 4)),
    ("torch.stack", lambda lib, made: lib.stack([made((2, 2)), made((3, 3))])),
    ("einsum(): ", lambda lib, made: lib.einsum("ij,jk->ik", made((2, 3)), made((2, 3)))),
    ("", lambda lib, made: lib.nn.functional.leaky_relu(made((2,)).to(lib.int64))),
]


def of_torch(shape: tuple[int, ...]) -> Any:
    return torch.ones(shape)


def of_mindspore(shape: tuple[int, ...]) -> Any:
    return mindspore.Tensor(np.ones(shape, np.float32))


@pytest.mark.parametrize(("api", "call"), LATE)
def test_h11_an_error_is_raised_by_the_call_that_made_it(api: str, call: Callable[[Any, Any], Any]) -> None:
    with pytest.raises(Exception) as theirs:
        call(torch, of_torch)
    with pytest.raises(type(theirs.value)) as ours:
        call(torchspore, of_mindspore)
    assert str(ours.value).startswith(api)
    assert torchspore.arange(3).tolist() == [0, 1, 2]  # nothing is left over


def test_h11_a_computation_of_mindspore_itself_fails_in_its_place() -> None:
    one, other = of_mindspore((2,)), of_mindspore((3,))
    with pytest.raises(Exception):  # noqa: B017 - MindSpore's own, of whatever type
        one + other
    assert torchspore.abs(one).tolist() == [1.0, 1.0]


PROGRAM = """
import json, sys
{before}
import torchspore
{between}
torchspore.abs
print(json.dumps([torchspore.synchronous(), mindspore.get_context("pynative_synchronize")]))
"""


def run(program: str, **environment: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": str(ADAPTER), "GLOG_v": "3", **environment}
    return subprocess.run(
        [sys.executable, "-c", program], env=env, capture_output=True, text=True, timeout=HANGS, check=False
    )


def told(before: str, between: str = "", **environment: str) -> list[bool]:
    """Whether the adapter is synchronous, and MindSpore by its own setting."""
    done = run(PROGRAM.format(before=before, between=between), **environment)
    assert done.returncode == 0, done.stderr
    found: list[bool] = json.loads(done.stdout.splitlines()[-1])
    return found


def test_h11_a_choice_that_somebody_made_is_left_alone(record_property: Callable[[str, object], None]) -> None:
    imported, asynchronous = "import mindspore", {"TORCHSPORE_SYNCHRONOUS": "0"}
    record_property("inputs", 7)
    assert told(imported) == [True, True]
    assert told(imported, "mindspore.set_context(pynative_synchronize=False)") == [False, False]
    assert told(imported, **asynchronous) == [False, False]
    assert told(f"{imported}; mindspore.runtime.launch_blocking()", **asynchronous) == [True, False]
    assert told(f"{imported}; mindspore.set_context(pynative_synchronize=True)", **asynchronous) == [True, True]
    switched = "torchspore.synchronous(False); torchspore.synchronous(True); torchspore.synchronous(False)"
    assert told(imported, switched) == [False, False]
    odd = run(PROGRAM.format(before=imported, between=""), TORCHSPORE_SYNCHRONOUS="maybe")
    assert odd.returncode == 1 and "must be 0 or 1, but it is 'maybe'" in odd.stderr


LATER = """
import mindspore
{before}
import torchspore
{between}
def said(call):
    try:
        call()
    except Exception as error:
        return type(error).__name__ + " " + str(error).splitlines()[0]
    return "nothing"
one = mindspore.Tensor([1.0])
for call in (
    lambda: {fails},
    lambda: torchspore.abs(one).tolist(),
    lambda: torchspore.nn.Linear(3, 2)(mindspore.Tensor([[1.0, 2.0]])),
    lambda: torchspore.arange(3).tolist(),
):
    print(said(call))
"""


def test_h11_an_asynchronous_error_is_not_blamed_on_a_later_call() -> None:
    """MindSpore's own call is enqueued only; the adapter waits for what it returns."""
    fails = "mindspore.mint.cat([])"
    said = run(LATER.format(before="", between="", fails=fails), TORCHSPORE_SYNCHRONOUS="0").stdout.splitlines()
    assert said[0] == "nothing"
    assert said[1].startswith("Rejected torch.abs or a call before it (MindSpore runs asynchronously")
    assert "torchspore.synchronous(True)" in said[1] and "Concat" in said[1]


def test_h11_errors_are_in_time_though_operations_ran_before_the_adapter_was_loaded() -> None:
    ran = "mindspore.ops.abs(mindspore.Tensor([1.0])).asnumpy()"
    for before, between in ((ran, ""), ("", f"torchspore.synchronous(False); {ran}; torchspore.synchronous(True)")):
        said = run(LATER.format(before=before, between=between, fails="torchspore.cat([])")).stdout.splitlines()
        assert said[0].startswith("Rejected torch.cat: For primitive[Concat]")
        assert said[2] == "RuntimeError mat1 and mat2 shapes cannot be multiplied (1x2 and 3x2)"
        assert said[1] == said[3] == "nothing"


def test_h11_a_program_whose_only_call_fails_does_not_end_well() -> None:
    done = run("import torchspore; torchspore.cat([])")
    assert done.returncode == 1 and "torch.cat: " in done.stderr
