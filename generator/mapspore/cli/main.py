"""The command line: finds the command, reads its arguments, and turns every failure into one sentence.

A command is a module of `mapspore.cli.commands` with `add_arguments(parser)` and `run(args) -> int`; it is
imported only when it is called. Exit codes: 0 clean, 1 problems, 2 wrong usage, 70 a fault of mapspore.
"""

from __future__ import annotations

import io
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import NamedTuple

from mapspore.base.diagnostics import Refusal
from mapspore.base.gc_pause import gc_paused
from mapspore.base.language import LANGUAGES, Language, from_environment, pick

CLEAN, PROBLEMS, WRONG_USAGE, OUR_FAULT, SIGNALLED, NOBODY_READS = 0, 1, 2, 70, 128, 141


class Command(NamedTuple):
    """A line of the overview; `mapspore.cli.commands` has a module of the same name."""

    name: str
    en: str
    zh: str
    examples: tuple[str, ...]


COMMANDS = (
    Command("show", "what a torch API becomes in MindSpore", "查询 torch API 在 MindSpore 中的对应",
            ("show torch.distributed.all_gather", "show dist.gather --lang zh")),
    Command("list", "all entries with their counterparts and verdicts", "列出全部条目及其对应 API 和结论",
            ("list", "list --filter distributed")),
    Command("scan", "what of torch a code base uses, and what will change", "扫描代码，列出用到的 torch API 和改动",
            ("scan src", "scan src --format html --output report.html")),
    Command("migrate", "rewrite code for the adapter or MindSpore itself", "改写代码，使用适配器或直接使用 MindSpore",
            ("migrate src", "migrate src --write", "migrate src --mode direct")),
    Command("check", "check the registry and report every problem", "检查登记库，报告所有问题",
            ("check", "check mappings/torch/distributed --format github")),
    Command("fix", "bring entries into canonical form", "把条目整理成规范格式",
            ("fix", "fix --check mappings/torch/distributed")),
    Command("new", "write the skeleton of an entry", "生成条目骨架",
            ("new torch.argmax mindspore.mint.argmax",)),
    Command("generate", "write everything that is generated from the registry", "由登记库生成全部产物",
            ("generate", "generate --check")),
    Command("verify", "run entries beside torch and compare", "与 torch 对照运行条目并比较结果",
            ("verify", "verify dist.all_gather --ranks 2 --select quick")),
    Command("record", "run the programs that pages show, and keep their output", "运行页面展示的程序并记录输出",
            ("record", "record --check")),
    Command("preview", "show entries' pages in a browser while you edit them", "编辑条目时在浏览器中实时预览页面",
            ("preview torch.argmax", "preview --port 8080")),
    Command("explain", "what a code means and what to do", "解释检查代码的含义和处理办法",
            ("explain M102", "explain")),
    Command("export", "the registry as JSON, CSV or Markdown pages", "将登记库导出为 JSON、CSV 或页面",
            ("export json", "export pages --output build/pages")),
    Command("schema", "the JSON Schema of an entry, for editors", "输出条目的 JSON Schema，供编辑器使用",
            ("schema",)),
    Command("facts", "extract, compare and count the frameworks' facts", "提取、比较和统计两个框架的事实快照",
            ("facts stats", "facts extract torch", "facts diff torch-2.12.0 torch-2.13.0")),
    Command("env", "versions, platform and settings, to attach to a report", "列出版本、平台和设置，供反馈问题时附上",
            ("env", "env --format json")),
)  # fmt: skip


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    language = _language(arguments)
    try:
        _speak_utf8()
        with gc_paused():
            code = _run(arguments, language)
        sys.stdout.flush()
        return code
    except Refusal as refusal:
        _complain(*refusal.said(language), language)
        return refusal.exit_code
    except KeyboardInterrupt as ending:
        return _interrupted(language, ending)
    except BrokenPipeError:
        _stop_writing()
        return NOBODY_READS
    except SystemExit as end:  # argparse after `--help`
        return end.code if isinstance(end.code, int) else CLEAN
    except Exception as problem:
        if isinstance(problem.__cause__, KeyboardInterrupt):  # so Python says it of one that came while a class is made
            return _interrupted(language, problem.__cause__)
        return _fault(problem, language)


def _interrupted(language: Language, ending: KeyboardInterrupt) -> int:
    """Ctrl-C, or a signal to end (`base.staging.Terminated`), whose number the shell expects in the exit code."""
    print(pick(language, "interrupted.", "已中断。"), file=sys.stderr)
    number = ending.args[0] if ending.args else signal.SIGINT
    return SIGNALLED + int(number)


