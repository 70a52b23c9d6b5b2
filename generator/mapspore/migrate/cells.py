"""Which values of a program can meet. Cells go in, joined where a value can pass from one to the other; out comes
whether two cells are one.

A cell stands for values: what a variable, a parameter or an expression can hold, with all that is inside it. Calling a
cell reaches what its functions take and give. Joining takes time in proportion to the cells (Steensgaard's analysis):
the order in which code runs is not looked at, so that more may be joined than ever meets, never less.
"""

from __future__ import annotations

from collections.abc import Iterable

Cell = int


class Cells:
    """Cells, and which of them are one."""

    def __init__(self) -> None:
        self._parents: list[Cell] = []
        self._sizes: list[int] = []
        self._called: dict[Cell, tuple[Cell, Cell]] = {}
        """By cell: what its functions take, and what they give."""
        self._open: set[Cell] = set()
        """Cells that hold whatever their functions take and give."""

    def new(self) -> Cell:
        self._parents.append(len(self._parents))
        self._sizes.append(1)
        return len(self._parents) - 1

    def find(self, cell: Cell) -> Cell:
        """The cell that stands for all that are one with it."""
        parents = self._parents
        while parents[cell] != cell:
            parents[cell] = cell = parents[parents[cell]]
        return cell

    def join(self, cells: Iterable[Cell | None]) -> Cell | None:
        """Make cells one; None is what holds no values, and is left out."""
        known = [cell for cell in cells if cell is not None]
        for other in known[1:]:
            self._join(known[0], other)
        return known[0] if known else None

    def _join(self, one: Cell, other: Cell) -> None:
        waiting = [(one, other)]
        while waiting:
            one, other = map(self.find, waiting.pop())
            if one == other:
                continue
            if self._sizes[one] < self._sizes[other]:
                one, other = other, one
            self._parents[other] = one
            self._sizes[one] += self._sizes[other]
            mine, theirs = self._called.get(one), self._called.pop(other, None)
            if mine and theirs:
                waiting += zip(mine, theirs, strict=True)
            elif theirs:
                self._called[one] = theirs
            if other in self._open:
                self._open.discard(other)
                self._open.add(one)
            if one in self._open and one in self._called:
                waiting += [(one, each) for each in self._called.pop(one)]

    def signature(self, cell: Cell) -> tuple[Cell, Cell]:
        """What the functions in a cell take, and what they give."""
        cell = self.find(cell)
        if cell in self._open:
            return cell, cell
        if cell not in self._called:
            self._called[cell] = (self.new(), self.new())
        return self._called[cell]

    def open(self, cell: Cell) -> Cell:
        """Let a cell hold whatever its functions take and give: who has it may call it with anything."""
        cell = self.find(cell)
        self._open.add(cell)
        for each in self._called.pop(cell, ()):
            self._join(cell, each)
        return cell

    def call(self, cell: Cell, arguments: Iterable[Cell | None]) -> Cell:
        """What comes of calling a cell."""
        takes, gives = self.signature(cell)
        self.join([takes, *arguments])
        return gives
