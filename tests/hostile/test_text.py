"""Text from outside in every report: H7, H8, and a property over all texts and names that can come from outside."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from outside_text import HARMLESS, NASTY, Command, Page, run_command, unseen
from programs import GOOD, HOME

pytestmark = pytest.mark.processes

Run = Callable[..., Any]
FORMATS = ("text", "json", "sarif", "md", "html")
SITES = [
    "javascript:alert(document.domain)//", "JAVASCRIPT:x", "data:text/html,x", "file:///etc/passwd", "//example.org",
    "https://", "https://x y", "https://x)[a](javascript:y", "https://x\x1b[31m", 'https://x"onclick=y', "https://x\n",
    "https://x|y", "https://x<b>", "http:/x", "ftp://x", "https://x`y`", "vbscript:x",
]  # fmt: skip


@pytest.mark.parametrize("site", SITES)
def test_h7_only_addresses_of_the_web(
    site: str, here: Path, mapspore: Run, monkeypatch: pytest.MonkeyPatch, record_property: Callable[..., None]
) -> None:
    (here / "a.py").write_text(GOOD + "dist.monitored_barrier()\n", "utf-8")
    settings_file = here / "pyproject.toml"
    for form in FORMATS:
        done = mapspore("scan", "a.py", "--format", form, f"--site={site}", "--root", HOME)
        assert (done.code, done.out) == (2, "") and "is no address of a site." in done.err
        settings_file.write_text(f"[tool.mapspore.scan]\nsite = {json.dumps(site)}\n", "utf-8")
        done = mapspore("scan", "a.py", "--format", form, "--root", HOME)
        assert (done.code, done.out) == (2, "") and "is no address of a site." in done.err
        settings_file.unlink()
    monkeypatch.setenv("MAPSPORE_SITE", site)
    assert mapspore("scan", "a.py", "--root", HOME).code == 2
    record_property("inputs", 2 * len(FORMATS) + 1)


@pytest.mark.parametrize(
    "site", ["https://example.org", "http://localhost:8000/x/", "https://文档.example/a-b_c~d?e=f&g"]
)
def test_h7_addresses_of_the_web_are_taken(site: str, here: Path, mapspore: Run) -> None:
    (here / "a.py").write_text(GOOD + "dist.monitored_barrier()\n", "utf-8")
    for form in FORMATS:
        done = mapspore("scan", "a.py", "--format", form, "--site", site, "--root", HOME)
        assert done.code == 1 and (form == "json" or site.partition("&")[0].rstrip("/") in done.out)


texts = st.lists(st.sampled_from(NASTY + HARMLESS), min_size=1, max_size=4).map("".join)

PLAIN_TAGS: list[set[str]] = []


def file_name(text: str) -> bytes:
    raw = text.encode("utf-8", "surrogatepass" if "\ud800" in text else "surrogateescape").replace(b"/", b"_")
    return raw.replace(b"\0", b"_")[:200] + b".py"


PROGRAMS: dict[str, Callable[[str], str]] = {
    "by text": lambda text: f"import torch\ngetattr(torch, {text!r})(1)\n",
    "imported by text": lambda text: f"import importlib\nimportlib.import_module({'torch.' + text!r})\n",
    "patched": lambda text: f"import torch\nsetattr(torch, {text!r}, 1)\ntorch.abs(x)\n",
    "quoted": lambda text: f"import torch\ndef f(x: {'torch.' + text!r}): torch.abs(x, **{{{text!r}: 1}})\n",
    "comment": lambda text: f"import torch\ntorch.abs(x)  # mapspore: ignore[{text.replace(chr(10), '')}]\n",
    "broken": lambda text: f"import torch\n{text} = torch.abs(x)\n",
    "a string": lambda text: f"import torch\ntorch.full({text!r}, {text!r})\n",
}
"""Where a text can stand in a scanned file."""


@pytest.fixture(scope="module")
def command() -> Iterator[Command]:
    with TemporaryDirectory() as cache:
        yield run_command(cache)


def check_outputs(command: Command, *paths: str) -> int:
    """Runs everything that reports on the paths; returns how many outputs there were."""
    tried = 0
    for language in ("en", "zh"):
        for form in FORMATS:
            code, out, err = command("scan", *paths, "--format", form, "--all", "--no-cache", "--lang", language,
                                     "--root", HOME)  # fmt: skip
            assert code in (0, 1), err
            assert not unseen(out) and not unseen(err)
            if form in ("json", "sarif"):
                json.loads(out)
            if form == "html":
                page = Page()
                page.feed(out)
                assert page.tags.keys() <= PLAIN_TAGS[0]
                assert not page.addresses
            if form == "md":
                assert not re.search(r"(?<!`)\]\(", re.sub(r"`[^`\n]*`", "", out))
            tried += 1
        for mode in ("adapter", "direct"):
            code, out, err = command("migrate", *paths, "--mode", mode, "--verbose", "--no-cache", "--lang", language,
                                     "--root", HOME)  # fmt: skip
            assert code in (0, 1), err
            assert not unseen(err)
            heads = [line for line in out.split("\n") if line.startswith(("--- ", "+++ "))]
            assert not unseen("".join(heads).replace("\t", ""))
            tried += 1
    return tried


@pytest.fixture(scope="module", autouse=True)
def _plain_tags(command: Command) -> None:
    """The elements of a page without anything hostile, with all that a page can have."""
    with TemporaryDirectory() as folder, chdir(folder):
        Path("a.py").write_text(GOOD + "import torch\ndist.monitored_barrier()\ntorch.hypot(a, b)\ntorch.abs(x)\n")
        _, out, _ = command("scan", "a.py", "--format", "html", "--all", "--root", HOME)
    page = Page()
    page.feed(out)
    PLAIN_TAGS[:] = [set(page.tags)]


TRIES = 8
KEYS = ["site", "baseline", "exclude", "select", "ignore", "overlay", "format", "another"]


@pytest.mark.parametrize("where", [*PROGRAMS, "file name", "folder name"])
def test_h8_no_text_from_outside_reaches_an_output_raw(
    where: str, command: Command, record_property: Callable[..., None]
) -> None:
    tried = 0

    @settings(max_examples=TRIES, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(text=texts)
    def each(text: str) -> None:
        nonlocal tried
        with TemporaryDirectory() as folder, chdir(folder):
            name, program = b"a.py", GOOD + "import torch\ndist.monitored_barrier()\ntorch.abs(x)\ntorch.hypot(a, b)\n"
            if where == "file name":
                name = file_name(text)
            elif where == "folder name":
                os.mkdir(file_name(text))
                name = file_name(text) + b"/a.py"
            else:
                program = PROGRAMS[where](text)
            with open(name, "wb") as stream:
                stream.write(program.encode("utf-8", "backslashreplace"))
            tried += check_outputs(command, ".")

    each()
    record_property("inputs", tried)


@settings(max_examples=TRIES, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(text=texts, key=st.sampled_from(KEYS))
def test_h8_no_setting_reaches_an_output_raw(text: str, key: str, command: Command) -> None:
    with TemporaryDirectory() as folder, chdir(folder):
        Path("a.py").write_text(GOOD, "utf-8")
        value = json.dumps([text] if key in ("exclude", "select", "ignore", "overlay") else text)
        name = key if key != "another" else json.dumps(text)
        Path("pyproject.toml").write_text(
            f"[tool.mapspore.scan]\n{name} = {value}\n".replace("\x7f", "\\u007f"), "utf-8"
        )
        for arguments in (("scan", "a.py"), ("migrate", "a.py", "--check")):
            code, out, err = command(*arguments, "--root", HOME)
            assert code in (0, 1, 2), err
            assert not unseen(out) and not unseen(err)


@pytest.mark.parametrize("form", ["text", "json", "github", "sarif"])
@pytest.mark.parametrize("nasty", [text for text in NASTY if text != "\ud800"])
def test_h8_names_in_the_reports_of_check(
    form: str, nasty: str, registry: Callable[..., Path], command: Command
) -> None:
    root = registry({})
    (root / "mappings" / "torch").mkdir()
    with open(os.path.join(os.fsencode(root), b"mappings/torch/" + os.fsencode(nasty) + b".yaml"), "w") as stream:
        stream.write("torch: torch.abs\n")
    for language in ("en", "zh"):
        code, out, err = command("check", "--format", form, "--lang", language, "--root", root)
        assert code == 1 and not unseen(out) and not unseen(err)


def test_h8_on_a_terminal_a_diff_shows_signs_instead_of_controls(
    here: Path, mapspore: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "a.py").write_text(GOOD.replace("\n\n", "\n# \x1b[31mred\x07\n"), "utf-8")
    piped = mapspore("migrate", "a.py", "--root", HOME)
    assert "# \x1b[31mred" in piped.out  # as it stands in the file, so that the diff applies
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    seen = mapspore("migrate", "a.py", "--root", HOME)
    assert "# ␛[31mred␇" in seen.out and not unseen(seen.out)
