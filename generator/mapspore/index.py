"""The look-up index: any name people use for an API, to the resolved answer about it.

Built from the whole registry once and kept in the user's cache folder under a digest of everything it was
made from; deleting it is always safe. Reading it needs neither pydantic nor YAML.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

KEPT = 8
_SHORT_MODULES = {
    "torch.distributed": "dist",
    "torch.nn.functional": "F",
    "torch.nn": "nn",
    "torch.optim": "optim",
    "torch.optim.lr_scheduler": "lr_scheduler",
    "torch.Tensor": "Tensor",
}


def keys(data: dict[str, Any]) -> Iterator[tuple[str, int]]:
    """Every name that finds an entry, with how good a match it is (0 is the name itself)."""
    for rank, name in ((0, data["torch"]), *((1, alias) for alias in data["aliases"])):
        yield name, rank
        module, _, last = name.rpartition(".")
        yield name.removeprefix("torch."), 2
        for long, short in _SHORT_MODULES.items():
            if module == long or module.startswith(long + "."):
                yield f"{short}{name.removeprefix(long)}", 2
        yield last, 3
        yield last.replace("_", ""), 4
    for target in data["targets"]:
        name = target["mindspore"]
        yield name, 1
        yield name.removeprefix("mindspore."), 3
        yield ".".join(name.split(".")[-2:]), 3
        yield name.rpartition(".")[2], 4


def build(path: Path, entries: list[dict[str, Any]], facts: list[str], labels: dict[str, Any]) -> None:
    """Write an index file, whole or not at all."""
    import tempfile

    path.parent.mkdir(parents=True, exist_ok=True)
    handle, staged = tempfile.mkstemp(prefix=".index-", dir=path.parent)
    os.close(handle)
    try:
        with contextlib.closing(sqlite3.connect(staged)) as store:
            store.executescript(
                "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;"
                "CREATE TABLE answers(name TEXT PRIMARY KEY, data TEXT);"
                "CREATE TABLE keys(key TEXT, rank INTEGER, name TEXT);"
                "CREATE TABLE facts(name TEXT PRIMARY KEY);"
                "CREATE TABLE labels(data TEXT);"
            )
            store.executemany(
                "INSERT OR IGNORE INTO answers VALUES(?, ?)",
                ((data["torch"], json.dumps(data, ensure_ascii=False)) for data in entries),
            )
            rows = {
                (key.lower(), data["torch"]): rank for data in entries for key, rank in sorted(keys(data), reverse=True)
            }
            store.executemany(
                "INSERT INTO keys VALUES(?, ?, ?)", ((key, rank, name) for (key, name), rank in rows.items())
            )
            store.executemany("INSERT OR IGNORE INTO facts VALUES(?)", ((name,) for name in facts))
            store.execute("INSERT INTO labels VALUES(?)", (json.dumps(labels, ensure_ascii=False),))
            store.execute("CREATE INDEX by_key ON keys(key)")
            store.commit()
        os.replace(staged, path)
    finally:
        with contextlib.suppress(OSError):
            os.unlink(staged)
    for old in sorted(path.parent.glob("*.sqlite"), key=lambda p: p.stat().st_mtime)[:-KEPT]:
        with contextlib.suppress(OSError):
            old.unlink()


class Index:
    """An open index file."""

    def __init__(self, path: Path) -> None:
        self._store = sqlite3.connect(f"file:{path}?mode=ro", uri=True)

    def find(self, wanted: str) -> list[str]:
        """The entries that a name means, as few as its best match gives."""
        rows = self._store.execute(
            "SELECT name, rank FROM keys WHERE key = ? ORDER BY rank, name", (wanted.strip().lower(),)
        ).fetchall()
        exact = [name for name, rank in rows if rank == 0 and name == wanted]
        return exact or [name for name, rank in rows if rank == rows[0][1]]

    def answer(self, name: str) -> dict[str, Any]:
        row = self._store.execute("SELECT data FROM answers WHERE name = ?", (name,)).fetchone()
        loaded: dict[str, Any] = json.loads(row[0])
        return loaded

    def labels(self) -> dict[str, Any]:
        loaded: dict[str, Any] = json.loads(self._store.execute("SELECT data FROM labels").fetchone()[0])
        return loaded

    def names(self) -> list[str]:
        return [row[0] for row in self._store.execute("SELECT DISTINCT key FROM keys WHERE rank < 4 ORDER BY key")]

    def known_to_torch(self, wanted: str) -> str | None:
        """The torch API that the facts know under this name, though no entry answers for it."""
        names = [wanted, f"torch.{wanted}"]
        names += [f"{long}.{rest}" for long, short in _SHORT_MODULES.items() if (rest := _after(wanted, short))]
        for name in names:
            if self._store.execute("SELECT 1 FROM facts WHERE name = ?", (name,)).fetchone():
                return name
        return None


def _after(wanted: str, short: str) -> str:
    """What follows a short module name: `gelu` in `F.gelu`."""
    head, _, rest = wanted.partition(".")
    return rest if head == short else ""
