"""Batches that workers read ahead. In: indices, a source, how many workers and how far ahead. Out: batches, in the
order of their indices unless told otherwise. Indices are taken from the sampler in the same moments as ported programs
take them: some when iteration begins, then one for each batch that is given out.
"""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from .fetching import Source
from .nursery import Ended
from .parcels import Failure
from .workers import Crew


class Prefetcher(Iterator[Any]):
    """Sends each worker its share of indices in turn and gives out what comes back."""

    def __init__(
        self,
        indices: Iterable[Any],
        source: Source,
        begin: Callable[[int], Any] | None,
        workers: int,
        base_seed: int,
        *,
        ahead: int,
        timeout: float,
        in_order: bool,
        persistent: bool,
    ) -> None:
        self._indices = indices
        self._workers = workers
        self._most = ahead * workers
        self._timeout = timeout
        self._in_order = in_order
        self._persistent = persistent
        self._crew = Crew(source, begin, workers, base_seed)
        self._end = weakref.finalize(self, self._crew.end)
        self._begin()

    def restart(self) -> None:
        """Begin anew with the same workers; what they still had to do is thrown away."""
        for worker in range(self._workers):
            self._crew.send(worker, None)
        waiting = set(range(self._workers))
        while waiting:
            worker, number, _ = self._receive(range(self._workers))
            if number is None:
                waiting.discard(worker)
        self._begin()

    def _begin(self) -> None:
        self._iterator = iter(self._indices)
        self._sent = 0
        self._given = 0
        self._owner: dict[int, int] = {}
        self._arrived: dict[int, Any] = {}
        self._load = [0] * self._workers
        self._active = [True] * self._workers
        self._turns = itertools.cycle(range(self._workers))
        for _ in range(self._most):
            self._send_next()

    def _send_next(self) -> None:
        try:
            index = next(self._iterator)
        except StopIteration:
            return
        worker = self._next_worker()
        if worker is None:
            return
        self._crew.send(worker, (self._sent, index))
        self._owner[self._sent] = worker
        self._load[worker] += 1
        self._sent += 1

    def _next_worker(self) -> int | None:
        for _ in range(self._workers):
            worker = next(self._turns)
            if self._active[worker] and (self._in_order or self._load[worker] < self._most // sum(self._active)):
                return worker
        return None

    def __next__(self) -> Any:
        if not self._end.alive:
            raise StopIteration
        while True:
            while self._given < self._sent and not self._is_expected(self._given):
                self._owner.pop(self._given, None)
                self._given += 1
            if self._given == self._sent:
                if not self._persistent:
                    self._end()
                raise StopIteration
            if self._given in self._arrived:
                batch = self._arrived.pop(self._given)
                return self._give(self._given, batch)
            worker, number, batch = self._receive([each for each in range(self._workers) if self._active[each]])
            assert number is not None
            if isinstance(batch, Ended):
                self._active[worker] = False
                self._send_next()
            elif number == self._given or not self._in_order:
                return self._give(number, batch)
            else:
                self._arrived[number] = batch

    def _is_expected(self, number: int) -> bool:
        """Whether a task has an answer, or a worker that may still give one."""
        return number in self._arrived or (number in self._owner and self._active[self._owner[number]])

    def _give(self, number: int, batch: Any) -> Any:
        self._load[self._owner.pop(number)] -= 1
        if number == self._given:
            self._given += 1
        self._send_next()
        if isinstance(batch, Failure):
            raise batch.raised()
        return batch

    def _receive(self, workers: Iterable[int]) -> tuple[int, int | None, Any]:
        try:
            return self._crew.receive(list(workers), self._timeout)
        except RuntimeError:
            self._end()
            raise
