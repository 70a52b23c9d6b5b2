"""Both frameworks in one process, behind one face. In: stated arguments. Out: arguments of that framework; and what a
call returned, as `Seen`: arrays, dtypes and structure, that both sides spell alike.
"""

from __future__ import annotations

import importlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from mapspore.verify.tensors import look, storage

PATIENCE = 20  # rounds in which MindSpore may still report errors of the case before


@dataclass(frozen=True, slots=True)
class Seen:
    """A value as both sides spell it."""

    type: str
    """`tensor`, `list`, `tuple`, or the name of a Python type."""
    value: Any = None
    """An array; a plain value."""
    dtype: str = ""
    items: tuple[Seen, ...] = ()
    fields: tuple[str, ...] = ()

    @property
    def leaves(self) -> Iterator[Seen]:
        if self.type in ("list", "tuple"):
            for item in self.items:
                yield from item.leaves
        else:
            yield self


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a call did: what it returned, or what it raised."""

    seen: Seen | None = None
    error: tuple[str, ...] = ()
    """The error's type and what that is derived from."""
    sentence: str = ""
    late: bool = False
    """Whether the call returned and the error came when its result was read."""
    tensors: dict[str, np.ndarray] = field(default_factory=dict)
    """The arguments' tensors after the call."""


class Side(ABC):
    """What the worker needs of a framework."""

    name: str
    package: str
    failed = False
    """Whether something failed on this side since it was settled last."""

    def __init__(self) -> None:
        self.framework = importlib.import_module(self.name)

    @abstractmethod
    def tensor(self, array: np.ndarray, dtype: str) -> Any:
        """A tensor of this framework with its own memory."""

    @abstractmethod
    def array(self, tensor: Any) -> np.ndarray:
        """What a tensor holds, as NumPy has it."""

    def is_tensor(self, value: Any) -> bool:
        return isinstance(value, self.framework.Tensor)

    def dtype(self, tensor: Any) -> str:
        return str(tensor.dtype).rpartition(".")[2].lower()

    def named(self, dtype: str) -> Any:
        return getattr(self.framework, dtype)

    def api(self, name: str) -> Any:
        """A public name of torch, or what stands for it on this side."""
        found: Any = importlib.import_module(self.package)
        for part in name.removeprefix("torch.").split("."):
            if not hasattr(found, part):
                found = importlib.import_module(f"{found.__name__}.{part}")
            else:
                found = getattr(found, part)
        return found if callable(found) else found.__get__

    def offered(self, name: str, target: str | None) -> Any:
        """What is called under a name of torch."""
        return self.api(name)

    @abstractmethod
    def gradients(self, function: Callable[..., Any], tensors: list[Any], weights: Any = ()) -> list[Any] | None:
        """The gradients of a scalar function by each tensor, and by weights that it uses; None if there are none."""

    @abstractmethod
    def seed(self) -> None:
        """Begin to draw random numbers from the same place in every run."""

    @abstractmethod
    def parameter(self, tensor: Any, name: str) -> Any:
        """A tensor that an optimiser can change."""

    @abstractmethod
    def step(self, optimizer: Any, parameters: list[Any], gradients: list[Any]) -> None:
        """Let an optimiser change the parameters by these gradients."""

    def see(self, value: Any) -> Seen:
        if self.is_tensor(value):
            return Seen("tensor", self.array(value), self.dtype(value))
        if isinstance(value, list | tuple):
            names: Any = getattr(type(value), "_fields", None) or getattr(type(value), "__match_args__", ())
            kind = "list" if isinstance(value, list) else "tuple"
            return Seen(kind, items=tuple(self.see(each) for each in value), fields=tuple(names))
        if isinstance(value, type(self.framework.float32)):
            return Seen("dtype", str(value).rpartition(".")[2].lower())
        if value is None or isinstance(value, bool | int | float | complex | str):
            return Seen(type(value).__name__, value)
        return Seen("object")


class TorchSide(Side):
    name = package = "torch"

    def __init__(self) -> None:
        super().__init__()
        self.framework.set_num_threads(1)

    def tensor(self, array: np.ndarray, dtype: str) -> Any:
        return self.framework.from_numpy(array.copy()).to(self.named(dtype))

    def array(self, tensor: Any) -> np.ndarray:
        plain = tensor.detach().resolve_conj().resolve_neg()
        return np.array((plain.float() if plain.dtype == self.framework.bfloat16 else plain).numpy())

    def seed(self) -> None:
        self.framework.manual_seed(0)

    def parameter(self, tensor: Any, name: str) -> Any:
        return self.framework.nn.Parameter(tensor)

    def step(self, optimizer: Any, parameters: list[Any], gradients: list[Any]) -> None:
        for parameter, gradient in zip(parameters, gradients, strict=True):
            parameter.grad = gradient
        optimizer.step()

    def gradients(self, function: Callable[..., Any], tensors: list[Any], weights: Any = ()) -> list[Any] | None:
        traced = [each if each.requires_grad else each.detach().requires_grad_() for each in tensors]
        scalar = function(*traced)
        if scalar is None or not scalar.requires_grad:
            return None
        found = self.framework.autograd.grad(scalar, traced, allow_unused=True)
        # what has no part in the result has a gradient of zeros
        return [0 * tensor.detach() if one is None else one for one, tensor in zip(found, traced, strict=True)]


