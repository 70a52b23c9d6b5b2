"""The user's cache folder: where a file of it lies, and data in it. In: plain data. Out: the same data, or None if the
file does not hold what was written into it. Deleting a file is always safe.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from mapspore.base.read_file import Unreadable, read_file
from mapspore.base.staging import replace_file

LARGEST = 512 * 1024 * 1024
SIZE = 16


def cache_folder() -> Path:
    """Where answers are kept. A relative XDG_CACHE_HOME counts as none, as its specification says."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    return Path(base if os.path.isabs(base) else os.path.join(os.path.expanduser("~"), ".cache")) / "mapspore"


def cache_file(root: Path, suffix: str, overlays: Sequence[Path] = ()) -> Path:
    """Where something about a registry is kept for the next time."""
    named = "\0".join(map(str, (root, *overlays)))
    return cache_folder() / f"{digest_of([named.encode('utf-8', 'surrogateescape')])}.{suffix}"


def apart(parts: Iterable[bytes]) -> Iterator[bytes]:
    """The parts with their lengths, so that a digest of them tells where each ends."""
    return (piece for part in parts for piece in (len(part).to_bytes(8, "big"), part))


def digest_of(parts: Iterable[bytes]) -> str:
    """A short text for bytes, the same however they are cut into parts."""
    digest = hashlib.blake2b(digest_size=SIZE)
    for part in parts:
        digest.update(part)
    return digest.hexdigest()


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
