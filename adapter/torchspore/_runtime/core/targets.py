"""Which MindSpore function an adapter calls. Each adapter module registers its `Api` with one `Target` per
MindSpore counterpart; the first one that the installed MindSpore has and that takes the dtype is used, unless `use`
or the environment variable TORCHSPORE_TARGET says otherwise. `which` tells the choice and the reason.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from . import framework

VARIABLE = "TORCHSPORE_TARGET"
COMPOSED = "runtime"


@dataclass(frozen=True)
class Target:
    """One MindSpore counterpart and the function that meets the contract with it."""

    id: str
    mindspore: str
    function: Callable[..., Any]
    lacks: tuple[str, ...] = ()  # dtypes that it does not take

    @cached_property
    def exists(self) -> bool:
        return framework.has(self.mindspore)


@dataclass(frozen=True)
class Choice:
    """What would be called, and why."""

    api: str
    target: str
    mindspore: str
    reason: str
    platform: str

    def __str__(self) -> str:
        if self.target == COMPOSED:
            return f"{self.api} is answered by the adapter's own runtime because {self.reason}; {self.platform}."
        return f"{self.api} calls {self.mindspore} (target {self.target!r}) because {self.reason}; {self.platform}."


class Api:
    """The targets of one adapter, in order of preference."""

    def __init__(self, name: str, *targets: Target) -> None:
        self.name = name
        self.targets = targets
        _apis[name] = self
        framework.refuse_jit(_module_of(name))

    def call(self, *arguments: Any) -> Any:
        """Hand the arguments to the target that is chosen."""
        target, _ = self.choose()
        return target.function(*arguments)

    def forget(self) -> None:
        """Another target was asked for: what was chosen holds no more."""

    def choose(self, dtype: str | None = None) -> tuple[Target, str]:
        forced, said_by = _forced()
        for target in self.targets:
            if target.id == forced:
                return target, f"{said_by} asks for it"
        note = f"it has no target {forced!r} that {said_by} asks for, and " if forced else ""
        for target in self.targets:
            if target.exists and dtype not in target.lacks:
                suits = f" and takes {dtype}" if dtype in {d for t in self.targets for d in t.lacks} else ""
                return target, f"{note}it is the first that MindSpore {framework.mindspore.__version__} has{suits}"
        return self.targets[0], f"{note}no target fits {dtype}, so that MindSpore says what is missing"

    def choice(self, dtype: str | None = None) -> Choice:
        target, reason = self.choose(dtype)
        return Choice(self.name, target.id, target.mindspore, reason, _platform())


class Composed:
    """An adapter that the runtime answers by itself, and MindSpore's counterparts, if it has any."""

    targets: tuple[Target, ...] = ()

    def __init__(self, name: str, *mindspore: str) -> None:
        self.name = name
        self.mindspore = mindspore
        _apis[name] = self
        framework.refuse_jit(_module_of(name))

    def forget(self) -> None:
        """It has no choice."""

    def choice(self, dtype: str | None = None) -> Choice:
        listed = " and ".join(self.mindspore)
        reason = (
            f"no single call does the same; the counterpart is {listed}" if listed else "MindSpore has nothing for it"
        )
        return Choice(self.name, COMPOSED, listed, reason, _platform())


def _module_of(name: str) -> str:
    """The generated module of an adapter."""
    package, _, function = name.partition(".")[2].rpartition(".")
    return ".".join(filter(None, ("torchspore", package, f"_{function}")))


_apis: dict[str, Api | Composed] = {}
_used: str | None = None


def use(target: str | None) -> None:
    """Make adapters call this target where they have it: "mint" or "comm_func"; None lets them choose again."""
    global _used
    if target is not None:
        _check_known(target, "use()")
    _used = target
    for api in _apis.values():
        api.forget()


def which(name: str, dtype: str | None = None) -> Choice:
    """What an adapter would call, by its full name or the last part of it."""
    found = [api for key, api in sorted(_apis.items()) if key == name or key.rpartition(".")[2] == name]
    if not found:
        near = difflib.get_close_matches(name, {key.rpartition(".")[2]: None for key in sorted(_apis)}, 1)
        hint = f"did you mean {near[0]!r}?" if near else f"there are {len(_apis)}, each under the name of its function."
        raise ValueError(f"There is no adapter named {name!r}; {hint}")
    return found[0].choice(dtype)


def _platform() -> str:
    return "CPU, MindSpore runtime; not HCCL" if framework.platform() == "CPU" else framework.platform()


def _forced() -> tuple[str | None, str]:
    if _used is not None:
        return _used, "use()"
    value = os.environ.get(VARIABLE)
    if value:
        _check_known(value, VARIABLE)
    return value or None, VARIABLE


def _check_known(target: str, said_by: str) -> None:
    known = sorted({each.id for api in _apis.values() for each in api.targets})
    if target not in known:
        raise ValueError(f"{said_by} names the target {target!r}; there are {' and '.join(known)}.")
