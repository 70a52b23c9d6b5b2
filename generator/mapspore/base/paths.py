"""Where things lie: the registry's root, and the engine's own templates, facts and adapter.

In a checkout they are the folders of the repository; in an installed wheel the same folders travel inside
the package as `data/`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from mapspore.base.diagnostics import WRONG_USAGE, Refusal

_PACKAGE = Path(__file__).resolve().parents[1]


@cache
def engine_home() -> Path:
    """The folder that holds `templates/`, `facts/` and `mappings/` of the engine itself."""
    packed = _PACKAGE / "data"
    return packed if packed.is_dir() else _PACKAGE.parent.parent


def adapter_folder() -> Path:
    """The folder that holds the source of the package `torchspore`, to be read and not to be imported."""
    return engine_home() / "adapter"


def templates_folder() -> Path:
    return engine_home() / "templates"


def find_root(given: Path | None) -> Path:
    """The registry to work on: the one given, else the nearest around the current folder, else our own."""
    if given is not None:
        root = given.resolve()
        if not root.is_dir():
            raise Refusal("C101", "missing", exit_code=WRONG_USAGE, folder=given)
        if not (root / "mappings").is_dir():
            raise Refusal("C101", "empty", exit_code=WRONG_USAGE, folder=given)
        return root
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / "mappings").is_dir() and (folder / "mkdocs.yml").is_file():
            return folder
    return engine_home()


def overlay_folders(given: Sequence[Path] | None) -> tuple[Path, ...]:
    """The folders whose entries take precedence, in the order given: a later one over an earlier one."""
    for folder in given or ():
        if not (folder / "mappings").is_dir():
            raise Refusal("C102", "empty", exit_code=WRONG_USAGE, folder=folder)
    return tuple(folder.resolve() for folder in given or ())


def writable_root(given: Path | None) -> Path:
    """The registry to write to: never the copy inside an installed package."""
    root = find_root(given)
    if root == engine_home() and root.name == "data":
        raise Refusal("C103", exit_code=WRONG_USAGE)
    return root


def facts_folder(root: Path) -> Path:
    """The root's own facts, or the engine's if it brings none."""
    own = root / "facts"
    return own if own.is_dir() else engine_home() / "facts"


def uses_file(root: Path) -> Path:
    """The root's own count of what real code uses, or the engine's if it brings none."""
    own = root / "facts" / "uses.tsv"
    return own if own.is_file() else engine_home() / "facts" / "uses.tsv"


def official_file(root: Path) -> Path:
    """The root's own rows of the official tables, or the engine's if it brings none."""
    own = root / "facts" / "official.tsv"
    return own if own.is_file() else engine_home() / "facts" / "official.tsv"


def evidence_folder(root: Path) -> Path:
    """What `verify` found about the entries of a registry."""
    return root / "evidence"
