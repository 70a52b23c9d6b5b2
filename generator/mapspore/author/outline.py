"""The fields of an entry at a glance: where each stands and which form it takes, read off the model."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Any, Literal, get_args, get_origin

from mapspore.base.language import Language, pick
from mapspore.entry.model import Entry, Model, OneOrMany, Scalar, Words
from mapspore.text.phrases import catalogue

NAME = "NAME"


def outline(language: Language) -> list[tuple[str, str]]:
    """Pairs of a path, such as `targets[].arguments.NAME.from`, and the form that belongs there."""
    return list(_fields(Entry, "", language))


def _fields(model: type[Model], path: str, language: Language) -> Iterator[tuple[str, str]]:
    for name, field in model.model_fields.items():
        annotated: Any = field.annotation
        if field.metadata:  # pydantic keeps the type and what it was annotated with apart
            annotated = next((known for known in (Words, OneOrMany) if _stands_for(field, known)), annotated)
        yield from _form(annotated, f"{path}{field.alias or name}", language)


def _stands_for(field: Any, known: Any) -> bool:
    kind, *metadata = get_args(known)
    return field.annotation in (kind, kind | None) and all(part in field.metadata for part in metadata[1:])


def _form(annotation: Any, path: str, language: Language) -> Iterator[tuple[str, str]]:
    wanted = {key: texts[language] for key, texts in catalogue("rules")["wanted"].items()}
    if annotation is Scalar:
        yield path, wanted["scalar"]
        return
    if annotation in (Words, OneOrMany):
        one = wanted["word"] if annotation is Words else wanted["text"]
        yield path, pick(language, f"{one}; or a list of such", f"{one}；也可以是列表")
        return
    parts = [part for part in get_args(annotation) if part is not type(None)]
    origin = get_origin(annotation)
    if isinstance(annotation, type) and issubclass(annotation, Model):
        yield from _fields(annotation, f"{path}.", language)
    elif isinstance(annotation, type) and issubclass(annotation, Enum):
        yield path, " | ".join(str(member.value) for member in annotation)
    elif origin is Literal:
        yield path, " | ".join(map(str, parts))
    elif origin is dict:
        yield from _form(parts[1], f"{path}.{NAME}", language)
    elif origin is tuple:
        yield from _form(parts[0], f"{path}[]", language)
    elif parts:
        yield from _form(parts[0], path, language)
    else:
        yield path, wanted["text"]
