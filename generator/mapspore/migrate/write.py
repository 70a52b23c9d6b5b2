"""Put new texts in place of old ones. In: migrated files. Out: which were written, and why others were not.

Each file is whole at any moment, and is replaced only if it still holds what was read. Owner, permissions and extended
attributes stay; a file that would lose one of them, or other names that it has, is left alone unless that is forced.
"""

from __future__ import annotations

import contextlib
import difflib
import os
import stat
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from mapspore.base.diagnostics import Refusal
from mapspore.base.read_file import Unreadable, read_file, reason_of
from mapspore.base.staging import Staging, sweep, told_of_the_end, uninterrupted
from mapspore.migrate.git_state import unsafe
from mapspore.migrate.run import Migrated

LISTED = 5
Obstacle = Literal["changed_meanwhile", "read_only", "hard_links", "owner", "attributes", "denied", "failed"]


class Outcome(NamedTuple):
    """What became of one file: written or not, and what stood in the way or was lost."""

    file: Migrated
    written: bool
    obstacles: tuple[Obstacle, ...] = ()


class Obstructed(Exception):
    """A file that is not to be written, and why."""

    def __init__(self, *reasons: Obstacle) -> None:
        super().__init__(*reasons)
        self.reasons = reasons


def refuse_unsafe(changed: Iterable[Migrated]) -> None:
    """Refuses if one of the files holds what git could not bring back."""
    names = {each.file.path: each for each in changed}
    found = unsafe({path: each.raw for path, each in names.items()})
    if not found:
        return
    listed = [(each.reason, {"path": names[each.path].file.shown}) for each in found]
    more = len(listed) - LISTED
    raise Refusal("C408", "more" if more > 0 else "", files=listed[:LISTED], more=more)


def write_all(changed: Iterable[Migrated], force: bool, outcomes: list[Outcome]) -> None:
    """Replace the files one by one. Whatever ends that, `outcomes` tell what became of each so far."""
    with told_of_the_end():
        for each in changed:
            with uninterrupted():
                outcomes.append(_outcome(each, force))


def _outcome(each: Migrated, force: bool) -> Outcome:
    try:
        return Outcome(each, True, _replace(each, force))
    except Obstructed as problem:
        return Outcome(each, False, problem.reasons)
    except FileNotFoundError:
        return Outcome(each, False, ("changed_meanwhile",))
    except OSError as problem:
        return Outcome(each, False, ("denied" if reason_of(problem) == "denied" else "failed",))


def sweep_beside(paths: Iterable[str]) -> None:
    """Remove what an earlier run left beside files when it was ended."""
    for folder in sorted({os.path.dirname(os.path.realpath(path)) for path in paths}):
        sweep(folder)


def _replace(each: Migrated, force: bool) -> tuple[Obstacle, ...]:
    """The new content under the same name; a link keeps leading to its file. Returns what was lost by force."""
    real = os.path.realpath(each.file.path)
    state = os.stat(real)
    if not os.access(real, os.W_OK):
        raise Obstructed("read_only")
    with Staging() as staging:
        staged = staging.write(real, each.content(), stat.S_IMODE(state.st_mode))
        losses = _losses(real, staged, state)
        if losses and not force:
            raise Obstructed(*losses)
        if not _holds(real, each.raw):
            raise Obstructed("changed_meanwhile")
        staging.place()
    return losses


def _holds(path: str, content: bytes) -> bool:
    try:
        return read_file(path, len(content)) == content
    except Unreadable:
        return False


def _losses(real: str, staged: str, state: os.stat_result) -> tuple[Obstacle, ...]:
    """Gives the new file what the old one has, and tells what it cannot be given."""
    found: list[Obstacle] = ["hard_links"] if state.st_nlink > 1 else []
    made = os.stat(staged)
    if (made.st_uid, made.st_gid) != (state.st_uid, state.st_gid):
        try:
            os.chown(staged, state.st_uid, state.st_gid)
        except OSError:
            found.append("owner")
    try:
        _copy_attributes(real, staged)
    except OSError:
        found.append("attributes")
    with contextlib.suppress(OSError):  # a new owner takes the bits away that let a program run as him
        os.chmod(staged, stat.S_IMODE(state.st_mode))
    return tuple(found)


def _copy_attributes(real: str, staged: str) -> None:
    """The extended attributes, access lists among them, where the system has any."""
    if not hasattr(os, "listxattr"):
        return
    wanted = {name: os.getxattr(real, name) for name in os.listxattr(real)}
    there = {name: os.getxattr(staged, name) for name in os.listxattr(staged)}
    for name in there.keys() - wanted.keys():  # what the folder hands to new files
        os.removexattr(staged, name)
    for name, value in wanted.items():
        if there.get(name) != value:
            os.setxattr(staged, name, value)


def difference(shown: str, old: str, new: str) -> Iterator[str]:
    """A unified diff that `git apply` and `patch` take."""
    name = shown.lstrip("/")
    lines = difflib.unified_diff(_lines(old), _lines(new), _quoted(f"a/{name}"), _quoted(f"b/{name}"))
    for line in lines:
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _quoted(name: str) -> str:
    """A name as git writes it in the head of a diff: in quotes if it has a character that would not stand there."""
    raw = os.fsencode(name)
    if name.isprintable() and not set(name) & {'"', "\\"}:
        return f"{name}\t" if " " in name else name
    signs = (_ESCAPES.get(byte) or (chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}") for byte in raw)
    return f'"{"".join(signs)}"'


_ESCAPES = {7: "\\a", 8: "\\b", 9: "\\t", 10: "\\n", 11: "\\v", 12: "\\f", 13: "\\r", 34: '\\"', 92: "\\\\"}


def _lines(text: str) -> list[str]:
    """Lines with their ends; only a line feed ends one, as git sees it."""
    parts = text.split("\n")
    return [f"{part}\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])
