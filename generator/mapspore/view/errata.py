"""What is told about errata: in, what `evidence.errata` finds; out, for each the claim and what a run shows, in both
languages. The site's page and `mapspore errata` are made of it; its data is what `--format json` prints.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mapspore.evidence.errata import Erratum
from mapspore.resolve.differences import measured_differences
from mapspore.view.entry_view import Text
from mapspore.view.sentences import sentence


@dataclass(frozen=True, slots=True)
class ClaimView:
    """A row of an official table: the release it belongs to, and what it claims in each language."""

    table: str
    zh: str
    en: str


@dataclass(frozen=True, slots=True)
class ErratumView:
    """A pair of names that a table calls consistent, and what shows that it is not."""

    torch: str
    mindspore: str
    claims: tuple[ClaimView, ...]
    entry: str
    shown: tuple[Text, ...]
    """What differs, the most cases first; plain text in which only backticks mark code."""
    versions: dict[str, str]
    platform: str
    program: str
    """A program that needs the two frameworks only and ends with exit code 1 while they differ."""

    @property
    def tables(self) -> tuple[str, ...]:
        return tuple(claim.table for claim in self.claims)


def errata_view(found: Iterable[Erratum]) -> tuple[ErratumView, ...]:
    return tuple(_erratum(each) for each in found)


def _erratum(found: Erratum) -> ErratumView:
    return ErratumView(
        found.torch, found.mindspore, tuple(ClaimView(each.table, each.zh, each.en) for each in found.claims),
        found.entry, tuple(map(sentence, measured_differences(found.run))),
        {name: found.run[name] for name in ("torch", "mindspore", "python")}, found.run["platform"], found.program,
    )  # fmt: skip
