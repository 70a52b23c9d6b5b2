"""Templates hold order and headings; whatever decides, computes or calls belongs into Python."""

from __future__ import annotations

from pathlib import Path

import pytest
from jinja2 import nodes

from mapspore.base.paths import templates_folder
from mapspore.text.templates import environment

TEMPLATES = sorted(templates_folder().rglob("*.j2"))
FORBIDDEN: dict[str, tuple[type[nodes.Node], ...]] = {
    "an assignment": (nodes.Assign, nodes.AssignBlock),
    "a comparison": (nodes.Compare, nodes.Test),
    "arithmetic": (nodes.BinExpr, nodes.UnaryExpr, nodes.Concat),
    "a call": (nodes.Call, nodes.CallBlock, nodes.Macro),
}
ALLOWED = (nodes.And, nodes.Or, nodes.Not)  # operators of the same base classes that compute nothing
IN_CODE: dict[str, tuple[type[nodes.Node], ...]] = {"a choice": (nodes.And, nodes.Or, nodes.CondExpr)}
"""What templates of code do without besides, and a question to the loop: the view has what was chosen."""


def faults(source: str, is_code: bool = False) -> list[str]:
    tree = environment().parse(source)
    found = [
        f"line {node.lineno}: {name}"
        for name, types in FORBIDDEN.items()
        for node in tree.find_all(types)
        if not isinstance(node, ALLOWED)
    ]
    if is_code:
        found += [f"line {node.lineno}: {name}" for name, types in IN_CODE.items() for node in tree.find_all(types)]
        asked = (node.node for node in tree.find_all(nodes.Getattr))
        found += [
            f"line {node.lineno}: a choice" for node in asked if isinstance(node, nodes.Name) and node.name == "loop"
        ]
    return found


def test_there_are_templates() -> None:
    assert TEMPLATES


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_template_computes_nothing(template: Path) -> None:
    is_code = template.is_relative_to(templates_folder() / "code")
    assert faults(template.read_text("utf-8"), is_code) == []


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ("{% set x = y %}", "an assignment"),
        ("{% if a == b %}{% endif %}", "a comparison"),
        ("{% if a is defined %}{% endif %}", "a comparison"),
        ("{{ a + b }}", "arithmetic"),
        ("{{ a ~ b }}", "arithmetic"),
        ("{{ -a }}", "arithmetic"),
        ("{{ a.b() }}", "a call"),
        ("{% macro m() %}{% endmacro %}", "a call"),
    ],
)
def test_the_rule_sees_what_is_forbidden(source: str, fault: str) -> None:
    assert faults(source) == [f"line 1: {fault}"]


@pytest.mark.parametrize(
    "source",
    [
        "{{ a or b }}",
        "{% if a and b %}{% endif %}",
        "{{ a if b else c }}",
        "{% for a in b %}{% if loop.first %}{{ a }}{% endif %}{% endfor %}",
    ],
)
def test_a_template_of_code_chooses_nothing(source: str) -> None:
    assert faults(source) == []
    assert faults(source, is_code=True) == ["line 1: a choice"]
