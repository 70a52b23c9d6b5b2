"""What a name in an entry or in a report means. In: a code, or a field, word, policy, condition, situation, topic or
kind of difference, as a person types it. Out: explanations in both languages, as data.

Each is put together from what is said of the name elsewhere: the catalogue, the model, the vocabulary.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Literal

from mapspore.base.language import LANGUAGES
from mapspore.check.rules import ALLOWABLE, CODES, FIXABLE
from mapspore.entry.outline import NAME, Field, form_name, meaning, outline
from mapspore.text.phrases import (
    catalogue,
    contradiction_codes,
    outline_of,
    outlines,
    phrase,
    reason,
    refusal_codes,
    say,
    word_phrases,
)
from mapspore.view.entry_view import Text
from mapspore.words.kinds import Kind
from mapspore.words.situations import SITUATIONS, TOPICS
from mapspore.words.types import Option, Word
from mapspore.words.vocabulary import POLICIES, PREDICATES, WORDS

Sort = Literal["code", "field", "word", "policy", "condition", "situation", "topic", "kind"]
Lines = tuple[Text, ...]

SEE: dict[str, Sort] = {
    **dict.fromkeys(("M101", "M102", "M106", "M107", "M109"), "field"),
    **dict.fromkeys(("M501", "M502", "M503"), "word"),
    "M504": "policy", "M505": "condition", "M411": "situation",
}  # fmt: skip
"""By code: the list that its hint sends a reader here for."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """All that is said of one name; parts that do not apply are empty."""

    name: str
    sort: Sort
    brief: Text
    """One line, for a list."""
    says: Lines
    why: Lines = ()
    hint: Lines = ()
    also: Lines = ()
    see: Sort | None = None
    """The list of all names of this sort belongs to it."""
    keys: tuple[str, ...] = field(default=(), compare=False)
    """What else a person may type for it."""


def explanations(given: str) -> list[Explanation]:
    """What a name means, which may be several things; nothing if it means none."""
    wanted = _plain(given)
    return [each for each in known() if wanted in {_plain(key) for key in (each.name, *each.keys)}]


def nearest(given: str) -> list[str]:
    """The names that are spelt most alike."""
    names = {_plain(key): key for each in known() for key in (each.name, *each.keys)}
    return [names[key] for key in difflib.get_close_matches(_plain(given), names, n=3, cutoff=0.5)]


def of_sort(sort: Sort) -> list[Explanation]:
    """All names of a sort; topics count as situations, for `differs` is about either."""
    sorts = ("situation", "topic") if sort == "situation" else (sort,)
    return [each for each in known() if each.sort in sorts]


@cache
def known() -> tuple[Explanation, ...]:
    """Everything that can be explained, sort by sort."""
    return tuple((*_codes(), *_fields(), *_words(), *_vocabulary()))


def _plain(name: str) -> str:
    """A name without the brackets around a code, and a path as a person would type it: `targets.arguments.from`."""
    return name.strip("[]`").replace("[]", "").replace(f".{NAME}", "").lower()


def _both(path: str, **values: str) -> Text:
    return Text(*(say(path, language, **values) for language in LANGUAGES))


def _paired(english: Iterable[str], chinese: Iterable[str]) -> Lines:
    """Sentences that have the same order in both languages, each once."""
    return tuple(dict.fromkeys(Text(en, zh) for en, zh in zip(english, chinese, strict=True)))


def _codes() -> Iterator[Explanation]:
    for code in (*CODES, *refusal_codes(), *contradiction_codes()):
        said = [outlines(code, language) for language in LANGUAGES]
        says, hint = (_paired(*(each[part] for each in said)) for part in (0, 1))
        why = Text(*(reason(code, language) for language in LANGUAGES))
        also = [_both("cli.explain.fixable")] if code in FIXABLE else []
        also += [_both("cli.explain.allowable", code=code)] if code in ALLOWABLE else []
        yield Explanation(code, "code", says[0], says, (why,), hint, tuple(also), SEE.get(code))
    for code, texts in catalogue("scan")["codes"].items():
        name, why, remedy = (Text(**texts[part]) for part in ("name", "why", "hint"))
        off = _both("cli.explain.ignorable", code=code)
        yield Explanation(code, "code", name, (name,), (why,), (remedy,), (off,))


def _fields() -> Iterator[Explanation]:
    for each in outline():
        says = Text(*(meaning(each, language) for language in LANGUAGES))
        form = Text(*(form_name(each, language) for language in LANGUAGES))
        yield Explanation(each.path, "field", form, (says, *_needed(each, form)), keys=(each.key,))


def _needed(each: Field, form: Text) -> Lines:
    key = "cli.explain.needed" if each.needed else "cli.explain.optional"
    return (Text(*(say(key, language, form=form.of(language)) for language in LANGUAGES)),)


def _words() -> Iterator[Explanation]:
    for word in WORDS.values():
        place = "several" if word.merges else word.place
        options = "; ".join(f"{name}: {_takes(kind)}" for name, kind in word.options.items())
        brief = Text(*(_brief(phrase("places", place, language), options) for language in LANGUAGES))
        yield Explanation(word.name, "word", brief, (brief, *_said_of(word)))


def _brief(place: str, options: str) -> str:
    return f"{place}  {options}".rstrip()


def _said_of(word: Word) -> Iterator[Text]:
    """What pages say of a parameter with the word, by kind of difference."""
    for key, texts in word_phrases()[word.name].items():
        if key != "without_adapter":
            yield Text(*(outline_of(texts[language]) for language in LANGUAGES))


def _takes(kind: Option) -> str:
    if kind is object:
        return "…"
    return " | ".join(sorted(kind)) if isinstance(kind, frozenset) else kind.__name__


def _vocabulary() -> Iterator[Explanation]:
    phrases = catalogue("phrases")
    for name in POLICIES:
        yield _named("policy", name, word_phrases()[name]["means"])
    for name in PREDICATES:
        yield _named("condition", name, word_phrases()[name]["needs"])
    for name in SITUATIONS:
        yield _named("situation", name, phrases["situations"][name])
    for name in TOPICS:
        yield _named("topic", name, phrases["topics"][name])
    for kind in Kind:
        texts = phrases["glossary"][kind.value]
        yield Explanation(kind.value, "kind", Text(**texts["name"]), (Text(**texts["name"]), Text(**texts["means"])))


def _named(sort: Sort, name: str, texts: dict[str, str]) -> Explanation:
    text = Text(**texts)
    return Explanation(name, sort, text, (text,))
