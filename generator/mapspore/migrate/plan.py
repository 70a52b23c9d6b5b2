"""What is to happen to one file: which imports move, which calls are rewritten, what gets a comment, what is left."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from mapspore.resolve.binding import Binding
from mapspore.scan.file_uses import Site

Span = tuple[int, int, int, int]
"""First line and column, last line and column, columns from 1: where an expression stands."""


class Left(NamedTuple):
    """A use that stays as it is, and why."""

    line: int
    column: int
    torch: str
    reason: str
    values: tuple[tuple[str, str], ...] = ()


class Note(NamedTuple):
    """A comment to stand above a statement."""

    code: str
    torch: str
    text: str


class Rewrite(NamedTuple):
    """A call that becomes one of MindSpore's API."""

    torch: str
    target: str
    binding: Binding
    explicit: tuple[str, ...]
    """torch parameters that the call leaves out and whose default has to be written."""
    dtypes: tuple[str, ...] = ()
    """The dtypes that MindSpore takes, where they are fewer than torch's."""


@dataclass(slots=True)
class Plan:
    moved: dict[Site, str] = field(default_factory=dict)
    """Names of imports that are taken from the adapter instead; the value is the new dotted path."""
    renamed: set[Site] = field(default_factory=set)
    """`import torch` that becomes `import torchspore as torch`."""
    heads: set[Site] = field(default_factory=set)
    """`torch` at the head of dotted names that becomes `torchspore`; line, and column from 1."""
    added: dict[Site, list[str]] = field(default_factory=dict)
    """Modules to import behind the statement with this name."""
    rewrites: dict[Span, Rewrite] = field(default_factory=dict)
    dtypes: dict[Span, str] = field(default_factory=dict)
    """Where torch's dtypes stand, and what they are in MindSpore; written only as arguments of calls that change."""
    constants: set[Span] = field(default_factory=set)
    """Where constants of torch stand, such as `ReduceOp.SUM`, that calls which change take in another form."""
    notes: dict[Span, list[Note]] = field(default_factory=dict)
    spare: dict[Site, str] = field(default_factory=dict)
    """Names of imports that nothing may use any more; their statement goes if that is so."""
    left: list[Left] = field(default_factory=list)

    def share(self, twins: list[tuple[Site, Site]]) -> None:
        """What is imported behind one of two imports, of which only one runs, is imported behind the other too."""
        changed = bool(self.added)
        while changed:
            changed = False
            for pair in twins:
                for one, other in (pair, pair[::-1]):
                    for module in self.added.get(one, ()):
                        if module not in self.added.setdefault(other, []):
                            self.added[other].append(module)
                            changed = True

    @property
    def changes(self) -> int:
        """How many places change, comments aside."""
        return len(self.moved) + len(self.renamed) + len(self.heads) + len(self.rewrites)

    @property
    def empty(self) -> bool:
        return not (self.changes or self.notes)
