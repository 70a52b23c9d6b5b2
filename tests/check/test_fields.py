"""Entries mutated field by field: what `check` finds clean can be answered, shown and generated.

Each mutant is well-formed YAML with real names, so that it gets past the first checks. A module that is made of it
parses and uses no name that nothing defines.
"""

from __future__ import annotations

import ast
import builtins
import copy
import json
import random
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from mapspore.adapter.package import adapter_artifacts
from mapspore.answer.text import answer_text
from mapspore.check.check import check
from mapspore.check.rules.names import entry_path
from mapspore.entry.load import Source, decode
from mapspore.entry.parse import parse
from mapspore.entry.yaml_events import data_of
from mapspore.facts.snapshot import Facts
from mapspore.pages.official import render_page
from mapspore.pages.site.api import api_page
from mapspore.pipeline import load_facts
from mapspore.resolve.registry import Registry
from mapspore.resolve.resolve import resolve
from mapspore.scan.rules import compile_rules
from mapspore.text.phrases import LANGUAGES, catalogue, said
from mapspore.view.entry_view import EntryView, as_data, from_data
from mapspore.view.prepare import registry_view
from mapspore.words.runtime import nameable
from mapspore.words.situations import SITUATIONS, TOPICS
from mapspore.words.vocabulary import POLICIES, PREDICATES, WORDS

HOME = Path(__file__).resolve().parents[2]
MUTANTS = 400
OF_FORM = frozenset({"M701", "M702"})
PLAIN = {
    "torch.argmax": "mindspore.mint.argmax",
    "torch.cat": "mindspore.mint.cat",
    "torch.std": "mindspore.mint.std",
    "torch.max": "mindspore.mint.max",
    "torch.sum": "mindspore.mint.sum",
    "torch.einsum": "mindspore.ops.einsum",
    "torch.nn.functional.dropout": "mindspore.ops.dropout",
    "torch.nn.Linear": "mindspore.mint.nn.Linear",
    "torch.nn.BatchNorm1d": "mindspore.nn.BatchNorm1d",
    "torch.optim.SGD": "mindspore.experimental.optim.SGD",
    "torch.nn.ReLU": "mindspore.ops.ReLU",
    "torch.sort": "mindspore.mint.sort",
    "torch.Tensor.add": "mindspore.Tensor.add",
    "torch.distributed.broadcast": "mindspore.mint.distributed.broadcast",
    "torch.distributed.scatter": "mindspore.mint.distributed.scatter",
    "torch.distributed.barrier": "mindspore.mint.distributed.barrier",
}
USES: list[Any] = [
    *(word.name for word in WORDS.values() if word.place == "argument" and not word.options),
    {"root_rank": {"space": "global"}}, {"root_rank": {"space": "group"}}, {"item": {"index": 0}},
    {"choose": {"true": None, "false": "mean"}}, {"dtype_or": {"dtype": "int64"}}, {"given_or": {"value": [1, "a"]}},
    ["whole_number", "as_float"], ["promote", {"item": {"index": 1}}], {"cast": {"dtype": "bool"}}, "into",
]  # fmt: skip
SAID = {"en": "It differs.", "zh": "有差异。"}
STATES = ["weight", "bias", "running_mean", "class", "a-b"]
Data = dict[str, Any]
FACTS = load_facts(HOME)


@cache
def _seeds() -> list[Data]:
    seeds = [
        yaml.load(path.read_text("utf-8"), yaml.CSafeLoader) for path in sorted((HOME / "mappings").rglob("*.yaml"))
    ]
    for torch, mindspore in PLAIN.items():
        seeds.append({"torch": torch, "summary": {"en": "A.", "zh": "某。"}, "targets": [{"mindspore": mindspore}]})
    keys = ("torch", "summary", "contract", "targets")
    return [{key: seed[key] for key in keys if key in seed} for seed in seeds if "targets" in seed]


