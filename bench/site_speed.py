"""The site's section: a build of 1,500 entries in both languages against mkdocs with the same pages as plain files, the
weight of a page, and in Chromium how fast the index filters and how soon the preview shows what was saved.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from typing import Any

from mapspore.pages.site.files import WRITTEN, navigation, site_files
from mapspore.pages.site.frame import extra
from mapspore.pipeline import load_registry
from mapspore.text.phrases import LANGUAGES, Language
from mapspore.view.prepare import registry_view
from measure import Command, ratio, take_turns
from tables import Row, Section, Times

HOME = Path(__file__).resolve().parents[1]
ENTRIES = 1_500
CONFIGURATIONS: dict[Language, str] = {"en": "mkdocs.yml", "zh": "mkdocs.zh.yml"}
WEIGHT = 40 * 1024
LATENCY = 50
SEEN = 1.5
SAVED = 7
TYPED = ("all_gather", "norm", "comm_func", "mint.set1", "归约", "soft 12", "广播")
SHOWN = "torch.distributed.all_gather"
"""The entry that the hand-written guides lead to; a synthetic registry has none of that name."""

# From a key to the picture: the filter runs, the page is laid out, and the next frame is drawn.
_FILTER = """async (texts) => {
  const input = document.querySelector(".filter input"), took = [];
  for (const text of texts) for (let end = 1; end <= text.length; end++) {
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    const started = performance.now();
    input.value = text.slice(0, end);
    input.dispatchEvent(new Event("input", { bubbles: true }));
    document.body.getBoundingClientRect();
    await new Promise((done) => requestAnimationFrame(() => { const c = new MessageChannel();
      c.port1.onmessage = done; c.port2.postMessage(0); }));
    took.push(performance.now() - started);
  }
  return took;
}"""

_SUMMARY = "wanted => document.querySelector('article .summary')?.textContent === wanted"


def measure(folder: Path, rounds: int) -> Section:
    """All rows; one round, whatever was asked for: it takes minutes."""
    ours, plain = folder / "ours", folder / "plain"
    environment = {**os.environ, "PYTHONPATH": str(HOME / "generator"), "NO_MKDOCS_2_WARNING": "1"}
    making = [sys.executable, str(Path(__file__).with_name("synthetic.py")), str(ours), str(ENTRIES)]
    subprocess.run(making, env=environment, check=True)
    _site(ours)
    _plain(ours, plain)
    runs = take_turns({"plain": Command(_build(plain)), "ours": Command(_build(ours))}, environment, 1)
    built = ours / "build" / "site"
    pages = [path.stat().st_size for path in built.glob("*/api/*/index.html")]
    latency, seen = median(_latencies(built)), median(_previews(ours, environment))
    rows = [
        Row("build : mkdocs, same pages as plain files", ratio(runs["ours"], runs["plain"]), 1.25),
        Row("bytes of HTML of the heaviest API page", max(pages), WEIGHT),
        Row("milliseconds from a key to the filtered index", round(latency), LATENCY),
        Row("milliseconds from saving an entry to seeing it in the preview", round(1000 * seen), round(1000 * SEEN)),
    ]
    times = Times(("entries", "plain", "ours"), [(ENTRIES, runs["plain"].seconds, runs["ours"].seconds)])
    peaks = {name: f"{run.peak / 2**20:.0f} MB" for name, run in runs.items()}
    notes = [
        f"{len(pages)} API pages, one run, both languages side by side; median weight {median(pages):.0f} bytes",
        f"peak memory of one language's build: ours {peaks['ours']}, plain {peaks['plain']}",
        f"index filter: median {latency:.1f} ms over {sum(map(len, TYPED))} keys, {ENTRIES} rows",
    ]
    return Section("site", rows, times, notes)


def _site(root: Path) -> None:
    """What a build needs beside the registry. The guides link an entry that is only in the real one."""
    for name in (*CONFIGURATIONS.values(), "site"):
        source = HOME / name
        shutil.copytree(source, root / name) if source.is_dir() else shutil.copy(source, root / name)
    name = next(iter(sorted((root / "mappings").rglob("*.yaml")))).relative_to(root / "mappings")
    known = ".".join(name.with_suffix("").parts)
    for guide in (root / "site").glob("*/guides/*.md"):
        guide.write_text(guide.read_text("utf-8").replace(f"api/{SHOWN}.md", f"api/{known}.md"), "utf-8")


def _plain(ours: Path, plain: Path) -> None:
    """The same pages, written down, and configurations that find them there; no hook."""
    registry = registry_view(load_registry(ours).registry)
    shutil.copytree(ours / "site" / "theme", plain / "site" / "theme")
    for language, name in CONFIGURATIONS.items():
        docs = plain / "docs" / language
        made = site_files(registry, ours, language)
        for artifact in made:
            file = docs / artifact.path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(artifact.text, "utf-8")
        shutil.copytree(ours / "site" / language, docs, dirs_exist_ok=True)
        shutil.copytree(ours / "site" / "assets", docs / "assets", dirs_exist_ok=True)
        shutil.copy(ours / "mkdocs.yml", plain / "base.yml")
        paths = [*(artifact.path for artifact in made), *WRITTEN]
        config: dict[str, Any] = {
            "INHERIT": "base.yml", "hooks": [], "watch": [], "docs_dir": str(docs),
            "not_in_nav": "/api/*\n/mindspore/*",
            "site_dir": str(plain / "build" / "site" / language),
            "extra": extra(registry.torch, registry.mindspore, language),
            "nav": navigation(registry, language, paths), "theme": {"language": language},
        }  # fmt: skip
        (plain / name).write_text(json.dumps(config, ensure_ascii=False), "utf-8")


def _build(root: Path) -> list[str]:
    """Both languages side by side, as `make` builds them."""
    one, other = (f"{sys.executable} -m mkdocs build -q -f {root / name}" for name in CONFIGURATIONS.values())
    return ["sh", "-c", f"{one} & first=$!; {other} && wait $first"]


@contextmanager
def _page(address: str) -> Iterator[Any]:
    """A page in Chromium without a window."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        program = shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(address)
        yield page
        browser.close()


def _previews(root: Path, environment: dict[str, str]) -> list[float]:
    """Seconds from saving an entry to seeing it in `mapspore preview`."""
    entry = sorted((root / "mappings").rglob("*.yaml"))[ENTRIES // 2]
    name = ".".join(entry.relative_to(root / "mappings").with_suffix("").parts)
    command = [sys.executable, "-m", "mapspore", "preview", name, "--port", "0", "--lang", "en", "--root", str(root)]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, encoding="utf-8") as process:
        assert process.stdout is not None
        address = re.search(r"http://127\.0\.0\.1:\d+/", process.stdout.readline())
        assert address is not None
        took = []
        with _page(f"{address[0]}en/api/{name}/") as page:
            page.wait_for_selector("article .summary")
            for number in range(SAVED):
                wanted = f"Seen in round {number}."
                saved = re.sub(r"(?m)^(  en: ).*$", rf"\g<1>{wanted}", entry.read_text("utf-8"), count=1)
                started = time.perf_counter()
                entry.write_text(saved, "utf-8")
                page.wait_for_function(_SUMMARY, arg=wanted)
                took.append(time.perf_counter() - started)
        process.terminate()
    return took


def _latencies(site: Path) -> list[float]:
    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with _page(f"http://127.0.0.1:{server.server_port}/{LANGUAGES[0]}/api/") as page:
            took: list[float] = page.evaluate(_FILTER, list(TYPED))
        server.shutdown()
    return took
