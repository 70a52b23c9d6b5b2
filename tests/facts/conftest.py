"""The committed snapshots, loaded once."""

from __future__ import annotations

from pathlib import Path

import pytest

from mapspore.facts import snapshot
from mapspore.facts.snapshot import Facts

FOLDER = Path(__file__).resolve().parents[2] / "facts"
TORCH = FOLDER / "torch-2.13.0.json"
MINDSPORE = FOLDER / "mindspore-2.10.0.json"


@pytest.fixture(scope="session")
def torch_facts() -> Facts:
    return snapshot.load(TORCH)


@pytest.fixture(scope="session")
def mindspore_facts() -> Facts:
    return snapshot.load(MINDSPORE)
