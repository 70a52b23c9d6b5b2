"""Methods of tensors, for who asks for them. MindSpore's class stays as it is until then."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from torchspore._choice import use
from torchspore._runtime.core.framework import mindspore

__all__ = ["install_tensor_methods"]


def install_tensor_methods() -> Callable[[], None]:
    """Give MindSpore's tensors the methods of `torchspore.Tensor`, everywhere in the process. What is returned takes
    them back."""
    package: Any = import_module("torchspore._Tensor_members")
    own = {name: getattr(package, name) for name in package.__all__ if hasattr(package, name)}
    methods = {
        name: function for name, function in own.items() if function.__module__ != use.__module__ and not _is_read(name)
    }
    before = {name: mindspore.Tensor.__dict__.get(name) for name in methods}
    for name, function in methods.items():
        setattr(mindspore.Tensor, name, function)

    def take_back() -> None:
        for name, function in before.items():
            if function is None:
                delattr(mindspore.Tensor, name)
            else:
                setattr(mindspore.Tensor, name, function)

    return take_back


def _is_read(name: str) -> bool:
    """Whether MindSpore's tensors have it as a property, such as `shape`, which needs no method."""
    return name in mindspore.Tensor.__dict__ and not callable(mindspore.Tensor.__dict__[name])
