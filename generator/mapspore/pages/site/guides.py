"""Guides that follow from something: the verdict rules, the glossary of difference kinds, the program that was ported.

In: the phrase catalogue, the registry and the folder of an example. Out: pages in one language.
"""

from __future__ import annotations

import json
from pathlib import Path

from mapspore.base.artifact import Artifact
from mapspore.pages.site.chips import tone
from mapspore.pages.site.example_page import example
from mapspore.pages.site.names import terms
from mapspore.pages.site.texts import render, text
from mapspore.text.markup import MARKDOWN
from mapspore.text.phrases import Language, catalogue, kind_name, phrase, verdict_name
from mapspore.view.entry_view import RegistryView
from mapspore.words.kinds import CONSISTENT, GENERAL_PARAMETERS, Exemption, Kind
from mapspore.words.vocabulary import POLICIES

VERDICT = "verdict.md"
GLOSSARY = "glossary.md"
EXAMPLE = "guides/data-parallel.md"
EXAMPLE_FOLDER = "examples/data_parallel"
SEEN = 4
"""How many pages a kind of difference names where it can be seen."""


def verdict_page(language: Language) -> Artifact:
    """How the verdict is derived: the kinds in their order, the exceptions, the policies."""
    kinds = [
        {
            "id": kind.value,
            "tone": tone(kind.value),
            "name": kind_name(kind.value, language),
            "verdict": verdict_name(CONSISTENT if kind is Kind.SAME else kind.value, language),
        }
        for kind in Kind
    ]
    policies = [
        {"name": MARKDOWN.code(name), "effect": MARKDOWN.text(policy.phrase("means", language))}
        for name, policy in POLICIES.items()
    ]
    exemptions = [MARKDOWN.text(phrase("exemptions", exemption.value, language)) for exemption in Exemption]
    general = MARKDOWN.text(text("general_lead", language, names=", ".join(sorted(GENERAL_PARAMETERS))))
    made = render("verdict", language, kinds=kinds, exemptions=exemptions, general=general, policies=policies)
    return Artifact(VERDICT, made)


def glossary_page(registry: RegistryView, language: Language) -> Artifact:
    """Every kind of difference: what it means, how many entries have it, and where it can be seen."""
    having: dict[str, list[str]] = {kind.value: [] for kind in Kind}
    for entry in registry.entries:
        kinds = {kind for target in entry.targets for kind in target.kinds or (Kind.SAME.value,)}
        for kind in kinds or {Kind.SAME.value if entry.verdict == CONSISTENT else entry.verdict}:
            having[kind].append(entry.torch)
    view = [
        {
            "id": kind.value,
            "tone": tone(kind.value),
            "name": kind_name(kind.value, language),
            "means": MARKDOWN.text(catalogue("phrases")["glossary"][kind.value]["means"][language]),
            "verdict": verdict_name(CONSISTENT if kind is Kind.SAME else kind.value, language),
            "count": text("kind_count", language, count=str(len(having[kind.value]))),
            "seen": having[kind.value][:SEEN],
        }
        for kind in Kind
    ]
    return Artifact(GLOSSARY, render("glossary", language, kinds=view))


def example_pages(root: Path, language: Language) -> list[Artifact]:
    """The pages that are made from the programs in `examples/`; a registry elsewhere need not have them."""
    folder = root / EXAMPLE_FOLDER
    if not folder.is_dir():
        return []
    view = example(folder, language)
    return [
        Artifact(
            EXAMPLE,
            render(
                "example",
                language,
                example=view,
                tags=json.dumps(list(terms("guides/data-parallel")), ensure_ascii=False),
            ),
        )
    ]
