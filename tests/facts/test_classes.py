"""What the facts say of classes: protocol, bases, members, attributes; and of what works as a context manager."""

from __future__ import annotations

import pytest
from fact_shapes import calls

from mapspore.facts.extract.source import parse
from mapspore.facts.snapshot import Facts

PROTOCOLS = {
    "torch.nn.ModuleList": ("call", "getitem", "iter", "len"),
    "torch.no_grad": ("call", "enter"),
    "torch.autocast": ("call", "enter"),
    "torch.device": ("enter",),
    "torch.Tensor": ("getitem", "iter", "len"),
    "torch.utils.data.DataLoader": ("iter", "len"),
    "torch.utils.data.Dataset": ("getitem",),
    "torch.optim.Adam": (),
    "torch.random.fork_rng": ("enter",),
    "torch.abs": (),
}


@pytest.mark.parametrize("name", PROTOCOLS)
def test_protocols(name: str, torch_facts: Facts) -> None:
    api = torch_facts.get(name)
    assert api is not None
    assert api.protocol == PROTOCOLS[name]


def test_typed_tensors_are_tensors(torch_facts: Facts) -> None:
    for name in ("torch.FloatTensor", "torch.LongTensor", "torch.cuda.HalfTensor"):
        api = torch_facts.get(name)
        assert api is not None and api.kind == "class"
        assert api.bases == ("torch.Tensor",)
        assert calls(torch_facts, name) == calls(torch_facts, "torch.Tensor")
    assert torch_facts.resolve("torch.FloatTensor.add_") == "torch.Tensor.add_"


def test_attributes_that_classes_declare(torch_facts: Facts) -> None:
    for name, annotation in {
        "torch.nn.Linear.in_features": "int",
        "torch.nn.Module.training": "bool",
        "torch.nn.BatchNorm2d.running_mean": None,
        "torch.optim.Optimizer.param_groups": "list[dict[str, Any]]",
        "torch.utils.data.DataLoader.batch_size": "int | None",
    }.items():
        api = torch_facts.get(name)
        assert api is not None and api.kind == "property", name
        assert annotation is None or api.returns == annotation


def test_what_a_subclass_overrides_is_on_the_base_class_only(torch_facts: Facts, mindspore_facts: Facts) -> None:
    assert {"torch.nn.Module.forward", "torch.nn.Module.extra_repr"} <= set(torch_facts.names)
    assert "torch.nn.Linear.forward" not in torch_facts
    assert torch_facts.resolve("torch.nn.Linear.forward") == "torch.nn.Module.forward"
    assert {"torch.autograd.Function.forward", "torch.autograd.Function.backward"} <= set(torch_facts.names)
    assert mindspore_facts.resolve("mindspore.nn.Dense.construct") == "mindspore.nn.Cell.construct"


def test_members_of_a_class_in_a_further_module(torch_facts: Facts) -> None:
    assert calls(torch_facts, "torch.cuda.Event.elapsed_time") == ["(end_event)"]
    assert calls(torch_facts, "torch.GradScaler.step") == ["(optimizer, *args, **kwargs)"]
    assert torch_facts.resolve("torch.distributions.Beta.rsample") is not None


def test_annotated_attributes_of_a_source() -> None:
    source = """
class A:
    x: int
    _hidden: int
    Alias: TypeAlias = int

    def __init__(self):
        self.y: list[int] = []
        self.z = 1
        other.w: int = 2
"""
    assert parse(source).attributes["A"] == {"y": "list[int]", "x": "int"}
