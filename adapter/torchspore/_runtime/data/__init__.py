"""Data for training: datasets, samplers, batches, and the loader that brings them together, with worker processes if
asked. The order of samples and the random words taken are those that ported programs know from the same seed.

Workers are made of a process that has never computed with MindSpore, since a copy of one that has hangs. What a worker
needs is sent to it; what it gives is sent back as NumPy arrays, and tensors are made from them here.
"""

from typing import TYPE_CHECKING

from ..._lazy import lazy_attributes

if TYPE_CHECKING:
    from .collating import default_collate, default_convert
    from .datasets import (
        ChainDataset,
        ConcatDataset,
        Dataset,
        IterableDataset,
        StackDataset,
        Subset,
        TensorDataset,
        random_split,
    )
    from .fetching import get_worker_info
    from .loader import DataLoader
    from .samplers import (
        BatchSampler,
        RandomSampler,
        Sampler,
        SequentialSampler,
        SubsetRandomSampler,
        WeightedRandomSampler,
    )

__all__ = [
    "BatchSampler",
    "ChainDataset",
    "ConcatDataset",
    "DataLoader",
    "Dataset",
    "IterableDataset",
    "RandomSampler",
    "Sampler",
    "SequentialSampler",
    "StackDataset",
    "Subset",
    "SubsetRandomSampler",
    "TensorDataset",
    "WeightedRandomSampler",
    "default_collate",
    "default_convert",
    "get_worker_info",
    "random_split",
]

_HOMES = {
    "collating": ("default_collate", "default_convert"),
    "datasets": (
        "ChainDataset", "ConcatDataset", "Dataset", "IterableDataset", "StackDataset", "Subset", "TensorDataset",
        "random_split",
    ),
    "fetching": ("get_worker_info",),
    "loader": ("DataLoader",),
    "samplers": (
        "BatchSampler", "RandomSampler", "Sampler", "SequentialSampler", "SubsetRandomSampler", "WeightedRandomSampler",
    ),
}  # fmt: skip
__getattr__ = lazy_attributes(
    __name__, {name: f"{__name__}.{home}" for home, names in _HOMES.items() for name in names}
)
