"""The site builds strictly in both languages, and no link in the built tree leads nowhere or outside unasked."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from html_tree import Tree, read_html

HOME = Path(__file__).resolve().parent.parent.parent
CONFIGURATIONS = {"en": "mkdocs.yml", "zh": "mkdocs.zh.yml"}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Both languages, built as `make` does."""
    folder = tmp_path_factory.mktemp("built") / "site"
    builds = {
        language: subprocess.Popen(
            [sys.executable, "-m", "mkdocs", "build", "--strict", "-f", HOME / name, "-d", folder / language],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        )
        for language, name in CONFIGURATIONS.items()
    }
    for language, build in builds.items():
        output, _ = build.communicate(timeout=120)
        assert build.returncode == 0, f"{language}:\n{output}"
    shutil.copy(HOME / "site/root/index.html", folder)
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Tree]:
    # 404.html is served for any address, so its links cannot be relative to a place.
    files = [path for path in sorted(site.rglob("*.html")) if path.name != "404.html"]
    return {path: read_html(path.read_text("utf-8")) for path in files}


def broken_links(pages: dict[Path, Tree], site: Path) -> list[str]:
    faults = []
    for page, tree in pages.items():
        for tag, address in tree.links:
            parts = urlsplit(address)
            where = f"{page.relative_to(site)}: <{tag}> {address}"
            if parts.scheme or parts.netloc:
                if tag != "a":
                    faults.append(f"{where} is loaded from outside")
                continue
            if parts.path.startswith("/"):
                faults.append(f"{where} does not work below a folder")
                continue
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            target = target / "index.html" if target.is_dir() else target
            if not target.is_relative_to(site) or not target.is_file():
                faults.append(f"{where} leads nowhere")
            elif parts.fragment and target.suffix == ".html" and unquote(parts.fragment) not in pages[target].anchors:
                faults.append(f"{where} has no such anchor")
    return faults


def test_no_link_is_broken(pages: dict[Path, Tree], site: Path) -> None:
    assert broken_links(pages, site) == []


def test_the_checker_finds_faults(tmp_path: Path) -> None:
    page = tmp_path / "index.html"
    page.write_text("")
    links = ("gone/", "#gone", "/rooted", "../outside.txt")
    html = "".join(f'<a href="{link}"></a>' for link in links) + '<img src="https://example.org/x.png"><p id="here">'
    faults = broken_links({page: read_html(html + '<a href="#here"></a>')}, tmp_path)
    assert len(faults) == len(links) + 1


def test_both_languages_have_the_same_pages(site: Path) -> None:
    english, chinese = (
        {path.relative_to(site / language) for path in (site / language).rglob("*.html")} for language in ("en", "zh")
    )
    assert english == chinese


def test_the_language_switch_stays_on_the_page(pages: dict[Path, Tree], site: Path) -> None:
    for page, tree in pages.items():
        if page == site / "index.html":
            continue
        language, *rest = page.relative_to(site).parts
        others = {
            (page.parent / attributes["href"]).resolve() / "index.html"
            for tag, attributes in tree.tags
            if tag == "a" and attributes.get("hreflang")
        }
        assert others == {site.joinpath(one, *rest) for one in CONFIGURATIONS}, page
        html = next(attributes for tag, attributes in tree.tags if tag == "html")
        assert html["lang"] == language


def test_the_root_page_offers_both_languages(pages: dict[Path, Tree], site: Path) -> None:
    links = {address for tag, address in pages[site / "index.html"].links if tag == "a"}
    assert links == {"zh/", "en/"}


def test_nothing_is_loaded_by_a_style_sheet_from_outside(site: Path) -> None:
    for sheet in site.rglob("*.css"):
        assert "url(http" not in sheet.read_text("utf-8").replace('"', ""), sheet


def test_the_entry_lies_beside_its_page(site: Path) -> None:
    for entry in sorted((HOME / "mappings").rglob("*.yaml")):
        name = ".".join(entry.relative_to(HOME / "mappings").with_suffix("").parts)
        for language in CONFIGURATIONS:
            copy = site / language / "api" / f"{name}.yaml"
            modeline, _, rest = entry.read_text("utf-8").partition("\n")  # names a schema that is not there
            assert modeline.startswith("# yaml-language-server:") and copy.read_text("utf-8") == rest
            assert (site / language / "api" / name / "index.html").is_file()
