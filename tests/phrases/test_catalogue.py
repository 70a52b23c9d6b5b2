"""The phrase catalogue is whole in both languages, and every phrase that can be said is what we expect."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from mapspore.base.paths import templates_folder
from mapspore.check.rules import CODES
from mapspore.entry.model import Text
from mapspore.entry.yaml_events import data_of
from mapspore.resolve.differences import Difference
from mapspore.text.phrases import LANGUAGES, catalogue
from mapspore.view.sentences import sentence
from mapspore.words.kinds import CONSISTENT, Exemption, Kind
from mapspore.words.vocabulary import POLICIES, PREDICATES, WORDS

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
    }  # fmt: skip
    for word in WORDS.values():
        if word.place == "output":
            pairs.add(("output", word.name))
            if word.name == "into":
                pairs |= {("output", "into_list"), ("output", "into_new")}
            continue
        pairs.add(("same" if word.changes == "nothing" else word.changes, word.name))
        if word.merges:
            pairs.add(("merged", word.name))
    return pairs | {("missing", name) for name in (*POLICIES, *PREDICATES)}


def test_the_catalogue_has_just_the_pairs_that_can_meet() -> None:
    held = {(kind, variant) for kind, variants in catalogue("phrases")["kinds"].items() for variant in variants}
    assert held == pairs_that_can_meet()


def test_no_sentence_promises_an_adapter_where_there_is_none() -> None:
    phrases = catalogue("phrases")
    for kind, variants in phrases["kinds"].items():
        for variant, text in variants.items():
            said = phrases["without_adapter"].get(kind, {}).get(variant, text)
            assert "adapter" not in said["en"] and "适配器" not in said["zh"], (kind, variant)
    assert set(phrases["without_adapter"]["missing"]) == {*POLICIES, *PREDICATES, "combinations", "choices", "demanded"}


def texts(node: Any, path: str = "") -> Iterator[tuple[str, dict[str, str]]]:
    if isinstance(node, dict):
        if set(node) & set(LANGUAGES) and all(isinstance(value, str) for value in node.values()):
            yield path, node
            return
        for key, value in node.items():
            yield from texts(value, f"{path}.{key}")


@pytest.mark.parametrize("name", ["phrases", "rules", "labels", "scan"])
def test_every_text_exists_in_both_languages(name: str) -> None:
    found = list(texts(catalogue(name)))
    assert len(found) > 30
    for path, text in found:
        assert set(text) == set(LANGUAGES), path
        assert all(value.strip() for value in text.values()) or path == ".joiner", path
        english, chinese = ({name for _, name, _, _ in Formatter().parse(text[language])} for language in LANGUAGES)
        assert english - {None} == chinese - {None} or path.startswith(".wanted."), path
        assert not HALF_WIDTH.search(re.sub(r"`[^`]*`", "", text["zh"])), path


@pytest.mark.parametrize("name", ["phrases", "rules", "labels", "scan"])
def test_no_text_stands_twice(name: str) -> None:
    """YAML would silently keep the last one: of two checks with one code, for instance."""
    text = (templates_folder() / "text" / f"{name}.yaml").read_text("utf-8")
    _, problems = data_of(text, name)
    assert [problem for problem in problems if problem.code == "M103"] == []


@pytest.mark.parametrize("table", ["kinds", "glossary"])
def test_every_kind_has_words(table: str) -> None:
    assert list(catalogue("phrases")[table]) == [kind.value for kind in Kind]


def test_verdicts_exemptions_policies_and_codes_are_covered() -> None:
    phrases = catalogue("phrases")
    assert set(phrases["verdicts"]) == {CONSISTENT, *(kind.value for kind in Kind if kind is not Kind.SAME)}
    assert set(phrases["exemptions"]) == {exemption.value for exemption in Exemption}
    assert set(phrases["policies"]) == set(POLICIES)
    assert set(phrases["needs"]) == set(PREDICATES)
    assert set(catalogue("rules")) == {*CODES, "wanted", "kind", "reason"}


SAMPLE = {
    "torch": "t", "mindspore": "m", "default": "None", "value": "0", "result": "a", "returned": "a, b",
    "dtypes": "float16, float32", "space": "group", "index": "0", "torch_default": "1", "mindspore_default": "2",
    "about": "x", "names": "mode, size", "fields": "values, indices", "dtype": "int64", "true": "None", "false": "True",
    "keys": "lr, weight_decay",
}  # fmt: skip


def rendered() -> str:
    lines = []
    for kind, variant in sorted(pairs_that_can_meet(), key=lambda pair: (Kind(pair[0]).severity, pair[1])):
        text = Text(en="A sentence.", zh="一句话。") if kind == "behaviour" else None
        difference = Difference(Kind(kind), variant, tuple(SAMPLE.items()), text=text)
        lines += [f"{kind}/{variant}", *(f"  {sentence(difference, language)}" for language in LANGUAGES)]
        if variant in catalogue("phrases")["without_adapter"].get(kind, {}):
            lines += ["  without an adapter", *(f"    {sentence(difference, each, False)}" for each in LANGUAGES)]
    return "\n".join(lines) + "\n"


def test_every_pair_says_what_we_expect(matches_file: Callable[[str, Path], None]) -> None:
    """A change of a phrase is a change of every page: `pytest --update` writes the file; look at the difference."""
    matches_file(rendered(), EXPECTED)
