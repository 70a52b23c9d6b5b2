"""Whatever a contributor writes into a text is shown as text: on the page, and in the HTML that is built of it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from html_tree import Tree, read_html

from mapspore.pages.official import render_page
from mapspore.pages.site.api import api_page
from mapspore.pipeline import load_registry
from mapspore.text.phrases import LANGUAGES, Language
from mapspore.view.prepare import entry_view

HOME = Path(__file__).resolve().parent.parent.parent
HOSTILE = [
    "{{ 7 * 7 }} {% raw %} {# x #}",
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "</td></tr></table><script>",
    "<!-- hidden -->",
    "&lt;b&gt; &amp; &#60;i&#62; &copy;",
    "a | b || c",
    "| a | b |",
    "[link](javascript:alert(1)) ![image](x.png)",
    "[reference][1] [^1] [TOC]",
    "[1]: https://example.org",
    "*[HTML]: abbreviation",
    "[^1]: footnote",
    "<https://example.org> https://example.org",
    "# heading",
    "## heading {#id .class onclick=alert(1)}",
    "text {: onclick=alert(1) }",
    "- item",
    "+ item",
    "* item",
    "1. item",
    "2) item",
    "> quote",
    ": definition",
    "--- text",
    "***",
    "===",
    '=== "tab"',
    "!!! note",
    "??? note",
    '--8<-- "pyproject.toml"',
    "``` python",
    "~~~",
    "    indented",
    "***bold*** __strong__ _em_ ~~gone~~ ^up^ ==mark==",
    "$x^2$ \\(x\\) \\alpha \\` \\|",
    ":smile: (c)",
    "`unclosed",
    "`a | b` and `</code><script>` and `{{ x }}` and `\\`",
    "`` ` ``",
    "first line\n\n# second line\n\n- third",
    "first line\n    ```\n    code",
    "line end  \nnext\\\nlast",
]


def shown(text: str) -> str:
    """What a reader must see: the text itself, with code marked by pairs of backticks."""
    return re.sub(r"`([^`]*)`", r"\1", re.sub(r"\s+", " ", text))


def entry(text: str, marked: bool = True) -> dict[str, object]:
    """An entry with the text in every place where a contributor may write prose."""
    english, chinese = {"en": f"Then {text}"}, {"zh": f"之后 {text}"}
    bare = {"en": text, "zh": f"{text} 中文"} if marked else {**english, **chinese}
    return {
        "torch": "torch.distributed.all_reduce",
        "summary": bare,
        "contract": {"writes": {"tensor": {}}, "collective": {"non_member": "returns_none"}},
        "targets": [
            {
                "mindspore": "mindspore.mint.distributed.all_reduce",
                "returns": ["handle"],
                "differs": [{"about": "empty_input", **bare}],
                "note": bare,
            }
        ],
        "note": bare,
        "source": "https://example.org/source.md",
        "corrects": [{"about": "something", **bare}],
    }


def render(root: Path, content: dict[str, object], language: Language, on_site: bool = False) -> str:
    file = root / "mappings/torch/distributed/all_reduce.yaml"
    file.parent.mkdir(parents=True, exist_ok=True)
    content = json.loads(json.dumps(content))  # no object twice, or YAML would write an alias
    file.write_text(yaml.safe_dump(content, allow_unicode=True, sort_keys=False), "utf-8")
    registry = load_registry(root).registry
    assert len(registry.mappings) == 1
    if on_site:
        return api_page(entry_view(registry.mappings[0], registry), language).split("\n---\n", 1)[1]
    return render_page(entry_view(registry.mappings[0], registry), language)


def harmless(tree: Tree) -> bool:
    allowed = {
        "a",
        "b",
        "br",
        "button",
        "code",
        "div",
        "em",
        "h1",
        "h2",
        "h3",
        "hr",
        "i",
        "li",
        "p",
        "pre",
        "span",
        "strong",
    }
    allowed |= {"dd", "dl", "dt", "table", "tbody", "td", "th", "thead", "tr", "ul", "wbr"}
    return all(
        tag in allowed and not any(name.startswith("on") for name in attributes) for tag, attributes in tree.tags
    ) and not any(address.lower().startswith("javascript:") for _, address in tree.links)


@pytest.mark.parametrize("on_site", [False, True], ids=["official", "site"])
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("text", HOSTILE)
def test_text_is_shown_as_text(
    text: str, language: Language, on_site: bool, tmp_path: Path, to_html: Callable[[str], str]
) -> None:
    tree = read_html(to_html(render(tmp_path, entry(text), language, on_site)))
    benign = read_html(to_html(render(tmp_path, entry("word"), language, on_site)))
    assert tree.blocks == benign.blocks
    assert harmless(tree)
    expected = shown(text if language == "en" else f"{text} 中文").strip()
    assert sum(expected in found for found in tree.texts) >= 5  # summary, note, target's note, row, correction


@pytest.mark.parametrize("on_site", [False, True], ids=["official", "site"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_code_blocks_and_links_stay_what_they_are(
    language: Language, on_site: bool, tmp_path: Path, to_html: Callable[[str], str]
) -> None:
    everything = " ".join(re.sub(r"\s+", " ", text) for text in HOSTILE if text.count("`") % 2 == 0)
    tree = read_html(to_html(render(tmp_path, entry(everything), language, on_site)))
    benign = read_html(to_html(render(tmp_path, entry("word"), language, on_site)))
    assert tree.code == benign.code
    assert tree.links == benign.links


@pytest.mark.processes
def test_hostile_text_in_the_built_site(tmp_path: Path) -> None:
    """The whole way through mkdocs: the page, and the index that its search reads."""
    text = "<script>alert(1)</script> {{ 7 * 7 }} | [x](javascript:alert(1)) `</code><script>`"
    render(tmp_path, entry(text, marked=False), "en")
    for name in ("mkdocs.yml", "site"):
        source, copy = HOME / name, tmp_path / name
        shutil.copytree(source, copy) if source.is_dir() else shutil.copy(source, copy)
    modeline = "# yaml-language-server: $schema=../../entry.schema.json\n"
    file = tmp_path / "mappings/torch/distributed/all_reduce.yaml"
    file.write_text(modeline + file.read_text("utf-8"), "utf-8")
    shutil.copy(HOME / "mappings/torch/distributed/all_gather.yaml", file.parent)  # the guides show it
    subprocess.run([sys.executable, "-m", "mapspore", "fix", "--root", tmp_path], check=True, capture_output=True)
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "-f", tmp_path / "mkdocs.yml"],
        capture_output=True,
        encoding="utf-8",
    )
    assert built.returncode == 0, built.stderr
    folder = tmp_path / "build/site/en"
    page = (folder / "api/torch.distributed.all_reduce/index.html").read_text("utf-8")
    article = re.search(r"<article.*</article>", page, re.DOTALL)
    assert article is not None
    tree = read_html(article[0])
    assert not any(tag == "script" for tag, _ in tree.tags)
    assert any(shown(text) in found for found in tree.texts)
    assert "<script" not in (folder / "search/search_index.json").read_text("utf-8")
    assert "<script>alert(1)" not in page  # the description in the head has it too, as text
