"""Find and read what is to be scanned: paths from the command line go in, files and their text come out.

Whatever is wrong with a file becomes one problem and the scan goes on: a folder that contains itself, a file that
cannot be read, is no UTF-8 or is huge. A named pipe does not block.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch
from functools import cache
from typing import NamedTuple

from mapspore.base.diagnostics import Refusal
from mapspore.scan import codes

LARGEST = 4 * 1024 * 1024
SUFFIXES = (".py", ".pyi", ".ipynb")
STDIN = "-"


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
    for given in paths:
        if given == STDIN:
            found[STDIN] = File(STDIN, STDIN, "", False)
        elif os.path.isdir(given):
            for file in (_file(path, given) for path in _below(given, patterns, problems)):
                found.setdefault(file.shown, file)
        elif os.path.lexists(given):
            file = _file(given, os.path.dirname(given))
            found.setdefault(file.shown, file)
        else:
            raise Refusal(
                f"There is no file or folder `{given}`.", "Paths are relative to where you are.", 2,
                zh=(f"没有文件或文件夹 `{given}`。", "路径以当前位置为准。"),
            )  # fmt: skip
    return sorted(found.values(), key=lambda file: file.shown), problems


def _below(start: str, exclude: tuple[str, ...], problems: list[Problem]) -> Iterator[str]:
    """The files of a folder. Links to folders are followed, each folder once; one that leads back is a problem."""
    seen: set[tuple[int, int]] = set()

    def walk(folder: str, above: tuple[tuple[int, int], ...]) -> Iterator[str]:
        try:
            state = os.stat(folder)
            with os.scandir(folder) as listed:
                entries = sorted(listed, key=lambda entry: entry.name)
        except OSError as problem:
            code = codes.LOOP if problem.errno == errno.ELOOP else codes.UNREADABLE
            problems.append(Problem(code, _shown(folder), detail=_reason(problem)))
            return
        mark = (state.st_dev, state.st_ino)
        if mark in above:
            problems.append(Problem(codes.LOOP, _shown(folder)))
            return
        if mark in seen or any(entry.name == "pyvenv.cfg" for entry in entries):
            return
        seen.add(mark)
        for entry in entries:
            name, path = entry.name, entry.path
            if any(fnmatch(name, pattern) or fnmatch(_shown(path), pattern) for pattern in exclude):
                continue
            if os.path.isdir(path) if entry.is_symlink() else entry.is_dir():
                if not name.startswith(".") and name != "__pycache__":
                    yield from walk(path, (*above, mark))
            elif name.endswith(SUFFIXES):
                yield path

    return walk(start, ())


def _shown(path: str) -> str:
    return os.path.normpath(path).replace(os.sep, "/")


def _file(path: str, start: str) -> File:
    folder, name = os.path.split(path)
    stem = name.rpartition(".")[0]
    package = stem == "__init__"
    around = _package(folder, start)
    return File(path, _shown(path), ".".join(around if package else (*around, stem)), package)


@cache
def _package(folder: str, start: str) -> tuple[str, ...]:
    """The dotted name of a folder as a package, in parts."""
    folder, top = os.path.abspath(folder), os.path.abspath(start or ".")
    parts: list[str] = []
    while os.path.isfile(os.path.join(folder, "__init__.py")):
        folder, last = os.path.split(folder)
        parts.insert(0, last)
    if not parts and folder.startswith(top + os.sep):  # folders without `__init__` are packages too, if none has one
        parts = os.path.relpath(folder, top).split(os.sep)
    return tuple(parts)


def read(file: File) -> bytes | Problem:
    """The content of a file, or what is wrong with it."""
    if file.path == STDIN:
        import sys

        raw = sys.stdin.buffer.read(LARGEST + 1)
    else:
        try:
            handle = os.open(file.path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0))
            with open(handle, "rb", buffering=0) as stream:
                state = os.fstat(handle)
                if not stat.S_ISREG(state.st_mode):
                    return Problem(codes.UNREADABLE, file.shown, detail="special")
                raw = stream.readall() if state.st_size <= LARGEST else stream.read(LARGEST + 1)
        except OSError as problem:
            code = codes.LOOP if problem.errno == errno.ELOOP else codes.UNREADABLE
            return Problem(code, file.shown, detail=_reason(problem))
    if len(raw) > LARGEST:
        return Problem(codes.TOO_LARGE, file.shown, detail=f"{LARGEST // 1024 // 1024} MiB")
    return raw


def decode(raw: bytes, shown: str) -> str | Problem:
    """The text of a file, without a byte order mark."""
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        before = raw[: problem.start]
        line = before.count(b"\n") + 1
        column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8", "replace")) + 1
        return Problem(codes.NOT_UTF8, shown, line, column)


_REASONS = {errno.ENOENT: "missing", errno.EACCES: "denied", errno.EPERM: "denied", errno.EISDIR: "special",
            errno.ENXIO: "special"}  # fmt: skip


def _reason(problem: OSError) -> str:
    return _REASONS.get(problem.errno or 0, "failed")
