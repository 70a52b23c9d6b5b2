"""Loaders give torch's batches in torch's order from the same seed, and take the same random words on the way."""

from __future__ import annotations

import collections
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import loaded
import mindspore
import numpy as np
import pytest
import torch
import torch.utils.data as theirs
from hypothesis import given, settings
from hypothesis import strategies as st

from torchspore._runtime.core import arrays
from torchspore._runtime.data import collating, datasets, loader, samplers
from torchspore._runtime.random import generator as streams
from torchspore._runtime.random.state import packed

pytestmark = [pytest.mark.frameworks, pytest.mark.usefixtures("of_mindspore")]


def seeded(seed: int) -> None:
    torch.manual_seed(seed)
    streams.manual_seed(seed)


def same_state(ours: Any = None, other: Any = None) -> None:
    own = (ours or streams.default_generator)._state
    assert packed(own).tobytes() == (other or torch.default_generator).get_state().numpy().tobytes()


def plain(value: Any) -> Any:
    """A batch with arrays in the place of tensors, and what it is made of."""
    if isinstance(value, torch.Tensor):
        return ("tensor", str(value.dtype).removeprefix("torch."), value.numpy().tolist())
    if arrays.is_tensor(value):
        return ("tensor", str(value.dtype).lower(), arrays.to_array(value).tolist())
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return (type(value).__name__, [plain(each) for each in value])
    return value


sizes = st.integers(1, 30)


@settings(max_examples=100, deadline=None)
@given(
    st.integers(0, 2**60),
    sizes,
    st.booleans(),
    st.one_of(st.none(), st.integers(1, 9)),
    st.booleans(),
    st.booleans(),
    st.integers(1, 3),
)
def test_batches_of_one_process(
    seed: int, size: int, shuffle: bool, batch: int | None, drop: bool, own: bool, epochs: int
) -> None:
    seeded(seed)
    generators = (streams.Generator().manual_seed(7), torch.Generator().manual_seed(7)) if own else (None, None)
    options: dict[str, Any] = {"batch_size": batch, "shuffle": shuffle, "drop_last": drop and batch is not None}
    pair = [
        kind(loaded.Numbers(size), generator=generator, **options)
        for kind, generator in zip((loader.DataLoader, theirs.DataLoader), generators, strict=True)
    ]
    assert len(pair[0]) == len(pair[1])
    for _ in range(epochs):
        assert [plain(each) for each in pair[0]] == [plain(each) for each in pair[1]]
        same_state()
    if own:
        same_state(*generators)


def both_samplers(make: Callable[[Any, Any], Any], own: bool) -> None:
    generators = (streams.Generator().manual_seed(3), torch.Generator().manual_seed(3)) if own else (None, None)
    ours, other = make(samplers, generators[0]), make(theirs, generators[1])
    assert len(ours) == len(other)
    for _ in range(2):
        assert list(ours) == list(other)
    same_state()


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2**60), sizes, st.integers(1, 100), st.booleans(), st.booleans())
def test_samplers(seed: int, size: int, count: int, replacement: bool, own: bool) -> None:
    seeded(seed)
    weights = (np.random.RandomState(size).rand(size) + 0.01).tolist()
    few = count if replacement else min(count, size)
    for make in (
        lambda data, generator: data.SequentialSampler(range(size)),
        lambda data, generator: data.RandomSampler(range(size), replacement, count, generator),
        lambda data, generator: data.SubsetRandomSampler([3 * each for each in range(size)], generator),
        lambda data, generator: data.WeightedRandomSampler(weights, few, replacement, generator),
        lambda data, generator: data.BatchSampler(data.RandomSampler(range(size), generator=generator), 4, replacement),
    ):
        both_samplers(make, own)


def test_an_eager_sampler_is_asked_as_often_as_by_torch() -> None:
    class Eager(list[int]):
        asked = 0

        def __iter__(self) -> Iterator[int]:
            Eager.asked += 1
            return super().__iter__()

    counts = []
    for kind in (loader.DataLoader, theirs.DataLoader):
        Eager.asked = 0
        list(kind(loaded.Numbers(4), batch_size=None, sampler=Eager(range(4))))
        counts.append(Eager.asked)
    assert counts[0] == counts[1]


@pytest.mark.parametrize("lengths", [[3, 7], [10], [0.3, 0.3, 0.4], [0.5, 0.5], [0.05, 0.95], [1 / 3, 2 / 3]])
def test_random_split(lengths: list[float]) -> None:
    seeded(5)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        parts = [list(part.indices) for part in datasets.random_split(range(10), lengths)]
        assert parts == [list(part.indices) for part in theirs.random_split(range(10), lengths)]
    same_state()


def test_datasets_of_datasets() -> None:
    pairs: list[list[Any]] = []
    for data in (datasets, theirs):
        concat = data.ConcatDataset([range(3), range(10, 14)])
        subset = data.Subset(concat, [5, 0, 2])
        stack = data.StackDataset(range(3), [7, 8, 9])
        named = data.StackDataset(a=subset, b=range(3))
        found = [[concat[each] for each in (*range(7), -1, -7)], list(subset), subset[0], subset.__getitems__([2, 0])]
        found += [list(stack), stack.__getitems__([0, 2]), named[1], named.__getitems__([0, 2]), len(named)]
        pairs.append(found)
    assert pairs[0] == pairs[1]


def test_a_tensor_dataset() -> None:
    features, labels = np.arange(12, dtype=np.float32).reshape(6, 2), np.arange(6)
    ours = datasets.TensorDataset(mindspore.Tensor(features), mindspore.Tensor(labels))
    other = theirs.TensorDataset(torch.from_numpy(features), torch.from_numpy(labels))
    assert len(ours) == len(other) == 6
    seeded(2)
    batches = [plain(each) for each in loader.DataLoader(ours, 4, shuffle=True)]
    assert batches == [plain(each) for each in theirs.DataLoader(other, 4, shuffle=True)]
    with pytest.raises(AssertionError):
        datasets.TensorDataset(mindspore.Tensor(features), mindspore.Tensor(labels[:3]))


