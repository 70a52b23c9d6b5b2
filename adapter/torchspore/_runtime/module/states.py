"""The state of a module by name, and back: `state_dict` and `load_state_dict`."""

from __future__ import annotations

from collections import OrderedDict, namedtuple
from typing import Any

from ..autograd.modes import no_grad
from ..core.framework import mindspore
from .parameter import Parameter

EXTRA = "_extra_state"


class LoadedKeys(namedtuple("LoadedKeys", ("missing_keys", "unexpected_keys"))):
    """Which names a loaded state lacked, and which it had too many."""

    __slots__ = ()

    def __repr__(self) -> str:
        return (
            "<All keys matched successfully>"
            if not self.missing_keys and not self.unexpected_keys
            else super().__repr__()
        )

    __str__ = __repr__


def _has_extra(module: Any) -> bool:
    return any("get_extra_state" in each.__dict__ for each in type(module).__mro__[:-1] if each.__name__ != "Module")


def state_dict(self: Any, *arguments: Any, destination: Any = None, prefix: str = "", keep_vars: bool = False) -> Any:
    """Every parameter and persistent buffer by its full name."""
    if arguments:
        given: list[Any] = [*arguments, *[destination, prefix, keep_vars][len(arguments) :]]
        destination, prefix, keep_vars = given
    if destination is None:
        destination = OrderedDict()
        destination._metadata = OrderedDict()
    notes = {"version": self._version}
    if hasattr(destination, "_metadata"):
        destination._metadata[prefix[:-1]] = notes
    for hook in list(self._state_dict_pre_hooks.values()):
        hook(self, prefix, keep_vars)
    self._save_to_state_dict(destination, prefix, keep_vars) if hasattr(type(self), "_save_to_state_dict") else save(
        self, destination, prefix, keep_vars
    )
    for name, module in self._modules.items():
        if module is not None:
            module.state_dict(destination=destination, prefix=f"{prefix}{name}.", keep_vars=keep_vars)
    for hook in list(self._state_dict_hooks.values()):
        answer = hook(self, destination, prefix, notes)
        if answer is not None:
            destination = answer
    return destination


def save(self: Any, destination: Any, prefix: str, keep_vars: bool) -> None:
    """Put what a module itself holds into a state."""
    for name, parameter in self._parameters.items():
        if parameter is not None:
            destination[prefix + name] = parameter if keep_vars else parameter.detach()
    for name, buffer in self._buffers.items():
        if buffer is not None and name not in self._non_persistent_buffers_set:
            destination[prefix + name] = buffer if keep_vars else buffer.detach()
    if _has_extra(self):
        destination[prefix + EXTRA] = self.get_extra_state()


def load_state_dict(self: Any, state_dict: Any, strict: bool = True, assign: bool = False) -> LoadedKeys:
    """Write a state into the module, or, with `assign`, take over its tensors."""
    if not hasattr(state_dict, "items"):
        raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict).__name__}.")
    notes = getattr(state_dict, "_metadata", None)
    state = OrderedDict(state_dict)
    if notes is not None:
        state._metadata = notes  # type: ignore[attr-defined]
    missing: list[str] = []
    unexpected: list[str] = []
    errors: list[str] = []
    _load_below(self, state, "", {} if notes is None else notes, assign, missing, unexpected, errors)
    if strict:
        for title, names in (("Unexpected", unexpected), ("Missing", missing)):
            if names:
                listed = ", ".join(f'"{name}"' for name in names)
                errors.insert(0, f"{title} key(s) in state_dict: {listed}. ")
    if errors:
        raise RuntimeError(f"Error(s) in loading state_dict for {type(self).__name__}:\n\t" + "\n\t".join(errors))
    return LoadedKeys(missing, unexpected)


def _load_below(
    module: Any, state: Any, prefix: str, notes: Any, assign: bool, missing: Any, unexpected: Any, errors: Any
) -> None:
    own = {} if notes is None else dict(notes.get(prefix[:-1], {}))
    own["assign_to_params_buffers"] = assign
    if hasattr(type(module), "_load_from_state_dict"):
        module._load_from_state_dict(state, prefix, own, True, missing, unexpected, errors)
    else:
        load(module, state, prefix, own, True, missing, unexpected, errors)
    for name, child in module._modules.items():
        if child is not None:
            below = f"{prefix}{name}."
            part = OrderedDict((key, value) for key, value in state.items() if key.startswith(below))
            _load_below(child, part, below, notes, assign, missing, unexpected, errors)
    keys = LoadedKeys(missing, unexpected)
    for hook in list(module._load_state_dict_post_hooks.values()):
        if hook(module, keys) is not None:
            raise RuntimeError(
                "Hooks registered with register_load_state_dict_post_hook are not expected to return values."
            )


def load(
    self: Any, state: Any, prefix: str, notes: Any, strict: bool, missing: Any, unexpected: Any, errors: Any
) -> None:
    """Write the part of a state that a module itself holds."""
    for hook in list(self._load_state_dict_pre_hooks.values()):
        hook(state, prefix, notes, strict, missing, unexpected, errors)
    kept = {name: value for name, value in self._buffers.items() if name not in self._non_persistent_buffers_set}
    held = {name: value for name, value in (*self._parameters.items(), *kept.items()) if value is not None}
    for name, target in held.items():
        key = prefix + name
        if key not in state:
            if strict:
                missing.append(key)
            continue
        _take(self, name, target, key, state[key], notes["assign_to_params_buffers"], errors)
    if _has_extra(self):
        if prefix + EXTRA in state:
            self.set_extra_state(state[prefix + EXTRA])
        elif strict:
            missing.append(prefix + EXTRA)
    elif strict and prefix + EXTRA in state:
        unexpected.append(prefix + EXTRA)
    if strict:
        for key in state:
            if key.startswith(prefix) and key != prefix + EXTRA:
                first = key[len(prefix) :].split(".", 1)[0]
                inside = first in held or (first in self._modules and "." in key[len(prefix) :])
                if not inside and (first not in self._modules or "." not in key[len(prefix) :]):
                    unexpected.append(key)


def _take(self: Any, name: str, target: Any, key: str, value: Any, assign: bool, errors: list[str]) -> None:
    if not isinstance(value, mindspore.Tensor):
        errors.append(
            f'While copying the parameter named "{key}", expected torch.Tensor or Tensor-like object from checkpoint '
            f"but received {type(value)}"
        )
        return
    if tuple(value.shape) == (1,) and not len(target.shape):
        value = value[0]
    if tuple(value.shape) != tuple(target.shape):
        errors.append(
            f"size mismatch for {key}: copying a param with shape {value.shape} from checkpoint, the shape in current "
            f"model is {target.shape}."
        )
        return
    with no_grad():
        if not assign:
            target.copy_(value)
        elif isinstance(target, Parameter):
            made = value if isinstance(value, Parameter) else Parameter(value, target.requires_grad)
            setattr(self, name, made.requires_grad_(target.requires_grad))
        else:
            setattr(self, name, value)
