"""Plans of what the adapter's runtime has: methods are called with what they are a method of, memory without values is
not compared, the adapter's own differences are known, and whole calls go to the signature that they fit.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from mapspore.cases.single.case_builder import CallCaseBuilder
from mapspore.cases.single.entry_cases import call_cases
from mapspore.cases.single.plan import CallPlan, call_plan
from mapspore.pipeline import load_registry

ROOT = Path(__file__).resolve().parents[2]


@cache
def plans() -> dict[str, CallPlan]:
    wanted = ("torch.Tensor.T", "torch.Tensor.reshape", "torch.empty", "torch.remainder", "torch.narrow", "torch.clamp")
    return {
        mapping.name: call_plan(mapping) for mapping in load_registry(ROOT).registry.mappings if mapping.name in wanted
    }


@pytest.mark.parametrize("name", ["torch.Tensor.T", "torch.Tensor.reshape"])
def test_members_of_tensors_are_called(name: str) -> None:
    plan = plans()[name]
    cases = call_cases(plan)
    assert plan.sort == "function"
    assert cases
    assert all("$tensor" in str(case["calls"][0]["args"][0]) for case in cases if case["kind"] == "value")
    assert not any("error-self-number" in case["id"] for case in cases)


def test_memory_without_values_is_compared_by_shape_and_dtype() -> None:
    assert all(case["uninitialised"] for case in call_cases(plans()["torch.empty"]))


def test_what_the_adapter_does_otherwise_is_known_of_it() -> None:
    cases = call_cases(plans()["torch.remainder"])
    assert all(list(case["differs"][""][0]) == ["extreme_values", ("double_input",)] for case in cases)


@pytest.mark.parametrize(("name", "parameter"), [("torch.narrow", "start"), ("torch.clamp", "min")])
def test_a_whole_call_goes_to_the_signature_that_it_fits(name: str, parameter: str) -> None:
    """Two signatures have the same names: a list is the shape of a tensor, a number is none."""
    plan = plans()[name]
    for signature in plan.signatures:
        calls = list(CallCaseBuilder(plan, signature).calls())
        assert calls
        given = [call[parameter] for call in calls if parameter in call]
        assert all(isinstance(each, list) == (parameter in signature.tensors) for each in given)
