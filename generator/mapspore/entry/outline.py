"""The fields of an entry, read off the model. In: nothing. Out: each field with its path, such as
`targets[].arguments.NAME.from`, the form that it takes, and what it means, in both languages.

A field's English is its docstring in `entry.model`; its Chinese stands in `templates/text/fields.yaml`.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from inspect import get_annotations
from typing import Any, Literal, NamedTuple, get_args, get_origin

from mapspore.base.language import Language
from mapspore.entry.model import Entry, Model, OneOrMany, Scalar, Words
from mapspore.text.phrases import catalogue, say

NAME = "NAME"


class Field(NamedTuple):
    """A field of an entry, wherever it stands in it."""

    path: str
    model: type[Model]
    key: str
    needed: bool
    form: Any
    """What the model demands there; a model, if the field has fields of its own."""

    @property
    def is_leaf(self) -> bool:
        return not (isinstance(self.form, type) and issubclass(self.form, Model))


def outline() -> list[Field]:
    """All fields, each after the one that it stands in."""
    return list(_fields(Entry, ""))


def meaning(field: Field, language: Language) -> str:
    """What a field means, in one line."""
    return meaning_of(field.model, field.key, language)


def meaning_of(model: type[Model], key: str, language: Language) -> str:
    """What a field of a model means; the declaring model may be one that it inherits from."""
    name = next(name for name, field in model.model_fields.items() if key == (field.alias or name))
    if language == "en":
        return " ".join((model.model_fields[name].description or "").split())
    declaring = next(each for each in model.__mro__ if name in get_annotations(each))
    return str(catalogue("fields")[declaring.__name__][key])


def about(model: type[Model], language: Language) -> str:
    """What a model is about, in one line."""
    if language == "en":
        return " ".join((model.__doc__ or "").split())
    return str(catalogue("fields")[model.__name__]["itself"])


def form_name(field: Field, language: Language) -> str:
    """The form that a field takes, in words."""
    annotation = field.form
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return " | ".join(str(member.value) for member in annotation)
    if get_origin(annotation) is Literal:
        return " | ".join(map(str, get_args(annotation)))
    if annotation in (Words, OneOrMany):
        one = catalogue("rules")["wanted"]["word" if annotation is Words else "text"][language]
        return say("rules.form.or_list", language, one=one)
    wanted = "scalar" if annotation is Scalar else "text" if field.is_leaf else "mapping"
    return str(catalogue("rules")["wanted"][wanted][language])


def _fields(model: type[Model], path: str) -> Iterator[Field]:
    for name, field in model.model_fields.items():
        annotated: Any = field.annotation
        if field.metadata:  # pydantic keeps the type and what it was annotated with apart
            annotated = next((known for known in (Words, OneOrMany) if _stands_for(field, known)), annotated)
        key = field.alias or name
        place, form = _place(annotated, f"{path}{key}")
        found = Field(place, model, key, field.is_required(), form)
        yield found
        if not found.is_leaf:
            yield from _fields(form, f"{place}.")


def _stands_for(field: Any, known: Any) -> bool:
    kind, *metadata = get_args(known)
    return field.annotation in (kind, kind | None) and all(part in field.metadata for part in metadata[1:])


def _place(annotation: Any, path: str) -> tuple[str, Any]:
    """The path of a field down to what it holds, through lists and mappings by name, and the form of that."""
    if annotation in (Scalar, Words, OneOrMany) or isinstance(annotation, type):
        return path, annotation
    parts = [part for part in get_args(annotation) if part is not type(None)]
    origin = get_origin(annotation)
    if origin is Literal or not parts:
        return path, annotation
    if origin is dict:
        return _place(parts[1], f"{path}.{NAME}")
    return _place(parts[0], f"{path}[]" if origin is tuple else path)
