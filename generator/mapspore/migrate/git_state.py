"""What git could bring back. In: files and their content. Out: those that a rewrite would lose for good, each with the
reason.

A file is safe if the commit that is checked out holds just its content. Only git's plumbing is asked (`rev-parse`,
`ls-tree`, `cat-file`), which runs nothing that a tree configures: no file monitor, no filter, no hook, no external
diff, no transport. A file outside of every repository is its owner's business.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple

from mapspore.base.diagnostics import Refusal

Reason = Literal["untracked", "uncommitted", "no_commit"]


class Unsafe(NamedTuple):
    """A file whose content git does not have."""

    path: str
    reason: Reason


def unsafe(contents: Mapping[str, bytes]) -> list[Unsafe]:
    """The files that git could not bring back; a refusal if git cannot be asked about them."""
    repositories: dict[str, dict[str, str]] = {}
    """By folder of a repository: the path given for each of its files, by the real path."""
    tops: dict[str, str | None] = {}
    for path in contents:
        real = os.path.realpath(path)
        folder = os.path.dirname(real)
        if folder not in tops:
            tops[folder] = _top(folder)
        if (top := tops[folder]) is not None:
            repositories.setdefault(top, {})[real] = path
    found: list[Unsafe] = []
    for top, files in sorted(repositories.items()):
        _same_place(top)
        committed = _committed(top, {os.path.relpath(real, top) for real in files})
        for real, path in files.items():
            if committed is None:
                found.append(Unsafe(path, "no_commit"))
            elif (there := committed.get(os.path.relpath(real, top))) is None:
                found.append(Unsafe(path, "untracked"))
            elif there != contents[path]:
                found.append(Unsafe(path, "uncommitted"))
    return sorted(found)


def _top(folder: str) -> str | None:
    """The nearest folder around that holds `.git`, on the same file system, as git looks for it."""
    if "GIT_DIR" in os.environ:
        raise Refusal("C407", "git_dir")
    device = os.stat(folder).st_dev
    while True:
        if os.path.lexists(os.path.join(folder, ".git")):
            return folder
        above = os.path.dirname(folder)
        if above == folder or os.stat(above).st_dev != device:
            return None
        folder = above


def _same_place(top: str) -> None:
    """Refuses if git takes another folder for the repository, as it does where `.git` is empty or leads elsewhere."""
    seen = os.fsdecode(_git(top, "rev-parse", "--show-toplevel").removesuffix(b"\n"))
    if os.path.realpath(seen) != top:
        raise Refusal("C407", "elsewhere", top=top)


def _committed(top: str, paths: set[str]) -> dict[str, bytes] | None:
    """The content of files in the commit that is checked out; None if there is no commit."""
    head = _git(top, "rev-parse", "--quiet", "--verify", "HEAD^{tree}", fails=(1,)).strip()
    if not head:
        return None
    blobs: dict[str, bytes] = {}
    for row in _git(top, "ls-tree", "-r", "-z", "--full-tree", head.decode()).split(b"\0"):
        about, _, name = row.partition(b"\t")
        path = os.fsdecode(name)
        if path in paths and about.split()[1] == b"blob":
            blobs[path] = about.split()[2]
    contents = _contents(top, sorted(set(blobs.values())))
    return {path: contents[blob] for path, blob in blobs.items() if blob in contents}


def _contents(top: str, blobs: Iterable[bytes]) -> dict[bytes, bytes]:
    """Blobs by name; one that the repository has lost, or never fetched, is not among them."""
    output = _git(top, "cat-file", "--batch", given=b"".join(blob + b"\n" for blob in blobs))
    found: dict[bytes, bytes] = {}
    at = 0
    while at < len(output):
        end = output.index(b"\n", at)
        name, *about = output[at:end].split()
        at = end + 1
        if about[0] == b"blob":
            size = int(about[1])
            found[name] = output[at : at + size]
            at += size + 1
    return found


_ELSEWHERE = frozenset({
    "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_NAMESPACE", "GIT_PREFIX",
})  # fmt: skip
"""Variables that would let git look somewhere else than at the repository around a file."""


def _git(top: str, *arguments: str, given: bytes = b"", fails: tuple[int, ...] = ()) -> bytes:
    git = shutil.which("git")
    if git is None:
        raise Refusal("C407", "missing")
    surroundings = {name: value for name, value in os.environ.items() if name not in _ELSEWHERE}
    quiet = {
        "LC_ALL": "C", "GIT_NO_REPLACE_OBJECTS": "1", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none",
    }  # fmt: skip
    done = subprocess.run(
        [git, "--no-pager", "-C", top, "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", *arguments],
        input=given, capture_output=True, check=False, env=surroundings | quiet,
    )  # fmt: skip
    if done.returncode not in (0, *fails):
        lines = done.stderr.decode("utf-8", "replace").splitlines()
        raise Refusal("C407", "fails", top=top, detail=" ".join(lines[:1]))
    return done.stdout if done.returncode == 0 else b""
