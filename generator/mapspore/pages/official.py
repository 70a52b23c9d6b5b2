"""Stage 6, render: views in, artifacts out: a path and its text, all in memory.

The Jinja environment is strict: an undefined name is an error, nothing is escaped here (views are escaped
already), and registry text is only ever a value, never a template.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from mapspore.base.artifact import Artifact
from mapspore.entry.canonical import without_modeline
from mapspore.resolve.registry import Mapping, Registry
from mapspore.text.markup import MARKDOWN
from mapspore.text.phrases import Language, label
from mapspore.text.templates import environment, labels
from mapspore.view.prepare import page


@dataclass(frozen=True, slots=True)
class Layout:
    """Where pages stand towards each other: in the official docs, or on our site."""

    title: str
    """The label that makes the heading."""
    page_of: Callable[[str], str]
    entry_of: Callable[[str], str]


def _stem(torch: str) -> str:
    return torch.removeprefix("torch.")


OFFICIAL = Layout("difference_title", lambda name: f"{_stem(name)}.md", lambda name: f"{_stem(name)}.yaml")
SITE = Layout("page_title", lambda name: f"{name}.md", lambda name: f"{name}.yaml")


def render_page(mapping: Mapping, registry: Registry, language: Language, layout: Layout = SITE) -> str:
    """The comparison page of one entry in one language, as Markdown."""
    view = page(mapping, registry, language, MARKDOWN, layout.page_of)
    heading = label(layout.title, language, name=mapping.name)
    template = environment().get_template("pages/page.md.j2")
    entry_url = layout.entry_of(mapping.name)
    return template.render(page=view, label=labels(language), heading=heading, entry_url=entry_url)


def official_pages(registry: Registry) -> list[Artifact]:
    """Every page in the layout of the MindSpore documentation, with the entry's YAML beside it."""
    folders: dict[Language, str] = {"zh": "source_zh_cn", "en": "source_en"}
    made: list[Artifact] = []
    for mapping in registry.mappings:
        for language, folder in folders.items():
            base = f"docs/mindspore/{folder}/note/api_mapping/pytorch_diff/"
            text = render_page(mapping, registry, language, OFFICIAL)
            made.append(Artifact(base + OFFICIAL.page_of(mapping.name), text))
            made.append(Artifact(base + OFFICIAL.entry_of(mapping.name), without_modeline(mapping.source.text)))
    return made
