"""Losses: how far outputs are from what they should be. In: outputs, targets and a reduction. Out: one number, or one
per element. What takes classes stands in `classes`.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from ..tensor.promotion import result_type
from . import composed
from .activations import sigmoid_of
from .computing import computed, is_tensor, kind_of, summed_to, tensor_argument
from .distances import pairwise_distance

REDUCTIONS = ("none", "mean", "sum")
Pointwise = Callable[..., Any]


def reduction_of(reduction: str, size_average: bool | None = None, reduce: bool | None = None) -> str:
    """The name of a reduction, also out of the two switches that there were before."""
    if size_average is not None or reduce is not None:
        warnings.warn("size_average and reduce args will be deprecated, please use reduction instead.", stacklevel=3)
        return "none" if reduce is False else "sum" if size_average is False else "mean"
    if reduction not in REDUCTIONS:
        raise ValueError(f"{reduction} is not a valid value for reduction")
    return reduction


def reduced(loss: Any, reduction: str) -> tuple[Any, Callable[[Any], Any]]:
    """A loss per element brought to one number, and the way back to a gradient per element."""
    if reduction == "none":
        return loss, lambda g: g
    if reduction == "sum":
        return loss.sum(), lambda g: np.broadcast_to(g, loss.shape)
    return loss.mean() if loss.size else np.full((), np.nan, loss.dtype), lambda g: np.broadcast_to(
        g / loss.dtype.type(max(loss.size, 1)), loss.shape
    )


def _pointwise(formula: Pointwise) -> Callable[..., Any]:
    """A rule out of a formula, which gives the loss of each element and a function to its slopes by each array."""

    def rule(*given: Any) -> Any:
        *arrays, reduction, settings = given
        loss, slopes = formula(*arrays, *settings)
        total, up = reduced(loss, reduction)

        def back(g: Any) -> Any:
            each = up(g)
            return tuple(
                None if array is None or slope is None else summed_to(np.asarray(each * slope), array.shape)
                for array, slope in zip(arrays, slopes(), strict=True)
            )

        return total, back

    return rule


def _loss(call: str, formula: Pointwise, tensors: list[Any], reduction: str, *settings: Any) -> Any:
    for each in tensors:
        if each is not None:
            tensor_argument(call, "input", each)
    present = [each for each in tensors if each is not None]
    kind = result_type(*present)
    if formula in _COMPOSED and (kind.kind != "f" or any(kind_of(each).kind == "b" for each in present)):
        return _summary(_COMPOSED[formula](*present, *settings), reduction)
    if kind.kind == "c":
        raise NotImplementedError(f"{call} is not implemented for {kind}")
    if kind.kind != "f":
        raise RuntimeError(f"{call} is not implemented for {kind}")
    try:
        np.broadcast_shapes(*(tuple(each.shape) for each in present))
    except ValueError:
        raise RuntimeError(
            f"The size of tensor a {list(present[0].shape)} must match the size of tensor b {list(present[1].shape)}"
        ) from None
    given = [each if each is None or kind_of(each) is kind else each.to(kind) for each in tensors]
    return computed(_RULES[formula], given, reduction, settings)


def _square(x: Any, y: Any) -> Any:
    d = x - y
    return d * d, lambda: (2 * d, -2 * d)


def _weighted_square(x: Any, y: Any, w: Any) -> Any:
    d = x - y
    return d * d * w, lambda: (2 * d * w, -2 * d * w, d * d)


def _sign(d: Any) -> Any:
    """The sign of a difference, of nan nought as in torch."""
    return np.where(d > 0, 1, np.where(d < 0, -1, 0)).astype(d.dtype)


def _absolute(x: Any, y: Any) -> Any:
    d = x - y
    return np.abs(d), lambda: (_sign(d), -_sign(d))


def _weighted_absolute(x: Any, y: Any, w: Any) -> Any:
    d = x - y
    return np.abs(d) * w, lambda: (_sign(d) * w, -_sign(d) * w, np.abs(d))


def _smooth(x: Any, y: Any, beta: float) -> Any:
    d = x - y
    size = np.abs(d)
    slope = np.where(size < beta, d / beta, np.sign(d))
    return np.where(size < beta, 0.5 * d * d / beta, size - 0.5 * beta), lambda: (slope, -slope)


def _huber(x: Any, y: Any, delta: float) -> Any:
    d = x - y
    size = np.abs(d)
    slope = np.where(size <= delta, d, delta * np.sign(d))
    return np.where(size <= delta, 0.5 * d * d, delta * (size - 0.5 * delta)), lambda: (slope, -slope)


def _weighted_huber(x: Any, y: Any, w: Any, delta: float) -> Any:
    loss, slopes = _huber(x, y, delta)
    return loss * w, lambda: (slopes()[0] * w, slopes()[1] * w, loss)


def _binary(x: Any, y: Any, w: Any) -> Any:
    yes, no = np.maximum(np.log(x), -100), np.maximum(np.log1p(-x), -100)
    loss = (y - 1) * no - y * yes
    scale = 1 if w is None else w
    slopes = lambda: (  # noqa: E731
        (x - y) / np.maximum((1 - x) * x, 1e-12) * scale,
        (np.log1p(-x) - np.log(x)) * scale,
        None if w is None else loss,
    )
    return loss * scale, slopes


def _binary_logits(x: Any, y: Any, w: Any, positive: Any) -> Any:
    softened = np.log1p(np.exp(-np.abs(x))) + np.maximum(-x, 0)  # minus the logarithm of the sigmoid
    factor = 1 if positive is None else (positive - 1) * y + 1
    loss = (1 - y) * x + factor * softened
    scale = 1 if w is None else w

    def slopes() -> Any:
        share = sigmoid_of(x)
        more = 0 if positive is None else (positive - 1) * softened
        return (
            (1 - y - factor * (1 - share)) * scale,
            (more - x) * scale,
            None if w is None else loss,
            None if positive is None else y * softened * scale,
        )

    return loss * scale, slopes


def _divergence(x: Any, y: Any, log_target: bool) -> Any:
    if log_target:
        share = np.exp(y)
        return share * (y - x), lambda: (-share, share * (y - x + 1))
    inside = np.where(y == 0, 0, y * np.log(np.where(y == 0, 1, y)))
    return inside - y * x, lambda: (-y, np.log(y) + y / y - x)


def _poisson(x: Any, y: Any, log_input: bool, full: bool, eps: float) -> Any:
    loss = np.exp(x) - y * x if log_input else x - y * np.log(x + eps)
    more: Any = 0
    turned: Any = 0
    if full:
        positive = np.where(y > 1, y, 1)
        more = np.where(y > 1, y * np.log(positive) - y + 0.5 * np.log(2 * math.pi * positive), 0)
        turned = np.where(y > 1, np.log(positive) + 0.5 / positive, np.where(y > 0, 0, np.nan))
    slopes = lambda: (  # noqa: E731
        np.exp(x) - y if log_input else 1 - y / (x + eps), (-x if log_input else -np.log(x + eps)) + turned
    )  # fmt: skip
    return loss + more, slopes


def _gaussian(x: Any, y: Any, v: Any, full: bool, eps: float) -> Any:
    floor = np.maximum(v, eps)
    d = x - y
    loss = 0.5 * (np.log(floor) + d * d / floor) + (0.5 * math.log(2 * math.pi) if full else 0)
    return loss, lambda: (d / floor, -d / floor, 0.5 * (1 / floor - d * d / (floor * floor)))


def _hinge(x: Any, y: Any, margin: float) -> Any:
    away = np.maximum(margin - x, 0)
    loss = np.where(y != 1, away, 0) + np.where(y != -1, x, 0)
    return loss, lambda: (np.where(y != 1, -(margin - x >= 0).astype(x.dtype), 0) + (y != -1), None)


def _ranking(x: Any, z: Any, y: Any, margin: float) -> Any:
    away = -y * (x - z) + margin
    active = (away >= 0).astype(x.dtype)
    return np.maximum(away, 0), lambda: (-y * active, y * active, -(x - z) * active)


def _soft(x: Any, y: Any) -> Any:
    both = np.exp(-y * x)
    return np.log1p(both), lambda: (-y * both / (1 + both), -x * both / (1 + both))


_FORMULAS = (
    _square, _weighted_square, _absolute, _weighted_absolute, _smooth, _huber, _weighted_huber, _binary, _binary_logits,
    _divergence, _poisson, _gaussian, _hinge, _ranking, _soft,
)  # fmt: skip
_COMPOSED: dict[Pointwise, Callable[..., Any]] = {
    _absolute: composed.absolute,
    _weighted_absolute: composed.weighted_absolute,
    _weighted_square: composed.weighted_square,
    _poisson: composed.poisson,
    _hinge: composed.hinge,
    _ranking: composed.ranking,
    _soft: composed.soft,
}
"""What computes the loss of each element where there are no fractions."""
_RULES = {formula: _pointwise(formula) for formula in _FORMULAS}


def _warn_of_sizes(input: Any, target: Any) -> None:
    if is_tensor(input) and is_tensor(target) and tuple(input.shape) != tuple(target.shape):
        warnings.warn(
            f"Using a target size ({target.shape}) that is different to the input size ({input.shape}). This will "
            "likely lead to incorrect results due to broadcasting. Please ensure they have the same size.",
            stacklevel=3,
        )


def _with_weight(
    call: str, formulas: tuple[Any, Any], input: Any, target: Any, weight: Any, reduction: str, *settings: Any
) -> Any:
    _warn_of_sizes(input, target)
    if weight is None:
        return _loss(call, formulas[0], [input, target], reduction, *settings)
    if tuple(weight.shape) != tuple(input.shape):
        raise ValueError("Weights and input must have the same size.")
    if reduction == "mean":
        total = _loss(call, formulas[1], [input, target, weight], "sum", *settings)
        return total / weight.sum()
    return _loss(call, formulas[1], [input, target, weight], reduction, *settings)


def mse_loss(
    input: Any, target: Any, size_average: Any = None, reduce: Any = None, reduction: str = "mean", weight: Any = None
) -> Any:
    """The square of the difference."""
    name = reduction_of(reduction, size_average, reduce)
    return _with_weight("mse_loss", (_square, _weighted_square), input, target, weight, name)


def l1_loss(
    input: Any, target: Any, size_average: Any = None, reduce: Any = None, reduction: str = "mean", weight: Any = None
) -> Any:
    """The size of the difference."""
    name = reduction_of(reduction, size_average, reduce)
    return _with_weight("l1_loss", (_absolute, _weighted_absolute), input, target, weight, name)


def smooth_l1_loss(
    input: Any, target: Any, size_average: Any = None, reduce: Any = None, reduction: str = "mean", beta: float = 1.0
) -> Any:
    """The square of small differences and the size of great ones."""
    name = reduction_of(reduction, size_average, reduce)
    _warn_of_sizes(input, target)
    if beta < 0:
        raise RuntimeError("smooth_l1_loss does not support negative values for beta.")
    if beta == 0:
        return l1_loss(input, target, reduction=name)
    return _loss("smooth_l1_loss", _smooth, [input, target], name, beta)


def huber_loss(input: Any, target: Any, reduction: str = "mean", delta: float = 1.0, weight: Any = None) -> Any:
    """Half the square of small differences and a straight line for great ones."""
    if not isinstance(delta, (int, float)):
        raise TypeError(f"delta must be a float or int, got: {type(delta)}")
    if delta <= 0:
        raise RuntimeError("huber_loss does not support non-positive values for delta.")
    name = reduction_of(reduction)
    _into(input, target)
    if weight is None:
        _warn_of_sizes(input, target)
        return _loss("huber_loss", _huber, [input, target], name, delta).to(kind_of(input))
    if tuple(weight.shape) != tuple(input.shape):
        raise ValueError("Weights and input must have the same size.")
    return _loss("huber_loss", _weighted_huber, [input, target, weight], name, delta)


def _into(holder: Any, other: Any) -> None:
    """Refuse what torch would have to write fractions into whole numbers for."""
    kind = result_type(holder, other)
    if kind.kind in "fc" and kind_of(holder).kind in "biu":
        raise RuntimeError(f"result type {kind} can't be cast to the desired output type {kind_of(holder)}")


def _same_size(input: Any, target: Any) -> None:
    if tuple(input.shape) != tuple(target.shape):
        raise ValueError(
            f"Using a target size ({target.shape}) that is different to the input size ({input.shape}) is deprecated. "
            "Please ensure they have the same size."
        )


def binary_cross_entropy(
    input: Any, target: Any, weight: Any = None, size_average: Any = None, reduce: Any = None, reduction: str = "mean"
) -> Any:
    """The loss of probabilities of yes and no."""
    name = reduction_of(reduction, size_average, reduce)
    tensor_argument("binary_cross_entropy", "input", input)
    _same_size(input, target)
    for part, each in (("input", input), ("target", target)):
        inside = (each.detach() >= 0) & (each.detach() <= 1)
        if kind_of(each).kind == "f" and each.numel() and not bool(inside.all()):
            raise RuntimeError(f"all elements of {part} should be between 0 and 1")
    if kind_of(input) is not kind_of(target):
        raise RuntimeError(f"Found dtype {kind_of(target)} but expected {kind_of(input)}")
    return _loss("binary_cross_entropy", _binary, [input, target, weight], name).to(kind_of(input))


def binary_cross_entropy_with_logits(
    input: Any, target: Any, weight: Any = None, size_average: Any = None, reduce: Any = None, reduction: str = "mean",
    pos_weight: Any = None,
) -> Any:  # fmt: skip
    """The loss of scores of yes and no."""
    name = reduction_of(reduction, size_average, reduce)
    tensor_argument("binary_cross_entropy_with_logits", "input", input)
    if tuple(input.shape) != tuple(target.shape):
        raise ValueError(f"Target size ({target.shape}) must be the same as input size ({input.shape})")
    _into(target, input)
    found = _loss("binary_cross_entropy_with_logits", _binary_logits, [input, target, weight, pos_weight], name)
    return found.to(result_type(input, target))


def kl_div(
    input: Any, target: Any, size_average: Any = None, reduce: Any = None, reduction: str = "mean",
    log_target: bool = False,
) -> Any:  # fmt: skip
    """The divergence of one distribution from another, whose logarithms are given."""
    batch = reduction == "batchmean"
    name = "sum" if batch else reduction_of(reduction, size_average, reduce)
    if name == "mean":
        warnings.warn(
            "reduction: 'mean' divides the total loss by both the batch size and the support size. 'batchmean' divides "
            "only by the batch size, and aligns with the KL div math definition.",
            stacklevel=2,
        )
    for each in (input, target):
        if is_tensor(each) and kind_of(each).kind in "biu":
            raise RuntimeError("kl_div: Integral inputs not supported.")
    found = _loss("kl_div", _divergence, [input, target], name, log_target)
    return found / input.shape[0] if batch and input.ndim else found


def poisson_nll_loss(
    input: Any, target: Any, log_input: bool = True, full: bool = False, size_average: Any = None, eps: float = 1e-8,
    reduce: Any = None, reduction: str = "mean",
) -> Any:  # fmt: skip
    """The loss of rates of counts."""
    name = reduction_of(reduction, size_average, reduce)
    return _loss("poisson_nll_loss", _poisson, [input, target], name, log_input, full, eps)


def gaussian_nll_loss(
    input: Any, target: Any, var: Any, full: bool = False, eps: float = 1e-6, reduction: str = "mean"
) -> Any:
    """The loss of means and variances of normal numbers."""
    if isinstance(var, float):
        if var < 0:
            raise ValueError("var has negative entry/entries")
        var = input.new_full(tuple(input.shape), var)
    elif not is_tensor(var):
        raise TypeError(f"var must be a tensor or a float, not {type(var).__name__}")
    elif tuple(var.shape) != tuple(input.shape):
        if tuple(input.shape[:-1]) == tuple(var.shape):
            var = var.unsqueeze(-1)
        elif not (tuple(input.shape[:-1]) == tuple(var.shape[:-1]) and var.shape[-1] == 1):
            fits = var.ndim == input.ndim and all(m in (1, n) for n, m in zip(input.shape, var.shape, strict=True))
            if not fits:
                raise ValueError("var is of incorrect size")
    if reduction not in REDUCTIONS:
        raise ValueError(reduction + " is not valid")
    if bool((var.detach() < 0).any()):
        raise ValueError("var has negative entry/entries")
    if kind_of(var).kind != "f":
        raise RuntimeError(f"result type Float can't be cast to the desired output type {kind_of(var)}")
    return _loss("gaussian_nll_loss", _gaussian, [input, target, var], reduction, full, eps)


def hinge_embedding_loss(
    input: Any, target: Any, margin: float = 1.0, size_average: Any = None, reduce: Any = None, reduction: str = "mean"
) -> Any:
    """The distance of what belongs together, and what is missing to a margin elsewhere."""
    name = reduction_of(reduction, size_average, reduce)
    tensor_argument("hinge_embedding_loss", "input", input)
    tensor_argument("hinge_embedding_loss", "target", target)
    whole = kind_of(input).kind in "biu"
    signs = (target == 1).to(kind_of(input)) - (target == -1).to(kind_of(input)) if not whole else target
    return _loss("hinge_embedding_loss", _hinge, [input, signs], name, int(margin) if whole else margin)


def margin_ranking_loss(
    input1: Any, input2: Any, target: Any, margin: float = 0, size_average: Any = None, reduce: Any = None,
    reduction: str = "mean",
) -> Any:  # fmt: skip
    """What is missing to a margin by which one score should be above another."""
    name = reduction_of(reduction, size_average, reduce)
    if input1.ndim != input2.ndim or input1.ndim != target.ndim:
        raise RuntimeError(
            "margin_ranking_loss : All input tensors should have same dimension but got sizes: "
            f"input1: {input1.shape}, input2: {input2.shape}, target: {target.shape} "
        )
    return _loss("margin_ranking_loss", _ranking, [input1, input2, target], name, margin)


def soft_margin_loss(
    input: Any, target: Any, size_average: Any = None, reduce: Any = None, reduction: str = "mean"
) -> Any:
    """The logistic loss of scores whose targets are 1 and -1."""
    name = reduction_of(reduction, size_average, reduce)
    tensor_argument("soft_margin_loss", "target", target)
    _into(input, target)
    if kind_of(input).kind in "biu":
        raise RuntimeError(f"result type Float can't be cast to the desired output type {kind_of(input)}")
    if kind_of(target).kind == "b":
        raise RuntimeError("Negation, the `-` operator, on a bool tensor is not supported.")
    try:
        fits = np.broadcast_shapes(tuple(input.shape), tuple(target.shape)) == tuple(input.shape)
    except ValueError:
        fits = False
    if not fits:
        raise RuntimeError(f"the shapes of input {list(input.shape)} and target {list(target.shape)} do not fit")
    return _loss("soft_margin_loss", _soft, [input, target.to(kind_of(input))], name)


def _summary(loss: Any, reduction: str) -> Any:
    return loss if reduction == "none" else loss.sum() if reduction == "sum" else loss.mean()


def cosine_embedding_loss(
    input1: Any, input2: Any, target: Any, margin: float = 0, size_average: Any = None, reduce: Any = None,
    reduction: str = "mean",
) -> Any:  # fmt: skip
    """One minus the cosine of what belongs together, and the cosine above a margin elsewhere."""
    name = reduction_of(reduction, size_average, reduce)
    if target.ndim > 1:
        raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
    if target.ndim == 1:
        if input1.ndim != 2 or input2.ndim != 2:
            raise RuntimeError(
                f"1D target tensor expects 2D input tensors, but found inputs with sizes {list(input1.shape)} and "
                f"{list(input2.shape)}."
            )
    elif input1.ndim != 1 or input2.ndim != 1:
        raise RuntimeError(
            f"0D target tensor expects 1D input tensors, but found inputs with sizes {list(input1.shape)} and "
            f"{list(input2.shape)}."
        )
    cosine = _embedding_cosine(input1, input2, target.ndim)
    zeros = cosine.new_zeros(tuple(cosine.shape))
    positive = (1 - cosine).where(target == 1, zeros)
    negative = (cosine - margin).clamp(min=0).where(target == -1, zeros)
    return _summary(positive + negative, name)


def _embedding_cosine(one: Any, other: Any, dim: int) -> Any:
    """The cosine with torch's own small number inside of the root."""
    product = (one * other).sum(dim)
    squares = ((one * one).sum(dim) + 1e-12) * ((other * other).sum(dim) + 1e-12)
    return product / squares.sqrt()