class Mutation:
    """One change of one field, with names that both sides have."""

    def __init__(self, entry: Data, chance: random.Random) -> None:
        self.pick = chance.choice
        self.some = lambda names: chance.sample(names, min(len(names), chance.randint(0, 2)))
        self.entry = entry
        self.contract = entry.setdefault("contract", {})
        self.target = chance.choice(entry["targets"])
        self.ours = _parameters(FACTS[0], entry["torch"])
        self.theirs = _parameters(FACTS[1], self.target["mindspore"])

    def apply(self) -> None:
        changes: list[Callable[[], object]] = [
            self.argument, self.value, self.policy, self.leave_default, self.returns, self.writes, self.reads,
            self.ranks, self.requires, self.hand_back, self.fill, self.removal, self.form, self.rest, self.behaviour,
            self.convert_returns, self.only, self.call, self.state, self.methods, self.state_if, self.tried, self.whole,
        ]  # fmt: skip
        self.pick(changes)()

    def argument(self) -> None:
        line: Data = {"from": self.pick([self.pick(self.ours), self.some(self.ours)])}
        if self.pick([True, True, False]):
            line["by"] = self.pick(USES)
        if self.pick([True, False, False]):
            line["with"] = self.pick(self.ours)
        self.target.setdefault("arguments", {})[self.pick(self.theirs)] = line

    def value(self) -> None:
        line = {"value": self.pick([0, "a", None, True, 1.5])}
        self.target.setdefault("arguments", {})[self.pick(self.theirs)] = line

    def policy(self) -> None:
        policy = self.pick(sorted(POLICIES))
        self.target.setdefault("absent", {})[self.pick(self.ours)] = policy

    def leave_default(self) -> None:
        self.target.setdefault("leave_default", []).append(self.pick(self.theirs))

    def returns(self) -> None:
        self.target["returns"] = self.pick([["handle"], ["x"], ["x", "handle"], ["x", "y"], []])

    def writes(self) -> None:
        name = self.pick(self.ours)
        demands: list[Data] = [
            {}, {"count": "group"}, {"count": "group", "own_like": name}, {"like": name},
            {"count": "group", "at": [name]}, {"holds": name}, {"splits": name}, {"written_at": [name]},
            {"count": "any", "objects": True},
        ]  # fmt: skip
        self.contract["writes"] = {each: self.pick(demands) for each in self.some(self.ours)}

    def reads(self) -> None:
        demands: list[Data] = [{}, {"count": "group"}, {"objects": True}, {"holds": self.pick(self.ours)}]
        self.contract["reads"] = {each: self.pick(demands) for each in self.some(self.ours)}

    def ranks(self) -> None:
        ranks = {each: self.pick(["global", "group"]) for each in self.some(self.ours)}
        more = self.pick([{}, {"peer": True}, {"returns": "work"}, {"returns": "sender"}, {"rank_default": 0}])
        self.contract["collective"] = {"ranks": ranks, **more, "non_member": "returns_none"}

    def requires(self) -> None:
        self.target.setdefault("requires", {})[self.pick(self.ours)] = self.pick(sorted(PREDICATES))

    def hand_back(self) -> None:
        self.target["hand_back"] = self.pick(["x", ["x", "y"], "handle"])

    def fill(self) -> None:
        line = {"from": self.pick(["x", "gathered", "reduced"]), "by": self.pick(["into", "split_per_rank"])}
        self.target.setdefault("fill", {})[self.pick(self.ours)] = line

    def removal(self) -> None:
        for part in (self.target.get("arguments", {}), self.contract, self.target.get("absent", {})):
            if part and self.pick([True, False]):
                del part[self.pick(sorted(part))]

    def form(self) -> None:
        keys = [key for key in ("arguments", "absent", "leave_default", "returns", "fill") if key in self.target]
        form = {key: self.target.pop(key) for key in keys if self.pick([True, False])}
        condition = self.pick(["has", "lacks"])
        self.target["forms"] = [
            {condition: [self.pick(self.ours)], **form},
            *self.pick([[], [form or {"leave_default": []}]]),
        ]

    def rest(self) -> None:
        self.target.update(self.pick([{"dtypes": ["float32"]}, {"platforms": ["CPU"]}, {"note": SAID}]))

    def behaviour(self) -> None:
        about = {"about": self.pick([*self.ours, "result", "x", *SITUATIONS, *TOPICS])}
        when = self.pick([{}, {"when": ["ties"]}, {"when": [1, None]}, {"when": [[1, "nan"]]}])
        self.target["differs"] = [{**about, **when, **SAID}]

    def convert_returns(self) -> None:
        names = self.target.get("returns") or self.pick([["x"], ["x", "y"]])
        words = self.pick([{"cast": {"dtype": "int64"}}, "join"])
        self.target.update(returns=names, convert_returns={self.pick(names): words})

    def only(self) -> None:
        row = {each: self.pick([[1, None], ["mean"], [[1, 2]], 3, "given"]) for each in self.some(self.ours)}
        self.target["only"] = [row, {self.pick(self.ours): [0]}]

    def call(self) -> None:
        name, other = self.pick(["x", "input", "gradients"]), self.pick(["input", "x", "closure"])
        line: Data = {"from": other, **self.pick([{}, {"by": self.pick(USES)}])}
        fields: list[Data] = [{"arguments": {name: line}}, {"leave_default": [name]}, {"absent": {other: "no_effect"}}]
        fields += [{"returns": ["y"]}, {"requires": {other: "nonempty"}}]
        fields += [{"returns": ["y"], "convert_returns": {"y": "cast"}}]
        self.target["call"] = self.pick(fields)

    def state(self) -> None:
        self.target["state"] = {each: self.pick([each, "gamma", None]) for each in self.some(STATES)}
        if self.pick([True, False, False]):
            self.target["starts"] = {self.pick(STATES): self.pick(USES)}

    def methods(self) -> None:
        more = self.pick([{}, {"takes": ["gradients"]}, {"takes": ["class"]}, {"takes": ["a", "a"]}, {"calls": "x"}])
        name = self.pick(["step", "zero_grad", "__init__", "construct", "forward", "a b", "state_dict", "train"])
        self.contract["methods"] = {name: {**more, **SAID}}

    def state_if(self) -> None:
        self.contract["state_if"] = {self.pick(self.ours): self.some(STATES)}
        self.contract["modes"] = self.pick([True, False])

    def tried(self) -> None:
        verify = self.entry.setdefault("verify", {})
        verify["samples"] = {self.pick(self.ours): self.pick([[1], [None, "a"], [[1, 2]], []])}
        verify["calls"] = [{each: self.pick([1, [2, 3], None]) for each in self.some(self.ours)}]
        verify["values"] = {self.pick(self.ours): self.pick([[0, 1], [0.5], []])}
        verify["distinct"] = self.some(self.ours)
        verify["random"] = self.pick([True, False])

    def whole(self) -> None:
        self.entry.update(self.pick([{"migrate": SAID}, {"runtime": self.pick(sorted(nameable()))}, {"aliases": []}]))
        if self.pick([True, False, False, False]):
            del self.entry["targets"]
            self.entry["unmapped"] = {"why": SAID, "instead": SAID}


