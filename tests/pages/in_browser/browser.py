"""What the tests in a browser share: the built site behind a server, and Debian's Chromium without a window.

A page that logs an error, or asks for anything that is not on the site, fails its test.
"""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--no-first-run",
]  # fmt: skip
HANGS = 120_000  # milliseconds after which a page will not do any more what it is waited for
WIDE, NARROW = {"width": 1280, "height": 800}, {"width": 390, "height": 844}


# Lets a test wait for the theme's search, which works in the background: what it was asked, and how many answers it
# gave. Its messages have numbers: 2 is a question, 3 an answer.
SEARCHING = """
window.searching = { asked: [], answers: 0 };
window.Worker = class extends Worker {
  constructor(...given) {
    super(...given);
    this.addEventListener("message", ({ data }) => { searching.answers += data.type === 3; });
  }
  postMessage(message, ...rest) {
    if (message.type === 2) searching.asked.push(message.data);
    super.postMessage(message, ...rest);
  }
};
"""


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture(scope="session")
def address(site: Path) -> Iterator[str]:
    """Where the built site is served."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    program = shutil.which("chromium")
    assert program, "Chromium is missing; run `make browser`."
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield browser
        browser.close()


Open = Callable[..., Page]


@pytest.fixture
def opened(chromium: Browser, address: str) -> Iterator[Open]:
    """Opens a page of the site; afterwards nothing may have gone wrong on any."""
    faults: list[str] = []
    contexts = []

    def open_page(path: str, size: dict[str, int] = WIDE, scheme: str = "light", **options: Any) -> Page:
        context = chromium.new_context(viewport=size, color_scheme=scheme, **options)  # type: ignore[arg-type]
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(HANGS)
        page.add_init_script(SEARCHING)
        page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("request", lambda request: None if _ours(request.url, address) else faults.append(request.url))
        page.goto(address + path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert faults == []


def _ours(url: str, address: str) -> bool:
    return url.startswith((address, "data:", "blob:"))
