"""Elements of several tensors that are put together in every way. In: tensors with one dimension. Out: a tensor with a
row for each combination.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .numbers import array, here, kind_of, made, need_tensors, rank_of


@here
def cartesian_prod(*tensors: Any) -> Any:
    """Every choice of one element from each tensor, in order, the last of them changing first."""
    if not tensors:
        raise RuntimeError("cartesian_prod expects a non-empty list of tensors")
    for each in tensors:
        need_tensors("cartesian_prod", tensors=each)
        if rank_of(each) != 1:
            raise RuntimeError(f"Expect a 1D vector, but got shape {list(each.shape)}")
    if len(tensors) == 1:
        return tensors[0]
    kind = kind_of(tensors[0])
    if any(kind_of(each) != kind for each in tensors):
        raise RuntimeError("torch.meshgrid expects all tensors to have the same dtype")
    grid = np.meshgrid(*map(array, tensors), indexing="ij")
    shape = grid[0].shape

    def gradients(gradient: Any) -> Any:
        found = []
        for place in range(len(shape)):
            others = tuple(each for each in range(len(shape)) if each != place)
            found.append(gradient[:, place].reshape(shape).sum(others))
        return found

    return made(np.stack([each.reshape(-1) for each in grid], 1), kind, tensors, gradients)
