"""The site builds strictly in both languages, and no link in the built tree leads nowhere or outside unasked."""

from __future__ import annotations

from pathlib import Path

import pytest
from html_tree import Tree, read_html

from mapspore.pages.site.link_check import broken_links

pytestmark = pytest.mark.processes

HOME = Path(__file__).resolve().parent.parent.parent
LANGUAGES = ("en", "zh")


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Tree]:
    # 404.html is served for any address, so its links cannot be relative to a place.
    files = [path for path in sorted(site.rglob("*.html")) if path.name != "404.html"]
    return {path: read_html(path.read_text("utf-8")) for path in files}


def is_redirect(tree: Tree) -> bool:
    return any(attributes.get("http-equiv") == "refresh" for _, attributes in tree.tags)


def test_no_link_is_broken(site: Path) -> None:
    assert broken_links(site) == []


def test_the_checker_finds_faults(tmp_path: Path) -> None:
    links = ("gone/", "#gone", "/rooted", "../outside.txt", "other/#gone")
    html = "".join(f'<a href="{link}"></a>' for link in links) + '<img src="https://example.org/x.png"><p id="here">'
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "index.html").write_text('<p id="there">')
    (tmp_path / "index.html").write_text(html + '<a href="#here"></a><a href="other/#there"></a>')
    assert len(broken_links(tmp_path)) == len(links) + 1


def test_both_languages_have_the_same_pages(site: Path) -> None:
    english, chinese = (
        {path.relative_to(site / language) for path in (site / language).rglob("*.html")} for language in ("en", "zh")
    )
    assert english == chinese


def test_the_language_switch_stays_on_the_page(pages: dict[Path, Tree], site: Path) -> None:
    for page, tree in pages.items():
        if page == site / "index.html" or is_redirect(tree):
            continue
        language, *rest = page.relative_to(site).parts
        others = {
            (page.parent / attributes["href"]).resolve() / "index.html"
            for tag, attributes in tree.tags
            if tag == "a" and attributes.get("hreflang")
        }
        assert others == {site.joinpath(one, *rest) for one in LANGUAGES}, page
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
        for language in LANGUAGES:
            copy = site / language / "api" / f"{name}.yaml"
            modeline, _, rest = entry.read_text("utf-8").partition("\n")  # names a schema that is not there
            assert modeline.startswith("# yaml-language-server:") and copy.read_text("utf-8") == rest
            assert (site / language / "api" / name / "index.html").is_file()


def test_an_api_page_is_light(site: Path) -> None:
    heavy = {
        str(page): page.stat().st_size for page in site.glob("*/api/*/index.html") if page.stat().st_size > 40 * 1024
    }
    assert heavy == {}
