"""One short text for all that an answer depends on: the registry, the facts, the phrases and the engine itself.

It is taken from the content of the files. Reading thousands of them is most of a look-up's time, so the digest is
kept in the user's cache folder with the files' stamps (size, times, inode), and holds while no stamp has changed.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

from mapspore.base.paths import adapter_folder, engine_home, evidence_folder, facts_folder

SIZE = 16
SETTLED = 2_000_000_000
"""Nanoseconds after which a file's times are trusted: right after a change it may change again within one tick."""

Stamp = tuple[str, int, int, int, int]


def cache_folder() -> Path:
    """Where answers are kept. A relative XDG_CACHE_HOME counts as none, as its specification says."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    return Path(base if os.path.isabs(base) else os.path.join(os.path.expanduser("~"), ".cache")) / "mapspore"


def cache_file(root: Path, suffix: str, overlays: Sequence[Path] = ()) -> Path:
    """Where something about a registry is kept for the next time."""
    named = "\0".join(map(str, (root, *overlays)))
    return cache_folder() / f"{_digest([named.encode('utf-8', 'surrogateescape')])}.{suffix}"


@cache
def engine_digest() -> str:
    """The engine's own source."""
    return _digest(text.encode() for text in texts_below(Path(__file__).parents[1], "*.py"))


def texts_below(folder: Path, pattern: str) -> Iterator[str]:
    """The texts of all files of a kind below a folder, in a fixed order."""
    for file in sorted(folder.rglob(pattern)):
        if file.is_file():
            yield file.read_text("utf-8")


def registry_digest(root: Path, overlays: Sequence[Path] = ()) -> str:
    """The digest of a registry with what lies over it, read from the cache if no file has changed since."""
    home = Path(__file__).parents[1]
    layers = [folder / "mappings" for folder in (root, *overlays)]
    places = [*layers, facts_folder(root), engine_home() / "templates" / "text", home]
    if evidence_folder(root).is_dir():  # it holds as long as the code that was run
        own = root / "adapter"
        places += [evidence_folder(root), (own if own.is_dir() else adapter_folder()) / "torchspore"]
    stamps = sorted(stamp for place in places for stamp in _stamps(str(place)))
    stamp = _digest([repr(stamps).encode("utf-8", "surrogateescape")])
    note = cache_file(root, "stamp", overlays)
    with contextlib.suppress(OSError, ValueError):
        known, digest = note.read_text("ascii").split()
        if known == stamp and len(digest) == 2 * SIZE:
            return digest
    digest = _digest(_contents(stamps))
    if max((changed for _, _, _, changed, _ in stamps), default=0) < time.time_ns() - SETTLED:
        with contextlib.suppress(OSError):
            note.parent.mkdir(parents=True, exist_ok=True)
            note.write_text(f"{stamp} {digest}", "ascii")
    return digest


def _contents(stamps: Iterable[Stamp]) -> Iterator[bytes]:
    for path, *_ in stamps:
        with open(path, "rb") as stream:
            content = stream.read()
        yield f"{path}\0{len(content)}\0".encode("utf-8", "surrogateescape")
        yield content


def _stamps(start: str) -> Iterator[Stamp]:
    """Every file below a folder, with what changes when it is written or replaced."""
    waiting = [start]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as found:
                for item in found:
                    if item.is_dir(follow_symlinks=False):
                        if item.name != "__pycache__":
                            waiting.append(item.path)
                    elif not item.name.startswith(".") and item.is_file():
                        state = item.stat()
                        yield item.path, state.st_size, state.st_mtime_ns, state.st_ctime_ns, state.st_ino
        except OSError:
            continue


def _digest(parts: Iterable[bytes]) -> str:
    digest = hashlib.blake2b(digest_size=SIZE)
    for part in parts:
        digest.update(part)
    return digest.hexdigest()
