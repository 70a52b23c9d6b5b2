"""`verify` can fail in one process too: adapters with one thing wrong are told from torch, every one of them."""

from __future__ import annotations

import ast
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from typing import Any

import native_entries
import pytest
from mutants import ROOT, Mutant, adapter_with, called, module, mutants
from mutants_of_calls import changes
from native_entries import MODULES, WITHOUT_KERNEL

from mapspore.cases.single.case_builder import REFUSAL
from mapspore.cases.single.plan import CallPlan, call_plan
from mapspore.pipeline import load_registry
from mapspore.verify.compare import DIFFERENT, NO_EFFECT, STATED
from mapspore.verify.processes.jobs import Servers, Settings
from mapspore.verify.result import Result
from mapspore.verify.single.drawn import draw
from mapspore.verify.single.run import run
from mapspore.words.vocabulary import PREDICATES, WORDS

pytestmark = [pytest.mark.frameworks, pytest.mark.processes]

MAPPINGS = [each for each in load_registry(ROOT).registry.mappings if each.port == "calls" and not each.needs_ranks]
RUNS = {(mapping.name, each.id): each.evidence.run or {} for mapping in MAPPINGS for each in mapping.counterparts}
PLANS = [call_plan(mapping) for mapping in (*MAPPINGS, *native_entries.MAPPINGS)]
SAME_CODE = {"torch.var": "torch.std"}
"""Entries whose adapter is that of another one but for the name."""

# MindSpore compiles a new one for seconds; another target has the same words.
SLOW = {"torch.optim.Adam": {"experimental"}}

# Code that is the same behind every target of an entry: one of them shows that it is looked at.
ALIKE = ("default", "keyword default", "without refuse(", "without self.")
# Where MindSpore raises the type that torch raises, nobody can tell; but somewhere it does not.
SOMEWHERE = "MindSpore's own error"

# Entries whose mutants are tried in one test, so that none takes long however many entries there are.
OF_A_PART = 40

# MindSpore refuses what it does not take also where it computes nothing.
REFUSED_AT_ONCE = {"as_float does nothing"}

# What neither a caller nor MindSpore could tell: by the end of the entry's name, target and label.
EQUIVALENT: dict[tuple[str, str, str], str] = {
    ("meshgrid", "mint", "given_or does nothing"): "MindSpore takes None for its default, which is the same",
    ("argmin", "ops", "without takes"): "MindSpore says itself that it has no such kernel",
    ("nn.functional.smooth_l1_loss", "mint", "without takes"): "MindSpore says itself that it has no such kernel",
    ("nn.functional.smooth_l1_loss", "ops", "without takes"): "MindSpore says itself that it has no such kernel",
    ("optim.Adam", "nn", "keyword default 2 of __init__"): "capturable has no effect",
    ("optim.Adam", "nn", "default 2 of __init__"): "eps is far below the gradients either way",
    ("optim.Adam", "nn", "eps not passed"): "it is computed anew before each step",
    ("meshgrid", "mint", "varargs_or_list does nothing"): "MindSpore takes one list as well",
    (
        "nn.BatchNorm2d",
        "nn",
        "affine not passed",
    ): "MindSpore then keeps ones and zeros, which the adapter does not show",
    ("nn.BatchNorm2d", "nn", "dtype not passed"): "there is one dtype that it takes",
    ("std", "ops", "_form_2: default 0 of _form_2"): "a call without it means another form",
    ("std", "ops", "centred does nothing"): "the digits that it keeps are fewer than rounding of the numbers may cost",
    ("median", "ops", "_ops_0: axis not passed"): "the elements are in one row",
    ("topk", "ops", "sorted not passed"): "without sorting, torch promises no order",
}

LOOKED_AT = {"centred"}
"""Words that keep digits which `verify` leaves to rounding: `test_calls.py` of the adapter looks at the digits."""


def working(each: CallPlan) -> set[str]:
    """The targets that compute on a CPU: what cannot run cannot be told apart."""
    return {target for target in each.targets if target and not status(each, target)} - SLOW.get(each.name, set())


def refusing(each: CallPlan) -> set[str]:
    """The targets that compute nothing on a CPU and still say what they do not take."""
    return {target for target in each.targets if target and status(each, target) == NO_EFFECT}


def status(each: CallPlan, target: str) -> str | None:
    """Why a target was not verified, by the evidence."""
    if each.name in MODULES:
        return WITHOUT_KERNEL.get((each.name, target))
    return RUNS[each.name, target].get("status")


def source(each: CallPlan) -> str:
    """The module of an entry as it should be."""
    return MODULES.get(each.name) or module(each.name)


def wrong(each: CallPlan, runs: set[str]) -> list[Mutant]:
    """The mutants of an entry that can be told."""
    targets = [target for target in each.targets if target]
    made = mutants(source(each), targets, changes)
    short = each.name.removeprefix("torch.")
    found: list[Mutant] = []
    for mutant in made:
        if mutant.label.startswith(ALIKE) and mutant.label in {each.label for each in found}:
            continue
        if each.sort != "function" and mutant.label.startswith(
            ("without takes", "without fits_dtype('torch.nn.Dropout'")
        ):
            continue  # a class is chosen before there is a tensor; MindSpore has no kernel for what Dropout refuses
        concerned = mutant.targets or frozenset(runs)
        if mutant.label == "without platforms":  # of a target that is not to be chosen here, before one that is
            before = targets[: min(map(targets.index, runs), default=0)]
            concerned = frozenset(runs) if concerned <= set(before) else frozenset()
        told = {target for target in concerned if (short, target, mutant.label) not in EQUIVALENT}
        able = runs | (refusing(each) if mutant.label in REFUSED_AT_ONCE else set())
        if told & able:
            found.append(replace(mutant, targets=frozenset(told & able)))
    return found


