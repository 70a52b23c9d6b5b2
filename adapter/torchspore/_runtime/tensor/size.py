"""Shapes as torch programs know them: a tuple that says what it is and how many elements it holds."""

from __future__ import annotations

from math import prod
from operator import index
from typing import Any


class Size(tuple[int, ...]):
    """The shape of a tensor."""

    __slots__ = ()

    def numel(self) -> int:
        return prod(self)

    def __repr__(self) -> str:
        return f"torch.Size({list(self)})"

    __str__ = __repr__

    def __getitem__(self, key: Any) -> Any:
        found = tuple.__getitem__(self, key)
        return Size(found) if isinstance(key, slice) else found

    def __add__(self, other: Any) -> Any:
        return Size(tuple.__add__(self, tuple(other))) if isinstance(other, tuple) else NotImplemented

    def __radd__(self, other: Any) -> Any:
        return Size(tuple.__add__(tuple(other), self)) if isinstance(other, tuple) else NotImplemented

    def __mul__(self, times: Any) -> Any:
        return Size(tuple.__mul__(self, times))

    __rmul__ = __mul__

    def __reduce__(self) -> Any:
        return Size, (tuple(self),)


class CallableSize(int):
    """The number of elements, which MindSpore's functions read as `x.size`, and torch's `x.size(dim)` in one."""

    shape: Size

    def __call__(self, dim: int | None = None, *, axis: int | None = None) -> Any:
        dim = axis if dim is None else dim
        if dim is None:
            return self.shape
        try:
            return self.shape[dim]
        except IndexError:
            last = max(len(self.shape) - 1, 0)
            raise IndexError(
                f"Dimension out of range (expected to be in range of [{-last - 1}, {last}], but got {dim})"
            ) from None


def called_with(sizes: tuple[Any, ...]) -> tuple[int, ...]:
    """A shape or an order that is given as one sequence or as several numbers."""
    if len(sizes) == 1 and not hasattr(sizes[0], "__index__"):
        sizes = tuple(sizes[0])
    return tuple(each if type(each) is int else index(each) for each in sizes)


def wrapped(dim: int, rank: int) -> int:
    """A dimension counted from the front."""
    span = max(rank, 1)
    if not -span <= dim < span:
        raise IndexError(f"Dimension out of range (expected to be in range of [{-span}, {span - 1}], but got {dim})")
    return dim % span
