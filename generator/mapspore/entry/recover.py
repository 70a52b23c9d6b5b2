"""What can still be read of an entry that does not parse, so that one run tells all of its problems.

The data and pydantic's findings go in; out comes an entry without the faulty parts, or None. It is only
ever checked, by the rules that judge a part alone; nothing is generated from it.
"""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from mapspore.entry.model import Entry

ROUNDS = 4
_EMPTY: dict[str, Any] = {"en": "", "zh": "", "summary": {"en": "", "zh": ""}}


def recover_entry(data: Any, error: ValidationError) -> Entry | None:
    """The entry without what is wrong with it, if that leaves one."""
    data = _copied(data)
    for _ in range(ROUNDS):
        for problem in error.errors(include_url=False, include_context=False):
            _without(data, problem["loc"], missing=problem["type"] == "missing")
        try:
            return Entry.model_validate(_compacted(data))
        except ValidationError as next_error:
            error = next_error
    return None


def _copied(node: Any) -> Any:
    if isinstance(node, dict):
        return {key: _copied(value) for key, value in node.items()}
    return [_copied(item) for item in node] if isinstance(node, list) else node


class _Gone:
    """Stands for a removed item until the list is closed up, so that indices stay right meanwhile."""


def _without(data: Any, steps: tuple[str | int, ...], missing: bool) -> None:
    """Removes the deepest part on a path; where a key is missing, puts an empty text or removes its owner."""
    owners: list[tuple[Any, str | int]] = []
    node = data
    for step in steps:
        if (isinstance(node, dict) and (step in node or (missing and step == steps[-1]))) or (
            isinstance(node, list) and isinstance(step, int) and step < len(node)
        ):
            owners.append((node, step))
        else:
            break
        node = node.get(step) if isinstance(node, dict) else node[int(step)]
    if not owners:
        return
    owner, step = owners[-1]
    if missing and step in _EMPTY:
        owner[step] = _copied(_EMPTY[str(step)])
        return
    if missing and len(owners) > 1:
        owner, step = owners[-2]
    if isinstance(owner, list):
        owner[int(step)] = _Gone
    else:
        owner.pop(step, None)


def _compacted(node: Any) -> Any:
    if isinstance(node, dict):
        return {key: _compacted(value) for key, value in node.items()}
    if isinstance(node, list):
        return [_compacted(item) for item in node if item is not _Gone]
    return node
