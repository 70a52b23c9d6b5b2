"""Losses of classes: scores or logarithms of probabilities against the number of the right class, or several."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..tensor.promotion import result_type
from .computing import computed, fractions, is_tensor, keeps, kind_of, summed_to, tensor_argument, values, whole
from .losses import reduced, reduction_of
from .softmaxes import log_shares


def _flat(x: Any) -> Any:
    """(N, C, ...) as rows of classes (all others, C)."""
    if x.ndim == 1:
        return x[None]
    return x if x.ndim == 2 else np.moveaxis(x, 1, -1).reshape(-1, x.shape[1])


def _unflat(rows: Any, shape: tuple[int, ...]) -> Any:
    if len(shape) <= 2:
        return rows.reshape(shape)
    return np.ascontiguousarray(np.moveaxis(rows.reshape(shape[0], *shape[2:], shape[1]), -1, 1))


def _picked(rows: Any, target: Any, weight: Any, ignored: int, smoothing: float, reduction: str) -> Any:
    """The loss of logarithms of probabilities in rows, and the gradient of these."""
    places = target.reshape(-1)
    counts = places != ignored
    safe = np.where(counts, places, 0)
    number = np.arange(places.size)
    scale = counts.astype(rows.dtype) if weight is None else np.where(counts, weight[safe], 0).astype(rows.dtype)
    loss = -np.where(counts, rows[number, safe], 0) * scale if rows.shape[1] else np.zeros(places.size, rows.dtype)
    total = scale.sum()
    smooth = None
    if smoothing:
        by_class = np.ones(rows.shape[1], rows.dtype) if weight is None else weight
        smooth = -np.where(counts[:, None], rows * by_class, 0).sum(1)
        loss = (1 - smoothing) * loss + (smoothing / rows.shape[1]) * smooth
    if reduction == "mean":
        result = loss.sum() / total
    else:
        result = loss.sum() if reduction == "sum" else loss.reshape(target.shape)

    def back(g: Any) -> Any:
        each = np.broadcast_to(
            g / total if reduction == "mean" else np.reshape(g, -1 if reduction == "none" else ()), places.shape
        )
        each = np.where(counts, each, 0).astype(rows.dtype)
        found = np.zeros(rows.shape, rows.dtype)
        if rows.shape[1]:
            found[number, safe] = -each * scale * (1 - smoothing)
        if smoothing:
            found -= (
                each[:, None]
                * (np.ones(rows.shape[1], rows.dtype) if weight is None else weight)
                * (smoothing / rows.shape[1])
            )
        return found

    return result, back


@keeps()
def _nll(x: Any, target: Any, weight: Any, ignored: int, reduction: str) -> Any:
    found, back = _picked(_flat(x), target, weight, ignored, 0.0, reduction)
    return found, lambda g: (_unflat(back(g), x.shape),)


@keeps()
def _cross_entropy(x: Any, target: Any, weight: Any, ignored: int, smoothing: float, reduction: str) -> Any:
    logs = log_shares(_flat(x), 1)
    found, back_to_logs = _picked(logs, target, weight, ignored, smoothing, reduction)

    def back(g: Any) -> Any:
        given = back_to_logs(g)
        return (_unflat(given - np.exp(logs) * given.sum(1, keepdims=True), x.shape),)

    return found, back


@keeps(1)
def _soft_cross_entropy(x: Any, target: Any, weight: Any, smoothing: float, reduction: str) -> Any:
    logs, chances = log_shares(_flat(x), 1), _flat(target)
    classes = logs.shape[1]
    smoothed = chances * (1 - smoothing) + smoothing / classes if smoothing else chances
    weighted = smoothed if weight is None else smoothed * weight
    terms = logs * smoothed  # weighted afterwards, as torch does: a great target times a weight may be infinite
    loss = -(terms if weight is None else terms * weight).sum(1)
    count = logs.shape[0]
    shape = (x.shape[0], *x.shape[2:]) if x.ndim > 1 else ()
    if reduction == "mean":
        result = loss.sum() / count if count else np.full((), np.nan, x.dtype)
    else:
        result = loss.sum() if reduction == "sum" else loss.reshape(shape)

    def back(g: Any) -> Any:
        each = np.reshape(g, -1)[:, None] if reduction == "none" else g / count if reduction == "mean" else g
        given = -weighted * each
        return (
            lambda: _unflat(given - np.exp(logs) * given.sum(1, keepdims=True), x.shape),
            lambda: _unflat(-logs * (1 if weight is None else weight) * each * (1 - smoothing), target.shape),
            lambda: (-logs * smoothed * each).sum(0),
        )

    return result, back


def _class_numbers(call: str, input: Any, target: Any, ignored: int) -> Any:
    tensor_argument(call, "target", target)
    if kind_of(target).name not in ("int64", "uint8", "int32") or (
        call == "nll_loss" and kind_of(target).name == "int32"
    ):
        raise RuntimeError(f"expected scalar type Long but found {kind_of(target).name.capitalize()}")
    wanted = (input.shape[0], *input.shape[2:]) if input.ndim > 1 else ()
    if tuple(target.shape) != tuple(wanted):
        if input.ndim == 2 and target.ndim > 1:
            raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
        if input.ndim > 1 and target.ndim == input.ndim - 1 and input.shape[0] == target.shape[0]:
            raise RuntimeError(f"size mismatch (got input: {list(input.shape)} , target: {list(target.shape)})")
        kind = ValueError if input.ndim > 1 and target.ndim and input.shape[0] != target.shape[0] else RuntimeError
        raise kind(
            f"Expected input batch_size ({input.shape[0] if input.ndim else 0}) to match target batch_size "
            f"({target.shape[0] if target.ndim else 0}): input {list(input.shape)}, target {list(target.shape)}."
        )
    places = whole(target)
    classes = input.shape[1 if input.ndim > 1 else 0]
    wrong = (places != ignored) & ((places < 0) | (places >= classes))
    if wrong.any():
        raise IndexError(f"Target {int(places[wrong][0])} is out of bounds.")
    return places


def _weight_shape(input: Any, weight: Any) -> None:
    classes = input.shape[1 if input.ndim > 1 else 0]
    if tuple(weight.shape) != (classes,):
        raise RuntimeError(
            f"weight tensor should be defined either for all {classes} classes or no classes but got weight tensor of "
            f"shape: {list(weight.shape)}"
        )


def _class_weights(input: Any, weight: Any) -> Any:
    if weight is None:
        return None
    _weight_shape(input, weight)
    if kind_of(weight) is not kind_of(input):
        raise RuntimeError(f"expected scalar type {kind_of(input)} but found {kind_of(weight)}")
    return np.array(values(weight.detach()))


def nll_loss(
    input: Any, target: Any, weight: Any = None, size_average: Any = None, ignore_index: int = -100, reduce: Any = None,
    reduction: str = "mean",
) -> Any:  # fmt: skip
    """Minus the logarithm of the probability of the right class."""
    name = reduction_of(reduction, size_average, reduce)
    fractions("nll_loss", input)
    if not input.ndim:
        raise RuntimeError("input tensor should be 1D or 2D")
    places = _class_numbers("nll_loss", input, target, ignore_index)
    return computed(_nll, (input,), places, _class_weights(input, weight), ignore_index, name)


def cross_entropy(
    input: Any, target: Any, weight: Any = None, size_average: Any = None, ignore_index: int = -100, reduce: Any = None,
    reduction: str = "mean", label_smoothing: float = 0.0,
) -> Any:  # fmt: skip
    """The same of scores; the target names classes or gives their probabilities."""
    name = reduction_of(reduction, size_average, reduce)
    tensor_argument("cross_entropy_loss", "target", target)
    fractions("cross_entropy_loss", input)
    if not 0.0 <= label_smoothing <= 1.0:
        raise RuntimeError(f"label_smoothing must be between 0.0 and 1.0. Got: {label_smoothing}")
    if not input.ndim:
        raise RuntimeError("input tensor should be at least 1D")
    soft = tuple(target.shape) == tuple(input.shape)
    weights = None if soft else _class_weights(input, weight)
    if soft:
        if weight is not None:
            _weight_shape(input, weight)
        if kind_of(target).kind != "f":
            raise RuntimeError(
                f"Expected floating point type for target with class probabilities, got {kind_of(target)}"
            )
        if ignore_index >= 0:
            raise RuntimeError("ignore_index is not supported for floating point target")
        kind = result_type(*(each for each in (input, target, weight) if each is not None))
        same = [each if each is None or kind_of(each) is kind else each.to(kind) for each in (input, target, weight)]
        return computed(_soft_cross_entropy, same, label_smoothing, name)
    places = _class_numbers("cross_entropy_loss", input, target, ignore_index)
    return computed(_cross_entropy, (input,), places, weights, ignore_index, label_smoothing, name)


@keeps()
def _multi_margin(x: Any, target: Any, p: int, margin: float, weight: Any, reduction: str) -> Any:
    rows = np.atleast_2d(x)
    places = np.atleast_1d(target)
    number = np.arange(len(rows))
    away = margin - rows[number, places][:, None] + rows
    away[number, places] = 0
    above = np.where(away > 0, away, away.dtype.type(0))
    scale = (np.ones(len(rows), x.dtype) if weight is None else weight[places]) / rows.shape[1]
    loss = np.where(away > 0, above**p * scale[:, None], 0).sum(1)
    total, up = reduced(loss if np.ndim(target) else loss.reshape(()), reduction)

    def back(g: Any) -> Any:
        each = (above > 0) * (1 if p == 1 else 2 * above) * (np.reshape(up(g), -1) * scale)[:, None]
        each[number, places] = -each.sum(1)
        return (each.reshape(x.shape),)

    return total, back


def multi_margin_loss(
    input: Any, target: Any, p: int = 1, margin: float = 1.0, weight: Any = None, size_average: Any = None,
    reduce: Any = None, reduction: str = "mean",
) -> Any:  # fmt: skip
    """What is missing to a margin by which the right class should be above each other."""
    name = reduction_of(reduction, size_average, reduce)
    if p not in (1, 2):
        raise ValueError("only p == 1 and p == 2 supported")
    fractions("multi_margin_loss", input, weight)
    if weight is not None and weight.ndim != 1:
        raise ValueError("multi_margin_loss: weight must be one-dimensional")
    if not input.ndim:
        found = multi_margin_loss(input.reshape(1), target.reshape(1), p, margin, weight, reduction=name)
        return found.reshape(()) if name == "none" else found
    rows = 1 if input.ndim < 2 else input.shape[0]
    if input.ndim not in (1, 2) or not input.shape[-1] or target.ndim > 1 or target.numel() != rows:
        raise RuntimeError(f"inconsistent target size, expected {rows} but got {list(target.shape)}")
    places = whole(target)
    if places.size and (places.min() < 0 or places.max() >= input.shape[-1]):
        raise RuntimeError("target out of range")
    weights = None if weight is None else _class_weights(input, weight)
    return computed(_multi_margin, (input,), places, p, margin, weights, name)


@keeps()
def _multilabel_margin(x: Any, target: Any, reduction: str) -> Any:
    rows, targets = np.atleast_2d(x), np.atleast_2d(target)
    loss = np.zeros(len(rows), x.dtype)
    slope = np.zeros_like(rows)
    for n, (row, labels) in enumerate(zip(rows, targets, strict=True)):
        ends = np.nonzero(labels < 0)[0]
        right = labels[: ends[0]] if ends.size else labels
        others = np.setdiff1d(np.arange(row.size), right)
        away = 1 - row[right][:, None] + row[others]
        active = away > 0
        loss[n] = np.where(active, away, 0).sum() / row.size
        np.add.at(slope[n], right, -active.sum(1) / row.size)
        slope[n, others] += active.sum(0) / row.size
    total, up = reduced(loss if x.ndim > 1 else loss.reshape(()), reduction)
    return total, lambda g: ((slope * np.reshape(up(g), -1)[:, None]).reshape(x.shape),)


def multilabel_margin_loss(
    input: Any, target: Any, size_average: Any = None, reduce: Any = None, reduction: str = "mean"
) -> Any:
    """What is missing to a margin by which right classes, of which there may be several, should be above others."""
    name = reduction_of(reduction, size_average, reduce)
    fractions("multilabel_margin_loss", input)
    if input.ndim > 2 or tuple(input.shape) != tuple(target.shape) or (input.ndim and not input.shape[-1]):
        raise RuntimeError(f"inconsistent target size: {list(target.shape)} for input of size: {list(input.shape)}")
    places = whole(target)
    if places.size and (places.min() < -1 or places.max() >= max(input.shape[-1] if input.ndim else 1, 1)):
        raise RuntimeError("target out of range")
    if not input.ndim:
        return multilabel_margin_loss(input.reshape(1), target.reshape(1), reduction=name)
    return computed(_multilabel_margin, (input,), places, name)


def _multilabel_soft(x: Any, target: Any, weight: Any, reduction: str) -> Any:
    softened = np.log1p(np.exp(-np.abs(x)))
    yes, no = np.minimum(x, 0) - softened, -np.maximum(x, 0) - softened
    scale = 1 if weight is None else weight
    bare = -(target * yes + (1 - target) * no)
    loss = (bare * scale).mean(-1)
    total, up = reduced(loss, reduction)

    def back(g: Any) -> Any:
        even = np.expand_dims(up(g), -1) / x.shape[-1]
        each = even * scale
        return (
            lambda: (1 / (1 + np.exp(-x)) - target) * each,
            lambda: (no - yes) * each,
            lambda: None if weight is None else summed_to(np.asarray(bare * even), weight.shape),
        )

    return total, back


def multilabel_soft_margin_loss(
    input: Any, target: Any, weight: Any = None, size_average: Any = None, reduce: Any = None, reduction: str = "mean"
) -> Any:
    """The mean of the losses of yes and no over classes."""
    name = reduction_of(reduction, size_average, reduce)
    fractions("multilabel_soft_margin_loss", input)
    if tuple(input.shape) != tuple(target.shape):
        raise RuntimeError(
            f"The size of tensor a {list(input.shape)} must match the size of tensor b {list(target.shape)}"
        )
    kind = result_type(*(each for each in (input, target, weight) if each is not None))
    given = [each if each is None or kind_of(each) is kind else each.to(kind) for each in (input, target, weight)]
    return computed(_multilabel_soft, given, name)


def _joined(one: Any, other: Any) -> Any:
    """The logarithm of a sum of what logarithms stand for, with torch's steps: of inf nothing is left but nan."""
    most = np.maximum(one, other)
    base = np.where(np.isneginf(most), 0, most)
    return np.log(np.exp(one - base) + np.exp(other - base)) + base


