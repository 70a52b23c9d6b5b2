"""Chips: the verdict and the evidence of a counterpart in a few words, with what decides their colour.

In goes what the registry derived and what `verify` found, out comes a `Chip`. The sentence behind it is
`prepare.evidence_sentence`; a chip says no more than that.
"""

from __future__ import annotations

from dataclasses import dataclass

from mapspore.pages.site.texts import text
from mapspore.resolve.evidence_status import UNKNOWN, Standing, State
from mapspore.resolve.registry import Counterpart, Mapping, Registry
from mapspore.text.phrases import Language, phrase, verdict_name
from mapspore.words.kinds import CONSISTENT, Kind


@dataclass(frozen=True, slots=True)
class Chip:
    """A few words, and what they stand for: the colour."""

    tone: str
    words: str


def tone(verdict: str) -> str:
    """How much a verdict hurts: nothing to do, fails loudly, changes results silently, or nothing to call."""
    if verdict in (CONSISTENT, Kind.SAME.value):
        return "agrees"
    kind = Kind(verdict)
    if kind in (Kind.UNMAPPED, Kind.MIGRATE):
        return "none"
    return "silent" if kind.severity >= Kind.OUTPUT.severity else "loud"


def verdict_chip(verdict: str, language: Language) -> Chip:
    return Chip(tone(verdict), verdict_name(verdict, language))


def ran(mapping: Mapping, counterpart: Counterpart | None, registry: Registry) -> tuple[State, Standing, str | None]:
    """What is known of a counterpart by execution: the state, the standing, and the name it has there."""
    standing = registry.evidence.get(mapping.name, UNKNOWN)
    name = None if mapping.one_for_all or counterpart is None else counterpart.id
    return standing.state_of(name), standing, name


def evidence_chip(
    mapping: Mapping, counterpart: Counterpart | None, registry: Registry, language: Language, brief: bool = False
) -> Chip:
    """What was verified by execution; honest where nothing was."""
    state, standing, name = ran(mapping, counterpart, registry)
    run = standing.of(name)
    if state != "verified" or run is None:
        lacking = run.get("status") if run and standing.state == "verified" else None
        return Chip(state, text(f"evidence_{lacking or state}", language))
    refuses = mapping.entry.unmapped is not None and mapping.entry.runtime is None
    if brief:
        return Chip(state, text("refusal_verified" if refuses else "evidence_verified", language))
    return Chip(state, text(
        "refusal_chip" if refuses else "evidence_chip", language, cases=str(sum(run["cases"].values())),
        torch=run["torch"], mindspore=run["mindspore"],
        platform=phrase("platforms_verified", run["platform"], language),
    ))  # fmt: skip