def _run(arguments: list[str], language: Language) -> int:
    # `mapspore --lang zh` and `mapspore help check` are as good as `mapspore` and `mapspore check --help`.
    if arguments[:1] == ["help"]:
        arguments = [*arguments[1:2], "--help"]
    if arguments[:1] == ["--lang"] and len(arguments) > 2:
        arguments = [arguments[2], *arguments[:2], *arguments[3:]]
    elif arguments and arguments[0].startswith("--lang=") and len(arguments) > 1:
        arguments = [arguments[1], arguments[0], *arguments[2:]]
    first = arguments[0] if arguments else "--help"
    if first in ("-h", "--help", "--lang") or first.startswith("--lang="):
        print(overview(language))
        return CLEAN
    if first in ("-V", "--version"):
        from mapspore.base.version import version

        print(f"mapspore {version()}")
        return CLEAN
    command = next((command for command in COMMANDS if command.name == first), None)
    if command is None:
        raise _unknown(first)
    from mapspore.cli.options import Parser

    parser = Parser(f"mapspore {command.name}", language)
    parser.describe(command.en, command.zh, *command.examples)
    with _undisturbed():
        module = import_module(f"mapspore.cli.commands.{command.name}")
    module.add_arguments(parser)
    parser.add_common()
    code: int = module.run(parser.parse_args(arguments[1:]))
    return code


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Lets an interruption wait: a library that meets it while it is loaded crashes in words of its own."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def overview(language: Language) -> str:
    """The list of commands, printed when none is named."""
    about = pick(
        language,
        "mapspore: how torch APIs differ from MindSpore's, and everything generated from it.",
        "mapspore：torch 与 MindSpore 的 API 差异，以及由此生成的一切。",
    )
    commands = [f"  {c.name:<10}{pick(language, c.en, c.zh)}" for c in COMMANDS]
    return "\n".join([
        about, "",
        pick(language, "usage: mapspore COMMAND [OPTIONS]", "用法：mapspore 命令 [选项]"), "",
        pick(language, "commands:", "命令："), *commands, "",
        pick(language, "options:", "选项："),
        pick(language, "  -h, --help     this overview; after a command, its help",
             "  -h, --help     显示本说明；写在命令之后则显示该命令的帮助"),
        pick(language, "  -V, --version  the version", "  -V, --version  显示版本"), "",
        pick(language, "example:", "示例："), f"  mapspore {COMMANDS[0].examples[0]}",
    ])  # fmt: skip


def _unknown(word: str) -> Refusal:
    if word.startswith("-"):
        return Refusal(
            f"There is no option `{word}` before a command.",
            "Write it after the command; `mapspore --help` lists the commands.",
            WRONG_USAGE, zh=(f"命令之前没有选项 `{word}`。", "选项写在命令之后；命令见 `mapspore --help`。"),
        )  # fmt: skip
    import difflib

    near = difflib.get_close_matches(word, [command.name for command in COMMANDS], n=1, cutoff=0.5)
    hint = f"Did you mean `mapspore {near[0]}`?" if near else "`mapspore --help` lists them."
    tip = f"是否想运行 `mapspore {near[0]}`？" if near else "命令见 `mapspore --help`。"
    return Refusal(f"There is no command `{word}`.", hint, WRONG_USAGE, zh=(f"没有命令 `{word}`。", tip))


def _language(arguments: list[str]) -> Language:
    """The language of help and refusals, which are needed before, or without, reading the arguments."""
    for index, argument in enumerate(arguments):
        value = argument.removeprefix("--lang=") if argument != "--lang" else "".join(arguments[index + 1 :][:1])
        for language in LANGUAGES:
            if argument.startswith("--lang") and value == language:
                return language
    return from_environment(os.environ)


def _speak_utf8() -> None:
    """Chinese text must not fail under a locale that cannot spell it, nor a path that is not UTF-8."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _complain(sentence: str, hint: str, language: Language) -> None:
    from mapspore.base.terminal import visible

    print(pick(language, "error: ", "错误：") + visible(sentence), file=sys.stderr)
    if hint:
        print(pick(language, "  hint: ", "  提示：") + visible(hint), file=sys.stderr)


def _fault(problem: Exception, language: Language) -> int:
    """A file that cannot be read or written is for the person to mend; anything else is for us."""
    if os.environ.get("MAPSPORE_DEBUG"):
        import traceback

        traceback.print_exception(problem)
    if isinstance(problem, OSError) and problem.strerror:
        place = pick(language, "the output", "输出") if problem.filename is None else f"`{problem.filename}`"
        reason = problem.strerror.lower()
        said = pick(language, f"Cannot use {place}: {reason}.", f"无法读写 {place}：{reason}。")
        _complain(said, pick(language, "Check the place and its permissions.", "请检查路径和权限。"), language)
        if problem.filename is None:
            _stop_writing()
        return PROBLEMS
    what = f"{type(problem).__name__}: {problem}"
    said = pick(language, f"mapspore itself failed ({what}).", f"mapspore 内部出错（{what}）。")
    hint = pick(
        language,
        "This is our fault; please report it with the command you ran and what `mapspore env` prints. "
        "MAPSPORE_DEBUG=1 shows where it is.",
        "这是 mapspore 的缺陷，请附上所运行的命令和 `mapspore env` 的输出反馈。设置 MAPSPORE_DEBUG=1 可查看出错位置。",
    )
    _complain(said, hint, language)
    return OUR_FAULT


def _stop_writing() -> None:
    """Nobody reads our output any more; without this Python would complain about it while it exits."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
