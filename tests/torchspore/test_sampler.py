"""The sampler gives each rank just what torch's gives it, in the same order."""

from __future__ import annotations

import pytest
import torch.utils.data.distributed as reference

from torchspore.utils.data.distributed import DistributedSampler

pytestmark = pytest.mark.frameworks

SIZES = [*range(1, 40), 100, 101, 999, 4096, 30_000, 70_001]


@pytest.mark.parametrize("shuffle", [True, False])
@pytest.mark.parametrize("drop_last", [True, False])
@pytest.mark.parametrize("replicas", [1, 2, 3, 7, 64])
def test_the_same_indices_as_torch(shuffle: bool, drop_last: bool, replicas: int) -> None:
    for size in SIZES:
        for rank in {0, replicas // 2, replicas - 1}:
            options = {"num_replicas": replicas, "rank": rank, "shuffle": shuffle, "drop_last": drop_last}
            ours = DistributedSampler(range(size), seed=size, **options)
            theirs = reference.DistributedSampler(range(size), seed=size, **options)  # type: ignore[arg-type]
            for epoch in (0, 3):
                ours.set_epoch(epoch)
                theirs.set_epoch(epoch)
                assert list(ours) == list(theirs), (size, rank, epoch)
            assert (len(ours), ours.total_size) == (len(theirs), theirs.total_size)


@pytest.mark.parametrize("seed", [0, 1, 2**31, 2**32 - 1, 2**32, 2**40 + 7])
def test_the_same_order_for_any_seed(seed: int) -> None:
    pair = [kind(range(1000), 1, 0, seed=seed) for kind in (DistributedSampler, reference.DistributedSampler)]
    for epoch in (0, 1, 2):
        for each in pair:
            each.set_epoch(epoch)
        assert list(pair[0]) == list(pair[1])


@pytest.mark.parametrize(("replicas", "rank"), [(2, 2), (2, -1), (0, 0)])
def test_a_rank_outside_is_refused_as_by_torch(replicas: int, rank: int) -> None:
    for kind in (DistributedSampler, reference.DistributedSampler):
        with pytest.raises(ValueError, match=r"rank"):
            kind(range(5), replicas, rank)


def test_without_a_job_the_number_of_ranks_must_be_given() -> None:
    for kind in (DistributedSampler, reference.DistributedSampler):
        with pytest.raises(ValueError, match="nitiali"):
            kind(range(5))


def test_also_under_torch_s_shorter_name() -> None:
    import torchspore.utils.data as data

    assert data.DistributedSampler is DistributedSampler
