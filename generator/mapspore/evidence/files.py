"""What `verify` found, as the rest of mapspore reads it. In: a registry's root and its mappings. Out: the standing of
each entry: verified, stale (something that was run has changed since) or none. Needs no framework; the files under
`evidence/` are written by `verify` only.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from mapspore.base.paths import evidence_folder
from mapspore.base.read_file import Unreadable, read_file
from mapspore.evidence.fingerprint import Fingerprint, Fingerprints
from mapspore.resolve.evidence_status import ADAPTER, Standing
from mapspore.resolve.resolve import Mapping

FORMAT = 2
LARGEST = 64 * 1024 * 1024
SUFFIX = ".json"

PLATFORM = "CPU"
PLATFORM_OF_RANKS = "CPU, MindSpore runtime; not HCCL"


def place(name: str) -> str:
    """Where an entry's evidence lies below `evidence/`: as the entry does below `mappings/`."""
    return name.replace(".", "/") + SUFFIX


def standings(root: Path, mappings: Sequence[Mapping], only: Mapping | None = None) -> dict[str, Standing]:
    """The standing of every entry that has evidence, or of one of them. A file that cannot be understood is as good as
    none."""
    folder = evidence_folder(root)
    if not folder.is_dir():
        return {}
    there = {file.relative_to(folder).as_posix() for file in folder.rglob(f"*{SUFFIX}")}
    fingerprints, found = Fingerprints(root, mappings), {}
    for mapping in mappings if only is None else [only]:
        if place(mapping.name) in there:
            found[mapping.name] = _standing(folder / place(mapping.name), mapping, fingerprints)
    if only is None:
        fingerprints.save()
    return found


def _standing(file: Path, mapping: Mapping, fingerprints: Fingerprints) -> Standing:
    try:
        data = json.loads(read_file(file, LARGEST))
        targets = {str(name): dict(ran) for name, ran in data["targets"].items()}
        fits = data["format"] == FORMAT and data["fingerprint"] == asdict(fingerprints.of(mapping, sizes_of(targets)))
    except (Unreadable, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return Standing("stale")
    expected = {ADAPTER} if mapping.one_for_all else {c.id for c in mapping.counterparts}
    return Standing("verified" if fits and expected <= set(targets) else "stale", targets)


def sizes_of(targets: dict[str, dict[str, Any]]) -> list[int]:
    """The numbers of ranks that targets were run at."""
    return sorted({int(size) for ran in targets.values() for size in ran.get("ranks", ())})


def write(root: Path, mapping: Mapping, fingerprints: Fingerprints, targets: dict[str, dict[str, Any]]) -> None:
    """Keep what was run of an entry."""
    file = evidence_folder(root) / place(mapping.name)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text(fingerprints.of(mapping, sizes_of(targets)), mapping.name, targets), "utf-8")


def text(fingerprint: Fingerprint, name: str, targets: dict[str, dict[str, Any]]) -> str:
    """The file of an entry: the same run gives the same bytes."""
    data = {"format": FORMAT, "entry": name, "fingerprint": asdict(fingerprint), "targets": targets}
    return json.dumps(data, ensure_ascii=False, indent=2, sort_keys=True) + "\n"
