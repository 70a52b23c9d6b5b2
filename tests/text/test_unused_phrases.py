"""Every phrase is said by somebody: the keys that lead to it are named in code, in a template, or in another phrase."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from mapspore.text.phrases import LANGUAGES, catalogue
from mapspore.words.runtime import homes, parts

HOME = Path(__file__).resolve().parents[2]
FILES = ("phrases", "labels", "site", "scan", "cli", "facts", "verify", "refusals", "rules")
ANSWER = "answer_"
"""What the terminal's own labels begin with; `answer.text` takes it off."""
CODE = re.compile(r"[MCS]\d{3}")


def texts(node: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], dict[str, str]]]:
    """Every phrase of a file with the keys that lead to it."""
    if isinstance(node, dict):
        if set(node) == set(LANGUAGES) and isinstance(node["en"], str):
            yield path, node
            return
        for key, value in node.items():
            yield from texts(value, (*path, str(key)))


@cache
def named() -> tuple[frozenset[str], re.Pattern[str]]:
    """The texts and names of all code and templates, each whole and in words, and the names of the runtime; and what
    texts with places to fill can become."""
    found: set[str] = {*homes(), *(part.name for part in parts())}
    filled: set[str] = set()
    for path in (*HOME.glob("generator/**/*.py"), *HOME.glob("site/*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found |= {node.value, *re.findall(r"\w+", node.value)}
            elif isinstance(node, ast.Attribute):
                found.add(node.attr)
            elif isinstance(node, ast.JoinedStr):
                pieces = [each.value if isinstance(each, ast.Constant) else None for each in node.values]
                pattern = "".join(r"\w+" if part is None else re.escape(str(part)) for part in pieces)
                last = pattern.rpartition(r"\.")[2]
                if re.search(r"[a-z]{3}", last.replace(r"\w+", "")):
                    filled.add(last)
    for path in (*HOME.glob("templates/**/*.j2"), *HOME.glob("site/**/*.html")):
        found |= set(re.findall(r"\w+", path.read_text("utf-8")))
    for name in FILES:
        for _, phrase in texts(catalogue(name)):
            found |= {spec for _, _, spec, _ in Formatter().parse(phrase["en"].replace("{%", "")) if spec}
    return frozenset(found), re.compile("|".join(f"(?:{pattern})" for pattern in sorted(filled)))


@pytest.mark.parametrize("name", FILES)
def test_every_phrase_has_a_use(name: str) -> None:
    words, filled = named()
    unused = [
        ".".join(path)
        for path, _ in texts(catalogue(name))
        for key in path
        if key and not CODE.fullmatch(key) and key.removeprefix(ANSWER) not in words and not filled.fullmatch(key)
        and not (name == "cli" and path[0] == "commands")  # the parsers say which there are
    ]  # fmt: skip
    assert unused == []
