"""The adapter beside a real torch in one process, copies of what it makes, and Ctrl-C while processes run."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from harness import ADAPTER, reserved_port, torch_environments

from processes import HANGS, await_end

pytestmark = [pytest.mark.frameworks, pytest.mark.processes]

BESIDE = """
import numpy as np

def numbers(module, values):
    made = module.full((2, 3), values) if module is torchspore else module.full((2, 3), values)
    return module.abs(made), module.cat([made, made], 1), module.max(made, 1)

names = {name: getattr(torch, name) for name in ("abs", "cat", "max", "full", "float32", "Tensor", "nn", "distributed")}
for value in (-1.5, 2.0):
    for theirs, ours in zip(numbers(torch, value), numbers(torchspore, value)):
        theirs, ours = (part if isinstance(part, tuple) else (part,) for part in (theirs, ours))
        for one, other in zip(theirs, ours, strict=True):
            assert type(one) is torch.Tensor and type(other) is not torch.Tensor
            assert np.array_equal(one.numpy(), other.asnumpy())

# torch's own gradients, random numbers and modules go on as if the adapter were not there.
torch.manual_seed(3)
expected = torch.rand(4)
torchspore.full((2,), 1.0)
torch.manual_seed(3)
assert torch.equal(torch.rand(4), expected)
layer, x = torch.nn.Linear(3, 2), torch.ones(1, 3, requires_grad=True)
torchspore.nn.Linear(3, 2)(torchspore.full((1, 3), 1.0))
layer(x).sum().backward()
assert torch.equal(x.grad, layer.weight.sum(0, keepdim=True))
assert {name: getattr(torch, name) for name in names} == names
assert not issubclass(torchspore.nn.Linear, torch.nn.Module)

# What belongs to the other framework is refused, on either side, and nothing of it is changed.
mine = torchspore.full((2,), 1.0)
for call in (lambda: torchspore.abs(torch.ones(2)), lambda: torchspore.cat([torch.ones(2), torch.ones(2)]),
             lambda: torch.abs(mine), lambda: torchspore.full((2,), 1.0, dtype=torch.float32)):
    try:
        print("taken", call())
    except (TypeError, ValueError, NotImplementedError):
        pass
values = torchspore.full((2,), 1.0).asnumpy()
assert torch.from_numpy(values.copy()).tolist() == [1, 1]
print("beside")
"""


def run(code: str, folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, timeout=HANGS,
        env=os.environ | {"PYTHONPATH": str(ADAPTER), "GLOG_v": "3"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    "first", ["import torch, torchspore, torchspore.nn", "import torchspore, torchspore.nn, torch"]
)
def test_beside_torch_in_one_process(first: str, tmp_path: Path) -> None:
    assert run(f"{first}\n{BESIDE}", tmp_path) == "beside\n"


COPIES = """
import copy, pickle
from datetime import timedelta
import numpy as np
import torchspore, torchspore.nn as nn, torchspore.optim as optim, torchspore.distributed as dist
from torchspore._runtime.collectives import ProcessGroup
from torchspore._runtime.core.copies import NotCopied

def pickled(thing):
    return [pickle.loads(pickle.dumps(thing, protocol)) for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1)]

def refused(call, *arguments):
    try:
        call(*arguments)
    except NotCopied as error:
        assert isinstance(error, TypeError) and isinstance(error, pickle.PicklingError)
        return str(error)
    raise AssertionError(f"{call} took {arguments}")

tensor = torchspore.full((2, 2), 1.5)
for other in (copy.copy(tensor), copy.deepcopy(tensor), *pickled(tensor)):
    assert type(other) is type(tensor) and other.dtype == tensor.dtype
    assert np.array_equal(other.asnumpy(), tensor.asnumpy())

for name in ("float16", "bfloat16", "float32", "float64", "int32", "int64", "bool", "complex64"):
    dtype = getattr(torchspore, name)
    for other in (copy.copy(dtype), copy.deepcopy(dtype), *pickled(dtype)):
        assert other == dtype and {dtype: name}[other] == name

for result in (torchspore.max(tensor, 0), torchspore.sort(tensor), torchspore.median(tensor, 1)):
    for other in (copy.copy(result), copy.deepcopy(result), *pickled(result)):
        assert type(other) is type(result) and other._fields == result._fields
        assert all(np.array_equal(one.asnumpy(), two.asnumpy()) for one, two in zip(other, result, strict=True))

x = torchspore.full((3, 4), 0.5)
layer = nn.Linear(4, 2)
before = layer(x).asnumpy()
for other in (copy.copy(layer), copy.deepcopy(layer), *pickled(layer)):
    assert type(other) is type(layer) and np.array_equal(other(x).asnumpy(), before)
deep = copy.deepcopy(layer)
deep.load_state_dict({name: value * 0 for name, value in layer.state_dict().items()})
assert not deep(x).asnumpy().any() and np.array_equal(layer(x).asnumpy(), before)
both = copy.deepcopy({"a": layer, "b": layer})
assert both["a"] is both["b"] and both["a"] is not layer
for made in (nn.BatchNorm2d(2), nn.Dropout(0.25)):
    assert all(type(other) is type(made) and repr(other) == repr(made) for other in pickled(made))
again = nn.Linear(4, 2)
again.load_state_dict(pickled(layer.state_dict())[-1])
assert np.array_equal(again(x).asnumpy(), before)

