"""Call forms that are treated alike share a body: each target has one function per treatment, not per overload."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from mapspore.resolve.module_paths import module_path

ROOT = Path(__file__).parents[2]


def functions(name: str) -> dict[str, ast.FunctionDef]:
    """The functions of an entry's generated module behind the public one."""
    body = ast.parse((ROOT / module_path(name)).read_text("utf-8")).body
    return {node.name: node for node in body if isinstance(node, ast.FunctionDef) and node.name[0] == "_"}


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("torch.std", {"_form_1", "_form_2", "_mint", "_ops"}),  # other names, and fewer parameters
        ("torch.sort", {"_form_1", "_mint", "_ops"}),  # a parameter that stays at MindSpore's default
        ("torch.Tensor.repeat", {"_form_1", "_tensor", "_ops"}),  # one by one, or in a list
        ("torch.max", {"_mint_0", "_mint_1", "_mint_2"}),  # other results, other demands
        ("torch.median", {"_mint_0", "_mint_1", "_ops_0", "_ops_1"}),  # other results
    ],
)
def test_a_body_per_treatment(name: str, wanted: set[str]) -> None:
    assert set(functions(name)) == wanted


def test_what_an_overload_does_not_have_stays_at_mindspores_default() -> None:
    (returned,) = (node for node in functions("torch.std")["_form_2"].body if isinstance(node, ast.Return))
    assert ast.unparse(returned) == "return {'input': input, 'dim': None, 'unbiased': unbiased}"
    (returned,) = (node for node in functions("torch.sort")["_form_1"].body if isinstance(node, ast.Return))
    assert "'stable': False" in ast.unparse(returned)


def test_what_only_one_overload_has_is_refused_for_it() -> None:
    """One of its overloads has no `out`."""
    body = functions("torch.std")["_ops"]
    assert "refuse('torch.std', 'out', out, None)" in ast.unparse(body)
