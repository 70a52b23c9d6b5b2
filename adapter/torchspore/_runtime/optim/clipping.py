"""Gradients cut back: to a common norm, or each element to a limit."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..autograd.modes import no_grad
from ..core.framework import mindspore
from ..tensor import memory
from ..tensor.creating import wrap


def _gradients(parameters: Any) -> list[Any]:
    listed = [parameters] if isinstance(parameters, mindspore.Tensor) else list(parameters)
    return [each.grad for each in listed if each.grad is not None]


@no_grad()
def get_total_norm(
    tensors: Any, norm_type: float = 2.0, error_if_nonfinite: bool = False, foreach: bool | None = None
) -> Any:
    """The norm of the norms of tensors."""
    listed = [tensors] if isinstance(tensors, mindspore.Tensor) else list(tensors)
    kind = float(norm_type)
    if not listed:
        return wrap(memory.from_array(np.zeros((), np.float32)))
    norms = [each.norm(kind) for each in listed]
    stacked = wrap(memory.from_array(np.array([norm.item() for norm in norms], memory.numpy_dtype(norms[0]))))
    total = stacked.norm(kind)
    if error_if_nonfinite and not np.isfinite(total.item()):
        raise RuntimeError(
            f"The total norm of order {kind} for gradients from `parameters` is non-finite, so it cannot be clipped. "
            "To disable this error and scale the gradients by the non-finite norm anyway, set "
            "`error_if_nonfinite=False`"
        )
    return total


@no_grad()
def clip_grads_with_norm_(parameters: Any, max_norm: float, total_norm: Any, foreach: bool | None = None) -> None:
    """Scale gradients so that a norm becomes at most a limit."""
    factor = (float(max_norm) / (total_norm + 1e-6)).clamp(max=1.0)
    for gradient in _gradients(parameters):
        gradient.mul_(factor.to(gradient.dtype))


@no_grad()
def clip_grad_norm_(
    parameters: Any | Iterable[Any],
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Any:
    """Scale the gradients of parameters so that their common norm is at most a limit, and give the norm."""
    held = parameters if isinstance(parameters, mindspore.Tensor) else list(parameters)
    total = get_total_norm(_gradients(held), norm_type, error_if_nonfinite, foreach)
    clip_grads_with_norm_(held, max_norm, total, foreach)
    return total


@no_grad()
def clip_grad_value_(parameters: Any, clip_value: float, foreach: bool | None = None) -> None:
    """Bring every element of the gradients of parameters into a range around nought."""
    limit = float(clip_value)
    for gradient in _gradients(parameters):
        gradient.clamp_(-limit, limit)
