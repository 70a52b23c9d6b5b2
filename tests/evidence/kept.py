"""A registry of one real entry with evidence as if it had been run, and what that evidence is then worth."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from mapspore.evidence.files import write
from mapspore.evidence.fingerprint import Fingerprints
from mapspore.pipeline import load_registry

ROOT = Path(__file__).resolve().parents[2]
Registry = Callable[[Mapping[str, str | bytes]], Path]
Targets = dict[str, dict[str, Any]]


def made(registry: Registry, name: str, targets: Targets) -> Path:
    entry = f"mappings/{name.replace('.', '/')}.yaml"
    root = registry({entry: (ROOT / entry).read_text("utf-8")})
    shutil.copytree(ROOT / "adapter", root / "adapter", ignore=shutil.ignore_patterns("__pycache__"))
    keep(root, targets)
    return root


def keep(root: Path, targets: Targets, drawn: dict[str, Any] | None = None) -> None:
    (mapping,) = load_registry(root).registry.mappings
    write(root, mapping, Fingerprints(root, [mapping]), targets, drawn)


def state(root: Path) -> str:
    (mapping,) = load_registry(root).registry.mappings
    return mapping.evidence.entry_state