def triplet_margin_loss(
    anchor: Any, positive: Any, negative: Any, margin: float = 1.0, p: float = 2, eps: float = 1e-6, swap: bool = False,
    size_average: Any = None, reduce: Any = None, reduction: str = "mean",
) -> Any:  # fmt: skip
    """What is missing to a margin by which one thing should be nearer than another."""
    name = reduction_of(reduction, size_average, reduce)
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    if not anchor.ndim == positive.ndim == negative.ndim:
        raise RuntimeError(
            "The anchor, positive, and negative tensors are expected to have the same number of dimensions, but got: "
            f"anchor {anchor.ndim}D, positive {positive.ndim}D, and negative {negative.ndim}D inputs"
        )
    near = pairwise_distance(anchor, positive, p, eps)
    far = pairwise_distance(anchor, negative, p, eps)
    if swap:
        far = _lesser(far, pairwise_distance(positive, negative, p, eps))
    return _summary((near - far + margin).clamp(min=0), name)


def _lesser(one: Any, other: Any) -> Any:
    return one.minimum(other)


def triplet_margin_with_distance_loss(
    anchor: Any, positive: Any, negative: Any, *, distance_function: Any = None, margin: float = 1.0,
    swap: bool = False, reduction: str = "mean",
) -> Any:  # fmt: skip
    """The same with a distance of the caller's own."""
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    if reduction not in REDUCTIONS:
        raise ValueError(f"{reduction} is not a valid value for reduction")
    if not anchor.ndim == positive.ndim == negative.ndim:
        raise RuntimeError(
            "The anchor, positive, and negative tensors are expected to have the same number of dimensions, but got: "
            f"anchor {anchor.ndim}D, positive {positive.ndim}D, and negative {negative.ndim}D inputs"
        )
    measure = pairwise_distance if distance_function is None else distance_function
    near, far = measure(anchor, positive), measure(anchor, negative)
    if swap:
        far = _lesser(far, measure(positive, negative))
    return _summary((near - far + margin).clamp(min=0), reduction)
