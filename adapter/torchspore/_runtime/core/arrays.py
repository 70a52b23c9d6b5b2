"""Where parts of the runtime that compute with NumPy meet tensors. In: an array, or a tensor. Out: the other. Which
class of tensors is made is decided by whoever brings one, with `use`; until then it is MindSpore's own. MindSpore is
loaded with the first tensor, so that what only needs arrays runs without it.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np

BFLOAT16 = "bfloat16"
"""The dtype that NumPy lacks: its values are kept as float32, which holds each of them, and the name goes beside."""


def _mindspore_tensor(array: Any, dtype: str | None) -> Any:
    mindspore = importlib.import_module("torchspore._runtime.core.framework").mindspore
    tensor = mindspore.Tensor(array)
    return tensor.astype(mindspore.bfloat16) if dtype == BFLOAT16 else tensor


def _mindspore_array(tensor: Any) -> Any:
    framework = importlib.import_module("torchspore._runtime.core.framework")
    if str(tensor.dtype).lower() == BFLOAT16:
        tensor = tensor.astype(framework.mindspore.float32)
    return tensor.asnumpy()


_make: Callable[[Any, str | None], Any] = _mindspore_tensor
_read: Callable[[Any], Any] = _mindspore_array


def use(make: Callable[[Any, str | None], Any], read: Callable[[Any], Any]) -> None:
    """Let tensors be made and read by these from now on."""
    global _make, _read
    _make, _read = make, read


def to_tensor(array: Any, dtype: str | None = None) -> Any:
    """A tensor with an array's values and dtype; `dtype` is given where the array cannot tell it: "bfloat16"."""
    return _make(np.asarray(array), dtype)


def to_array(tensor: Any) -> Any:
    """The values of a tensor. An array stays what it is."""
    return tensor if isinstance(tensor, np.ndarray) else _read(tensor)
