"""Runs an unchanged torch program on MindSpore: `python -m torchspore.run program.py`. In: a program, its arguments.
Out: what the program does, as if Python itself had started it, with this package where it or a library imports torch.
`--check` tells what the program lacks without running it; looking for that is left to mapspore's scan.
"""

from __future__ import annotations

import argparse
import ast
import builtins
import importlib.util
import json
import os
import runpy
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any, NoReturn

from torchspore._alias import install

NAME = "torchspore.run"
WRONG = 2
"""The exit code for a command line that cannot be followed."""
UNKNOWN, STOPS = "S201", ("S001", "S113", "S114")
"""Codes of mapspore's scan: a name without an entry; a file that Python cannot read, a name without a counterpart, and
one that must be written differently."""
_EXAMPLE = f"""`import torch` gives torchspore in the program and in every library that it uses.

example:
  python -m {NAME} train.py --epochs 3
  python -m {NAME} --check train.py
  python -m torchspore.launch --nproc 2 -m {NAME} train.py
"""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{NAME}: {message}.\n  python -m {NAME} --help shows an example\n")


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    unusable = _unusable(options.program, options.module)
    if unusable:
        return _complain(unusable)
    if options.check:
        return check([_home(options.program)] if options.module else sources(options.program))
    return run(options.program, options.arguments, options.module)


def _unusable(program: str, is_module: bool) -> str:
    """Why a program cannot be run; empty if it can."""
    place = Path(program)
    if is_module:
        return "" if importlib.util.find_spec(program.partition(".")[0]) else f"there is no module {program!r}"
    if place.is_dir():
        return "" if (place / "__main__.py").is_file() else f"{program!r} is a folder without a __main__.py"
    try:
        place.open("rb").close()
    except OSError as problem:
        return f"{program!r} cannot be read ({problem.strerror})" if place.exists() else f"there is no file {program!r}"
    return ""


def _home(module: str) -> str:
    """The file or folder of the package that a module belongs to."""
    spec = importlib.util.find_spec(module.partition(".")[0])
    assert spec is not None
    return next(iter(spec.submodule_search_locations or ()), spec.origin or "")


def run(program: str, arguments: Sequence[str], as_module: bool = False) -> int:
    """Run a program, or with `as_module` a module, as the main program of this process."""
    install()
    sys.argv = [program, *arguments]
    if as_module:
        return _ended(lambda: runpy.run_module(program, run_name="__main__", alter_sys=True))
    if not sys.flags.safe_path:
        sys.path[0] = str(Path(program).resolve().parent)
    if Path(program).is_dir() or program.endswith((".zip", ".pyz")):
        return _ended(lambda: runpy.run_path(program, run_name="__main__"))
    return _ended(lambda: _run_file(program))


def _run_file(program: str) -> None:
    """What Python does with a file that it is given."""
    file = os.path.abspath(program)
    main = ModuleType("__main__")
    main.__file__, main.__loader__, main.__spec__ = file, SourceFileLoader("__main__", file), None
    main.__dict__.update(__builtins__=builtins, __annotations__={}, __cached__=None)
    sys.modules["__main__"] = main
    exec(compile(Path(file).read_bytes(), file, "exec", dont_inherit=True), main.__dict__)


def _ended(start: Callable[[], Any]) -> int:
    """Let a program run to its end. An error is told by the lines of the program alone, as Python would."""
    try:
        start()
    except Exception as error:
        within = _within(error.__traceback__)
        sys.excepthook(type(error), error.with_traceback(within), within)
        return 1
    return 0


def _within(trace: TracebackType | None) -> TracebackType | None:
    """A trace without the lines that lead into the program."""
    ours = (__file__, runpy.__file__, f"<frozen {runpy.__name__}>")
    while trace is not None and trace.tb_frame.f_code.co_filename in ours:
        trace = trace.tb_next
    return trace


def check(paths: Sequence[str]) -> int:
    """Say which names of torch a program uses in vain, with their places: 1 if there are any, 2 if nothing can tell."""
    if importlib.util.find_spec("mapspore") is None:
        return _complain("--check asks mapspore, and it is not installed beside torchspore: pip install mapspore")
    command = [sys.executable, "-m", "mapspore", "scan", "--format", "json", "--no-cache", *paths]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    try:
        lacking = [each for each in json.loads(done.stdout)["findings"] if is_lacking(each)]
    except (ValueError, KeyError, TypeError):
        return _complain(f"mapspore could not look for it: {done.stderr.strip()}")
    for each in lacking:
        print(f"{each['path']}:{each['line']}:{each['column']}: {each['torch'] or each['code']}: {each['says']['en']}")
    names = {each["torch"] for each in lacking}
    print(
        f"{NAME}: {_counted(len(names), 'name')} lacking, in {_counted(len(lacking), 'place')}; the scan sees no more."
    )
    return 1 if lacking else 0


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def is_lacking(finding: dict[str, Any]) -> bool:
    """Whether a finding of the scan will stop the program. The scan goes by entries; what the adapter has besides them,
    such as a member of its tensors, is there."""
    if finding["code"] == UNKNOWN:
        return not is_here(finding["torch"])
    return finding["code"] in STOPS or (finding["severity"] == "breaks" and not finding["adapter"])


def is_here(name: str) -> bool:
    """Whether something stands here for a name of torch, and not only its refusal."""
    found: Any = importlib.import_module("torchspore")
    try:
        for part in name.split(".")[1:]:
            found = getattr(found, part)
        return not hasattr(found, "lacks")
    except (AttributeError, NotImplementedError):
        return False


def sources(program: str) -> list[str]:
    """The files of a program: its own, and those that it imports from beside it."""
    place = Path(program)
    if place.is_dir():
        return [program]
    found, waiting = [place], [place]
    while waiting:
        for name in _imported(waiting.pop()):
            base = place.parent.joinpath(*name.split("."))
            for file in (base.with_suffix(".py"), base / "__init__.py"):
                if file.is_file() and file not in found:
                    found.append(file)
                    waiting.append(file)
    return [str(file) for file in found]


def _imported(file: Path) -> Iterator[str]:
    """The modules that a file may import, by full name."""
    try:
        tree = ast.parse(file.read_bytes())
    except (SyntaxError, ValueError):
        return  # the scan says so
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _complain(sentence: str) -> int:
    print(f"{NAME}: {sentence}.\n  python -m {NAME} --help shows an example", file=sys.stderr)
    return WRONG


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog=f"python -m {NAME}",
        usage=f"python -m {NAME} [--check] [-m] program ...",
        description="Run a torch program, as it is, on MindSpore.",
        epilog=_EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("--check", action="store_true", help="only say which names of torch the program would use in vain")
    add("-m", "--module", action="store_true", help="run a module, as python -m does")
    add("program", help="the program, or with -m the module")
    add("arguments", nargs=argparse.REMAINDER, metavar="...", help="its own arguments")
    return parser


if __name__ == "__main__":
    sys.exit(main())
