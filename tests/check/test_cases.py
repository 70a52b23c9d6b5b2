"""Every code, by example: a registry in, its exact report in both languages out.

A case is a folder of `tests/check/cases` named after the first code that it is about. It holds `mappings/` (or is made
here, where git cannot hold the file) and `expected.txt`: the English report, a line `---`, the Chinese one.
`pytest --update` writes what comes out; read the difference before you commit it.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from mapspore.base.language import LANGUAGES
from mapspore.check.report import as_text, summary
from mapspore.check.rules import CODES, RULES
from mapspore.pipeline import load_registry

CASES = Path(__file__).resolve().parent / "cases"
ENTRY = "# yaml-language-server: $schema=../entry.schema.json\ntorch: torch.abs\n"
REST = "summary:\n  en: The absolute value.\n  zh: 绝对值。\ntargets:\n  - mindspore: mindspore.mint.abs\n"
DIVIDER = "---\n"
KEYWORD = (
    '{"name":"torch.abs","kind":"function","forms":[{"parameters":[{"name":"lambda"},{"name":"x","default":"1 +"}]}]}'
)


def _bytes(content: bytes) -> Callable[[Path], None]:
    return lambda entry: _write(entry, content)


def _write(entry: Path, content: bytes) -> None:
    entry.write_bytes(content)


def _facts(entry: Path) -> None:
    """A snapshot that no extractor would write."""
    root = entry.parent.parent.parent
    shutil.copytree(CASES.parents[2] / "facts", root / "facts")
    (root / "facts" / "torch-99.0.json").write_text(
        f'{{"format":1,"framework":"torch","version":"99.0","apis":[\n{KEYWORD}\n]}}\n'
    )
    entry.write_text(ENTRY + REST, "utf-8")


def _example(entry: Path) -> None:
    """A program that is none; beside the others, `ruff` would complain about it."""
    entry.write_text(ENTRY + REST, "utf-8")
    entry.with_name("abs.before.py").write_text("import torch\n\nprint(torch.abs(x)\n")
    entry.with_name("abs.after.py").write_text("import mindspore\n")


MADE: dict[str, Callable[[Path], None]] = {
    "M001-broken-link": lambda entry: entry.symlink_to("nowhere.yaml"),
    "M001-named-pipe": lambda entry: os.mkfifo(entry),
    "M002-ten-megabytes": _bytes(b"torch: torch.abs\n" + b"#" * 10_000_000),
    "M003-not-utf-8": _bytes("summary: {en: The value, zh: 绝".encode() + b"\xff\xfe}\n"),
    "M004-byte-order-mark": _bytes(b"\xef\xbb\xbf" + ENTRY.encode()),
    "M005-nul-and-escape": _bytes(b"torch: torch.abs\nsummary: a\x00b\x1b[31m\n"),
    "M005-line-separator": _bytes("torch: torch.abs\nsummary: 逐\u2028元\n".encode()),
    "M006-tabs": _bytes(b"torch: torch.abs\nsummary:\n\ten: a\n"),
    "M007-windows": _bytes(b"torch: torch.abs\r\nsummary:\r\n"),
    "M009-empty": _bytes(b""),
    "M009-only-comments": _bytes(b"# to be written\n\n"),
    "M009-null": _bytes(b"~\n"),
    "M409-facts": _facts,
    "M605-example": _example,
}
NAMES = sorted({*(path.name for path in CASES.iterdir()), *MADE})


def _root(name: str, tmp_path: Path) -> Path:
    root = tmp_path / name
    if name in MADE:
        entry = root / "mappings" / "torch" / "abs.yaml"
        entry.parent.mkdir(parents=True)
        MADE[name](entry)
    else:
        shutil.copytree(CASES / name, root)
    return root


def _reported(root: Path) -> tuple[set[str], str]:
    loaded = load_registry(root)
    parts = []
    for language in LANGUAGES:
        lines = as_text(loaded.diagnostics, loaded.sources, language)
        closing = summary(loaded.diagnostics, loaded.checked, language)
        parts.append("".join(f"{line}\n" for line in (*lines, closing)))
    return {diagnostic.code for diagnostic in loaded.diagnostics}, DIVIDER.join(parts)


OF_PROGRAMS = {"M614"}
"""About no entry: tests/evidence/test_programs.py shows it."""


@pytest.mark.parametrize("name", NAMES)
def test_case(name: str, tmp_path: Path, matches_file: Callable[[str, Path], None]) -> None:
    codes, reported = _reported(_root(name, tmp_path))
    matches_file(reported, CASES / name / "expected.txt")
    about = re.match(r"M\d{3}", name)
    assert about is None or about[0] in codes


def test_every_code_has_a_case_and_every_case_a_code() -> None:
    covered = {match[0] for name in NAMES if (match := re.match(r"M\d{3}", name))}
    assert covered == set(CODES) - OF_PROGRAMS


def test_every_variant_of_a_sentence_is_shown_by_a_case(tmp_path: Path) -> None:
    from mapspore.text.phrases import catalogue

    seen: set[tuple[str, str]] = set()
    for name in NAMES:
        seen |= {(d.code, d.variant) for d in load_registry(_root(name, tmp_path)).diagnostics}
    wanted: set[tuple[str, str]] = set()
    for code in CODES:
        rule = catalogue("rules")[code]
        parts = [rule[part] for part in ("says", "hint") if not isinstance(rule[part].get("en"), str)]
        wanted |= {(code, variant) for part in parts for variant in part if variant}
    assert wanted - seen == set()


def test_codes_are_listed_in_order_and_belong_to_one_stage() -> None:
    stages: dict[str, set[str]] = {}
    for rule in RULES:
        stages.setdefault(rule.code, set()).add(rule.stage)
    assert list(stages) == sorted(stages, key=list(stages).index)
    assert all(len(found) == 1 for found in stages.values())
