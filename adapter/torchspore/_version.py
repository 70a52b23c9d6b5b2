"""A version that programs compare. In: its text, or what somebody compares it with: a text, or a tuple of numbers. Out:
the order of versions, which is not that of texts: 2.13 comes after 2.4. It is a text for everything else.
"""

from __future__ import annotations

import re
from typing import Any

_SHAPE = re.compile(r"v?(?P<release>\d+(?:\.\d+)*)(?P<before>[-_.]?(?:a|b|c|rc|alpha|beta|pre|preview|dev)\d*)?")

Order = tuple[tuple[int, ...], bool, str]


class Version(str):
    """A version of torch's, as `torch.__version__` is one."""

    __slots__ = ()

    def __lt__(self, other: Any) -> bool:
        return self._compared(other, lambda own, its: own < its)

    def __le__(self, other: Any) -> bool:
        return self._compared(other, lambda own, its: own <= its)

    def __gt__(self, other: Any) -> bool:
        return self._compared(other, lambda own, its: own > its)

    def __ge__(self, other: Any) -> bool:
        return self._compared(other, lambda own, its: own >= its)

    def __eq__(self, other: object) -> bool:
        return self._compared(other, lambda own, its: own == its)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = str.__hash__

    def _compared(self, other: Any, holds: Any) -> bool:
        own, its = order(str(self)), order(other)
        if its is None:
            return bool(holds(str(self), other))  # no version: compared as the text that it is
        assert own is not None
        return bool(holds(own, its))


def order(version: Any) -> Order | None:
    """What a version is compared by: its numbers, whether it is finished, and what stands after a plus."""
    if isinstance(version, tuple | list):
        version = ".".join(str(part) for part in version)
    found = _SHAPE.match(version) if isinstance(version, str) else None
    if found is None:
        return None
    numbers = [int(part) for part in found["release"].split(".")]
    while numbers and not numbers[-1]:
        numbers.pop()
    return tuple(numbers), found["before"] is None, version.partition("+")[2]
