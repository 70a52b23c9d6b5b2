"""Chips: the verdict and the evidence of a counterpart in a few words, with what decides their colour.

In goes what the registry derived and what `verify` found, out comes a `Chip`. The sentence behind it is
`prepare.evidence_sentence`; a chip says no more than that.
"""

from __future__ import annotations

from dataclasses import dataclass

from mapspore.pages.site.texts import text
from mapspore.resolve.evidence_status import EvidenceStatus
from mapspore.resolve.registry import Counterpart, Mapping
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


def evidence_chip(mapping: Mapping, counterpart: Counterpart | None, language: Language, brief: bool = False) -> Chip:
    """What was verified by execution; honest where nothing was."""
    status = evidence_of(mapping, counterpart)
    state, run = status.state, status.run
    if state != "verified" or run is None:
        lacking = run.get("status") if run and status.entry_state == "verified" else None
        return Chip(state, text(f"evidence_{lacking or state}", language))
    refuses = mapping.port == "none"  # of a rewrite, programs were run
    if brief:
        return Chip(state, text("refusal_verified" if refuses else "evidence_verified", language))
    return Chip(state, text(
        "refusal_chip" if refuses else "evidence_chip", language, cases=str(sum(run["cases"].values())),
        torch=run["torch"], mindspore=run["mindspore"],
        platform=phrase("platforms_verified", run["platform"], language),
    ))  # fmt: skip


def evidence_of(mapping: Mapping, counterpart: Counterpart | None) -> EvidenceStatus:
    return counterpart.evidence if counterpart else mapping.evidence
