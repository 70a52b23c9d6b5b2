"""The base of all optimisers: groups of parameters with their settings, the state of each parameter, steps and their
hooks, and the state as a dict.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable
from copy import deepcopy
from functools import wraps
from itertools import chain
from typing import Any

from ..autograd.hooks import RemovableHandle
from ..autograd.modes import enable_grad, no_grad
from ..core.errors import UnsupportedArgument
from ..core.framework import mindspore
from ..module.module import clear_grad
from ..tensor.base import Tensor
from ..tensor.creating import from_mindspore

required = object()
HOOKS = (
    "_optimizer_step_pre_hooks", "_optimizer_step_post_hooks", "_optimizer_state_dict_pre_hooks",
    "_optimizer_state_dict_post_hooks", "_optimizer_load_state_dict_pre_hooks", "_optimizer_load_state_dict_post_hooks",
)  # fmt: skip


HOOKED = "hooked"
"""What marks a step that calls hooks."""


def _with_hooks(step: Callable[..., Any]) -> Callable[..., Any]:
    """A step, also one that a subclass defines, between the hooks that are registered for it."""

    @wraps(step)
    def hooked(self: Any, *args: Any, **kwargs: Any) -> Any:
        given: Any = ((self, *args), kwargs)
        for hook in list(self._optimizer_step_pre_hooks.values()):
            changed = hook(self, *given)
            if changed is not None and not (isinstance(changed, tuple) and len(changed) == 2):
                raise RuntimeError(f"{hook} must return None or a tuple of (new_args, new_kwargs), but got {changed}.")
            given = given if changed is None else changed
        result = step(*given[0], **given[1])
        for hook in list(self._optimizer_step_post_hooks.values()):
            hook(self, *given)
        return result

    setattr(hooked, HOOKED, True)
    return hooked


class Optimizer:
    """Moves parameters by their gradients. A kind of optimiser says how in `update`."""

    def __init__(self, params: Any, defaults: dict[str, Any]) -> None:
        self.defaults = defaults
        kind: Any = type(self)
        if not hasattr(kind.step, HOOKED):
            kind.step = _with_hooks(kind.step)
        for name in HOOKS:
            setattr(self, name, OrderedDict())
        if isinstance(params, mindspore.Tensor):
            raise TypeError(
                "params argument given to the optimizer should be an iterable of Tensors or dicts, but got "
                + type(params).__name__
            )
        self.state: defaultdict[Any, Any] = defaultdict(dict)
        self.param_groups: list[dict[str, Any]] = []
        groups = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        for group in groups if isinstance(groups[0], dict) else [{"params": groups}]:
            self.add_param_group(group)

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Take in parameters with settings of their own."""
        if not isinstance(param_group, dict):
            raise TypeError(f"param_group must be a dict, but got {type(param_group)}")
        given = param_group["params"]
        if isinstance(given, set):
            raise TypeError("optimizer parameters need to be organized in ordered collections; a set has no order")
        listed = [given] if isinstance(given, mindspore.Tensor) else list(given)
        names, listed = _named(listed)
        if self.param_groups and ("param_names" in self.param_groups[0]) != bool(names):
            raise ValueError(
                "all optimizer param groups should be with/without names. "
                f"cannot add param group {'with' if names else 'without'} names to the optimizer"
            )
        group = dict(param_group, params=[_parameter(each) for each in listed])
        if names:
            group["param_names"] = names
        for each in group["params"]:
            if not isinstance(each, mindspore.Tensor):
                raise TypeError("optimizer can only optimize Tensors, but one of the params is " + type(each).__name__)
            if not self.defaults.get("differentiable") and not (each.is_leaf or each.retains_grad):
                raise ValueError("can't optimize a non-leaf Tensor")
        for name, default in self.defaults.items():
            if default is required and name not in group:
                raise ValueError(f"parameter group didn't specify a value of required optimization parameter {name}")
            group.setdefault(name, deepcopy(default))
        if any(each is other for known in self.param_groups for each in known["params"] for other in group["params"]):
            raise ValueError("some parameters appear in more than one parameter group")
        self.param_groups.append(group)

    def zero_grad(self, set_to_none: bool = True) -> None:
        for group in self.param_groups:
            for parameter in group["params"]:
                clear_grad(parameter, set_to_none)

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Move every parameter that has a gradient; a closure computes the loss again first."""
        if type(self).update is Optimizer.update:
            raise NotImplementedError(f"{type(self).__name__} has neither a step nor an update of its own")
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        with no_grad():
            for group in self.param_groups:
                for parameter in group["params"]:
                    if parameter.grad is not None:
                        state = self.state.get(parameter, {})
                        self.update(group, parameter, parameter.grad, state)
                        if state:
                            self.state[parameter] = state
        return loss

    def update(self, group: dict[str, Any], parameter: Any, gradient: Any, state: dict[str, Any]) -> None:
        raise NotImplementedError(f"{type(self).__name__} does not say how it moves a parameter")

    def state_dict(self) -> dict[str, Any]:
        """Settings and states, with parameters by their numbers."""
        for hook in list(self._optimizer_state_dict_pre_hooks.values()):  # type: ignore[attr-defined]
            hook(self)
        numbers = {id(each): number for number, each in enumerate(self._all(self.param_groups))}
        groups = [
            {name: value for name, value in group.items() if name != "params"}
            | {"params": [numbers[id(each)] for each in group["params"]]}
            for group in self.param_groups
        ]
        state = {numbers.get(id(key), key): value for key, value in self.state.items()}
        result: dict[str, Any] = {"state": state, "param_groups": groups}
        for hook in list(self._optimizer_state_dict_post_hooks.values()):  # type: ignore[attr-defined]
            result = hook(self, result) or result
        return result

    @staticmethod
    def _all(groups: Iterable[dict[str, Any]]) -> list[Any]:
        return list(chain.from_iterable(group["params"] for group in groups))

    @no_grad()
    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over settings and states; the parameters stay."""
        given = dict(state_dict)
        for hook in list(self._optimizer_load_state_dict_pre_hooks.values()):  # type: ignore[attr-defined]
            given = hook(self, given) or given
        groups = given["param_groups"]
        if len(groups) != len(self.param_groups):
            raise ValueError("loaded state dict has a different number of parameter groups")
        if any(len(mine["params"]) != len(new["params"]) for mine, new in zip(self.param_groups, groups, strict=True)):
            raise ValueError(
                "loaded state dict contains a parameter group that doesn't match the size of optimizer's group"
            )
        numbered = dict(zip(self._all(groups), self._all(self.param_groups), strict=True))
        self.state = defaultdict(dict)
        for key, value in given["state"].items():
            if key in numbered:
                self.state[numbered[key]] = {name: _fitted(name, each, numbered[key]) for name, each in value.items()}
            else:
                self.state[key] = value
        self.param_groups = [
            {
                **({"param_names": mine["param_names"]} if "param_names" in mine else {}),
                **deepcopy({name: each for name, each in new.items() if name != "params"}),
                "params": mine["params"],
            }
            for mine, new in zip(self.param_groups, groups, strict=True)
        ]
        for hook in list(self._optimizer_load_state_dict_post_hooks.values()):  # type: ignore[attr-defined]
            hook(self)

    def _hook(self, kind: str, hook: Any, prepend: bool = False) -> RemovableHandle:
        hooks = getattr(self, kind)
        handle = RemovableHandle(hooks)
        hooks[handle.id] = hook
        if prepend:
            hooks.move_to_end(handle.id, last=False)
        return handle

    def register_step_pre_hook(self, hook: Any) -> RemovableHandle:
        return self._hook("_optimizer_step_pre_hooks", hook)

    def register_step_post_hook(self, hook: Any) -> RemovableHandle:
        return self._hook("_optimizer_step_post_hooks", hook)

    def register_state_dict_pre_hook(self, hook: Any, prepend: bool = False) -> RemovableHandle:
        return self._hook("_optimizer_state_dict_pre_hooks", hook, prepend)

    def register_state_dict_post_hook(self, hook: Any, prepend: bool = False) -> RemovableHandle:
        return self._hook("_optimizer_state_dict_post_hooks", hook, prepend)

    def register_load_state_dict_pre_hook(self, hook: Any, prepend: bool = False) -> RemovableHandle:
        return self._hook("_optimizer_load_state_dict_pre_hooks", hook, prepend)

    def register_load_state_dict_post_hook(self, hook: Any, prepend: bool = False) -> RemovableHandle:
        return self._hook("_optimizer_load_state_dict_post_hooks", hook, prepend)

    def __repr__(self) -> str:
        lines = [f"{type(self).__name__} ("]
        for number, group in enumerate(self.param_groups):
            lines += [*([""] if number else []), f"Parameter Group {number}"]
            lines += [f"    {name}: {group[name]}" for name in sorted(group) if name != "params"]
        return "\n".join([*lines, ")"])


