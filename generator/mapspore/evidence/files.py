"""The files under `evidence/`. In: a registry and its root. Out: the registry with what `verify` found of each entry:
verified, stale (something that was run has changed since) or none. Needs no framework; only `verify` writes them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from mapspore.base.artifact import Artifact
from mapspore.base.paths import evidence_folder
from mapspore.base.read_file import Unreadable, read_file
from mapspore.cases.single.drawn import identity
from mapspore.evidence.fingerprint import Fingerprint, Fingerprints
from mapspore.resolve.registry import Mapping, Registry

FORMAT = 2
LARGEST = 64 * 1024 * 1024
SUFFIX = ".json"

PLATFORM = "CPU"
PLATFORM_OF_RANKS = "CPU, MindSpore runtime; not HCCL"
PLATFORMS = (PLATFORM, PLATFORM_OF_RANKS)
_VERSION = re.compile(r"[0-9][0-9A-Za-z.+-]{0,40}\Z")


def is_version(value: object) -> bool:
    """Whether a value can be a version of a framework."""
    return isinstance(value, str) and _VERSION.match(value) is not None


def place(name: str) -> str:
    """Where an entry's evidence lies below `evidence/`: as the entry does below `mappings/`."""
    return name.replace(".", "/") + SUFFIX


def with_evidence(root: Path, registry: Registry, made: Iterable[Artifact] = ()) -> Registry:
    """The registry with the evidence of every entry, judged by the adapter on disk, or by the one that will be there
    once the artifacts `made` are written."""
    folder = evidence_folder(root)
    if not folder.is_dir():
        return registry
    there = {file.relative_to(folder).as_posix() for file in folder.rglob(f"*{SUFFIX}")}
    fingerprints = Fingerprints(root, registry.mappings, made)
    mappings = [
        _attached(folder, mapping, fingerprints) if place(mapping.name) in there else mapping
        for mapping in registry.mappings
    ]
    fingerprints.save()
    return registry.with_mappings(mappings)


def entry_with_evidence(root: Path, mapping: Mapping, mappings: Iterable[Mapping]) -> Mapping:
    """One mapping with its evidence; `mappings` are those of the whole registry."""
    folder = evidence_folder(root)
    there = (folder / place(mapping.name)).is_file()
    return _attached(folder, mapping, Fingerprints(root, mappings)) if there else mapping


def _attached(folder: Path, mapping: Mapping, fingerprints: Fingerprints) -> Mapping:
    """A mapping with what its file says; one that cannot be understood is as good as none."""
    try:
        data = json.loads(read_file(folder / place(mapping.name), LARGEST))
        runs = {str(name): dict(ran) for name, ran in data["targets"].items()}
        fits = data["format"] == FORMAT and data["fingerprint"] == asdict(fingerprints.of(mapping, sizes_of(runs)))
        if "drawn" in data:  # the digest of the samples needs torch; which ones they are does not
            wanted = identity(data["drawn"]["torch"])
            fits = fits and {key: data["drawn"][key] for key in wanted} == wanted
    except (Unreadable, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return mapping.with_evidence({}, fits=False)
    return mapping.with_evidence(runs, fits)


def sizes_of(targets: dict[str, dict[str, Any]]) -> list[int]:
    """The numbers of ranks that targets were run at."""
    return sorted({int(size) for ran in targets.values() for size in ran.get("ranks", ())})


def write(
    root: Path,
    mapping: Mapping,
    fingerprints: Fingerprints,
    targets: dict[str, dict[str, Any]],
    drawn: dict[str, Any] | None = None,
) -> None:
    """Keep what was run of an entry; `drawn` tells which cases of PyTorch's own tests are among it."""
    file = evidence_folder(root) / place(mapping.name)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text(fingerprints.of(mapping, sizes_of(targets)), mapping.name, targets, drawn), "utf-8")


def text(
    fingerprint: Fingerprint, name: str, targets: dict[str, dict[str, Any]], drawn: dict[str, Any] | None = None
) -> str:
    """The file of an entry: the same run gives the same bytes."""
    data: dict[str, Any] = {"format": FORMAT, "entry": name, "fingerprint": asdict(fingerprint), "targets": targets}
    data |= {"drawn": drawn} if drawn else {}
    return json.dumps(data, ensure_ascii=False, indent=2, sort_keys=True) + "\n"
