"""Modules that hold others: in a row, in a list, by name; and lists and dicts of parameters."""

from __future__ import annotations

import operator
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..core.framework import mindspore
from .module import Module
from .parameter import Parameter


def _place(index: Any, length: int) -> int:
    number = operator.index(index)
    if not -length <= number < length:
        raise IndexError(f"index {number} is out of range")
    return number % length


class _Numbered(Module):
    """Modules by their numbers, which are also their names."""

    def _all(self) -> list[Any]:
        return list(self._modules.values())

    def _renumber(self, modules: Iterable[Any]) -> None:
        kept = list(modules)
        self._modules.clear()
        for number, module in enumerate(kept):
            setattr(self, str(number), module)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return self._part(list(self._modules.items())[index])
        return self._all()[_place(index, len(self))]

    def _part(self, items: list[tuple[str, Any]]) -> Any:
        return type(self)([module for _, module in items])

    def __setitem__(self, index: Any, module: Any) -> None:
        setattr(self, list(self._modules)[_place(index, len(self))], module)

    def __delitem__(self, index: Any) -> None:
        names = list(self._modules)
        gone = names[index] if isinstance(index, slice) else [names[_place(index, len(self))]]
        for name in gone:
            delattr(self, name)
        self._renumber(self._all())

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._all())

    def append(self, module: Any) -> Any:
        setattr(self, str(len(self)), _module(module))
        return self

    def extend(self, modules: Iterable[Any]) -> Any:
        for module in list(modules):
            self.append(module)
        return self

    def insert(self, index: int, module: Any) -> Any:
        modules = self._all()
        if isinstance(self, Sequential) and not -len(self) <= index <= len(self):
            raise IndexError(f"Index out of range: {index}")
        modules.insert(index, module)
        self._renumber(modules)
        return self if isinstance(self, Sequential) else None

    def pop(self, key: Any) -> Any:
        module = self[key]
        del self[key]
        return module


def _module(value: Any) -> Any:
    if not isinstance(value, (Module, mindspore.nn.Cell)):
        raise TypeError(f"{type(value).__name__} is not a Module subclass")
    return value


class Sequential(_Numbered):
    """Modules that are called one after the other, each with the result of the one before."""

    def __init__(self, *modules: Any) -> None:
        super().__init__()
        if len(modules) == 1 and isinstance(modules[0], Mapping):
            for name, module in modules[0].items():
                self.add_module(name, module)
        else:
            for number, module in enumerate(modules):
                setattr(self, str(number), _module(module))

    def _part(self, items: list[tuple[str, Any]]) -> Any:
        return type(self)(OrderedDict(items))

    def forward(self, input: Any) -> Any:
        for module in self._modules.values():
            input = module(input)
        return input

    def __add__(self, other: Sequential) -> Sequential:
        return Sequential(*self._all(), *other)

    def __iadd__(self, other: Iterable[Any]) -> Any:
        return self.extend(other)

    def __mul__(self, times: int) -> Sequential:
        if times <= 0:
            raise ValueError(f"Non-positive multiplication factor {times} for {type(self)}")
        return Sequential(*(self._all() * times))

    __rmul__ = __mul__


class ModuleList(_Numbered):
    """A list of modules."""

    def __init__(self, modules: Iterable[Any] | None = None) -> None:
        super().__init__()
        self.extend(modules or ())

    def __iadd__(self, modules: Iterable[Any]) -> Any:
        return self.extend(modules)

    def __add__(self, other: Iterable[Any]) -> ModuleList:
        return ModuleList([*self._all(), *other])

    def __repr__(self) -> str:
        """Rows of equal modules are shown once, with their numbers."""
        runs: list[tuple[int, int, str]] = []
        for number, module in enumerate(self._all()):
            shown = repr(module)
            if runs and runs[-1][2] == shown:
                runs[-1] = (runs[-1][0], number, shown)
            else:
                runs.append((number, number, shown))
        if not runs:
            return f"{self._get_name()}()"
        lines = [
            f"({first}): {shown}" if first == last else f"({first}-{last}): {last - first + 1} x {shown}"
            for first, last, shown in runs
        ]
        return f"{self._get_name()}(\n  " + "\n  ".join(line.replace("\n", "\n  ") for line in lines) + "\n)"


