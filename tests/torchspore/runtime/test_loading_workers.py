"""Workers: the same batches and the same seeds as torch's workers, errors that arrive, ends that leave nothing
behind."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import loaded
import pytest
import torch
import torch.utils.data as theirs
from test_loading_batches import TheirCount, plain, same_state, seeded

from processes import HANGS
from torchspore._runtime.data import loader, workers
from torchspore._runtime.random import generator as streams

pytestmark = [pytest.mark.frameworks, pytest.mark.processes, pytest.mark.usefixtures("of_mindspore")]

HERE = Path(__file__).resolve().parent
ADAPTER = HERE.parents[2] / "adapter"


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    yield
    gc.collect()
    assert not children(workers.nursery()._process.pid)


def children(process: int) -> list[int]:
    folder = Path(f"/proc/{process}/task")
    return [int(child) for task in folder.iterdir() for child in (task / "children").read_text().split()]


def until(condition: Callable[[], bool]) -> None:
    limit = time.monotonic() + HANGS
    while not condition():
        assert time.monotonic() < limit
        time.sleep(0.01)


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("persistent", [False, True])
def test_the_same_batches(count: int, persistent: bool) -> None:
    seeded(8)
    options: dict[str, Any] = {"batch_size": 3, "shuffle": True, "num_workers": count, "persistent_workers": persistent}
    pair = [kind(loaded.Numbers(20), **options) for kind in (loader.DataLoader, theirs.DataLoader)]
    for _ in range(3):
        assert [plain(each) for each in pair[0]] == [plain(each) for each in pair[1]]
        same_state()


@pytest.mark.parametrize("own", [False, True])
def test_the_same_seeds_in_workers(own: bool) -> None:
    seeded(4)
    generators = (streams.Generator().manual_seed(1), torch.Generator().manual_seed(1)) if own else (None, None)
    pair = [
        kind(loaded.Seeded(9, framework), batch_size=2, num_workers=2, generator=generator, prefetch_factor=1)
        for kind, framework, generator in zip(
            (loader.DataLoader, theirs.DataLoader), ("torchspore", "torch"), generators, strict=True
        )
    ]
    for _ in range(2):
        assert [plain(each) for each in pair[0]] == [plain(each) for each in pair[1]]
    same_state()


@pytest.mark.parametrize("persistent", [False, True])
@pytest.mark.parametrize("batch", [None, 2])
def test_datasets_without_numbers(persistent: bool, batch: int | None) -> None:
    options: dict[str, Any] = {"batch_size": batch, "num_workers": 2, "persistent_workers": persistent}
    pair = loader.DataLoader(loaded.Count(), **options), theirs.DataLoader(TheirCount(), **options)
    for _ in range(2):
        assert [plain(each) for each in pair[0]] == [plain(each) for each in pair[1]]


def test_what_is_called_before_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_before", [])
    for _ in range(2):
        workers.before_work("loaded:prepare")
    found = list(loader.DataLoader(loaded.Prepared(3), batch_size=None, num_workers=1))
    assert found == [1, 1, 1]


def test_out_of_order_nothing_is_lost() -> None:
    found = list(
        loader.DataLoader(range(40), batch_size=None, num_workers=2, in_order=False)
    )  # fmt: skip
    assert sorted(found) == list(range(40))


def test_workers_stay_if_asked() -> None:
    processes = []
    for persistent in (False, True):
        one = loader.DataLoader(
            loaded.Numbers(4), batch_size=1, num_workers=1, collate_fn=loaded.keep_process,
            persistent_workers=persistent, worker_init_fn=loaded.begin_with_numbers,
        )  # fmt: skip
        processes.append([len({process for _ in range(2) for process, _ in one})])
    assert processes == [[2], [1]]


def test_an_error_arrives_with_its_type_and_lines() -> None:
    for kind in (loader.DataLoader, theirs.DataLoader):
        with pytest.raises(KeyError) as caught:
            list(kind(loaded.Faulty("error"), num_workers=2))
        text = str(caught.value)
        assert text.startswith("Caught KeyError in DataLoader worker process 1.\nOriginal Traceback")
        assert "loaded.py" in text and text.rstrip().endswith("KeyError: 'no 5'")


def test_an_error_that_needs_more_than_a_text() -> None:
    for kind in (loader.DataLoader, theirs.DataLoader):
        with pytest.raises(RuntimeError, match=r"(?s)Caught Unlucky .*loaded\.py"):
            list(kind(loaded.Faulty("unlucky"), num_workers=1))


def test_after_an_error_the_others_go_on() -> None:
    numbers = []
    for kind in (loader.DataLoader, theirs.DataLoader):
        batches = iter(kind(loaded.Faulty("error"), batch_size=2, num_workers=2))
        found: list[Any] = []
        while len(found) < 6:
            try:
                found.append(plain(next(batches)))
            except KeyError:
                found.append("error")
        with pytest.raises(StopIteration):
            next(batches)
        numbers.append(found)
    assert numbers[0] == numbers[1]


def test_a_worker_that_cannot_begin() -> None:
    for kind in (loader.DataLoader, theirs.DataLoader):
        with pytest.raises(ValueError, match="worker 0 cannot begin"):
            list(kind(loaded.Numbers(4), num_workers=2, worker_init_fn=loaded.fail_to_begin))


@pytest.mark.parametrize(("what", "how"), [("killed", "SIGKILL"), ("left", "exit code 7")])
def test_a_worker_that_ends(what: str, how: str) -> None:
    with pytest.raises(RuntimeError, match=rf"worker \(pid\(s\) \d+\) exited unexpectedly: .*{how}"):
        list(loader.DataLoader(loaded.Faulty(what), num_workers=2))


def test_a_worker_that_takes_too_long(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match=r"timed out after 0\.5 seconds"):
        list(loader.DataLoader(loaded.Faulty("stuck", str(tmp_path)), num_workers=1, timeout=0.5))


def iter_of_nothing() -> Any:
    """A generator, which is in the middle of something and so cannot be sent."""
    yield


def test_what_cannot_be_sent() -> None:
    with pytest.raises(TypeError, match="num_workers=0"):
        list(loader.DataLoader(loaded.Numbers(3), num_workers=1, collate_fn=iter_of_nothing().send))
    with pytest.raises(Exception, match=r"lambda|pickle"):
        list(loader.DataLoader(loaded.Strange(3), num_workers=1, collate_fn=loaded.keep))


def test_an_iterator_that_is_left_ends_its_workers() -> None:
    batches = iter(loader.DataLoader(loaded.Numbers(20), num_workers=2))
    next(batches)
    running = children(workers.nursery()._process.pid)
    assert len(running) == 2
    del batches
    gc.collect()
    assert not children(workers.nursery()._process.pid)


PROGRAM = """
import sys
import numpy as np
import mindspore
from mindspore import ops
from torchspore._runtime.data.datasets import Dataset
from torchspore._runtime.data.loader import DataLoader

