"""Which uses of torch are rewritten. Flows and what keeps each use from being rewritten go in; out come the uses that
change, all of a flow or none, and of the others the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from mapspore.migrate.cells import Cell
from mapspore.migrate.flows import FileFlow, Flows, Hindrance, Values
from mapspore.migrate.plan import Left

Reason = tuple[str, Values]
Why = Callable[[FileFlow, int], Reason | None]
"""Why a use, by file and number, cannot be rewritten; None if it can."""


class Verdict(NamedTuple):
    """What changes and what stays."""

    moving: Mapping[str, frozenset[int]]
    """By file: the numbers of the uses that are rewritten."""
    left: Mapping[str, list[Left]]
    """By file: what stays, and why."""
    hindrances: list[Hindrance]
    """What holds flows of torch back, each place once."""


def judge(flows: Flows, why: Why, failed: Iterable[Hindrance] = ()) -> Verdict:
    """Everything of a flow is rewritten or nothing. `failed`: what turned out not to be possible."""
    shown = {path: flow.file.shown for path, flow in flows.files.items()}
    found: dict[tuple[str, int, int, str], Hindrance] = {}
    for each in (*flows.hindrances, *failed, *_of_uses(flows, why)):
        found.setdefault((each.path, each.line, each.column, each.name), each)
    listed = sorted(found.values(), key=lambda each: (shown[each.path], each.line, each.column, each.name))
    cells = flows.cells
    first: dict[Cell, Hindrance] = {}
    own: dict[tuple[str, int, int], Hindrance] = {}
    for each in listed:
        first.setdefault(cells.find(each.cell), each)
        own.setdefault((each.path, each.line, each.column), each)
    moving: dict[str, frozenset[int]] = {}
    left: dict[str, list[Left]] = {}
    flowing: set[Cell] = set()
    for path, flow in flows.files.items():
        stays: set[int] = set()
        for number, use in enumerate(flow.found.uses):
            if number in flow.annotations:
                continue
            cell = cells.find(flow.cell(number))
            flowing.add(cell)
            mine = own.get((path, use.line, use.column))
            holds = mine or first.get(cell)
            if holds is None:
                continue
            stays.add(number)
            if mine is not None:
                reason: Reason = (mine.reason, mine.values)
            else:
                line = str(holds.line)
                values = (("other", holds.name), ("place", f"{shown[holds.path]}:{line}"), ("line", line))
                reason = ("neighbour" if flows.mixing else "flow", values)
            left.setdefault(path, []).append(Left(use.line, use.column, use.path, *reason))
        moving[path] = frozenset(range(len(flow.found.uses))) - stays - flow.annotations
    return Verdict(moving, left, [each for each in listed if cells.find(each.cell) in flowing])


def _of_uses(flows: Flows, why: Why) -> Iterable[Hindrance]:
    for path, flow in flows.files.items():
        for number, use in enumerate(flow.found.uses):
            reason = why(flow, number) if number not in flow.annotations else None
            if reason is not None:
                yield Hindrance(flow.cell(number), path, use.line, use.column, use.path, *reason)
