"""The frame around the commands: help, wrong usage, languages, and how each kind of failure looks."""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from mapspore.base.diagnostics import Refusal
from mapspore.base.language import from_environment
from mapspore.cli.main import COMMANDS, main
from mapspore.cli.options import Parser
from mapspore.text.phrases import catalogue
from processes import HANGS

HOME = Path(__file__).resolve().parents[2]
CHINESE = re.compile(r"[\u3400-\u9fff]")
NAMES = list(COMMANDS)
PARTS = [*NAMES, "facts extract", "facts diff", "facts stats"]
Run = Callable[..., Any]


@pytest.mark.parametrize("arguments", [(), ("--help",), ("-h",), ("--lang", "en"), ("help",)])
def test_the_overview_lists_every_command_with_a_line(arguments: tuple[str, ...], mapspore: Run) -> None:
    result = mapspore(*arguments)
    assert (result.code, result.err) == (0, "")
    for command in COMMANDS:
        assert f"  {command:<10}{catalogue('cli')['commands'][command]['about']['en']}\n" in result.out


def test_the_overview_in_chinese(mapspore: Run) -> None:
    result = mapspore("--lang", "zh")
    assert result.code == 0
    for command in COMMANDS:
        assert f"  {command:<10}{catalogue('cli')['commands'][command]['about']['zh']}\n" in result.out


@pytest.mark.parametrize("name", NAMES)
def test_every_command_is_a_module_with_two_functions(name: str) -> None:
    module = import_module(f"mapspore.cli.commands.{name}")
    assert callable(module.add_arguments) and callable(module.run)


@pytest.mark.parametrize("part", PARTS)
def test_help_has_an_example_and_the_common_options(part: str, mapspore: Run) -> None:
    result = mapspore(*part.split(), "--help")
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith(f"usage: mapspore {part}")
    assert f"example:\n  mapspore {part}" in result.out
    assert "--root DIR" in result.out and "--lang {en,zh}" in result.out


@pytest.mark.parametrize("part", PARTS)
def test_help_in_chinese(part: str, mapspore: Run) -> None:
    result = mapspore(*part.split(), "--help", "--lang", "zh")
    assert result.out.startswith(f"用法：mapspore {part}")
    assert "选项：" in result.out and "示例：" in result.out
    assert "usage" not in result.out and "options:" not in result.out
    description = result.out.split("\n\n")[1]
    assert CHINESE.search(description)


def test_the_examples_in_help_are_commands_that_parse() -> None:
    for command in COMMANDS:
        parser = Parser(command)
        import_module(f"mapspore.cli.commands.{command}").add_arguments(parser)
        parser.add_common()
        for example in catalogue("cli")["commands"][command]["examples"]:
            name, *arguments = example.split()
            assert name == command
            parser.parse_args(arguments)


def test_every_argument_has_its_text_and_every_text_its_argument() -> None:
    texts = catalogue("cli")
    parsers = {command: Parser(f"mapspore {command}") for command in COMMANDS}
    for command, parser in list(parsers.items()):
        import_module(f"mapspore.cli.commands.{command}").add_arguments(parser)
        parser.add_common()
        for action in parser._actions:
            if isinstance(action, argparse._SubParsersAction):
                parsers |= {f"{command} {part}": inner for part, inner in action.choices.items()}
    assert set(texts["commands"]) == set(parsers)
    shared = set()
    for name, parser in parsers.items():
        taken = {action.dest for action in parser._actions if not isinstance(action, argparse._SubParsersAction)}
        own = set(texts["commands"][name]["arguments"])
        assert own <= taken and taken - own <= set(texts["arguments"]), name
        shared |= taken - own
    assert shared == set(texts["arguments"])


def test_help_before_or_after(mapspore: Run) -> None:
    assert mapspore("help", "check").out == mapspore("check", "--help").out


@pytest.mark.parametrize(
    ("arguments", "sentence", "hint"),
    [
        (["chekc"], "There is no command `chekc`.", "Did you mean `mapspore check`?"),
        (["zzzz"], "There is no command `zzzz`.", "`mapspore --help` lists them."),
        (["--root", "x"], "There is no option `--root` before a command.", "Write it after the command"),
        (["check", "--fromat", "json"], "`mapspore check` takes no `--fromat`.", "Did you mean `--format`?"),
        (["check", "--format", "jsn"], "`jsn` is no --format.", "Did you mean `json`?"),
        (["check", "--format", "xml"], "`xml` is no --format.", "Choose from text, json, github, sarif."),
        (["check", "--format"], "`--format` needs a value.", "See `mapspore check --help`."),
        (["check", "--root"], "`--root` needs a value.", "See `mapspore check --help`."),
        (["check", "--help=x"], "`-h/--help` takes no value.", "See `mapspore check --help`."),
        (["list", "a", "b"], "`mapspore list` takes no `a`.", "See `mapspore list --help`."),
        (["list", "--lang", "fr"], "`fr` is no --lang.", "Choose from en, zh."),
        (["facts"], "PART is missing.", "See `mapspore facts --help`."),
        (["export", "xml"], "`xml` is no form.", "Choose from json, csv, pages."),
        (["facts", "extrat"], "`extrat` is no PART.", "Did you mean `extract`?"),
        (["facts", "diff", "a"], "B is missing.", "See `mapspore facts diff --help`."),
        (["generate", "--check", "--diff"], "`--diff` and `--check` exclude each other.", "See `mapspore"),
        (["check", "nowhere"], "There is no file or folder `nowhere`.", "Paths are relative"),
        (["check", "--root", "nowhere"], "There is no folder `nowhere`.", "Give --root a folder"),
        (["facts", "diff", "a", "b"], "There is no snapshot `a`.", "In `facts/` there are"),
    ],
)  # fmt: skip
def test_wrong_usage(arguments: list[str], sentence: str, hint: str, mapspore: Run) -> None:
    result = mapspore(*arguments)
    assert (result.code, result.out) == (2, "")
    first, second = result.err.splitlines()
    assert re.fullmatch(r"error\[C\d{3}\] (.*)", first)[1] == sentence
    assert second.startswith(f"  hint: {hint}")
    chinese = mapspore(*arguments, *([] if "--lang" in arguments else ["--lang", "zh"]))
    assert chinese.code == 2
    if "--lang" not in arguments and arguments[-1] not in ("--format", "--root"):
        first, second = chinese.err.splitlines()
        assert CHINESE.search(re.fullmatch(r"错误\[C\d{3}\] (.*)", first)[1])
        assert second.startswith("  提示：")


