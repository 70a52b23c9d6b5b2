"""The same values on both sides: torch's and the runtime's. Out: pairs of tensors, and comparisons of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from torchspore._runtime.tensor import Tensor, dtypes, from_numpy


def pair(values: Any, requires_grad: bool = False) -> tuple[torch.Tensor, Any]:
    """A tensor of each side with the same elements in memory of its own."""
    array = np.array(values)
    theirs = torch.from_numpy(array.copy()).requires_grad_(requires_grad)
    return theirs, from_numpy(array.copy(), requires_grad)


def typed(values: Any, name: str) -> tuple[torch.Tensor, Any]:
    """The same values in one dtype, by its name."""
    theirs = torch.tensor(values).to(getattr(torch, name))
    ours = from_numpy(np.array(values, np.float64)).to(dtypes.named(name))
    return theirs, ours


def values_of(tensor: Any) -> Any:
    """The elements as an array of NumPy; bfloat16 in float32."""
    if isinstance(tensor, torch.Tensor):
        tensor = tensor.detach()
        return (tensor.float() if tensor.dtype == torch.bfloat16 else tensor).resolve_conj().numpy()
    tensor = tensor.detach()
    return (tensor.float() if tensor.dtype == dtypes.bfloat16 else tensor).numpy()


def assert_same(theirs: Any, ours: Any, rtol: float = 1e-6, atol: float = 1e-6) -> None:
    """Class, shape, dtype and elements agree."""
    assert isinstance(ours, Tensor), type(ours)
    assert tuple(theirs.shape) == tuple(ours.shape)
    assert str(theirs.dtype) == str(ours.dtype)
    np.testing.assert_allclose(values_of(ours), values_of(theirs), rtol=rtol, atol=atol)


def outcome(function: Any, *arguments: Any, **keywords: Any) -> Any:
    """What a call returns, or the error that it raises."""
    try:
        return function(*arguments, **keywords)
    except (RuntimeError, TypeError, ValueError, IndexError, NotImplementedError) as error:
        return error
