"""The loader: batches of a dataset, in the order of a sampler. In: a dataset and how to go through it. Out: iterators
over batches. Random words are taken in the same places and in the same order as ported programs know it: a seed for the
workers whenever an iterator is made, even without workers, and what samplers draw when their first index is asked for.
"""

from __future__ import annotations

import multiprocessing
import os
import warnings
from collections.abc import Callable, Iterable, Iterator
from multiprocessing.context import BaseContext
from typing import Any

from ..core.errors import UnsupportedArgument
from ..random.generator import Generator
from .collating import default_collate, default_convert
from .datasets import IterableDataset
from .fetching import Fetcher, Source
from .prefetching import Prefetcher
from .samplers import BatchSampler, Endless, RandomSampler, SequentialSampler, drawn_seed

_FIXED = ("batch_size", "batch_sampler", "sampler", "drop_last", "dataset", "persistent_workers")


class DataLoader:
    """Batches of a dataset."""

    def __init__(
        self,
        dataset: Any,
        batch_size: int | None = 1,
        shuffle: bool | None = None,
        sampler: Iterable[Any] | None = None,
        batch_sampler: Iterable[list[Any]] | None = None,
        num_workers: int = 0,
        collate_fn: Callable[[Any], Any] | None = None,
        pin_memory: bool = False,
        drop_last: bool = False,
        timeout: float = 0,
        worker_init_fn: Callable[[int], Any] | None = None,
        multiprocessing_context: Any = None,
        generator: Generator | None = None,
        *,
        prefetch_factor: int | None = None,
        persistent_workers: bool = False,
        pin_memory_device: str = "",
        in_order: bool = True,
    ) -> None:
        _check_workers(num_workers, timeout, prefetch_factor, persistent_workers)
        _check_context(multiprocessing_context, num_workers)
        shuffle = _check_order(dataset, batch_size, shuffle, sampler, batch_sampler, drop_last)
        if batch_sampler is not None:
            batch_size, drop_last = None, False
        if sampler is None:
            sampler = _default_sampler(dataset, shuffle, generator)
        if batch_size is not None:
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)
        self.dataset = dataset
        self.num_workers = num_workers
        self.prefetch_factor = 2 if num_workers and prefetch_factor is None else prefetch_factor
        self.pin_memory = pin_memory
        self.pin_memory_device = pin_memory_device
        self.timeout = timeout
        self.worker_init_fn = worker_init_fn
        self.multiprocessing_context = multiprocessing_context
        self.in_order = in_order
        self.batch_size = batch_size
        self.drop_last = drop_last
        self.sampler = sampler
        self.batch_sampler = batch_sampler
        self.generator = generator
        self.collate_fn = collate_fn or (default_convert if batch_sampler is None else default_collate)
        self.persistent_workers = persistent_workers
        self._kept: Prefetcher | None = None
        self._length_told: int | None = None
        self._made = True
        _warn_of_many(num_workers)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in _FIXED and getattr(self, "_made", False):
            raise ValueError(f"{name} attribute should not be set after {type(self).__name__} is initialized")
        super().__setattr__(name, value)

    @property
    def _indices(self) -> Iterable[Any]:
        return self.sampler if self.batch_sampler is None else self.batch_sampler

    @property
    def _source(self) -> Source:
        return Source(self.dataset, self.batch_sampler is not None, self.collate_fn, self.drop_last)

    def __iter__(self) -> Iterator[Any]:
        if self.persistent_workers and self._kept is not None:
            self._kept.restart()
            return _Counted(self, self._kept)
        if self.pin_memory:
            warnings.warn("pin_memory has no effect: MindSpore copies from ordinary memory.", stacklevel=2)
        indices = iter(self._indices)
        base_seed = drawn_seed(self.generator)
        if not self.num_workers:
            if self.timeout:
                raise AssertionError("timeout is about workers; without them it must be 0")
            return _Counted(self, _batches(indices, Fetcher(self._source)))
        _warn_of_many(self.num_workers)
        prefetcher = Prefetcher(
            self._indices, self._source, self.worker_init_fn, self.num_workers, base_seed,
            ahead=int(self.prefetch_factor or 0), timeout=self.timeout, in_order=self.in_order,
            persistent=self.persistent_workers,
        )  # fmt: skip
        if self.persistent_workers:
            self._kept = prefetcher
        return _Counted(self, prefetcher)

    def __len__(self) -> int:
        if not isinstance(self.dataset, IterableDataset):
            return len(self._indices)  # type: ignore[arg-type]
        length = self._length_told = len(self.dataset)  # type: ignore[arg-type]
        if self.batch_size is None:
            return length
        return length // self.batch_size if self.drop_last else -(-length // self.batch_size)


