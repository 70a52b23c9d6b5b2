"""Stage 6, render: comparison pages as Markdown. In: views. Out: artifacts: a path and its text, all in memory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from mapspore.base.artifact import Artifact
from mapspore.base.language import Language
from mapspore.entry.canonical import without_modeline
from mapspore.pages.page import Printer, page
from mapspore.text.markup import MARKDOWN
from mapspore.text.phrases import label
from mapspore.text.templates import environment, labels
from mapspore.view.entry_view import EntryView, RegistryView


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


def render_page(entry: EntryView, language: Language, layout: Layout = SITE) -> str:
    """The comparison page of one entry in one language, as Markdown."""
    view = page(entry, Printer(language, MARKDOWN), layout.page_of)
    heading = label(layout.title, language, name=entry.torch)
    template = environment().get_template("pages/page.md.j2")
    return template.render(page=view, label=labels(language), heading=heading, entry_url=layout.entry_of(entry.torch))


def official_pages(registry: RegistryView) -> list[Artifact]:
    """Every page in the layout of the MindSpore documentation, with the entry's YAML beside it."""
    folders: dict[Language, str] = {"zh": "source_zh_cn", "en": "source_en"}
    made: list[Artifact] = []
    for entry in registry.entries:
        for language, folder in folders.items():
            base = f"docs/mindspore/{folder}/note/api_mapping/pytorch_diff/"
            made.append(Artifact(base + OFFICIAL.page_of(entry.torch), render_page(entry, language, OFFICIAL)))
            made.append(Artifact(base + OFFICIAL.entry_of(entry.torch), without_modeline(entry.yaml)))
    return made
