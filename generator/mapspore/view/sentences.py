"""What a difference says. In: a `Difference`. Out: its sentence, and what it is about, in one language."""

from __future__ import annotations

from mapspore.resolve.differences import Difference
from mapspore.text.phrases import Language, catalogue, fill, kind_phrase


def sentence(difference: Difference, language: Language, adapted: bool = True) -> str:
    """What a difference says; where there is no adapter, without a word of what the adapter does."""
    values = {name: value.replace("`", "'") for name, value in difference.values}
    if difference.text is not None:
        values["text"] = difference.text.zh if language == "zh" else difference.text.en
    kind, variant = difference.kind.value, difference.variant
    texts = None if adapted else catalogue("phrases")["without_adapter"].get(kind, {}).get(variant)
    return fill((texts or kind_phrase(kind, variant))[language], values, language)


def about(difference: Difference, language: Language) -> str:
    """What a difference of behaviour is about: a situation or a topic in words, or a name; nothing if all of it."""
    named = dict(difference.values).get("about", difference.variant)
    known = {**catalogue("phrases")["topics"], **catalogue("phrases")["situations"]}
    return str(known[named][language]) if named in known else named
