"""Which samples of a dataset a rank reads. In: a dataset with a length, the number of ranks and this one's. Out:
indices, a fair share per rank, in the same order on every run and on every machine.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sized

from ..random.generator import Generator
from ..random.integers import permutation as drawn_order
from .groups import job


class DistributedSampler:
    """The indices that one rank reads. Ranks share the dataset evenly: the last indices are repeated to fill up, or
    dropped. With `shuffle`, `set_epoch` gives each epoch an order of its own."""

    def __init__(
        self,
        dataset: Sized,
        num_replicas: int | None = None,
        rank: int | None = None,
        shuffle: bool = True,
        seed: int = 0,
        drop_last: bool = False,
    ) -> None:
        replicas = job().world.size() if num_replicas is None else num_replicas
        own = job().rank if rank is None else rank
        if not 0 <= own < replicas:
            raise ValueError(f"rank must be between 0 and {replicas - 1}, but it is {own}.")
        self.dataset = dataset
        self.num_replicas = replicas
        self.rank = own
        self.epoch = 0
        self.drop_last = drop_last
        self.shuffle = shuffle
        self.seed = seed
        share = len(dataset) / replicas
        self.num_samples = math.floor(share) if drop_last else math.ceil(share)
        self.total_size = self.num_samples * replicas

    def __iter__(self) -> Iterator[int]:
        count = len(self.dataset)
        indices = permutation(count, self.seed + self.epoch) if self.shuffle else list(range(count))
        if not self.drop_last and count:
            indices *= math.ceil(self.total_size / count)
        return iter(indices[self.rank : self.total_size : self.num_replicas])

    def __len__(self) -> int:
        return self.num_samples

    def set_epoch(self, epoch: int) -> None:
        """Choose the order of the next iteration; all ranks have to choose the same."""
        self.epoch = epoch


def permutation(count: int, seed: int) -> list[int]:
    """The numbers below `count` in an order that the seed determines. Ported programs have seen their data in just this
    order."""
    return list(drawn_order(Generator().manual_seed(seed), count).tolist())
