"""Which of torch's overloads an adapter tells apart."""

from __future__ import annotations

from pathlib import Path

import pytest

from mapspore.pipeline import load_registry
from mapspore.resolve.overloads import needed_forms

REGISTRY = load_registry(Path(__file__).resolve().parents[2]).registry


@pytest.mark.parametrize(
    ("name", "needed"),
    [
        ("torch.arange", [["end"], ["start", "end", "step"]]),  # `step=1` covers both (start, end) and all three
        ("torch.std", [["input", "unbiased"], ["input", "dim", "unbiased", "keepdim"], ["input", "dim"]]),
        ("torch.max", [["input"], ["input", "other"], ["input", "dim", "keepdim"]]),  # other treatments, other results
    ],
)
def test_an_overload_that_another_covers_is_not_told_apart(name: str, needed: list[list[str]]) -> None:
    bindings = REGISTRY.by_name[name].counterparts[0].bindings
    numbers = needed_forms([each.torch for each in bindings], [(each.treatment,) for each in bindings])
    kept = [[p.name for p in bindings[at].torch.parameters if p.kind != "keyword_only"] for at in numbers]
    assert sorted(kept) == sorted(needed)


def test_overloads_that_are_treated_differently_stay_apart() -> None:
    forms = [each.torch for each in REGISTRY.by_name["torch.arange"].counterparts[0].bindings]
    treatments = [each.treatment for each in REGISTRY.by_name["torch.arange"].counterparts[0].bindings]
    apart = [(treatment.model_copy(update={"leave_default": (str(at),)}),) for at, treatment in enumerate(treatments)]
    assert needed_forms(forms, apart) == list(range(len(forms)))