def test_version_is_the_declared_one(mapspore: Run) -> None:
    import tomllib

    declared = tomllib.loads((HOME / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    assert mapspore("--version") == (0, f"mapspore {declared}\n", "")


@pytest.mark.processes
def test_showing_needs_no_heavy_library() -> None:
    code = (
        "import sys; from mapspore.cli.main import main; main(['show', 'torch.abs']);"
        "print(sorted({'yaml', 'pydantic', 'jinja2', 'importlib.metadata'} & set(sys.modules)))"
    )
    env = {**os.environ, "PYTHONPATH": str(HOME / "generator")}
    for _ in range(2):  # the first may build the index
        done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, timeout=HANGS)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "zh_TW"}, "zh"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LC_ALL": "", "LANG": "zh"}, "zh"),
    ],
)
def test_language_of_the_locale(environment: dict[str, str], language: str) -> None:
    assert from_environment(environment) == language


def test_the_option_outranks_the_locale(mapspore: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    assert CHINESE.search(mapspore("explain", "M102").out)
    assert not CHINESE.search(mapspore("explain", "M102", "--lang", "en").out)
    assert not CHINESE.search(mapspore("explain", "M102", "--lang=en").out)


@pytest.mark.processes
@pytest.mark.parametrize(
    "environment",
    [
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"LANG": "C"},
        {"PYTHONIOENCODING": "ascii"},
        {"PYTHONIOENCODING": "gbk"},
    ],
)
def test_chinese_under_any_locale(environment: dict[str, str], mapspore_process: Run) -> None:
    result = mapspore_process("explain", "M102", "--lang", "zh", env=environment)
    assert (result.code, result.err) == (0, "")
    assert "拼错的键若被忽略" in result.out


def _failing(problem: BaseException) -> Callable[[list[str], str], int]:
    def run(arguments: list[str], language: str) -> int:
        raise problem

    return run


def test_a_refusal_is_a_sentence_and_a_hint(mapspore: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mapspore.cli.main._run", _failing(Refusal("C208", exit_code=7, path="x.yaml")))
    assert mapspore("check") == (
        7, "", "error[C208] `x.yaml` exists already.\n  hint: Edit it, or print a draft with `--print`.\n",
    )  # fmt: skip
    assert mapspore("check", "--lang", "zh") == (
        7, "", "错误[C208] `x.yaml` 已存在。\n  提示：请直接编辑，或用 `--print` 打印草稿。\n",
    )  # fmt: skip


def test_our_own_fault_is_one_sentence(mapspore: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mapspore.cli.main._run", _failing(KeyError("odd")))
    result = mapspore("check")
    assert result.code == 70
    assert result.err.splitlines()[0] == "error[C005] mapspore itself failed (KeyError: 'odd')."
    assert "report it" in result.err and "Traceback" not in result.err
    assert "内部出错" in mapspore("check", "--lang", "zh").err
    monkeypatch.setenv("MAPSPORE_DEBUG", "1")
    assert "Traceback" in mapspore("check").err


def test_an_unusable_file_is_not_our_fault(mapspore: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mapspore.cli.main._run", _failing(PermissionError(13, "Permission denied", "/some/place")))
    result = mapspore("check")
    assert result.code == 1
    assert result.err.splitlines()[0] == "error[C004] Cannot use `/some/place`: permission denied."


def test_interruption(mapspore: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mapspore.cli.main._run", _failing(KeyboardInterrupt()))
    assert mapspore("check") == (130, "", "interrupted.\n")


def _process(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "mapspore", *arguments]


@pytest.mark.processes
def test_a_reader_that_goes_away_is_no_error() -> None:
    env = {**os.environ, "PYTHONPATH": str(HOME / "generator")}
    process = subprocess.Popen(_process("explain"), env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(HANGS) == 141


@pytest.mark.processes
def test_an_output_that_takes_nothing() -> None:
    env = {**os.environ, "PYTHONPATH": str(HOME / "generator")}
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            _process("explain"), env=env, stdout=full, stderr=subprocess.PIPE, text=True, timeout=HANGS
        )
    assert done.returncode == 1
    assert done.stderr.splitlines()[0] == "error[C004] Cannot use the output: no space left on device."
    assert "Traceback" not in done.stderr


def test_control_characters_of_an_argument_do_not_reach_the_terminal(mapspore: Run) -> None:
    result = mapspore("check\x1b[31m\n")
    assert result.err.startswith("error[C001] There is no command `check␛[31m␊`.\n")


def test_main_reads_the_arguments_of_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["mapspore", "--version"])
    assert main() == 0
