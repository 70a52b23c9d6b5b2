"""What is known of an entry by execution, as the registry holds it: verified, stale (what was run has changed since) or
none, and by target what was run.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

ADAPTER = "adapter"
"""Stands in place of a target's short name where one piece of code stands behind all of them."""

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
