"""MindSpore's cells among our modules, and ours among cells. A cell that is assigned to a module is held by an adapter
of it: a module whose parameters are the cell's own, under the cell's names. A module that is assigned to a cell is
held by `as_cell`, whose parameters a cell lists.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

from ..autograd.hooks import hooks_of
from ..core.framework import mindspore
from ..core.private import become, second_object
from ..tensor.creating import from_mindspore, lowered, wrap
from .module import Module
from .parameter import Parameter

if TYPE_CHECKING:
    Cell: TypeAlias = Any
    MindSporeParameter: TypeAlias = Any
else:
    Cell = mindspore.nn.Cell
    MindSporeParameter = mindspore.Parameter


def shared_parameter(parameter: Any) -> Any:
    """A parameter of ours for one that a cell computes with: the same memory, the gradient of what the cell does."""
    made = second_object(Parameter, parameter)
    if parameter.requires_grad:
        hooks_of(made)
    return made


class HeldParameter(Parameter, MindSporeParameter):
    """A parameter that both sides list and compute with: MindSpore's object, with our methods."""

    def clone(self, init: Any = None, *, memory_format: Any = None) -> Any:
        """A copy of the values; with a rule for the first ones, as MindSpore's optimisers ask, a parameter."""
        if init is None:
            return Parameter.clone(self)
        return MindSporeParameter(lowered(self), name=self.name, requires_grad=self.requires_grad).clone(init)


def held_parameter(parameter: Any) -> Any:
    """One of MindSpore's parameters, from now on also one of ours: the same object, the same gradient."""
    parameter.__class__ = HeldParameter
    if parameter.requires_grad:
        hooks_of(parameter)
    return parameter


class CellModule(Module):
    """A cell as a module."""

    def __init__(self, cell: Any) -> None:
        super().__init__()
        object.__setattr__(self, "cell", cell)
        for name, parameter in cell.parameters_and_names():
            self._nest(name, shared_parameter(parameter))

    def _nest(self, name: str, parameter: Any) -> None:
        *path, last = name.split(".")
        owner: Module = self
        for part in path:
            if part not in owner._modules:
                owner.add_module(part, Module())
            owner = owner._modules[part]
        owner.register_parameter(last, parameter)

    def forward(self, *arguments: Any, **keywords: Any) -> Any:
        return wrap(self.cell(*map(_lowered, arguments), **{name: _lowered(each) for name, each in keywords.items()}))

    def train(self, mode: bool = True) -> Any:
        self.cell.set_train(mode)
        return super().train(mode)

    def extra_repr(self) -> str:
        return f"cell={type(self.cell).__name__}"


def _lowered(value: Any) -> Any:
    return lowered(value) if isinstance(value, mindspore.Tensor) else value


class ModuleCell(Cell):
    """A module as a cell: what a cell holds, trains and saves with others."""

    def __init__(self, module: Module) -> None:
        super().__init__(auto_prefix=False)
        self.module = _Hidden(module)
        shared: dict[int, Any] = {}
        for path, owner in module.named_modules():
            for name, parameter in owner._parameters.items():
                if parameter is None:
                    continue
                if id(parameter) not in shared:
                    full = f"{path}.{name}" if path else name
                    shared[id(parameter)] = self._hold(full, parameter)
                owner._parameters[name] = shared[id(parameter)]

    def _hold(self, name: str, parameter: Any) -> Any:
        """List a parameter of the module, and give the object that the module computes with from now on: MindSpore's,
        so that MindSpore's gradients and optimisers reach it."""
        held = mindspore.Parameter(lowered(parameter), name=name, requires_grad=parameter.requires_grad)
        become(held, parameter)
        self.insert_param_to_cell(name.replace(".", "_"), held, check_name_contain_dot=False)
        return held_parameter(held)

    def construct(self, *arguments: Any, **keywords: Any) -> Any:
        given = (from_mindspore(each) if isinstance(each, mindspore.Tensor) else each for each in arguments)
        return self.module.held(*given, **keywords)

    def set_train(self, mode: bool = True) -> Any:
        self.module.held.train(mode)
        return super().set_train(mode)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.module.held)


class _Hidden:
    """What a cell must not take apart."""

    def __init__(self, held: Module) -> None:
        self.held = held


def as_cell(module: Module) -> ModuleCell:
    """A cell of MindSpore that computes what a module does, with the same memory."""
    return ModuleCell(module)
