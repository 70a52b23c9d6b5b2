"""What `resolve` decides about an entry, and that its view says the same and is its own data."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from mapspore.entry.model import Platform
from mapspore.pipeline import load_registry
from mapspore.resolve.registry import Port, Registry
from mapspore.view.entry_view import EntryView, as_data, from_data
from mapspore.view.prepare import entry_view, further_names

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
