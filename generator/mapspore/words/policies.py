"""The policies that `absent` names. In: nothing. Out: `POLICIES`."""

from __future__ import annotations

from mapspore.words.types import Policy

POLICIES = (
    Policy("unsupported", refuses=True, of_required=True),
    Policy("no_effect", droppable=True),
    Policy("completed_at_once", at_once=True),
    Policy("time_limit", method="time_limit"),
    Policy("by_adapter", of_runtime=True, of_required=True),
)