class AdapterSide(Side):
    name = "mindspore"
    package = "torchspore"

    def tensor(self, array: np.ndarray, dtype: str) -> Any:
        tensor = self.framework.Tensor(array.copy())
        return tensor.astype(self.framework.bfloat16) if dtype == "bfloat16" else tensor

    def array(self, tensor: Any) -> np.ndarray:
        plain = tensor.float() if tensor.dtype == self.framework.bfloat16 else tensor
        return np.array(plain.asnumpy())

    def named(self, dtype: str) -> Any:
        return self.framework.bool_ if dtype == "bool" else getattr(self.framework, dtype)

    def offered(self, name: str, target: str | None) -> Any:
        """What is called; the class of a target, which is otherwise chosen when its module is imported."""
        found = self.api(name)
        if target is None or not isinstance(found, type):
            return found
        targets = importlib.import_module("torchspore._runtime.targets")._apis[name].targets
        return next(each.function for each in targets if each.id == target)

    def settle(self) -> None:
        """Let what was started come to its end: after an error, of which one more may come late and belongs to the case
        before, until two rounds are quiet."""
        quiet, wanted = 0, 2 if self.failed else 0
        self.failed = False
        for _ in range(PATIENCE):
            try:
                importlib.import_module(f"{self.package}._runtime.framework").settle()
                if quiet == wanted:
                    return
                self.framework.ops.zeros((1,)).asnumpy()
                quiet += 1
            except Exception:
                quiet, wanted = 0, 2

    def seed(self) -> None:
        self.framework.set_seed(1)

    def parameter(self, tensor: Any, name: str) -> Any:
        return self.framework.Parameter(tensor, name=name)

    def step(self, optimizer: Any, parameters: list[Any], gradients: list[Any]) -> None:
        optimizer.step(tuple(gradients))

    def gradients(self, function: Callable[..., Any], tensors: list[Any], weights: Any = ()) -> list[Any] | None:
        places = tuple(range(len(tensors))) or None
        found = self.framework.grad(function, places, tuple(weights) or None)(*tensors)
        return list(_flat(found))

    def own(self, name: str) -> Any:
        """A public name of MindSpore."""
        module, _, last = name.rpartition(".")
        try:
            return getattr(importlib.import_module(module), last)
        except ImportError:
            return getattr(self.own(module), last)


def _flat(value: Any) -> Iterator[Any]:
    if isinstance(value, list | tuple):
        for each in value:
            yield from _flat(each)
    else:
        yield value


_SEQUENCES: dict[str, Callable[[list[Any]], Any]] = {"$list": list, "$tuple": tuple, "$iterator": iter}


def _kind(stated: dict[str, Any]) -> tuple[str, Any]:
    return next(iter(stated.items()), ("", None))


class Makes(Protocol):
    """What arguments are made of: tensors and dtypes of a side, or plain arrays and names."""

    def tensor(self, array: np.ndarray, dtype: str) -> Any: ...

    def named(self, dtype: str) -> Any: ...


class Maker:
    """Makes the arguments of one case; the same numbers on both sides."""

    def __init__(self, side: Makes, seed: str) -> None:
        self.side = side
        self.seed = seed
        self.tensors: dict[str, Any] = {}
        self.arrays: dict[str, np.ndarray] = {}
        self.dtypes: dict[str, str] = {}

    def make(self, stated: Any, instead: Mapping[str, Any] | None = None) -> Any:
        """An argument; `instead` holds tensors that stand in for those of the case, by name."""
        if isinstance(stated, list):
            return [self.make(each, instead) for each in stated]
        if not isinstance(stated, dict):
            return stated
        kind, value = _kind(stated)
        if kind == "$tensor":
            return instead[value["name"]] if instead and value["name"] in instead else self._tensor(value)
        if kind in _SEQUENCES:
            return _SEQUENCES[kind]([self.make(each, instead) for each in value])
        if kind == "$dtype":
            return self.side.named(value)
        return {key: self.make(each, instead) for key, each in stated.items()}

    def _tensor(self, spec: dict[str, Any]) -> Any:
        array, view, dtype = storage(spec, self.seed), spec.get("view", "own"), spec["dtype"]
        tensor = look(self.side.tensor(array, dtype), view)
        self.tensors[spec["name"]] = tensor
        self.arrays[spec["name"]] = np.asarray(look(array, view))
        self.dtypes[spec["name"]] = dtype
        return tensor
