"""API pages in a real browser: the first screen, the language switch, copying, dark mode, narrow screens."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from browser import NARROW, WIDE, Open

pytestmark = pytest.mark.processes

HOME = Path(__file__).resolve().parents[3]
LANGUAGES = ("en", "zh")
API = "api/torch.distributed.all_gather/"
ENTRIES = sorted(
    ".".join(path.relative_to(HOME / "mappings").with_suffix("").parts) for path in (HOME / "mappings").rglob("*.yaml")
)
FIRST_SCREEN = ("h1", ".becomes", ".answer .chips", ".adapter pre", ".differs li")
PAGES = ("", "api/", "uses/", "modules/torch.distributed/", "mindspore/", "verdict/", "glossary/", "guides/reading/",
         "guides/contributing/", "guides/data-parallel/", "guides/fields/", "guides/json-format/",
         "guides/design/", API, "api/torch.distributed.Store/")  # fmt: skip


# Puts the article of each page into the open one, and tells the parts that end below the screen or are not there.
MEASURE = """async ([names, parts]) => {
  const below = [];
  for (const name of names) {
    const answer = await fetch(`../${name}/`);
    const there = new DOMParser().parseFromString(await answer.text(), "text/html");
    document.querySelector("article").replaceChildren(...there.querySelector("article").childNodes);
    for (const part of parts) {
      const found = [...document.querySelectorAll(`article ${part}`)];
      const late = found.filter((each) => !(each.getBoundingClientRect().bottom <= innerHeight));
      const always = ["h1", ".becomes", ".answer .chips"].includes(part);
      if (late.length || (always && !found.length)) below.push([name, part]);
    }
  }
  return below;
}"""


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_answer_is_on_the_first_screen(language: str, size: dict[str, int], opened: Open) -> None:
    """Of every entry: names, verdict, evidence, what differs, and the line to copy."""
    page = opened(f"{language}/{API}", size)
    assert page.evaluate(MEASURE, [ENTRIES, FIRST_SCREEN]) == []


@pytest.mark.parametrize("name", ["torch.distributed.all_gather", "torch.nn.BatchNorm2d", "torch.optim.Adam"])
def test_signatures_stand_side_by_side_and_one_after_the_other(name: str, opened: Open) -> None:
    """Those of every counterpart, with torch's on the left, or above on a narrow screen."""
    sides = """() => [...document.querySelectorAll(".counterpart > .sides")].map((each) => {
      const [one, other] = [...each.children].map((side) => side.getBoundingClientRect());
      return [each.children.length, one.right <= other.left && one.top === other.top, one.bottom <= other.top];
    })"""
    wide, narrow = (opened(f"zh/api/{name}/", size).evaluate(sides) for size in (WIDE, NARROW))
    assert len(wide) == len(narrow) > 1
    assert all(each == [2, True, False] for each in wide) and all(each == [2, False, True] for each in narrow)


def test_rows_of_a_class_are_told_apart(opened: Open) -> None:
    page = opened("en/api/torch.nn.BatchNorm2d/#nn-bias-2")
    titles = page.locator("table.rows").first.locator("th[colspan]").all_inner_texts()
    assert titles == ["Call", "State", "Returns and behaviour"]
    assert page.eval_on_selector("#nn-bias-2", "row => row.matches(':target')")


def test_the_language_switch_keeps_page_and_anchor(opened: Open) -> None:
    page = opened(f"en/{API}#mint-group")
    page.click("button[aria-label='Select language']")
    page.click("a.md-select__link[hreflang='zh']")
    page.wait_for_url(f"**/zh/{API}#mint-group")
    assert page.evaluate("document.documentElement.lang") == "zh"
    page.click("button[aria-label='选择当前语言']")
    page.click("a.md-select__link[hreflang='en']")
    page.wait_for_url(f"**/en/{API}#mint-group")
    assert page.eval_on_selector("#mint-group", "row => row.matches(':target')")


