"""The two frameworks behind one face: torch, the reference, and the adapter on MindSpore. In: arrays and names. Out:
tensors and functions of that framework; and what a call returned, as `Seen`. Only forked processes make a side.
"""

from __future__ import annotations

import contextlib
import importlib
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import cached_property
from typing import Any

import numpy as np

from mapspore.verify.outcome import OBJECT, Seen, named

PRECISE = {
    "float16": "float64", "bfloat16": "float64", "float32": "float64", "float64": "float64",
    "complex64": "complex128", "complex128": "complex128",
}  # fmt: skip
SOILED = (*range(1, 17), 24, 32, 48, 64, 96, 128)
"""Numbers of elements whose memory is left with something in it."""
REFUSALS = ("unfit", "supported", "fits_dtype")
"""What the adapter's code calls to refuse something that MindSpore has a place for."""
_PLAIN = (bool, int, float, complex, str, bytes, type(None))


class Side(ABC):
    """What the harness needs of a framework."""

    name: str
    package: str
    """Where torch's names stand on this side."""
    own_name: str
    """The package of the framework itself."""
    backend: str
    """The name that the framework gives to what its processes communicate by."""
    waits_twice: bool
    """Whether a handle can be waited for again; gloo waits in vain for a second message."""
    dist: Any = None
    """The module for several processes, once this one has joined them."""

    def __init__(self) -> None:
        self.framework = importlib.import_module(self.own_name)
        kinds = {type(self.named(each)) for each in ("float32", "bfloat16", "int64", "uint8", "bool", "complex64")}
        self.dtype_class = tuple(kinds)
        """What dtypes are objects of; MindSpore has a class for each sort of number."""

    # -- tensors and names -------------------------------------------------------------------------------------------

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

    def is_dtype(self, value: Any) -> bool:
        return isinstance(value, self.dtype_class)

    def api(self, name: str) -> Any:
        """A public name of torch, or what stands for it on this side; of a property the function that reads it."""
        found: Any = importlib.import_module(self.package)
        for part in name.removeprefix("torch.").split("."):
            if not hasattr(found, part):
                found = importlib.import_module(f"{found.__name__}.{part}")
            else:
                found = getattr(found, part)
        return found.__get__ if hasattr(found, "__get__") and not callable(found) else found

    def offered(self, name: str, target: str | None) -> Any:
        """The callable that this side has for a name of torch."""
        return self.api(name)

    # -- training ----------------------------------------------------------------------------------------------------

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

    # -- several processes -------------------------------------------------------------------------------------------

    def join(self, timeout: float) -> None:
        """Join the job's process group."""
        self.dist = importlib.import_module(f"{self.package}.distributed")
        self.dist.init_process_group(self.backend, timeout=timedelta(seconds=timeout))

    def name_of(self, group: Any) -> Any:
        """The group as a MindSpore name, where there is one."""
        return group

    # -- what comes out ----------------------------------------------------------------------------------------------

    def see(self, value: Any) -> Seen:
        if self.is_tensor(value):
            return Seen("tensor", self.array(value), self.dtype(value))
        if isinstance(value, list | tuple):
            names: Any = getattr(type(value), "_fields", None) or getattr(type(value), "__match_args__", ())
            kind = "list" if isinstance(value, list) else "tuple"
            return Seen(kind, items=tuple(self.see(each) for each in value), fields=tuple(names))
        if isinstance(value, dict):
            return Seen("dict", items=tuple(map(self.see, value.values())), fields=tuple(map(str, value)))
        if self.is_dtype(value):
            return Seen("dtype", str(value).rpartition(".")[2].lower())
        if self.dist and isinstance(value, self.dist.ProcessGroup):
            ranks = self.dist.get_process_group_ranks(value)
            return named(rank=self.see(value.rank()), size=self.see(value.size()), ranks=self.see(list(ranks)))
        if self.dist and value == self.backend:
            return Seen("the side's own backend")
        if type(value) in _PLAIN:
            return Seen(type(value).__name__, str(value) if isinstance(value, bytes | complex) else value)
        if isinstance(value, np.ndarray):
            return Seen("array", items=(Seen("tensor", value, str(value.dtype)),))
        if isinstance(value, np.generic):
            return Seen(type(value).__name__, value.item())
        if hasattr(value, "__iter__") and hasattr(value, "__len__"):
            return Seen("iterable", items=tuple(self.see(each) for each in value))
        # between processes small values travel; any other object shows by its use what it is
        return Seen(type(value).__name__, str(value)) if self.dist else Seen(OBJECT)


