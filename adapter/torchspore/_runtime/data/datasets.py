"""Datasets: what has samples by number, or gives them one after another. In: tensors, other datasets, indices. Out:
samples.
"""

from __future__ import annotations

import bisect
import itertools
import math
import warnings
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Generic, TypeVar

from ..random.generator import Generator, chosen
from ..random.integers import permutation

Sample_co = TypeVar("Sample_co", covariant=True)


class Dataset(Generic[Sample_co]):
    """Samples by number. A subclass says what `dataset[number]` is and, for most samplers, how many there are."""

    def __getitem__(self, index: Any) -> Sample_co:
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")

    def __add__(self, other: Dataset[Any]) -> ConcatDataset:
        return ConcatDataset([self, other])


class IterableDataset(Dataset[Sample_co], Iterable[Sample_co]):
    """Samples one after another. Each worker goes through a copy; what it should leave to others it learns from
    `get_worker_info`."""

    def __add__(self, other: Dataset[Any]) -> Any:
        return ChainDataset([self, other])


class TensorDataset(Dataset[tuple[Any, ...]]):
    """Rows of tensors of the same length."""

    def __init__(self, *tensors: Any) -> None:
        if any(tensors[0].shape[0] != tensor.shape[0] for tensor in tensors):
            raise AssertionError("Size mismatch between tensors")
        self.tensors = tensors

    def __getitem__(self, index: Any) -> tuple[Any, ...]:
        return tuple(tensor[index] for tensor in self.tensors)

    def __len__(self) -> int:
        return int(self.tensors[0].shape[0])


class StackDataset(Dataset[Any]):
    """Several datasets side by side: a sample has one of each, as a tuple or by name."""

    datasets: tuple[Any, ...] | dict[str, Any]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if args and kwargs:
            raise ValueError("Datasets are given in a row or by name, not both.")
        if not args and not kwargs:
            raise ValueError("At least one dataset should be passed")
        self.datasets = args or kwargs
        members = list(args or kwargs.values())
        self._length = len(members[0])
        if any(len(dataset) != self._length for dataset in members):
            raise ValueError("Size mismatch between datasets")

    def __getitem__(self, index: Any) -> Any:
        if isinstance(self.datasets, dict):
            return {name: dataset[index] for name, dataset in self.datasets.items()}
        return tuple(dataset[index] for dataset in self.datasets)

    def __getitems__(self, indices: list[Any]) -> list[Any]:
        named = isinstance(self.datasets, dict)
        members = self.datasets.values() if isinstance(self.datasets, dict) else self.datasets
        columns = [_items(dataset, indices) for dataset in members]
        if any(len(column) != len(indices) for column in columns):
            raise ValueError(f"A dataset gave another number of samples than the {len(indices)} asked for.")
        rows = list(zip(*columns, strict=True))
        return [dict(zip(self.datasets, row, strict=True)) for row in rows] if named else rows

    def __len__(self) -> int:
        return self._length


class ConcatDataset(Dataset[Any]):
    """Several datasets, one behind the other."""

    def __init__(self, datasets: Iterable[Any]) -> None:
        self.datasets = list(datasets)
        if not self.datasets:
            raise AssertionError("datasets should not be an empty iterable")
        if any(isinstance(dataset, IterableDataset) for dataset in self.datasets):
            raise AssertionError("ConcatDataset does not support IterableDataset")
        self.cumulative_sizes = list(itertools.accumulate(len(dataset) for dataset in self.datasets))

    def __len__(self) -> int:
        return self.cumulative_sizes[-1]

    def __getitem__(self, idx: int) -> Any:
        if idx < 0:
            if -idx > len(self):
                raise ValueError("absolute value of index should not exceed dataset length")
            idx += len(self)
        place = bisect.bisect_right(self.cumulative_sizes, idx)
        before = self.cumulative_sizes[place - 1] if place else 0
        return self.datasets[place][idx - before]


class ChainDataset(IterableDataset[Any]):
    """Several datasets without numbers, one behind the other."""

    def __init__(self, datasets: Iterable[Any]) -> None:
        self.datasets = datasets

    def __iter__(self) -> Iterator[Any]:
        for dataset in self.datasets:
            yield from self._checked(dataset)

    def __len__(self) -> int:
        return sum(len(self._checked(dataset)) for dataset in self.datasets)

    @staticmethod
    def _checked(dataset: Any) -> Any:
        if not isinstance(dataset, IterableDataset):
            raise AssertionError("ChainDataset only supports IterableDataset")
        return dataset


class Subset(Dataset[Any]):
    """Some samples of a dataset, by their numbers there."""

    def __init__(self, dataset: Any, indices: Sequence[int]) -> None:
        kind = type(self)
        if kind.__getitem__ is not Subset.__getitem__ and kind.__getitems__ is Subset.__getitems__:
            raise NotImplementedError(
                f"{kind.__name__} overrides __getitem__ but not __getitems__, which a DataLoader calls: override both."
            )
        self.dataset = dataset
        self.indices = indices

    def __getitem__(self, idx: Any) -> Any:
        if isinstance(idx, list):
            return self.dataset[[self.indices[each] for each in idx]]
        return self.dataset[self.indices[idx]]

    def __getitems__(self, indices: list[int]) -> list[Any]:
        return list(_items(self.dataset, [self.indices[index] for index in indices]))

    def __len__(self) -> int:
        return len(self.indices)


def random_split(dataset: Any, lengths: Sequence[float], generator: Generator | None = None) -> list[Subset]:
    """A dataset cut into parts at random; their lengths are given as numbers of samples or as shares."""
    size = len(dataset)
    if math.isclose(sum(lengths), 1) and sum(lengths) <= 1:
        for place, share in enumerate(lengths):
            if not 0 <= share <= 1:
                raise ValueError(f"Fraction at index {place} is not between 0 and 1")
        counts = [math.floor(size * share) for share in lengths]
        for extra in range(size - sum(counts)):
            counts[extra % len(counts)] += 1
        for place, count in enumerate(counts):
            if not count:
                warnings.warn(
                    f"Length of split at index {place} is 0. This might result in an empty dataset.", stacklevel=2
                )
        lengths = counts
    if sum(lengths) != size:
        raise ValueError("Sum of input lengths does not equal the length of the input dataset!")
    order = permutation(chosen(generator), size).tolist()
    ends = list(itertools.accumulate(int(length) for length in lengths))
    return [Subset(dataset, order[end - int(length) : end]) for end, length in zip(ends, lengths, strict=True)]


def _items(dataset: Any, indices: list[Any]) -> Sequence[Any]:
    """Samples of a dataset, all at once if it can."""
    at_once = getattr(dataset, "__getitems__", None)
    found: Sequence[Any] = at_once(indices) if callable(at_once) else [dataset[index] for index in indices]
    return found