def test_the_adapter_line_is_copied(opened: Open) -> None:
    page = opened(f"en/{API}", permissions=["clipboard-read", "clipboard-write"])
    page.hover(".adapter pre")
    page.click(".adapter .md-clipboard, .adapter [data-clipboard-target], .adapter button")
    page.wait_for_function("navigator.clipboard.readText().then(text => text.length > 0)")
    assert page.evaluate("navigator.clipboard.readText()").strip() == "import torchspore.distributed as dist"


def test_dark_mode_by_choice_and_by_preference(opened: Open) -> None:
    page = opened("en/")
    colour = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(colour)
    page.click("label[for='__palette_1']")
    assert page.evaluate("document.body.dataset.mdColorScheme") == "slate"
    dark = page.evaluate(colour)
    assert dark != light
    page.reload()
    assert page.evaluate(colour) == dark
    assert opened("zh/", scheme="dark").evaluate(colour) == dark


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_scrolls_sideways_on_a_phone(language: str, opened: Open, address: str) -> None:
    page = opened(f"{language}/", NARROW)
    wide = {}
    for path in PAGES:
        page.goto(f"{address}{language}/{path}")
        wide[path] = page.evaluate("document.documentElement.scrollWidth")
    assert {path: width for path, width in wide.items() if width > NARROW["width"]} == {}


def test_a_row_has_an_address(opened: Open) -> None:
    page = opened(f"zh/{API}")
    page.click(".sides pre a >> text=group")
    page.wait_for_url("**#mint-group")
    assert page.eval_on_selector("#mint-group", "row => row.getBoundingClientRect().top >= 0")


def test_the_root_sends_people_to_their_language(opened: Open) -> None:
    for locale, language in (("zh-CN", "zh"), ("en-GB", "en"), ("fr-FR", "en")):
        page = opened("", locale=locale)
        page.wait_for_url(f"**/{language}/")


def test_a_missing_page_speaks_both_languages(opened: Open) -> None:
    page = opened("404.html")
    assert page.locator("section[lang='en'] h1").is_visible() and page.locator("section[lang='zh'] h1").is_visible()
    for language, title in (("en", "There is no such page"), ("zh", "没有这个页面")):
        assert opened(f"{language}/404.html").locator("h1").inner_text() == title


def test_an_alias_leads_to_its_entry(opened: Open) -> None:
    page = opened("zh/api/torch.utils.data.DistributedSampler/")
    page.wait_for_url("**/zh/api/torch.utils.data.distributed.DistributedSampler/")


def test_every_page_has_its_json_twin(opened: Open, address: str, site: Path) -> None:
    page = opened(f"en/{API}")
    link = page.get_attribute("link[type='application/json']", "href")
    assert link is not None
    twin = json.loads(page.request.get(address + "en/api/torch.distributed.all_gather.json").text())
    shown = subprocess.run(
        [sys.executable, "-m", "mapspore", "show", "torch.distributed.all_gather", "--format", "json", "--root", HOME],
        capture_output=True, encoding="utf-8", check=True,
    )  # fmt: skip
    assert twin == json.loads(shown.stdout)
    registry = json.loads((site / "registry.json").read_text("utf-8"))
    assert [entry["torch"] for entry in registry["entries"]] == ENTRIES
    listed = (site / "llms.txt").read_text("utf-8")
    mapped = (site / "sitemap.xml").read_text("utf-8")
    for name in ENTRIES:
        assert f"/en/api/{name}/)" in listed
        assert all(f"/{language}/api/{name}/</loc>" in mapped for language in LANGUAGES)


def test_the_footer_tells_the_versions(opened: Open) -> None:
    said = opened("en/").locator(".md-copyright").inner_text()
    assert re.search(r"Registry \d[\w.]* · PyTorch 2\.\d+\.\d+ · MindSpore 2\.\d+\.\d+", said)
