"""The home page: a registry and its folder in, Markdown out."""

from __future__ import annotations

import json
from pathlib import Path

from mapspore.base.artifact import Artifact
from mapspore.pages.site.api import example
from mapspore.pages.site.changes import latest
from mapspore.pages.site.chips import tone
from mapspore.pages.site.listing import lead
from mapspore.pages.site.names import Names, terms
from mapspore.pages.site.pictures import coverage, evidence
from mapspore.pages.site.texts import render
from mapspore.resolve.registry import Registry
from mapspore.text.phrases import Language, verdict_name

HOME = "index.md"
NAMES = "assets/names.json"
PORTED = "torch.distributed.all_gather"
"""The entry whose two programs the home page shows."""
CHANGES = 5


def home_page(registry: Registry, root: Path, language: Language) -> Artifact:
    mapping = registry.claims.get(PORTED)
    shown = example(mapping, "", "", root, language) if mapping and mapping.source.examples else None
    return Artifact(HOME, render(
        "home", language, lead=lead(registry, language), coverage=coverage(registry, language),
        evidence=evidence(registry, language), changes=latest(root, language, CHANGES),
        port=shown,
    ))  # fmt: skip


def names_file(registry: Registry, names: Names, language: Language) -> Artifact:
    """What the look-up field of the home page knows: per entry its name, what it becomes, the verdict and its colour,
    and everything that people may type for it."""
    data = [
        [
            mapping.name,
            preferred.target.mindspore if (preferred := mapping.preferred()) else "",
            verdict_name(mapping.verdict, language),
            tone(mapping.verdict),
            " ".join((
                *names.short(mapping), *terms(f"api/{mapping.name}"),
                *(each.target.mindspore for each in mapping.counterparts),
                mapping.entry.summary.en, mapping.entry.summary.zh,
            )),
        ]
        for mapping in registry.mappings
    ]  # fmt: skip
    return Artifact(NAMES, json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n")
