"""Names of torch that scanned modules hand to one another. In: the results of files, as they come. Out: what each
dotted name in a scanned module stands for, and which of that a file takes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from mapspore.scan.files import File
from mapspore.scan.scan_file import Result

Export = tuple[str, str, bool]
"""What of torch a name stands for, the module that imports that, and whether surely."""
Exports = dict[str, Export]
"""By dotted name in scanned modules."""


class _Passed(NamedTuple):
    """A name that stands for something of another scanned module."""

    name: str
    path: str
    sure: bool


class ExportTable:
    """What of torch the scanned modules hold, also what they took from one another. Every name is followed once."""

    def __init__(self, files: Iterable[File]) -> None:
        self.names: Exports = {}
        self._modules = {file.module for file in files}
        self._by_module: dict[str, list[str]] = {}
        self._waiting: dict[str, list[_Passed]] = {}
        """By dotted name that is not known yet: what it would settle."""
        self._followers: dict[str, list[str]] = {}
        """By module: those that take over all of its names."""

    def add(self, results: Iterable[tuple[File, Result]]) -> set[str]:
        """Take more results in; the last parts of the names that are new because of them."""
        fresh: Exports = {}
        for file, result in results:
            if not file.module:
                continue
            for name, (path, sure) in result.exports.items():
                full = f"{file.module}.{name}"
                if path == "torch" or path.startswith("torch."):
                    fresh[full] = (path, file.module, sure)
                else:
                    self._settle(_Passed(full, path, sure), fresh)
            for source in result.stars:
                self._followers.setdefault(source, []).append(file.module)
                for path in self._by_module.get(source, ()):
                    self._hand_on(path, self.names[path], file.module, fresh)
        new: set[str] = set()
        while fresh:
            known, fresh = fresh, {}
            for path in known:
                if path not in self.names:
                    self._by_module.setdefault(path.rpartition(".")[0], []).append(path)
            self.names |= known
            for path, export in known.items():
                module, _, last = path.rpartition(".")
                new.add(last)
                for passed in self._waiting.pop(path, ()):
                    self._settle(passed, fresh)
                for follower in self._followers.get(module, ()):
                    self._hand_on(path, export, follower, fresh)
        return new

    def _settle(self, passed: _Passed, fresh: Exports) -> None:
        """Tell what a name stands for, or let it wait for what would tell."""
        prefixes = list(_prefixes(passed.path, self._modules))
        prefix = next((prefix for prefix in prefixes if prefix in self.names), None)
        if prefix is None:
            for each in prefixes:
                self._waiting.setdefault(each, []).append(passed)
        elif passed.name not in self.names:
            target, module, known = self.names[prefix]
            fresh[passed.name] = (target + passed.path[len(prefix) :], module, passed.sure and known)

    def _hand_on(self, path: str, export: Export, follower: str, fresh: Exports) -> None:
        """What `import *` brings, unless the module has that name by itself."""
        name = f"{follower}.{path.rpartition('.')[2]}"
        if name not in self.names and "._" not in name:
            fresh.setdefault(name, export)

    def linked(self, takes: Iterable[str]) -> Exports:
        """What a file can mean by what it takes of scanned modules."""
        wanted: Exports = {}
        for take in takes:
            if take.endswith(".*"):
                wanted.update((path, self.names[path]) for path in self._by_module.get(take[:-2], ()))
            else:
                prefix = next((prefix for prefix in _prefixes(take, self._modules) if prefix in self.names), "")
                if prefix:
                    wanted[prefix] = self.names[prefix]
        return dict(sorted(wanted.items()))


def _prefixes(path: str, modules: set[str]) -> Iterator[str]:
    """The beginnings of a dotted name that can be exports; a module goes before what another has under its name."""
    while path and path not in modules:
        yield path
        path = path.rpartition(".")[0]
