"""The compiled rules as a scan uses them: which API a dotted name means, and what is known of it.

A registry's root goes in, a `Ruleset` comes out, from the user's cache folder if the registry has not changed.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from mapspore.base.cache import cache_folder, only_newest, read_cached, write_cached
from mapspore.base.diagnostics import WRONG_USAGE, Refusal
from mapspore.base.digest import registry_digest
from mapspore.entry.model import Platform

CACHE_SIZE = 8
SUFFIX = "rules"
Data = dict[str, Any]


class KnownApi(NamedTuple):
    """What a dotted name in code means: an API of torch, and what of the name is left over."""

    name: str
    """torch's name as it was written, as far as it is an API; with an entry, the entry's name."""
    rule: Data | None
    rest: str
    """Attributes behind the API, such as `SUM` behind `ReduceOp`."""
    path: str
    """The API's name as it was written."""


class Ruleset:
    """What to look for. Answers are remembered, since code repeats names."""

    def __init__(self, data: Data, digest: str) -> None:
        self.data = data
        self.digest = digest
        self.rules: dict[str, Data] = data["rules"]
        self.names: dict[str, str] = data["names"]
        self.known: dict[str, list[str]] = data["known"]
        self.missing: dict[str, str] = data["missing"]
        """Methods that torch's objects have, but neither MindSpore's nor the adapter's: by name, in full."""
        self.missing_directly: dict[str, str] = data["missing_directly"]
        """Methods that torch's objects have and MindSpore's have not, by name, in full."""
        self.members: frozenset[str] = frozenset(data["members"])
        """What the objects of the adapter's own classes have, by torch's name."""
        self.modules = _modules(data["modules"], self.known, self.names)
        self._apis: dict[str, KnownApi | None] = {}

    def api(self, path: str) -> KnownApi | None:
        """The API that a dotted name means; None for a module."""
        try:
            return self._apis[path]
        except KeyError:
            found = self._apis[path] = self._find(path)
            return found

    def _find(self, path: str) -> KnownApi | None:
        if path in self.modules:
            return None
        prefix, rest = path, ""
        known = ("", "")
        while "." in prefix:
            entry = self.names.get(prefix)
            if entry is not None:
                return KnownApi(entry, self.rules[entry], rest, prefix)
            fact = self.known.get(prefix)
            if fact is not None and not known[0]:
                known = (prefix, rest)
                if fact[0] == "method" and not rest:
                    break  # the class's entry does not speak of it
            prefix, _, last = prefix.rpartition(".")
            rest = f"{last}.{rest}" if rest else last
        return KnownApi(known[0], None, known[1], known[0]) if known[0] else KnownApi(path, None, "", path)

    def member(self, owner: str, name: str) -> KnownApi | None:
        """A method or property of an instance, if torch has it; the class's entry does not speak of it."""
        full = f"{owner}.{name}"
        if full not in self.known and full not in self.names:
            return None
        entry = self.names.get(full, "")
        return KnownApi(entry or full, self.rules[entry] if entry else None, "", full)

    def gives(self, name: str) -> str:
        """The class of what a call returns, or an empty text."""
        fact = self.known.get(name)
        return fact[1] if fact is not None else ""


_UNLISTED = ("torch._C", "torch._dynamo", "torch._inductor", "torch.ops.aten")
"""Modules of torch that the facts do not list; a mention of one is not a use of an API."""


def _modules(listed: list[str], known: dict[str, list[str]], names: dict[str, str]) -> frozenset[str]:
    """The modules, and all dotted prefixes of names, that are not APIs themselves."""
    found = {name for name in ("torch", *_UNLISTED, *listed) if name not in known and name not in names}
    for name in (*known, *names):
        prefix = name.rpartition(".")[0]
        while prefix and prefix not in found:
            if prefix not in known and prefix not in names:
                found.add(prefix)
            prefix = prefix.rpartition(".")[0]
    return frozenset(found)


def load_ruleset(root: Path, overlays: Sequence[Path] = (), platform: Platform | None = None) -> Ruleset:
    """The rules of a registry, compiled again only if something of it has changed; with a platform, for what that has
    a kernel for."""
    digest = registry_digest(root, overlays) + (f"-{platform}" if platform else "")
    path = cache_folder() / f"{digest}.{SUFFIX}"
    known = read_cached(path)
    if known is not None:
        return Ruleset(known, digest)
    from dataclasses import replace

    from mapspore.pipeline import load_registry
    from mapspore.scan.rules import compile_rules

    loaded = load_registry(root, overlays=overlays)
    faulty = {diagnostic.place.path for diagnostic in loaded.errors}
    for folder in overlays:
        if any(path.startswith(f"{folder.name}/mappings/") for path in faulty):
            at = os.path.relpath(folder)
            raise Refusal("C102", "faulty", exit_code=WRONG_USAGE, folder=folder.name, path=at)
    sound = tuple(mapping for mapping in loaded.registry.mappings if mapping.source.path not in faulty)
    registry = replace(loaded.registry, mappings=sound)
    data = compile_rules(registry.on(platform) if platform else registry)
    write_cached(path, data)
    only_newest(path.parent, f"*.{SUFFIX}", CACHE_SIZE)
    return Ruleset(data, digest)