class _Counted(Iterator[Any]):
    """Goes through batches and warns when a dataset has more than it told."""

    def __init__(self, loader: DataLoader, batches: Iterator[Any]) -> None:
        self._batches = batches
        self._loader = loader
        self._given = 0

    def __next__(self) -> Any:
        batch = next(self._batches)
        self._given += 1
        told = self._loader._length_told
        if told is not None and self._given > told:
            warnings.warn(
                f"Length of IterableDataset {self._loader.dataset} was reported to be {told} (when accessing "
                f"len(dataloader)), but {self._given} samples have been fetched.",
                stacklevel=2,
            )
        return batch

    def __len__(self) -> int:
        return len(self._loader._indices)  # type: ignore[arg-type]


def _default_sampler(dataset: Any, shuffle: bool, generator: Generator | None) -> Iterable[Any]:
    if isinstance(dataset, IterableDataset):
        return Endless()
    return RandomSampler(dataset, generator=generator) if shuffle else SequentialSampler(dataset)


def _batches(indices: Iterator[Any], fetcher: Fetcher) -> Iterator[Any]:
    for index in indices:
        try:
            batch = fetcher.fetch(index)
        except StopIteration:
            return
        yield batch


def _check_workers(workers: int, timeout: float, ahead: int | None, persistent: bool) -> None:
    if workers < 0:
        raise ValueError("num_workers option should be non-negative; use num_workers=0 to disable multiprocessing.")
    if timeout < 0:
        raise ValueError("timeout option should be non-negative")
    if ahead is not None and not workers:
        raise ValueError("prefetch_factor option could only be specified in multiprocessing: let num_workers > 0.")
    if ahead is not None and ahead < 0:
        raise ValueError("prefetch_factor option should be non-negative")
    if persistent and not workers:
        raise ValueError("persistent_workers option needs num_workers > 0")


def _check_context(context: Any, workers: int) -> None:
    """Workers are processes of their own that share nothing with the program, as with `spawn` or `forkserver`."""
    if context is None:
        return
    if not workers:
        raise ValueError("multiprocessing_context can only be used with multi-process loading (num_workers > 0)")
    methods = multiprocessing.get_all_start_methods()
    if isinstance(context, str) and context not in methods:
        raise ValueError(f"multiprocessing_context should be one of {methods}, but got {context!r}")
    if not isinstance(context, str | BaseContext):
        raise TypeError(f"multiprocessing_context should be a context or the name of a start method, but got {context}")
    if (context if isinstance(context, str) else context.get_start_method()) == "fork":
        raise UnsupportedArgument(
            "DataLoader: a forked copy of a process that has computed with MindSpore hangs, so "
            "multiprocessing_context='fork' cannot be honoured; leave it out."
        )


def _check_order(
    dataset: Any, batch_size: int | None, shuffle: bool | None, sampler: object, batch_sampler: object, drop_last: bool
) -> bool:
    """Refuse orders that contradict each other; whether the dataset is shuffled."""
    if isinstance(dataset, IterableDataset):
        for name, value in (("shuffle", shuffle or None), ("sampler", sampler), ("batch_sampler", batch_sampler)):
            if value is not None:
                raise ValueError(
                    f"DataLoader with IterableDataset: expected unspecified {name} option, but got {name}={value}"
                )
    if sampler is not None and shuffle:
        raise ValueError("sampler option is mutually exclusive with shuffle")
    if batch_sampler is not None:
        if batch_size != 1 or shuffle or sampler is not None or drop_last:
            raise ValueError(
                "batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and drop_last"
            )
    elif batch_size is None and drop_last:
        raise ValueError("batch_size=None option disables auto-batching and is mutually exclusive with drop_last")
    return bool(shuffle)


def _warn_of_many(workers: int) -> None:
    most = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    if most is not None and workers > most:
        warnings.warn(
            f"This DataLoader will create {workers} worker processes in total. Our suggested max number of worker in "
            f"current system is {most}, which is smaller than what this DataLoader is going to create.",
            stacklevel=3,
        )