def ranked(chosen: dict[str, Mutant]) -> Callable[[dict[str, Any]], int]:
    """Cases that speak of what was changed come first: they probably show it."""

    def rank(case: dict[str, Any]) -> int:
        name, _, label = case["id"].rpartition("/")
        about = {part for word in chosen[name].about for part in re.split(r"\W|_", word)} | chosen[name].about
        said = {*re.split(r"\W", label), *case["given"]}
        return -sum(any(word == part or (len(part) > 3 and part in word) for part in said) for word in about if word)

    return rank


def _with(each: CallPlan, targets: frozenset[str]) -> CallPlan:
    return replace(each, targets={target: known for target, known in each.targets.items() if target in targets})


MADE = {each.name: wrong(each, working(each)) for each in PLANS if each.name not in SAME_CODE}


def test_what_is_left_out_is_the_same_code() -> None:
    for name, other in SAME_CODE.items():
        ours, theirs = (module(each).replace(each.rpartition(".")[2], "NAME") for each in (name, other))
        code = [[line for line in text.splitlines() if " of all elements" not in line] for text in (ours, theirs)]
        assert code[0] == code[1]


def test_every_word_that_these_adapters_use_is_tried() -> None:
    """A word that does nothing; a condition that is not looked at; every other statement that refuses or keeps."""
    tried = {mutant.label.rpartition(": ")[2] for mutants_ in MADE.values() for mutant in mutants_}
    for each in PLANS:
        used = {called(node) for node in ast.walk(ast.parse(source(each)))}
        for word in used & set(WORDS) - LOOKED_AT:
            assert f"{word} does nothing" in tried, word
        for predicate in used & set(PREDICATES):
            assert f"{predicate} is not looked at" in tried, predicate
    for statement in ("refuse(", "supported(", "fits_dtype(", "self.omit_state_unless(", "self.set_train("):
        assert any(label.startswith(f"without {statement}") for label in tried), statement
    assert {"results swapped", "results without names", "no step", "state swapped", "a name of state less"} <= tried


def test_without_a_mutation_nothing_differs(tmp_path: Path) -> None:
    """What stands in place of the adapter's own modules works there: else every mutant of it would be told."""
    adapter = adapter_with(tmp_path / "adapter", MODULES)
    plans = [_with(each, frozenset(working(each))) for each in PLANS if each.name in MODULES]
    with Servers() as servers:
        result = run(plans, Settings(servers, adapter=adapter))
    assert {finding.entry for finding in result.findings} == {*MODULES}
    assert not [(finding.case["id"], finding.target, finding.detail) for finding in result.different]


def refused(result: Result) -> set[tuple[str, str | None]]:
    """The cases, with their targets, that differ as the entry says, in that the adapter refuses them."""
    stated = [finding for finding in result.findings if finding.kind == STATED]
    return {(finding.case["id"], finding.target) for finding in stated if REFUSAL in finding.detail}


def unseen(left: list[tuple[str, Mutant]], settings: Settings, folder: Path) -> list[str]:
    """The mutants that the calls of PyTorch's own tests, which `verify` makes besides, do not tell either. What an
    entry says to differ, the adapter may refuse; then a mutant that does not is told by that."""
    escaped: list[str] = []
    named = {each.name: each for each in PLANS}
    drawn = draw([named[name] for name in sorted({name for name, _ in left})], settings)
    for number, (name, mutant) in enumerate(left):
        adapter = adapter_with(folder / f"drawn-{number}", {name: mutant.text})
        cases = {name: drawn[name].cases} if name in drawn else {}
        plan = _with(named[name], mutant.targets)
        result = run([plan], replace(settings, adapter=adapter), stops=True, drawn=cases)
        if any(finding.kind == DIFFERENT for finding in result.findings):
            shutil.rmtree(adapter)
            continue
        right = run([plan], replace(settings, adapter=ROOT / "adapter"), stops=True, drawn=cases)
        if refused(right) <= refused(result):
            escaped.append(f"{name} {', '.join(sorted(mutant.targets))}: {mutant.label}")
        shutil.rmtree(adapter)
    return escaped


def test_there_are_mutants_of_every_entry_that_can_run() -> None:
    assert all(MADE[each.name] for each in PLANS if each.name in MADE and working(each))
    assert sum(map(len, MADE.values())) > 200


PARTS = -(-len(MADE) // OF_A_PART)


@pytest.mark.parametrize("part", range(PARTS))
def test_every_mutation_is_caught(part: int, tmp_path: Path) -> None:
    made = {name: MADE[name] for name in list(MADE)[part::PARTS]}
    left: list[tuple[str, Mutant]] = []
    retyped = 0
    with Servers() as servers:
        for number, round_ in enumerate(zip_longest(*made.values())):
            chosen = {name: mutant for name, mutant in zip(made, round_, strict=True) if mutant is not None}
            adapter = adapter_with(tmp_path / str(number), {name: mutant.text for name, mutant in chosen.items()})
            plans = [_with(each, chosen[each.name].targets) for each in PLANS if each.name in chosen]
            result = run(plans, Settings(servers, adapter=adapter), stops=True, ranked=ranked(chosen))
            found = {finding.entry for finding in result.findings if finding.kind == DIFFERENT}
            for name, mutant in chosen.items():
                if mutant.label == SOMEWHERE:
                    retyped += name in found
                elif name not in found:
                    left.append((name, mutant))
            shutil.rmtree(adapter)
        escaped = unseen(left, Settings(servers), tmp_path)
    assert not escaped, "\n".join(escaped)
    assert retyped >= min(5, len(made) // 6)
