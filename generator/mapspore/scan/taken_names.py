"""Which names a file could take from another module, told from its bytes without parsing them. In: bytes. Out: names.

More may be found than Python would take, never less; every byte is looked at a fixed number of times.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

EVERYTHING = b"*"
_IMPORT = re.compile(rb"import(?:\s*\([^)]*|[^\\\n]*(?:\\\r?\n?[^\\\n]*)*)")
"""An import up to the end of its list or line; matches do not overlap, so that all of them are no longer than the
text."""
_ATTRIBUTE = re.compile(rb"\.\s*([A-Za-z_\x80-\xff][\w\x80-\xff]*)")
_WORD = re.compile(rb"\*|[A-Za-z_\x80-\xff][\w\x80-\xff]*")


def imports(raw: bytes) -> Iterator[bytes]:
    """What stands behind each `import`."""
    return (match[0][len(b"import") :] for match in _IMPORT.finditer(raw))


def names(raw: bytes) -> set[bytes]:
    """What a file could take: names behind `import`, attributes, and `*` for all."""
    found = set(_ATTRIBUTE.findall(raw))
    for part in imports(raw):
        found.update(_WORD.findall(part))
    return found


class TakenNames:
    """Files by the names that they could take, each of which is given out once."""

    def __init__(self) -> None:
        self._paths: dict[bytes, list[str]] = {}
        self._given: set[str] = set()

    def add(self, path: str, raw: bytes) -> None:
        for name in names(raw):
            self._paths.setdefault(name, []).append(path)

    def taking(self, wanted: Iterable[str]) -> list[str]:
        """The files that could take one of the names and were not given out yet."""
        asked = {EVERYTHING, *(name.encode("utf-8", "surrogateescape") for name in wanted)} if wanted else set()
        found = {path for name in asked for path in self._paths.pop(name, ())} - self._given
        self._given |= found
        return sorted(found)
