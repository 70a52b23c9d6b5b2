"""`verify` can fail: adapters with one thing wrong are told from torch, every one of them."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from mutants import ROOT, Mutant, adapter_with, module, mutated
from mutants_of_collectives import LABELS, changes

from mapspore.cases.collective.plan import CollectivePlan, collective_plan
from mapspore.pipeline import load_registry
from mapspore.verify.collective.run import compared, prepared
from mapspore.verify.processes import jobs

pytestmark = [pytest.mark.frameworks, pytest.mark.processes]

EVERY = [collective_plan(mapping) for mapping in load_registry(ROOT).registry.mappings if mapping.needs_ranks]
PLANS = [each for each in EVERY if each.kind in ("collective", "peer") and not each.objects]
NAMED_TWICE = {"all_gather_into_tensor", "reduce_scatter_tensor", "recv", "isend"}  # others have the same code
PLANS = [each for each in PLANS if each.name.rpartition(".")[2] not in NAMED_TWICE]
SIZE = 3  # so that a group can be smaller than the world and larger than one rank
AT_ONCE = 4  # more than there are cores: a mutant may leave ranks waiting for each other, which costs nothing

# The quick cases that can show a mutation, where not all of them can; in the others ranks would wait in vain.
SHOWN_BY = {
    "wrong rank": ("/dtype-float32", "/plain"),
    "dropped op": ("/op-MAX-int32",),
    "nothing delivered": ("/dtype-float32", "/plain"),
    "delivered before wait": ("late",),
    "asynchronous call waits": ("late",),
    "world for group": ("/group-ends-float32", "/group-ends-0-2"),
    "world size for group size": ("/group-ends-float32",),
}
WAITS = {"world for group"}  # each entry in a job of its own, because it may be the job that does not come to its end

# What neither a caller nor MindSpore could tell.
EQUIVALENT = {
    ("gather", "mint", "world size for group size"): "more tensors that nobody reads",
    ("scatter", "mint", "world size for group size"): "more tensors that nobody reads",
    ("reduce_scatter_single", "comm_func", "joined_like does nothing"): "cut into the same parts, joined or stacked",
    ("send", "mint", "world for group"): "a message goes by the global rank",
    ("send", "comm_func", "world for group"): "a message goes by the global rank",
    ("irecv", "mint", "world for group"): "a message goes by the global rank",
    ("irecv", "comm_func", "world for group"): "a message goes by the global rank",
}


@dataclass(frozen=True)
class Group:
    """Modules that are wrong in one way, by torch name."""

    label: str
    mutants: dict[str, Mutant]

    @property
    def concerned(self) -> set[tuple[str, str]]:
        return {(name, target) for name, mutant in self.mutants.items() for target in mutant.targets}


def groups_of_mutants() -> Iterator[Group]:
    for label in LABELS:
        made = {each.name: _told(each, label) for each in PLANS}
        made = {name: mutant for name, mutant in made.items() if mutant.targets}
        if label in WAITS:
            yield from (Group(label, {name: mutant}) for name, mutant in made.items())
        else:
            yield Group(label, made)


def _told(each: CollectivePlan, label: str) -> Mutant:
    """The mutant of an entry, with the targets whose mutation can be told."""
    mutant = mutated(module(each.name), [str(target) for target in each.targets], label, changes)
    short = each.name.rpartition(".")[2]
    targets = {target for target in mutant.targets if (short, target, label) not in EQUIVALENT}
    if label == "delivered before wait":  # a target that completes at once has no before
        targets = {target for target in targets if not each.targets[target].completes_at_once}
    if label in ("delivered before wait", "asynchronous call waits") and not _late(each):
        targets = set()
    return replace(mutant, targets=frozenset(targets))


def _late(each: CollectivePlan) -> bool:
    return each.asynchronous is not None or (each.returns == "work" and bool(each.outputs))


def missed(
    group: Group, number: int, folder: Path, servers: jobs.Servers, expected: jobs.Done, flawed: set[jobs.Key]
) -> list[str]:
    """The mutants that no case tells from torch. A case that does not come to its end does; one that fails without any
    mutation tells nothing."""
    adapter = adapter_with(folder / f"adapter{number}", {name: each.text for name, each in group.mutants.items()})
    settings = jobs.Settings(servers, quick=True, adapter=adapter)
    plans = [each for each in PLANS if each.name in group.mutants]
    batch, _, job = prepared(plans, EVERY, SIZE, settings)
    shown = SHOWN_BY.get(group.label, ("",))
    batch = [(each, case) for each, case in batch if any(end in case["id"] for end in shown)]
    ids = {case["id"] for _, case in batch}
    left = [case for case in job.cases if case["id"] in ids and (_entry(case), case["target"]) in group.concerned]
    left = [case for case in left if (case["id"], case["target"]) not in flawed]
    done, found = jobs.Done(), set()
    while left:
        ran, why = jobs._run_once(replace(job, cases=tuple(left)), servers, folder / f"{number}.{len(left)}")
        done.outcomes |= ran
        left = [case for case in left if (case["id"], case["target"]) not in ran]
        if why and group.label in WAITS and not left:  # ranks outside the group were drawn in
            found |= group.concerned
        if left:
            found.add((_entry(left[0]), left[0]["target"]))
            left = [case for case in left if (_entry(case), case["target"]) not in found]
    for finding in compared(batch, SIZE, expected, done, settings):
        if finding.kind == "different" and (finding.case["id"], finding.target) in done.outcomes:
            found.add((finding.entry, finding.target))
    return [f"{name} {target}: {group.label}" for name, target in sorted(group.concerned - found)]


def _entry(case: dict[str, str]) -> str:
    return case["id"].partition("/")[0]


def test_every_mutation_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "TIMEOUT", 8.0)  # longer than the ranks that are late on purpose let others wait
    with jobs.Servers() as servers, ThreadPoolExecutor(AT_ONCE) as pool:
        settings = jobs.Settings(servers, quick=True, adapter=ROOT / "adapter")
        batch, reference, good = prepared(PLANS, EVERY, SIZE, settings)
        expected = jobs.run_job(reference, servers, tmp_path / "torch")
        control = compared(batch, SIZE, expected, jobs.run_job(good, servers, tmp_path / "control"), settings)
        flawed = {(finding.case["id"], finding.target) for finding in control if finding.kind == "different"}
        groups = list(groups_of_mutants())
        tried = pool.map(lambda each: missed(each[1], each[0], tmp_path, servers, expected, flawed), enumerate(groups))
        escaped = [line for lines in tried for line in lines]
    assert not escaped, "\n".join(escaped)
    assert not flawed, "the adapter without any mutation differs: " + "\n".join(sorted(map(str, flawed)))
    assert sum(len(group.concerned) for group in groups) > 100
