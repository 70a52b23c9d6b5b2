"""Text from outside: pieces of it, a page taken apart, and a command whose output is read as a file would get it."""

from __future__ import annotations

import io
import sys
from collections import Counter
from collections.abc import Callable
from html.parser import HTMLParser
from unicodedata import category

import pytest

Command = Callable[..., tuple[int, str, str]]

# What a terminal obeys or hides: controls, directions, separators, halves of a character.
NASTY = [
    "\x1b[31m", "\x1b]0;title\x07", "\x07", "\x08", "\r", "\n", "\t", "\x7f", "\x9b31m", "\x85", "\u202e", "\u2066",
    "\u200b", "\u2028", "\u2029", "\ufeff", "\u00ad", "\ud800", "\udcff", "\U000e0041",
]  # fmt: skip
HARMLESS = ["abs", "<u>", "|", "`", "](javascript:x)", "&amp;", '"', "'", "\\", "%0A", "::error::", "{{x}}", "中", " "]
CONTROLS = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def unseen(output: str) -> set[str]:
    """The characters of an output that a terminal would obey or hide, line feeds apart."""
    return {character for character in output if character != "\n" and category(character) in CONTROLS}


class Page(HTMLParser):
    """Elements, addresses and blocks of code of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.addresses: list[str] = []
        self.blocks: list[str] = []
        self._inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.addresses += [value or "" for name, value in attrs if name in ("href", "src")]
        assert not [name for name, _ in attrs if name.startswith("on")]
        if tag == "pre":
            self._inside = True
            self.blocks.append("")

    def handle_endtag(self, tag: str) -> None:
        if tag == "pre":
            self._inside = False

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.blocks[-1] += data


def run_command(cache: str) -> Command:
    """Runs a command; what it prints is what a terminal without colours, or a file, would get."""
    from mapspore.cli.main import main

    def run(*arguments: object) -> tuple[int, str, str]:
        streams = [io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2)]
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("XDG_CACHE_HOME", cache)
            patch.setattr(sys, "stdout", streams[0])
            patch.setattr(sys, "stderr", streams[1])
            code = main([str(argument) for argument in arguments])
        out, err = (stream.buffer.getvalue().decode("utf-8") for stream in streams)  # type: ignore[attr-defined]
        return code, out, err

    return run
