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


def faults(source: str) -> list[str]:
    tree = environment().parse(source)
    return [
        f"line {node.lineno}: {name}"
        for name, types in FORBIDDEN.items()
        for node in tree.find_all(types)
        if not isinstance(node, ALLOWED)
    ]


def test_there_are_templates() -> None:
    assert TEMPLATES


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_template_computes_nothing(template: Path) -> None:
    assert faults(template.read_text("utf-8")) == []


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
