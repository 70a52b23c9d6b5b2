"""What pages and adapters say follows from fields: free notes can go and nothing of it changes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from mapspore.entry.model import Entry
from mapspore.evidence.files import with_evidence
from mapspore.pipeline import load_registry
from mapspore.resolve.registry import Registry
from mapspore.resolve.resolve import resolve
from mapspore.view.entry_view import as_data
from mapspore.view.prepare import registry_view

ROOT = Path(__file__).parents[2]
FREE = {"note"}


def without_notes(entry: Entry) -> Entry:
    data = json.loads(entry.model_dump_json(by_alias=True, exclude_unset=True))

    def cleared(node: Any) -> Any:
        if isinstance(node, dict):
            return {key: cleared(value) for key, value in node.items() if key not in FREE}
        return [cleared(item) for item in node] if isinstance(node, list) else node

    return Entry.model_validate(_as_written(cleared(data)))


def _as_written(node: Any) -> Any:
    """The dump holds uses of words in their long form; an entry writes them as `word: {options}`."""
    if isinstance(node, dict):
        if set(node) <= {"word", "options"} and "word" in node:
            return {node["word"]: node.get("options", {})}
        return {key: _as_written(value) for key, value in node.items()}
    return [_as_written(item) for item in node] if isinstance(node, list) else node


def stripped(registry: Registry) -> Any:
    def cleared(node: Any) -> Any:
        if isinstance(node, dict):
            return {key: cleared(value) for key, value in node.items() if key not in FREE}
        return [cleared(item) for item in node] if isinstance(node, list) else node

    return cleared(as_data(registry_view(registry)))


def test_without_free_notes_every_row_and_verdict_stays() -> None:
    registry = load_registry(ROOT).registry
    assert any(m.entry.note or any(t.note for t in m.entry.targets) for m in registry.mappings)
    parsed = [(mapping.source, without_notes(mapping.entry)) for mapping in registry.mappings]
    assert not any(entry.note or any(target.note for target in entry.targets) for _, entry in parsed)
    bare = with_evidence(ROOT, resolve(parsed, registry.torch, registry.mindspore))
    assert stripped(bare) == stripped(registry)


def test_the_registry_is_faultless() -> None:
    assert load_registry(ROOT).diagnostics == []


def test_the_five_source_documents_are_corrected() -> None:
    """What design and source documents list as wrong is what the derived rows contradict."""
    data = as_data(registry_view(load_registry(ROOT).registry))
    entries = {entry["torch"].removeprefix("torch.distributed."): entry for entry in data["entries"]}
    for name in ("all_gather", "all_reduce", "gather", "reduce_scatter", "all_to_all"):
        entry = entries[name]
        assert [target["id"] for target in entry["targets"]] == ["mint", "comm_func"]
        for target in entry["targets"]:
            group = next(row for row in target["parameters"] if row["torch"] == "group")
            assert group["kinds"] == ["type"]
        assert entry["corrections"] and all(c["en"] and c["zh"] for c in entry["corrections"])
    tensor = next(row for row in entries["all_reduce"]["targets"][1]["parameters"] if row["torch"] == "tensor")
    assert tensor["mindspore"] == ["tensor"]  # the source document says that MindSpore lacks it
    defaults = "".join(correction["en"] for correction in entries["all_gather"]["corrections"])
    assert "GlobalComm.WORLD_COMM_GROUP" in defaults
