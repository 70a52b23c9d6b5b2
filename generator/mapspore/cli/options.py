"""Reading a command's arguments: argparse, with help and complaints in our words and both languages.

Every command gets `--root`, `--lang` and `--help` from here. What the help says of a command and of its arguments
stands in `templates/text/cli.yaml` under their names, and is read only where it is shown. A wrong argument becomes a
`Refusal`.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import NoReturn

from mapspore.base.diagnostics import WRONG_USAGE, Refusal
from mapspore.base.language import LANGUAGES, Language


class _Formatter(argparse.RawDescriptionHelpFormatter):
    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=26, width=100)


class Parser(argparse.ArgumentParser):
    """The parser of one command, or of one of its parts."""

    def __init__(self, prog: str, language: Language = "en") -> None:
        super().__init__(
            prog, add_help=False, allow_abbrev=False, conflict_handler="resolve", formatter_class=_Formatter
        )
        self.language = language

    def add_common(self, part: bool = False) -> None:
        """The options that every command has.

        A part of a command gets them without defaults, which would undo what stands before its name.
        """
        self.add_argument("--root", metavar="DIR", type=Path, default=argparse.SUPPRESS if part else None)
        self.add_argument("--lang", choices=LANGUAGES, default=argparse.SUPPRESS if part else self.language)
        self.add_argument("-h", "--help", action="help")

    def add_overlay(self) -> None:
        """The option of all commands that read entries for somebody's own rules."""
        self.add_argument("--overlay", metavar="DIR", type=Path, action="append")

    def add_part(self, parts: argparse._SubParsersAction[Parser], name: str) -> Parser:
        """A part of the command, such as `diff` of `facts`."""
        # argparse names the part itself, and gives its class nothing but keywords.
        added = parts.add_parser(name, language=self.language, help=name)
        added.add_common(part=True)
        return added

    def format_help(self) -> str:
        """The help; argparse puts colons and `usage` of its own, which become those of the language."""
        from mapspore.text.phrases import say

        title = {
            part: say(f"cli.frame.{part}", self.language) for part in ("arguments", "options", "parts", "usage_of")
        }
        self._put_into_words(title)
        text = super().format_help().replace("usage: ", title.pop("usage_of"), 1)
        for heading in title.values():
            text = text.replace(f"\n{heading[:-1]}:\n", f"\n{heading}\n")
        return text

    def _put_into_words(self, title: dict[str, str]) -> None:
        """Gives the command and its arguments their texts, which only the help needs."""
        from mapspore.text.phrases import catalogue, say

        texts, language, command = catalogue("cli"), self.language, self.prog.removeprefix("mapspore ")
        own = texts["commands"][command]
        self.description = own["about"][language]
        examples = (f"  mapspore {example}" for example in own["examples"])
        self.epilog = "\n".join([say("cli.frame.example", language), *examples])
        self._positionals.title, self._optionals.title = title["arguments"][:-1], title["options"][:-1]
        for action in self._actions:
            if isinstance(action, argparse._SubParsersAction):
                assert self._subparsers is not None
                self._subparsers.title = title["parts"][:-1]
                for part in action._choices_actions:
                    part.help = texts["commands"][f"{command} {part.dest}"]["about"][language]
            else:
                text = own["arguments"].get(action.dest) or texts["arguments"][action.dest]
                action.help = text[language].replace("%", "%%")

    def error(self, message: str) -> NoReturn:
        raise self._in_our_words(message)

    def _in_our_words(self, message: str) -> Refusal:
        """The refusal for one of argparse's complaints."""
        if found := re.match(r"unrecognized arguments: (.*)", message, re.DOTALL):
            given = found[1].split(" ")[0]
            flags = [flag for action in self._actions for flag in action.option_strings]
            near = _nearest(given.split("=")[0], flags)
            return self._refusal("unknown", hint="near" if near else "other", given=given, near=near)
        if found := re.match(r"the following arguments are required: (.*)", message):
            return self._refusal("missing", name=found[1])
        if found := re.match(r"argument (\S+): invalid choice: '(.*)' \(choose from", message, re.DOTALL):
            name, given = found[1], found[2]
            choices = self._choices(name)
            near = _nearest(given, choices)
            hint = "near" if near else "choices"
            return self._refusal("choice", hint=hint, given=given, name=name, near=near, choices=", ".join(choices))
        if found := re.match(r"argument (\S+): expected (?:one|at least one) argument", message):
            return self._refusal("value", name=found[1])
        if found := re.match(r"argument (\S+): not allowed with argument (\S+)", message):
            return self._refusal("exclusive", name=found[1], other=found[2])
        if found := re.match(r"argument (\S+): ignored explicit argument", message):
            return self._refusal("no_value", name=found[1])
        return self._refusal("", detail=message)

    def _refusal(self, variant: str, hint: str = "", **values: str) -> Refusal:
        return Refusal("C003", variant, hint=hint, exit_code=WRONG_USAGE, command=self.prog, **values)

    def _choices(self, name: str) -> list[str]:
        for action in self._actions:
            if name in (action.metavar, action.dest, "/".join(action.option_strings)):
                return [str(choice) for choice in action.choices or ()]
        return []


def _nearest(word: str, known: list[str]) -> str:
    """The known word that is spelt most alike, if one is near."""
    import difflib

    return "".join(difflib.get_close_matches(word, known, n=1, cutoff=0.6))
