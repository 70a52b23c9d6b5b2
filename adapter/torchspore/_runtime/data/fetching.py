"""How a batch is read from a dataset, in this process or in a worker. In: a dataset and what says which samples. Out:
collated batches.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from .datasets import IterableDataset


class Source(NamedTuple):
    """What batches are read from: the dataset, whether samples are put together, by what, and whether a last batch
    that is not full counts."""

    dataset: Any
    batches: bool
    collate: Callable[[Any], Any]
    drop_last: bool

    @property
    def has_numbers(self) -> bool:
        return not isinstance(self.dataset, IterableDataset)


class Fetcher:
    """Reads batches. A dataset without numbers is gone through once; its end is a StopIteration."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._iterator = None if source.has_numbers else iter(source.dataset)
        self._ended = False

    def fetch(self, index: Any) -> Any:
        read = self._by_number if self._iterator is None else self._next
        return self._source.collate(read(index))

    def _by_number(self, index: Any) -> Any:
        dataset = self._source.dataset
        if not self._source.batches:
            return dataset[index]
        at_once = getattr(dataset, "__getitems__", None)
        return at_once(index) if at_once else [dataset[each] for each in index]

    def _next(self, index: Any) -> Any:
        if self._ended:
            raise StopIteration
        assert self._iterator is not None
        if not self._source.batches:
            return next(self._iterator)
        samples: list[Any] = []
        for _ in index:
            try:
                samples.append(next(self._iterator))
            except StopIteration:
                self._ended = True
                break
        if not samples or (self._source.drop_last and len(samples) < len(index)):
            raise StopIteration
        return samples


@dataclass(frozen=True)
class WorkerInfo:
    """What a worker knows of itself."""

    id: int
    num_workers: int
    seed: int
    dataset: Any


_worker: WorkerInfo | None = None


def get_worker_info() -> WorkerInfo | None:
    """What this worker knows of itself; None in a process that is no worker."""
    return _worker


def become_worker(worker: WorkerInfo) -> None:
    global _worker
    _worker = worker
