"""What people type for an API. In: a mapping. Out: its further names, and the words that lead to a page.

The short forms are those that `mapspore show` understands; words such as 归约, which are nobody's name, stand in
`templates/text/terms.yaml` by the page that answers them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from mapspore.resolve.registry import Mapping, Registry
from mapspore.text.phrases import catalogue
from mapspore.view.answer import aliases, further_names
from mapspore.view.spellings import keys

_BETWEEN = re.compile(r"[\s_.\-]+|(?<=[a-z])(?=[A-Z][a-z])")


class Names:
    """The names of all entries of a registry."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._others = further_names(registry)

    def aliases(self, mapping: Mapping) -> list[str]:
        """Other full names in torch, except those that are entries themselves."""
        own = self._registry.claims
        return [name for name in aliases(mapping, self._registry, self._others) if own.get(name, mapping).name != name]

    def short(self, mapping: Mapping) -> list[str]:
        """All other spellings: aliases, with a short module name, bare, and without underscores."""
        data = {"torch": mapping.name, "aliases": self.aliases(mapping), "targets": []}
        return [name for name in dict.fromkeys(name for name, _ in keys(data)) if name != mapping.name]


def terms(page: str) -> Collection[str]:
    """The words, in either language, that a page answers though it is not called so."""
    found: Collection[str] = catalogue("terms").get(page, ())
    return found


def search_words(names: Iterable[str]) -> list[str]:
    """The words of names as the search splits what is typed, each once."""
    return list(dict.fromkeys(word for name in names for word in _BETWEEN.split(name) if word))
