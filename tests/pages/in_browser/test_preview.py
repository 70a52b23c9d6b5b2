"""The live preview in a real browser: a saved entry is seen, a mistake is shown in the page. The benchmark of the site
measures how soon.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from browser import HANGS as HANGS_ON_A_PAGE
from playwright.sync_api import Browser, Page

from processes import HANGS

pytestmark = pytest.mark.processes

HOME = Path(__file__).resolve().parents[3]
ENTRIES = 60
ROUNDS = 3
SUMMARY = "wanted => document.querySelector('article .summary')?.textContent === wanted"
FAULT = "document.querySelector('article .faults')?.innerText.includes('error[M102]')"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("registry")
    make = [sys.executable, str(HOME / "bench/synthetic.py"), str(folder), str(ENTRIES)]
    subprocess.run(make, check=True, env={**os.environ, "PYTHONPATH": str(HOME / "generator")})
    return folder


@pytest.fixture(scope="module")
def entry(root: Path) -> Path:
    return sorted(root.rglob("mappings/**/*.yaml"))[ENTRIES // 2]


@pytest.fixture
def opened(chromium: Browser) -> Iterator[Callable[[str], Page]]:
    """Opens pages of the preview, and closes them."""
    with chromium.new_context() as context:
        context.set_default_timeout(HANGS_ON_A_PAGE)

        def open_page(address: str) -> Page:
            page = context.new_page()
            page.goto(address)
            return page

        yield open_page


@pytest.fixture(scope="module")
def preview(root: Path, entry: Path) -> Iterator[str]:
    """The running command's address."""
    name = ".".join(entry.relative_to(root / "mappings").with_suffix("").parts)
    command = [sys.executable, "-m", "mapspore", "preview", name, "--port", "0", "--lang", "en", "--root", str(root)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8")
    assert process.stdout is not None
    said = process.stdout.readline()
    address = re.search(r"http://127\.0\.0\.1:\d+/", said)
    assert address, said
    yield address[0]
    assert process.poll() is None, "the server went down"
    process.terminate()
    process.wait(timeout=HANGS)


def test_a_saved_entry_is_seen_and_a_mistake_is_shown(preview: str, entry: Path, opened: Callable[[str], Page]) -> None:
    name = next(line for line in entry.read_text("utf-8").splitlines() if line.startswith("torch: ")).removeprefix(
        "torch: "
    )
    sound = entry.read_text("utf-8")
    pages = {language: opened(f"{preview}{language}/api/{name}/") for language in ("en", "zh")}
    for page in pages.values():
        page.wait_for_selector("article .summary")
    for number in range(ROUNDS):
        for language, wanted in (("en", f"Seen in round {number}."), ("zh", f"第 {number} 轮可见。")):
            saved = re.sub(rf"(?m)^(  {language}: ).*$", rf"\g<1>{wanted}", entry.read_text("utf-8"), count=1)
            entry.write_text(saved, "utf-8")
            pages[language].wait_for_function(SUMMARY, arg=wanted)

    entry.write_text(sound.replace("\ntargets:", "\ntarget:", 1).replace("\nunmapped:", "\nunmaped:", 1), "utf-8")
    for language, hint in (("en", "hint: "), ("zh", "提示：")):
        pages[language].wait_for_function(FAULT)  # a file may be seen half written, with another fault
        said = pages[language].inner_text("article .faults")
        assert re.search(rf"{entry.name}:\d+:\d+: error\[M102\]", said) and "^^^" in said and hint in said
        assert pages[language].query_selector("article .summary")  # the last sound state stays below

    entry.write_text(sound, "utf-8")
    for page in pages.values():
        page.wait_for_function("!document.querySelector('article .faults')")


def test_both_languages_side_by_side(preview: str, opened: Callable[[str], Page]) -> None:
    page = opened(preview)
    for language in ("en", "zh"):
        frame = page.frame_locator(f"iframe[src^='{language}/']")
        assert frame.locator("html").get_attribute("lang") == language
        frame.locator("h1").first.wait_for()
