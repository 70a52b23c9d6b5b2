"""From a live object to its declaration: a function or class goes in, the forms of its source come out.

Wrappers are looked through, first by `__wrapped__`, then by the name and module that the object claims.
Objects without Python source give nothing.
"""

import inspect
import sys
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from mapspore.facts.extract.source import Declarations, FunctionNode, declarations, distinct, opaque, public_parameters
from mapspore.facts.snapshot import Parameter, Signature

# `Py_TPFLAGS_HEAPTYPE`: a class made at run time, as all Python classes are.
HEAP_TYPE = 1 << 9


def function_forms(value: Any, *, bound: bool = False) -> tuple[Signature, ...]:
    """The forms of a Python function, static method, class method or bound method."""
    if inspect.ismethod(value):
        return function_forms(value.__func__, bound=True)
    place = function_place(value)
    forms = place[0].forms(place[1], bound=bound) if place else ()
    if forms and all(opaque(form) for form in forms):
        # A function made from other functions, which its closure holds.
        cells = [cell.cell_contents for cell in inspect.unwrap(value).__closure__ or ()]
        return distinct(f for inner in cells if isinstance(inner, FunctionType) for f in function_forms(inner)) or forms
    return forms


def runtime_forms(value: Any) -> tuple[Signature, ...]:
    """The form that Python itself tells of an object whose declaration cannot be found, or is not all in one place; a
    default that is no literal has no source here. Of a class that is made in C it tells nothing."""
    if isinstance(value, type) and not value.__flags__ & HEAP_TYPE:
        return ()
    try:
        live = inspect.signature(value).parameters.values()
    except (ValueError, TypeError):
        return ()
    return (Signature(tuple(public_parameters([_runtime_parameter(parameter) for parameter in live]))),)


def _runtime_parameter(parameter: inspect.Parameter) -> Parameter:
    literal = isinstance(parameter.default, bool | int | float | str | None) or parameter.default == ()
    default = None if parameter.default is parameter.empty else repr(parameter.default) if literal else "..."
    note = parameter.annotation
    annotation = None if note is parameter.empty else note if isinstance(note, str) else inspect.formatannotation(note)
    return Parameter(parameter.name, parameter.kind.name.lower(), default, annotation=annotation)


def function_place(value: Any) -> tuple[Declarations, str] | None:
    """The file that declares a function, read, and the function's qualified name in it."""
    if isinstance(value, staticmethod | classmethod):
        value = value.__func__
    if isinstance(value, property):
        value = value.fget
    function = inspect.unwrap(value) if callable(value) else value
    if not isinstance(function, FunctionType):
        return None
    found = _by_line(function)
    if found and found[1].rpartition(".")[2] == value.__name__ and "<locals>" not in found[1]:
        return found
    return _by_name(value) or found


def behind(value: Any, name: str) -> Any:
    """The function of this name that a decorator has put into a nameless one without saying so."""
    if isinstance(value, FunctionType) and value.__name__ != name and not hasattr(value, "__wrapped__"):
        cells = [cell.cell_contents for cell in value.__closure__ or ()]
        return next((cell for cell in cells if isinstance(cell, FunctionType) and cell.__name__ == name), value)
    return value


def member_forms(cls: type, name: str) -> tuple[Signature, ...]:
    """The forms of a class's method, `self` dropped, from the first class of its bases that has it."""
    for base in cls.__mro__:
        if name in base.__dict__:
            found = class_declarations(base)
            if found and f"{base.__qualname__}.{name}" in found.functions:
                return found.forms(f"{base.__qualname__}.{name}", bound=True)
            return function_forms(base.__dict__[name], bound=True)
    return ()


def declared_node(value: Any) -> FunctionNode | None:
    """The definition of a function; of a class, that of its own constructor."""
    if isinstance(value, type):
        found = class_declarations(value)
        qualname = f"{value.__qualname__}.__init__"
    else:
        found, qualname = function_place(value) or (None, "")
    nodes = found.functions.get(qualname) if found else None
    return nodes[-1] if nodes else None


def takes_nothing(cls: type) -> bool:
    """Whether a class is written in Python and leaves the constructor to `object`."""
    inherits = all(getattr(cls, name) is getattr(object, name) for name in ("__init__", "__new__"))
    return inherits and bool(cls.__flags__ & HEAP_TYPE)


def class_declarations(cls: type) -> Declarations | None:
    """The file that declares a class, read."""
    # A class that is re-homed (`torch.Tensor` says it is from `torch`) is found through its functions' code.
    files = [getattr(sys.modules.get(cls.__module__), "__file__", None)]
    functions = (inspect.unwrap(v) for v in cls.__dict__.values() if isinstance(v, FunctionType))
    files += [function.__code__.co_filename for function in functions if isinstance(function, FunctionType)]
    for file in dict.fromkeys(files):
        found = _read(file)
        if found and cls.__qualname__ in found.classes:
            return found
    return None


def module_declarations(module: ModuleType) -> Declarations | None:
    """The file of a module, read."""
    return _read(getattr(module, "__file__", None))


def _by_line(function: FunctionType) -> tuple[Declarations, str] | None:
    found = _read(function.__code__.co_filename)
    qualname = found.by_line.get(function.__code__.co_firstlineno) if found else None
    return (found, qualname) if found and qualname else None


def _by_name(value: Any) -> tuple[Declarations, str] | None:
    found = _read(getattr(sys.modules.get(value.__module__ or ""), "__file__", None))
    return (found, value.__qualname__) if found and value.__qualname__ in found.functions else None


def _read(file: str | None) -> Declarations | None:
    if file is None or not file.endswith(".py") or not Path(file).is_file():
        return None
    return declarations(Path(file))
