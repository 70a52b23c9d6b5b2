"""`verify` can fail in one process too: adapters with one thing wrong are told from torch. Not every one of them is
yet, so this is run by hand until it is: `python -m pytest tests/verify/mutations_alone.py`.
"""

from __future__ import annotations

import shutil
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path

from mutants_alone import PRELUDE, Mutant, mutants

from mapspore.emit import module_path
from mapspore.evidence import runs_alone
from mapspore.pipeline import load_registry
from mapspore.verify.alone.compare import DIFFERENT, NO_EFFECT, NO_KERNEL
from mapspore.verify.alone.plan import Plan, plan
from mapspore.verify.alone.run import run
from mapspore.verify.jobs import Servers
from mapspore.verify.run import Result

ROOT = Path(__file__).resolve().parents[2]
PLANS = [plan(mapping) for mapping in load_registry(ROOT).registry.mappings if runs_alone(mapping)]
PLANS = [each for each in PLANS if each.sort in ("function", "class", "optimizer")]

# MindSpore compiles a new one for seconds; another target has the same words.
SLOW = {"torch.optim.Adam": {"experimental"}}

# Code that is the same behind every target of an entry: one of them shows that it is looked at.
ALIKE = ("default", "keyword default", "without refuse(", "without self.")
# Where MindSpore raises the type that torch raises, nobody can tell; but somewhere it does not.
SOMEWHERE = "MindSpore's own error"

# What neither a caller nor MindSpore could tell: by the end of the entry's name, target and label.
EQUIVALENT: dict[tuple[str, str, str], str] = {
    ("meshgrid", "mint", "given_or does nothing"): "MindSpore takes None for its default, which is the same",
    ("nn.functional.leaky_relu", "ops", "without takes"): "MindSpore says itself that it has no such kernel",
    ("nn.functional.smooth_l1_loss", "mint", "without takes"): "MindSpore says itself that it has no such kernel",
    ("nn.functional.smooth_l1_loss", "ops", "without takes"): "MindSpore says itself that it has no such kernel",
    ("optim.Adam", "nn", "keyword default 2 of __init__"): "capturable has no effect",
    ("meshgrid", "mint", "spread does nothing"): "MindSpore takes one list as well",
    (
        "nn.BatchNorm2d",
        "nn",
        "affine not passed",
    ): "MindSpore then keeps ones and zeros, which the adapter does not show",
    ("nn.BatchNorm2d", "nn", "dtype not passed"): "there is one dtype that it takes",
    **{
        (name, "ops", f"_ops_{form}: {word} does nothing"): "MindSpore takes True and False for 1 and 0"
        for name in ("std", "var")
        for form in (0, 2)
        for word in ("degrees", "integral")
    },
    ("Tensor.to", "tensor", "_tensor_1: device not passed"): "there is one device",
    **{
        ("Tensor.to", "tensor", f"_tensor_{form}: {name} not passed"): "it is about memory and time, not about values"
        for form in range(3)
        for name in ("non_blocking", "copy")
    },
    ("median", "ops", "_ops_0: axis not passed"): "the elements are in one row",
    ("topk", "ops", "sorted not passed"): "without sorting, torch promises no order",
}
# Call forms that are refused as a whole: what they do besides cannot show. By entry and function: the one refusal.
REFUSED_FORMS = {("full", "_ops_1"): "refuse('torch.full', 'names'"}


def working(result: Result, each: Plan) -> set[str]:
    """The targets that MindSpore's CPU runtime has: what cannot run cannot be told apart."""
    plain = {f.target: f.kind for f in result.findings if f.entry == each.name and f.case.get("plain")}
    runs = {target for target, kind in plain.items() if target and kind not in (NO_KERNEL, NO_EFFECT)}
    return runs - SLOW.get(each.name, set())


def wrong(each: Plan, runs: set[str]) -> list[Mutant]:
    """The mutants of an entry that can be told."""
    targets = [target for target in each.targets if target]
    made = mutants((ROOT / module_path(each.name)).read_text("utf-8"), targets)
    short = each.name.removeprefix("torch.")
    found: list[Mutant] = []
    for mutant in made:
        if mutant.label.startswith(ALIKE) and mutant.label in {each.label for each in found}:
            continue
        form, _, what = mutant.label.partition(": ")
        if (short, form) in REFUSED_FORMS and REFUSED_FORMS[short, form] not in what:
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
        if told & runs:
            found.append(Mutant(mutant.label, frozenset(told & runs), mutant.text))
    return found


def _with(each: Plan, targets: frozenset[str]) -> Plan:
    return replace(each, targets={target: known for target, known in each.targets.items() if target in targets})


def test_every_mutation_is_caught(tmp_path: Path) -> None:
    escaped: list[str] = []
    retyped = 0
    with Servers() as servers:
        control = run(PLANS, (), servers, ROOT, adapter=ROOT / "adapter")
        assert not control.different, "\n".join(f"{f.case['id']} {f.target}: {f.detail}" for f in control.different)
        made = {each.name: wrong(each, working(control, each)) for each in PLANS}
        for number, round_ in enumerate(zip_longest(*made.values())):
            adapter = tmp_path / str(number)
            shutil.copytree(ROOT / "adapter", adapter, ignore=shutil.ignore_patterns("__pycache__"))
            chosen = {name: mutant for name, mutant in zip(made, round_, strict=True) if mutant is not None}
            for name, mutant in chosen.items():
                (adapter / module_path(name).removeprefix("adapter/")).write_text(mutant.text + PRELUDE, "utf-8")
            plans = [_with(each, chosen[each.name].targets) for each in PLANS if each.name in chosen]
            result = run(plans, (), servers, ROOT, adapter=adapter, stops=True)
            found = {finding.entry for finding in result.findings if finding.kind == DIFFERENT}
            for name, mutant in chosen.items():
                if mutant.label == SOMEWHERE:
                    retyped += name in found
                elif name not in found:
                    escaped.append(f"{name} {', '.join(sorted(mutant.targets))}: {mutant.label}")
            shutil.rmtree(adapter)
    assert not escaped, "\n".join(escaped)
    assert retyped >= 5
    assert sum(map(len, made.values())) > 200
