"""What `verify` found, as the rest of mapspore reads it. In: a registry's root and its mappings. Out: the standing of
each entry: verified, stale (something that was run has changed since) or none. Needs no framework; the files under
`evidence/` are written by `verify` only.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from mapspore.places import adapter_folder, evidence_folder

if TYPE_CHECKING:
    from mapspore.resolve import Mapping

FORMAT = 1
SIZE = 16
SUFFIX = ".json"
ADAPTER = "adapter"
"""Stands in place of a target's short name where one piece of code stands behind all of them."""

# What decides which cases are run and how they are judged; how processes are started does not.
CASE_MAKERS = (
    "arguments", "cases", "compare", "messages", "oracle", "plain", "plan", "rank", "refusals", "sides", "stated",
)  # fmt: skip

# The same for calls in one process: the makers of their cases, and what of the runtime their adapters use.
ALONE_MAKERS = (
    "calls", "cases", "compare", "drawn", "errors", "example", "held", "objects", "observed", "plan", "sides", "stated",
    "steps", "values", "worker",
)  # fmt: skip
ALONE_RUNTIME = ("errors", "framework", "targets", "values")

PLATFORM = "CPU"
PLATFORM_OF_RANKS = "CPU, MindSpore runtime; not HCCL"

NOT_VERIFIED = ("no_kernel", "no_effect")
"""What keeps a target from being verified, though it was run."""

State = Literal["verified", "stale", "none"]


@dataclass(frozen=True, slots=True)
class Standing:
    """What is known of an entry: the state, and by target what was run."""

    state: State = "none"
    targets: dict[str, dict[str, Any]] = field(default_factory=dict)

    def of(self, target: str | None) -> dict[str, Any] | None:
        """What was run with a target, or for all of them."""
        return self.targets.get(target or ADAPTER)

    def state_of(self, target: str | None) -> State:
        """The state of one target: one that was run and has no kernel, or no effect, here is not verified."""
        ran = self.of(target)
        return "none" if ran is None or ran.get("status") in NOT_VERIFIED else self.state


UNKNOWN = Standing()


def on_ranks(mapping: Mapping) -> bool:
    """Whether an entry is about several processes."""
    stated = mapping.entry.contract.collective is not None or mapping.entry.runtime is not None
    return stated or "distributed" in mapping.name.lower()


def runs_alone(mapping: Mapping) -> bool:
    """Whether one process verifies an entry: nothing of it is about several, or its programs start their own."""
    return mapping.entry.migrate is not None or not on_ranks(mapping)


class Digests:
    """Digests of what was run. What all entries share is read once."""

    def __init__(self, root: Path) -> None:
        own = root / "adapter"
        self._adapter = own if own.is_dir() else adapter_folder()

    def of(self, mapping: Mapping) -> str:
        """The entry, its generated module, the runtime and the makers of cases."""
        digest = hashlib.blake2b(digest_size=SIZE)
        if runs_alone(mapping):
            digest.update(self._makers_alone)
        if on_ranks(mapping):
            digest.update(self._makers_between)
        parts = [mapping.source.text.encode(), self._module(mapping.name)]
        if mapping.entry.migrate is not None:  # its example is what is run
            parts += [text.encode() for _, text in sorted(mapping.source.examples.items())]
        for content in parts:
            digest.update(len(content).to_bytes(8, "big") + content)
        return digest.hexdigest()

    def _module(self, name: str) -> bytes:
        package, _, last = ("torchspore" + name.removeprefix("torch")).rpartition(".")
        file = self._adapter / package.replace(".", "/") / f"_{last}.py"
        return file.read_bytes() if file.is_file() else b""

    @cached_property
    def _makers_between(self) -> bytes:
        makers, runtime = Path(__file__).parent / "verify", self._adapter / "torchspore" / "_runtime"
        files = [(f"verify/{name}.py", makers / f"{name}.py") for name in CASE_MAKERS]
        return _digest_of(files + _below(runtime))

    @cached_property
    def _makers_alone(self) -> bytes:
        makers, package = Path(__file__).parent / "verify" / "alone", self._adapter / "torchspore"
        files = [(f"verify/alone/{name}.py", makers / f"{name}.py") for name in ALONE_MAKERS]
        files += [(f"_runtime/{name}.py", package / "_runtime" / f"{name}.py") for name in ALONE_RUNTIME]
        return _digest_of(files + _below(package / "_calls"))


def _below(folder: Path) -> list[tuple[str, Path]]:
    return sorted((file.relative_to(folder).as_posix(), file) for file in folder.rglob("*.py"))


def _digest_of(files: Iterable[tuple[str, Path]]) -> bytes:
    digest = hashlib.blake2b(digest_size=SIZE)
    for name, file in files:
        content = file.read_bytes() if file.is_file() else b""
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    return digest.digest()


def place(name: str) -> str:
    """Where an entry's evidence lies below `evidence/`: as the entry does below `mappings/`."""
    return name.replace(".", "/") + SUFFIX


def standings(root: Path, mappings: Iterable[Mapping]) -> dict[str, Standing]:
    """The standing of every entry that has evidence. A file that cannot be understood is as good as none."""
    folder = evidence_folder(root)
    if not folder.is_dir():
        return {}
    there = {file.relative_to(folder).as_posix() for file in folder.rglob(f"*{SUFFIX}")}
    digests, found = Digests(root), {}
    for mapping in mappings:
        if place(mapping.name) in there:
            found[mapping.name] = _standing(folder / place(mapping.name), mapping, digests)
    return found


def _standing(file: Path, mapping: Mapping, digests: Digests) -> Standing:
    try:
        data = json.loads(file.read_text("utf-8"))
        targets = {str(name): dict(ran) for name, ran in data["targets"].items()}
        fits = data["format"] == FORMAT and data["digest"] == digests.of(mapping)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return Standing("stale")
    expected = {ADAPTER} if mapping.one_for_all else {c.id for c in mapping.counterparts}
    return Standing("verified" if fits and expected <= set(targets) else "stale", targets)


def text(digest: str, name: str, targets: dict[str, dict[str, Any]]) -> str:
    """The file of an entry: the same run gives the same bytes."""
    data = {"format": FORMAT, "entry": name, "digest": digest, "targets": targets}
    return json.dumps(data, ensure_ascii=False, indent=2, sort_keys=True) + "\n"
