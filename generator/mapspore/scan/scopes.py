"""The names of a scope while a file is read, with a journal, so that a branch can be taken back and compared with
others at the cost of what it binds, however many names there are. Bindings go in; out comes what branches end with.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Literal

from mapspore.scan.values import Value


class _Missing(Enum):
    MISSING = "a name that is not bound"


MISSING = _Missing.MISSING
Bound = Value | Literal[_Missing.MISSING]
Ends = dict[str, list[tuple[int, bool, Bound]]]
"""By name, for branches in their order: the number of the branch, whether it is how this branch and all that follow
begin (otherwise: how it ends), and what the name stands for there."""


class Scope(dict[str, Value]):
    """One scope of Python: the values that its names are bound to."""

    __slots__ = ("_journal",)

    def __init__(self) -> None:
        super().__init__()
        self._journal: list[tuple[str, Bound]] = []
        """Each name that was bound or dropped, with what it stood for before."""

    def put(self, name: str, value: Value) -> None:
        self._journal.append((name, self.get(name, MISSING)))
        self[name] = value

    def drop(self, name: str) -> None:
        if name in self:
            self._journal.append((name, self.pop(name)))

    def mark(self) -> int:
        """The present moment."""
        return len(self._journal)

    def before(self, mark: int) -> dict[str, Bound]:
        """The names that changed since a moment, with what they stood for then."""
        found: dict[str, Bound] = {}
        for name, value in self._journal[mark:]:
            found.setdefault(name, value)
        return {name: value for name, value in found.items() if self.get(name, MISSING) is not value}

    def changes(self, mark: int) -> dict[str, Bound]:
        """The names that changed since a moment, with what they stand for now."""
        return {name: self.get(name, MISSING) for name in self.before(mark)}

    def take_back(self, mark: int) -> dict[str, Bound]:
        """Make everything as it was at a moment; returns what has changed since."""
        changed = self.changes(mark)
        for name, value in reversed(self._journal[mark:]):
            if value is MISSING:
                self.pop(name, None)
            else:
                self[name] = value
        del self._journal[mark:]
        return changed


class ClassScope(Scope):
    """The names of a class body, which functions and comprehensions within it do not see."""


class InnerScope(Scope):
    """The names of a comprehension; what `:=` binds goes to the scope around it."""


def add_ends(ends: Ends, number: int, begins: bool, changed: dict[str, Bound]) -> None:
    for name, value in changed.items():
        ends.setdefault(name, []).append((number, begins, value))


def in_order(start: Bound, ends: list[tuple[int, bool, Bound]], count: int) -> Iterator[Value]:
    """What a name stands for at the end of each branch; branches in a row that leave it alone count as one."""
    current, following = start, 0
    for number, begins, value in ends:
        if number > following and current is not MISSING:
            yield current
        if begins:
            current, following = value, number
        else:
            following = number + 1
            if value is not MISSING:
                yield value
    if following < count and current is not MISSING:
        yield current