def _named(given: list[Any]) -> tuple[list[str], list[Any]]:
    """The names of parameters that are given in pairs with them, and the parameters."""
    if not any(isinstance(each, tuple) for each in given):
        return [], given
    if not all(isinstance(each, tuple) for each in given):
        raise ValueError("all optimizer params should be with/without names. Some param names are missing")
    return [name for name, _ in given], [each for _, each in given]


def _parameter(value: Any) -> Any:
    return from_mindspore(value) if isinstance(value, mindspore.Tensor) and not isinstance(value, Tensor) else value


def _fitted(name: str, value: Any, parameter: Any) -> Any:
    """A part of a saved state: a copy, in the dtype of its parameter, except counters."""
    if not isinstance(value, mindspore.Tensor):
        return deepcopy(value)
    copied = value.detach().clone()
    return copied if name == "step" or not parameter.is_floating_point() else copied.to(parameter.dtype)


def settings(**given: Any) -> dict[str, Any]:
    """The settings of an optimiser, with those checked that all share. `foreach` and `fused` ask for faster ways to the
    same result, of which there is one here."""
    for name in ("differentiable", "capturable"):
        if given.get(name):
            raise UnsupportedArgument(f"{name}=True has no place in optimisers here: steps are not recorded.")
    lr = given["lr"]
    if not float(lr) >= 0.0:
        raise ValueError(f"Invalid learning rate: {lr}")
    if not given.get("eps", 0.0) >= 0.0:
        raise ValueError(f"Invalid epsilon value: {given['eps']}")
    if not given.get("weight_decay", 0.0) >= 0.0:
        raise ValueError(f"Invalid weight_decay value: {given['weight_decay']}")
    for number, beta in enumerate(given.get("betas", ())):
        if not 0.0 <= beta < 1.0:
            raise ValueError(f"Invalid beta parameter at index {number}: {beta}")
    return given


__all__ = ["Optimizer", "required", "settings"]
