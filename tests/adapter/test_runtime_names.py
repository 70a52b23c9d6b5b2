"""What generated code imports from the runtime, and what entries may name as `runtime`: what is listed is there, is of
the sort that its source tells, and both languages say what it does."""

from __future__ import annotations

from collections import Counter
from importlib import import_module
from pathlib import Path

import pytest

from mapspore.pages.official import render_page
from mapspore.pipeline import load_registry
from mapspore.text.phrases import LANGUAGES, catalogue
from mapspore.view.by_adapter import by_adapter
from mapspore.view.prepare import entry_view
from mapspore.words.runtime import (
    INNER,
    MATERIAL,
    home_of,
    homes,
    listed,
    members_of,
    nameable,
    offered,
    parts,
    sort_of,
)

ROOT = Path(__file__).parents[2]


def test_what_generated_code_is_made_of_stands_in_one_place() -> None:
    inner = {name for part in parts() if part.name in INNER for name in listed(part / "__init__.py")}
    count = Counter(name for name, _ in offered() if name in inner)
    assert [
        name for name in inner if not homes()[name].startswith(tuple(f"torchspore._runtime.{i}" for i in INNER))
    ] == []
    assert max(count.values()) <= 2


def test_material_is_there_and_no_entry_can_name_it() -> None:
    assert homes().keys() >= MATERIAL
    assert {name.rpartition(".")[2] for name in nameable()}.isdisjoint(MATERIAL)


def test_a_name_of_two_parts_is_written_behind_its_part() -> None:
    count = Counter(name for name, _ in offered())
    assert all("." in name or count[name] == 1 for name in nameable())
    assert home_of("data.Sampler") == ("torchspore._runtime.data", "Sampler") == home_of("Sampler")


@pytest.mark.frameworks
@pytest.mark.processes
def test_each_name_is_there_and_of_the_sort_that_its_source_tells() -> None:
    for name in sorted(nameable()):
        home, last = home_of(name)
        found, sort = getattr(import_module(home), last), sort_of(name)
        assert sort is None or sort == (
            "class" if isinstance(found, type) else "function" if callable(found) else "value"
        ), name


def test_each_sentence_is_about_a_name_and_each_kind_has_one() -> None:
    assert set(catalogue("phrases")["runtime"]) <= nameable()
    registry = load_registry(ROOT).registry
    kinds = {api.kind for api in registry.torch}
    assert set(catalogue("phrases")["runtime_kinds"]) == kinds


def test_the_sentence_is_on_the_page() -> None:
    registry = load_registry(ROOT).registry
    for mapping in (mapping for mapping in registry.mappings if mapping.entry.runtime is not None):
        said = by_adapter(mapping)
        assert said is not None
        for language in LANGUAGES:
            page = render_page(entry_view(mapping, registry), language)
            assert getattr(said, language).partition("`")[0] in page, mapping.name
            assert catalogue("labels")["adapter_raises"][language] not in page, mapping.name


def test_a_class_of_the_runtime_answers_for_its_members() -> None:
    registry = load_registry(ROOT).registry
    answering = registry.answering("torch.utils.data.Subset.__getitems__")
    assert answering is not None and answering.name == "torch.utils.data.Subset"
    assert registry.answering("torch.utils.data.Subset.no_such_member") is None


def test_the_members_of_a_class_are_told_with_those_that_it_inherits() -> None:
    members = members_of("optim.Adam")
    assert members is not None and {"step", "zero_grad", "param_groups", "__init__"} <= members
    assert members_of("optim.clip_grad_norm_") is None
    assert members_of("no_such_name") is None


def test_what_a_class_of_the_runtime_lacks_is_on_its_page() -> None:
    registry = load_registry(ROOT).registry
    module = registry.by_name["torch.nn.Module"]
    assert "xpu" in module.lacks and "state_dict" not in module.lacks
    assert "`xpu`" in render_page(entry_view(module, registry), "zh")
    assert registry.by_name["torch.nn.ModuleList"].lacks == ()
