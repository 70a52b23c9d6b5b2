"""The look-up index: any name people use for an API, to the resolved answer about it.

Built from the whole registry once and kept in the user's cache folder under a digest of everything it was
made from; deleting it is always safe. Reading it needs neither pydantic nor YAML.
"""

from __future__ import annotations

import contextlib
import json
import re
import sqlite3
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, Self

from mapspore.view.spellings import SHORT_MODULES, spellings

CACHE_SIZE = 8
MINDSPORE = "mindspore."


class Damaged(Exception):
    """The index file does not hold what was written into it."""


class Names(NamedTuple):
    """What the facts of both frameworks know: APIs, further places of APIs with their homes, and modules."""

    apis: list[str]
    places: dict[str, str]
    modules: dict[str, bool]


Parts = tuple[list[dict[str, Any]], Names, dict[str, Any]]
"""What an index is made of: the answers, the names, and the labels."""


def build(path: Path, parts: Parts) -> None:
    """Write an index file, whole or not at all; an OSError if it cannot be written."""
    from mapspore.base.cache import only_newest
    from mapspore.base.staging import Staging

    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with Staging() as staging:
            with contextlib.closing(sqlite3.connect(staging.path_for(path))) as store:
                _fill(store, parts)
            staging.place()
    except sqlite3.Error as error:  # the disk is full, for instance
        raise OSError(str(error)) from None
    only_newest(path.parent, "*.sqlite", CACHE_SIZE)


def _fill(store: sqlite3.Connection, parts: Parts) -> None:
    entries, names, labels = parts
    store.executescript(
        "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;"
        "CREATE TABLE answers(name TEXT PRIMARY KEY, data TEXT, sum INTEGER);"
        "CREATE TABLE keys(key TEXT, rank INTEGER, name TEXT);"
        "CREATE TABLE facts(name TEXT PRIMARY KEY);"
        "CREATE TABLE places(name TEXT PRIMARY KEY, home TEXT);"
        "CREATE TABLE modules(name TEXT PRIMARY KEY, covered INTEGER);"
        "CREATE TABLE labels(data TEXT, sum INTEGER);"
    )
    store.executemany(
        "INSERT OR IGNORE INTO answers VALUES(?, ?, ?)", ((data["torch"], *_kept(data)) for data in entries)
    )
    rows = {(key.lower(), data["torch"]): rank for data in entries for key, rank in sorted(_keys(data), reverse=True)}
    store.executemany("INSERT INTO keys VALUES(?, ?, ?)", ((key, rank, name) for (key, name), rank in rows.items()))
    store.executemany("INSERT OR IGNORE INTO facts VALUES(?)", ((name,) for name in names.apis))
    store.executemany("INSERT OR IGNORE INTO places VALUES(?, ?)", names.places.items())
    store.executemany("INSERT OR IGNORE INTO modules VALUES(?, ?)", names.modules.items())
    store.execute("INSERT INTO labels VALUES(?, ?)", _kept(labels))
    store.execute("CREATE INDEX by_key ON keys(key)")
    store.commit()


def _keys(data: dict[str, Any]) -> Iterator[tuple[str, int]]:
    return spellings(data["torch"], data["aliases"], [target["mindspore"] for target in data["targets"]])


def _kept(data: dict[str, Any]) -> tuple[str, int]:
    """Data as it is stored, with a sum by which damage shows."""
    text = json.dumps(data)  # in ASCII: a file's name may be no text that SQLite takes
    return text, _sum(text)


def _sum(text: str) -> int:
    return zlib.crc32(text.encode("utf-8", "surrogatepass"))


class Index:
    """An index to ask: an open file, or one that is held in memory."""

    def __init__(self, store: sqlite3.Connection) -> None:
        self._store = store

    @classmethod
    @contextlib.contextmanager
    def open(cls, path: Path) -> Iterator[Self]:
        """The index in a file. Whatever in it cannot be read, now or when it is asked, is `Damaged`."""
        spelled = str(path).replace("%", "%25").replace("?", "%3f").replace("#", "%23")
        try:
            with contextlib.closing(sqlite3.connect(f"file:{spelled}?mode=ro", uri=True)) as store:
                yield cls(store)
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise Damaged from error

    @classmethod
    @contextlib.contextmanager
    def in_memory(cls, parts: Parts) -> Iterator[Self]:
        """An index that leaves no file behind."""
        with contextlib.closing(sqlite3.connect(":memory:")) as store:
            _fill(store, parts)
            yield cls(store)

    def find(self, wanted: str) -> list[str]:
        """The entries that a name means, as few as its best match gives."""
        rows = self._store.execute(
            "SELECT name, rank FROM keys WHERE key = ? ORDER BY rank, name", (wanted.strip().lower(),)
        ).fetchall()
        exact = [name for name, rank in rows if rank == 0 and name == wanted]
        return exact or [name for name, rank in rows if rank == rows[0][1]]

    def answer(self, name: str) -> dict[str, Any]:
        return self._data("SELECT data, sum FROM answers WHERE name = ?", name)

    def labels(self) -> dict[str, Any]:
        return self._data("SELECT data, sum FROM labels")

    def _data(self, query: str, *values: str) -> dict[str, Any]:
        row = self._store.execute(query, values).fetchone()
        if row is None or not isinstance(row[0], str) or _sum(row[0]) != row[1]:
            raise Damaged
        loaded: dict[str, Any] = json.loads(row[0])
        return loaded

    def names(self) -> list[str]:
        return [row[0] for row in self._store.execute("SELECT DISTINCT key FROM keys WHERE rank < 4 ORDER BY key")]

    def known_to_facts(self, wanted: str) -> list[str]:
        """The APIs of either framework that a name means, though no entry answers for them: those whose full name it
        spells, or else all that end in it."""
        for name in (*full_names(wanted), f"{MINDSPORE}{wanted}"):
            if self._store.execute("SELECT 1 FROM facts WHERE name = ?", (name,)).fetchone():
                return [name]
        rows = self._store.execute("SELECT name FROM facts WHERE name LIKE '%.' || ? ESCAPE '!'", (_literally(wanted),))
        return sorted((name for (name,) in rows), key=lambda name: (name.startswith(MINDSPORE), name.count("."), name))

    def home(self, place: str) -> str | None:
        """The API that is found in a place as well, such as `torch.nn.modules.linear.Linear`."""
        row = self._store.execute("SELECT home FROM places WHERE name = ?", (place,)).fetchone()
        return row[0] if row else None

    def modules(self) -> dict[str, bool]:
        """The modules of both frameworks, and whether the facts cover them."""
        return {name: bool(covered) for name, covered in self._store.execute("SELECT name, covered FROM modules")}

    def torch_names(self) -> list[str]:
        """The full names in torch, with an entry or without."""
        return [row[0] for row in self._store.execute("SELECT name FROM facts WHERE name LIKE 'torch.%' ORDER BY name")]


def full_names(wanted: str) -> list[str]:
    """The full names in torch that a name can stand for: itself, without `torch.`, or with a short module name."""
    names = [wanted, f"torch.{wanted}"]
    return names + [f"{long}.{rest}" for long, short in SHORT_MODULES.items() if (rest := _after(wanted, short))]


def _literally(text: str) -> str:
    """Text for `LIKE`, in which nothing stands for anything else."""
    return re.sub("[!%_]", r"!\g<0>", text)


def _after(wanted: str, short: str) -> str:
    """What follows a short module name: `gelu` in `F.gelu`."""
    head, _, rest = wanted.partition(".")
    return rest if head == short else ""
