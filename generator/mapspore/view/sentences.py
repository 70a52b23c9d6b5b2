"""Sentences in both languages. In: differences, rows, keys of the catalogue. Out: plain text; backticks mark code."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from mapspore.base.language import Language
from mapspore.resolve.differences import Difference, Row
from mapspore.text.phrases import catalogue, fill, kind_phrase, label, phrase, phrase_without_adapter
from mapspore.view.entry_view import Text
from mapspore.words.kinds import Kind


def both(say: Callable[[Language], str]) -> Text:
    """A text that is put together for each language."""
    return Text(say("en"), say("zh"))


def said(table: str, key: str, **values: str) -> Text:
    """A phrase of the catalogue by table and key."""
    return both(lambda language: phrase(table, key, language, **values))


def joined(texts: Iterable[Text]) -> Text:
    """Sentences, one after the other."""
    every = list(texts)
    return both(lambda language: label("joiner", language).join(text.of(language) for text in every))


def sentence(difference: Difference) -> Text:
    """What a difference says; where there is no adapter, without a word of what the adapter does."""
    values = {name: value.replace("`", "'") for name, value in difference.values}
    kind, variant, own = difference.kind.value, difference.variant, difference.text
    texts = (None if difference.adapted else phrase_without_adapter(kind, variant)) or kind_phrase(kind, variant)
    stated = {"en": own.en, "zh": own.zh} if own else {}
    return both(lambda language: fill(texts[language], values | ({"text": stated[language]} if own else {}), language))


def brief(difference: Difference) -> Text:
    """The same for a list of what differs: what was measured, without its example, which its row shows."""
    if difference.variant not in catalogue("phrases")["brief"]:
        return sentence(difference)
    return said("brief", difference.variant, **{name: value.replace("`", "'") for name, value in difference.values})


def about(difference: Difference) -> Text:
    """What a difference of behaviour is about: a situation or a topic in words, or a name; nothing if all of it."""
    named = dict(difference.values).get("about", difference.variant)
    known = catalogue("phrases")["topics"].get(named) or catalogue("phrases")["situations"].get(named)
    return Text(known["en"], known["zh"]) if known else Text(named, named)


def row_sentence(row: Row) -> Text:
    """All that a row has to say, the worst first."""
    spoken = [d for d in row.differences if not d.covered_by_other]
    if all(d.kind is Kind.SAME for d in spoken):
        spoken = [Difference(Kind.SAME), *(d for d in spoken if d.variant)]
    return joined(sentence(difference) for difference in spoken)
