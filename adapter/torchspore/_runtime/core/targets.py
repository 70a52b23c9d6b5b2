"""Which MindSpore function or class an adapter calls. Each adapter module registers its `Api` with one `Target` per
MindSpore counterpart; the first one is used that the platform and the installed MindSpore have and that takes the
dtype, unless `use` or the environment variable TORCHSPORE_TARGET says otherwise. `which` tells the choice and why.
"""

from __future__ import annotations

import difflib
import os
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from . import framework, modes, own
from .errors import UnsupportedArgument, fits_dtype
from .interrupts import keep_handlers

VARIABLE = "TORCHSPORE_TARGET"
COMPOSED = "runtime"
BY_SIZE = {
    1: ("bool", "int8", "uint8"),
    2: ("int16", "float16", "bfloat16"),
    4: ("int32", "float32"),
    8: ("int64", "float64", "complex64"),
    16: ("complex128",),
}
"""The dtypes by the bytes of an element."""
DTYPES = tuple(dtype for alike in BY_SIZE.values() for dtype in alike)


@dataclass(frozen=True)
class Target:
    """One MindSpore counterpart, the function or class that meets the contract with it, and where it can be used."""

    id: str
    mindspore: str
    function: Any  # of an API whose call forms are treated differently: a function for each treatment
    platforms: tuple[str, ...] = ()  # nothing: everywhere
    takes: tuple[str, ...] = ()  # dtypes; nothing: all

    @cached_property
    def exists(self) -> bool:
        return framework.has(self.mindspore)

    @cached_property
    def lacks(self) -> frozenset[str]:
        """The dtypes that it does not take."""
        return frozenset(DTYPES).difference(self.takes) if self.takes else frozenset()


@dataclass(frozen=True)
class Choice:
    """The target that an adapter would call, and the reason for it."""

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
    """The targets of one adapter, in order of preference. The choice is remembered, because a call in one process takes
    microseconds; a class is chosen when its module is imported."""

    def __init__(self, name: str, *targets: Target, communicates: bool = False) -> None:
        self.name = name
        self.targets = targets
        self._communicates = communicates
        self._placed = any(target.platforms for target in targets)
        self.known: dict[int | type | None, Any] = {}
        """By dtype, what is called; dtypes are objects of which there is one each, and their numbers are fast. Where
        the dtype does not matter, the class of the tensor stands for it, and None where there is no tensor."""
        self.sized: dict[int, Any] = {}
        """The same by the size of an element, where all dtypes of it are treated alike: a dtype costs a microsecond
        to ask for, which is much beside a call of five."""
        _register(name, self)

    def forget(self) -> None:
        """Drop the remembered targets, because another target was asked for."""
        self.known.clear()
        self.sized.clear()

    def function_for(self, tensor: Any) -> Any:
        """What is called with a tensor of this dtype, or whatever the dtype if there is no tensor; remembered."""
        limited = tensor is not None and any(target.takes for target in self.targets)
        key = id(tensor._dtype) if limited else None if tensor is None else type(tensor)
        if (known := self.known.get(key)) is not None:
            return known
        keep_handlers()
        chosen = self.choose(framework.dtype_name(tensor) if limited else None)[0]
        self._refuse_elsewhere(chosen)
        called = own.entered(chosen.function, tensor)
        if limited and chosen.takes:
            fits_dtype(self.name, tensor, chosen.takes)
            self._note_size(tensor, chosen, called)
        return self.known.setdefault(key, called)

    def _note_size(self, tensor: Any, chosen: Target, called: Any) -> None:
        """Remember what is called by the size of an element too, if it is the same for all dtypes of that size."""
        if all(
            dtype in chosen.takes and self.choose(dtype)[0] is chosen for dtype in BY_SIZE[framework.size_of(tensor)]
        ):
            self.sized[tensor._itemsize] = called

    def _refuse_elsewhere(self, chosen: Target) -> None:
        """Say so where no target is for this platform, unless one was asked for."""
        if chosen.platforms and framework.platform() not in chosen.platforms and _forced()[0] != chosen.id:
            listed = " and ".join(dict.fromkeys(place for each in self.targets for place in each.platforms))
            raise UnsupportedArgument(f"{self.name}: MindSpore has it on {listed}, and this is {framework.platform()}.")

    def chosen_class(self, name: str) -> Any:
        """The class that is offered, under its public name."""
        found: Any = self.choose()[0].function
        found.__name__ = found.__qualname__ = name
        return found

    def choose(self, dtype: str | None = None) -> tuple[Target, str]:
        forced, said_by = _forced()
        for target in self.targets:
            if target.id == forced:
                return target, f"{said_by} asks for it"
        note = f"it has no target {forced!r} that {said_by} asks for, and " if forced else ""
        targets = self._in_order()
        for target in targets:
            if target.exists and dtype not in target.lacks:
                suits = f" and takes {dtype}" if any(dtype in each.lacks for each in targets) else ""
                return target, f"{note}it is the first that MindSpore {framework.mindspore.__version__} has{suits}"
        return targets[0], f"{note}no target fits {dtype}, so that MindSpore says what is missing"

    def _in_order(self) -> tuple[Target, ...]:
        """The targets, those for this platform first."""
        if not self._placed:
            return self.targets
        here = framework.platform()
        return tuple(sorted(self.targets, key=lambda each: bool(each.platforms) and here not in each.platforms))

    def choice(self, dtype: str | None = None) -> Choice:
        target, reason = self.choose(dtype)
        return Choice(self.name, target.id, target.mindspore, reason, _platform(self._communicates))


class Composed:
    """An adapter that the runtime answers by itself, and MindSpore's counterparts, if it has any."""

    targets: tuple[Target, ...] = ()

    def __init__(self, name: str, *mindspore: str, communicates: bool = False) -> None:
        self.name = name
        self.mindspore = mindspore
        self._communicates = communicates
        _register(name, self)

    def forget(self) -> None:
        """Drop nothing: no target was chosen, since the runtime itself answers."""

    def choice(self, dtype: str | None = None) -> Choice:
        listed = " and ".join(self.mindspore)
        reason = (
            f"no single call does the same; the counterpart is {listed}"
            if listed
            else "no single call of MindSpore is known to do the same"
        )
        return Choice(self.name, COMPOSED, listed, reason, _platform(self._communicates))


def _register(name: str, api: Api | Composed) -> None:
    _apis[name] = api
    framework.refuse_jit(_module_of(name))


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
    _forget()


def synchronous(mode: bool | None = None) -> bool:
    """Whether MindSpore has run an operation when its call returns, so that an error is raised by the call that made
    it; with True or False, from now on. On a CPU it is so from the start, unless the environment variable
    TORCHSPORE_SYNCHRONOUS is 0."""
    found = modes.synchronous(mode)
    if mode is not None:
        _forget()
    return found


def _forget() -> None:
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


def _platform(communicates: bool) -> str:
    """The platform in a sentence; of communication, what a CPU does in place of HCCL."""
    here = framework.platform()
    if not communicates:
        return f"the platform is {here}"
    return "CPU, MindSpore runtime; not HCCL" if here == "CPU" else here


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
