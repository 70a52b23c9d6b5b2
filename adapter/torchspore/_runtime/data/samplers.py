"""Samplers: the order in which samples are read. In: a dataset's length, weights, indices, a generator or none. Out:
numbers of samples, or lists of them.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence, Sized
from typing import Any, Generic, TypeVar

import numpy as np

from ..core import arrays
from ..random.discrete import multinomial
from ..random.generator import Generator, chosen
from ..random.integers import all_integers, integers, permutation

Index_co = TypeVar("Index_co", covariant=True)
AT_ONCE = 32
"""How many numbers are drawn at a time where samples may come again."""


class Sampler(Generic[Index_co]):
    """An order of samples. A subclass says how to iterate and, if it can, how many there are."""

    def __init__(self, *nothing: Any) -> None:
        super().__init__()

    def __iter__(self) -> Iterator[Index_co]:
        raise NotImplementedError


class SequentialSampler(Sampler[int]):
    """One after another."""

    def __init__(self, data_source: Sized) -> None:
        self.data_source = data_source

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.data_source)))

    def __len__(self) -> int:
        return len(self.data_source)


class RandomSampler(Sampler[int]):
    """In a random order. Without a generator of its own it takes a seed from the default one, each time anew."""

    def __init__(
        self,
        data_source: Sized,
        replacement: bool = False,
        num_samples: int | None = None,
        generator: Generator | None = None,
    ) -> None:
        self.data_source = data_source
        self.replacement = replacement
        self._num_samples = num_samples
        self.generator = generator
        if not isinstance(replacement, bool):
            raise TypeError(f"replacement should be a boolean value, but got replacement={replacement}")
        if not isinstance(self.num_samples, int) or self.num_samples <= 0:
            raise ValueError(f"num_samples should be a positive integer value, but got num_samples={self.num_samples}")

    @property
    def num_samples(self) -> int:
        return len(self.data_source) if self._num_samples is None else self._num_samples

    def __iter__(self) -> Iterator[int]:
        size = len(self.data_source)
        generator = Generator().manual_seed(drawn_seed(None)) if self.generator is None else self.generator
        if self.replacement:
            for start in range(0, self.num_samples - self.num_samples % AT_ONCE + 1, AT_ONCE):
                yield from integers(generator, (min(AT_ONCE, self.num_samples - start),), high=size).tolist()
            return
        for _ in range(self.num_samples // size):
            yield from permutation(generator, size).tolist()
        yield from permutation(generator, size).tolist()[: self.num_samples % size]

    def __len__(self) -> int:
        return self.num_samples


class SubsetRandomSampler(Sampler[int]):
    """Some indices in a random order."""

    def __init__(self, indices: Sequence[int], generator: Generator | None = None) -> None:
        self.indices = indices
        self.generator = generator

    def __iter__(self) -> Iterator[int]:
        for place in permutation(chosen(self.generator), len(self.indices)).tolist():
            yield self.indices[place]

    def __len__(self) -> int:
        return len(self.indices)


class WeightedRandomSampler(Sampler[int]):
    """Samples by their weights."""

    def __init__(
        self, weights: Any, num_samples: int, replacement: bool = True, generator: Generator | None = None
    ) -> None:
        _positive("num_samples", num_samples)
        if not isinstance(replacement, bool):
            raise ValueError(f"replacement should be a boolean value, but got replacement={replacement}")
        values = arrays.to_array(weights) if arrays.is_tensor(weights) else weights
        array = np.array([float(value) for value in values] if _is_flat(values) else values, np.float64)
        if array.ndim != 1:
            raise ValueError(f"weights should be a 1d sequence but given weights have shape {array.shape}")
        self._weights = array
        self.num_samples = num_samples
        self.replacement = replacement
        self.generator = generator

    @property
    def weights(self) -> Any:
        return arrays.to_tensor(self._weights)

    def __iter__(self) -> Iterator[int]:
        yield from multinomial(chosen(self.generator), self._weights, self.num_samples, self.replacement).tolist()

    def __len__(self) -> int:
        return self.num_samples


class BatchSampler(Sampler[list[int]]):
    """The indices of another sampler in lists."""

    def __init__(self, sampler: Iterable[int], batch_size: int, drop_last: bool) -> None:
        _positive("batch_size", batch_size)
        if not isinstance(drop_last, bool):
            raise ValueError(f"drop_last should be a boolean value, but got drop_last={drop_last}")
        self.sampler = sampler
        self.batch_size = batch_size
        self.drop_last = drop_last

    def __iter__(self) -> Iterator[list[int]]:
        indices = iter(self.sampler)
        while batch := list(itertools.islice(indices, self.batch_size)):
            if self.drop_last and len(batch) < self.batch_size:
                return
            yield batch

    def __len__(self) -> int:
        samples = len(self.sampler)  # type: ignore[arg-type]
        return samples // self.batch_size if self.drop_last else -(-samples // self.batch_size)


class Endless(Sampler[None]):
    """Nothing, for ever: what stands in for indices where samples have no numbers."""

    def __iter__(self) -> Iterator[None]:
        return itertools.repeat(None)


def drawn_seed(generator: Generator | None) -> int:
    """A seed for others, drawn from a generator or from the default one."""
    return int(all_integers(chosen(generator), (), "int64"))


def _positive(name: str, value: object) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value <= 0:
        raise ValueError(f"{name} should be a positive integer value, but got {name}={value}")


def _is_flat(values: Any) -> bool:
    return not isinstance(values, np.ndarray) and all(np.ndim(value) == 0 for value in values)
