"""A method is answered by its function's entry if torch's docstring says so and the signatures fit."""

from __future__ import annotations

import pytest

from mapspore.entry.load import Source
from mapspore.entry.model import Entry
from mapspore.facts.snapshot import Api, Facts, Parameter, Signature, dump, parse
from mapspore.resolve.registry import Registry
from mapspore.resolve.resolve import resolve

TENSOR = Parameter("input", annotation="Tensor")
DIM = Parameter("dim", default="None")
OUT = Parameter("out", "keyword_only", "None")
FUNCTION = Api("torch.f", "function", forms=(Signature((TENSOR, DIM, OUT)),))
THEIRS = Api("mindspore.ops.f", "function", forms=(Signature((TENSOR, DIM)),))


def registry(method: Api, *names: str) -> Registry:
    """A registry of entries, whose torch has the function and a method."""
    torch: Facts = parse(dump("torch", "1.0.0", [FUNCTION, method]))
    mindspore = parse(dump("mindspore", "1.0.0", [THEIRS]))
    stated = {"summary": {"en": "f", "zh": "函数"}, "targets": [{"mindspore": "mindspore.ops.f"}]}
    entries = [Entry.model_validate({"torch": name, **stated}) for name in names]
    return resolve([(Source(f"{entry.torch}.yaml"), entry) for entry in entries], torch, mindspore)


def method(*parameters: Parameter, see: str | None = "torch.f") -> Api:
    return Api("torch.Tensor.f", "method", see=see, forms=(Signature(parameters),))


def test_a_method_with_the_function_s_signature_is_answered_by_its_entry() -> None:
    found = registry(method(DIM), "torch.f")
    assert found.by_name["torch.Tensor.f"].name == "torch.f"
    assert found.mappings[0].methods == ("torch.Tensor.f",)
    assert "torch.Tensor.f" in found.mappings[0].offered_names


@pytest.mark.parametrize(
    "other",
    [
        method(DIM, see=None),
        method(Parameter("dim")),
        method(Parameter("axis", default="None")),
        method(DIM, Parameter("keepdim", default="False")),
        method(Parameter("dim", "keyword_only", "None")),
    ],
    ids=["not said", "required", "renamed", "one more", "by keyword"],
)
def test_a_method_that_is_called_otherwise_is_not(other: Api) -> None:
    found = registry(other, "torch.f")
    assert "torch.Tensor.f" not in found.by_name
    assert found.mappings[0].methods == ()


def test_a_method_with_an_entry_of_its_own_is_answered_by_that() -> None:
    found = registry(method(DIM), "torch.f", "torch.Tensor.f")
    assert found.by_name["torch.Tensor.f"].name == "torch.Tensor.f"
    assert [mapping.methods for mapping in found.mappings] == [(), ()]