class TorchSide(Side):
    name = package = own_name = "torch"
    backend = "gloo"
    waits_twice = False

    def __init__(self) -> None:
        super().__init__()
        self.framework.set_num_threads(1)

    def tensor(self, array: np.ndarray, dtype: str) -> Any:
        return self.framework.from_numpy(array.copy()).to(self.named(dtype)).clone()

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
        zeros = map(self.framework.zeros_like, traced)
        return [zero if one is None else one for one, zero in zip(found, zeros, strict=True)]


class ReferenceSide(TorchSide):
    """torch with more digits than a case asks for, on the same numbers; or on numbers that are moved by a step."""

    def __init__(self, step: float = 0.0, draw: int = 0) -> None:
        super().__init__()
        self.moved_by = step
        self.draw = draw
        self.numbers = 0
        """How many floats went in."""
        self.extreme = False
        """Whether some of them were near the largest one of float64."""

    @contextlib.contextmanager
    def wide(self) -> Iterator[None]:
        """What becomes of whole numbers is in float64 too."""
        before = self.framework.get_default_dtype()
        self.framework.set_default_dtype(self.framework.float64)
        try:
            yield
        finally:
            self.framework.set_default_dtype(before)

    def tensor(self, array: np.ndarray, dtype: str) -> Any:
        if dtype not in PRECISE:
            return super().tensor(array, dtype)
        self.numbers += array.size
        wide = array.astype(PRECISE[dtype])
        self.extreme = self.extreme or bool((np.abs(wide) >= np.finfo(np.float64).max / 4).any())
        if self.moved_by:
            seed = zlib.crc32(f"{self.draw}/{self.numbers}".encode())
            wide = wide * (1 + self.moved_by * np.random.default_rng(seed).choice([-1.0, 1.0], wide.shape))
        return super().tensor(np.asarray(wide), PRECISE[dtype])

    def named(self, dtype: str) -> Any:
        return super().named(PRECISE.get(dtype, dtype))

    def offered(self, name: str, target: str | None) -> Any:
        found = self.api(name)
        if not (isinstance(found, type) and issubclass(found, self.framework.nn.Module)):
            return found

        def made(*args: Any, **kwargs: Any) -> Any:
            before = self.framework.get_default_dtype()
            self.framework.set_default_dtype(
                self.framework.float32
            )  # so that it draws what the case's own object draws
            try:
                return found(*args, **kwargs).double()
            finally:
                self.framework.set_default_dtype(before)

        return made