def _paths(logs: Any, labels: Any, length: int, count: int, blank: int) -> Any:
    """The loss of one sequence, and its gradient by the logarithms: all ways in which labels can be spread over it."""
    spread = np.full(2 * count + 1, blank)
    spread[1::2] = labels[:count]
    states = spread.size
    may_skip = np.zeros(states, bool)
    may_skip[2:] = (spread[2:] != blank) & (spread[2:] != spread[:-2])
    seen = logs[:length, spread].astype(np.float64)
    forward = np.full((length, states), -np.inf)
    forward[0, : min(2, states)] = seen[0, : min(2, states)]
    for t in range(1, length):
        last = forward[t - 1]
        total = _joined(last, np.concatenate([[-np.inf], last[:-1]]))
        skipped = np.concatenate([[-np.inf, -np.inf], last[:-2]])[:states]
        forward[t] = np.where(may_skip, _joined(total, skipped), total) + seen[t]
    if not length:
        return (0.0 if not count else np.inf), np.zeros_like(logs)
    likelihood = _joined(*forward[-1, -2:]) if states > 1 else forward[-1, -1]
    backward = np.full((length, states), -np.inf)
    backward[-1, -min(2, states) :] = seen[-1, -min(2, states) :]
    for t in range(length - 2, -1, -1):
        later = backward[t + 1]
        total = _joined(later, np.concatenate([later[1:], [-np.inf]]))
        skip = np.concatenate([np.where(may_skip, later, -np.inf)[2:], [-np.inf, -np.inf]])[:states]
        backward[t] = _joined(total, skip) + seen[t]
    gradient = np.zeros_like(logs)
    shares = np.exp(forward + backward - seen - likelihood)
    for state, label in enumerate(spread):
        gradient[:length, label] -= shares[:, state]
    gradient[:length] += np.exp(
        logs[:length]
    )  # as if the logarithms were those of a softmax, which torch takes for granted
    if np.isnan(likelihood):
        gradient[:length] = np.nan
    return -likelihood, gradient