class TheirCount(theirs.IterableDataset[int]):
    def __iter__(self) -> Iterator[int]:
        return loaded.counted(11, theirs.get_worker_info())

    def __len__(self) -> int:
        return 9


@pytest.mark.parametrize("options", [{"batch_size": 4}, {"batch_size": 4, "drop_last": True}, {"batch_size": None}])
def test_datasets_without_numbers(options: dict[str, Any]) -> None:
    seeded(1)
    ours, other = loaded.Count() + loaded.Count(), TheirCount() + TheirCount()
    assert isinstance(ours, datasets.ChainDataset) and len(ours) == len(other) == 18  # type: ignore[arg-type]
    pair = loader.DataLoader(ours, **options), theirs.DataLoader(other, **options)
    assert [plain(each) for each in pair[0]] == [plain(each) for each in pair[1]]
    same_state()
    assert len(pair[0]) == len(pair[1])
    for each in pair:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            list(each)
        told = [str(warning.message) for warning in caught if "Length of IterableDataset" in str(warning.message)]
        assert bool(told) is (options["batch_size"] is None)


class Bag(collections.UserDict[str, Any]):
    label = "kept"


class Row(list[Any]):
    label = "kept"


BATCHES: list[list[Any]] = [
    [1, 2], [1.5, 2], [1, 2.5], [True, False], ["a", "b"], [b"a", b"b"], [(1, 2.0), (3, 4.0)], [[1, 2], [3, 4]],
    [{"a": 1}, {"a": 2}], [np.float32(1), np.float32(2)], [np.float64(1), np.float64(2)], [np.bool_(True)],
    [np.arange(3), np.arange(3)], [np.zeros((2, 0))], [loaded.Pair(1, "x"), loaded.Pair(2, "y")],
    [collections.OrderedDict(b=1, a=np.ones(2)), collections.OrderedDict(b=2, a=np.ones(2))], [range(2), range(2)],
    [np.uint8(3)], [((1, [2]), {"x": (3,)})],
]  # fmt: skip


@pytest.mark.parametrize("place", range(len(BATCHES)))
def test_putting_samples_together(place: int) -> None:
    batch = BATCHES[place]
    assert plain(collating.default_collate(batch)) == plain(theirs.default_collate(batch))
    assert plain(collating.default_convert(batch)) == plain(theirs.default_convert(batch))


@pytest.mark.parametrize("like", [Bag, Row])
def test_what_holds_samples_stays(like: Any) -> None:
    batch = [like({"a": 1} if like is Bag else [1]) for _ in range(2)]
    for each in (collating.default_collate(batch), collating.default_convert(batch[0])):
        assert type(each) is like and each.label == "kept"


@pytest.mark.parametrize(
    "batch", [[None], [object()], [np.array(["a"])], [[1, 2], [3]], [np.ones(2), np.ones(3)], [{"a": 1}, {"b": 1}], []]
)
def test_samples_that_do_not_fit(batch: list[Any]) -> None:
    with pytest.raises(Exception) as wanted:
        theirs.default_collate(batch)
    with pytest.raises(wanted.type):
        collating.default_collate(batch)


BAD: list[dict[str, Any]] = [
    {"num_workers": -1}, {"timeout": -1}, {"prefetch_factor": 2}, {"num_workers": 1, "prefetch_factor": -1},
    {"persistent_workers": True}, {"batch_size": 0}, {"batch_size": 1.5}, {"drop_last": 1},
    {"sampler": [1], "shuffle": True}, {"batch_sampler": [[1]], "batch_size": 2},
    {"batch_size": None, "drop_last": True},
    {"multiprocessing_context": "spawn"}, {"multiprocessing_context": "magic", "num_workers": 1},
    {"multiprocessing_context": 5, "num_workers": 1},
]  # fmt: skip


@pytest.mark.parametrize("place", range(len(BAD)))
def test_what_torch_refuses_is_refused(place: int) -> None:
    with pytest.raises((ValueError, TypeError)) as wanted:
        theirs.DataLoader(loaded.Numbers(3), **BAD[place])
    with pytest.raises(wanted.type):
        loader.DataLoader(loaded.Numbers(3), **BAD[place])


@pytest.mark.parametrize("options", [{"shuffle": True}, {"sampler": [1]}, {"batch_sampler": [[1]]}])
def test_orders_that_a_dataset_without_numbers_has_not(options: dict[str, Any]) -> None:
    for kind, dataset in ((loader.DataLoader, loaded.Count()), (theirs.DataLoader, TheirCount())):
        with pytest.raises(ValueError, match="IterableDataset"):
            kind(dataset, **options)


def test_a_forked_worker_is_refused() -> None:
    with pytest.raises(NotImplementedError, match="hangs"):
        loader.DataLoader(loaded.Numbers(3), num_workers=1, multiprocessing_context="fork")


def test_what_is_set_once() -> None:
    one = loader.DataLoader(loaded.Numbers(3))
    with pytest.raises(ValueError, match="batch_size"):
        one.batch_size = 5
    one.collate_fn = loaded.keep
    assert [batch[0][1] for batch in one] == [0, 1, 2]
    with pytest.warns(UserWarning, match="no effect"):
        list(loader.DataLoader(loaded.Numbers(3), pin_memory=True))
    with pytest.warns(UserWarning, match="512 worker"):
        loader.DataLoader(loaded.Numbers(3), num_workers=512)
