"""torch's engine and ours under one set of names, for programs that run on both. In: a program that takes either. Out:
whether their results agree, errors included.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import torch
from sides import assert_same, outcome

from torchspore._runtime.autograd import engine, function, modes
from torchspore._runtime.tensor import from_numpy

VALUES = np.linspace(-1, 2, 6, dtype=np.float32).reshape(2, 3)
THEIRS = SimpleNamespace(
    grad=torch.autograd.grad,
    backward=torch.autograd.backward,
    Function=torch.autograd.Function,
    no_grad=torch.no_grad,
    enable_grad=torch.enable_grad,
    inference_mode=torch.inference_mode,
    set_grad_enabled=torch.set_grad_enabled,
    is_grad_enabled=torch.is_grad_enabled,
    tensor=lambda values, wanted=False: torch.from_numpy(np.array(values)).requires_grad_(wanted),
)
OURS = SimpleNamespace(
    grad=engine.grad,
    backward=engine.backward,
    Function=function.Function,
    no_grad=modes.no_grad,
    enable_grad=modes.enable_grad,
    inference_mode=modes.inference_mode,
    set_grad_enabled=modes.set_grad_enabled,
    is_grad_enabled=modes.is_grad_enabled,
    tensor=lambda values, wanted=False: from_numpy(np.array(values), wanted),
)


def same(program: Any) -> None:
    """Run a program on both sides; its results, errors included, agree."""
    expected, found = outcome(program, THEIRS), outcome(program, OURS)
    if isinstance(expected, Exception) or isinstance(found, Exception):
        assert isinstance(expected, Exception) and isinstance(found, Exception), (expected, found)
        assert isinstance(found, type(expected)), (expected, found)
        return
    for theirs, ours in zip(expected, found, strict=True):
        if isinstance(theirs, torch.Tensor):
            assert_same(theirs, ours, rtol=1e-5)
        else:
            assert theirs == ours
