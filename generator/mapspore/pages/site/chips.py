"""Chips: the verdict and the evidence of a counterpart in a few words, with what decides their colour.

In go views, out comes a `Chip`; it says no more than the sentence behind it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mapspore.base.language import Language
from mapspore.pages.site.texts import text
from mapspore.text.phrases import kind_name, phrase
from mapspore.view.entry_view import EntryView, TargetView
from mapspore.words.kinds import CONSISTENT, Kind


@dataclass(frozen=True, slots=True)
class Chip:
    """A few words, and what they stand for: the colour."""

    tone: str
    words: str


def tone(verdict: str) -> str:
    """How much a verdict hurts: nothing to do, fails loudly, changes results silently, or nothing to call."""
    if verdict in (CONSISTENT, Kind.SAME.value, Kind.UNNEEDED.value, Kind.PROVIDED.value):
        return "agrees"
    kind = Kind(verdict)
    if kind in (Kind.UNMAPPED, Kind.MIGRATE):
        return "none"
    return "silent" if kind.severity >= Kind.OUTPUT.severity else "loud"


def verdict_chip(judged: EntryView | TargetView, language: Language) -> Chip:
    return Chip(tone(judged.verdict), judged.verdict_name.of(language))


def kind_chip(kind: str, language: Language) -> Chip:
    return Chip(tone(kind), kind_name(kind, language))


def kind_chips(kinds: Iterable[str], language: Language) -> tuple[Chip, ...]:
    """The kinds of difference of a row; that something is the same is said only of the whole row."""
    differing = [kind for kind in kinds if kind != Kind.SAME.value] or [Kind.SAME.value]
    return tuple(kind_chip(kind, language) for kind in differing)


def evidence_chip(entry: EntryView, target: TargetView | None, language: Language, brief: bool = False) -> Chip:
    """What was verified by execution, of a target or of what the adapter has; honest where nothing was."""
    evidence = entry.evidence_of(target)
    state, cases, platform = evidence.state, evidence.cases, evidence.platform
    if evidence.status == "direct" and cases is not None:
        return Chip(state, text("evidence_direct", language, cases=str(sum(cases.values()))))
    if state != "verified" or cases is None or platform is None:
        lacking = evidence.status if state == "none" else None
        return Chip(state, text(f"evidence_{lacking or state}", language))
    refusal = entry.unmapped is not None and entry.runtime is None  # of another way of writing, programs were run
    if brief:
        return Chip(state, text("refusal_verified" if refusal else "evidence_verified", language))
    count = sum(cases.values()) + sum((evidence.drawn or {}).values())
    return Chip(state, text(
        "refusal_chip" if refusal else "evidence_chip", language, cases=str(count), torch=evidence.torch or "",
        mindspore=evidence.mindspore or "", platform=phrase("platforms_verified", platform, language),
    ))  # fmt: skip
