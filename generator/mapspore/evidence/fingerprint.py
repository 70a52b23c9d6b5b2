"""What evidence is bound to. In: an entry and the adapter's source. Out: a `Fingerprint`: the cases themselves as data,
the code that they reach, and the number of the judge. What changes none of them leaves evidence as it is: a comment, a
summary, a module under another name.

Making cases takes milliseconds per entry, so digests are kept in the user's cache folder under a key of the bytes that
they were made from.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from mapspore.adapter.module import module_path
from mapspore.base.artifact import Artifact
from mapspore.base.cache import apart, cache_file, digest_of, read_cached, write_cached
from mapspore.base.digest import engine_digest, texts_below
from mapspore.base.paths import adapter_folder, facts_folder
from mapspore.cases.all_cases import all_cases
from mapspore.evidence.reach import SourceTree
from mapspore.evidence.source_files import SourceFiles, is_generated
from mapspore.resolve.registry import Mapping
from mapspore.words.runtime import home_of

JUDGE = 4
"""The number of the judge: how tensors are filled, cases run and outcomes compared. Whoever changes that so that an
outcome can change raises it, and all evidence is void."""
PACKAGE = "torchspore"
SUFFIX = "fingerprints"


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What an entry's evidence is bound to."""

    cases: str
    code: str
    judge: int = JUDGE


@dataclass(frozen=True, slots=True)
class CaseDigest:
    """The cases of an entry: their digest, and the adapter's functions that they call."""

    digest: str
    apis: tuple[str, ...]


class Fingerprints:
    """The fingerprints of a registry's entries."""

    def __init__(
        self, root: Path, mappings: Iterable[Mapping], made: Iterable[Artifact] = (), kept: str = SUFFIX
    ) -> None:
        """With `made`, those of the adapter as it will be once these artifacts are written. `kept` names the digests
        that are kept: each use has its own, so that none forgets another's."""
        own = root / "adapter"
        texts = {artifact.path.removeprefix("adapter/"): artifact.text for artifact in made}
        self._adapter = SourceFiles(own if own.is_dir() or texts else adapter_folder(), PACKAGE, texts)
        self._root = root
        self._peers = [mapping for mapping in mappings if _is_peer(mapping)]
        self._place = cache_file(root, kept)
        self._cache: dict[str, Any] = read_cached(self._place) or {}
        self._used: dict[str, Any] = {}

    def of(self, mapping: Mapping, sizes: Sequence[int] = ()) -> Fingerprint:
        """The fingerprint of an entry; `sizes` are the numbers of ranks, for what several processes verify."""
        cases = self._cases(mapping, sizes)
        own = (home_of(mapping.entry.runtime)[0],) if mapping.is_runtime_member and mapping.entry.runtime else ()
        return Fingerprint(cases.digest, self._code(cases.apis, own))

    def code_of(self, apis: Iterable[str]) -> str:
        """The digest of the adapter's code that some APIs reach, for what uses them without being a case."""
        return self._code(sorted(set(apis)))

    def save(self) -> None:
        """Keep what was worked out for the next time, and forget what nobody asked for."""
        if self._used != self._cache:
            write_cached(self._place, self._used)

    def _cases(self, mapping: Mapping, sizes: Sequence[int]) -> CaseDigest:
        peers = self._peers if _is_peer(mapping) else []
        sizes = sizes if mapping.needs_ranks else ()  # one process has no other number
        texts = [mapping.source.text, *(peer.source.text for peer in peers)]
        texts += [text for pair in sorted(mapping.source.examples.items()) for text in pair]
        key = _digest([self._shared, repr(sizes), *texts])
        found = self._cache.get(key)
        if found is None:
            made = _digest_of_cases(mapping, sizes, peers)
            found = [made.digest, list(made.apis)]
        self._used[key] = found
        return CaseDigest(found[0], tuple(found[1]))

    def _code(self, apis: Sequence[str], own: Sequence[str] = ()) -> str:
        """The digest of what some APIs reach; a member of a class of the runtime has no module, but the class has."""
        modules = [*own, *map(module_of, apis)]
        key = _digest([self._runtime, *(self._text(module) for module in modules)])
        found = self._cache.get(key) or self._tree.digest(modules)
        self._used[key] = found
        return str(found)

    def _text(self, module: str) -> str:
        path = module.replace(".", "/")
        return self._adapter.text(f"{path}.py") or self._adapter.text(f"{path}/__init__.py")

    @cached_property
    def _shared(self) -> str:
        """The bytes that all cases are made with: the engine and the facts."""
        return _digest([engine_digest(), *texts_below(facts_folder(self._root), "*.json")])

    @cached_property
    def _runtime(self) -> str:
        """The bytes of the hand-written part of the adapter, and the engine's, which finds what is reached."""
        texts = (self._adapter.text(path) for path in sorted(self._adapter.paths))
        return _digest([engine_digest(), *(text for text in texts if not is_generated(text))])

    @cached_property
    def _tree(self) -> SourceTree:
        return SourceTree(self._adapter)


def module_of(api: str) -> str:
    """The adapter's module of a torch name."""
    return module_path(api).removeprefix("adapter/").removesuffix(".py").replace("/", ".")


def _is_peer(mapping: Mapping) -> bool:
    collective = mapping.entry.contract.collective
    return collective is not None and collective.peer is not None


def _digest_of_cases(mapping: Mapping, sizes: Sequence[int], peers: Sequence[Mapping]) -> CaseDigest:
    cases = sorted(all_cases(mapping, sizes, peers), key=lambda case: (case["size"], case["id"]))
    apis = {mapping.name, *(call["api"] for case in cases for call in case["calls"] if "api" in call)}
    return CaseDigest(_digest([json.dumps(cases, sort_keys=True)]), tuple(sorted(apis)))


def _digest(parts: Iterable[str]) -> str:
    return digest_of(apart(part.encode("utf-8", "surrogateescape") for part in parts))
