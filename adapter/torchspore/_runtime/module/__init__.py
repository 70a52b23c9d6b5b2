"""Modules, parameters and containers, as torch programs write them."""

from .cells import as_cell
from .containers import ModuleDict, ModuleList, ParameterDict, ParameterList, Sequential
from .module import Module
from .parameter import Buffer, Parameter

__all__ = [
    "Buffer",
    "Module",
    "ModuleDict",
    "ModuleList",
    "Parameter",
    "ParameterDict",
    "ParameterList",
    "Sequential",
    "as_cell",
]
