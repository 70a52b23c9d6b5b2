"""The guide to the fields of an entry. In: the model and the vocabulary. Out: a page in one language."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mapspore.base.artifact import Artifact
from mapspore.entry.model import Entry, Model
from mapspore.entry.outline import about, meaning_of, outline
from mapspore.pages.site.texts import render, text
from mapspore.text.markup import MARKDOWN
from mapspore.text.phrases import Language, kind_name, phrase
from mapspore.words.situations import SITUATIONS, TOPICS
from mapspore.words.vocabulary import POLICIES, PREDICATES, WORDS

FIELDS = "guides/fields.md"


def fields_page(language: Language) -> Artifact:
    """Every model of an entry with its own fields, and the closed lists that they take from."""
    words = [
        {
            "name": MARKDOWN.code(word.name),
            "place": phrase("places", "several" if word.merges else word.place, language),
            "changes": "-" if word.changes == "nothing" else kind_name(word.changes, language),
            "options": ", ".join(map(MARKDOWN.code, word.options)) or "-",
        }
        for word in WORDS.values()
    ]
    sections = [_section(model, language) for model in sections_of(Entry)]
    return Artifact(FIELDS, render("fields", language, sections=sections, words=words, lists=list(_lists(language))))


def sections_of(start: type[Model]) -> list[type[Model]]:
    """The models that fields are declared in, each once: where they stand in an entry, then what they share."""
    used = dict.fromkeys([start, *(each.model for each in outline())])
    shared = dict.fromkeys(base for model in used for base in _bases(model))
    return list(dict.fromkeys((*used, *shared)))


def _bases(model: type[Model]) -> list[type[Model]]:
    return [base for base in model.__mro__[1:] if issubclass(base, Model) and base is not Model]


def _section(model: type[Model], language: Language) -> dict[str, object]:
    bases = _bases(model)
    inherited = {name for base in bases for name in base.model_fields}
    own = {name: field for name, field in model.model_fields.items() if name not in inherited}
    places = dict.fromkeys(each.path for each in outline() if each.form is model)
    return {
        "id": model.__name__.lower(),
        "name": model.__name__,
        "about": MARKDOWN.text(about(model, language)),
        "places": ", ".join(map(MARKDOWN.code, places)),
        "inherits": [{"name": base.__name__, "id": base.__name__.lower()} for base in bases],
        "rows": [
            {
                "key": MARKDOWN.code(field.alias or name),
                "needed": text("fields_yes" if field.is_required() else "fields_no", language),
                "meaning": MARKDOWN.text(meaning_of(model, field.alias or name, language)),
            }
            for name, field in own.items()
        ],
    }


def _lists(language: Language) -> Iterator[dict[str, object]]:
    yield _list("policies", [(name, each.phrase("means", language)) for name, each in POLICIES.items()], language)
    yield _list("conditions", [(name, each.phrase("needs", language)) for name, each in PREDICATES.items()], language)
    yield _list("situations", [(name, phrase("situations", name, language)) for name in SITUATIONS], language)
    yield _list("topics", [(name, phrase("topics", name, language)) for name in TOPICS], language)


def _list(key: str, rows: Iterable[tuple[str, str]], language: Language) -> dict[str, object]:
    return {
        "id": key,
        "title": text(f"fields_{key}", language),
        "lead": text(f"fields_{key}_lead", language),
        "rows": [{"name": MARKDOWN.code(name), "meaning": MARKDOWN.text(means)} for name, means in rows],
    }
