"""Scan many files: on all cores, from the cache where a file is unchanged, and across the modules that are scanned.

Each file is first read by itself. Then names that one scanned module takes from another are followed (`from .compat
import dist`), and the files that take something of torch that way are read once more, knowing it.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple

from mapspore.memory import uncollected
from mapspore.scan.cache import Cache, key
from mapspore.scan.files import STDIN, File, Problem, read
from mapspore.scan.one import EMPTY, Result, scan_text
from mapspore.scan.ruleset import Ruleset

SMALL = 400_000
"""Bytes below which starting processes costs more than it saves."""


Exports = dict[str, tuple[str, str, bool]]
"""By dotted name in scanned modules: what of torch it stands for, the module that imports that, and whether surely."""


class Scanned(NamedTuple):
    """All files with what was found in them, in order, and how much was looked at."""

    results: list[tuple[File, Result]]
    files: int
    lines: int


class _Job(NamedTuple):
    file: File
    name: str
    """The key in the cache."""
    linked: Exports | None = None
    raw: bytes | None = None
    """Given for what cannot be read again: standard input."""


def scan(files: list[File], rules: Ruleset, jobs: int = 0, cached: bool = True) -> Scanned:
    """What all of the files hold."""
    packages = frozenset(file.module.partition(".")[0] for file in files) - {""}
    shared = "\0".join([rules.digest, *sorted(packages)]).encode()
    cache = Cache(key(shared), cached)
    results: dict[str, Result] = {}
    waiting: list[tuple[int, _Job]] = []
    quiet: list[File] = []
    names: dict[str, str] = {}
    raws: dict[str, bytes] = {}
    count = _processes(jobs)
    size = lines = 0
    for file in files:
        raw = read(file)
        if isinstance(raw, Problem):
            results[file.path] = EMPTY._replace(problems=[[raw.code, raw.line, raw.column, raw.detail, raw.cell]])
            continue
        lines += raw.count(b"\n")
        if file.path == STDIN:
            raws[STDIN] = raw
        if b"torch" not in raw:
            quiet.append(file)
            continue
        names[file.path] = name = key(raw, file.module.encode(), b"1" if file.package else b"")
        known = cache.get(name)
        if known is not None:
            results[file.path] = known
        else:
            waiting.append((len(raw), _Job(file, name, None, raw if count == 1 else raws.get(file.path))))
            size += len(raw)
    try:
        with _workers(rules, packages, count if size >= SMALL else 1) as work:

            def run(todo: list[_Job]) -> None:
                done = []
                for job, result in zip(todo, work(todo), strict=True):
                    results[job.file.path] = result
                    done.append((job.name, result))
                cache.keep(done)

            waiting.sort(key=lambda each: -each[0])  # the longest first
            todo = [job for _, job in waiting]
            waiting.clear()
            run(todo)
            _link(files, quiet, results, names, raws, cache, run)
    finally:
        cache.close()
    return Scanned([(file, results[file.path]) for file in files if file.path in results], len(files), lines)


def _link(
    files: list[File], quiet: list[File], results: dict[str, Result], names: dict[str, str], raws: dict[str, bytes],
    cache: Cache, run: Callable[[list[_Job]], None],
) -> None:  # fmt: skip
    """Follow names across scanned modules, until nothing new comes to light."""

    def start(todo: Iterable[_Job]) -> None:
        missing = []
        for job in todo:
            known = cache.get(job.name)
            if known is None:
                missing.append(job)
            else:
                results[job.file.path] = known
        run(missing)

    exports = exported(files, results)
    sought: set[str] = set()
    while True:
        wanted = {path.rpartition(".")[2] for path in exports} - {"torch"}
        if wanted <= sought:
            break
        sought = wanted
        pattern = _taking(wanted)
        more = []
        for file in quiet:
            raw = raws.get(file.path) or read(file)
            if isinstance(raw, bytes) and pattern.search(raw):
                names[file.path] = name = key(raw, file.module.encode(), b"1" if file.package else b"")
                more.append(_Job(file, name, None, raws.get(file.path)))
        if not more:
            break
        found = {job.file.path for job in more}
        quiet = [file for file in quiet if file.path not in found]
        start(more)
        exports = exported(files, results)
    again = []
    for file, linked in links(files, results, exports):
        name = key(names[file.path].encode(), json.dumps(linked, sort_keys=True).encode())
        again.append(_Job(file, name, linked, raws.get(file.path)))
    start(again)


def links(files: list[File], results: Mapping[str, Result], exports: Exports) -> Iterator[tuple[File, Exports]]:
    """The files that take something of torch from other scanned files, with what that is."""
    by_module = _by_module(exports)
    modules = {file.module for file in files}
    for file in files:
        result = results.get(file.path)
        linked = _wanted(result.takes, exports, by_module, modules) if result is not None else {}
        if linked:
            yield file, linked


def exported(files: list[File], results: Mapping[str, Result]) -> Exports:
    """What of torch the scanned modules hold, also what they took from one another."""
    modules = {file.module for file in files}
    torch: Exports = {}
    passed: dict[str, tuple[str, bool]] = {}
    stars: list[tuple[str, str]] = []
    for file in files:
        result = results.get(file.path)
        if result is None or not file.module:
            continue
        for name, (path, sure) in result.exports.items():
            if path == "torch" or path.startswith("torch."):
                torch[f"{file.module}.{name}"] = (path, file.module, sure)
            else:
                passed[f"{file.module}.{name}"] = (path, sure)
        stars += [(file.module, source) for source in result.stars]
    while True:
        fresh = {}
        for name, (path, sure) in passed.items():
            prefix = _exported_prefix(path, torch, modules)
            if prefix:
                target, module, known = torch[prefix]
                fresh[name] = (target + path[len(prefix) :], module, sure and known)
        for name in fresh:
            del passed[name]
        by_module = _by_module({**torch, **fresh}) if stars else {}
        for module, source in stars:
            for path in by_module.get(source, ()):
                name = f"{module}.{path.rpartition('.')[2]}"
                if name not in torch and "._" not in name:
                    fresh[name] = torch.get(path) or fresh[path]
        if not fresh:
            return torch
        torch |= fresh


def _by_module(exports: Iterable[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for path in exports:
        found.setdefault(path.rpartition(".")[0], []).append(path)
    return found


def _exported_prefix(path: str, exports: Exports, modules: set[str]) -> str:
    """As much of a dotted name as one of the exports is; a module goes before what another has under its name."""
    prefix = path
    while prefix and prefix not in modules:
        if prefix in exports:
            return prefix
        prefix = prefix.rpartition(".")[0]
    return ""


def _wanted(takes: list[str], exports: Exports, by_module: dict[str, list[str]], modules: set[str]) -> Exports:
    """What of the exports a file can mean by what it takes."""
    wanted: Exports = {}
    for take in takes:
        if take.endswith(".*"):
            wanted.update((path, exports[path]) for path in by_module.get(take[:-2], ()))
        else:
            prefix = _exported_prefix(take, exports, modules)
            if prefix:
                wanted[prefix] = exports[prefix]
    return dict(sorted(wanted.items()))


def _taking(names: set[str]) -> re.Pattern[bytes]:
    """Finds text that can take one of the names from another module: after `import`, or as an attribute."""
    listed = "|".join(re.escape(name) for name in sorted(names))
    return re.compile(
        rf"import\s*\([^)]*\b(?:{listed})\b|import[^\n]*\b(?:{listed})\b|import[^\n]*\*|\.(?:{listed})\b".encode()
    )


_rules: Ruleset | None = None
_packages: frozenset[str] = frozenset()


def _begin(rules: Ruleset, packages: frozenset[str]) -> None:
    global _rules, _packages
    import gc

    gc.disable()  # syntax trees hold no cycles, and looking for some takes a third of the time
    _rules, _packages = rules, packages


def _work(job: _Job) -> Result:
    assert _rules is not None
    raw = job.raw if job.raw is not None else read(job.file)
    if isinstance(raw, Problem):
        return EMPTY._replace(problems=[[raw.code, raw.line, raw.column, raw.detail, raw.cell]])
    return scan_text(raw, job.file, _rules, _packages, job.linked)


def _processes(jobs: int) -> int:
    """How many processes to use: as many as asked for, or one per core."""
    if jobs:
        return jobs
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def _workers(
    rules: Ruleset, packages: frozenset[str], count: int
) -> Iterator[Callable[[list[_Job]], Iterable[Result]]]:
    """Something that does jobs, in their order: worker processes, or this one if one is enough."""
    if count == 1:
        with uncollected():
            _begin(rules, packages)
            yield lambda todo: map(_work, todo)
        return
    import multiprocessing

    way = "fork" if "fork" in multiprocessing.get_all_start_methods() else "spawn"
    with multiprocessing.get_context(way).Pool(count, _begin, (rules, packages)) as pool:
        yield lambda todo: pool.imap(_work, todo, chunksize=4)
