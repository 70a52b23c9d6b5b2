"""What generated code imports from the runtime, and what entries may name as `runtime`: the adapter has it, both
languages say what it does, and some entry uses it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from mapspore.pages.official import render_page
from mapspore.pipeline import load_registry
from mapspore.text.phrases import LANGUAGES, catalogue
from mapspore.view.prepare import entry_view
from mapspore.words.runtime import homes, offered
from mapspore.words.vocabulary import RUNTIME

ROOT = Path(__file__).parents[2]


def test_the_runtime_has_every_name() -> None:
    assert homes().keys() >= RUNTIME


def test_a_name_stands_in_one_place() -> None:
    assert [name for name, count in Counter(name for name, _ in offered()).items() if count > 1] == []


def test_each_name_has_its_sentence() -> None:
    assert set(catalogue("phrases")["runtime"]) == RUNTIME


def test_each_name_is_used_and_its_sentence_is_on_the_page() -> None:
    registry = load_registry(ROOT).registry
    behind = [mapping for mapping in registry.mappings if mapping.entry.runtime is not None]
    assert {mapping.entry.runtime for mapping in behind} == RUNTIME
    for mapping in behind:
        for language in LANGUAGES:
            text = catalogue("phrases")["runtime"][mapping.entry.runtime][language]
            page = render_page(entry_view(mapping, registry), language)
            assert text.partition("`")[0] in page, mapping.name
            assert catalogue("labels")["adapter_raises"][language] not in page, mapping.name
