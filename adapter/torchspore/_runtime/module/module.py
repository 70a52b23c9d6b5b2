"""The base of all layers and models: what is assigned to it (parameters, buffers, modules) it knows by name, in the
order of assignment. States are in `states`, calls of hooks in `calls`.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Any

from ..autograd.hooks import RemovableHandle
from ..autograd.modes import no_grad
from ..core.framework import mindspore
from ..operations.making import empty_like
from ..tensor import devices, dtypes
from ..tensor.base import Tensor
from ..tensor.creating import from_mindspore
from .calls import called
from .parameter import Buffer, Parameter
from .states import load_state_dict, state_dict

_Plain = mindspore.Tensor
HOOKS = (
    "_forward_hooks", "_forward_pre_hooks", "_forward_hooks_with_kwargs", "_forward_pre_hooks_with_kwargs",
    "_forward_hooks_always_called", "_backward_hooks", "_backward_pre_hooks", "_state_dict_hooks",
    "_state_dict_pre_hooks", "_load_state_dict_pre_hooks", "_load_state_dict_post_hooks",
)  # fmt: skip


class Module:
    """A layer or a model."""

    training: bool
    _parameters: dict[str, Any]
    _buffers: dict[str, Any]
    _modules: dict[str, Any]
    _non_persistent_buffers_set: set[str]
    call_super_init = False
    _version = 1

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        if arguments or (keywords and not self.call_super_init):
            raise TypeError(f"{type(self).__name__}.__init__() takes 1 positional argument but more were given")
        put = super().__setattr__
        put("training", True)
        for name in ("_parameters", "_buffers", "_modules"):
            put(name, {})
        put("_non_persistent_buffers_set", set())
        for name in HOOKS:
            put(name, OrderedDict())

    def forward(self, *arguments: Any, **keywords: Any) -> Any:
        raise NotImplementedError(f'Module [{type(self).__name__}] is missing the required "forward" function')

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        return called(self, arguments, keywords)

    # What is assigned

    def register_parameter(self, name: str, param: Any) -> None:
        """Know a parameter, or its absence, by a name."""
        self._free(name, "parameter", self._parameters)
        if param is not None and not isinstance(param, Parameter):
            raise TypeError(
                f"cannot assign '{type(param).__name__}' object to parameter '{name}' "
                "(torch.nn.Parameter or None required)"
            )
        if param is not None and param.grad_fn is not None:
            raise ValueError(f"Cannot assign non-leaf Tensor to parameter '{name}'.")
        self._parameters[name] = param

    def register_buffer(self, name: str, tensor: Any, persistent: bool = True) -> None:
        """Know a tensor that is part of the state and is not learnt by a name."""
        self._free(name, "buffer", self._buffers)
        if tensor is not None and not isinstance(tensor, _Plain):
            raise TypeError(
                f"cannot assign '{type(tensor).__name__}' object to buffer '{name}' (torch Tensor or None required)"
            )
        self._buffers[name] = tensor if tensor is None or isinstance(tensor, Tensor) else from_mindspore(tensor)
        (self._non_persistent_buffers_set.discard if persistent else self._non_persistent_buffers_set.add)(name)

    def add_module(self, name: str, module: Any) -> None:
        self._free(name, "module", self._modules)
        if module is not None and not isinstance(module, Module):
            raise TypeError(f"{type(module).__name__} is not a Module subclass")
        self._modules[name] = module

    register_module = add_module

    def _free(self, name: str, what: str, own: dict[str, Any]) -> None:
        """Refuse a name that is no name, or that something else has."""
        if "_parameters" not in self.__dict__:
            raise AttributeError(f"cannot assign {what} before Module.__init__() call")
        if not isinstance(name, str):
            raise TypeError(f"{what} name should be a string. Got {type(name).__name__}")
        if "." in name:
            raise KeyError(f'{what} name can\'t contain ".", got: {name}')
        if name == "":
            raise KeyError(f'{what} name can\'t be empty string ""')
        if hasattr(self, name) and name not in own:
            raise KeyError(f"attribute '{name}' already exists")

    def __setattr__(self, name: str, value: Any) -> None:
        inside = self.__dict__
        if isinstance(value, (mindspore.nn.Cell, mindspore.Parameter)) and not isinstance(value, Parameter):
            from .cells import CellModule, held_parameter

            value = CellModule(value) if isinstance(value, mindspore.nn.Cell) else held_parameter(value)
        if isinstance(value, Parameter):
            self._taken(name, "_buffers", "_modules", what="parameters")
            self.register_parameter(name, value)
        elif isinstance(value, Module):
            self._taken(name, "_parameters", "_buffers", what="module")
            inside["_modules"][name] = value
        elif name in inside.get("_parameters", ()):
            if value is not None:
                raise TypeError(
                    f"cannot assign '{type(value).__name__}' object to parameter '{name}' "
                    "(torch.nn.Parameter or None required)"
                )
            self.register_parameter(name, value)
        elif name in inside.get("_modules", ()):
            if value is not None:
                raise TypeError(
                    f"cannot assign '{type(value).__name__}' object to module '{name}' "
                    "(torch.nn.Module or None required)"
                )
            inside["_modules"][name] = value
        elif isinstance(value, Buffer) or name in inside.get("_buffers", ()):
            self._set_buffer(name, value)
        else:
            super().__setattr__(name, value)

    def _set_buffer(self, name: str, value: Any) -> None:
        if value is not None and not isinstance(value, _Plain):
            raise TypeError(
                f"cannot assign '{type(value).__name__}' object to buffer '{name}' "
                "(torch.nn.Buffer, torch.Tensor or None required)"
            )
        if isinstance(value, Buffer):
            self._taken(name, "_parameters", "_modules", what="buffers")
            self.register_buffer(name, value, value.persistent)
        else:
            self._buffers[name] = value

    def _taken(self, name: str, *others: str, what: str) -> None:
        inside = self.__dict__
        if "_parameters" not in inside:
            raise AttributeError(f"cannot assign {what} before Module.__init__() call")
        inside.pop(name, None)
        for other in others:
            inside[other].pop(name, None)
        self._non_persistent_buffers_set.discard(name)

    def __getattr__(self, name: str) -> Any:
        inside = self.__dict__
        for kind in ("_parameters", "_buffers", "_modules"):
            if kind in inside and name in inside[kind]:
                return inside[kind][name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __delattr__(self, name: str) -> None:
        for kind in ("_parameters", "_buffers", "_modules"):
            if name in self.__dict__[kind]:
                del self.__dict__[kind][name]
                self._non_persistent_buffers_set.discard(name)
                return
        super().__delattr__(name)

    def __dir__(self) -> list[str]:
        own = [*super().__dir__(), *self._parameters, *self._buffers, *self._modules]
        return sorted({name for name in own if not name[0].isdigit()})

    # What is found

    def named_modules(
        self, memo: set[Any] | None = None, prefix: str = "", remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Any]]:
        """This module and all below it, each once."""
        memo = set() if memo is None else memo
        if self in memo:
            return
        if remove_duplicate:
            memo.add(self)
        yield prefix, self
        for name, module in self._modules.items():
            if module is not None:
                yield from module.named_modules(memo, f"{prefix}.{name}" if prefix else name, remove_duplicate)

    def _named_members(
        self, members: Callable[[Any], Any], prefix: str, recurse: bool, remove_duplicate: bool
    ) -> Iterator[tuple[str, Any]]:
        seen: set[int] = set()
        modules = self.named_modules(prefix=prefix, remove_duplicate=remove_duplicate) if recurse else [(prefix, self)]
        for path, module in modules:
            for name, value in members(module):
                if value is None or id(value) in seen:
                    continue
                if remove_duplicate:
                    seen.add(id(value))
                yield f"{path}.{name}" if path else name, value

    def named_parameters(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Any]]:
        return self._named_members(lambda module: module._parameters.items(), prefix, recurse, remove_duplicate)

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Any]]:
        return self._named_members(lambda module: module._buffers.items(), prefix, recurse, remove_duplicate)

    def named_children(self) -> Iterator[tuple[str, Any]]:
        seen: set[int] = set()
        for name, module in self._modules.items():
            if module is not None and id(module) not in seen:
                seen.add(id(module))
                yield name, module

    def parameters(self, recurse: bool = True) -> Iterator[Any]:
        return (parameter for _, parameter in self.named_parameters(recurse=recurse))

    def buffers(self, recurse: bool = True) -> Iterator[Any]:
        return (buffer for _, buffer in self.named_buffers(recurse=recurse))

    def children(self) -> Iterator[Any]:
        return (module for _, module in self.named_children())

    def modules(self) -> Iterator[Any]:
        return (module for _, module in self.named_modules())

    def get_submodule(self, target: str) -> Any:
        """The module at a path of names."""
        found: Any = self
        for name in filter(None, target.split(".")):
            if not hasattr(found, name):
                raise AttributeError(f"{type(found).__name__} has no attribute `{name}`")
            found = getattr(found, name)
            if not isinstance(found, Module):
                raise AttributeError(f"`{name}` is not an nn.Module")
        return found

    def set_submodule(self, target: str, module: Any, strict: bool = False) -> None:
        """Put a module at a path of names; where `strict`, in the place of another."""
        path, _, name = target.rpartition(".")
        if not name:
            raise ValueError("Cannot set the submodule without a target name!")
        if not isinstance(module, Module):
            raise ValueError(f"`module` is not an nn.Module, found {type(module)}")
        owner = self.get_submodule(path)
        if strict and not hasattr(owner, name):
            raise AttributeError(f"{type(owner).__name__} has no attribute `{name}`")
        if hasattr(owner, name) and not isinstance(getattr(owner, name), Module):
            raise AttributeError(f"`{name}` is not an nn.Module")
        setattr(owner, name, module)

    def _at(self, target: str, kind: str) -> Any:
        path, _, name = target.rpartition(".")
        owner = self.get_submodule(path)
        if name not in owner.__dict__[kind]:
            raise AttributeError(f"{type(owner).__name__} has no attribute `{name}`")
        return owner.__dict__[kind][name]

    def get_parameter(self, target: str) -> Any:
        return self._at(target, "_parameters")

    def get_buffer(self, target: str) -> Any:
        return self._at(target, "_buffers")

    # What is done to all

    def _apply(self, fn: Callable[[Any], Any], recurse: bool = True) -> Any:
        """Replace the memory of every parameter, gradient and buffer by what a function makes of it."""
        if recurse:
            for module in self.children():
                module._apply(fn)
        with no_grad():
            for parameter in self._parameters.values():
                if parameter is not None:
                    parameter.data = fn(parameter.data)
                    if parameter.grad is not None:
                        parameter.grad = fn(parameter.grad)
            for name, buffer in self._buffers.items():
                if buffer is not None:
                    self._buffers[name] = fn(buffer)
        return self

    def apply(self, fn: Callable[[Any], None]) -> Any:
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    def to(self, *where: Any, **keywords: Any) -> Any:
        """Another dtype for fractions, or another device."""
        asked = [each for each in (*where, keywords.get("dtype")) if each is not None and each in dtypes.ALL]
        if asked and dtypes.of(asked[0]).kind not in "fc":
            raise TypeError(
                f"nn.Module.to only accepts floating point or complex dtypes, but got desired dtype={asked[0]}"
            )
        rest = [each for each in where if each not in dtypes.ALL] if asked else list(where)
        devices.check(keywords.get("device"))
        keywords.pop("dtype", None)

        def moved(tensor: Any) -> Any:
            moved_to = tensor.to(*rest, **keywords) if rest else tensor
            return moved_to.to(asked[0]) if asked and tensor.is_floating_point() else moved_to

        return self._apply(moved)

    def to_empty(self, *, device: Any, recurse: bool = True) -> Any:
        """New memory on a device for everything, without the values."""
        return self._apply(lambda tensor: empty_like(tensor, device=device), recurse)

    def type(self, dst_type: Any) -> Any:
        return self._apply(lambda tensor: tensor.type(dst_type))

    def _cast(self, dtype: Any) -> Any:
        return self._apply(lambda tensor: tensor.to(dtype) if tensor.is_floating_point() else tensor)

    def float(self) -> Any:
        return self._cast(dtypes.float32)

    def double(self) -> Any:
        return self._cast(dtypes.float64)

    def half(self) -> Any:
        return self._cast(dtypes.float16)

    def bfloat16(self) -> Any:
        return self._cast(dtypes.bfloat16)

    def cpu(self) -> Any:
        return self._apply(lambda tensor: tensor.cpu())

    def cuda(self, device: Any = None) -> Any:
        return self._apply(lambda tensor: tensor.cuda(device))

    def train(self, mode: bool = True) -> Any:
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        self.training = mode
        for module in self.children():
            module.train(mode)
        return self

    def eval(self) -> Any:
        return self.train(False)

    def requires_grad_(self, requires_grad: bool = True) -> Any:
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        for parameter in self.parameters():
            clear_grad(parameter, set_to_none)

    def share_memory(self) -> Any:
        return self

    # Hooks

    def _hook(self, kind: str, hook: Any, *, prepend: bool = False, also: str | None = None) -> RemovableHandle:
        hooks = self.__dict__[kind]
        extra = None if also is None else self.__dict__[also]
        handle = RemovableHandle(hooks, extra_dict=extra)
        hooks[handle.id] = hook
        if extra is not None:
            extra[handle.id] = True
        if prepend:
            hooks.move_to_end(handle.id, last=False)
        return handle

    def register_forward_pre_hook(
        self, hook: Any, *, prepend: bool = False, with_kwargs: bool = False
    ) -> RemovableHandle:
        also = "_forward_pre_hooks_with_kwargs" if with_kwargs else None
        return self._hook("_forward_pre_hooks", hook, prepend=prepend, also=also)

    def register_forward_hook(
        self, hook: Any, *, prepend: bool = False, with_kwargs: bool = False, always_call: bool = False
    ) -> RemovableHandle:
        handle = self._hook(
            "_forward_hooks", hook, prepend=prepend, also="_forward_hooks_with_kwargs" if with_kwargs else None
        )
        if always_call:
            self._forward_hooks_always_called[handle.id] = True
        return handle

    def register_full_backward_hook(self, hook: Any, prepend: bool = False) -> RemovableHandle:
        return self._hook("_backward_hooks", hook, prepend=prepend)

    def register_full_backward_pre_hook(self, hook: Any, prepend: bool = False) -> RemovableHandle:
        return self._hook("_backward_pre_hooks", hook, prepend=prepend)

    def register_state_dict_post_hook(self, hook: Any) -> RemovableHandle:
        return self._hook("_state_dict_hooks", hook)

    _register_state_dict_hook = register_state_dict_post_hook

    def register_state_dict_pre_hook(self, hook: Any) -> RemovableHandle:
        return self._hook("_state_dict_pre_hooks", hook)

    def register_load_state_dict_pre_hook(self, hook: Any) -> RemovableHandle:
        return self._hook("_load_state_dict_pre_hooks", lambda *arguments: hook(self, *arguments))

    def _register_load_state_dict_pre_hook(self, hook: Any, with_module: bool = False) -> RemovableHandle:
        return (
            self.register_load_state_dict_pre_hook(hook)
            if with_module
            else self._hook("_load_state_dict_pre_hooks", hook)
        )

    def register_load_state_dict_post_hook(self, hook: Any) -> RemovableHandle:
        return self._hook("_load_state_dict_post_hooks", hook)

    # State and text

    def get_extra_state(self) -> Any:
        raise RuntimeError("Reached a code path in Module.get_extra_state() that should never be called.")

    def set_extra_state(self, state: Any) -> None:
        raise RuntimeError("Reached a code path in Module.set_extra_state() that should never be called.")

    state_dict = state_dict
    load_state_dict = load_state_dict

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        for name in HOOKS:
            self.__dict__.setdefault(name, OrderedDict())

    def _get_name(self) -> str:
        return type(self).__name__

    def extra_repr(self) -> str:
        return ""

    def __repr__(self) -> str:
        extra = self.extra_repr().split("\n") if self.extra_repr() else []
        lines = [f"({name}): " + repr(module).replace("\n", "\n  ") for name, module in self._modules.items()]
        if len(extra) == 1 and not lines:
            return f"{self._get_name()}({extra[0]})"
        if not extra and not lines:
            return f"{self._get_name()}()"
        return f"{self._get_name()}(\n  " + "\n  ".join([*extra, *lines]) + "\n)"


def clear_grad(parameter: Any, set_to_none: bool) -> None:
    """Forget a gradient, or make it nought."""
    if parameter.grad is not None:
        if set_to_none:
            parameter.grad = None
        else:
            if parameter.grad.grad_fn is not None:
                parameter.grad = parameter.grad.detach()
            with no_grad():
                parameter.grad.zero_()
