"""Errata are what an official table calls consistent, a run contradicts, and a program shows: all three or nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mapspore.evidence.errata import FOLDER, Claims, consistent, errata, program_file
from mapspore.facts.official import Claim, load_claims
from mapspore.pipeline import load_registry
from mapspore.resolve.registry import Registry
from mapspore.text.phrases import LANGUAGES
from mapspore.view.errata import errata_view

Run = Callable[..., Any]
ROOT = Path(__file__).resolve().parents[2]
PAIR = ("torch.nn.Softmax", "mindspore.mint.nn.Softmax")


@pytest.fixture(scope="module")
def registry() -> Registry:
    return load_registry(ROOT).registry


@pytest.fixture(scope="module")
def claims() -> Claims:
    return consistent(load_claims(ROOT))


def test_only_claims_that_nothing_differs_are_looked_at(claims: Claims) -> None:
    differing = Claim("2.4", "torch.abs", "mindspore.ops.abs", "diff_page", "diff_page")
    assert consistent([differing]) == {} and all(each.consistent for found in claims.values() for each in found)


def test_every_program_shows_an_erratum_and_every_erratum_has_one(registry: Registry, claims: Claims) -> None:
    found = errata(registry, claims, ROOT)
    targets = {
        (mapping.name, counterpart.target.mindspore): counterpart.id
        for mapping in registry.mappings
        for counterpart in mapping.counterparts
    }
    used = {program_file(ROOT, each.entry, targets[each.entry, each.mindspore]).name for each in found}
    assert used == {file.name for file in (ROOT / "evidence" / FOLDER).iterdir()} and len(found) > 50
    assert [each.torch for each in found] == sorted(each.torch for each in found)
    for each in found:
        compile(each.program, each.torch, "exec")
        assert f"{each.entry} and {each.mindspore}" in each.program and "mapspore" not in each.program
        assert "torchspore" not in each.program, "it needs the two frameworks only"


def test_what_no_table_claims_is_no_erratum(registry: Registry, claims: Claims) -> None:
    assert PAIR in {(each.torch, each.mindspore) for each in errata(registry, claims, ROOT)}
    left = {pair: found for pair, found in claims.items() if pair != PAIR}
    assert PAIR not in {(each.torch, each.mindspore) for each in errata(registry, left, ROOT)}


def test_stale_evidence_contradicts_nothing(registry: Registry, claims: Claims) -> None:
    mapping = registry.by_name[PAIR[0]]
    (counterpart,) = mapping.counterparts
    stale = replace(counterpart, evidence=replace(counterpart.evidence, entry_state="stale"))
    changed = registry.with_mappings([replace(mapping, counterparts=(stale,))])
    assert errata(registry.with_mappings([mapping]), claims, ROOT) and not errata(changed, claims, ROOT)


def test_an_erratum_without_a_program_is_not_told(registry: Registry, claims: Claims, tmp_path: Path) -> None:
    assert errata(registry, claims, tmp_path) == []


def test_both_languages_tell_what_differs(registry: Registry, claims: Claims) -> None:
    for each in errata_view(errata(registry, claims, ROOT)):
        assert each.shown and each.platform == "CPU" and each.versions["mindspore"]
        for text in each.shown:
            assert text.en != text.zh and all("{" not in text.of(language)[:20] for language in LANGUAGES)


def test_the_command_prints_them(mapspore: Run) -> None:
    code, out, errors = mapspore("errata", "--filter", "nn.softmax mint", "--root", ROOT, "--lang", "en")
    assert (code, errors) == (0, "")
    first, *shown, last = out.splitlines()
    assert first == "torch.nn.Softmax → mindspore.mint.nn.Softmax: consistent, says the table of 2.6"
    assert shown and last.startswith("1 claim contradicted by a run.")
    assert mapspore("errata", "--filter", "no such name", "--root", ROOT, "--lang", "en").out.startswith("0 claims")


def test_the_command_writes_json_and_markdown(mapspore: Run, tmp_path: Path) -> None:
    every = json.loads(mapspore("errata", "--format", "json", "--root", ROOT).out)
    assert every["format"] == 1
    one = next(each for each in every["errata"] if each["torch"] == PAIR[0])
    assert one["mindspore"] == PAIR[1] and one["claims"][0]["table"] == "2.6" and "sys.exit" in one["program"]
    for language, words in (("en", "calls them consistent"), ("zh", "标为一致")):
        target = tmp_path / f"{language}.md"
        wanted = ("errata", "--filter", "nn.softmax", "--format", "markdown", "--output", target, "--root", ROOT)
        assert mapspore(*wanted, "--lang", language).code == 0
        text = target.read_text("utf-8")
        assert words in text and one["program"].strip() in text and "## `torch.nn.Softmax`" in text
