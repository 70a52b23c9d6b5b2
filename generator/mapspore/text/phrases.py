"""The phrase catalogue: from a difference, a code or a label to a sentence in one language.

Reads `templates/text/*.yaml` once, and the words' own phrases in `templates/text/words`. Values enter a phrase as text
and are never evaluated. Of a comma-separated value `{names:code}` makes code, `{at:either}` too, with "or" between;
`{names:plain}` and `{names:both}` make text, the latter with "and". `{known:list}` joins names that are code already as
the language does, `{count:file|files}` is a number with its noun, and `{space:space}` looks the value up in the
catalogue's table `space`; a value that is a list of pairs, of a key of the table and of values for the text there,
becomes a list of such texts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any

import yaml

from mapspore.base.diagnostics import Diagnostic, Refusal
from mapspore.base.language import LANGUAGES as LANGUAGES
from mapspore.base.language import Language as Language
from mapspore.base.paths import templates_folder

LONGEST = 300
"""How much of a contributor's own text, or of a list of names, a sentence quotes."""


@cache
def catalogue(name: str) -> dict[str, Any]:
    """One file of `templates/text`, as it is."""
    return _read(templates_folder() / "text" / f"{name}.yaml")


@cache
def word_phrases() -> dict[str, Any]:
    """By name of a word, policy or predicate: its phrases, from the files of all families in `templates/text/words`."""
    return {name: texts for file in word_files() for name, texts in _read(file).items()}


def word_files() -> list[Path]:
    """The files of the families of words."""
    return sorted((templates_folder() / "text" / "words").glob("*.yaml"))


def _read(file: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.load(file.read_text("utf-8"), Loader=yaml.CSafeLoader)
    return loaded


class _Phrases(Formatter):
    """Formats with named values only; a format spec names a table, or `code`."""

    def __init__(self, language: Language, tables: dict[str, Any]) -> None:
        self.language = language
        self.tables = tables

    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec in ("code", "either"):
            between = label("comma" if format_spec == "code" else format_spec, self.language)
            return between.join(f"`{part}`" for part in str(value).split(", "))
        if format_spec in ("plain", "both"):
            between = label("comma" if format_spec == "plain" else format_spec, self.language)
            return between.join(str(value).split(", "))
        if format_spec == "list":
            return str(value).replace("`, `", f"`{label('comma', self.language)}`")
        if "|" in format_spec:
            one, many = format_spec.split("|")
            return f"{value} {one if str(value) == '1' else many}"
        if isinstance(value, list):
            texts = (self.vformat(self.tables[format_spec][key][self.language], (), values) for key, values in value)
            return label("comma", self.language).join(texts)
        if format_spec:
            return str(self.tables[format_spec][value][self.language])
        return str(value)

    def get_field(self, field_name: str, args: Any, kwargs: Any) -> Any:
        return kwargs[field_name], field_name  # no attribute or item access into values


@cache
def _formatter(language: Language, name: str) -> _Phrases:
    return _Phrases(language, catalogue(name))


def fill(template: str, values: Mapping[str, object], language: Language, tables: str = "phrases") -> str:
    """A phrase template with its values."""
    return _formatter(language, tables).vformat(template, (), values)


def say(path: str, language: Language, /, **values: object) -> str:
    """A sentence by its file in `templates/text` and the keys that lead to it there, such as `cli.fix.fixed`."""
    name, *keys = path.split(".")
    text: Any = catalogue(name)
    for key in keys:
        text = text[key]
    return fill(text[language], values, language, name)


def phrase(table: str, key: str, language: Language, **values: str) -> str:
    """A phrase of the catalogue by table and key."""
    return fill(catalogue("phrases")[table][key][language], values, language)


def label(key: str, language: Language, **values: str) -> str:
    text = str(catalogue("labels")[key][language])
    return text.format(**values) if values else text


def phrase_without_adapter(kind: str, variant: str) -> dict[str, str] | None:
    """What is said of a kind of difference where there is no adapter, if that is something else: see `kind_phrase`."""
    plain: dict[str, Any] = catalogue("phrases")["without_adapter"].get(kind, {})
    own: dict[str, Any] = word_phrases().get(variant, {}).get("without_adapter", {})
    return plain.get(variant) or own.get(kind)


def kind_phrase(kind: str, variant: str) -> dict[str, str]:
    """The phrase of a kind of difference: a plain one, a word's, or one of a word's variant, such as `into_list`."""
    plain = catalogue("phrases")["kinds"][kind]
    if variant in plain:
        texts = plain[variant]
    elif variant in word_phrases():
        texts = word_phrases()[variant][kind]
    else:
        word, _, of = variant.rpartition("_")
        texts = word_phrases()[word][f"{kind}_{of}"]
    return dict(texts)


def kind_name(kind: str, language: Language) -> str:
    return str(catalogue("phrases")["glossary"][kind]["name"][language])


def verdict_name(verdict: str, language: Language) -> str:
    return str(catalogue("phrases")["verdicts"][verdict][language])


def said(problem: Diagnostic | Refusal, language: Language) -> tuple[str, str]:
    """The sentence and the hint of a diagnostic or of a refusal."""
    if isinstance(problem, Refusal):
        name, values, hint = "refusals", problem.values, problem.hint
    else:
        name, hint = "rules", problem.variant
        values = {key: value if len(value) <= LONGEST else value[:LONGEST] + "…" for key, value in problem.values}
    texts = catalogue(name)[problem.code]
    sentence = _variant(texts["says"], problem.variant)[language]
    return fill(sentence, values, language, name), fill(_variant(texts["hint"], hint)[language], values, language, name)


def refusal_codes() -> tuple[str, ...]:
    """The codes of all refusals."""
    return tuple(key for key in catalogue("refusals") if re.fullmatch(r"C\d{3}", key))


def outlines(code: str, language: Language) -> tuple[list[str], list[str]]:
    """The sentences and the hints that a code can come with, with `…` for what fills them."""
    texts = _texts(code)
    sentences, hints = ([outline_of(text[language]) for text in _variants(texts[part])] for part in ("says", "hint"))
    return sentences, hints


def reason(code: str, language: Language) -> str:
    """Why a check exists, why something is refused, or why a run contradicts an entry."""
    return str(_texts(code)["why"][language])


def contradiction_codes() -> tuple[str, ...]:
    """The codes of what a run says against an entry."""
    return tuple(catalogue("verify")["codes"])


def _texts(code: str) -> dict[str, Any]:
    homes = {"C": "refusals", "M": "rules"}
    texts: dict[str, Any] = catalogue(homes[code[0]])[code] if code[0] in homes else catalogue("verify")["codes"][code]
    return texts


def _variants(texts: dict[str, Any]) -> list[dict[str, str]]:
    return [texts] if isinstance(texts.get("en"), str) else list(texts.values())


def outline_of(template: str) -> str:
    """A phrase with `…` for what fills it."""
    parts = (text + ("" if name is None else "…") for text, name, _, _ in Formatter().parse(template))
    return "".join(parts).replace("….", "…")


def _variant(texts: dict[str, Any], variant: str) -> dict[str, str]:
    """The text for a variant; a part with one text for all variants has its languages at once."""
    by_variant = texts if not isinstance(texts.get("en"), str) else {"": texts}
    chosen = by_variant.get(variant) or by_variant[""]
    return dict(chosen)
