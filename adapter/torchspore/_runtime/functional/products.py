"""Products with weights: `linear`, `bilinear`, and the rows of a table, `embedding` and `embedding_bag`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..autograd.modes import no_grad
from ..core.errors import UnsupportedArgument
from ..core.private import in_graph, is_enabled
from ..tensor import dtypes
from ..tensor.creating import wrap
from .computing import (
    computed,
    fractions,
    is_tensor,
    keeps,
    kind_of,
    on_ascend,
    tensor_argument,
    tensor_of,
    values,
    whole,
)


def _rows(array: Any) -> Any:
    return array.reshape(math.prod(array.shape[:-1]), array.shape[-1])


def _linear(x: Any, weight: Any, bias: Any) -> Any:
    flat, matrix_rows = _rows(x), math.prod(weight.shape[:-1])
    y = flat @ (weight.T if weight.ndim == 2 else weight)
    if bias is not None:
        y += bias

    def back(g: Any) -> Any:
        rows = g.reshape(flat.shape[0], matrix_rows)
        matrix = weight if weight.ndim == 2 else weight[None]
        conjugate = np.conj if np.iscomplexobj(matrix) else np.asarray
        return (
            lambda: (rows @ conjugate(matrix)).reshape(x.shape),
            lambda: (rows.T @ conjugate(flat)).reshape(weight.shape),
            lambda: None if bias is None else rows.sum(0).reshape(bias.shape),
        )

    return y.reshape(*x.shape[:-1], *weight.shape[:-1]), back


_linear = keeps(0, 1)(_linear)


@on_ascend
def linear(input: Any, weight: Any, bias: Any = None) -> Any:
    """Each row of the input times the transposed weight, plus the bias."""
    for name, each in (("input", input), ("weight", weight)):
        tensor_argument("linear", name, each)
    if not input.ndim or weight.ndim not in (1, 2):
        raise RuntimeError("both arguments to linear need to be at least 1D, and the weight at most 2D")
    if input.shape[-1] != weight.shape[-1]:
        rows = int(np.prod(input.shape[:-1], dtype=np.int64))
        raise RuntimeError(
            f"mat1 and mat2 shapes cannot be multiplied ({rows}x{input.shape[-1]} and "
            f"{'x'.join(map(str, reversed(weight.shape)))})"
        )
    kinds = [kind_of(each) for each in (input, weight, bias) if each is not None]
    if any(each is not kinds[0] for each in kinds):
        raise RuntimeError(f"mat1 and mat2 must have the same dtype, but got {' and '.join(map(str, kinds))}")
    if kinds[0].kind not in "fc":
        found = input @ (weight.t() if weight.ndim == 2 else weight)
        return found if bias is None else found + bias
    if bias is not None and (bias.ndim > 1 or bias.numel() not in (1, *weight.shape[:-1])):
        if bias.ndim > 1:
            product = linear(input, weight)
            return product + bias
        raise RuntimeError(
            f"The size of the bias ({bias.numel()}) must match the number of outputs ({weight.shape[0]})"
        )
    if bias is not None and bias.numel() == 1 and weight.shape[:-1] != (1,):
        return linear(input, weight) + bias
    return computed(_linear, (input, weight, bias))


def _bilinear(one: Any, other: Any, weight: Any, bias: Any) -> Any:
    x, z = _rows(one), _rows(other)
    through = np.einsum("ni,oij->noj", x, weight, optimize=x.dtype.kind in "fc")
    y = np.einsum("noj,nj->no", through, z)
    if bias is not None:
        y = y + bias

    def back(g: Any) -> Any:
        rows = g.reshape(x.shape[0], weight.shape[0])
        return (
            lambda: np.einsum("no,oij,nj->ni", rows, weight, z, optimize=True).reshape(one.shape),
            lambda: np.einsum("no,noj->nj", rows, through).reshape(other.shape),
            lambda: np.einsum("no,ni,nj->oij", rows, x, z, optimize=True),
            lambda: rows.sum(0),
        )

    return y.reshape(*one.shape[:-1], weight.shape[0]), back


def bilinear(input1: Any, input2: Any, weight: Any, bias: Any = None) -> Any:
    """Each pair of rows joined by a matrix for each output."""
    for each in (input1, input2, weight):
        tensor_argument("bilinear", "input", each)
    kinds = {kind_of(each) for each in (input1, input2, weight)}
    if len(kinds) > 1:
        raise RuntimeError(f"All tensors must have the same dtype, got {' and '.join(sorted(map(str, kinds)))}")
    if kind_of(weight).kind == "b":
        fractions("bilinear", weight)
    if tuple(input1.shape[:-1]) != tuple(input2.shape[:-1]):
        raise RuntimeError(
            f"bilinear(): input batch dimensions do not match: got {list(input1.shape)} and {list(input2.shape)}"
        )
    if weight.ndim != 3 or (input1.shape[-1], input2.shape[-1]) != tuple(weight.shape[1:]):
        raise RuntimeError(
            f"bilinear(): input sizes do not match weight size: got {input1.shape[-1]} and {input2.shape[-1]} but "
            f"expected {list(weight.shape[1:])}"
        )
    if bias is not None and bias.numel() != weight.shape[0]:
        raise RuntimeError(f"bilinear(): bias size does not match weight size: got {bias.numel()}")
    if kind_of(weight).kind == "c" and is_enabled() and any(in_graph(each) for each in (input1, input2, weight)):
        raise RuntimeError("_trilinear does not support automatic differentiation for outputs with complex dtype.")
    return computed(_bilinear, (input1, input2, weight, bias))


def added_rows(count: int, places: Any, rows: Any) -> Any:
    """A table of so many rows to which rows are added at places, some perhaps named more than once."""
    table = np.zeros((count, *rows.shape[1:]), rows.dtype)
    if places.size:
        order = np.argsort(places, kind="stable")
        named, starts = np.unique(places[order], return_index=True)
        table[named] = np.add.reduceat(rows[order], starts, axis=0)
    return table


@keeps()
def _embedding(weight: Any, index: Any, padding: int | None, by_count: bool) -> Any:
    def back(g: Any) -> Any:
        places, rows = index.reshape(-1), g.reshape(index.size, *weight.shape[1:])
        if by_count:
            rows = rows / np.bincount(places, minlength=len(weight))[places][:, None].astype(rows.dtype)
        if padding is not None:
            rows = rows * (places != padding)[:, None]
        return (added_rows(len(weight), places, rows),)

    return weight[index], back


def _index(call: str, weight: Any, index: Any) -> Any:
    if kind_of(index).name not in ("int64", "int32"):
        raise RuntimeError(
            "Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got "
            f"{kind_of(index)} instead (while checking arguments for {call})"
        )
    places = whole(index)
    if places.size and (places.min() < 0 or places.max() >= weight.shape[0]):
        raise IndexError("index out of range in self")
    return places


def _padding(padding_idx: int | None, rows: int) -> int | None:
    if padding_idx is None:
        return None
    if not -rows <= padding_idx < rows:
        raise AssertionError("Padding_idx must be within num_embeddings")
    return padding_idx % rows


def _shortened(weight: Any, places: Any, max_norm: float, norm_type: float) -> None:
    """Bring the rows that are used to a greatest norm, in the table itself."""
    if kind_of(weight).kind not in "fc":
        raise RuntimeError(f"norm(): input dtype should be either floating point or complex. Got {kind_of(weight)}.")
    with no_grad():
        used = np.unique(places)
        table = np.array(values(weight.detach()))
        norms = np.linalg.norm(table[used], norm_type, axis=1).astype(np.float64)
        long = norms > max_norm
        if long.any():
            rows = table[used[long]] * (max_norm / (norms[long] + 1e-7))[:, None].astype(table.dtype)
            weight[used[long]] = wrap(tensor_of(rows, kind_of(weight)))


def embedding(
    input: Any,
    weight: Any,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Any:
    """The rows of a table that numbers name."""
    tensor_argument("embedding", "indices", input)
    tensor_argument("embedding", "weight", weight)
    if weight.ndim != 2:
        raise RuntimeError("'weight' must be 2-D")
    _no_sparse(sparse, weight)
    padding = _padding(padding_idx, weight.shape[0])
    places = _index("embedding", weight, input)
    if max_norm is not None:
        _shortened(weight, places, max_norm, norm_type)
    return computed(_embedding, (weight,), places, padding, scale_grad_by_freq)


def _no_sparse(sparse: bool, weight: Any) -> None:
    """Refuse gradients that name rows; where none is wanted, there is no difference."""
    if sparse and is_enabled() and in_graph(weight):
        raise UnsupportedArgument(
            "embedding: sparse=True asks for sparse gradients, which MindSpore's tensors do not have; leave it False."
        )


def _bag(
    weight: Any, scales: Any, places: Any, bags: Any, count: int, mode: str, padding: int | None, by_count: bool
) -> Any:
    used = np.ones(places.shape, bool) if padding is None else places != padding
    sizes = np.bincount(bags[used], minlength=count)
    rows = np.where(used.reshape(-1, 1), weight[places], weight.dtype.type(0))
    if mode == "max":
        return _greatest(weight, rows, places, bags, used, count)
    factor = used.astype(weight.dtype)
    if mode == "mean":
        factor = factor / np.maximum(sizes, 1)[bags].astype(weight.dtype)
    weighted = rows * (factor if scales is None else factor * scales)[:, None]

    def back(g: Any) -> Any:
        spread = g[bags] * factor[:, None]

        def of_table() -> Any:
            each = spread if scales is None else spread * scales[:, None]
            if by_count:
                each = each / np.bincount(places, minlength=len(weight))[places][:, None].astype(each.dtype)
            return added_rows(len(weight), places, each)

        return of_table, lambda: (spread * rows).sum(1)

    return added_rows(count, bags, weighted), back


def _greatest(weight: Any, rows: Any, places: Any, bags: Any, used: Any, count: int) -> Any:
    y = np.zeros((count, weight.shape[1]), weight.dtype)
    chosen = np.full(y.shape, -1)
    for bag in range(count):
        inside = np.nonzero((bags == bag) & used)[0]
        if inside.size:
            best = rows[inside].argmax(0)
            y[bag], chosen[bag] = rows[inside].max(0), inside[best]

    def back(g: Any) -> Any:
        each = np.zeros_like(rows)
        bag, column = np.nonzero(chosen >= 0)
        each[chosen[bag, column], column] = g[bag, column]
        return added_rows(len(weight), places, each), None

    return y, back


def embedding_bag(
    input: Any,
    weight: Any,
    offsets: Any = None,
    max_norm: float | None = None,
    norm_type: float = 2,
    scale_grad_by_freq: bool = False,
    mode: str = "mean",
    sparse: bool = False,
    per_sample_weights: Any = None,
    include_last_offset: bool = False,
    padding_idx: int | None = None,
) -> Any:
    """The rows of a table that numbers name, joined bag by bag."""
    if kind_of(weight).name in ("int64", "int32") and kind_of(input).kind == "f":
        input, weight = weight, input
    if per_sample_weights is not None and tuple(per_sample_weights.shape) != tuple(input.shape):
        raise ValueError(
            f"embedding_bag: If per_sample_weights ({tuple(per_sample_weights.shape)}) is not None, then it must have "
            f"the same shape as the input ({tuple(input.shape)})"
        )
    if mode not in ("sum", "mean", "max"):
        raise ValueError("mode has to be one of sum, mean or max")
    _no_sparse(sparse, weight)
    if kind_of(weight).kind != "f":
        raise RuntimeError(
            "Expected tensor for argument #1 'weight' to have one of the following scalar types: Half, BFloat16, "
            f"Float, Double; but got {kind_of(weight)} instead"
        )
    if per_sample_weights is not None and mode != "sum":
        raise NotImplementedError(f"embedding_bag: per_sample_weights was not None. mode='{mode}' does not take them")
    if mode == "max" and scale_grad_by_freq:
        raise ValueError("max mode does not support scaling the gradient by the frequency")
    if input.ndim == 2:
        if offsets is not None:
            raise ValueError(
                "if input is 2D, then offsets has to be None, as input is treated as fixed length sequences"
            )
        starts = np.arange(0, input.numel(), input.shape[1]) if input.shape[1] else np.zeros(input.shape[0], np.int64)
        include_last_offset = False  # every row is a bag
    elif input.ndim == 1:
        starts = _starts(offsets, include_last_offset)
    else:
        raise ValueError(f"input has to be 1D or 2D Tensor, but got Tensor of dimension {input.ndim}")
    padding = _padding(padding_idx, weight.shape[0])
    if max_norm is not None:
        _index("embedding_bag", weight, input)
    if starts.size and starts[-1] > input.numel():
        raise RuntimeError(f"offsets[-1] can not be greater than input's length({input.numel()})")
    try:
        places = _index("embedding_bag", weight, input).reshape(-1)
    except IndexError:
        if max_norm is None:
            raise RuntimeError("an index of input is not in the valid range") from None
        raise
    bags = np.searchsorted(starts, np.arange(places.size), side="right") - 1
    count = starts.size - (1 if include_last_offset else 0)
    inside = bags < count
    if max_norm is not None:
        _shortened(weight, places, max_norm, norm_type)
    scales = None if per_sample_weights is None else per_sample_weights.reshape(-1)
    if not inside.all():
        kept = int(inside.sum())
        places, bags = places[:kept], bags[:kept]
        scales = None if scales is None else scales[:kept]
    return computed(_bag, (weight, scales), places, bags, count, mode, padding, scale_grad_by_freq)


def _starts(offsets: Any, include_last: bool) -> Any:
    if offsets is None:
        raise ValueError("offsets has to be a 1D Tensor but got None")
    if offsets.ndim != 1:
        raise ValueError("offsets has to be a 1D Tensor")
    starts = whole(offsets)
    if include_last and not starts.size:
        raise RuntimeError("include_last_offset: number of offset should be at least 1")
    if starts.size and starts[0] != 0:
        raise RuntimeError(
            f"offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to start from 0: {starts[0]}"
        )
    return starts


def _one_hot(places: Any, classes: int) -> Any:
    found = np.zeros((*places.shape, classes), np.int64)
    np.put_along_axis(found, places[..., None], 1, -1)
    return found


def one_hot(tensor: Any, num_classes: int = -1) -> Any:
    """A row of noughts with a one at the place that a number names."""
    if not is_tensor(tensor) or kind_of(tensor) != dtypes.int64:
        raise RuntimeError("one_hot is only applicable to index tensor of type LongTensor.")
    places = whole(tensor)
    if not places.size and num_classes <= 0:
        raise RuntimeError("Can not infer total number of classes from empty tensor.")
    if places.size and places.min() < 0:
        raise RuntimeError("Class values must be non-negative.")
    if num_classes == 0:
        raise RuntimeError("num_classes should be positive")
    if num_classes > 0 and places.size and places.max() >= num_classes:
        raise RuntimeError("Class values must be smaller than num_classes.")
    return wrap(tensor_of(_one_hot(places, num_classes if num_classes > 0 else int(places.max()) + 1), dtypes.int64))
