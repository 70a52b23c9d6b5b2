"""Every entry has one page per language, and both languages have the same skeleton."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from html_tree import read_html

from mapspore.pages.official import official_pages, render_page
from mapspore.pages.site.api import api_page
from mapspore.pages.site.files import site_files
from mapspore.pages.site.listing import by_module
from mapspore.pipeline import load_registry
from mapspore.resolve.registry import Registry
from mapspore.text.phrases import LANGUAGES, Language
from mapspore.view.prepare import entry_view, registry_view

HOME = Path(__file__).resolve().parent.parent.parent
Render = Callable[[str], str]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_entry_has_one_page_and_its_source_beside_it(real: Registry, language: Language) -> None:
    paths = Counter(artifact.path for artifact in site_files(registry_view(real), HOME, language))
    assert set(paths.values()) == {1}
    names = [mapping.name for mapping in real.mappings]
    pages = {path for path in paths if path.startswith("api/") and not path.endswith(("/index.md", "/index.html"))}
    assert pages == {f"api/{name}{suffix}" for name in names for suffix in (".md", ".yaml", ".json")}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_entry_is_listed_once_in_its_module(real: Registry, language: Language) -> None:
    view = registry_view(real)
    texts = {artifact.path: artifact.text for artifact in site_files(view, HOME, language)}
    for module, entries in by_module(view).items():
        listed = re.findall(r'<a href="../../api/([^/]+)/">', texts[f"modules/{module}.md"])
        assert listed == [entry.torch for entry in entries]
    everything = re.findall(r'<td><a href="([^/]+)/">', texts["api/index.md"])
    assert everything == [mapping.name for mapping in real.mappings]


def test_official_layout_has_one_page_per_entry_and_language(real: Registry) -> None:
    paths = [artifact.path for artifact in official_pages(registry_view(real)) if artifact.path.endswith(".md")]
    assert len(paths) == len(set(paths)) == len(LANGUAGES) * len(real.mappings)


def test_both_languages_have_the_same_skeleton(real: Registry, to_html: Render) -> None:
    compare_skeletons(real, to_html, HOME)


@pytest.mark.processes
def test_entries_of_every_shape_have_the_same_skeleton(tmp_path: Path, to_html: Render) -> None:
    """Overloads, deprecations, APIs without a counterpart and the like, out of the registry that is measured."""
    make = [sys.executable, str(HOME / "bench/synthetic.py"), str(tmp_path), "120"]
    subprocess.run(make, check=True, env={**os.environ, "PYTHONPATH": str(HOME / "generator")})
    registry = load_registry(tmp_path).registry
    assert len(registry.mappings) == 120
    assert any(mapping.entry.unmapped for mapping in registry.mappings)
    compare_skeletons(registry, to_html, tmp_path)


def compare_skeletons(registry: Registry, to_html: Render, root: Path) -> None:
    """The page in the official layout, and the site's; there, anchors are the same as well."""
    for mapping in registry.mappings:
        for page in (
            lambda language, mapping=mapping: render_page(entry_view(mapping, registry), language),
            lambda language, mapping=mapping: body(api_page(entry_view(mapping, registry), language, root=root)),
        ):
            english, chinese = (read_html(to_html(page(language))) for language in ("en", "zh"))
            assert english.blocks == chinese.blocks, mapping.name
            assert english.code == chinese.code, mapping.name
            assert [_without_language(link) for link in english.links] == [
                _without_language(link) for link in chinese.links
            ], mapping.name
        assert english.anchors == chinese.anchors, mapping.name


def body(page: str) -> str:
    """A page without its front matter, which mkdocs takes away."""
    return page.split("\n---\n", 1)[1]


def test_other_generated_pages_have_the_same_skeleton(real: Registry, to_html: Render) -> None:
    view = registry_view(real)
    english, chinese = (
        {artifact.path: artifact.text for artifact in site_files(view, HOME, language)} for language in LANGUAGES
    )
    assert english.keys() == chinese.keys()
    for path in english:
        if path.endswith(".md"):
            if path.removesuffix(".md").removeprefix("api/") in real.by_name:
                continue  # the test above has compared it
            first, second = read_html(to_html(english[path])), read_html(to_html(chinese[path]))
            assert first.blocks == second.blocks, path
        elif path.startswith("api/") and not path.endswith(".html"):
            assert english[path] == chinese[path], path


def test_a_page_shows_what_its_entry_and_the_facts_hold(real: Registry, to_html: Render) -> None:
    """Names, each signature, links to both documentations, a table per target with all rows, the entry's path."""
    for mapping in real.mappings:
        tree = read_html(to_html(render_page(entry_view(mapping, real), "en")))
        links = {address for _, address in tree.links}
        assert tree.texts[0] == mapping.name
        assert any(f"/{real.torch.version.rsplit('.', 1)[0]}/" in link and mapping.name in link for link in links)
        assert mapping.source.path in " ".join(tree.texts)
        for counterpart in mapping.counterparts:
            assert counterpart.id in tree.anchors
            assert any(
                f"/r{real.mindspore.version}/" in link and counterpart.target.mindspore in link for link in links
            )
            called = f"{counterpart.target.mindspore}("  # what is only read stands by its name alone
            assert any(block.startswith(called) or f"{block.strip()}(" == called for block in tree.code)
        shown = sum(len(c.rows) + len(c.behaviours) + (c.returns is not None) for c in mapping.counterparts)
        assert len([text for text in tree.texts if text in ("Parameters", "Returns", "Behaviour")]) == shown


def _without_language(link: tuple[str, str]) -> tuple[str, str]:
    """The same target in either language: documentation folders and the slugs of headings apart."""
    tag, address = link
    if address.startswith("#"):
        return tag, "#"
    return tag, address.replace("/docs/zh-CN/", "/docs/en/")


DEPRECATED = """# yaml-language-server: $schema=../entry.schema.json
torch: torch.ger
summary:
  en: The outer product of two vectors.
  zh: 两个向量的外积。
targets:
  - mindspore: mindspore.ops.ger
    arguments: {vec1: {from: input}}
"""


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "`torch.ger` is deprecated. Its successor is `torch.outer`."),
        ("zh", "`torch.ger` 已弃用。替代 API 为 `torch.outer`。"),
    ],
)
def test_the_page_says_that_torch_gives_an_api_up(language: Language, said: str, tmp_path: Path) -> None:
    (tmp_path / "mappings" / "torch").mkdir(parents=True)
    (tmp_path / "mappings" / "torch" / "ger.yaml").write_text(DEPRECATED, "utf-8")
    registry = load_registry(tmp_path).registry
    assert said in render_page(entry_view(registry.by_name["torch.ger"], registry), language)


@pytest.mark.parametrize(
    ("language", "said"), [("en", "`dst` or `group_dst` names"), ("zh", "`dst` 或 `group_dst` 指定")]
)
def test_one_of_several_parameters(real: Registry, language: Language, said: str) -> None:
    assert said in render_page(entry_view(real.by_name["torch.distributed.gather"], real), language)
