"""Sums of products by an equation over dimensions: torch's `einsum`, put together from views and products of matrices,
so that gradients follow. In: an equation and tensors, or tensors with lists of numbers. Out: a tensor.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..tensor.arithmetic import matmul, mul
from ..tensor.shapes import diagonal
from .numbers import Plain, kind_of, need_alike, rank_of, shape_of

REST = "…"
"""Stands for the dimensions of an ellipsis, with a number behind it."""
Labels = list[str]


def einsum(*given: Any) -> Any:
    """The sum of products that an equation states."""
    equation, operands = _read(given)
    inputs, result = _labels(equation, operands)
    tensors = [_without_repeats(*pair) for pair in zip(operands, inputs, strict=True)]
    sizes = _sizes(tensors)
    for label in result:
        if label not in sizes:
            raise RuntimeError(f"einsum(): output subscript {label} does not appear in the equation for any operand")
    need_alike("einsum", **{f"operand {number}": tensor for number, (tensor, _) in enumerate(tensors)})
    left = tensors.pop(0)
    while tensors:
        other = tensors.pop(0)
        wanted = {*result, *(label for _, labels in tensors for label in labels)}
        left = _multiplied(left, other, wanted, sizes)
    tensor, labels = _summed(left, set(result), alone=len(operands) == 1)
    return _ordered(tensor, labels, result)


def _read(given: tuple[Any, ...]) -> tuple[str, list[Any]]:
    """The equation and the operands, which may come as one list, or each with a list of numbers behind it."""
    if not given:
        raise ValueError("einsum(): must specify the equation string and at least one operand")
    if isinstance(given[0], str):
        rest = given[1:]
        operands = list(rest[0]) if len(rest) == 1 and isinstance(rest[0], (list, tuple)) else list(rest)
        if not operands:
            raise ValueError("einsum(): must specify at least one operand")
        equation = given[0]
    else:
        pairs = list(zip(given[0::2], given[1::2], strict=False))
        equation = ",".join(_letters(each) for _, each in pairs)
        equation += f"->{_letters(given[-1])}" if len(given) % 2 else ""
        operands = [tensor for tensor, _ in pairs]
    for each in operands:
        if not isinstance(each, Plain):
            raise TypeError(f"einsum(): an operand must be Tensor, not {type(each).__name__}")
    return equation.replace(" ", ""), operands


def _letters(numbers: Sequence[Any]) -> str:
    return "".join("..." if each is Ellipsis else chr(ord("A" if each < 26 else "a") + each % 26) for each in numbers)


def _labels(equation: str, operands: list[Any]) -> tuple[list[Labels], Labels]:
    """By operand the labels of its dimensions, and those of the result."""
    left, arrow, right = equation.partition("->")
    terms = left.split(",")
    if len(terms) != len(operands):
        raise RuntimeError(f"einsum(): {len(terms)} operands in the equation, {len(operands)} given")
    inputs = [_named(term, rank_of(operand)) for term, operand in zip(terms, operands, strict=True)]
    widest = max(([each for each in labels if each[0] == REST] for labels in inputs), key=len)
    if arrow:
        before, dots, after = right.partition("...")
        result = [*before, *(widest if dots else []), *after]
        _check_letters([*before, *after])
        if len(set(result)) < len(result):
            raise RuntimeError("einsum(): an output subscript appears more than once in the output")
    else:
        every = [label for labels in inputs for label in labels if label[0] != REST]
        result = [*widest, *sorted(label for label in set(every) if every.count(label) == 1)]
    return inputs, result


def _named(term: str, rank: int) -> Labels:
    """The labels of an operand's dimensions; those of an ellipsis are counted from the last."""
    before, dots, after = term.partition("...")
    _check_letters([*before, *after])
    wide = rank - len(before) - len(after)
    if wide < 0 or (wide and not dots):
        raise RuntimeError(f"einsum(): the number of subscripts in {term!r} does not match {rank} dimensions")
    return [*before, *(f"{REST}{number}" for number in range(wide, 0, -1)), *after]


def _check_letters(labels: Sequence[str]) -> None:
    for each in labels:
        if not (each.isascii() and each.isalpha()):
            raise RuntimeError(f"einsum(): invalid subscript {each!r}; subscripts are letters")


def _without_repeats(tensor: Any, labels: Labels) -> tuple[Any, Labels]:
    """Of dimensions with one label, the diagonal."""
    for label in dict.fromkeys(labels):
        while labels.count(label) > 1:
            one = labels.index(label)
            other = labels.index(label, one + 1)
            if shape_of(tensor)[one] != shape_of(tensor)[other]:
                raise RuntimeError(f"einsum(): subscript {label} is repeated for dimensions of different size")
            tensor = diagonal(tensor, 0, one, other)
            labels = [each for at, each in enumerate(labels) if at not in (one, other)] + [label]
    return tensor, labels


def _sizes(tensors: list[tuple[Any, Labels]]) -> dict[str, int]:
    sizes: dict[str, int] = {}
    for tensor, labels in tensors:
        for label, length in zip(labels, shape_of(tensor), strict=True):
            known = sizes.get(label, 1)
            if 1 not in (known, length) and known != length:
                raise RuntimeError(
                    f"einsum(): subscript {label} has sizes {known} and {length}, which do not broadcast"
                )
            sizes[label] = length if known == 1 else known
    return sizes


def _summed(pair: tuple[Any, Labels], wanted: set[str], alone: bool = False) -> tuple[Any, Labels]:
    """Without the dimensions that nothing else has. The sum of a tensor that stands alone has the dtype of sums."""
    tensor, labels = pair
    gone = [at for at, label in enumerate(labels) if label not in wanted]
    if not gone:
        return tensor, labels
    kind = None if alone else kind_of(tensor)
    return tensor.sum(tuple(gone), dtype=kind), [label for label in labels if label in wanted]


def _ordered(tensor: Any, labels: Labels, wanted: Labels) -> Any:
    order = [labels.index(label) for label in wanted]
    return tensor.permute(order) if order != sorted(order) else tensor


def _multiplied(
    one: tuple[Any, Labels], other: tuple[Any, Labels], wanted: set[str], sizes: dict[str, int]
) -> tuple[Any, Labels]:
    """The product of two operands, summed over the labels that nothing else wants."""
    one, other = _summed(one, wanted | set(other[1])), _summed(other, wanted | set(one[1]))
    common = [label for label in one[1] if label in other[1]]
    inner = [label for label in common if label not in wanted]
    batch = [label for label in common if label in wanted]
    rows = [label for label in one[1] if label not in common]
    columns = [label for label in other[1] if label not in common]
    first = _shaped(one, batch, rows, inner, sizes)
    second = _shaped(other, batch, inner, columns, sizes)
    product = matmul(first, second) if inner else mul(first, second)
    labels = [*batch, *rows, *columns]
    return product.reshape([sizes[label] for label in labels]), labels


def _shaped(pair: tuple[Any, Labels], batch: Labels, middle: Labels, last: Labels, sizes: dict[str, int]) -> Any:
    """An operand as a stack of matrices."""
    tensor, labels = pair
    wanted = [*batch, *middle, *last]
    tensor = _ordered(tensor, labels, wanted).expand([sizes[label] for label in wanted])
    shape = [_count(part, sizes) for part in (batch, middle, last)]
    return tensor.reshape(shape)


def _count(labels: Labels, sizes: dict[str, int]) -> int:
    return int(np.prod([sizes[label] for label in labels], dtype=np.int64))
