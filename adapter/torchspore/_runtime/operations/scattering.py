"""Elements that are written into a tensor, or added there, where an index says. In and out: the tensor that is written
to. The functions that give a copy stand in `picking`.
"""

from __future__ import annotations

from typing import Any

from .picking import scatter, scatter_add
from .writing import written


def scatter_(input: Any, dim: int, index: Any, src: Any, *, reduce: str | None = None) -> Any:
    """The tensor, with elements written where an index says; with `reduce`, added or multiplied there."""
    return written(scatter, input, dim, index, src, reduce=reduce)


def scatter_add_(input: Any, dim: int, index: Any, src: Any) -> Any:
    """The tensor, with elements added where an index says."""
    return written(scatter_add, input, dim, index, src)
