"""The two frameworks behind one face: the reference (torch on gloo) and the adapter (torchspore on MindSpore). In:
arrays and names. Out: tensors of that framework, and arrays again. Only a worker process imports either of them.
"""

from __future__ import annotations

import importlib
from datetime import timedelta
from typing import Any

import numpy as np

# NumPy has no bfloat16: its values travel as float32, which holds them exactly.
CARRIED = {"bfloat16": "float32"}


class Side:
    """What the harness needs of a framework."""

    name: str
    dist: Any

    def start(self, timeout: float) -> None:
        raise NotImplementedError

    def tensor(self, array: np.ndarray, dtype: str) -> Any:
        raise NotImplementedError

    def array(self, tensor: Any) -> np.ndarray:
        raise NotImplementedError

    def dtype(self, tensor: Any) -> str:
        raise NotImplementedError

    def address(self, tensor: Any) -> int:
        return int(tensor.data_ptr())

    def transposed(self, tensor: Any) -> Any:
        return tensor.T

    def operator(self, name: str) -> Any:
        return getattr(self.dist.ReduceOp, name)

    def world(self) -> Any:
        return self.dist.GroupMember.WORLD

    def name_of(self, group: Any) -> Any:
        """The group as a MindSpore name, where there is one."""
        return group


class TorchSide(Side):
    name = "torch"

    def __init__(self) -> None:
        self.torch = importlib.import_module("torch")
        self.torch.set_num_threads(1)
        self.dist = importlib.import_module("torch.distributed")

    def start(self, timeout: float) -> None:
        self.dist.init_process_group("gloo", timeout=timedelta(seconds=timeout))

    def tensor(self, array: np.ndarray, dtype: str) -> Any:
        return self.torch.from_numpy(array.copy()).to(getattr(self.torch, dtype)).clone()

    def array(self, tensor: Any) -> np.ndarray:
        wide = tensor.float() if tensor.dtype == self.torch.bfloat16 else tensor
        return np.asarray(wide.detach().numpy())

    def dtype(self, tensor: Any) -> str:
        return str(tensor.dtype).removeprefix("torch.")


class AdapterSide(Side):
    name = "adapter"

    def __init__(self) -> None:
        self.mindspore = importlib.import_module("mindspore")
        self.dist = importlib.import_module("torchspore.distributed")

    def start(self, timeout: float) -> None:
        self.dist.init_process_group(timeout=timedelta(seconds=timeout))

    def tensor(self, array: np.ndarray, dtype: str) -> Any:
        tensor = self.mindspore.Tensor(array.copy())
        return tensor.astype(self.mindspore.bfloat16) if dtype == "bfloat16" else tensor

    def array(self, tensor: Any) -> np.ndarray:
        wide = tensor.float() if tensor.dtype == self.mindspore.bfloat16 else tensor
        return np.asarray(wide.asnumpy())

    def dtype(self, tensor: Any) -> str:
        return str(tensor.dtype).lower()

    def name_of(self, group: Any) -> Any:
        return getattr(group, "name", group)


SIDES = {"torch": TorchSide, "adapter": AdapterSide}