FACTOR = 3
square = lambda x: x * x

class Base(Dataset):
    def __init__(self, size):
        super().__init__()
        self.size = size
    def __len__(self):
        return self.size

class Squares(Base):
    def __init__(self, size, also):
        super().__init__(size)
        self.also = also
    def __getitem__(self, index):
        weight = mindspore.Tensor(np.full((2, 2), index, np.float32))
        return Sample(ops.matmul(weight, weight) * FACTOR, square(self.also(index)))

class Sample:
    def __init__(self, tensor, number):
        self.tensor, self.number = tensor, number

busy = mindspore.Tensor(np.ones((64, 64), np.float32))
for _ in range(5):
    busy = ops.matmul(busy, busy) * 0.01
for epoch in range(2):
    for batch in DataLoader(Squares(4, lambda x: x + 1), batch_size=2, num_workers=2, collate_fn=lambda batch: batch):
        for sample in batch:
            assert isinstance(sample, Sample) and isinstance(sample.tensor, mindspore.Tensor)
            print(sample.tensor.asnumpy().tolist(), sample.number)
"""


def run(program: str, folder: Path, *arguments: str) -> subprocess.Popen[str]:
    script = folder / "program.py"
    script.write_text(program)
    environment = {**os.environ, "PYTHONPATH": f"{ADAPTER}:{HERE}", "GLOG_v": "3"}
    return subprocess.Popen(
        [sys.executable, str(script), *arguments], env=environment, text=True, cwd=folder, process_group=0,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def test_a_program_as_people_write_it(tmp_path: Path) -> None:
    """Without a guard around its main part, with classes and lambdas of its own, after computing with MindSpore, and
    computing in its workers."""
    out, err = run(PROGRAM, tmp_path).communicate(timeout=HANGS)
    assert out.splitlines() == [f"{[[6.0 * n * n] * 2] * 2} {(n + 1) ** 2}" for n in range(4)] * 2, err


ALONE = """
import sys
import loaded
from torchspore._runtime.data.loader import DataLoader
from torchspore._runtime.files import reading, safe, writing
from torchspore._runtime.init import filling
from torchspore._runtime.random import discrete, draws, gamma, generator, integers
batches = list(DataLoader(range(5), batch_size=None, num_workers=1))
print(batches, [name for name in ("mindspore", "torch", "scipy") if name in sys.modules])
"""


def test_loading_needs_neither_framework(tmp_path: Path) -> None:
    out, err = run(ALONE, tmp_path).communicate(timeout=HANGS)
    assert out == "[0, 1, 2, 3, 4] []\n", err


INTERRUPTED = """
import os, sys
import loaded
from torchspore._runtime.data import workers
from torchspore._runtime.data.loader import DataLoader
batches = DataLoader(loaded.Faulty("stuck", sys.argv[1]), num_workers=2)
iterator = iter(batches)
next(iterator)
with open(os.path.join(sys.argv[1], "nursery"), "w") as file:
    file.write(str(workers.nursery()._process.pid))
for _ in iterator:
    pass
"""


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_an_interrupted_program_leaves_nothing(how: signal.Signals, tmp_path: Path) -> None:
    program = run(INTERRUPTED, tmp_path, str(tmp_path))
    until(lambda: all((tmp_path / name).exists() and (tmp_path / name).read_text() for name in ("stuck", "nursery")))
    processes = [int((tmp_path / name).read_text()) for name in ("stuck", "nursery")]
    processes += children(processes[1])
    program.send_signal(how)
    _, err = program.communicate(timeout=HANGS)
    assert program.returncode == -how
    assert ("KeyboardInterrupt" in err) is (how == signal.SIGINT) and err.count("Traceback") <= 1
    until(lambda: not any(Path(f"/proc/{process}").exists() for process in processes))
