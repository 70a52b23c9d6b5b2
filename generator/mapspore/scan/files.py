"""Find and read what is to be scanned: paths from the command line go in, files and their text come out.

Whatever is wrong with a file becomes one problem and the scan goes on: a folder that contains itself, a file that
cannot be read, is no UTF-8 or is huge. A named pipe does not block.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch
from typing import NamedTuple

from mapspore.base.diagnostics import WRONG_USAGE, Refusal
from mapspore.base.read_file import Reason, Unreadable, read_file, reason_of
from mapspore.scan import codes

LARGEST = 4 * 1024 * 1024
SUFFIXES = (".py", ".pyi", ".ipynb")
STDIN = "-"
Mark = tuple[int, int]
"""A folder, whatever its name: its device and its number there."""
Packages = dict[str, tuple[str, ...]]
"""By folder: its dotted name in parts, as far as folders have an `__init__`."""


class File(NamedTuple):
    """A file to scan."""

    path: str
    """As it is opened; `-` is standard input."""
    shown: str
    """As people see it: as given, with forward slashes."""
    module: str
    """Its dotted name as Python would import it."""
    package: bool
    """Whether it is the `__init__` of a package."""


class Problem(NamedTuple):
    """What is wrong with a file as a whole."""

    code: str
    shown: str
    line: int = 1
    column: int = 1
    detail: str = ""
    cell: int = 0


def find(paths: Iterable[str], exclude: Iterable[str] = ()) -> tuple[list[File], list[Problem]]:
    """The files below the paths, each once, in the order of their names."""
    found: dict[str, File] = {}
    problems: list[Problem] = []
    patterns = tuple(exclude)
    known: Packages = {}
    for given in paths:
        if given == STDIN:
            found[STDIN] = File(STDIN, STDIN, "", False)
        elif os.path.isdir(given):
            for file in (_file(path, given, known) for path in _below(given, patterns, problems)):
                found.setdefault(file.shown, file)
        elif os.path.lexists(given):
            file = _file(given, os.path.dirname(given), known)
            found.setdefault(file.shown, file)
        else:
            raise Refusal("C104", exit_code=WRONG_USAGE, given=given)
    return sorted(found.values(), key=lambda file: file.shown), problems


def _below(start: str, exclude: tuple[str, ...], problems: list[Problem]) -> Iterator[str]:
    """The files of a folder. Links to folders are followed, each folder once; one that leads back is a problem."""
    seen: set[Mark] = set()
    above: dict[Mark, None] = {}
    """The folders around the current one, from the outermost on."""
    waiting: list[str | None] = [start]
    """What to look at next, the last first; None where a folder ends."""
    while waiting:
        folder = waiting.pop()
        if folder is None:
            above.popitem()
            continue
        try:
            state = os.stat(folder)
            with os.scandir(folder) as listed:
                entries = sorted(listed, key=lambda entry: entry.name)
        except OSError as problem:
            problems.append(_problem(reason_of(problem), _shown(folder)))
            continue
        mark = (state.st_dev, state.st_ino)
        if mark in above:
            problems.append(Problem(codes.LOOP, _shown(folder)))
            continue
        if mark in seen or any(entry.name == "pyvenv.cfg" for entry in entries):
            continue
        seen.add(mark)
        above[mark] = None
        inside: list[str] = []
        for entry in entries:
            name, path = entry.name, entry.path
            if any(fnmatch(name, pattern) or fnmatch(_shown(path), pattern) for pattern in exclude):
                continue
            if os.path.isdir(path) if entry.is_symlink() else entry.is_dir():
                if not name.startswith(".") and name != "__pycache__":
                    inside.append(path)
            elif name.endswith(SUFFIXES):
                yield path
        waiting += [None, *reversed(inside)]


def _shown(path: str) -> str:
    return os.path.normpath(path).replace(os.sep, "/")


def _file(path: str, start: str, known: Packages) -> File:
    folder, name = os.path.split(path)
    stem = name.rpartition(".")[0]
    package = stem == "__init__"
    around = _package(folder, start, known)
    return File(path, _shown(path), ".".join(around if package else (*around, stem)), package)


def _package(folder: str, start: str, known: Packages) -> tuple[str, ...]:
    """The dotted name of a folder as a package, in parts."""
    folder, top = os.path.abspath(folder), os.path.abspath(start or ".")
    parts = _regular_package(folder, known)
    if not parts and folder.startswith(top + os.sep):  # folders without `__init__` are packages too, if none has one
        return tuple(os.path.relpath(folder, top).split(os.sep))
    return parts


def _regular_package(folder: str, known: Packages) -> tuple[str, ...]:
    """The names of a folder and of those around it, as far as they have an `__init__`."""
    unknown: list[str] = []
    while folder not in known and os.path.isfile(os.path.join(folder, "__init__.py")):
        folder, last = os.path.split(folder)
        unknown.append(last)
    parts = known.setdefault(folder, ())
    for last in reversed(unknown):
        folder = os.path.join(folder, last)
        parts = known[folder] = (*parts, last)
    return parts


def read(file: File) -> bytes | Problem:
    """The content of a file, or what is wrong with it."""
    if file.path == STDIN:
        import sys

        raw = sys.stdin.buffer.read(LARGEST + 1)
    else:
        try:
            return read_file(file.path, LARGEST)
        except Unreadable as problem:
            return _problem(problem.reason, file.shown)
    return raw if len(raw) <= LARGEST else _problem("large", file.shown)


def _problem(reason: Reason, shown: str) -> Problem:
    if reason == "loop":
        return Problem(codes.LOOP, shown)
    if reason == "large":
        return Problem(codes.TOO_LARGE, shown, detail=f"{LARGEST // 1024 // 1024} MiB")
    return Problem(codes.UNREADABLE, shown, detail=reason)


def read_all(files: Iterable[File]) -> dict[str, bytes | Problem]:
    """The content of files by their path."""
    return {file.path: read(file) for file in files}


def decode(raw: bytes, shown: str) -> str | Problem:
    """The text of a file, without a byte order mark."""
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        before = raw[: problem.start]
        line = before.count(b"\n") + 1
        column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8", "replace")) + 1
        return Problem(codes.NOT_UTF8, shown, line, column)
