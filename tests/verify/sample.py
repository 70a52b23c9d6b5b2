"""Which entries `make test` runs again: a few of every sort and module, drawn by a seed that changes with the registry.
The evidence of the others is checked by its fingerprint."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from itertools import groupby

from mapspore.cases.single.plan import CallPlan

ONE_OF = 5
"""Of this many entries of a sort and a module, one is run; of fewer, one too."""


def sample(plans: Sequence[CallPlan]) -> list[CallPlan]:
    seed = "\n".join(sorted(plan.name for plan in plans)).encode()

    def drawn(plan: CallPlan) -> str:
        return blake2b(plan.name.encode(), key=blake2b(seed, digest_size=32).digest()).hexdigest()

    def stratum(plan: CallPlan) -> tuple[str, str]:
        return plan.sort, plan.name.rpartition(".")[0]

    chosen = []
    for _, each in groupby(sorted(plans, key=stratum), key=stratum):
        of_stratum = sorted(each, key=drawn)
        chosen += of_stratum[: -(-len(of_stratum) // ONE_OF)]
    return sorted(chosen, key=lambda plan: plan.name)