class AdapterSide(Side):
    name = "adapter"
    package = "torchspore"
    own_name = "mindspore"
    backend = "mccl"
    waits_twice = True
    plain = True
    """Whether tensors are MindSpore's own instead of the adapter's."""

    def tensor(self, array: np.ndarray, dtype: str) -> Any:
        tensor = self.framework.Tensor(array.copy())
        made = tensor.astype(self.framework.bfloat16) if dtype == "bfloat16" else tensor
        return made if self.plain else self._tensors.from_mindspore(made)

    def array(self, tensor: Any) -> np.ndarray:
        if isinstance(tensor, self._tensors.Tensor):
            return np.array(self._tensors.memory.numpy_values(tensor)).reshape(tuple(tensor.shape))
        plain = tensor.float() if tensor.dtype == self.framework.bfloat16 else tensor
        return np.array(plain.asnumpy())

    @cached_property
    def _tensors(self) -> Any:
        """The adapter's own class of tensors, and what makes and reads them."""
        return importlib.import_module(f"{self.package}._runtime.tensor")

    def native(self) -> AdapterSide:
        """The same side with MindSpore's own tensors, which MindSpore's own functions are called with."""
        return AdapterSide() if not self.plain else self

    def named(self, dtype: str) -> Any:
        return self.framework.bool_ if dtype == "bool" else getattr(self.framework, dtype)

    def offered(self, name: str, target: str | None) -> Any:
        """What is called; the class of a target, which is otherwise chosen when its module is imported."""
        found = self.api(name)
        if target is None or not isinstance(found, type):
            return found
        targets = importlib.import_module("torchspore._runtime.core.targets")._apis[name].targets
        return next(each.function for each in targets if each.id == target)

    def at_once(self) -> None:
        """Let every call come to its end before the next one, so that an error belongs to the call that made it."""
        self.framework.set_context(pynative_synchronize=True)

    def soil(self) -> None:
        """Leave numbers in the memory that the next call gets, so that what it does not write shows."""
        kept = [self.framework.ops.ones((size,), self.framework.float32) * 9 for size in SOILED]
        for tensor in kept:
            tensor.asnumpy()

    @contextlib.contextmanager
    def unrefusing(self, name: str) -> Iterator[None]:
        """MindSpore called as the page of an entry says, where the adapter would refuse it: the adapter's own code
        without its refusals, but for those of arguments that MindSpore has no place for."""
        targets = importlib.import_module(f"{self.package}._runtime.core.targets")
        package, _, last = (self.package + name.removeprefix("torch")).rpartition(".")
        modules = (targets, importlib.import_module(f"{package}._{last}"))
        kept = [
            (module, word, getattr(module, word)) for module in modules for word in REFUSALS if hasattr(module, word)
        ]
        for module, word, _ in kept:
            setattr(module, word, lambda *_, **__: None)
        targets._apis[name].forget()
        try:
            yield
        finally:
            for module, word, function in kept:
                setattr(module, word, function)
            targets._apis[name].forget()

    def name_of(self, group: Any) -> Any:
        return getattr(group, "name", group)

    def seed(self) -> None:
        self.framework.set_seed(1)

    def parameter(self, tensor: Any, name: str) -> Any:
        return self.framework.Parameter(tensor, name=name)

    def step(self, optimizer: Any, parameters: list[Any], gradients: list[Any]) -> None:
        optimizer.step(tuple(gradients))

    def gradients(self, function: Callable[..., Any], tensors: list[Any], weights: Any = ()) -> list[Any] | None:
        if not self.plain and not weights:
            return self._recorded(function, tensors)
        places = tuple(range(len(tensors))) or None
        found = self.framework.grad(function, places, tuple(weights) or None)(*tensors)
        return list(_flat(found))

    def _recorded(self, function: Callable[..., Any], tensors: list[Any]) -> list[Any] | None:
        """The gradients as a program gets them, by the adapter's engine."""
        engine = importlib.import_module(f"{self.package}._runtime.autograd.engine")
        traced = [each if each.requires_grad else each.detach().requires_grad_() for each in tensors]
        scalar = function(*traced)
        if scalar is None or not scalar.requires_grad:
            return None
        found = engine.grad(scalar, traced, allow_unused=True)
        zeros = (self.tensor(np.zeros(tuple(each.shape), self.dtype(each)), self.dtype(each)) for each in traced)
        return [zero if one is None else one for one, zero in zip(found, zeros, strict=True)]

    def own(self, name: str) -> Any:
        """A public name of MindSpore; of a property the function that reads it."""
        module, _, last = name.rpartition(".")
        try:
            found = getattr(importlib.import_module(module), last)
        except ImportError:
            found = getattr(self.own(module), last)
        return found.__get__ if hasattr(found, "__get__") and not callable(found) else found


def _flat(value: Any) -> Iterator[Any]:
    if isinstance(value, list | tuple):
        for each in value:
            yield from _flat(each)
    else:
        yield value


class OwnTensorsSide(AdapterSide):
    """The adapter with its own tensors, as a torch program has them."""

    plain = False

    def seed(self) -> None:
        super().seed()
        importlib.import_module(f"{self.package}._runtime.random").manual_seed(0)  # a registry may lack the entry


SIDES: dict[str, type[Side]] = {side.name: side for side in (TorchSide, AdapterSide)}
