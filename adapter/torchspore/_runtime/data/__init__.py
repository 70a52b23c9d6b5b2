"""Data for training: datasets, samplers, batches, and the loader that brings them together, with worker processes if
asked. The order of samples and the random words taken are those that ported programs know from the same seed.

Workers are made of a process that has never computed with MindSpore, since a copy of one that has hangs. What a worker
needs is sent to it; what it gives is sent back as NumPy arrays, and tensors are made from them here.
"""

from typing import TYPE_CHECKING

from ..._lazy import lazy_attributes

if TYPE_CHECKING:
    from .datasets import ChainDataset, ConcatDataset, Dataset, IterableDataset, StackDataset, Subset
    from .samplers import BatchSampler, Sampler, SequentialSampler

__all__ = [
    "BatchSampler",
    "ChainDataset",
    "ConcatDataset",
    "Dataset",
    "IterableDataset",
    "Sampler",
    "SequentialSampler",
    "StackDataset",
    "Subset",
]

_HOMES = {
    "datasets": ("ChainDataset", "ConcatDataset", "Dataset", "IterableDataset", "StackDataset", "Subset"),
    "samplers": ("BatchSampler", "Sampler", "SequentialSampler"),
}
__getattr__ = lazy_attributes(
    __name__, {name: f"{__name__}.{home}" for home, names in _HOMES.items() for name in names}
)
