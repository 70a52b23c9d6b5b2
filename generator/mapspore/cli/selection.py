"""The entries that a person names on the command line: files and folders in, real paths out."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from mapspore.base.diagnostics import WRONG_USAGE, Refusal
from mapspore.entry.load import PROGRAM_SUFFIXES, SUFFIX


def selected(paths: Iterable[str]) -> list[Path]:
    """Real paths; an example stands for the entry beside it."""
    return [_selected(path) for path in paths]


def _selected(given: str) -> Path:
    if not os.path.lexists(given):
        raise Refusal("C104", exit_code=WRONG_USAGE, given=given)
    if os.path.isdir(given):
        return Path(os.path.realpath(given))
    folder, name = os.path.split(given)
    for suffix in PROGRAM_SUFFIXES:
        if name.endswith(suffix):
            name = name.removesuffix(suffix) + SUFFIX
    if not name.endswith(SUFFIX):
        raise Refusal("C105", exit_code=WRONG_USAGE, given=given)
    return Path(os.path.realpath(folder), name)
