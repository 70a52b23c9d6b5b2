"""The members of a tensor about gradients, such as `requires_grad`, `grad`, `grad_fn`, `backward` and `data`."""

from __future__ import annotations

from typing import Any

from ..core.framework import mindspore
from ..core.private import detach, in_graph, is_leaf, node_of, version_of
from ..tensor import dtypes
from ..tensor.base import Tensor, attach
from ..tensor.views import family_of
from .engine import backward
from .hooks import hooks_of, register_hook, retain_grad
from .modes import record

_Plain = mindspore.Tensor
_requires = mindspore.Tensor.requires_grad_
_data = mindspore.Tensor.data
_dtype = mindspore.Tensor._dtype.__get__
_shape = mindspore.Tensor.shape.__get__


def requires_grad_(self: Any, requires_grad: bool = True) -> Any:
    """Say whether the gradient of a leaf is wanted."""
    record()
    if requires_grad:
        kind = dtypes.of(_dtype(self))
        if kind.kind not in "fc":
            raise RuntimeError("only Tensors of floating point and complex dtype can require gradients")
        if not in_graph(self):
            _requires(self, True)
            self.__dict__.pop("_hooks", None)
            hooks_of(self)
    elif in_graph(self):
        if not is_leaf(self):
            raise RuntimeError(
                "you can only change requires_grad flags of leaf variables. If you want to use a computed variable in "
                "a subgraph that doesn't require differentiation use var_no_grad = var.detach()."
            )
        _requires(self, False)
    return self


def get_grad(self: Any) -> Any:
    """The gradient; None before the first backward, and of a tensor that is no leaf and does not retain it."""
    return self.__dict__.get("_gradient")


def set_grad(self: Any, gradient: Any) -> None:
    if gradient is not None:
        if not isinstance(gradient, _Plain):
            raise TypeError(
                f"assigned grad expected to be a Tensor or None but got grad of type {type(gradient).__name__}"
            )
        if tuple(_shape(gradient)) != tuple(_shape(self)):
            raise RuntimeError(
                f"assigned grad has data of a different size: {list(_shape(gradient))} for {list(_shape(self))}"
            )
        if _dtype(gradient) != _dtype(self):
            raise RuntimeError("assigned grad has data of a different type")
        if type(gradient) is _Plain:
            gradient.__class__ = Tensor
    self.__dict__["_gradient"] = gradient


class GradFn:
    """The step of the graph that a tensor came from, under MindSpore's name for it."""

    def __init__(self, node: Any) -> None:
        self._node = node

    def name(self) -> str:
        return f"{self._node.name()}Backward"

    @property
    def next_functions(self) -> tuple[tuple[Any, int], ...]:
        return tuple((None if node is None else GradFn(node), place) for node, place in self._node.next_functions)

    def __repr__(self) -> str:
        return f"<{self.name()}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GradFn) and self._node._unique_id() == other._node._unique_id()

    def __hash__(self) -> int:
        return hash(self._node._unique_id())


def grad_fn(self: Any) -> Any:
    return None if is_leaf(self) or not in_graph(self) else GradFn(node_of(self))


def tensor_backward(
    self: Any, gradient: Any = None, retain_graph: bool | None = None, create_graph: bool = False, inputs: Any = None
) -> None:
    backward(self, gradient, retain_graph, create_graph, inputs=inputs)


def get_data(self: Any) -> Any:
    """The same memory outside of the graph. Writes to it are not noticed by the engine, as with torch."""
    made = _Plain(0, _dtype(self))
    _data.__set__(made, detach(self))
    made.__class__ = Tensor
    family_of(self).join(made)
    return made


def set_data(self: Any, value: Any) -> None:
    """Take over the memory of another tensor, and leave the place in the graph."""
    if dtypes.of(_dtype(value)).kind in "bui" and in_graph(self):
        raise RuntimeError("data set to a tensor that requires gradients must be floating point or complex dtype")
    _data.__set__(self, detach(value))
    for name in ("_base", "_path", "_unrecorded"):
        self.__dict__.pop(name, None)
    family_of(value).join(self)


attach("requires_grad", property(in_graph, lambda self, wanted: requires_grad_(self, wanted) and None))
attach("requires_grad_", requires_grad_)
attach("grad", property(get_grad, set_grad, lambda self: set_grad(self, None)))
attach("grad_fn", property(grad_fn))
attach("is_leaf", property(is_leaf))
attach("backward", tensor_backward)
attach("register_hook", register_hook)
attach("retain_grad", retain_grad)
attach("retains_grad", property(lambda self: bool(getattr(self.__dict__.get("_hooks"), "retains", False))))
attach("data", property(get_data, set_data))
attach("_version", property(version_of))
attach("_base", property(lambda self: self.__dict__.get("_base")))
attach("_is_view", lambda self: "_path" in self.__dict__)
attach("is_inference", lambda self: False)
