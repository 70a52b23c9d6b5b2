"""Stage 7, write or compare: artifacts in memory against a folder on disk.

Everything is staged beside its destination first and then put in place by renaming (`base.staging`), so a full disk or
an interruption leaves either the old files or the new ones. A file is only ever deleted if its first line says that it
was generated. A link or a special file where a generated file belongs is not followed.
"""

from __future__ import annotations

import contextlib
import difflib
import fcntl
import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from mapspore.base.artifact import MARK, Artifact
from mapspore.base.diagnostics import Refusal, system_reason
from mapspore.base.staging import Staging, sweep, told_of_the_end, uninterrupted


@dataclass(frozen=True, slots=True)
class Plan:
    """What would change: artifacts that are new or differ, and generated files that nothing makes any more."""

    folder: Path
    changed: tuple[Artifact, ...]
    stale: tuple[str, ...]
    unchanged: int
    places: frozenset[Path] = frozenset()
    """The folders that artifacts lie in, be they new or not."""

    @property
    def empty(self) -> bool:
        return not self.changed and not self.stale


def compare(artifacts: Iterable[Artifact], folder: Path, owned: Iterable[str]) -> Plan:
    """The plan for a folder; in the `owned` subfolders, generated files without an artifact are stale."""
    changed: list[Artifact] = []
    expected: set[str] = set()
    places: set[Path] = set()
    unchanged = 0
    for artifact in artifacts:
        expected.add(artifact.path)
        places.add((folder / artifact.path).parent)
        if _read(folder / artifact.path) == artifact.text.encode("utf-8"):
            unchanged += 1
        else:
            changed.append(artifact)
    stale = [path for place in owned for path in _generated(folder, place) if path not in expected]
    return Plan(folder, tuple(changed), tuple(sorted(stale)), unchanged, frozenset(places))


def difference(plan: Plan) -> Iterator[str]:
    """The plan as a unified diff."""
    for artifact in plan.changed:
        old = (_read(plan.folder / artifact.path) or b"").decode("utf-8", "replace")
        yield from _unified(artifact.path, old, artifact.text)
    for path in plan.stale:
        yield from _unified(path, (_read(plan.folder / path) or b"").decode("utf-8", "replace"), "")


def write(plan: Plan) -> None:
    """Carries the plan out, whole or not at all."""
    for place in sorted(plan.places):
        sweep(place)
    with told_of_the_end(), Staging() as staging:
        try:
            for artifact in plan.changed:
                destination = plan.folder / artifact.path
                destination.parent.mkdir(parents=True, exist_ok=True)
                staging.write(destination, artifact.text.encode("utf-8"))
            with uninterrupted():
                staging.place()
                for path in plan.stale:
                    (plan.folder / path).unlink(missing_ok=True)
        except OSError as problem:
            raise _unwritable(problem, plan.folder, staging.placed) from None


@contextlib.contextmanager
def registry_lock(root: Path) -> Iterator[None]:
    """Holds the registry for one writer at a time; a second one waits."""
    folder = os.open(root / "mappings", os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def _generated(folder: Path, place: str) -> Iterator[str]:
    """The files below a place whose first line carries our mark."""
    for below, _, names in os.walk(folder / place):
        for name in names:
            if name.endswith(".py"):
                path = Path(below, name)
                with contextlib.suppress(OSError), open(path, "rb") as stream:
                    if MARK.encode() in stream.readline(300):
                        yield path.relative_to(folder).as_posix()


def _read(path: Path) -> bytes | None:
    """The content of a file; None if there is none, or only a link, which the file will take the place of."""
    try:
        mode = path.lstat().st_mode
        if stat.S_ISREG(mode):
            return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as problem:
        raise Refusal("C107", "unreadable", name=path.name, reason=system_reason(problem)) from None
    if stat.S_ISLNK(mode):
        return None
    raise Refusal("C107", "folder" if stat.S_ISDIR(mode) else "special", name=path.name)


def _unified(path: str, old: str, new: str) -> Iterator[str]:
    return difflib.unified_diff(old.splitlines(keepends=True), new.splitlines(keepends=True), f"a/{path}", f"b/{path}")


def _unwritable(problem: OSError, folder: Path, placed: int) -> Refusal:
    """The refusal for a place that cannot be written, and what has happened until then."""
    name = problem.filename2 or problem.filename
    where: tuple[str, dict[str, str]] = ("somewhere", {})
    if isinstance(name, str):
        where = ("file", {"name": Path(name).name})
        with contextlib.suppress(ValueError):
            where = ("folder", {"name": Path(name).parent.relative_to(folder).as_posix()})
    so_far = ("some" if placed else "none", {"count": placed})
    return Refusal("C108", where=[where], reason=system_reason(problem), so_far=[so_far])
