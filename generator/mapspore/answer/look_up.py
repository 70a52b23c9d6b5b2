"""Finding the answer for a name: asks the index, building it first where none fits the registry."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from mapspore.answer.index import MINDSPORE, Damaged, Index, Names, Parts, build
from mapspore.base.cache import cache_folder
from mapspore.base.diagnostics import Refusal
from mapspore.base.digest import registry_digest
from mapspore.base.language import Language
from mapspore.facts.naming import unlisted

T = TypeVar("T")
SHOWN = 3
LONGEST = 1000
"""Characters that a name can have; no API's comes near."""
SHORTENED = 60


def ask(root: Path, language: Language, question: Callable[[Index], T], overlays: Sequence[Path] = ()) -> T:
    """What the index in the cache answers, or a new one, which is kept there if the folder can be written.

    A damaged file is replaced without a word; nobody misses it.
    """
    path = cache_folder() / f"{registry_digest(root, overlays)}.sqlite"
    if path.is_file():
        with contextlib.suppress(OSError):
            os.utime(path)
        with contextlib.suppress(Damaged), Index.open(path) as index:
            return question(index)
    if sys.stderr.isatty():
        from mapspore.text.phrases import say

        print(say("cli.doing.index", language), file=sys.stderr)
    parts = _parts(root, overlays)
    with contextlib.suppress(OSError):
        build(path, parts)
    with Index.in_memory(parts) as index:
        return question(index)


def _parts(root: Path, overlays: Sequence[Path]) -> Parts:
    from mapspore.pipeline import load_registry
    from mapspore.text.phrases import catalogue
    from mapspore.view.entry_view import as_data
    from mapspore.view.prepare import registry_view

    loaded = load_registry(root, overlays=overlays)
    faulty = {diagnostic.place.path for diagnostic in loaded.errors}
    sound = [mapping for mapping in loaded.registry.mappings if mapping.source.path not in faulty]
    entries = [as_data(entry) for entry in registry_view(loaded.registry.with_mappings(sound)).entries]
    # A faulty entry is known by its name, so that whoever asks for it learns why there is no answer.
    for source in loaded.sources:
        name = source.data.get("torch") if isinstance(source.data, dict) else None
        if source.path in faulty and isinstance(name, str):
            entries.append({"torch": name, "aliases": [], "targets": [], "faulty": source.path})
    torch, mindspore = loaded.registry.torch, loaded.registry.mindspore
    members = {
        name: found.name
        for name in torch.names
        if name not in loaded.registry.by_name and (found := loaded.registry.answering(name)) is not None
    }
    homes = members | torch.places | mindspore.places
    names = Names([*torch.names, *mindspore.names], homes, {**torch.modules, **mindspore.modules})
    return entries, names, catalogue("labels")


def find(index: Index, wanted: str) -> list[str]:
    """The entries that a name means; a refusal with the nearest names if it means none."""
    if len(wanted) > LONGEST or not wanted.isprintable():
        raise Refusal("C201", given=wanted if len(wanted) <= SHORTENED else f"{wanted[:SHORTENED]}…")
    known = index.known_to_facts(index.home(wanted) or wanted)
    found = index.find(wanted) or index.find(index.home(wanted) or "") or _classes(index, known)
    for name in found:
        faulty = index.answer(name).get("faulty")
        if faulty:
            raise Refusal("C202", name=name, path=faulty)
    if found:
        return found
    if known:
        raise _without_entry(wanted, known)
    if refusal := unlisted(wanted, index.modules()):
        raise refusal
    names = ", ".join(nearest(index, wanted))
    raise Refusal("C203", hint="near" if names else "", given=wanted, near=names)


def _classes(index: Index, members: list[str]) -> list[str]:
    """The entries of classes that answer for their members too."""
    return list(dict.fromkeys(name for member in members for name in index.find(index.home(member) or "")))


def _without_entry(wanted: str, known: list[str]) -> Refusal:
    """Says that a name means an API, or several, for which there is no entry; torch's stand before MindSpore's."""
    ours = [name for name in known if not name.startswith(MINDSPORE)]
    meant = "mindspore" if known[0].startswith(MINDSPORE) else "one" if len(ours) == 1 else "several"
    return Refusal("C204", meant, first=known[0], given=wanted, names=", ".join(ours[:SHOWN]))


def nearest(index: Index, wanted: str) -> list[str]:
    """The full names with the same last part, then those whose spelling, long or short, comes nearest; members of
    classes that have no entry come last."""
    import difflib

    unanswered = {name.lower(): name for name in index.torch_names()}
    keys = [*index.names(), *unanswered]
    close = difflib.get_close_matches(wanted.lower(), keys, n=6, cutoff=0.6)
    framework, _, _ = wanted.partition(".")
    last = wanted.rpartition(".")[2]
    ending = [*index.find(last), *index.known_to_facts(last)] if last != wanted else []
    ending.sort(key=lambda name: (not name.startswith(f"{framework}."), not name.endswith(f".{last}")))
    spelled = (name for key in close for name in index.find(key) or [unanswered[key]])
    found = dict.fromkeys((*ending, *spelled))
    return sorted(found, key=lambda name: name.split(".")[-2][:1].isupper() and not index.find(name))[:SHOWN]
