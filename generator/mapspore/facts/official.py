"""What MindSpore's own tables of PyTorch APIs say. In: `facts/official.tsv`. Out: the claims, one per row of a table.

Its columns are separated by tabs: the release whose table it is, the two names, and what the Chinese and the English
table claim: `consistent`, that no difference is known; `diff_page`, that a page tells the differences; or something
else in a few words. Claims are facts about the tables, never about the APIs.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from mapspore.base.diagnostics import Refusal
from mapspore.base.paths import official_file
from mapspore.base.read_file import Unreadable, read_file

LARGEST = 16 * 1024 * 1024
CONSISTENT = "consistent"
COLUMNS = ("table", "torch", "mindspore", "zh", "en")


@dataclass(frozen=True, slots=True)
class Claim:
    """A row of a table."""

    table: str
    torch: str
    mindspore: str
    zh: str
    en: str

    @property
    def consistent(self) -> bool:
        """Whether the table says, in one of its languages, that nothing differs."""
        return CONSISTENT in (self.zh, self.en)


def load_claims(root: Path) -> tuple[Claim, ...]:
    """The rows of all tables."""
    path = official_file(root)
    try:
        return parse_claims(read_file(path, LARGEST).decode("utf-8"))
    except Unreadable as problem:
        raise Refusal("C302", path=path, reason=problem.reason) from None
    except ValueError:
        raise Refusal("C303", path=path) from None


def parse_claims(text: str) -> tuple[Claim, ...]:
    """A file's text; a `ValueError` if it is none."""
    heading, *rows = text.splitlines() or [""]
    if tuple(heading.split("\t")) != COLUMNS:
        raise ValueError(heading)
    return tuple(_claim(row) for row in rows)


def _claim(line: str) -> Claim:
    table, torch, mindspore, zh, en = line.split("\t")
    return Claim(table, torch, mindspore, zh, en)
