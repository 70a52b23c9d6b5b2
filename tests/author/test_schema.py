"""The JSON Schema for editors agrees with the model: it takes every entry and refuses what `check` refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from mapspore.author.field_guide import SCHEMA_PATH, field_guide, models, one_line, schema_text
from mapspore.cli.main import main
from mapspore.entry.model import Entry

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


def test_every_row_of_the_guide_is_one_line() -> None:
    """A line break in a cell would end the table there."""
    lines = field_guide().splitlines()
    heads = [at for at, line in enumerate(lines) if line.startswith("| --- |")]
    assert len(heads) > 15
    for at in heads:
        cells, row = lines[at].count("|"), at + 1
        while lines[row : row + 1] and lines[row]:
            assert lines[row].count("|") == cells and lines[row].startswith("| ") and lines[row].endswith(" |")
            row += 1
        assert row > at + 1


def test_every_field_has_its_sentence_in_the_guide_and_the_schema(schema: Any) -> None:
    guide = field_guide()
    for model in models(Entry):
        properties = schema["properties"] if model is Entry else schema["$defs"][model.__name__]["properties"]
        for name, field in model.model_fields.items():
            assert field.description, f"{model.__name__}.{name}"
            assert f"| `{field.alias or name}` |" in guide
            assert f"| {one_line(field.description)} |" in guide
            assert properties[field.alias or name].get("description") == field.description
