"""Text from outside on every page and in every answer: H6, and a property over all that an entry, a program beside it,
what the program printed, and a name can hold.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote

import markdown
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mkdocs.config import load_config
from outside_text import HARMLESS, NASTY, Command, Page, run_command, unseen
from programs import GOOD, HOME
from registries import NAME, REFUSED, bilingual, entries, served, write

from mapspore.base.language import LANGUAGES
from mapspore.base.terminal import visible
from mapspore.pages.preview.live import Live
from mapspore.pages.preview.pages import Frames

pytestmark = pytest.mark.processes

MARKUP = [
    "```", "````", "~~~", "</pre>", "</code>", "<script>x</script>", "<img src=x onerror=y>", "<!-- /answer -->", "-->",
    "</script>", "[a](javascript:b)", "{: onclick=x }", "{{ 7*7 }}", "{% x %}", "::error::x", "=HYPERLINK(1)", "$x$",
]  # fmt: skip
PIECES = [*MARKUP, *HARMLESS, *NASTY]
texts = st.one_of(
    st.lists(st.sampled_from([*MARKUP, *HARMLESS]), min_size=1, max_size=5).map(" ".join),  # such as `check` lets pass
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=4).map(" ".join),
)
programs = st.lists(st.sampled_from(PIECES), min_size=1, max_size=6).map("\n".join)


class Site:
    """Markdown and whole pages, as the site makes them."""

    def __init__(self) -> None:
        self._config = load_config(str(HOME / "mkdocs.yml"), hooks=[])

    def html(self, text: str) -> str:
        extensions, settings = self._config["markdown_extensions"], self._config["mdx_configs"]
        return markdown.markdown(text, extensions=extensions, extension_configs=settings)

    def pages(self, root: Path, name: str) -> Iterator[str]:
        frames = Frames(HOME, Live(root))
        yield from (frames.page(name, language, 0) for language in LANGUAGES)


@pytest.fixture(scope="module")
def site() -> Site:
    return Site()


@pytest.fixture(scope="module")
def command() -> Iterator[Command]:
    with TemporaryDirectory() as cache:
        yield run_command(cache)


def outputs(root: Path, command: Command, site: Site) -> Iterator[tuple[str, str]]:
    """Everything that is made of a sound registry, each with its kind."""
    command("fix", "--root", root)
    assert command("check", "--root", root)[0] == 0, command("check", "--root", root)
    code, out, err = command("generate", "--diff", "--root", root)
    assert code == 1, err
    yield "diff", out
    assert command("generate", "--root", root)[0] == 0
    assert command("generate", "--check", "--root", root)[0] == 0
    for name in ("README.md", "README.zh.md"):
        yield "md", (root / name).read_text("utf-8")
    (root / "use.py").write_text(GOOD + "dist.all_reduce(x)\ndist.monitored_barrier()\n", "utf-8")
    for language in LANGUAGES:
        for name in (NAME, REFUSED):
            yield "text", command("show", name, "--lang", language, "--root", root)[1]
        for form in ("text", "json", "sarif", "md", "html"):
            code, out, err = command("scan", root / "use.py", "--format", form, "--all", "--no-cache", "--lang",
                                     language, "--root", root)  # fmt: skip
            assert code in (0, 1), err
            yield form, out
        yield "text", command("list", "--lang", language, "--root", root)[1]
        yield "diff", command("migrate", root / "use.py", "--lang", language, "--root", root)[1]
    yield "json", command("show", NAME, "--format", "json", "--root", root)[1]
    yield "json", command("export", "json", "--root", root)[1]
    yield "csv", command("export", "csv", "--root", root)[1]
    assert command("export", "pages", "--output", root / "pages", "--root", root)[0] == 0
    for page in sorted((root / "pages").rglob("*.md")):
        yield "md", page.read_text("utf-8")
    for name in (NAME, REFUSED):
        for page in site.pages(root, name):
            yield "html", page


def reports(root: Path, command: Command, site: Site, name: str) -> Iterator[tuple[str, str]]:
    """Everything that is said of a registry that is not sound."""
    for language in LANGUAGES:
        for form in ("text", "json", "sarif", "github"):
            code, out, err = command("check", "--format", form, "--lang", language, "--root", root)
            assert code == 1, err
            yield form, out + err
        yield "text", "".join(command("generate", "--lang", language, "--root", root)[1:])
    for page in site.pages(root, name):
        yield "html", page


Shape = Counter[str]


def examine(kind: str, output: str, site: Site, known: Shape) -> None:
    """No character that a terminal would obey, no element that a harmless text would not have made."""
    assert not unseen(output.replace("\t", "")), (kind, unseen(output))
    if kind in ("json", "sarif"):
        json.loads(output)
    if kind in ("html", "md"):
        page = Page()
        page.feed(site.html(output) if kind == "md" else output)
        assert page.tags.keys() <= known.keys(), page.tags.keys() - known.keys()
        assert page.tags["script"] <= known["script"]
        assert not [address for address in page.addresses if re.match(r"\s*(javascript|data|vbscript):", address, re.I)]


@pytest.fixture(scope="module")
def known(command: Command, site: Site) -> Shape:
    """How often each element stands, at most, in what is made of harmless texts."""
    most: Shape = Counter()
    with TemporaryDirectory() as folder:
        root = Path(folder)
        write(root, entries("`word`"), "import torch\n", "import mindspore\n", "1\n2")
        made = list(outputs(root, command, site))
        (root / "mappings/torch/distributed/all_reduce.yaml").write_text("torch: 1\n", "utf-8")
        for kind, output in [*made, *reports(root, command, site, NAME)]:
            if kind in ("html", "md"):
                page = Page()
                page.feed(site.html(output) if kind == "md" else output)
                most |= page.tags
    assert most["script"] and most["pre"]
    return most


TRIES = 6
HYPOTHESIS = settings(max_examples=TRIES, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


@HYPOTHESIS
@given(text=texts)
def test_h6_a_text_of_an_entry_is_text_in_every_output(text: str, command: Command, site: Site, known: Shape) -> None:
    with TemporaryDirectory() as folder:
        root = Path(folder)
        write(root, entries(text))
        command("fix", "--root", root)
        sound = command("check", "--root", root)[0] == 0
        for kind, output in outputs(root, command, site) if sound else reports(root, command, site, NAME):
            examine(kind, output, site, known)


@HYPOTHESIS
@given(text=programs)
def test_h6_a_program_is_one_block_on_every_page(text: str, command: Command, site: Site, known: Shape) -> None:
    shown = [f'"""{part}\n{text}\n"""\nimport torch\n' for part in ("before", "after")]
    with TemporaryDirectory() as folder:
        root = Path(folder)
        write(root, entries(), *shown, f"printed\n{text}")
        made = list(outputs(root, command, site))
    for kind, output in made:
        examine(kind, output, site, known)
    whole = [
        "".join("\n" if sign == "\n" else visible(sign) for sign in part.encode("utf-8", "backslashreplace").decode())
        for part in (*shown, f"printed\n{text}")
    ]
    for kind, output in made:
        page = Page()
        page.feed(site.html(output) if kind == "md" else output if kind == "html" else "")
        for part in whole:
            if part.split("\n")[0] in "".join(page.blocks):
                assert any(part.strip() in block for block in page.blocks), (kind, part, page.blocks)


NAMED: dict[str, Callable[[str], dict[str, Any]]] = {
    "alias": lambda text: {"aliases": [f"torch.{text}"]},
    "related": lambda text: {"related": [f"torch.{text}"]},
    "counterpart": lambda text: {"targets": [{"mindspore": f"mindspore.{text}"}]},
    "torch": lambda text: {"torch": f"torch.{text}"},
    "key": lambda text: {text: "x"},
    "about": lambda text: {"corrects": [{"about": text, **bilingual("word")}], "source": "https://example.org"},
    "source": lambda text: {"source": text},
    "source of the web": lambda text: {"source": f"https://example.org/{text}"},
    "result": lambda text: {"targets": [{"mindspore": "mindspore.mint.distributed.all_reduce", "returns": [text]}]},
    "word": lambda text: {
        "targets": [{"mindspore": "mindspore.mint.distributed.all_reduce", "arguments": {"op": {"by": text}}}]
    },
    "parameter": lambda text: {
        "targets": [{"mindspore": "mindspore.mint.distributed.all_reduce", "arguments": {text: {"from": text}}}]
    },
    "behaviour": lambda text: {
        "targets": [
            {
                "mindspore": "mindspore.mint.distributed.all_reduce",
                "returns": ["handle"],
                "differs": [{"about": text, **bilingual("word")}],
            }
        ]
    },
}
"""Where a name can stand in an entry."""


@pytest.mark.parametrize("where", NAMED)
def test_h6_a_name_in_an_entry_is_text_in_every_output(
    where: str, command: Command, site: Site, known: Shape, record_property: Callable[..., None]
) -> None:
    tried = 0

    @settings(HYPOTHESIS, max_examples=4)
    @given(text=texts)
    def each(text: str) -> None:
        nonlocal tried
        with TemporaryDirectory() as folder:
            root = Path(folder)
            write(root, entries(**NAMED[where](text)))
            command("fix", "--root", root)
            sound = command("check", "--root", root)[0] == 0
            for kind, output in outputs(root, command, site) if sound else reports(root, command, site, NAME):
                examine(kind, output, site, known)
                tried += 1

    each()
    record_property("inputs", tried)


PREVIEW = ("iframe", "label", "option", "select", "style")
"""Elements of the page that shows both languages side by side."""
FILES = ["<u>x", "a&b", 'a"b', "`", "```", "[a](javascript:b)", "{{x}}", "# x", "\x1b[31m", "\n# x", "\u202e", "\udcff"]


@pytest.mark.parametrize("name", FILES)
def test_h6_the_name_of_a_file_is_text_in_every_output(name: str, command: Command, site: Site, known: Shape) -> None:
    with TemporaryDirectory() as folder:
        root = Path(folder)
        write(root, entries())
        command("fix", "--root", root)
        file = os.fsencode(root) + b"/mappings/torch/" + os.fsencode(name) + b".yaml"
        with open(file, "wb") as stream, open(root / "mappings/torch/distributed/all_reduce.yaml", "rb") as source:
            stream.write(source.read())
        for kind, output in reports(root, command, site, f"torch.{name}"):
            examine(kind, output, site, known)
        with served(root) as ask:
            status, said = ask("/")
            assert status == 200
            examine("html", said, site, known + Counter(PREVIEW))
            status, said = ask(f"/en/api/{quote(f'torch.{name}', errors='surrogateescape')}/")
            assert status == 200
            examine("html", said, site, known)
