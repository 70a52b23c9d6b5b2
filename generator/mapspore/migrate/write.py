"""Put new texts in place, each file whole or not at all, and only over work that git could bring back."""

from __future__ import annotations

import contextlib
import difflib
import os
import shutil
import subprocess
from collections.abc import Iterable, Iterator

from mapspore.base.diagnostics import Refusal


def refuse_dirty(paths: Iterable[str]) -> None:
    """Refuses if a git tree around the paths has changes that are not committed."""
    git = shutil.which("git")
    if git is None:
        return
    for folder in sorted({os.path.dirname(os.path.realpath(path)) for path in paths}):
        found = subprocess.run(
            [git, "status", "--porcelain", "--untracked-files=no"], cwd=folder, capture_output=True, check=False
        )
        if found.returncode == 0 and found.stdout.strip():
            raise Refusal(
                "The git tree has changes that are not committed.",
                "Commit or stash them, or give --allow-dirty.",
                zh=("git 工作区有未提交的改动。", "请先提交或暂存，或加上 --allow-dirty。"),
            )


def replace_file(path: str, content: bytes) -> None:
    """The new content under the same name, with the same permissions; a link keeps leading to its file."""
    real = os.path.realpath(path)
    staged = os.path.join(os.path.dirname(real), f".mapspore-{os.getpid()}")
    try:
        with open(staged, "wb") as stream:
            os.fchmod(stream.fileno(), os.stat(real).st_mode & 0o7777)
            stream.write(content)
        os.replace(staged, real)
    finally:
        with contextlib.suppress(OSError):
            os.unlink(staged)


def difference(shown: str, old: str, new: str) -> Iterator[str]:
    """A unified diff that `git apply` and `patch` take."""
    name = shown.lstrip("/")
    lines = difflib.unified_diff(_lines(old), _lines(new), f"a/{name}", f"b/{name}")
    for line in lines:
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _lines(text: str) -> list[str]:
    """Lines with their ends; only a line feed ends one, as git sees it."""
    parts = text.split("\n")
    return [f"{part}\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])
