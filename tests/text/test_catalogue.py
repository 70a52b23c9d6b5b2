"""The phrase catalogue is whole in both languages, and every phrase that can be said is what we expect."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from inspect import get_annotations
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from mapspore.base.paths import templates_folder
from mapspore.check.rules import CODES
from mapspore.entry.model import Entry, Model, Text
from mapspore.entry.yaml_events import data_of
from mapspore.pages.site.fields_page import sections_of
from mapspore.resolve.differences import Difference
from mapspore.text.phrases import LANGUAGES, catalogue, phrase_without_adapter, word_files, word_phrases
from mapspore.view.sentences import sentence
from mapspore.words.kinds import CONSISTENT, Exemption, Kind
from mapspore.words.vocabulary import FAMILIES, POLICIES, PREDICATES, WORDS

EXPECTED = Path(__file__).with_name("expected.txt")
CHINESE = re.compile(r"[\u3400-\u9fff]")
HALF_WIDTH = re.compile(r"[\u3400-\u9fff][,;:!?()]")


def pairs_that_can_meet() -> set[tuple[str, str]]:
    """Every kind with every variant that the vocabulary, the policies and the contract can give it."""
    pairs = {
        ("same", ""), ("same", "overload"), ("extra", ""), ("extra", "fixed"), ("extra", "rest"), ("renamed", ""),
        ("order", ""),
        ("order", "keyword"),
        ("split", ""), ("merged", ""), ("default", ""), ("required", ""), ("behaviour", ""), ("migrate", ""),
        ("unmapped", ""),
        ("type", "handle"), ("type", "work"), ("type", "sender"), ("type", "picked"), ("type", "dtypes"),
        ("type", "named"), ("type", "handle_beside"),
        ("missing", "handle"), ("missing", "work"), ("missing", "combinations"), ("missing", "choices"),
        ("missing", "state"), ("missing", "demanded"),
        ("renamed", "state"), ("default", "mode"), ("output", "returned"),
        *(("behaviour", f"measured_{way}") for way in ("raises", "form", "dtype", "shape", "value", "crashed")),
    }  # fmt: skip
    for word in WORDS.values():
        if word.place == "output":
            pairs |= {("output", word.name), *(("output", f"{word.name}_{variant}") for variant in word.variants)}
            continue
        pairs.add(("same" if word.changes == "nothing" else word.changes, word.name))
        if word.merges:
            pairs.add(("merged", word.name))
    return pairs | {("missing", name) for name in (*POLICIES, *PREDICATES)}


def phrases_of_kinds() -> Iterator[tuple[str, str, dict[str, str]]]:
    """Every phrase that a difference can say, with its kind and variant: the plain ones, then those of the words."""
    for kind, variants in catalogue("phrases")["kinds"].items():
        for variant, text in variants.items():
            yield kind, variant, text
    for name, texts_ in word_phrases().items():
        for key, text in texts_.items():
            if key not in NOT_OF_DIFFERENCES:
                kind, _, variant = key.partition("_")
                yield kind, f"{name}_{variant}" if variant else name, text


NOT_OF_DIFFERENCES = ("means", "needs", "without_adapter")
"""What else a word, a policy or a predicate has phrases for."""


def test_the_catalogue_has_just_the_pairs_that_can_meet() -> None:
    held = [(kind, variant) for kind, variant, _ in phrases_of_kinds()]
    assert len(held) == len(set(held)), "a word and a plain variant, or two words, have one name"
    assert set(held) == pairs_that_can_meet()


def test_the_phrases_of_a_family_stand_beside_it() -> None:
    """One file for each module of words, with the same names in the same order."""
    names = {family.__name__.rpartition(".")[2]: [word.name for word in family.WORDS] for family in FAMILIES}
    names |= {"policies": list(POLICIES), "predicates": list(PREDICATES)}
    held = {file.stem: list(data_of(file.read_text("utf-8"), file.name)[0]) for file in word_files()}
    assert held == names


def test_policies_and_predicates_have_all_their_phrases() -> None:
    assert all(set(word_phrases()[name]) == {"missing", "means", "without_adapter"} for name in POLICIES)
    assert all(set(word_phrases()[name]) == {"missing", "needs", "without_adapter"} for name in PREDICATES)


def test_no_sentence_promises_an_adapter_where_there_is_none() -> None:
    for kind, variant, text in phrases_of_kinds():
        said = phrase_without_adapter(kind, variant) or text
        assert "adapter" not in said["en"] and "适配器" not in said["zh"], (kind, variant)


def test_what_is_said_without_an_adapter_is_also_said_with_one() -> None:
    plain = catalogue("phrases")["without_adapter"]
    held = {(kind, variant) for kind, variants in plain.items() for variant in variants}
    held |= {(kind, name) for name, texts_ in word_phrases().items() for kind in texts_.get("without_adapter", ())}
    assert held <= pairs_that_can_meet()


def texts(node: Any, path: str = "") -> Iterator[tuple[str, dict[str, str]]]:
    if isinstance(node, dict):
        if set(node) & set(LANGUAGES) and all(isinstance(value, str) for value in node.values()):
            yield path, node
            return
        for key, value in node.items():
            yield from texts(value, f"{path}.{key}")


CATALOGUES = (
    "phrases",
    "rules",
    "refusals",
    "cli",
    "facts",
    "verify",
    "labels",
    "scan",
    *(f"words/{file.stem}" for file in word_files()),
)


@pytest.mark.parametrize("name", CATALOGUES)
def test_every_text_exists_in_both_languages(name: str) -> None:
    found = list(texts(catalogue(name)))
    assert len(found) > 20 or name.startswith("words/")
    for path, text in found:
        assert set(text) == set(LANGUAGES), path
        assert all(value.strip() for value in text.values()) or path in (".joiner", ".where.somewhere"), path
        english, chinese = ({name for _, name, _, _ in Formatter().parse(text[language])} for language in LANGUAGES)
        assert english - {None} == chinese - {None} or path.startswith(".wanted."), path
        assert not HALF_WIDTH.search(re.sub(r"`[^`]*`", "", text["zh"])), path


@pytest.mark.parametrize("name", CATALOGUES)
def test_no_text_stands_twice(name: str) -> None:
    """YAML would silently keep the last one: of two checks with one code, for instance."""
    text = (templates_folder() / "text" / f"{name}.yaml").read_text("utf-8")
    _, problems = data_of(text, name)
    assert [problem for problem in problems if problem.code == "M103"] == []


@pytest.mark.parametrize("table", ["kinds", "glossary"])
def test_every_kind_has_words(table: str) -> None:
    assert list(catalogue("phrases")[table]) == [kind.value for kind in Kind]


def test_verdicts_exemptions_and_codes_are_covered() -> None:
    phrases = catalogue("phrases")
    assert set(phrases["verdicts"]) == {CONSISTENT, *(kind.value for kind in Kind if kind is not Kind.SAME)}
    assert set(phrases["exemptions"]) == {exemption.value for exemption in Exemption}
    assert set(catalogue("rules")) == {*CODES, "form", "wanted", "kind", "reason"}


SAMPLE = {
    "torch": "t", "mindspore": "m", "default": "None", "value": "0", "result": "a", "returned": "a, b",
    "dtypes": "float16, float32", "space": "group", "index": "0", "torch_default": "1", "mindspore_default": "2",
    "about": "x", "names": "mode, size", "fields": "values, indices", "dtype": "int64", "true": "None", "false": "True",
    "keys": "lr, weight_decay", "platform": "CPU", "call": "f(x)", "count": "3", "total": "12",
}  # fmt: skip


def rendered() -> str:
    lines = []
    for kind, variant in sorted(pairs_that_can_meet(), key=lambda pair: (Kind(pair[0]).severity, pair[1])):
        text = Text(en="A sentence.", zh="一句话。") if (kind, variant) == ("behaviour", "") else None
        difference = Difference(Kind(kind), variant, tuple(SAMPLE.items()), text=text)
        lines += [f"{kind}/{variant}", *(f"  {sentence(difference).of(language)}" for language in LANGUAGES)]
        if phrase_without_adapter(kind, variant):
            lines += [
                "  without an adapter",
                *(f"    {sentence(replace(difference, adapted=False)).of(each)}" for each in LANGUAGES),
            ]
    return "\n".join(lines) + "\n"


def test_every_pair_says_what_we_expect(matches_file: Callable[[str, Path], None]) -> None:
    """A change of a phrase is a change of every page: `pytest --update` writes the file; look at the difference."""
    matches_file(rendered(), EXPECTED)


def test_every_field_is_described_in_chinese_under_the_model_that_declares_it() -> None:
    """English is the docstring of the field; see `author.outline`."""
    declared: dict[str, set[str]] = {}
    for model in {base for each in sections_of(Entry) for base in each.__mro__ if issubclass(base, Model)} - {Model}:
        own = get_annotations(model)
        keys = {field.alias or name for name, field in model.model_fields.items() if name in own}
        declared[model.__name__] = {"itself", *keys}
    described = {model: set(texts_) for model, texts_ in catalogue("fields").items()}
    declared = {name: keys for name, keys in declared.items() if keys != {"itself"} or name in described}
    assert described == declared
    for texts_ in catalogue("fields").values():
        for text in texts_.values():
            assert re.search(r"[\u3400-\u9fff]", text) and text.endswith("。")
            assert not HALF_WIDTH.search(re.sub(r"`[^`]*`", "", text)), text
