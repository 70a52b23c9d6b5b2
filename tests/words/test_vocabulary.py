"""The vocabulary holds what entries say, and no more: a word that none uses has no evidence. Each word is one value,
and what it refers to exists.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from mapspore.scan.conditions import BY_FUNCTION, CONDITIONS
from mapspore.words.pure import function
from mapspore.words.runtime import homes
from mapspore.words.situations import SITUATIONS
from mapspore.words.types import BySignature, Word
from mapspore.words.vocabulary import POLICIES, PREDICATES, WORDS, wrong_options

ROOT = Path(__file__).resolve().parents[2]
SAID = {word for file in (ROOT / "mappings").rglob("*.yaml") for word in re.findall(r"\w+", file.read_text("utf-8"))}
HOMONYMS = {
    "given": "a condition of `scan`, a value in a row of `only`, the arguments of a case",
    "item": "an attribute of the canonical form",
    "no_effect": "the outcome of a case",
    "nonzero": "a condition of `scan`",
    "shape": "the shape of a stated tensor",
    "shapes": "a situation",
}
"""Names that stand outside of `words` for something else than the word, each with that."""


def test_every_word_is_used() -> None:
    assert [word for word in (*WORDS, *PREDICATES, *POLICIES) if word not in SAID] == []


def test_no_module_names_a_word_but_its_family() -> None:
    """What is special about a word stands in its value; all else reads properties."""
    package = ROOT / "generator" / "mapspore"
    files = [file for file in package.rglob("*.py") if file.relative_to(package).parts[0] != "words"]
    nodes = (node for file in files for node in ast.walk(ast.parse(file.read_text("utf-8"))))
    texts = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    assert texts & {*WORDS, *PREDICATES, *POLICIES} == set(HOMONYMS)


def test_every_word_has_its_function() -> None:
    """It stands in the folder of words, unless the runtime applies it itself, when a result is delivered."""
    called = [*(word.name for word in WORDS.values() if not word.delivers), *PREDICATES]
    assert all(homes()[name].startswith("torchspore._runtime.words.") for name in called)
    assert all(callable(function(word.name)) for word in WORDS.values() if word.pure)
    judged = [each for each in PREDICATES.values() if not each.scan and not each.excludes]
    assert all(function(each.name)(value) is False for each in judged for value in each.unmet)


@pytest.mark.parametrize("word", WORDS.values(), ids=list(WORDS))
def test_what_a_word_says_of_itself_holds_together(word: Word) -> None:
    assert set(word.scan[:1]) <= CONDITIONS
    assert word.pure or not BY_FUNCTION & set(word.scan[:1])
    if word.rewrite is not None:
        word.rewrite.code.format(value="x", **dict.fromkeys(word.options, "0"))
        assert bool(word.rewrite.members) == (word.rewrite.when == "member")
    if isinstance(word.draft, BySignature):
        assert not wrong_options(word, word.draft.options)
        assert bool(word.draft.beside) == bool(word.consults)


def test_what_a_predicate_says_of_itself_holds_together() -> None:
    for predicate in PREDICATES.values():
        assert set(predicate.scan[:1]) <= CONDITIONS
        assert not predicate.excludes or predicate.excludes in SITUATIONS
