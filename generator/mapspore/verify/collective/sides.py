"""The two frameworks behind one face: the reference (torch on gloo) and the adapter (torchspore on MindSpore). In:
arrays and names. Out: tensors of that framework, and arrays again. Only the ranks of a job import either of them.
"""

from __future__ import annotations

import importlib
from abc import ABC, abstractmethod
from datetime import timedelta
from typing import Any

import numpy as np

# NumPy has no bfloat16: its values travel as float32, which holds them exactly.
CARRIED = {"bfloat16": "float32"}
_PLAIN = ("bool", "int", "float", "str")


class Side(ABC):
    """What the harness needs of a framework."""

    name: str
    package: str
    backend: str
    waits_twice: bool
    """Whether a handle can be waited for again; gloo waits in vain for a second message."""
    dist: Any

    @abstractmethod
    def start(self, timeout: float) -> None:
        """Join the job's process group."""

    @abstractmethod
    def tensor(self, array: np.ndarray, dtype: str) -> Any:
        """A tensor of this framework with its own memory."""

    @abstractmethod
    def array(self, tensor: Any) -> np.ndarray:
        """What a tensor holds, as NumPy has it."""

    @abstractmethod
    def dtype(self, tensor: Any) -> str:
        """The dtype's name, as both sides spell it."""

    def address(self, tensor: Any) -> int:
        return int(tensor.data_ptr())

    def operator(self, name: str) -> Any:
        return getattr(self.dist.ReduceOp, name)

    def world(self) -> Any:
        return self.dist.GroupMember.WORLD

    def name_of(self, group: Any) -> Any:
        """The group as a MindSpore name, where there is one."""
        return group

    def api(self, name: str) -> Any:
        """A public name of the reference's framework, or what stands for it on this side."""
        found: Any = importlib.import_module(self.package)
        for part in name.removeprefix("torch.").split("."):
            found = (
                getattr(found, part) if hasattr(found, part) else importlib.import_module(f"{found.__name__}.{part}")
            )
        return found

    def plain(self, value: Any) -> Any:
        """What is returned, as JSON that both sides spell alike: a group is its rank, size and ranks."""
        if isinstance(value, list | tuple):
            return [self.plain(each) for each in value]
        if isinstance(value, dict):
            return value
        if self.is_group(value):
            return {"group": [value.rank(), value.size(), list(self.dist.get_process_group_ranks(value))]}
        if isinstance(value, str) and value == self.backend:
            return {"the side's own backend": True}
        if hasattr(value, "__iter__") and hasattr(value, "__len__") and not isinstance(value, str | bytes):
            return [self.plain(each) for each in value]
        if value is None or (isinstance(value, bool | int | float | str) and type(value).__name__ in _PLAIN):
            return value
        return {type(value).__name__: str(value)}

    def described(self, name: str) -> Any:
        """A class or a constant: what kind of thing it is, its public names, and the values among them."""
        thing = self.api(name)
        if isinstance(thing, bool | int | float | str | timedelta):
            return {"value": self.plain(thing)}
        names = [each for each in dir(thing) if not each.startswith("_")]
        values = {each: getattr(thing, each, None) for each in names}
        plain = {each: value for each, value in values.items() if type(value) in (bool, int, float, str)}
        return {"names": names, "values": plain}

    def is_group(self, value: Any) -> bool:
        return isinstance(value, self.dist.ProcessGroup)


class TorchSide(Side):
    name = "torch"
    package = "torch"
    backend = "gloo"
    waits_twice = False

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
    package = "torchspore"
    backend = "mccl"
    waits_twice = True

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


def encoded(array: np.ndarray) -> dict[str, Any]:
    return {"shape": list(array.shape), "dtype": str(array.dtype), "bytes": np.ascontiguousarray(array).tobytes().hex()}


def decoded(content: dict[str, Any]) -> np.ndarray:
    return np.frombuffer(bytes.fromhex(content["bytes"]), content["dtype"]).reshape(content["shape"])
