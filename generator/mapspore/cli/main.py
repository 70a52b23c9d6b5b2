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

from mapspore.base.diagnostics import WRONG_USAGE, Refusal, system_reason
from mapspore.base.gc_pause import gc_paused
from mapspore.base.interruption import kept_interruptions
from mapspore.base.language import LANGUAGES, Language, from_environment
from mapspore.cli.complain import complain

CLEAN, PROBLEMS, OUR_FAULT, SIGNALLED, NOBODY_READS = 0, 1, 70, 128, 141


COMMANDS = (
    "show", "list", "scan", "migrate", "check", "fix", "new", "generate", "verify", "record", "errata", "preview",
    "explain", "export", "schema", "facts", "env",
)  # fmt: skip
"""As the overview lists them; `mapspore.cli.commands` has a module of each name, `templates/text/cli.yaml` the help."""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    language = _language(arguments)
    try:
        with kept_interruptions():
            return _answered(arguments, language)
    except KeyboardInterrupt as ending:  # also one that comes while another failure is told
        return _interrupted(language, ending)


def _answered(arguments: list[str], language: Language) -> int:
    """Runs one command, and tells why it failed."""
    try:
        _speak_utf8()
        with gc_paused():
            code = _run(arguments, language)
        sys.stdout.flush()
        return code
    except Refusal as refusal:
        complain(refusal, language)
        return refusal.exit_code
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
    with _undisturbed():
        from mapspore.text.phrases import say

        print(say("cli.frame.interrupted", language), file=sys.stderr)
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
    if first not in COMMANDS:
        raise _unknown(first)
    from mapspore.cli.options import Parser

    parser = Parser(f"mapspore {first}", language)
    with _undisturbed():
        module = import_module(f"mapspore.cli.commands.{first}")
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
    from mapspore.text.phrases import catalogue, say

    told = {key: say(f"cli.frame.{key}", language) for key in ("about", "usage", "commands", "options", "example")}
    about = catalogue("cli")["commands"]
    commands = [f"  {name:<10}{about[name]['about'][language]}" for name in COMMANDS]
    options = [say(f"cli.frame.{option}", language) for option in ("help", "version")]
    return "\n".join([
        told["about"], "", told["usage"], "", told["commands"], *commands, "", told["options"], *options, "",
        told["example"], f"  mapspore {about[COMMANDS[0]]['examples'][0]}",
    ])  # fmt: skip


def _unknown(word: str) -> Refusal:
    if word.startswith("-"):
        return Refusal("C002", exit_code=WRONG_USAGE, given=word)
    import difflib

    near = "".join(difflib.get_close_matches(word, COMMANDS, n=1, cutoff=0.5))
    return Refusal("C001", hint="near" if near else "", exit_code=WRONG_USAGE, given=word, near=near)


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


def _fault(problem: Exception, language: Language) -> int:
    """A file that cannot be read or written is for the person to mend; anything else is for us."""
    if os.environ.get("MAPSPORE_DEBUG"):
        import traceback

        traceback.print_exception(problem)
    if isinstance(problem, OSError) and problem.strerror:
        place = "output" if problem.filename is None else ""
        complain(Refusal("C004", place, path=problem.filename, reason=system_reason(problem)), language)
        if problem.filename is None:
            _stop_writing()
        return PROBLEMS
    complain(Refusal("C005", what=f"{type(problem).__name__}: {problem}"), language)
    return OUR_FAULT


def _stop_writing() -> None:
    """Nobody reads our output any more; without this Python would complain about it while it exits."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
