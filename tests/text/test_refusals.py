"""Every sentence that the command line says to a person stands in the catalogue: none in Python, none without a use."""

from __future__ import annotations

import ast
import errno
import os
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import Any

from mapspore.base.diagnostics import WORDED, Refusal, system_reason
from mapspore.text.phrases import LANGUAGES, catalogue, refusal_codes, said

PACKAGE = Path(__file__).resolve().parents[2] / "generator" / "mapspore"
CHINESE = re.compile(r"[\u3400-\u9fff]")
"""Not the punctuation of Chinese, which rules look for."""
FIXED = ("hint", "exit_code")
PRINTING = ("print", "sys.stdout.write", "sys.stderr.write", "_tell")


def modules() -> Iterator[tuple[Path, str]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        yield path.relative_to(PACKAGE), path.read_text("utf-8")


def refusals() -> Iterator[tuple[str, ast.Call]]:
    """Where a refusal is made, and how."""
    for path, text in modules():
        if path.parts[0] == "adapter":
            continue  # its refusals are those that generated code makes
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Refusal":
                yield f"{path}:{node.lineno}", node


def constants(node: ast.expr) -> set[str]:
    """The texts that an expression can be, as far as it says."""
    return {each.value for each in ast.walk(node) if isinstance(each, ast.Constant) and isinstance(each.value, str)}


def variants(texts: dict[str, Any]) -> dict[str, dict[str, str]]:
    return {"": texts} if set(texts) == set(LANGUAGES) else texts


def test_no_module_speaks_chinese() -> None:
    assert [(str(path), line) for path, text in modules() for line in text.splitlines() if CHINESE.search(line)] == []


def test_a_refusal_is_a_code_of_the_catalogue_with_all_that_fills_it() -> None:
    used = set()
    for place, node in refusals():
        first = node.args[0]
        assert isinstance(first, ast.Constant) and first.value in refusal_codes(), f"{place}: {ast.unparse(node)}"
        used.add(first.value)
        if any(keyword.arg is None for keyword in node.keywords):
            continue  # what a function of its own adds
        given = {keyword.arg for keyword in node.keywords} - set(FIXED)
        texts = catalogue("refusals")[first.value]
        chosen = constants(node.args[1]) if len(node.args) > 1 else {""}
        hints = {each for keyword in node.keywords if keyword.arg == "hint" for each in constants(keyword.value)}
        for part, wanted in (("says", chosen), ("hint", hints or chosen)):
            held = variants(texts[part])
            for variant in wanted:
                text = held.get(variant) or held.get("")
                assert text is not None, f"{place}: no {part} for `{variant}`"
                names = {name for _, name, _, _ in Formatter().parse(text["en"]) if name}
                assert names <= given, f"{place}: {names - given} of {part}"
    assert used == set(refusal_codes())


def test_every_variant_is_refused_somewhere() -> None:
    sources = {text for _, text in modules()}
    for code in refusal_codes():
        for part in ("says", "hint"):
            for variant in variants(catalogue("refusals")[code][part]):
                assert not variant or any(f'"{variant}"' in text for text in sources), f"{code}: {part} `{variant}`"


def test_no_sentence_is_printed_from_python() -> None:
    """What is printed or written to a stream is made by the catalogue, or has no words: a path, a number, a program."""
    found = []
    for path, text in modules():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in PRINTING:
                words = {text for argument in node.args for text in _texts(argument)}
                found += [f"{path}:{node.lineno}: {word}" for word in words if re.search(r"[a-z]{2,} [a-z]{2,}", word)]
    assert found == []


def _texts(node: ast.expr) -> Iterator[str]:
    """The literal texts of what is printed; not those that say where a sentence stands."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield from (part for value in node.values for part in _texts(value))


def test_the_reasons_of_the_system_are_worded_as_it_does_itself() -> None:
    table = catalogue("refusals")["system"]
    assert set(table) == {*WORDED, "other"}
    for name in WORDED:
        assert table[name]["en"] == os.strerror(getattr(errno, name)).lower()
    full, odd = OSError(errno.ENOSPC, "No space left on device"), OSError(errno.ENOTTY, "Odd")
    known, strange = (Refusal("C106", path="x", reason=system_reason(problem)) for problem in (full, odd))
    assert said(known, "zh")[0] == "无法写入 `x`：磁盘空间不足。"
    assert said(strange, "en")[0] == "Cannot write to `x`: odd."
