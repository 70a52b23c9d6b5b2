"""What is known by execution, as the registry holds it. In: the state of an entry's evidence and what was run. Out: the
status of one implementation: the code behind one target, or the code behind all of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

ADAPTER = "adapter"
"""Stands in place of a target's short name where one piece of code stands behind all of them."""

NOT_VERIFIED = ("no_kernel", "no_effect")
"""What keeps a target from being verified, though it was run."""

UNLIKE = ("apart", "not_called")
"""What keeps MindSpore's own counterpart of what the adapter has from counting as equal: it is not, or nobody knows."""

State = Literal["verified", "stale", "none"]


@dataclass(frozen=True, slots=True)
class EvidenceStatus:
    """The state of the evidence of one implementation, and the run behind it."""

    entry_state: State = "none"
    """The state of the entry's evidence: verified, stale (what was run has changed since) or none."""
    run: dict[str, Any] | None = None
    """What was run of this implementation, if anything was."""

    @property
    def state(self) -> State:
        """The state of this implementation: one that was run and has no kernel, or no effect, here is not verified."""
        lacking = self.run is None or self.run.get("status") in (*NOT_VERIFIED, *UNLIKE)
        return "none" if self.entry_state == "verified" and lacking else self.entry_state


NO_EVIDENCE = EvidenceStatus()
