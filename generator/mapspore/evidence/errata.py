"""Claims of the official tables that a run shows to be false. In: a registry with its evidence, and claims. Out: the
errata, each with the program that shows it, as `verify` keeps it below `evidence/errata/`.

A claim that nothing differs is false where MindSpore's own function, called with the same arguments, was seen to give
another result than torch. What has no program, or whose evidence is stale, is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mapspore.base.paths import evidence_folder
from mapspore.base.read_file import Unreadable, read_file
from mapspore.facts.official import Claim
from mapspore.resolve.registry import Counterpart, Mapping, Registry

FOLDER = "errata"
APART = "apart"
LARGEST = 1024 * 1024
DIFFERENT_LINE = "different"
"""What a program prints last where there is a difference."""


@dataclass(frozen=True, slots=True)
class Erratum:
    """A claim, or several of the same pair of names, and what a run shows."""

    torch: str
    mindspore: str
    claims: tuple[Claim, ...]
    entry: str
    run: dict[str, Any]
    """What was measured, as the evidence has it."""
    program: str
    """The text of a program that shows it."""


Claims = dict[tuple[str, str], tuple[Claim, ...]]
"""The claims that nothing differs, by the names that they are about."""


def consistent(claims: Iterable[Claim]) -> Claims:
    found: dict[tuple[str, str], list[Claim]] = {}
    for claim in claims:
        if claim.consistent:
            found.setdefault((claim.torch, claim.mindspore), []).append(claim)
    return {pair: tuple(each) for pair, each in found.items()}


def claimed(mapping: Mapping, counterpart: Counterpart, claims: Claims) -> dict[str, tuple[Claim, ...]]:
    """By the entry's name or one of its aliases, the claims that it is what a counterpart is."""
    names = (mapping.name, *mapping.entry.aliases)
    return {name: found for name in names if (found := claims.get((name, counterpart.target.mindspore)))}


def program_file(root: Path, entry: str, target: str) -> Path:
    """Where the program lies that shows how a counterpart of an entry differs."""
    return evidence_folder(root) / FOLDER / f"{entry}.{target}.py"


def errata(registry: Registry, claims: Claims, root: Path) -> list[Erratum]:
    """All of them, by name."""
    found = [each for mapping in registry.mappings for each in _of(mapping, claims, root)]
    return sorted(found, key=lambda each: (each.torch, each.mindspore))


def _of(mapping: Mapping, claims: Claims, root: Path) -> Iterator[Erratum]:
    for counterpart in mapping.counterparts:
        status, run = counterpart.evidence, counterpart.evidence.run or {}
        names = claimed(mapping, counterpart, claims)
        if not names or status.entry_state != "verified" or run.get("status") != APART:
            continue
        try:
            program = read_file(program_file(root, mapping.name, counterpart.id), LARGEST).decode("utf-8")
        except (Unreadable, ValueError):
            continue
        for name, own in names.items():
            yield Erratum(name, counterpart.target.mindspore, own, mapping.name, run, program)
