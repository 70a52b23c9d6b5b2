"""Scan many files: on all cores, from the cache where a file is unchanged, and across the modules that are scanned.

Each file is first read by itself. Then names that one scanned module takes from another are followed (`from .compat
import dist`), and the files that take something of torch that way are read once more, knowing it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple

from mapspore.base.gc_pause import gc_paused
from mapspore.scan.cache import Cache, key
from mapspore.scan.exports import Exports, ExportTable
from mapspore.scan.files import File, Problem
from mapspore.scan.ruleset import Ruleset
from mapspore.scan.scan_file import Result, scan_text, unread
from mapspore.scan.taken_names import TakenNames

SMALL = 400_000
"""Bytes below which starting processes costs more than it saves."""


class Scanned(NamedTuple):
    """All files with what was found in them, in order, and how much was looked at."""

    results: list[tuple[File, Result]]
    files: int
    lines: int


class _Job(NamedTuple):
    file: File
    name: str
    """The key in the cache."""
    raw: bytes
    linked: Exports | None = None


Work = Callable[[list[_Job]], Iterable[Result]]


def scan(
    files: list[File], contents: Mapping[str, bytes | Problem], rules: Ruleset, jobs: int = 0, cached: bool = True
) -> Scanned:
    """What all of the files hold; `contents` are read once, so that a result belongs to the bytes it is kept under."""
    packages = frozenset(file.module.partition(".")[0] for file in files) - {""}
    cache = Cache(key(_bytes("\0".join([rules.digest, *sorted(packages)]))), cached)
    answers = _Answers(cache)
    alone: dict[str, _Job] = {}
    """By path: to read a file by itself."""
    sizes: dict[str, int] = {}
    """Of those that speak of torch."""
    parts: list[str] = []
    lines = 0
    for file in files:
        raw = contents[file.path]
        if isinstance(raw, Problem):
            answers.results[file.path] = unread(raw)
            parts += ["", file.module]
            continue
        lines += raw.count(b"\n")
        marks = f"{file.module} {file.package} {file.shown.endswith('.ipynb')}"
        name = key(raw, _bytes(marks))
        parts += [name, file.module]
        alone[file.path] = _Job(file, name, raw)
        if b"torch" in raw:
            sizes[file.path] = len(raw)
    try:
        whole = key(_bytes("\0".join(parts)))
        if not answers.recalled(whole, files):
            todo = [path for path in sizes if not answers.known(alone[path])]
            todo.sort(key=lambda path: -sizes[path])  # the longest first
            count = _processes(jobs) if sum(sizes[path] for path in todo) >= SMALL else 1
            with _workers(rules, packages, count) as work:
                answers.find([alone[path] for path in todo], work)
                _link(files, alone, [job for path, job in alone.items() if path not in sizes], answers, work)
            answers.remember(whole, files)
    finally:
        cache.close()
    results = answers.results
    return Scanned([(file, results[file.path]) for file in files if file.path in results], len(files), lines)


class _Answers:
    """The results of a scan under way, by path, and how to have more: from the cache, or by work that is kept there."""

    def __init__(self, cache: Cache) -> None:
        self.results: dict[str, Result] = {}
        self._names: dict[str, str] = {}
        """By path: the key of the result."""
        self._cache = cache

    def known(self, job: _Job) -> bool:
        """Whether the cache has the answer; if so it is taken."""
        known = self._cache.get(job.name)
        if known is not None:
            self.results[job.file.path], self._names[job.file.path] = known, job.name
        return known is not None

    def find(self, todo: list[_Job], work: Work) -> None:
        """Do what the cache does not know, and keep it there."""
        done = []
        for job, result in zip(todo, work(todo), strict=True):
            self.results[job.file.path], self._names[job.file.path] = result, job.name
            done.append((job.name, result))
        self._cache.keep(done)

    def remember(self, whole: str, files: list[File]) -> None:
        """Keep which results belong to these files with this content."""
        self._cache.keep_names(whole, [self._names.get(file.path) for file in files])

    def recalled(self, whole: str, files: list[File]) -> bool:
        """Whether just these files with this content were scanned before; if so all answers are taken."""
        names = self._cache.names(whole)
        if names is None or len(names) != len(files):
            return False
        found = {file.path: self._cache.get(name) for file, name in zip(files, names, strict=True) if name}
        kept = {path: result for path, result in found.items() if result is not None}
        if len(kept) < len(found):
            return False
        self.results |= kept
        return True


def _bytes(text: str) -> bytes:
    """Text with any file name in it."""
    return text.encode("utf-8", "surrogateescape")


def _link(files: list[File], alone: Mapping[str, _Job], quiet: list[_Job], answers: _Answers, work: Work) -> None:
    """Follow names across scanned modules, also into those that are quiet about torch, until nothing new is found."""
    table = ExportTable(files)
    new = table.add((file, answers.results[file.path]) for file in files if file.path in answers.results)
    unread = TakenNames()
    if new:
        for job in quiet:
            unread.add(job.file.path, job.raw)
    while more := [alone[path] for path in unread.taking(new - {"torch"})]:
        answers.find([job for job in more if not answers.known(job)], work)
        new = table.add((job.file, answers.results[job.file.path]) for job in more)
    again = []
    for file in files:
        result = answers.results.get(file.path)
        linked = table.linked(result.takes) if result is not None else {}
        if linked:
            name = key(alone[file.path].name.encode(), json.dumps(linked, sort_keys=True).encode())
            again.append(alone[file.path]._replace(name=name, linked=linked))
    answers.find([job for job in again if not answers.known(job)], work)


_rules: Ruleset | None = None
_packages: frozenset[str] = frozenset()


def _begin(rules: Ruleset, packages: frozenset[str]) -> None:
    global _rules, _packages
    import gc

    gc.disable()  # syntax trees hold no cycles, and looking for some takes a third of the time
    _rules, _packages = rules, packages


def _work(job: _Job) -> Result:
    assert _rules is not None
    return scan_text(job.raw, job.file, _rules, _packages, job.linked)


def _processes(jobs: int) -> int:
    """How many processes to use: as many as asked for, or one per core."""
    if jobs:
        return jobs
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def _workers(rules: Ruleset, packages: frozenset[str], count: int) -> Iterator[Work]:
    """Something that does jobs, in their order: worker processes, or this one if one is enough."""
    if count == 1:
        with gc_paused():
            _begin(rules, packages)
            yield lambda todo: map(_work, todo)
        return
    import multiprocessing

    way = "fork" if "fork" in multiprocessing.get_all_start_methods() else "spawn"
    with multiprocessing.get_context(way).Pool(count, _begin, (rules, packages)) as pool:
        yield lambda todo: pool.imap(_work, todo, chunksize=4)
