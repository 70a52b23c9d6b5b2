"""Methods of tensors that a function of the runtime stands behind: they have a module of their own, evidence is bound
to it, and the object comes before what torch declares.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from mapspore.adapter.module import emit
from mapspore.evidence.fingerprint import module_of
from mapspore.pipeline import load_registry
from mapspore.resolve.module_paths import module_path
from mapspore.resolve.registry import Registry

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def registry() -> Registry:
    return load_registry(ROOT).registry


def test_evidence_is_bound_to_the_module_that_is_written() -> None:
    for name in ("torch.Tensor.index_add_", "torch.abs", "torch.nn.functional.relu"):
        assert f"adapter/{module_of(name).replace('.', '/')}.py" == module_path(name)


def test_a_function_makes_a_module_and_a_class_none(registry: Registry) -> None:
    assert not registry.by_name["torch.Tensor.index_add_"].is_runtime_member
    assert registry.by_name["torch.Tensor.copy_"].is_runtime_member


def test_the_tensor_comes_first(registry: Registry) -> None:
    content = emit(registry.by_name["torch.Tensor.index_add_"]).content
    assert content.forms[0][0] == "Slot('self', ('tensor',))".replace("'", '"')  # type: ignore[union-attr]


def test_a_parameter_called_like_a_word_of_python_can_be_declared(registry: Registry) -> None:
    content = emit(registry.by_name["torch.Tensor.random_"]).content
    for declared in content.declared:  # type: ignore[union-attr]
        ast.parse(f"def {declared}: ...")
    assert any("from_" in declared for declared in content.declared)  # type: ignore[union-attr]
