"""Finding an API in a real browser: the search, the look-up of the home page, the index with its facets."""

from __future__ import annotations

import pytest
from browser import NARROW, Open
from playwright.sync_api import Page

pytestmark = pytest.mark.processes

LANGUAGES = ("en", "zh")
ALL_GATHER = "api/torch.distributed.all_gather/"
SEARCHED = {
    "all_gather": ALL_GATHER,
    "allgather": ALL_GATHER,
    "dist.all_gather": ALL_GATHER,
    "torch.distributed.all_gather": ALL_GATHER,
    "comm_func": "mindspore/mindspore.communication.comm_func/",
    "归约": "api/torch.distributed.reduce/",
    "异步": "api/torch.distributed.Work/",
    "集合通信": "modules/torch.distributed/",
    "leaky_relu": "api/torch.nn.functional.leaky_relu/",
    "标准差": "api/torch.std/",
    "standard deviation": "api/torch.std/",
}
# Words that are no API's name, as people know them in either language.
CONCEPTS = {
    "归约": "torch.distributed.reduce",
    "插值": "torch.nn.functional.interpolate",
    "optimiser": "torch.optim.Adam",
}


# Results follow every key: those of the last one are there when every question has its answer.
SETTLED = "words => searching.asked.at(-1) === words && searching.answers === searching.asked.length"
FIRST = "[...document.querySelectorAll('.md-search-result__link')].find((each) => each.offsetParent)?.href"


def first_result(page: Page, words: str) -> str:
    search(page, words)
    page.wait_for_function(SETTLED, arg=words)
    return str(page.evaluate(FIRST)).partition("?")[0].partition("#")[0]


def search(page: Page, words: str) -> None:
    page.fill(".md-search__input", "")
    page.focus(".md-search__input")
    page.keyboard.type(words)
    page.keyboard.press("End")  # the theme looks when a key comes up


@pytest.mark.parametrize("language", LANGUAGES)
def test_search_gives_the_right_page_first(language: str, opened: Open) -> None:
    page = opened(f"{language}/verdict/")
    search(page, "abs")
    page.locator(".md-search-result__list.exact a").first.wait_for()  # the names are loaded, which exact results need
    found = {words: first_result(page, words) for words in SEARCHED}
    assert {words: link.partition(f"/{language}/")[2] for words, link in found.items()} == SEARCHED


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_home_page_looks_up(language: str, opened: Open) -> None:
    page = opened(f"{language}/")
    assert page.evaluate("document.activeElement.id") == "lookup"
    for words in ("all_gather", "allgather", "dist.all_gather", "AllGather"):
        page.fill("#lookup", words)
        first = page.locator("#lookup-found [role=option]").first
        first.wait_for()
        assert first.locator("b").inner_text() == "torch.distributed.all_gather", words
    for words, name in CONCEPTS.items():
        page.fill("#lookup", words)
        page.wait_for_function("name => document.querySelector('#lookup-found b')?.textContent === name", arg=name)
    page.fill("#lookup", "comm_func gather")
    page.wait_for_function("document.querySelector('#lookup-found b')?.textContent === 'torch.distributed.gather'")
    page.keyboard.press("ArrowDown")
    assert page.get_attribute("#lookup", "aria-activedescendant") == "lookup-1"
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.wait_for_url("**/api/torch.distributed.gather/")


DRAWN = """() => {
  document.querySelector(".index .more").scrollIntoView();
  const rows = [...document.querySelectorAll(".apis tbody tr")].filter((row) => row.offsetParent);
  return rows.length === Math.min(...document.querySelector(".found").textContent.match(/[0-9]+/g).map(Number));
}"""


def shown(page: Page) -> list[str]:
    """The APIs that fit, all of them: rows are drawn by the screenful, as somebody who scrolls would see them."""
    page.wait_for_function(DRAWN)
    return page.eval_on_selector_all(
        ".apis tbody tr", "rows => rows.filter(row => row.offsetParent).map(row => row.querySelector('a').textContent)"
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_index_filters_as_you_type(language: str, opened: Open) -> None:
    page = opened(f"{language}/api/")
    assert page.evaluate("document.activeElement.name") == "find"
    everything = len(shown(page))
    for words in ("all_gather", "allgather", "dist.all_gather", "all gather"):
        page.fill("input[name=find]", words)
        assert shown(page)[0] == "torch.distributed.all_gather", words
    for words, name in CONCEPTS.items():
        page.fill("input[name=find]", words)
        assert shown(page)[0] == name, words
    page.fill("input[name=find]", "comm_func.gather")
    assert "torch.distributed.gather" in shown(page)
    page.fill("input[name=find]", "所有进程的张量")
    assert "torch.distributed.all_gather" in shown(page)
    page.fill("input[name=find]", "no such thing")
    assert shown(page) == [] and page.locator(".nothing").is_visible()
    page.click("form.filter button[type=reset]")
    page.wait_for_function("!document.querySelector('.nothing').offsetParent")
    assert len(shown(page)) == everything


def press_until(page: Page, select: str, value: str) -> None:
    """Chooses by the keyboard. Letters would have to follow each other within a second."""
    for _ in page.query_selector_all(f"{select} option"):
        if page.input_value(select) == value:
            return
        page.keyboard.press("ArrowDown")
    raise AssertionError(f"{select} has no {value}")


def test_facets_and_rows_by_keyboard_and_the_address_keeps_them(opened: Open) -> None:
    page = opened("en/api/")
    everything = shown(page)
    page.keyboard.type("gather")
    for facet in ("module", "verdict", "evidence", "platform"):
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.name") == facet
        if facet == "module":
            press_until(page, "select[name=module]", "torch.distributed")
        elif facet == "evidence":
            page.keyboard.press("ArrowDown")  # the first state that there is
        elif facet == "platform":
            press_until(page, "select[name=platform]", "Ascend")
    state = page.input_value("select[name=evidence]")
    assert state
    page.wait_for_url(f"**/api/?find=gather&module=torch.distributed&evidence={state}&platform=Ascend")
    narrowed = shown(page)
    assert narrowed and len(narrowed) < len(everything)
    assert page.locator(".found").inner_text() == f"{len(narrowed)} of {len(everything)}"
    page.focus("input[name=find]")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.textContent") == narrowed[0]
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.name") == "find"
    again = opened("en/api/?" + page.url.partition("?")[2], NARROW)
    assert shown(again) == narrowed
    again.wait_for_function("searching.answers > 0")  # by now the theme has opened its search, which some addresses do
    assert not again.is_checked("#__search")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/api/{narrowed[0]}/")


def test_every_facet_value_leaves_what_it_says(opened: Open) -> None:
    page = opened("zh/api/")
    for select in page.query_selector_all("form.filter select"):
        for option in select.query_selector_all("option")[1:]:
            select.select_option(value=option.get_attribute("value"))
            assert f"({len(shown(page))})" in option.inner_text()
        select.select_option(value="")
