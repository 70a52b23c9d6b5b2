"""Lets unchanged programs, and libraries that they use, run here: after `install`, whoever imports torch gets this
package, under all names of torch's modules, and torch itself cannot be imported in the process. In: imports. Out: the
adapter's modules, or a refusal in the registry's words. Running a program is left to `torchspore.run`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from email.message import Message
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from importlib.metadata import Distribution, DistributionFinder, PackageNotFoundError, version
from importlib.util import spec_from_loader
from types import ModuleType
from typing import Any

from torchspore._lazy import module_of
from torchspore._names import ORIGINAL, OWN, is_module, known, sentence
from torchspore._version import Version

__all__ = ["__version__", "explain", "install"]

__version__ = Version(f"{known().version}+{OWN}")
"""The torch whose names are here, and that it is this package which has them."""
RUNTIME = f"{OWN}._runtime"
EVERY = DistributionFinder.Context()
LOADING = "_find_and_load_unlocked"
"""The function of Python's import that asks for a module in order to load it; others only ask whether there is one."""


def install() -> None:
    """Let this package stand for torch in this process and in those that `multiprocessing` starts from it."""
    there = sys.modules.get(ORIGINAL)
    if there is not None and there is not sys.modules[OWN]:
        raise RuntimeError(
            "torch is imported already, so torchspore cannot stand for it in this process: call torchspore.install() "
            "before anything imports torch, or start the program with python -m torchspore.run."
        )
    if any(isinstance(finder, Standing) for finder in sys.meta_path):
        return
    sys.meta_path.insert(0, Standing())
    sys.meta_path.append(Refusing())
    _hand_on()


def explain() -> str:
    """What stands behind the name torch here, in a few lines."""
    alias = any(isinstance(finder, Standing) for finder in sys.meta_path)
    stands = "`import torch` gives this package" if alias else "`import torch` is left alone; install() changes that"
    return "\n".join([
        f"torchspore {_version_of(OWN)} has torch {known().version}'s names on MindSpore {_version_of('mindspore')}.",
        f"This is not PyTorch: {stands}.",
        "What a name does here, and what differs from torch, stands in its entry: mapspore show NAME.",
        "A name without an entry raises an error that says so where it is used; nothing is left out silently.",
    ])  # fmt: skip


def _version_of(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:  # on the path without having been installed
        return "(not installed)" if package != OWN else "(a checkout)"


class Standing(MetaPathFinder):
    """Finds the adapter's modules under torch's names, before anything else can find torch."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        package, _, rest = name.partition(".")
        if package != ORIGINAL:
            return None
        own = f"{OWN}.{rest}" if rest else OWN
        if not rest or is_package(own, path) or is_module(name):
            return spec_from_loader(name, Handing(own), origin=OWN, is_package=True)
        if sys._getframe(2).f_code.co_name == LOADING:  # else the adapter's own files would be found under this name
            raise ModuleNotFoundError(_told(name) or f"No module named {name!r}", name=name)
        return None

    def find_distributions(self, context: DistributionFinder.Context = EVERY) -> Iterable[Any]:
        """What libraries read that ask Python which torch is installed."""
        return [StandIn()] if context.name is not None and context.name.lower() == ORIGINAL else []


class Refusing(MetaPathFinder):
    """Says of `from torch import NAME` what the registry says of the name. It comes last: no module has been found."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        package, _, rest = name.partition(".")
        if package == OWN and not name.startswith(RUNTIME) and sys._getframe(2).f_code.co_name == LOADING:
            told = _told(f"{ORIGINAL}.{rest}")
            if told is not None:  # an error with the name of what is missing is one that Python keeps for itself
                raise ModuleNotFoundError(told, name=ORIGINAL)
        return None


class Handing(Loader):
    """Hands out a module of the adapter under another name: the very same module, so that everything in it is one."""

    def __init__(self, own: str) -> None:
        self._own = own

    def exec_module(self, module: ModuleType) -> None:
        found = is_package(self._own, None)
        sys.modules[module.__name__] = import_module(self._own) if found else module_of(self._own)


class StandIn(Distribution):
    """What Python's list of installed packages says of torch here."""

    def read_text(self, filename: str) -> str | None:
        if filename != "METADATA":
            return None
        told = Message()
        told["Metadata-Version"] = "2.1"
        told["Name"] = ORIGINAL
        told["Version"] = str(__version__)
        told["Summary"] = "torchspore, which stands for torch in this process"
        return str(told)

    def locate_file(self, path: Any) -> Any:
        return path


def is_package(own: str, path: Sequence[str] | None) -> bool:
    """Whether the adapter has a package of this name that stands for a module of torch."""
    if own in sys.modules:
        return hasattr(sys.modules[own], "__path__") and own != RUNTIME
    package = sys.modules.get(own.rpartition(".")[0])
    spec = PathFinder.find_spec(own, getattr(package, "__path__", path))
    return spec is not None and spec.origin is not None and bool(spec.submodule_search_locations) and own != RUNTIME


def _told(name: str) -> str | None:
    """Why a name of torch is not here."""
    module, _, last = name.rpartition(".")
    return sentence(module, last)


def _hand_on() -> None:
    """Let processes that `multiprocessing` starts anew stand here too, before they import the program. What it tells
    them first is unpickled before anything else, and names this module."""
    from multiprocessing import spawn

    told = spawn.get_preparation_data

    def with_alias(name: str) -> dict[str, Any]:
        return {**told(name), OWN: Installing()}

    spawn.get_preparation_data = with_alias
    import_module("torchspore._runtime.data.workers").before_work("torchspore._alias:install")


class Installing:
    """Becomes a call of `install` where it is unpickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        return install, ()