class ModuleDict(Module):
    """Modules by names of the program's choice."""

    def __init__(self, modules: Any = None) -> None:
        super().__init__()
        if modules is not None:
            self.update(modules)

    def __getitem__(self, key: str) -> Any:
        return self._modules[key]

    def __setitem__(self, key: str, module: Any) -> None:
        if isinstance(module, mindspore.nn.Cell):
            setattr(self, key, module)
        else:
            self.add_module(key, module)

    def __delitem__(self, key: str) -> None:
        del self._modules[key]

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __contains__(self, key: str) -> bool:
        return key in self._modules

    def clear(self) -> None:
        self._modules.clear()

    def pop(self, key: str) -> Any:
        return self._modules.pop(key)

    def keys(self) -> Any:
        return self._modules.keys()

    def items(self) -> Any:
        return self._modules.items()

    def values(self) -> Any:
        return self._modules.values()

    def update(self, modules: Any) -> None:
        for key, module in modules.items() if hasattr(modules, "items") else modules:
            self[key] = module


class ParameterList(Module):
    """A list of parameters; tensors that are put in become parameters."""

    def __init__(self, values: Iterable[Any] | None = None) -> None:
        super().__init__()
        self._size = 0
        self.extend(values or ())

    def _name(self, index: Any) -> str:
        return str(_place(index, self._size))

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return type(self)([self[number] for number in range(*index.indices(self._size))])
        return getattr(self, self._name(index))

    def __setitem__(self, index: Any, value: Any) -> None:
        setattr(self, self._name(index), _parameter(value))

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[Any]:
        return iter(self[number] for number in range(self._size))

    def append(self, value: Any) -> Any:
        setattr(self, str(self._size), _parameter(value))
        self._size += 1
        return self

    def extend(self, values: Iterable[Any]) -> Any:
        for value in values:
            self.append(value)
        return self

    __iadd__ = extend

    def extra_repr(self) -> str:
        return "\n".join(f"({number}): {_described(value)}" for number, value in enumerate(self))


class ParameterDict(Module):
    """Parameters by names of the program's choice."""

    def __init__(self, parameters: Any = None) -> None:
        super().__init__()
        self._keys: dict[str, None] = {}
        if parameters is not None:
            self.update(parameters)

    def __getitem__(self, key: str) -> Any:
        return getattr(self, key)

    def __setitem__(self, key: str, value: Any) -> None:
        self._keys[key] = None
        setattr(self, key, _parameter(value))

    def __delitem__(self, key: str) -> None:
        del self._keys[key]
        delattr(self, key)

    def __len__(self) -> int:
        return len(self._keys)

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __contains__(self, key: str) -> bool:
        return key in self._keys

    def keys(self) -> Any:
        return self._keys.keys()

    def items(self) -> Any:
        return ((key, self[key]) for key in self._keys)

    def values(self) -> Any:
        return (self[key] for key in self._keys)

    def pop(self, key: str) -> Any:
        value = self[key]
        del self[key]
        return value

    def get(self, key: str, default: Any = None) -> Any:
        return self[key] if key in self._keys else default

    def setdefault(self, key: str, default: Any = None) -> Any:
        if key not in self:
            self[key] = default
        return self[key]

    def popitem(self) -> tuple[str, Any]:
        if not self._keys:
            raise KeyError("popitem(): dictionary is empty")
        key = next(reversed(self))
        return key, self.pop(key)

    def clear(self) -> None:
        for key in list(self._keys):
            del self[key]

    def copy(self) -> ParameterDict:
        return ParameterDict(OrderedDict(self.items()))

    def fromkeys(self, keys: Iterable[str], default: Any = None) -> ParameterDict:
        return ParameterDict((key, default) for key in keys)

    def __reversed__(self) -> Iterator[str]:
        return reversed(self._keys)

    def __or__(self, other: Any) -> ParameterDict:
        joined = self.copy()
        joined.update(other)
        return joined

    def __ror__(self, other: Any) -> ParameterDict:
        joined = ParameterDict()
        joined.update(other)
        joined.update(self)
        return joined

    def __ior__(self, other: Any) -> Any:
        self.update(other)
        return self

    def update(self, parameters: Any) -> None:
        """Take over parameters by name; those of a plain dict come in the order of their names."""
        named = isinstance(parameters, (OrderedDict, ParameterDict))
        items: Any = parameters.items() if named or isinstance(parameters, Mapping) else parameters
        for key, value in sorted(items) if isinstance(parameters, Mapping) and not named else items:
            self[key] = value

    def extra_repr(self) -> str:
        return "\n".join(f"({key}): {_described(value)}" for key, value in self.items())


def _parameter(value: Any) -> Any:
    tensor = isinstance(value, mindspore.Tensor) and not isinstance(value, Parameter)
    return Parameter(value, value.is_floating_point()) if tensor else value


def _described(value: Any) -> str:
    if not isinstance(value, mindspore.Tensor):
        return f"Object of type: {type(value).__name__}"
    kind = "Parameter" if isinstance(value, Parameter) else "Tensor"
    return f"{kind} containing: [{value.dtype!s} of size {'x'.join(map(str, value.shape))}]"
