"""Stage 2, parse: a `Source` in, an `Entry` out, or diagnostics in the contributor's own words.

pydantic does the validation; this module translates its findings into our codes and places, and never
lets its vocabulary through.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from typing import Any, get_args

from pydantic import ValidationError

from mapspore.base.diagnostics import Diagnostic
from mapspore.entry.load import Block, Source
from mapspore.entry.model import Entry, Model
from mapspore.entry.recover import recover_entry
from mapspore.entry.renames import successor


def parse(source: Source) -> tuple[Entry | None, list[Diagnostic]]:
    """The entry that the source states. With diagnostics it is only what can be read of one, or None."""
    if source.data is None:
        return None, []
    if not isinstance(source.data, Block):
        return None, [Diagnostic("M101", source.place(), (("where", "entry"), ("wanted", "mapping")))]
    try:
        return Entry.model_validate(source.data), []
    except ValidationError as error:
        # Where a field takes several types, pydantic complains about each of them.
        found = dict.fromkeys(_translate(source, problem) for problem in error.errors(include_url=False))
        return recover_entry(source.data, error), _without_echoes(found)


def _without_echoes(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """A misspelt key is one problem, though the right one is then missing too."""
    meant = {(values["where"], values["near"]) for each in found if "near" in (values := dict(each.values))}
    return [
        each
        for each in found
        if each.code != "M106" or (dict(each.values)["where"], dict(each.values)["key"]) not in meant
    ]


_WANTED = {
    "string_type": "text",
    "list_type": "list",
    "tuple_type": "list",
    "dict_type": "mapping",
    "model_type": "mapping",
    "model_attributes_type": "mapping",
    "bool_type": "boolean",
    "int_type": "number",
    "float_type": "number",
}


_BRANCHES = frozenset({"str", "int", "float", "bool"})


def _translate(source: Source, problem: Any) -> Diagnostic:
    kind: str = problem["type"]
    steps = tuple(step for step in problem["loc"] if _exists_or_key(step))
    shown = _shown(steps)
    last = str(steps[-1]) if steps else ""
    if kind == "missing":
        parent = source.place(*steps[:-1])
        if last in ("en", "zh"):
            return Diagnostic("M201", parent, (("language", last), ("where", _shown(steps[:-1]))))
        return Diagnostic("M106", parent, (("key", last), ("where", _shown(steps[:-1]))))
    if kind == "extra_forbidden":
        return _unknown_key(source, steps)
    if kind == "literal_error" or kind == "enum":
        wanted = str(problem.get("ctx", {}).get("expected", "")).replace("'", "`").replace(" or ", ", ")
        return Diagnostic(
            "M107",
            source.place(*steps),
            (("value", _quoted(problem["input"])), ("where", shown), ("wanted", wanted)),
        )
    if kind == "word_options":
        word = problem["ctx"]["word"]
        return Diagnostic("M502", source.place(*steps, str(word)), (("word", str(word)),), variant="mapping")
    if kind == "word_use":
        return Diagnostic("M101", source.place(*steps), (("where", shown), ("wanted", "word")))
    wanted = "scalar" if problem["loc"][-1] in _BRANCHES else _WANTED.get(kind, "scalar")
    if wanted == "text" and problem["input"] is None and last in ("en", "zh"):
        place = source.place(*steps, key=True)
        return Diagnostic("M201", place, (("language", last), ("where", _shown(steps[:-1]))))
    if wanted == "text" and isinstance(problem["input"], (int, float)):
        place = source.place(*steps)
        return Diagnostic("M109", place, (("where", shown), ("value", source.written(place)[:60])))
    return Diagnostic("M101", source.place(*steps), (("where", shown), ("wanted", wanted)))


def _exists_or_key(step: Any) -> bool:
    """Drops the steps that name a branch of a union: they are pydantic's, not the contributor's."""
    return isinstance(step, int) or step not in {*_BRANCHES, "[key]"}


def _unknown_key(source: Source, steps: tuple[str | int, ...]) -> Diagnostic:
    key = str(steps[-1])
    models = _models_at(steps[:-1])
    known = sorted(field.alias or name for model in models for name, field in model.model_fields.items())
    near = difflib.get_close_matches(key, known, n=1, cutoff=0.6)
    values = (("key", key), ("where", _shown(steps[:-1])))
    place = source.place(*steps, key=True)
    if now := successor(models, key):
        return Diagnostic("M102", place, (*values, ("now", now)), variant="renamed")
    if near:
        return Diagnostic("M102", place, (*values, ("near", near[0])), variant="near")
    return Diagnostic("M102", place, (*values, ("known", ", ".join(f"`{name}`" for name in known))))


def _models_at(steps: tuple[str | int, ...]) -> list[type[Model]]:
    """The models that describe what stands at a path."""
    models: list[type[Model]] = [Entry]
    for step in steps:
        if isinstance(step, int):
            continue
        for model in models:
            field = next((f for n, f in model.model_fields.items() if step in (n, f.alias)), None)
            if field is not None:
                models = list(models_in(field.annotation)) or models
                break
    return models


def models_in(annotation: Any) -> Iterator[type[Model]]:
    if isinstance(annotation, type) and issubclass(annotation, Model):
        yield annotation
    for part in get_args(annotation):
        yield from models_in(part)


def _shown(steps: tuple[str | int, ...]) -> str:
    """`targets[0].arguments`, or `entry` for the top."""
    text = ""
    for step in steps:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else str(step)
    return text or "entry"


def _quoted(value: Any) -> str:
    """The value as the contributor wrote it, more or less: YAML's words, and not too long."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return str(value)[:60]
