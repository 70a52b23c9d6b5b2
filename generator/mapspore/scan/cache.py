"""What was found in a file, kept in the user's cache folder under the file's content and the registry's digest.

Deleting it is always safe, and a damaged one is as good as none. One SQLite file per registry; the oldest are removed.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterable
from typing import Any

from mapspore.base.cache import apart, cache_folder, digest_of, only_newest, pack, unpack
from mapspore.scan.scan_file import Result

CACHE_SIZE = 4


def key(*parts: bytes) -> str:
    """The name under which a result is kept."""
    return digest_of(apart(parts))


class Cache:
    """Results by key. Without a store, or once something goes wrong, it knows nothing and keeps nothing."""

    def __init__(self, digest: str, on: bool = True) -> None:
        self._store: sqlite3.Connection | None = None
        if not on:
            return
        with contextlib.suppress(OSError, sqlite3.Error):
            folder = cache_folder()
            folder.mkdir(parents=True, exist_ok=True)
            path = folder / f"{digest}.scan"
            fresh = not path.exists()
            store = sqlite3.connect(path, timeout=5)
            try:
                store.execute("PRAGMA synchronous=OFF")
                store.execute("CREATE TABLE IF NOT EXISTS results(key TEXT PRIMARY KEY, data TEXT) WITHOUT ROWID")
                store.execute("SELECT key, data FROM results LIMIT 1").fetchall()
            except sqlite3.Error:  # damaged: begin anew
                store.close()
                path.unlink()
                store = sqlite3.connect(path, timeout=5)
                store.execute("CREATE TABLE results(key TEXT PRIMARY KEY, data TEXT) WITHOUT ROWID")
            self._store = store
            if fresh:
                only_newest(folder, "*.scan", CACHE_SIZE)

    def get(self, name: str) -> Result | None:
        data = self._data(name)
        return None if data is None else Result(*data)

    def keep(self, results: Iterable[tuple[str, Result]]) -> None:
        self._keep((name, list(result)) for name, result in results)

    def names(self, whole: str) -> list[str | None] | None:
        """The keys of the results of a whole tree."""
        names: list[str | None] | None = self._data(whole)
        return names

    def keep_names(self, whole: str, names: list[str | None]) -> None:
        self._keep([(whole, names)])

    def _data(self, name: str) -> Any:
        if self._store is None:
            return None
        try:
            row = self._store.execute("SELECT data FROM results WHERE key = ?", (name,)).fetchone()
            return None if row is None else unpack(row[0])
        except (sqlite3.Error, ValueError):
            return None

    def _keep(self, items: Iterable[tuple[str, Any]]) -> None:
        if self._store is None:
            return
        rows = ((name, pack(data)) for name, data in items)
        with contextlib.suppress(sqlite3.Error), self._store:
            self._store.executemany("INSERT OR REPLACE INTO results VALUES(?, ?)", rows)

    def close(self) -> None:
        if self._store is not None:
            self._store.close()
