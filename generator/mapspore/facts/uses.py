"""What of torch real code uses. In: `facts/uses.tsv`, counted by `mapspore scan --all` over the sources of public
packages in November 2026. Out: the names, the most used first, with the totals that shares refer to.

Its columns are separated by tabs: a name, how often it is used, by how many packages. Below the heading a line has the
same of `all N` names. Names that are used less than three times are in that line only. A scan cannot tell the type of
every value, so methods of tensors are used more often than is counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from mapspore.base.diagnostics import Refusal
from mapspore.base.paths import uses_file
from mapspore.base.read_file import Unreadable, read_file

LARGEST = 16 * 1024 * 1024
ALL = "all "


@dataclass(frozen=True, slots=True)
class Use:
    """A torch name, how often it is used, and by how many packages."""

    name: str
    count: int
    packages: int


@dataclass(frozen=True, slots=True)
class Uses:
    """The names that are listed, and how much there is of everything."""

    listed: tuple[Use, ...]
    names: int
    total: int
    packages: int


def load_uses(root: Path) -> Uses:
    """What a registry knows of the code that people write."""
    path = uses_file(root)
    try:
        return parse_uses(read_file(path, LARGEST).decode("utf-8"))
    except Unreadable as problem:
        raise Refusal("C302", path=path, reason=problem.reason) from None
    except ValueError:
        raise Refusal("C303", path=path) from None


def parse_uses(text: str) -> Uses:
    """A table's text; a `ValueError` if it is none."""
    _, *lines = text.splitlines()
    first, *listed = [_use(line) for line in lines] or [Use("", 0, 0)]
    return Uses(tuple(listed), int(first.name.removeprefix(ALL)), first.count, first.packages)


def _use(line: str) -> Use:
    name, count, packages = line.split("\t")
    return Use(name, int(count), int(packages))
