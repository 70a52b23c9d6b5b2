"""What of MindSpore's own methods a tensor keeps. Those that torch does not know under the same name stay; those that
mean something else, or do nothing on a CPU without saying so, are refused until an adapter is attached.
"""

from __future__ import annotations

import inspect
from importlib import import_module
from typing import Any

from ..core.errors import NoCounterpart
from ..core.framework import mindspore
from .arithmetic import FUNCTIONS
from .base import Tensor
from .inplace import attach_inplace
from .naming import named

KEPT = frozenset(
    [
        "asnumpy",
        "astype",
        "get_bytes",
        "value",
        "itemsize",
        "nbytes",
        "ndim",
        "strides",
        "storage",
        "storage_offset",
        "untyped_storage",
        "is_contiguous",
        "init_data",
        "init",
        "init_finished",
        "has_init",
        "init_flag",
        "is_init",
        "set_init_flag",
        "param_info",
        "set_param_info",
        "const_arg",
        "set_const_arg",
        "virtual_flag",
        "parent_tensor_",
        "index_of_parent_",
        "symbolic_shape",
        "data_sync",
        "wait_pipeline",
        "hooks",
        "set_cast_dtype",
        "set_dtype",
        "convert_bytes_to_tensor",
        "getitem_index_info",
        "setitem_index_info",
        "set_device_address",
        "offload",
        "offload_file_path",
        "move_to",
        "from_numpy",
        "assign_value",
        "assign_value_cpp",
        "slice_num_of_persistent_data_",
        "slice_shape_of_persistent_data_",
        "flush_from_cache",
        "is_persistent_data",
        "persistent_slice_num_of_persistent_data",
        "remove_hook",
        "expand_dims",
        "pin_memory",
        "is_pinned",
        "is_shared",
    ]
)
"""Names that MindSpore's own functions use of their arguments, and what is the same under both names."""


refused: set[str] = set()
"""The names that are refused."""


def _refusing(name: str) -> Any:
    def refuse(self: Any, *arguments: Any, **keywords: Any) -> Any:
        raise NoCounterpart(
            f"Tensor.{name} has no adapter. MindSpore's method of that name is `mindspore.Tensor.{name}`; "
            "`torchspore._runtime.tensor.lowered(x)` is the same tensor with MindSpore's methods."
        )

    refuse.__name__ = refuse.__qualname__ = name
    refuse.__dict__["lacks"] = "an adapter"  # for who looks before calling it
    refused.add(name)
    return refuse


class _Member:
    """A method that an adapter module of its own has: the module is loaded when the method is asked for."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, tensor: Any, kind: type) -> Any:
        function = getattr(import_module(MEMBERS), self._name)
        setattr(Tensor, self._name, function)
        return function if tensor is None else getattr(tensor, self._name)


OPERATIONS = ("count_nonzero", "masked_fill", "norm", "unique")
"""Functions beside the class that are methods too, and that no entry binds to it."""


def _operation(name: str) -> Any:
    """A method that calls the function of that name, whose module is loaded then."""

    def method(self: Any, *arguments: Any, **keywords: Any) -> Any:
        function = getattr(import_module("torchspore._runtime.operations"), name)
        return function(self, *arguments, **keywords)

    method.__name__ = method.__qualname__ = name
    return method


def operate() -> None:
    """Take in those functions, and what writes their results into the tensor."""
    for word in OPERATIONS:
        setattr(Tensor, word, _operation(word))
    attach_inplace("masked_fill", _operation("masked_fill"))


MEMBERS = "torchspore._Tensor_members"
"""The package of what entries have for tensors."""


def complete() -> None:
    """Take in the methods that entries have, but for those that stand here already."""
    for name in import_module(MEMBERS).__all__:
        if name not in Tensor.__dict__:
            setattr(Tensor, name, _Member(name))


def name() -> None:
    """Let the methods take the names that torch's do."""
    for word, member in list(Tensor.__dict__.items()):
        if inspect.isfunction(member) and not word.startswith("__"):
            setattr(Tensor, word, named(member, FUNCTIONS.get(word.removesuffix("_")) if word[-1] == "_" else None))


def close() -> None:
    """Refuse every public method of MindSpore's tensor that is neither kept nor attached."""
    for name in dir(mindspore.Tensor):
        own = name in Tensor.__dict__
        if not own and not name.startswith("_") and name not in KEPT and callable(getattr(mindspore.Tensor, name)):
            setattr(Tensor, name, _refusing(name))


operate()
name()
complete()
close()
