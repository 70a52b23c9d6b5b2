"""Torch's rule of when a tensor can be looked at in another shape without a copy."""

from __future__ import annotations

from math import prod


def completed(shape: tuple[int, ...], count: int) -> tuple[int, ...]:
    """A shape with its one -1 replaced by what is left of the count of elements."""
    known = prod(each for each in shape if each != -1)
    if any(each < -1 for each in shape):
        raise RuntimeError(f"invalid shape dimension {min(shape)}")
    if shape.count(-1) > 1:
        raise RuntimeError("only one dimension can be inferred")
    if -1 in shape:
        if known == 0:
            raise RuntimeError(
                f"cannot reshape tensor of {count} elements into shape {list(shape)} "
                "because the unspecified dimension size -1 can be any value and is ambiguous"
            )
        shape = tuple(count // known if each == -1 else each for each in shape)
    if prod(shape) != count:
        raise RuntimeError(f"shape '{list(shape)}' is invalid for input of size {count}")
    return shape


def rows(shape: tuple[int, ...]) -> tuple[int, ...]:
    """The strides of a tensor whose elements lie one after the other."""
    strides: list[int] = []
    step = 1
    for length in reversed(shape):
        strides.append(step)
        step *= max(length, 1)
    return tuple(reversed(strides))


def restrided(shape: tuple[int, ...], strides: tuple[int, ...], wanted: tuple[int, ...]) -> tuple[int, ...] | None:
    """The strides of another shape over the same memory, or None if there are none: each run of dimensions that lie
    one after the other in memory is cut anew by itself."""
    if prod(shape) == 0:
        return strides if shape == wanted else rows(wanted)
    found: list[int] = []
    left = list(wanted)
    for count, step in _runs(shape, strides):
        cut = 1
        while left and (cut < count or left[-1] == 1):
            found.append(step * cut)
            cut *= left.pop()
        if cut != count:
            return None
    return None if left else tuple(reversed(found))


def _runs(shape: tuple[int, ...], strides: tuple[int, ...]) -> list[tuple[int, int]]:
    """From the innermost on, how many elements lie at equal distances, and the distance."""
    runs = [(1, 1)] if not shape else [(shape[-1], strides[-1])]
    for length, stride in zip(reversed(shape[:-1]), reversed(strides[:-1]), strict=True):
        count, step = runs[-1]
        if length == 1 or stride == count * step:
            runs[-1] = (count * length, step)
        else:
            runs.append((length, stride))
    return runs
