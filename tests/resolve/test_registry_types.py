"""What `resolve` decides about an entry, and that its view says the same and is its own data."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from mapspore.entry.model import Platform
from mapspore.pipeline import load_registry
from mapspore.resolve import resolve as resolving
from mapspore.resolve.registry import Port, Registry
from mapspore.resolve.resolve import resolve_entry
from mapspore.view.entry_view import EntryView, as_data, from_data
from mapspore.view.prepare import entry_view, further_names
from mapspore.view.sentences import sentence
from mapspore.words.kinds import Kind

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def real() -> Registry:
    return load_registry(ROOT).registry


@pytest.mark.parametrize(
    ("name", "port", "ranks"),
    [
        ("torch.abs", "calls", False),
        ("torch.distributed.is_available", "calls", False),
        ("torch.distributed.gather", "calls", True),
        ("torch.distributed.new_group", "runtime", True),
        ("torch.nn.parallel.DistributedDataParallel", "rewrite", False),
        ("torch.distributed.Store", "none", False),
    ],
)
def test_the_port_of_an_entry_follows_from_its_fields(real: Registry, name: str, port: Port, ranks: bool) -> None:
    mapping = real.by_name[name]
    assert (mapping.port, mapping.needs_ranks) == (port, ranks)
    assert mapping.only_raises == (port in ("rewrite", "none"))


@pytest.mark.parametrize(
    ("platform", "preferred"),
    [(None, "mindspore.mint.std"), ("Ascend", "mindspore.mint.std"), ("CPU", "mindspore.ops.std")],
)
def test_the_preferred_target_is_the_first_that_a_platform_has(
    real: Registry, platform: Platform | None, preferred: str
) -> None:
    found = real.by_name["torch.std"].preferred(platform)
    assert found is not None and found.target.mindspore == preferred


def test_a_view_and_its_data_say_the_same(real: Registry) -> None:
    others = further_names(real)
    for mapping in real.mappings:
        view = entry_view(mapping, real, others)
        data = as_data(view)
        again = from_data(EntryView, json.loads(json.dumps(data)))
        assert as_data(again) == data
        assert view.only_raises == again.only_raises == mapping.only_raises


@pytest.mark.processes
def test_a_view_needs_neither_pydantic_nor_yaml() -> None:
    code = "import mapspore.answer.text, sys; print(*sorted({'pydantic', 'yaml'} & set(sys.modules)))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == ""


def test_an_entry_without_an_adapter_says_nothing_of_one(real: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resolving, "obstacle_of", lambda mapping: "overloads")
    told = 0
    for mapping in real.mappings:
        plain = resolve_entry(mapping.source, mapping.entry, real.torch, real.mindspore)
        assert not plain.has_adapter
        for adapted, bare in zip(mapping.counterparts, plain.counterparts, strict=True):
            without = bare.with_evidence(adapted.evidence)  # what was measured differs with an adapter and without
            assert [d.kind for d in adapted.differences] == [d.kind for d in without.differences]
            own = (Kind.BEHAVIOUR, Kind.MIGRATE, Kind.UNMAPPED)  # what the entry itself says
            texts = [sentence(d) for d in without.differences if d.kind not in own]
            assert not any("adapter" in text.en or "适配器" in text.zh for text in texts), mapping.name
            told += sum("adapter" in sentence(d).en for d in adapted.differences)
    assert told > 50
