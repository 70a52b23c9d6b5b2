"""What a verification found. In: findings, one per case and target. Out: counts by outcome, and the differences,
smallest case first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from mapspore.verify.compare import FAILED
from mapspore.verify.contradictions import Contradiction


@dataclass(frozen=True, slots=True)
class Finding:
    """What the comparison of one case with one target found, over all of its ranks."""

    entry: str
    case: dict[str, Any]
    size: int
    """The number of ranks; 1 for a case in one process."""
    target: str | None
    kind: str
    rank: int = 0
    detail: str = ""
    native: str = ""
    """Of a case that the adapter refuses: the outcome of MindSpore itself, called as the page says."""
    reached: tuple[int, ...] = ()
    """The differences that the entry states of the target and that the case meets, by their numbers."""
    differed: bool = False
    """Whether the target, or MindSpore itself, differed from torch."""

    @property
    def weight(self) -> tuple[Any, ...]:
        """How much there is to look at: the smallest failing case is the one to show."""
        text = str(self.case["calls"])
        plain = "float32" not in text and "dtype" in text
        return (self.size, self.case["kind"] == "error", plain, text.count("$tensor"), len(text), self.case["id"])


@dataclass
class Result:
    """All findings of a run."""

    findings: list[Finding] = field(default_factory=list)
    retried: list[str] = field(default_factory=list)
    """Cases that crashed or hung among others and not alone, with their side."""
    drawn: dict[str, Any] = field(default_factory=dict)
    """By entry, what was drawn from PyTorch's own tests."""
    contradictions: list[Contradiction] = field(default_factory=list)
    """What the run says against the entries themselves."""
    beside: list[Finding] = field(default_factory=list)
    """What MindSpore's own counterparts do where the adapter has something of its own: measured, and nobody's fault."""

    def __add__(self, other: Result) -> Result:
        return Result(
            self.findings + other.findings, self.retried + other.retried, self.drawn | other.drawn,
            self.contradictions + other.contradictions, self.beside + other.beside,
        )  # fmt: skip

    def counts(
        self,
        entry: str,
        target: str | None,
        quick: bool = False,
        sizes: Sequence[int] | None = None,
        source: str | None = "",
    ) -> dict[str, int]:
        """How many cases had which outcome: all, or the quick ones, at some numbers of ranks, or of one source: None
        for ours."""
        chosen = [f for f in self.findings if f.entry == entry and f.target == target]
        chosen = [f for f in chosen if source == "" or f.case.get("source") == source]
        chosen = [f for f in chosen if (not quick or f.case.get("quick")) and (sizes is None or f.size in sizes)]
        return dict(sorted(Counter(f.kind for f in chosen).items()))

    @property
    def failed(self) -> set[str]:
        """The entries that the run says something against."""
        return {finding.entry for finding in self.different} | {each.entry for each in self.contradictions}

    @property
    def different(self) -> list[Finding]:
        return sorted((f for f in self.findings if f.kind in FAILED), key=lambda finding: finding.weight)
