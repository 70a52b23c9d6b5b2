"""What Python's own introspection says about an API, compared with its facts."""

from __future__ import annotations

import ast
import enum
import importlib
import inspect
import warnings
from typing import Any

from mapspore.facts.snapshot import Api, Facts, Signature

KINDS = {
    inspect.Parameter.POSITIONAL_ONLY: "positional_only",
    inspect.Parameter.POSITIONAL_OR_KEYWORD: "positional_or_keyword",
    inspect.Parameter.VAR_POSITIONAL: "var_positional",
    inspect.Parameter.KEYWORD_ONLY: "keyword_only",
    inspect.Parameter.VAR_KEYWORD: "var_keyword",
}


def confirm(facts: Facts) -> tuple[int, list[str]]:
    """How many APIs could be compared, and which of them no form describes."""
    compared, different = 0, []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for api in facts:
            live = _parameters(api)
            if api.forms and live and not all(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in live):
                compared += 1
                if not any(_describes(form, live) for form in api.forms):
                    different.append(api.name)
    return compared, different


def find(name: str) -> Any:
    """The object behind a qualified name; a function may have the name of the module that it comes from."""
    parts = name.split(".")
    for length in range(len(parts) - 1, 0, -1):
        try:
            found: Any = importlib.import_module(".".join(parts[:length]))
            for part in parts[length:]:
                found = getattr(found, part)
            return found
        except (ModuleNotFoundError, AttributeError):
            continue
    raise LookupError(name)


def _parameters(api: Api) -> list[inspect.Parameter]:
    value = find(api.name) if api.kind in ("function", "class", "method") else None
    if value is None or isinstance(value, enum.EnumType):  # the call of an enumeration also makes new ones
        return []
    try:
        parameters = list(inspect.signature(value).parameters.values())
    except (ValueError, TypeError):
        return []
    bound = api.kind == "method" and parameters and parameters[0].name in ("self", "cls")
    return [p for p in parameters[1 if bound else 0 :] if not (p.name.startswith("_") and p.default is not p.empty)]


def _describes(form: Signature, live: list[inspect.Parameter]) -> bool:
    return len(form.parameters) == len(live) and all(
        stated.name == real.name
        and stated.kind in (KINDS[real.kind], "keyword_only")
        and (stated.default is not None) == (real.default is not real.empty)
        and _agrees(stated.default, real.default)
        for stated, real in zip(form.parameters, live, strict=True)
    )


def _agrees(source: str | None, value: Any) -> bool:
    try:
        return source is None or bool(ast.literal_eval(source) == value)
    except ValueError:
        return True  # a name, which only its own module could evaluate
