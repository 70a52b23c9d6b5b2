"""Makes a registry of any size: `mappings/` and matching `facts/`, without a problem that `check` could report.

A third of the entries are the five real collectives under other names; the rest are functions of the shapes
that a registry mostly holds. The same seed gives the same bytes, and a smaller registry is the beginning of a
larger one. Run it as `synthetic.py FOLDER COUNT [SEED]`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import yaml

import sentences
from mapspore.entry.canonical import canonical
from mapspore.entry.load import Source, build

SEED = 20260
PER_MODULE = 500
HOME = Path(__file__).resolve().parents[1]
COLLECTIVES = ("all_gather", "all_reduce", "gather", "reduce_scatter", "all_to_all")
SOURCE = "https://gitee.com/mindspore/docs/blob/r2.4.0/docs/mindspore/source_zh_cn/note/api_mapping/pytorch_diff"
Data = dict[str, Any]


@dataclass(slots=True)
class Made:
    """One entry, as data, and the facts that it stands on."""

    entry: Data
    torch: list[Data]
    mindspore: list[Data] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Slot:
    """Where an entry goes: its number, the short name of its API, the part that its module has in common."""

    number: int
    short: str
    module: str
    random: Random

    def torch(self, family: str) -> str:
        return f"torch.{family}.{self.module}.{self.short}"

    def mindspore(self, family: str) -> str:
        return f"mindspore.{family}.{self.module}.{self.short}"


def make(folder: Path, count: int, seed: int = SEED) -> None:
    """Write a registry of `count` entries into a folder that does not hold one yet."""
    made = [_make_one(number, seed) for number in range(count)]
    names = [one.entry["torch"] for one in made]
    for number, one in enumerate(made):
        near = Random(f"{seed}-related-{number}").sample(range(max(number, 2)), min(2, max(number, 1)))
        one.entry["related"] = [names[other] for other in near if other < len(names) and other != number]
        if not one.entry["related"]:
            del one.entry["related"]
        path = f"mappings/{one.entry['torch'].replace('.', '/')}.yaml"
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(_canonical(one.entry, path), encoding="utf-8")
    (folder / "facts").mkdir(parents=True, exist_ok=True)
    _write_facts(folder, "torch", "2.13.0", [api for one in made for api in one.torch])
    _write_facts(folder, "mindspore", "2.10.0", [api for one in made for api in one.mindspore])


def _make_one(number: int, seed: int) -> Made:
    random = Random(f"{seed}-{number}")
    recipe: Callable[[Slot], Made] = random.choices(*zip(*RECIPES, strict=True))[0]
    verb = random.choice(("scaled", "fused", "masked", "soft", "pairwise", "banded", "stable", "wide"))
    noun = random.choice(("reduce", "norm", "product", "index", "filter", "sample", "round", "spectrum"))
    slot = Slot(number, f"{verb}_{noun}_{number:04}", f"set{number // PER_MODULE}", random)
    made = recipe(slot)
    if "source" not in made.entry and random.random() < 0.6:
        about, en, zh = random.choice(sentences.CLAIMS)
        made.entry["source"] = f"{SOURCE}/{slot.short}.md"
        made.entry["corrects"] = [{"about": about, "en": en, "zh": zh}]
    return made


def _canonical(entry: Data, path: str) -> str:
    source = Source(path, yaml.safe_dump(entry, allow_unicode=True, sort_keys=False, width=10_000))
    problems = build(source)
    text = canonical(source)
    assert not problems and text is not None, (problems, entry)
    return text


def _write_facts(folder: Path, framework: str, version: str, apis: list[Data]) -> None:
    known = {api["name"]: api for api in apis}
    lines = [json.dumps(known[name], ensure_ascii=False, separators=(",", ":")) for name in sorted(known)]
    head = json.dumps({"format": 1, "framework": framework, "version": version}, separators=(",", ":"))
    text = head[:-1] + ',"apis":[\n' + ",\n".join(lines) + "\n]}\n"
    (folder / "facts" / f"{framework}-{version}.json").write_text(text, encoding="utf-8")


@cache
def _real(name: str) -> tuple[Data, dict[str, Data]]:
    """A real entry and the records of the APIs that it names."""
    entry = yaml.safe_load((HOME / "mappings/torch/distributed" / f"{name}.yaml").read_text("utf-8"))
    records: dict[str, Data] = {}
    for file in ("torch-2.13.0", "mindspore-2.10.0"):
        for api in json.loads((HOME / "facts" / f"{file}.json").read_text("utf-8"))["apis"]:
            records[api["name"]] = api
    return entry, records


def collective(slot: Slot) -> Made:
    """One of the five real entries, its APIs renamed; deprecations point to successors that exist."""
    entry, records = _real(slot.random.choice(COLLECTIVES))
    entry = json.loads(json.dumps(entry))
    made = Made(entry, [{**records[entry["torch"]], "name": slot.torch("distributed")}])
    for target in entry["targets"]:
        family = target["mindspore"].removeprefix("mindspore.").rpartition(".")[0]
        record = {**records[target["mindspore"]], "name": slot.mindspore(family)}
        target["mindspore"] = record["name"]
        if "deprecated" in record:
            successor = slot.mindspore("ops.communication")
            record["deprecated"] = {**record["deprecated"], "replacement": successor}
            made.mindspore.append(_api(successor, _form(_p("tensor")), ["Ascend"]))
        made.mindspore.append(record)
    entry["torch"] = made.torch[0]["name"]
    entry.pop("aliases", None)
    return made


def equal(slot: Slot) -> Made:
    """Truly the same: two names and a summary."""
    ours = _form(_p("input", a="Tensor"), _p("other", a="Tensor"), _out())
    theirs = _form(_p("input"), _p("other"))
    made = _start(slot, "special", [ours])
    _target(made, slot, "mint", [theirs])
    return made


def renamed(slot: Slot) -> Made:
    """Other parameter names, on one of two targets."""
    dim, keep = _p("dim", "None", a="int | None"), _p("keepdim", "False", a="bool")
    made = _start(slot, "linalg", [_form(_p("input", a="Tensor"), dim, keep, _out())])
    _target(made, slot, "mint", [_form(_p("input"), _p("dim", "None"), _p("keepdim", "False"))])
    ops = _target(made, slot, "ops", [_form(_p("x"), _p("axis", "None"), _p("keepdims", "False"))])
    ops["arguments"] = {"x": {"from": "input"}, "axis": {"from": "dim"}, "keepdims": {"from": "keepdim"}}
    _behaviours(ops, slot, 2)
    return made


def other_defaults(slot: Slot) -> Made:
    """The same names with other defaults, which no line states; narrower dtypes, a behaviour and a note."""
    slope, eps = _p("negative_slope", "0.01", a="float"), _p("eps", "1e-05", a="float")
    made = _start(slot, "nn.functional", [_form(_p("input", a="Tensor"), slope, eps)])
    theirs = _form(_p("input"), _p("negative_slope", "0.2"), _p("eps", "1e-06"))
    ops = _target(made, slot, "ops", [theirs])
    ops["dtypes"] = ["float16", "float32", "bfloat16"]
    _behaviours(ops, slot, 2)
    _note(made, slot)
    return made


def absent_and_kept(slot: Slot) -> Made:
    """torch parameters with no place, MindSpore parameters that torch lacks, and an order that differs."""
    ours = _form(
        _p("input", a="Tensor"), _p("weight", a="Tensor"), _p("scale", "1.0", a="float"),
        _p("inplace", "False", a="bool"), _p("generator", "None", "keyword_only", a="Generator | None"), _out(),
    )  # fmt: skip
    theirs = _form(_p("input"), _p("factor", "1.0"), _p("weight"), _p("seed", "0"), _p("name", "None"))
    made = _start(slot, "fft", [ours])
    ops = _target(made, slot, "ops", [theirs])
    ops["arguments"] = {"factor": {"from": "scale"}}
    ops["absent"] = {"inplace": "unsupported", "generator": "no_effect"}
    ops["leave_default"] = ["seed", "name"]
    _behaviours(ops, slot, 1)
    return made


def by_overload(slot: Slot) -> Made:
    """Two torch overloads that one MindSpore function serves differently."""
    first = _form(_p("input", a="Tensor"))
    second = _form(_p("input", a="Tensor"), _p("dim", a="int"), _p("keepdim", "False", a="bool"), _out())
    made = _start(slot, "linalg", [first, second])
    record = _form(_p("input"), _p("axis", "-1"), _p("keepdims", "False"))
    ops = _target(made, slot, "ops", [record], "Tuple(values, indices) of 2 tensors")
    ops["returns"] = ["values", "indices"]
    ops["forms"] = [
        {"lacks": "dim", "arguments": {"axis": {"value": 0}}, "leave_default": ["keepdims"], "hand_back": "values"},
        {"has": "dim", "arguments": {"axis": {"from": "dim"}, "keepdims": {"from": "keepdim"}}},
    ]
    _behaviours(ops, slot, 2)
    return made


def converted(slot: Slot) -> Made:
    """Values that words convert: one parameter split in two, one complemented, one renamed."""
    ours = _form(
        _p("input", a="Tensor"), _p("betas", "(0.9, 0.999)", a="tuple[float, float]"), _p("momentum", "0.1", a="float"),
        _p("eps", "1e-05", a="float"),
    )  # fmt: skip
    theirs = _form(
        _p("input"), _p("beta1", "0.9"), _p("beta2", "0.999"), _p("momentum", "0.9"), _p("epsilon", "1e-05"),
        _p("use_locking", "False"),
    )  # fmt: skip
    made = _start(slot, "nn.functional", [ours])
    ops = _target(made, slot, "ops", [theirs])
    ops["arguments"] = {
        "beta1": {"from": "betas", "by": {"item": {"index": 0}}},
        "beta2": {"from": "betas", "by": {"item": {"index": 1}}},
        "momentum": {"from": "momentum", "by": "complement"},
        "epsilon": {"from": "eps"},
    }
    ops["leave_default"] = ["use_locking"]
    _note(made, slot)
    return made


def deprecated(slot: Slot) -> Made:
    """A current target and a deprecated one whose docstring names no successor."""
    made = _start(slot, "special", [_form(_p("input", a="Tensor"), _p("n", "1", a="int"), _out())])
    _target(made, slot, "mint", [_form(_p("input"), _p("n", "1"))])
    old = _target(made, slot, "ops", [_form(_p("x"), _p("n"))])
    made.mindspore[-1]["deprecated"] = {"since": "2.6.0"}
    old["arguments"] = {"x": {"from": "input"}}
    old["successor"] = slot.mindspore("mint")
    _behaviours(old, slot, 1)
    return made


def unmapped(slot: Slot) -> Made:
    """No counterpart: why, and what to do instead."""
    made = _start(slot, "special", [_form(_p("input", a="Tensor"), _p("cache", "None"))])
    del made.entry["targets"]
    why = "MindSpore has no operator that keeps a cache between calls.", "MindSpore 没有在调用之间保留缓存的算子。"
    instead = "Keep the intermediate result in a variable of your own.", "请自行用变量保存中间结果。"
    made.entry["unmapped"] = {"why": _text(*why), "instead": _text(*instead)}
    return made


RECIPES = (
    (collective, 40),
    (equal, 8),
    (renamed, 16),
    (other_defaults, 12),
    (absent_and_kept, 10),
    (by_overload, 8),
    (converted, 5),
    (deprecated, 4),
    (unmapped, 1),
)


def _start(slot: Slot, family: str, forms: list[Data]) -> Made:
    name = slot.torch(family)
    entry: Data = {"torch": name, "summary": _text(*sentences.summary(slot.random)), "targets": []}
    return Made(entry, [{"name": name, "kind": "function", "forms": forms, "returns_doc": "Tensor"}])


def _target(made: Made, slot: Slot, family: str, forms: list[Data], returns: str = "Tensor") -> Data:
    target: Data = {"mindspore": slot.mindspore(family)}
    made.entry["targets"].append(target)
    made.mindspore.append(_api(target["mindspore"], *forms, ["Ascend", "CPU"], returns))
    return target


def _behaviours(target: Data, slot: Slot, count: int) -> None:
    chosen = slot.random.sample(sentences.BEHAVIOURS, count)
    target["differs"] = [{"about": about, "en": en, "zh": zh} for about, en, zh in chosen]


def _note(made: Made, slot: Slot) -> None:
    made.entry["note"] = _text(*slot.random.choice(sentences.NOTES))


def _text(en: str, zh: str) -> Data:
    return {"en": en, "zh": zh}


def _api(name: str, form: Data, platforms: list[str], returns: str = "Tensor") -> Data:
    return {"name": name, "kind": "function", "forms": [form], "returns_doc": returns, "platforms": platforms}


def _form(*parameters: Data) -> Data:
    return {"parameters": list(parameters)}


def _p(name: str, default: str | None = None, kind: str | None = None, *, a: str | None = None) -> Data:
    record = {"name": name, "kind": kind, "default": default, "annotation": a}
    return {key: value for key, value in record.items() if value is not None}


def _out() -> Data:
    return _p("out", "None", "keyword_only", a="Tensor | None")


if __name__ == "__main__":
    make(Path(sys.argv[1]), int(sys.argv[2]), *map(int, sys.argv[3:4]))
