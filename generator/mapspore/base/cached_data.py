"""Data in the user's cache folder. In: plain data. Out: the same data, or None if the file does not hold what was
written into it. Deleting a file is always safe.
"""

from __future__ import annotations

import contextlib
import json
import zlib
from pathlib import Path
from typing import Any

from mapspore.base.read_file import Unreadable, read_file
from mapspore.base.staging import replace_file

LARGEST = 512 * 1024 * 1024


def pack(data: Any) -> str:
    """Data as text, with a sum by which damage shows before anything is made of it."""
    text = json.dumps(data, separators=(",", ":"))
    return f"{zlib.crc32(text.encode()):08x} {text}"


def unpack(packed: object) -> Any:
    """The data; None if the text is not what was packed."""
    if not isinstance(packed, str):
        return None
    total, _, text = packed.partition(" ")
    if total != f"{zlib.crc32(text.encode('utf-8', 'surrogatepass')):08x}":
        return None
    return json.loads(text)


def write_cached(path: Path, data: Any) -> None:
    """Keep data for the next time, if the place can be written."""
    with contextlib.suppress(OSError):
        replace_file(path, pack(data).encode())


def read_cached(path: Path) -> Any:
    """What was kept; None if there is nothing, or if it is damaged."""
    with contextlib.suppress(Unreadable, ValueError):
        return unpack(read_file(path, LARGEST).decode())
    return None


def only_newest(folder: Path, pattern: str, count: int) -> None:
    """Remove all files of a kind but the newest."""
    with contextlib.suppress(OSError):
        for old in sorted(folder.glob(pattern), key=lambda path: path.stat().st_mtime)[:-count]:
            old.unlink(missing_ok=True)
