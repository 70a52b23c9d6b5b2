"""Datasets that tests load with and without workers. They need neither framework, so that a worker starts quickly."""

from __future__ import annotations

import os
import random
import signal
import time
from collections import namedtuple
from collections.abc import Iterator
from typing import Any

import numpy as np

from torchspore._runtime.data.datasets import IterableDataset
from torchspore._runtime.data.fetching import get_worker_info

Pair = namedtuple("Pair", ["left", "right"])


class Numbers:
    """Samples of every kind that can be put together."""

    def __init__(self, size: int) -> None:
        self.size = size

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, index: int) -> Any:
        image = np.full((2, 3), index, np.float32)
        return image, index, {"half": index / 2, "name": f"sample {index}"}, Pair(np.int16(index), index % 2 == 0)


class Seeded(Numbers):
    """Samples that are drawn: by Python, by NumPy and by a framework."""

    def __init__(self, size: int, framework: str) -> None:
        super().__init__(size)
        self.framework = framework

    def __getitem__(self, index: int) -> Any:
        return index, random.random(), np.random.rand(2), drawn(self.framework)


def drawn(framework: str) -> float:
    if framework == "torch":
        import torch

        return float(torch.rand(1))
    from torchspore._runtime.random.draws import uniform
    from torchspore._runtime.random.generator import default_generator

    return float(uniform(default_generator, (1,))[0])


class Unlucky(Exception):
    """An error that cannot be made of a mere text."""

    def __init__(self, first: int, second: int) -> None:
        super().__init__(first, second)


class Faulty(Numbers):
    """Something happens at sample 5."""

    def __init__(self, what: str, folder: str = "") -> None:
        super().__init__(12)
        self.what = what
        self.folder = folder

    def __getitem__(self, index: int) -> Any:
        if index != 5:
            return index
        if self.what == "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        if self.what == "left":
            os._exit(7)
        if self.what == "stuck":
            self.say("stuck")
            time.sleep(3600)
        if self.what == "unlucky":
            raise Unlucky(1, 2)
        return {}[f"no {index}"]

    def say(self, what: str) -> None:
        with open(os.path.join(self.folder, what), "w") as file:
            file.write(str(os.getpid()))


PREPARED: list[str] = []


def prepare() -> None:
    PREPARED.append("once")


class Prepared(Numbers):
    """Samples that tell how often this process was prepared."""

    def __getitem__(self, index: int) -> Any:
        return len(PREPARED)


class Strange(Numbers):
    """Samples whose type cannot be sent."""

    def __getitem__(self, index: int) -> Any:
        return lambda: index


def counted(size: int, workers: Any) -> Iterator[int]:
    """The numbers of a worker, or all."""
    start, step = (0, 1) if workers is None else (workers.id, workers.num_workers)
    yield from range(start, size, step)


class Count(IterableDataset[int]):
    """Samples without numbers, which say that they are fewer."""

    def __iter__(self) -> Iterator[int]:
        return counted(11, get_worker_info())

    def __len__(self) -> int:
        return 9


def keep(samples: list[Any]) -> list[Any]:
    return samples


def keep_process(samples: list[Any]) -> tuple[int, list[Any]]:
    return os.getpid(), samples


def fail_to_begin(worker: int) -> None:
    raise ValueError(f"worker {worker} cannot begin")


def begin_with_numbers(worker: int) -> None:
    random.seed(worker)
