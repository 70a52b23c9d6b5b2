"""Reading a command's arguments: argparse, with help and complaints in our words and both languages.

Every command gets `--root`, `--lang` and `--help` from here. A wrong argument becomes a `Refusal`.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NoReturn

from mapspore.base.diagnostics import Refusal
from mapspore.base.language import LANGUAGES, Language, pick

WRONG_USAGE = 2


class _English(argparse.RawDescriptionHelpFormatter):
    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=26, width=100)


class _Chinese(_English):
    def add_usage(
        self, usage: str | None, actions: Iterable[argparse.Action], groups: Any, prefix: str | None = None
    ) -> None:
        super().add_usage(usage, actions, groups, "用法：" if prefix is None else prefix)


class Parser(argparse.ArgumentParser):
    """The parser of one command, or of one of its parts."""

    def __init__(self, prog: str, language: Language = "en") -> None:
        super().__init__(
            prog,
            add_help=False,
            allow_abbrev=False,
            conflict_handler="resolve",
            formatter_class=_Chinese if language == "zh" else _English,
        )
        self.language = language
        self._positionals.title = self.say("arguments", "参数")
        self._optionals.title = self.say("options", "选项")

    def say(self, en: str, zh: str) -> str:
        return pick(self.language, en, zh)

    def add_common(self, part: bool = False) -> None:
        """The options that every command has.

        A part of a command gets them without defaults, which would undo what stands before its name.
        """
        self.add_argument(
            "--root", metavar="DIR", type=Path, default=argparse.SUPPRESS if part else None,
            help=self.say("the folder that holds `mappings/`, if it is not around here",
                          "`mappings/` 所在的文件夹，默认为当前位置所属的登记库"),
        )  # fmt: skip
        self.add_argument(
            "--lang", choices=LANGUAGES, default=argparse.SUPPRESS if part else self.language,
            help=self.say("the language of sentences; by default that of the locale",
                          "输出语言，默认取自区域设置"),
        )  # fmt: skip
        self.add_argument("-h", "--help", action="help", help=self.say("show this help", "显示本帮助"))

    def add_overlay(self) -> None:
        """The option of all commands that read entries for somebody's own rules."""
        self.add_argument(
            "--overlay", metavar="DIR", type=Path, action="append",
            help=self.say("add the entries of DIR/mappings, which take precedence; may be repeated",
                          "叠加 DIR/mappings 中的条目，优先于登记库中的同名条目，可重复给出"),
        )  # fmt: skip

    def format_help(self) -> str:
        text = super().format_help()
        return text if self.language == "en" else re.sub(r"^(参数|选项|命令):$", r"\1：", text, flags=re.MULTILINE)

    def describe(self, en: str, zh: str, *examples: str) -> None:
        """What the help says above and below the list of arguments."""
        self.description = self.say(en, zh)
        title = self.say("example:", "示例：")
        self.epilog = "\n".join([title, *(f"  mapspore {example}" for example in examples)])

    def error(self, message: str) -> NoReturn:
        (en, zh), hint = self._in_our_words(message)
        help_hint = (f"See `{self.prog} --help`.", f"见 `{self.prog} --help`。")
        tips = hint or help_hint
        raise Refusal(en, tips[0], WRONG_USAGE, zh=(zh, tips[1]))

    def _in_our_words(self, message: str) -> tuple[tuple[str, str], tuple[str, str] | None]:
        """The sentence for one of argparse's complaints, and a hint if one is better than the help."""
        if found := re.match(r"unrecognized arguments: (.*)", message, re.DOTALL):
            given = found[1].split(" ")[0]
            flags = [flag for action in self._actions for flag in action.option_strings]
            sentence = (f"`{self.prog}` takes no `{given}`.", f"`{self.prog}` 不接受 `{given}`。")
            return sentence, _did_you_mean(given.split("=")[0], flags)
        if found := re.match(r"the following arguments are required: (.*)", message):
            return (f"{found[1]} is missing.", f"缺少 {found[1]}。"), None
        if found := re.match(r"argument (\S+): invalid choice: '(.*)' \(choose from", message, re.DOTALL):
            name, given = found[1], found[2]
            choices = self._choices(name)
            sentence = (f"`{given}` is no {name}.", f"{name} 没有 `{given}` 这个取值。")
            return sentence, _did_you_mean(given, choices) or (
                f"Choose from {', '.join(choices)}.",
                f"可选：{'、'.join(choices)}。",
            )
        if found := re.match(r"argument (\S+): expected (?:one|at least one) argument", message):
            return (f"`{found[1]}` needs a value.", f"`{found[1]}` 需要一个值。"), None
        if found := re.match(r"argument (\S+): not allowed with argument (\S+)", message):
            sentence = (
                f"`{found[1]}` and `{found[2]}` exclude each other.",
                f"`{found[1]}` 与 `{found[2]}` 不能同时使用。",
            )
            return sentence, None
        if found := re.match(r"argument (\S+): ignored explicit argument", message):
            return (f"`{found[1]}` takes no value.", f"`{found[1]}` 不带值。"), None
        return (f"Wrong usage: {message}.", f"用法错误：{message}。"), None

    def _choices(self, name: str) -> list[str]:
        for action in self._actions:
            if name in (action.metavar, action.dest, "/".join(action.option_strings)):
                return [str(choice) for choice in action.choices or ()]
        return []


def _did_you_mean(word: str, known: list[str]) -> tuple[str, str] | None:
    import difflib

    near = difflib.get_close_matches(word, known, n=1, cutoff=0.6)
    return (f"Did you mean `{near[0]}`?", f"是否想写 `{near[0]}`？") if near else None