def _parameters(facts: Facts, name: str) -> list[str]:
    api = facts.get(name)
    assert api is not None
    return list(dict.fromkeys(p.name for form in api.forms for p in form.parameters)) or ["x"]


def _registry(entry: Data) -> Registry | None:
    """The registry of one entry, if `check` finds nothing wrong but its form."""
    source = Source(entry_path(entry["torch"]))
    problems = decode(json.dumps(entry, ensure_ascii=False, indent=1).encode(), source)  # JSON is YAML, and fast
    assert not problems
    source.data, problems = data_of(source.text, source.path)
    assert not problems
    parsed, problems = parse(source)
    if parsed is not None and not problems:
        registry = resolve([(source, parsed)], *FACTS)
        problems = [diagnostic for diagnostic in check(registry) if diagnostic.code not in OF_FORM]
        if not problems:
            return registry
    assert all(all(said(diagnostic, language)) for diagnostic in problems for language in LANGUAGES)
    return None


def undefined(text: str) -> set[str]:
    """The names that a generated module uses and nothing in it defines."""
    tree = ast.parse(text)
    known = {*dir(builtins), *_defined(tree)}
    found = set()
    for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
        taken = {argument.arg for argument in ast.walk(function) if isinstance(argument, ast.arg)}
        names = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
        local = taken | {name.id for name in names if isinstance(name.ctx, ast.Store)}
        local |= {node.name for node in ast.walk(function) if isinstance(node, ast.ExceptHandler) and node.name}
        found |= {name.id for name in names if isinstance(name.ctx, ast.Load)} - known - local
    return found


def _defined(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from (alias.asname or alias.name for alias in node.names)
        elif isinstance(node, ast.Assign):
            yield from (target.id for target in node.targets if isinstance(target, ast.Name))


@pytest.mark.parametrize("seed", range(3))
def test_what_check_lets_through_can_be_generated(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    seeds = _seeds()
    clean = 0
    for _ in range(MUTANTS):
        entry = copy.deepcopy(chance.choice(seeds))
        for _ in range(chance.randint(1, 4)):
            if "targets" in entry:
                Mutation(entry, chance).apply()
        if not entry["contract"]:
            del entry["contract"]
        registry = _registry(entry)
        if registry is None:
            continue
        clean += 1
        (view,) = registry_view(registry).entries
        told = as_data(view)
        assert as_data(from_data(EntryView, json.loads(json.dumps(told)))) == told
        assert "``" not in json.dumps(told), yaml.safe_dump(entry, sort_keys=False)
        compile_rules(registry)
        for language in LANGUAGES:
            assert answer_text(view, catalogue("labels"), language, 100)
            assert render_page(view, language)
            assert api_page(view, language)
        for artifact in adapter_artifacts(registry, tmp_path):
            compile(artifact.text, artifact.path, "exec")
            assert not undefined(artifact.text), yaml.safe_dump(entry, sort_keys=False)
    assert clean > MUTANTS / 50
