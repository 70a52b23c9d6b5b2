"""Which names of the runtime a generated module uses. In go the names that are used while a module is made; out come
its import statements.
"""

from __future__ import annotations

from mapspore.adapter.python_source import imports
from mapspore.words.runtime import home_of


class Names:
    """The names that one module uses, collected while its views are made."""

    def __init__(self) -> None:
        self._used: set[str] = set()
        self._typing: set[str] = set()

    def use(self, name: str) -> str:
        """A name of the runtime; of `one as other` the other is what the module calls it."""
        self._used.add(name)
        return name.rpartition(" ")[2].rpartition(".")[2]

    def any(self) -> str:
        return self.typing("Any")

    def typing(self, name: str) -> str:
        self._typing.add(name)
        return name

    @property
    def typed(self) -> tuple[str, ...]:
        return tuple(sorted(self._typing))

    def imports(self) -> tuple[str, ...]:
        """The import statements, line by line."""
        offers: dict[str, list[str]] = {}
        for name in self._used:
            own, renamed, other = name.partition(" as ")
            home, last = home_of(own)
            offers.setdefault(home, []).append(f"{last}{renamed}{other}" if other != last else last)
        return tuple(imports(offers))