optimiser = optim.Adam(layer.parameters(), lr=0.1)
layer(x).sum().backward()
optimiser.step()
for other in (copy.deepcopy(optimiser), *pickled(optimiser)):
    one, two = (each.state_dict()["state"][0]["exp_avg"].asnumpy() for each in (optimiser, other))
    assert type(other) is type(optimiser) and one.any() and np.array_equal(one, two)

group = ProcessGroup("name", [0], 0, timedelta(1))
for call in (copy.copy, copy.deepcopy, pickle.dumps):
    assert "each process makes its own" in refused(call, group)
assert "each process makes its own" in refused(copy.deepcopy, {"kept": [group]})
for kept in (dist.ReduceOp.SUM, torchspore.abs, nn.Linear, dist.all_reduce):
    assert copy.deepcopy(kept) is kept and all(other is kept for other in pickled(kept))
print("copied")
"""


def test_copies_are_equal_or_refused_by_name(tmp_path: Path) -> None:
    assert run(COPIES, tmp_path) == "copied\n"


WAITING = """
import os, sys, threading, time
import numpy as np
from mindspore import Tensor
import torchspore.distributed as dist
dist.init_process_group()
value = Tensor(np.full(3, 1, np.float32))
dist.all_reduce(value)
if dist.get_rank() == 0:
    work = dist.all_reduce(value, async_op=True)  # the other one never comes

    def tell_once_it_waits():
        names = set()
        while "wait" not in names:
            time.sleep(0.01)
            frame, names = sys._current_frames()[threading.main_thread().ident], set()
            while frame:
                names.add(frame.f_code.co_name)
                frame = frame.f_back
        print("ready", os.getpid(), flush=True)

    threading.Thread(target=tell_once_it_waits, daemon=True).start()
    work.wait()
else:
    print("ready", os.getpid(), flush=True)
    time.sleep(3600)
"""


CAUGHT = """
import os, signal, sys, time
{before}
import torchspore
for step in range(3):
    torchspore.abs(torchspore.full((2,), -1.0))
    {between}
try:
    print("ready", flush=True)
    time.sleep(3600)
except KeyboardInterrupt:
    print("saved", torchspore.abs(torchspore.full((2,), -1.0)).asnumpy().tolist(), flush=True)
"""


@pytest.mark.parametrize(
    ("before", "between"),
    [
        ("", ""),
        ("import mindspore", ""),
        ("import mindspore; mindspore.set_device('CPU')", ""),
        ("", "torchspore.max(torchspore.full((2,), 1.0))"),
    ],
)
def test_a_program_can_catch_ctrl_c(before: str, between: str, tmp_path: Path) -> None:
    """To save what it has, as programs do that train for days."""
    process = subprocess.Popen(
        [sys.executable, "-c", CAUGHT.format(before=before, between=between)], cwd=tmp_path, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ | {"PYTHONPATH": str(ADAPTER), "GLOG_v": "3"},
    )  # fmt: skip
    assert process.stdout is not None and process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=HANGS)
    assert (process.returncode, output) == (0, "saved [1.0, 1.0]\n"), errors


def test_a_handler_of_the_program_stays(tmp_path: Path) -> None:
    code = """
import os, signal, time
def told(number, frame):
    print("told", number, flush=True)
for number in (signal.SIGINT, signal.SIGTERM):
    signal.signal(number, told)
import torchspore
torchspore.abs(torchspore.full((2,), -1.0)).asnumpy()
for number in (signal.SIGINT, signal.SIGTERM):
    assert signal.getsignal(number) is told
    os.kill(os.getpid(), number)
"""
    assert run(code, tmp_path) == "told 2\ntold 15\n"


def test_ctrl_c_in_a_terminal_ends_all_ranks(tmp_path: Path) -> None:
    """A terminal tells the launcher and every rank at once, one of them in the middle of a collective."""
    (tmp_path / "script.py").write_text(WAITING)
    process = subprocess.Popen(
        [sys.executable, "-m", "torchspore.launch", "--nproc", "2", "script.py"], cwd=tmp_path, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
        env=os.environ | {"PYTHONPATH": str(ADAPTER), "GLOG_v": "3"},
    )  # fmt: skip
    assert process.stdout is not None
    pids = [int(process.stdout.readline().split()[-1]) for _ in range(2)]
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=HANGS)
    assert process.returncode == 128 + signal.SIGINT
    assert errors.splitlines()[-1] == "torchspore.launch: all ranks were ended by SIGINT."
    await_end(pids)


def test_ctrl_c_ends_a_rank_that_waits_without_a_launcher(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(WAITING)
    with reserved_port() as port:
        ranks = [
            subprocess.Popen(
                [sys.executable, "script.py"], cwd=tmp_path, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                env=os.environ | {"PYTHONPATH": str(ADAPTER), "GLOG_v": "3"} | told,
            )
            for told in torch_environments(2, port)
        ]  # fmt: skip
    try:
        for rank in ranks:
            assert rank.stdout is not None and rank.stdout.readline().startswith("ready")
        ranks[0].send_signal(signal.SIGINT)
        assert ranks[0].wait(HANGS) == -signal.SIGINT
    finally:
        for rank in ranks:
            rank.kill()
            rank.communicate()
