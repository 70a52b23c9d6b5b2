"""The JSON Schema for editors agrees with the model: it takes every entry and refuses what `check` refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from mapspore.author.schema import SCHEMA_PATH, schema_text
from mapspore.cli.main import main
from mapspore.entry.model import Entry
from mapspore.entry.outline import meaning, outline
from mapspore.pages.site.fields_page import fields_page
from mapspore.text.phrases import LANGUAGES, Language

ROOT = Path(__file__).parents[2]
ENTRIES = sorted((ROOT / "mappings").rglob("*.yaml"))


@pytest.fixture(scope="module")
def schema() -> Any:
    loaded = json.loads((ROOT / SCHEMA_PATH).read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(loaded)
    return loaded


def test_the_command_prints_what_is_committed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema"]) == 0
    assert capsys.readouterr().out == schema_text() == (ROOT / SCHEMA_PATH).read_text("utf-8")


@pytest.mark.parametrize("path", ENTRIES, ids=lambda path: path.stem)
def test_every_entry_fits_and_names_the_schema(path: Path, schema: Any) -> None:
    text = path.read_text("utf-8")
    jsonschema.validate(yaml.safe_load(text), schema)
    first = text.split("\n", 1)[0]
    pointed = first.removeprefix("# yaml-language-server: $schema=")
    assert pointed != first
    assert (path.parent / pointed).resolve() == (ROOT / SCHEMA_PATH).resolve()


@pytest.mark.parametrize(
    "change",
    [
        {"torhc": "torch.abs"},
        {"summary": {"en": "only one language"}},
        {"targets": [{"mindspore": 3}]},
        {"contract": {"collective": {"non_member": "explodes"}}},
        {"targets": [{"mindspore": "mindspore.mint.abs", "absent": {"out": "dropped"}}]},
        {"targets": [{"mindspore": "mindspore.mint.abs", "arguments": {"x": {"from": "y", "by": "no_such_word"}}}]},
        {"targets": [{"mindspore": "mindspore.mint.abs", "arguments": {"x": {"from": "y", "by": ["join", "into"]}}}]},
        {"targets": [{"mindspore": "mindspore.mint.abs", "arguments": {"x": {"from": "y", "by": {"item": {}}}}}]},
        {"targets": [{"mindspore": "mindspore.mint.abs", "arguments": {"x": {"from": "y", "by": {"join": {"a": 1}}}}}]},
        {"targets": [{"mindspore": "mindspore.mint.abs", "convert_returns": {"x": "join"}}]},
        {"targets": [{"mindspore": "mindspore.mint.abs", "requires": {"x": "small"}}]},
        {"targets": [{"mindspore": "mindspore.mint.abs", "call": {"absent": {"out": "dropped"}}}]},
    ],
)
def test_an_editor_sees_what_check_would_refuse(change: dict[str, Any], schema: Any) -> None:
    entry = {
        "torch": "torch.abs",
        "summary": {"en": "x", "zh": "绝对值"},
        "targets": [{"mindspore": "mindspore.mint.abs"}],
    }
    jsonschema.validate(entry, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**entry, **change}, schema)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_row_of_the_guide_is_one_line(language: Language) -> None:
    """A line break in a cell would end the table there."""
    lines = fields_page(language).text.splitlines()
    heads = [at for at, line in enumerate(lines) if line.startswith("| --- |")]
    assert len(heads) > 15
    for at in heads:
        cells, row = lines[at].count("|"), at + 1
        while lines[row : row + 1] and lines[row]:
            assert lines[row].count("|") == cells and lines[row].startswith("| ") and lines[row].endswith(" |")
            row += 1
        assert row > at + 1


def test_every_field_has_its_sentence_in_the_guide_and_the_schema(schema: Any) -> None:
    guides = {language: fields_page(language).text for language in LANGUAGES}
    for field in outline():
        of_model = schema["properties"] if field.model is Entry else schema["$defs"][field.model.__name__]["properties"]
        assert " ".join(of_model[field.key]["description"].split()) == meaning(field, "en")
        for language, guide in guides.items():
            assert f"| `{field.key}` |" in guide and meaning(field, language)[:20].strip("`") in guide
