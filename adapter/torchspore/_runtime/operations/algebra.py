"""Products of vectors and matrices, and what is made of their diagonals. In and out: tensors; put together from the
tensor's own products and views, so that gradients follow.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.errors import UnsupportedArgument
from ..tensor import dtypes
from ..tensor.arithmetic import add, matmul, mul, sub
from ..tensor.shapes import diagonal
from ..tensor.size import wrapped
from .numbers import Plain, array, here, kept, kind_of, made, need_alike, need_tensors, rank_of, shape_of


def _ranks(name: str, rank: int, **given: Any) -> None:
    need_tensors(name, **given)
    for word, value in given.items():
        if rank_of(value) != rank:
            raise RuntimeError(f"{name}: {word} must have {rank} dimensions, and it has {rank_of(value)}")
    need_alike(name, **given)


def _inner(name: str, one: Any, other: Any) -> None:
    first, second = tuple(shape_of(one)), tuple(shape_of(other))
    if first[-1] != second[-2 if len(second) > 1 else 0] or (len(first) == 3 and first[0] != second[0]):
        raise RuntimeError(f"{name}: shapes cannot be multiplied ({list(first)} and {list(second)})")


def _only_same(out_dtype: Any) -> None:
    if out_dtype is not None:
        raise UnsupportedArgument("out_dtype: a CPU gives products in the dtype of their factors; cast them first.")


def mm(input: Any, mat2: Any, out_dtype: Any = None) -> Any:
    """The product of two matrices."""
    _only_same(out_dtype)
    _ranks("mm", 2, self=input, mat2=mat2)
    _inner("mm", input, mat2)
    return matmul(input, mat2)


def bmm(input: Any, mat2: Any, out_dtype: Any = None) -> Any:
    """The products of two stacks of matrices."""
    _only_same(out_dtype)
    _ranks("bmm", 3, batch1=input, batch2=mat2)
    _inner("bmm", input, mat2)
    return matmul(input, mat2)


def mv(input: Any, vec: Any) -> Any:
    """The product of a matrix and a vector."""
    _ranks("mv", 2, input=input)
    _ranks("mv", 1, vec=vec)
    need_alike("mv", input=input, vec=vec)
    _inner("mv", input, vec)
    return matmul(input, vec)


def dot(input: Any, tensor: Any) -> Any:
    """The product of two vectors."""
    _ranks("dot", 1, self=input, tensor=tensor)
    if tuple(shape_of(input)) != tuple(shape_of(tensor)):
        raise RuntimeError(f"dot: inconsistent sizes {list(shape_of(input))} and {list(shape_of(tensor))}")
    return matmul(input, tensor)


def outer(input: Any, vec2: Any) -> Any:
    """The products of each element of a vector with each of another."""
    need_tensors("outer", input=input, vec2=vec2)
    if rank_of(input) != 1 or rank_of(vec2) != 1:
        raise RuntimeError("outer: Expected 1-D arguments")
    return mul(input.reshape(-1, 1), vec2)


def addmm(*given: Any, beta: Any = 1, alpha: Any = 1, out_dtype: Any = None) -> Any:
    """A matrix and the product of two others, each times a number."""
    return _added("addmm", mm, given, beta, alpha, out_dtype)


def baddbmm(*given: Any, beta: Any = 1, alpha: Any = 1, out_dtype: Any = None) -> Any:
    """A stack of matrices and the products of two others, each times a number."""
    return _added("baddbmm", bmm, given, beta, alpha, out_dtype)


def _added(name: str, product: Any, given: tuple[Any, ...], beta: Any, alpha: Any, out_dtype: Any) -> Any:
    tensors = [each for each in given if isinstance(each, Plain)]
    numbers = [each for each in given if not isinstance(each, Plain)]
    if len(tensors) == 3 and numbers and not isinstance(given[0], Plain):  # numbers between tensors, as torch had it
        beta, alpha = numbers[0], numbers[1] if len(numbers) > 1 else alpha
    elif numbers:
        _only_same(numbers[0])
    _only_same(out_dtype)
    input, one, other = tensors
    need_alike(name, input=input, one=one, other=other)
    kind = kind_of(input)
    if kind.kind in "bui":
        beta, alpha = int(beta), int(alpha)
    inside = dtypes.PRECISE.get(kind, kind)
    wide = [each.to(inside) for each in (input, one, other)]
    found = product(wide[1], wide[2])
    shape = tuple(shape_of(found))
    if len(shape_of(input)) > len(shape):
        raise RuntimeError(f"{name}: {list(shape_of(input))} cannot be expanded to {list(shape)}")
    start = wide[0].expand(shape)
    found = found if alpha == 1 else mul(found, alpha)
    if beta == 0:  # whatever it holds does not count
        return found.to(kind)
    return add(start if beta == 1 else mul(start, beta), found).to(kind)


def trace(input: Any) -> Any:
    """The sum of the diagonal of a matrix."""
    if rank_of(input) != 2:
        raise RuntimeError(f"trace: expected a matrix, but got tensor with dim {rank_of(input)}")
    return diagonal(input).sum()


@here
def diag(input: Any, diagonal: int = 0) -> Any:
    """The diagonal of a matrix; of a vector, the matrix that has it as its diagonal."""
    rank = rank_of(input)
    if rank == 2:
        return input.diagonal(diagonal).clone()
    if rank != 1:
        raise RuntimeError(f"diag(): Supports 1D or 2D tensors. Got {rank}D")
    try:
        values = np.diag(array(input), diagonal)
    except MemoryError as large:
        raise RuntimeError(f"diag: no memory for a matrix of {shape_of(input)[0]} rows") from large
    return made(values, kind_of(input), (input,), lambda gradient: (np.diagonal(gradient, diagonal),))


def kron(input: Any, other: Any) -> Any:
    """The matrix of the products of each element of one with all of another."""
    need_tensors("kron", input=input, other=other)
    rank = max(rank_of(input), rank_of(other))
    one, two = ((1,) * (rank - rank_of(each)) + tuple(shape_of(each)) for each in (input, other))
    wide = [length for pair in zip(one, (1,) * rank, strict=True) for length in pair]
    narrow = [length for pair in zip((1,) * rank, two, strict=True) for length in pair]
    shape = [first * second for first, second in zip(one, two, strict=True)]
    return mul(input.reshape(wide), other.reshape(narrow)).reshape(shape)


def cross(input: Any, other: Any, dim: Any = None) -> Any:
    """The vectors that stand upright on pairs of vectors of three elements."""
    need_tensors("cross", input=input, other=other)
    if rank_of(input) != rank_of(other):
        raise RuntimeError(f"cross: the ranks differ: {rank_of(input)} and {rank_of(other)}")
    if dim is None:
        place = next((at for at, length in enumerate(shape_of(input)) if length == 3), None)
        if place is None:
            raise RuntimeError("no dimension of size 3 in input")
    else:
        place = wrapped(dim, rank_of(input))
    for each in (input, other):
        if not rank_of(each) or shape_of(each)[place] != 3:
            raise RuntimeError(f"cross: inputs dimension {place} must have length 3. Got {list(shape_of(each))}")
    shape = _broadcast("cross", shape_of(input), shape_of(other))
    one, two = ([each.expand(shape).select(place, at) for at in range(3)] for each in (input, other))
    need_alike("cross", input=input, other=other)
    kind = kind_of(input)
    inside = dtypes.PRECISE.get(kind, kind)
    one, two = ([each.to(inside) for each in several] for several in (one, two))
    parts = [sub(mul(one[a], two[b]), mul(one[b], two[a])) for a, b in ((1, 2), (2, 0), (0, 1))]
    return _stacked(parts, place).to(kind)


def _stacked(parts: list[Any], place: int) -> Any:
    from ..core.framework import mindspore
    from ..tensor.creating import wrap

    return wrap(mindspore.ops.stack(parts, place))


def _broadcast(name: str, one: Any, other: Any) -> tuple[int, ...]:
    try:
        return tuple(map(int, np.broadcast_shapes(tuple(one), tuple(other))))
    except ValueError as unfit:
        raise RuntimeError(f"{name}: {list(one)} and {list(other)} do not fit each other") from unfit


ROWS = 64
"""How many rows of differences are held at once."""


@here
def cdist(x1: Any, x2: Any, p: float = 2.0, compute_mode: Any = None) -> Any:
    """The distances between each vector of one set and each of another, by a norm."""
    need_tensors("cdist", x1=x1, x2=x2)
    if rank_of(x1) < 2 or rank_of(x2) < 2:
        raise RuntimeError("cdist only supports at least 2D tensors")
    if shape_of(x1)[-1] != shape_of(x2)[-1]:
        raise RuntimeError("X1 and X2 must have the same number of columns")
    if p < 0:
        raise RuntimeError("cdist only supports non-negative p values")
    if kind_of(x1).kind != "f" or kind_of(x2).kind != "f":
        raise RuntimeError(f"cdist only supports floating-point dtypes, and these are {kind_of(x1)}, {kind_of(x2)}")
    need_alike("cdist", x1=x1, x2=x2)
    _broadcast("cdist", shape_of(x1)[:-2], shape_of(x2)[:-2])
    one, two = (kept(each) for each in (x1, x2))
    blocks = [one[..., at : at + ROWS, :] for at in range(0, one.shape[-2], ROWS)] or [one]
    with np.errstate(all="ignore"):
        found = np.concatenate([_distances(block[..., :, None, :] - two[..., None, :, :], p) for block in blocks], -2)

    def gradients(gradient: Any) -> Any:
        apart = (one[..., :, None, :] - two[..., None, :, :]).astype(np.float64)
        share = _distance_gradient(apart, found[..., None], p) * gradient[..., None]
        return share.sum(-2), -share.sum(-3)

    return made(found, kind_of(x1), (x1, x2), gradients)


def _distances(apart: Any, p: float) -> Any:
    size = np.abs(apart)
    if p == 0:
        return np.where(np.isnan(size), size, size != 0).sum(-1)
    if p == np.inf:
        return size.max(-1, initial=0)
    if p == 2:
        return np.sqrt((size * size).sum(-1, dtype=np.float64))
    return (size**p).sum(-1, dtype=np.float64) ** (1 / p)


def _distance_gradient(apart: Any, whole: Any, p: float) -> Any:
    sign, size = np.sign(apart), np.abs(apart)
    if p == 0:
        return np.zeros_like(apart)
    if p == 1:
        return sign
    if p == np.inf:
        return sign * (size == whole)
    safe = np.where(whole == 0, 1, whole)
    return np.where((whole == 0) | (size == 0), 0, sign * (np.where(size == 0, 1, size) / safe) ** (p - 1))
