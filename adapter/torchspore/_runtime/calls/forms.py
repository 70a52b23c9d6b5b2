"""Which of several call forms a call means. In: the forms as data, and a call's arguments. Out: the first
form that the arguments fit, by name, number and type; the order of forms is the original's. A scalar of NumPy fits
where a number does, and a form that was found with one says so. What was found is remembered for other calls with
arguments of the same types.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy

from ..core.errors import refuse
from ..core.foreign import kind, remedy
from ..core.framework import dtypes, is_tensor
from ..core.scalars import SCALARS, plain


class Slot(NamedTuple):
    """One parameter of a form. `takes` names the kinds of value it takes; nothing named means any."""

    name: str
    takes: tuple[str, ...] = ()
    optional: bool = False
    keyword: bool = False
    rest: bool = False
    """Whether it takes all positional arguments that are left."""
    others: bool = False
    """Whether it takes all keywords that no parameter has."""


def _is_int(value: Any) -> bool:
    return isinstance(value, int | numpy.integer) and not isinstance(value, bool)


def _is_device(value: Any) -> bool:
    """Whether a value is an object of the adapter's class of devices, which only the runtime of tensors loads."""
    return hasattr(value, "index") and isinstance(getattr(value, "type", None), str)


NUMPY_NAMES = {"axis": "dim", "keepdims": "keepdim", "x": "input", "a": "input", "x1": "input", "x2": "other"}
"""What the original's own functions take in place of their parameters' names, without declaring it."""

_NUMBERS = (int, float, complex, *SCALARS, numpy.bool_)
_KINDS: Mapping[str, Callable[[Any], bool]] = {
    "none": lambda value: value is None,
    "tensor": is_tensor,
    "bool": lambda value: isinstance(value, bool),
    "int": _is_int,
    "ints": lambda value: isinstance(value, list | tuple) and all(_is_int(item) for item in value),
    "number": lambda value: isinstance(value, _NUMBERS) and not isinstance(value, bool),
    "text": lambda value: isinstance(value, str),
    "dtype": lambda value: isinstance(value, dtypes.Type),
    "device": lambda value: isinstance(value, str) or _is_int(value) or _is_device(value),
    "tensors": lambda value: isinstance(value, list | tuple) and all(is_tensor(item) for item in value),
}


class Form:
    """One call form: its parameters, which of a target's functions it has, if they are several, and where it is treated
    like a form with other parameters, the function that gives its arguments the names of those. `loose` says that some
    of a call's arguments have to be made `plain` first."""

    __slots__ = ("body", "loose", "renamed", "slots")

    def __init__(
        self, *slots: Slot, body: int = 0, renamed: Callable[..., dict[str, Any]] | None = None, loose: bool = False
    ) -> None:
        self.slots = slots
        self.body = body
        self.renamed = renamed
        self.loose = loose

    def loosely(self) -> Form:
        return Form(*self.slots, body=self.body, renamed=self.renamed, loose=True)

    def plain(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """A call's arguments with Python's scalars for those of NumPy, but where anything is taken. A truth value of
        NumPy fits as a number only, and the original takes it for a float."""
        places = [slot for slot in self.slots if not slot.keyword]
        given = tuple(_plain(arg) if places[min(at, len(places) - 1)].takes else arg for at, arg in enumerate(args))
        typed = {slot.name for slot in self.slots if slot.takes}
        return given, {name: _plain(value) if name in typed else value for name, value in kwargs.items()}


def _plain(value: Any) -> Any:
    return float(value) if isinstance(value, numpy.bool_) else plain(value)


def _is_loose(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return any(map(_is_loose, value))
    return isinstance(value, numpy.generic)


class Forms:
    """The call forms of one API."""

    def __init__(self, api: str, *forms: Form, refused: tuple[str, ...] = (), numpy: bool = False) -> None:
        self._api = api
        self._forms = forms
        self._refused = refused
        names = {slot.name for form in forms for slot in form.slots}
        self._also = {
            name: meant for name, meant in NUMPY_NAMES.items() if numpy and meant in names and name not in names
        }
        """Names of NumPy that the API takes, with what they mean."""
        self._has_rest = any(slot.rest for form in forms for slot in form.slots)
        self._known: dict[tuple[Any, ...], Form] = {}
        """The form by the types of a call's arguments and the names of some."""

    def match(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Form:
        """The form that a call means."""
        types: tuple[Any, ...] = tuple(map(type, args))
        if kwargs:
            types = (*types, *kwargs, *map(type, kwargs.values()))
        return self._known.get(types) or self._first_match(types, args, kwargs)

    def given(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """A call's arguments as a function of the runtime takes them: by position in the order of the form, as far as
        none is left out, and none that it has no place for."""
        if kwargs and self._also:
            kwargs = {
                name if self._also.get(name, name) in kwargs else self._also[name]: value
                for name, value in kwargs.items()
            }
        form = self.match(args, kwargs)
        if form.loose:
            args, kwargs = form.plain(args, kwargs)
        for name in self._refused:
            if kwargs.pop(name, None) is not None:
                refuse(self._api, name, "a value", None)
        if kwargs:
            for slot in form.slots[len(args) :]:
                if slot.keyword or slot.name not in kwargs:
                    break
                args = (*args, kwargs.pop(slot.name))
        return args, kwargs

    def _first_match(self, types: tuple[Any, ...], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Form:
        """The same by comparison with each form; remembered, unless it may depend on what stands in a list."""
        for form in self._forms:
            if _fits(form.slots, args, kwargs):
                values = (*args, *kwargs.values())
                found = form.loosely() if any(map(_is_loose, values)) else form
                lists = any(isinstance(value, list | tuple) for value in values)
                if not lists and not self._has_rest:
                    self._known[types] = found
                return found
        given = [*map(kind, args), *(f"{name}={kind(value)}" for name, value in kwargs.items())]
        known = " or ".join(f"({', '.join(slot.name for slot in form.slots)})" for form in self._forms)
        said = remedy((*args, *kwargs.values())) or f"it takes {known}."
        raise TypeError(f"{self._api} cannot be called with ({', '.join(given)}); {said}")


def _fits(slots: Sequence[Slot], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
    """Whether a form has a place for each argument and an argument for each place that needs one."""
    left = dict(kwargs)
    waiting = list(args)
    for slot in slots:
        if slot.others:
            left.clear()
            continue
        if slot.rest:
            if not (waiting or slot.optional):
                return False
            waiting.clear()
            continue
        if waiting and not slot.keyword:
            if slot.name in left:
                return False
            value = waiting.pop(0)
        elif slot.name in left:
            value = left.pop(slot.name)
        elif slot.optional:
            continue
        else:
            return False
        if slot.takes and not any(_KINDS[kind](value) for kind in slot.takes):
            return False
    return not (waiting or left)
