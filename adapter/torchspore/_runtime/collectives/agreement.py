"""All ranks of a group make the same call. In: a call that is about to begin, in the words that must be the same
everywhere (its name, dtype, shape, operator, root). Out: nothing, or on each rank an error that says which rank does
something else, has ended or has not come; nothing is sent then.

A rank waits for the ranks whose tensors it needs, which it would do anyway. In the debug mode, which the environment
asks for as it does with the original, it waits for all of them, and before an asynchronous call too.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence

from ..core.errors import CollectiveFailed, CollectiveMismatch, CollectiveTimeout
from .groups import Job, ProcessGroup

DEBUG = "TORCH_DISTRIBUTED_DEBUG"
"""The environment variable that asks for the debug mode, with the value DETAIL."""
LOOK = 1.0  # seconds until a rank that waits looks at the clock


def is_debugging() -> bool:
    return os.environ.get(DEBUG, "").upper() == "DETAIL"


class Agreement:
    """One call of this rank, told to the others of the group. It `needs` some of them."""

    __slots__ = ("_call", "_group", "_job", "_needs", "_rooted", "_what")

    def __init__(self, job: Job, group: ProcessGroup, what: str, words: str, needs: Sequence[int] | None) -> None:
        self._job = job
        self._group = group
        self._what = f"rank {job.rank}: {what}"
        group.calls += 1
        self._call = f"{group.name}#{group.calls}"
        others = [rank for rank in group.ranks if rank != job.rank]
        self._rooted = needs is not None
        self._needs = others if needs is None or is_debugging() else needs
        if job.peers is not None:
            job.peers.announce(self._call, words, others)

    def reach(self, limit: float) -> None:
        """Return when all ranks that are needed make this call."""
        peers = self._job.peers
        if peers is None:
            return
        began = time.monotonic()
        peers.take_in()
        while True:
            self._check()
            missing = peers.missing(self._call, self._needs)
            if not missing:
                return
            waited = time.monotonic() - began
            if waited >= limit:
                sentence = late(self._what, waited, sorted(missing))
                self._job.failure = f"{self._what} waited {waited:.1f} s"
                raise CollectiveTimeout(sentence)
            peers.take_in(min(LOOK, limit - waited))

    def _check(self) -> None:
        """Raise what is known to be wrong: the same on every rank, as far as it has been told."""
        peers = self._job.peers
        assert peers is not None
        if peers.different is not None:
            own, rank, theirs = peers.different
            sentence = (
                f"rank {self._job.rank} calls {own}, and rank {rank} calls {theirs}: all ranks of a group make the "
                "same calls in the same order."
            )
            peers.fail(sentence)
            self._job.failure = sentence.rstrip(".")
            raise CollectiveMismatch(sentence)
        if peers.failed is not None:
            self._job.failure = peers.failed.rstrip(".")
            raise CollectiveMismatch(f"{self._what} cannot go on: {peers.failed}")
        lost = sorted((peers.ended.keys() | peers.left).intersection(self._group.ranks))
        if self._rooted:  # who has sent what it had to send may end
            lost = [rank for rank in lost if rank in peers.missing(self._call, self._needs)]
        if lost:
            self._job.failure = f"{self._what} failed, because rank {lost[0]} has ended"
            raise CollectiveFailed(f"{self._what} cannot complete: rank {lost[0]} of the group has ended.")


def late(what: str, waited: float, missing: Sequence[int] = ()) -> str:
    """The sentence about a wait that was too long."""
    whom = f"rank{'s' if len(missing) > 1 else ''} {', '.join(map(str, missing))}" if missing else "the other ranks"
    return (
        f"{what} waited {waited:.1f} s for {whom} of the group; one of them has ended or did not make this call. Set "
        "`timeout` where the processes are connected if they may be that late."
    )