@keeps()
def _ctc(
    logs: Any, targets: list[Any], lengths: Any, counts: Any, blank: int, zero_infinity: bool, reduction: str
) -> Any:
    loss = np.zeros(logs.shape[1], logs.dtype)
    slopes = np.zeros(logs.shape, logs.dtype)
    for n, labels in enumerate(targets):
        loss[n], slopes[:, n] = _paths(logs[:, n], labels, int(lengths[n]), int(counts[n]), blank)
    lost = np.isinf(loss)
    if zero_infinity:
        loss[lost] = 0
        slopes[:, lost] = 0
    by = np.maximum(counts, 1).astype(logs.dtype)
    if reduction == "mean":
        result, scale = (loss / by).mean(), 1 / (by * len(by))
    else:
        result, scale = (loss.sum() if reduction == "sum" else loss), np.ones_like(by)
    return result, lambda g: (slopes * (np.reshape(g, -1) * scale)[:, None],)


def ctc_loss(
    log_probs: Any, targets: Any, input_lengths: Any, target_lengths: Any, blank: int = 0, reduction: str = "mean",
    zero_infinity: bool = False,
) -> Any:  # fmt: skip
    """The loss of sequences of labels that are not aligned with the outputs."""
    reduction_of(reduction)
    fractions("ctc_loss", log_probs)
    single = log_probs.ndim == 2
    logs = log_probs.unsqueeze(1) if single else log_probs
    if logs.ndim != 3:
        raise RuntimeError(f"ctc_loss expects log_probs of 2 or 3 dimensions, but got {log_probs.ndim}")
    lengths, counts = (
        np.atleast_1d(whole(each) if is_tensor(each) else np.array(each)) for each in (input_lengths, target_lengths)
    )
    batch = logs.shape[1]
    if not 0 <= blank < logs.shape[2]:
        raise RuntimeError("blank must be in label range")
    if lengths.size != batch or counts.size != batch:
        raise RuntimeError(f"input_lengths and target_lengths must be of size {batch}")
    if lengths.dtype.kind not in "iu" or counts.dtype.kind not in "iu":
        raise RuntimeError("input_lengths and target_lengths must be integral")
    if batch and (lengths.max() > logs.shape[0] or lengths.min() < 0):
        raise RuntimeError(
            f"Expected input_lengths to have value at most {logs.shape[0]}, but got value {lengths.max()}"
        )
    numbers = whole(targets)
    if numbers.ndim == 1 and not single:
        ends = np.cumsum(counts)
        if numbers.size != (ends[-1] if ends.size else 0):
            raise RuntimeError(f"Expected targets of {int(ends[-1])} labels, but got {numbers.size}")
        rows = [numbers[end - count : end] for end, count in zip(ends, counts, strict=True)]
    else:
        rows = list(np.atleast_2d(numbers))
        if counts.max(initial=0) > np.atleast_2d(numbers).shape[1]:
            raise RuntimeError(f"Expected target_lengths of at most {np.atleast_2d(numbers).shape[1]}")
    found = computed(_ctc, (logs,), rows, lengths, counts, blank, zero_infinity, reduction)
    return found.squeeze(0) if single and reduction == "none" else found
