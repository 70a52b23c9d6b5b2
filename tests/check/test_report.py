"""How diagnostics look: to people, to programs, to GitHub and to SARIF viewers."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from mapspore.base.diagnostics import Diagnostic, Place
from mapspore.base.terminal import excerpt, padded, table, visible, width
from mapspore.check.report import Ink, as_github, as_json, as_text, summary
from mapspore.check.rules import CODES
from mapspore.check.sarif import as_sarif
from mapspore.entry.load import Source
from processes import HANGS

HOME = Path(__file__).resolve().parents[2]
Run = Callable[..., Any]
Make = Callable[..., Path]


def _text(source: Source, *diagnostics: Diagnostic, columns: int = 110) -> list[str]:
    return list(as_text(diagnostics, [source], "en", columns=columns))


def _unknown_key(line: int, column: int, length: int, path: str = "mappings/torch/argmax.yaml") -> Diagnostic:
    values = (("key", "mindspor"), ("where", "a parameter"), ("near", "mindspore"))
    return Diagnostic("M102", Place(path, line, column, length), values, "near")


def test_the_shape_of_an_error() -> None:
    source = Source("mappings/torch/argmax.yaml", "\n" * 13 + "    mindspor: x\n")
    assert _text(source, _unknown_key(14, 5, 8)) == [
        "mappings/torch/argmax.yaml:14:5: error[M102] unknown key `mindspor` in `a parameter`.",
        "    14 |     mindspor: x",
        "       |     ^^^^^^^^",
        "  hint: did you mean `mindspore`?",
    ]


def test_the_caret_stands_below_wide_characters() -> None:
    source = Source("a.yaml", "zh: 张量 的é\u0301形状 x\n")
    found = _text(source, Diagnostic("M204", Place("a.yaml", 1, 11, 2)))
    assert found[1] == "     1 | zh: 张量 的é\u0301形状 x"
    assert found[2] == "       |             ^^^^"  # the accent takes no column, two characters take four


@pytest.mark.parametrize("start", [0, 5, 60, 130, 199, 250])
@pytest.mark.parametrize("sign", ["x", "量"])
def test_long_lines_are_cut_around_the_caret(start: int, sign: str) -> None:
    line = "".join(chr(ord("a") + n % 26) if sign == "x" else sign for n in range(200))
    shown, at, length = excerpt(line, start, 400, 60)
    assert width(shown) <= 60 and at < 60 and 1 <= length <= 60 - at + 1
    marked = min(start, len(line))
    column, index = 0, 0
    while column < at:
        column += width(shown[index])
        index += 1
    if marked < len(line):
        assert shown[index] == line[marked]
    assert shown.strip("…") in line


def test_a_short_line_is_not_cut() -> None:
    assert excerpt("abc", 1, 1, 20) == ("abc", 1, 1)
    assert excerpt("", 0, 1, 20) == ("", 0, 1)
    assert excerpt("abc", 9, 1, 20) == ("abc", 3, 1)


def test_control_characters_are_shown_not_obeyed() -> None:
    assert visible("a\tb\x1b[31m\x00\x7f\u202e\u2028\n") == "a→b␛[31m␀␡\ufffd\ufffd␊"
    assert visible("全角　空格\u00a0与文字") == "全角　空格\u00a0与文字"
    source = Source("a\x1b.yaml", "x: \x1b[2J\n")
    values = (("key", "\x1b]0;title\x07"), ("where", "entry"), ("known", "`a`"))
    text = "\n".join(_text(source, Diagnostic("M102", Place("a\x1b.yaml", 1, 4, 2), values)))
    assert text.replace("\n", "").isprintable()


def test_columns() -> None:
    assert width("abc") == 3 and width("张量") == 4 and width("，") == 2 and width("e\u0301") == 1
    assert padded("张", 4) == "张  "
    assert table([("a", "结论", "x"), ("张量", "b", "y")]) == ["a     结论  x", "张量  b     y"]
    assert table([]) == []


def test_no_line_is_quoted_that_was_not_read() -> None:
    diagnostic = Diagnostic("M009", Place("a.yaml"))
    assert len(_text(Source("a.yaml"), diagnostic)) == 2
    assert len(_text(Source("b.yaml", "x"), diagnostic)) == 2
    assert len(_text(Source("a.yaml", "x"), Diagnostic("M009", Place("a.yaml", 9)))) == 2


def test_an_example_is_quoted_too() -> None:
    source = Source("m/torch/abs.yaml", "torch: x\n", None, {".before.py": "import torch\nprint(\n"})
    found = _text(source, Diagnostic("M605", Place("m/torch/abs.before.py", 2, 6)))
    assert found[1:3] == ["     2 | print(", "       |      ^"]


@pytest.mark.parametrize(
    ("codes", "en", "zh"),
    [
        ([], "3 entries, no problems. Next: `mapspore generate`.", "3 个条目，没有问题。下一步：`mapspore generate`。"),
        (
            ["M009"],
            "1 problem in 1 file. Next: `mapspore explain M009`.",
            "1 个文件中有 1 个问题。下一步：`mapspore explain M009`。",
        ),
        (
            ["M009", "M701", "M701"],
            "3 problems in 1 file, 2 of them for `fix` to repair. Next: `mapspore fix`.",
            "1 个文件中有 3 个问题，其中 2 个可自动修复。下一步：`mapspore fix`。",
        ),
    ],
)  # fmt: skip
def test_the_last_line_counts_and_names_the_next_command(codes: list[str], en: str, zh: str) -> None:
    diagnostics = [Diagnostic(code, Place("a.yaml", line)) for line, code in enumerate(codes, 1)]
    assert summary(diagnostics, 3, "en") == en
    assert summary(diagnostics, 3, "zh") == zh


def test_one_entry_is_one_entry() -> None:
    assert summary([], 1, "en").startswith("1 entry, ")


# colour


class _Terminal:
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("environment", "on"), [({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True), ({"TERM": "dumb"}, False)]
)  # fmt: skip
def test_when_there_is_colour(environment: dict[str, str], on: bool) -> None:
    stream: Any = _Terminal()
    assert Ink.for_stream(stream, environment).on is on
    with open(os.devnull) as file:
        assert Ink.for_stream(file, environment).on is False


@pytest.mark.processes
@pytest.mark.parametrize("plain", [False, True])
def test_colour_on_a_real_terminal(plain: bool, registry: Make) -> None:
    root = registry({"mappings/torch/abs.yaml": "torch: torch.abs\n\tx: 1\n"})
    env = {**os.environ, "PYTHONPATH": str(HOME / "generator"), "TERM": "xterm", "COLUMNS": "80"}
    env.update({"NO_COLOR": "1"} if plain else {})
    leader, follower = pty.openpty()
    command = [sys.executable, "-m", "mapspore", "check", "--root", str(root)]
    with subprocess.Popen(command, env=env, stdout=follower, stderr=subprocess.PIPE) as process:
        os.close(follower)
        seen = b""
        while True:
            try:
                more = os.read(leader, 4096)
            except OSError:  # how Linux says that the other side is closed
                break
            if not more:
                break
            seen += more
        assert process.wait(HANGS) == 1
    os.close(leader)
    assert (b"\x1b[1;31merror[M006]\x1b[0m" in seen) is not plain
    assert (b"\x1b" in seen) is not plain


# json


def test_json_is_the_documented_shape_in_both_languages_at_once(registry: Make, mapspore: Run) -> None:
    root = registry({"mappings/torch/abs.yaml": "\ufefftorch: torch.abs\n"})
    english = mapspore("check", "--root", root, "--format", "json")
    chinese = mapspore("check", "--root", root, "--format", "json", "--lang", "zh")
    assert english == chinese and english.code == 1
    content = json.loads(english.out)
    assert list(content) == ["format", "tool", "entries", "problems"]
    assert content["format"] == 1 and content["entries"] == 1 and content["tool"]["name"] == "mapspore"
    assert content["problems"] == [
        {
            "code": "M004", "severity": "error", "path": "mappings/torch/abs.yaml",
            "line": 1, "column": 1, "width": 1,
            "sentence": {"en": "there is a byte order mark here.", "zh": "此处有字节序标记（BOM）。"},
            "hint": {
                "en": "save the file as UTF-8 without a byte order mark.", "zh": "请保存为不带 BOM 的 UTF-8。",
            },
            "fixable": True,
        },
    ]  # fmt: skip


def test_json_of_a_clean_registry() -> None:
    content = json.loads(as_json([], 7))
    assert content["problems"] == [] and content["entries"] == 7


@pytest.mark.processes
def test_a_path_that_is_not_utf_8(registry: Make, mapspore_process: Run) -> None:
    root = registry({"mappings/torch/abs.yaml": ""})
    name = os.fsencode(root / "mappings" / "torch") + b"/\xff.yaml"
    with open(name, "wb") as file:
        file.write(b"[")
    for style in ("text", "json", "github", "sarif"):
        result = mapspore_process("check", "--root", root, "--format", style)
        assert (result.code, result.err) == (1, "")
        if style in ("json", "sarif"):
            json.loads(result.out)


# github


def test_github_escapes_what_its_commands_are_made_of() -> None:
    values = (("key", "50%,\r\n::x"), ("where", "entry"), ("near", "y"))
    diagnostic = Diagnostic("M102", Place("odd,na:me%\n.yaml", 2, 3, 4), values, "near")
    (line,) = as_github([diagnostic], "en")
    assert line == (
        "::error file=odd%2Cna%3Ame%25%0A.yaml,line=2,endLine=2,col=3,endColumn=7,title=mapspore M102"
        "::unknown key `50%25,␍␊::x` in `entry`.%0Ahint: did you mean `y`?"
    )


def test_github_from_the_command_line(registry: Make, mapspore: Run) -> None:
    root = registry({"mappings/torch/abs.yaml": "["})
    lines = mapspore("check", "--root", root, "--format", "github", "--lang", "zh").out.splitlines()
    assert lines[0].startswith("::error file=mappings/torch/abs.yaml,line=2,") and "%0A提示：" in lines[0]
    assert lines[1] == "1 个文件中有 1 个问题。下一步：`mapspore explain M008`。"


# sarif

_MESSAGE = {"type": "object", "properties": {"text": {"type": "string", "minLength": 1}}, "required": ["text"]}
_LEVEL = {"enum": ["none", "note", "warning", "error"]}


def _closed(required: list[str], **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


_POSITION = {"type": "integer", "minimum": 1}
_REGION = _closed(["startLine"], startLine=_POSITION, startColumn=_POSITION, endLine=_POSITION, endColumn=_POSITION)
_PLACE = _closed(
    ["artifactLocation", "region"],
    artifactLocation=_closed(["uri"], uri={"type": "string", "pattern": r"^[!-~]+$"}),
    region=_REGION,
)
_RULE = _closed(
    ["id"],
    id={"type": "string"},
    shortDescription=_MESSAGE,
    fullDescription=_MESSAGE,
    help=_MESSAGE,
    defaultConfiguration=_closed(["level"], level=_LEVEL),
)
_RESULT = _closed(
    ["message", "ruleId", "locations"],
    ruleId={"type": "string"},
    ruleIndex={"type": "integer", "minimum": 0},
    level=_LEVEL,
    message=_MESSAGE,
    locations={"type": "array", "items": _closed(["physicalLocation"], physicalLocation=_PLACE)},
)
_DRIVER = _closed(
    ["name"],
    name={"const": "mapspore"},
    semanticVersion={"type": "string", "pattern": r"^\d+\.\d+\.\d+"},
    language={"enum": ["en-US", "zh-CN"]},
    rules={"type": "array", "uniqueItems": True, "items": _RULE},
)
_RUN = _closed(
    ["tool", "results"],
    tool=_closed(["driver"], driver=_DRIVER),
    language={"enum": ["en-US", "zh-CN"]},
    columnKind={"const": "unicodeCodePoints"},
    results={"type": "array", "items": _RESULT},
)
SARIF = _closed(
    ["version", "runs"],
    **{"$schema": {"type": "string", "format": "uri"}},
    version={"const": "2.1.0"},
    runs={"type": "array", "minItems": 1, "items": _RUN},
)
"""The part of SARIF 2.1.0 that we use, closed: the standard allows no further keys in these objects either."""


@pytest.mark.parametrize("language", ["en", "zh"])
def test_sarif(language: Any) -> None:
    diagnostics = [
        _unknown_key(14, 5, 8),
        Diagnostic("M009", Place("a b/中.yaml")),
        Diagnostic("M701", Place("a.yaml", 2), severity="warning"),
    ]
    log = json.loads(as_sarif(diagnostics, language))
    jsonschema.validate(log, SARIF)
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == list(CODES)
    for diagnostic, result in zip(diagnostics, run["results"], strict=True):
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"] == diagnostic.code
        assert result["level"] == diagnostic.severity
    region = run["results"][0]["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": 14, "startColumn": 5, "endLine": 14, "endColumn": 13}
    uri = run["results"][1]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri == "a%20b/%E4%B8%AD.yaml"


def test_sarif_of_a_clean_registry_names_no_machine(registry: Make, mapspore: Run) -> None:
    root = registry({})
    result = mapspore("check", "--root", root, "--format", "sarif")
    assert result.code == 0 and str(root) not in result.out
    log = json.loads(result.out)
    jsonschema.validate(log, SARIF)
    assert log["runs"][0]["results"] == []
