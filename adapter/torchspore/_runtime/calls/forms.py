"""Which of several call forms a call means. In: the forms as data, and a call's arguments. Out: the first
form that the arguments fit, by name, number and type; the order of forms is the original's. What was found is
remembered for other calls with arguments of the same types.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from ..core.framework import dtypes, is_tensor
from ..words.values import plain_number


class Slot(NamedTuple):
    """One parameter of a form. `takes` names the kinds of value it takes; nothing named means any."""

    name: str
    takes: tuple[str, ...] = ()
    optional: bool = False
    keyword: bool = False
    rest: bool = False
    """Whether it takes all positional arguments that are left."""


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


_KINDS: Mapping[str, Callable[[Any], bool]] = {
    "none": lambda value: value is None,
    "tensor": is_tensor,
    "bool": lambda value: isinstance(value, bool),
    "int": _is_int,
    "ints": lambda value: isinstance(value, list | tuple) and all(_is_int(item) for item in value),
    "number": lambda value: isinstance(value, int | float | complex) and not isinstance(value, bool),
    "text": lambda value: isinstance(value, str),
    "dtype": lambda value: isinstance(value, dtypes.Type),
    "device": lambda value: isinstance(value, str),
    "tensors": lambda value: isinstance(value, list | tuple) and all(is_tensor(item) for item in value),
}


class Form:
    """One call form: its parameters, which of a target's functions it has, if they are several, and where it is treated
    like a form with other parameters, the function that gives its arguments the names of those."""

    __slots__ = ("body", "renamed", "slots")

    def __init__(self, *slots: Slot, body: int = 0, renamed: Callable[..., dict[str, Any]] | None = None) -> None:
        self.slots = slots
        self.body = body
        self.renamed = renamed


class Forms:
    """The call forms of one API."""

    def __init__(self, api: str, *forms: Form) -> None:
        self._api = api
        self._forms = forms
        self._has_rest = any(slot.rest for form in forms for slot in form.slots)
        self._known: dict[tuple[Any, ...], Form] = {}
        """The form by the types of a call's arguments and the names of some."""

    def match(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Form:
        """The form that a call means."""
        types: tuple[Any, ...] = tuple(map(type, args))
        if kwargs:
            types = (*types, *kwargs, *map(type, kwargs.values()))
        return self._known.get(types) or self._first_match(types, args, kwargs)

    def _first_match(self, types: tuple[Any, ...], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Form:
        """The same by comparison with each form; remembered, unless it may depend on what stands in a list."""
        for form in self._forms:
            if _fits(form.slots, args, kwargs):
                lists = any(isinstance(value, list | tuple) for value in (*args, *kwargs.values()))
                if not lists and not self._has_rest:
                    self._known[types] = form
                return form
        plain = tuple(map(plain_number, args)), {name: plain_number(value) for name, value in kwargs.items()}
        given = zip((*plain[0], *plain[1].values()), (*args, *kwargs.values()), strict=True)
        if any(new is not old for new, old in given):
            return self._with_plain_numbers(*plain)
        shown = [*(type(value).__name__ for value in args), *(f"{n}={type(v).__name__}" for n, v in kwargs.items())]
        known = " or ".join(f"({', '.join(slot.name for slot in form.slots)})" for form in self._forms)
        raise TypeError(f"{self._api} cannot be called with ({', '.join(shown)}); it takes {known}.")

    def _with_plain_numbers(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Form:
        """The form for numbers of Python, which it takes in place of those of NumPy that were given."""
        form = self.match(args, kwargs)
        names = [slot.name for slot in form.slots if not slot.keyword]
        named = form.renamed(*args, **kwargs) if form.renamed else dict(zip(names, args, strict=False)) | dict(kwargs)
        return Form(*form.slots, body=form.body, renamed=lambda *_, **__: named)


def _fits(slots: Sequence[Slot], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
    """Whether a form has a place for each argument and an argument for each place that needs one."""
    left = dict(kwargs)
    waiting = list(args)
    for slot in slots:
        if slot.rest:
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
