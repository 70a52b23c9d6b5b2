"""What people type for an API. In: an entry, or a page's path. Out: further names, and words that lead to a page.

The short forms are those that `mapspore show` understands; words that are nobody's name, such as the Chinese
one for "reduce", stand in `templates/text/terms.yaml` by the page that answers them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from mapspore.text.phrases import catalogue
from mapspore.view.entry_view import EntryView
from mapspore.view.spellings import spellings

_BETWEEN = re.compile(r"[\s_.\-]+|(?<=[a-z])(?=[A-Z][a-z])")


def short_names(entry: EntryView) -> list[str]:
    """All other spellings: aliases, with a short module name, bare, and without underscores."""
    found = dict.fromkeys(name for name, _ in spellings(entry.torch, entry.redirects))
    return [name for name in found if name != entry.torch]


def terms(page: str) -> Collection[str]:
    """The words, in either language, that a page answers though it is not called so."""
    found: Collection[str] = catalogue("terms").get(page, ())
    return found


def search_words(names: Iterable[str]) -> list[str]:
    """The words of names as the search splits what is typed, each once."""
    return list(dict.fromkeys(word for name in names for word in _BETWEEN.split(name) if word))
