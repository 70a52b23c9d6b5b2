"""One short text for all that an answer depends on: the registry, the facts, the phrases and the engine itself.

It is taken from the content of the files. Reading thousands of them is most of a look-up's time, so the digest is
kept in the user's cache folder with the files' stamps (size, times, inode), and holds while no stamp has changed.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

from mapspore.base.cache import cache_file, digest_of, read_cached, write_cached
from mapspore.base.paths import adapter_folder, engine_home, evidence_folder, facts_folder

SETTLED = 2_000_000_000
"""Nanoseconds after which a file's times are trusted: right after a change it may change again within one tick."""

Stamp = tuple[str, int, int, int, int]


@cache
def engine_digest() -> str:
    """The engine's own source."""
    return digest_of(text.encode() for text in texts_below(Path(__file__).parents[1], "*.py"))


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
    stamp = digest_of([repr(stamps).encode("utf-8", "surrogateescape")])
    note = cache_file(root, "stamp", overlays)
    known = read_cached(note)
    if isinstance(known, list) and known[:1] == [stamp]:
        return str(known[1])
    digest = digest_of(_contents(stamps))
    if max((changed for _, _, _, changed, _ in stamps), default=0) < time.time_ns() - SETTLED:
        write_cached(note, [stamp, digest])
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
