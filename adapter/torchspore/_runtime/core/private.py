"""Every private name of MindSpore that the tensor, the engine and the modules stand on: no public API replaces them.

In: the installed MindSpore. Out: the functions under names of our own, probed when this module is imported. `NAMES`
says of each what it is for and in which versions it was seen, so that a version without it is one sentence and a page
can list them. Nothing else in the runtime of tensors reaches for a private name.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .framework import mindspore


class NoEngine(ImportError):
    """The installed MindSpore lacks a private name that the engine stands on."""


@dataclass(frozen=True)
class PrivateName:
    """One private name: where it stands, what it is for, and the versions that it was seen in."""

    path: str
    purpose: str
    seen: tuple[str, ...]


ENGINE = ("2.7.1", "2.8.0", "2.9.0", "2.10.0")
HERE = ("2.10.0",)
"""The versions by the strings in their wheels; only 2.10.0 was run."""

NAMES = (
    PrivateName("mindspore._c_expression.run_backward", "runs the recorded graph backwards", ENGINE),
    PrivateName("mindspore._c_expression.pyboost_detach", "the same memory outside of the graph", ENGINE),
    PrivateName("mindspore._c_expression._unsafe_set_version_counter", "tells the graph of a write to memory", HERE),
    PrivateName("mindspore._c_expression.FunctionBase", "a step of the graph that is written in Python", ENGINE),
    PrivateName("mindspore._c_expression.typing", "the classes of dtypes", ENGINE),
    PrivateName("mindspore.graph.api._pynative_executor", "whether operations are recorded", ("2.9.0", "2.10.0")),
    PrivateName("mindspore.common._grad_function._Function", "a step of the graph with its context", ENGINE),
    PrivateName("mindspore.Tensor._grad", "the gradient that a backward run leaves at a leaf", ENGINE),
    PrivateName("mindspore.Tensor._grad_node", "the step that a tensor came from", ENGINE),
    PrivateName("mindspore.Tensor._is_leaf", "whether a tensor is the beginning of the graph", ENGINE),
    PrivateName("mindspore.Tensor._requires_grad", "whether a tensor is part of the graph", ENGINE),
    PrivateName("mindspore.Tensor._version", "how often the memory of a tensor was written to", ENGINE),
    PrivateName("mindspore.Tensor._data_ptr", "the address of the first element", ENGINE),
    PrivateName("mindspore.Tensor._make_subclass", "a second object for the same tensor", ENGINE[1:]),
    PrivateName("mindspore.Tensor.assign_value_cpp", "lets an object stand for another tensor", ENGINE),
)


def _lookup(path: str) -> Any:
    owner, _, name = path.rpartition(".")
    found = mindspore.Tensor if owner == "mindspore.Tensor" else importlib.import_module(owner)
    return getattr(found, name)


def probe() -> dict[str, Any]:
    """Every private name with what stands behind it; a missing one is refused with the versions that have it."""
    found: dict[str, Any] = {}
    for each in NAMES:
        try:
            found[each.path] = _lookup(each.path)
        except (ImportError, AttributeError):
            raise NoEngine(
                f"torchspore's tensors need {each.path}, which MindSpore {mindspore.__version__} does not have; "
                f"it was seen in {', '.join(each.seen)}."
            ) from None
    return found


_found = probe()
_executor: Any = _found["mindspore.graph.api._pynative_executor"]

run_backward: Callable[..., Any] = _found["mindspore._c_expression.run_backward"]
detach: Callable[[Any], Any] = _found["mindspore._c_expression.pyboost_detach"]
set_versions: Callable[[list[Any], list[int]], None] = _found["mindspore._c_expression._unsafe_set_version_counter"]
dtype_classes: Any = _found["mindspore._c_expression.typing"]
Step: Any = _found["mindspore.common._grad_function._Function"]

_grad = mindspore.Tensor._grad
take_grad: Callable[[Any], Any] = _grad.__get__
put_grad: Callable[[Any, Any], None] = _grad.__set__
node_of: Callable[[Any], Any] = mindspore.Tensor._grad_node.__get__
is_leaf: Callable[[Any], bool] = mindspore.Tensor._is_leaf.__get__
in_graph: Callable[[Any], bool] = mindspore.Tensor._requires_grad.__get__
version_of: Callable[[Any], int] = mindspore.Tensor._version.__get__
address_of: Callable[[Any], int] = mindspore.Tensor._data_ptr
second_object: Callable[[type, Any], Any] = mindspore.Tensor._make_subclass
become: Callable[[Any, Any], None] = mindspore.Tensor.assign_value_cpp

is_recording: Callable[[], bool] = _executor._executor.grad_flag
set_recording: Callable[[bool], None] = _executor._executor.set_grad_flag
is_enabled: Callable[[], bool] = _executor._executor.enable_grad
set_enabled: Callable[[bool], None] = _executor._executor.set_enable_grad
