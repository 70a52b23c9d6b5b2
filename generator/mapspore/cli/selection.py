"""The entries that a person names on the command line: files and folders in, real paths out."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from mapspore.base.diagnostics import Refusal
from mapspore.entry.load import EXAMPLE_SUFFIXES, SUFFIX


def selected(paths: Iterable[str]) -> list[Path]:
    """Real paths; an example stands for the entry beside it."""
    return [_selected(path) for path in paths]


def _selected(given: str) -> Path:
    if not os.path.lexists(given):
        raise Refusal(
            f"There is no file or folder `{given}`.", "Paths are relative to where you are.", 2,
            zh=(f"没有文件或文件夹 `{given}`。", "路径以当前位置为准。"),
        )  # fmt: skip
    if os.path.isdir(given):
        return Path(os.path.realpath(given))
    folder, name = os.path.split(given)
    for suffix in EXAMPLE_SUFFIXES:
        if name.endswith(suffix):
            name = name.removesuffix(suffix) + SUFFIX
    if not name.endswith(SUFFIX):
        raise Refusal(
            f"`{given}` is no entry.", "Entries are files that end in `.yaml`.", 2,
            zh=(f"`{given}` 不是条目。", "条目文件以 `.yaml` 结尾。"),
        )  # fmt: skip
    return Path(os.path.realpath(folder), name)
