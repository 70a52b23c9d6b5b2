"""The home page: a registry and its folder in, Markdown out."""

from __future__ import annotations

import json
from pathlib import Path

from mapspore.base.artifact import Artifact
from mapspore.facts.uses import load_uses
from mapspore.pages.site.api import example
from mapspore.pages.site.changes import latest
from mapspore.pages.site.chips import tone
from mapspore.pages.site.listing import lead
from mapspore.pages.site.names import short_names, terms
from mapspore.pages.site.pictures import by_uses, coverage, evidence
from mapspore.pages.site.texts import render
from mapspore.text.phrases import Language
from mapspore.view.entry_view import RegistryView

HOME = "index.md"
NAMES = "assets/names.json"
PORTED = "torch.distributed.all_gather"
"""The entry whose two programs the home page shows."""
CHANGES = 5


def home_page(registry: RegistryView, root: Path, language: Language) -> Artifact:
    ported = next((entry for entry in registry.entries if entry.torch == PORTED), None)
    written = ported and ported.programs and not ported.programs.made
    shown = example(ported, root, language) if ported and written else None
    return Artifact(HOME, render(
        "home", language, lead=lead(registry, language), coverage=coverage(registry, language),
        evidence=evidence(registry, language), changes=latest(root, language, CHANGES),
        port=shown, used=by_uses(registry, load_uses(root), language),
    ))  # fmt: skip


def names_file(registry: RegistryView, language: Language) -> Artifact:
    """What the look-up field of the home page knows: per entry its name, what it becomes, the verdict and its colour,
    the names that people may type for it, and the sentences that tell what it does."""
    data = [
        [
            entry.torch,
            entry.preferred.mindspore if entry.preferred else "",
            entry.verdict_name.of(language),
            tone(entry.verdict),
            " ".join((
                *short_names(entry), *terms(f"api/{entry.torch}"), *(target.mindspore for target in entry.targets),
            )),
            f"{entry.summary.en} {entry.summary.zh}",
        ]
        for entry in registry.entries
    ]  # fmt: skip
    return Artifact(NAMES, json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n")
