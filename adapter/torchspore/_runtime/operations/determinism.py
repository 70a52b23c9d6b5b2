"""Whether deterministic computation was asked for. In: nothing. Out: what MindSpore was told. To ask for it is left to
`mindspore.set_deterministic`, which can be called once in a process, before anything is computed.
"""

from __future__ import annotations

from ..core.framework import mindspore


def asked_for_determinism() -> bool:
    """Whether MindSpore was told to compute deterministically."""
    return bool(mindspore.get_context("deterministic") == "ON")
