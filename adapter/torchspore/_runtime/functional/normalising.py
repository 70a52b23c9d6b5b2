"""Normalisation: values are brought to mean nought and variance one, over the last dimensions, over groups of
channels or over the batch, then scaled and moved by what is learnt.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..autograd.modes import no_grad
from ..tensor import dtypes
from ..tensor.creating import from_numpy, wrap
from ..tensor.size import wrapped
from ..tensor.writing import write
from .computing import computed, fractions, keeps, kind_of, tensor_argument, tensor_of


def centred(x: Any, axes: Any, eps: float) -> Any:
    """Values of mean nought and variance one, the factor that made them so, mean and variance."""
    mean = x.mean(axes, keepdims=True)
    moved = x - mean
    variance = (moved * moved).mean(axes, keepdims=True)
    factor = (1 / np.sqrt(variance + eps)).astype(x.dtype)
    moved *= factor
    return moved, factor, mean, variance


def uncentred(g: Any, normal: Any, factor: Any, axes: Any) -> Any:
    """The gradient of the values that were brought to mean nought and variance one."""
    return factor * (g - g.mean(axes, keepdims=True) - normal * (g * normal).mean(axes, keepdims=True))


def _affine(normal: Any, weight: Any, bias: Any) -> Any:
    y = normal if weight is None else normal * weight
    return (y if weight is not None else y.copy()) if bias is None else y + bias


def _as_a_line(x: Any, weight: Any, bias: Any, axes: Any, eps: float, joined: bool) -> Any:
    """The same with torch's own steps, in float64: each value times a factor plus a shift, into which the weight goes
    too if they are `joined`. Where values are not finite, or overflow, it depends on the steps what comes out."""
    wide = x.astype(np.float64)
    mean = (wide / (wide.size // max(1, wide[_first(wide, axes)].size))).sum(axes, keepdims=True)
    factor = 1 / np.sqrt(((wide - mean) ** 2).mean(axes, keepdims=True) + eps)
    if joined:
        factor = factor if weight is None else factor * weight
        shift = -factor * mean if bias is None else bias - factor * mean
        return (wide * factor + shift).astype(x.dtype)
    line = wide * factor + -mean * factor
    return _affine(line, weight, bias).astype(x.dtype)


def _back(
    normal: Any, weight: Any, axes: Any, shapes: Sequence[Any], down: Callable[[Any], Any]
) -> Callable[[Any], Any]:
    """From a gradient to those of input, weight and bias; `axes` are those that the latter two are repeated along."""

    def back(g: Any) -> Any:
        return (
            lambda: down(g if weight is None else g * weight),
            lambda: None if shapes[0] is None else (g * normal).sum(axes).reshape(shapes[0]),
            lambda: None if shapes[1] is None else g.sum(axes).reshape(shapes[1]),
        )

    return back


def _first(array: Any, axes: Any) -> Any:
    """What picks one element along some dimensions, and all along the others."""
    chosen = {each % array.ndim for each in ((axes,) if isinstance(axes, int) else axes)}
    return tuple(slice(0, 1) if place in chosen else slice(None) for place in range(array.ndim))


def _is_tame(y: Any, factor: Any) -> bool:
    """Whether nothing overflowed on the way to a result."""
    return bool(np.isfinite(y).all() and (factor > 0).all())


def _shape(array: Any) -> Any:
    return None if array is None else array.shape


@keeps(1)
def _layer_norm(x: Any, weight: Any, bias: Any, count: int, eps: float) -> Any:
    axes = tuple(range(x.ndim - count, x.ndim))
    normal, factor, _, _ = centred(x, axes, eps)
    outer = tuple(range(x.ndim - count))
    back = _back(normal, weight, outer, (_shape(weight), _shape(bias)), lambda g: uncentred(g, normal, factor, axes))
    y = _affine(normal, weight, bias)
    return (y if _is_tame(y, factor) else _as_a_line(x, weight, bias, axes, eps, False)), back


def _last_dimensions(call: str, input: Any, normalized_shape: Any, *learnt: Any) -> tuple[int, ...]:
    shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(int(n) for n in normalized_shape)
    if not shape:
        raise RuntimeError(
            f"Expected normalized_shape to be at least 1-dimensional, but got normalized_shape = {shape}"
        )
    for each in learnt:
        if each is not None and tuple(each.shape) != shape:
            raise RuntimeError(
                f"Expected weight and bias to be of same shape as normalized_shape, but got {list(each.shape)} and "
                f"normalized_shape = {list(shape)}"
            )
    if tuple(input.shape[-len(shape) :]) != shape:
        raise RuntimeError(
            f"Given normalized_shape={list(shape)}, expected input with shape [*, {', '.join(map(str, shape))}], but "
            "got "
            f"input of size{list(input.shape)}"
        )
    return shape


def layer_norm(input: Any, normalized_shape: Any, weight: Any = None, bias: Any = None, eps: float = 1e-5) -> Any:
    """Values normalised over the last dimensions."""
    tensor_argument("layer_norm", "input", input)
    fractions("layer_norm", input, weight, bias)
    shape = _last_dimensions("layer_norm", input, normalized_shape, weight, bias)
    _learnt_dtypes(input, weight, bias)
    return computed(_layer_norm, (input, weight, bias), len(shape), eps)


def _learnt_dtypes(input: Any, *learnt: Any) -> None:
    """What is learnt has the dtype of the input; beside halves it may be of float32."""
    kind = kind_of(input)
    for each in learnt:
        if each is not None and kind_of(each) is not kind:
            if kind.itemsize == 2 and kind_of(each) is dtypes.float32:
                continue
            raise RuntimeError(f"expected scalar type {kind} but found {kind_of(each)}")


@keeps(0, 1)
def _rms_norm(x: Any, weight: Any, count: int, eps: float) -> Any:
    axes = tuple(range(x.ndim - count, x.ndim))
    factor = (1 / np.sqrt((x * x).mean(axes, keepdims=True) + eps)).astype(x.dtype)
    normal = x * factor

    def down(g: Any) -> Any:
        return factor * (g - normal * (g * normal).mean(axes, keepdims=True))

    back = _back(normal, weight, tuple(range(x.ndim - count)), (_shape(weight), None), down)
    return _affine(normal, weight, None), lambda g: back(g)[:2]


def rms_norm(input: Any, normalized_shape: Any, weight: Any = None, eps: float | None = None) -> Any:
    """Values over the root of their mean square in the last dimensions."""
    tensor_argument("rms_norm", "input", input)
    if not input.ndim:
        raise ValueError("Input tensor must have at least 1 dimensions, but got 0")
    if kind_of(input).kind != "c":
        fractions("rms_norm", input, weight)
    shape = _last_dimensions("rms_norm", input, normalized_shape, weight)
    if weight is not None and kind_of(input).itemsize > 2 and kind_of(weight) is not kind_of(input):
        return rms_norm(input, normalized_shape, None, eps) * weight
    _learnt_dtypes(input, weight)
    inside = np.float64 if kind_of(input) is dtypes.float64 else np.float32
    return computed(_rms_norm, (input, weight), len(shape), float(np.finfo(inside).eps) if eps is None else eps)


def _by_channel(array: Any, rank: int) -> Any:
    return None if array is None else array.reshape(1, -1, *(1,) * (rank - 2))


@keeps(1)
def _group_norm(x: Any, weight: Any, bias: Any, groups: int, eps: float) -> Any:
    shape = x.shape
    grouped = x.reshape(shape[0], groups, -1 if x.size else int(np.prod(shape[1:])) // groups)
    normal, factor, _, _ = centred(grouped, 2, eps)
    scale, outer = _by_channel(weight, x.ndim), tuple(n for n in range(x.ndim) if n != 1)

    def down(g: Any) -> Any:
        return uncentred(g.reshape(grouped.shape), normal, factor, 2).reshape(shape)

    flat = normal.reshape(shape)
    back = _back(flat, scale, outer, (_shape(weight), _shape(bias)), down)
    y, shift = _affine(flat, scale, _by_channel(bias, x.ndim)), _by_channel(bias, x.ndim)
    if _is_tame(y, factor):
        return y, back
    factors, shifts = (
        None if each is None else np.broadcast_to(each, (1, *shape[1:])).reshape(1, *grouped.shape[1:])
        for each in (scale, shift)
    )
    return _as_a_line(grouped, factors, shifts, 2, eps, True).reshape(shape), back


def group_norm(input: Any, num_groups: int, weight: Any = None, bias: Any = None, eps: float = 1e-5) -> Any:
    """Values normalised over groups of channels, sample by sample."""
    fractions("group_norm", input, weight, bias)
    if input.ndim < 2:
        raise RuntimeError(f"Expected at least 2 dimensions for input tensor but received {input.ndim}")
    channels = input.shape[1]
    if num_groups <= 0 or channels % num_groups:
        raise RuntimeError(
            "Expected number of channels in input to be divisible by num_groups, but got input of shape "
            f"{list(input.shape)} and num_groups={num_groups}"
        )
    if int(np.prod((input.shape[0] * channels // num_groups, *input.shape[2:]))) == 1:
        raise ValueError(f"Expected more than 1 value per channel when training, got input size {list(input.shape)}")
    _of_channels("weight", weight, channels)
    _of_channels("bias", bias, channels)
    _learnt_dtypes(input, weight, bias)
    return computed(_group_norm, (input, weight, bias), num_groups, eps)


def _of_channels(name: str, tensor: Any, channels: int) -> None:
    if tensor is not None and tuple(tensor.shape) != (channels,):
        raise RuntimeError(
            f"{name} should contain {channels} elements, one for each channel, not be of shape {list(tensor.shape)}"
        )


@keeps(1)
def _batch_norm(x: Any, weight: Any, bias: Any, eps: float, tell: Callable[[Any, Any], None]) -> Any:
    axes = tuple(n for n in range(x.ndim) if n != 1)
    normal, factor, mean, variance = centred(x, axes, eps)
    scale = _by_channel(weight, x.ndim)

    def down(g: Any) -> Any:
        return uncentred(g, normal, factor, axes)

    back = _back(normal, scale, axes, (_shape(weight), _shape(bias)), down)
    shift = _by_channel(bias, x.ndim)
    y = _affine(normal, scale, shift)
    if _is_tame(y, factor):
        tell(mean.reshape(-1), variance.reshape(-1))
        return y, back
    wide = x.astype(np.float64)
    tell(wide.mean(axes), wide.var(axes))
    return _as_a_line(x, scale, shift, axes, eps, True), back


@keeps(1)
def _batch_norm_by(x: Any, weight: Any, bias: Any, mean: Any, variance: Any, eps: float) -> Any:
    axes = tuple(n for n in range(x.ndim) if n != 1)
    factor = _by_channel((1 / np.sqrt(variance + eps)).astype(x.dtype), x.ndim)
    normal = (x - _by_channel(mean, x.ndim)) * factor
    scale = _by_channel(weight, x.ndim)
    back = _back(normal, scale, axes, (_shape(weight), _shape(bias)), lambda g: g * factor)
    return _affine(normal, scale, _by_channel(bias, x.ndim)), back


def _one_dtype(input: Any, *others: Any) -> None:
    """What is normalised with has the dtype of the input; beside halves all of it may be of float32."""
    kinds = {kind_of(each) for each in others if each is not None}
    if kinds <= {kind_of(input)} or (kind_of(input).itemsize == 2 and kinds == {dtypes.float32}):
        return
    raise RuntimeError("mixed dtype (CPU): all inputs must share same datatype.")


def _updated(running: Any, found: Any, momentum: float) -> None:
    """Move a running statistic towards the one of a batch."""
    if running is not None:
        with no_grad():
            kind = np.float64 if kind_of(running) is dtypes.float64 else found.dtype.type
            kept = running.detach().float() if kind_of(running).itemsize == 2 else running.detach()
            values = kept.numpy().astype(kind) * kind(1 - momentum) + found.astype(kind) * kind(momentum)
            write(running, wrap(tensor_of(values, kind_of(running))))


def _size_in_training(shape: Sequence[int]) -> None:
    count = int(np.prod((shape[0], *shape[2:]), dtype=np.int64))
    if count == 1:
        raise ValueError(
            f"Expected more than 1 value per channel when training, got input size torch.Size({list(shape)})"
        )


def batch_norm(
    input: Any,
    running_mean: Any,
    running_var: Any,
    weight: Any = None,
    bias: Any = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Any:
    """Values normalised channel by channel, over the batch in training and by running statistics else."""
    tensor_argument("batch_norm", "input", input)
    if not input.numel():
        return _of_nothing(input, weight, bias)
    fractions("batch_norm", input, weight, bias)
    if input.ndim < 2:
        raise RuntimeError(f"batch_norm expects at least 2 dimensions, and the input has {input.ndim}")
    if training:
        _size_in_training(tuple(input.shape))
    elif running_mean is None or running_var is None:
        raise RuntimeError("running_mean and running_var must be defined in evaluation mode")
    if training and eps <= 0:
        raise ValueError(f"batch_norm eps must be positive, but got {eps}")
    channels = input.shape[1]
    for name, each in (
        ("running_mean", running_mean),
        ("running_var", running_var),
        ("weight", weight),
        ("bias", bias),
    ):
        _of_channels(name, each, channels)
    _learnt_dtypes(input, weight, bias)
    if input.numel():
        _one_dtype(input, weight, bias, running_mean, running_var)
    if not training:
        return _by_statistics(input, running_mean, running_var, weight, bias, eps)
    count = input.numel() // max(channels, 1)

    def tell(mean: Any, variance: Any) -> None:
        if not count:
            return  # an empty batch tells nothing
        _updated(running_mean, mean, momentum)
        _updated(running_var, variance * (count / max(count - 1, 1)), momentum)

    return computed(_batch_norm, (input, weight, bias), eps, tell)


def _by_statistics(input: Any, running_mean: Any, running_var: Any, weight: Any, bias: Any, eps: float) -> Any:
    mean, variance = (np.array(each.detach().to(_inside(input)).numpy()) for each in (running_mean, running_var))
    return computed(_batch_norm_by, (input, weight, bias), mean, variance, eps)


def _of_nothing(input: Any, weight: Any, bias: Any) -> Any:
    """What torch makes of an empty batch: it looks at the first numbers of weight and bias and at nothing else."""
    found = input.clone()
    found = found if weight is None else found * weight[0]
    return found if bias is None else found + bias[0]


def _inside(input: Any) -> Any:
    return dtypes.float64 if kind_of(input) is dtypes.float64 else dtypes.float32


def instance_norm(
    input: Any,
    running_mean: Any = None,
    running_var: Any = None,
    weight: Any = None,
    bias: Any = None,
    use_input_stats: bool = True,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Any:
    """Values normalised channel by channel in each sample."""
    fractions("instance_norm", input, weight, bias)
    shape = tuple(input.shape)
    if use_input_stats and int(np.prod(shape[2:], dtype=np.int64)) == 1:
        raise ValueError(f"Expected more than 1 spatial element when training, got input size {input.shape}")
    if not use_input_stats:
        if running_mean is None or running_var is None:
            raise RuntimeError("Expected running_mean and running_var to be defined when use_input_stats is false")
        if weight is not None or bias is not None or not input.numel():
            return batch_norm(input, running_mean, running_var, weight, bias, False, momentum, eps)
        return _by_statistics(input, running_mean, running_var, None, None, eps)
    if not input.numel():
        found = _of_nothing(input, *(None if each is None else each.repeat(shape[0]) for each in (weight, bias)))
        for name, each in (("running_mean", running_mean), ("running_var", running_var)):
            _of_channels(name, each, shape[1])
        blank = np.full(shape[1], np.nan, np.float32)
        _updated(running_mean, blank, momentum)
        _updated(running_var, blank, momentum)
        return found
    for name, each in (
        ("running_mean", running_mean),
        ("running_var", running_var),
        ("weight", weight),
        ("bias", bias),
    ):
        _of_channels(name, each, shape[1])
    if weight is not None or bias is not None:
        _one_dtype(input, weight, bias, running_mean, running_var)
    if running_mean is not None or running_var is not None:
        _update_by_samples(input, running_mean, running_var, momentum)
    return computed(_group_norm, (input, weight, bias), shape[1], eps)


def _update_by_samples(input: Any, running_mean: Any, running_var: Any, momentum: float) -> None:
    """Running statistics of single samples: the means of theirs."""
    x = input.detach().to(_inside(input)).numpy()
    axes = tuple(range(2, x.ndim))
    count = int(np.prod(x.shape[2:]))
    _updated(running_mean, x.mean(axes).mean(0), momentum)
    _updated(running_var, (x.var(axes) * (count / max(count - 1, 1))).mean(0), momentum)


def _windows_over_channels(squares: Any, size: int) -> Any:
    """The mean of squares over neighbouring channels, as many before as after."""
    before = size // 2
    padded = np.pad(squares, ((0, 0), (before, (size - 1) // 2), *((0, 0),) * (squares.ndim - 2)))
    return sum(padded[:, step : step + squares.shape[1]] for step in range(size)) / size


def _local_response_norm(x: Any, size: int, alpha: float, beta: float, k: float) -> Any:
    base = _windows_over_channels(x * x, size) * alpha + k
    scale = base**-beta

    def back(g: Any) -> Any:
        through = g * x * scale / base
        flipped = _windows_over_channels(through[:, ::-1], size)[:, ::-1]
        return (g * scale - 2 * alpha * beta * x * flipped,)

    return x * scale, back


def _whole_response_norm(input: Any, size: int, alpha: float, beta: float, k: float) -> Any:
    """The same of whole numbers, whose squares torch averages as whole numbers, after filling with zeros."""
    squares = np.array(input.numpy()) ** 2
    padded = np.pad(squares, ((0, 0), (size // 2, (size - 1) // 2), *((0, 0),) * (squares.ndim - 2)))
    total = sum(padded[:, step : step + squares.shape[1]] for step in range(size))
    mean = (np.abs(total) // size * np.sign(total)).astype(np.int64)
    return input / (from_numpy(mean) * alpha + k) ** beta


def local_response_norm(input: Any, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0) -> Any:
    """Values over a power of the mean of squares in neighbouring channels."""
    tensor_argument("local_response_norm", "input", input)
    if kind_of(input).name == "int64" and input.ndim >= 3:  # whose squares torch averages, cut to whole numbers
        return _whole_response_norm(input, size, alpha, beta, k)
    fractions("local_response_norm", input)
    if input.ndim < 3:
        raise ValueError(f"Expected 3D or higher dimensionality input (got {input.ndim} dimensions)")
    return computed(_local_response_norm, (input,), size, alpha, beta, k)


def _direction(x: Any, size: Any) -> Any:
    """The sign of numbers, of complex ones too."""
    return x / np.where(size == 0, 1, size) if x.dtype.kind == "c" else np.sign(x)


@keeps(0)
def _normalize(x: Any, p: float, dims: Any, eps: float) -> Any:
    size = np.abs(x)
    if p == 2:
        norm = np.sqrt((size * size).sum(dims, keepdims=True))
        towards = x / np.where(norm == 0, 1, norm)
    elif p == float("inf"):
        norm = size.max(dims, keepdims=True)
        ties = size == norm
        towards = _direction(x, size) * ties / ties.sum(dims, keepdims=True)
    elif p == 0:
        norm, towards = (x != 0).sum(dims, keepdims=True).astype(size.dtype), np.zeros_like(x)
    else:
        norm = (size**p).sum(dims, keepdims=True) ** (1 / p)
        towards = _direction(x, size) * np.where(norm == 0, 0, (size / np.where(norm == 0, 1, norm)) ** (p - 1))
    floor = np.maximum(norm, eps)
    y = x / floor

    def back(g: Any) -> Any:
        pull = (g / floor * np.conj(y)).real.sum(dims, keepdims=True) * (norm >= eps)
        return (g / floor - pull * towards,)

    return y, back


def normalize(input: Any, p: float = 2.0, dim: Any = 1, eps: float = 1e-12, out: Any = None) -> Any:
    """Values over their norm along a dimension."""
    tensor_argument("normalize", "input", input)
    if kind_of(input).kind not in "fc":
        raise RuntimeError(
            f"linalg.vector_norm: Expected a floating point or complex tensor as input. Got {kind_of(input)}"
        )
    dims = tuple(wrapped(each, input.ndim) for each in ((dim,) if isinstance(dim, int) else dim))
    found = computed(_normalize, (input,), p, dims if input.ndim else None, eps)
    return found if out is None else out.copy_(found)
