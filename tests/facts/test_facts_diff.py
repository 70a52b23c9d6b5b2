"""Two snapshots compared: each kind of change, as data and in both languages."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mapspore.facts import snapshot
from mapspore.facts.diff import Change, Detail, diff, signature
from mapspore.facts.snapshot import Api, Deprecation, Facts, Parameter, Signature

INPUT, DIM, KEEPDIM = Parameter("input"), Parameter("dim", default="None"), Parameter("keepdim", default="False")
BASE = Api("torch.f", "function", forms=(Signature((INPUT, DIM, KEEPDIM)),))
OTHER = replace(BASE, home="torch.h", kind="class", bases=("torch.B",), returns="T", returns_doc="a", fields=("x",))


def facts(*apis: Api) -> Facts:
    return snapshot.parse(snapshot.dump("torch", "1", apis))


def form(*parameters: Parameter) -> tuple[Signature, ...]:
    return (Signature(parameters),)


def compared(before: Api, after: Api) -> list[Change]:
    return diff(facts(before), facts(after))


def test_nothing_changed() -> None:
    assert compared(BASE, BASE) == []


def test_added_and_removed() -> None:
    other = replace(BASE, name="torch.g")
    changes = diff(facts(BASE), facts(other))
    assert changes == [Change("removed", "torch.f"), Change("added", "torch.g")]
    assert [change.text() for change in changes] == ["removed torch.f", "added torch.g"]
    assert [change.text("zh") for change in changes] == ["移除 torch.f", "新增 torch.g"]


@pytest.mark.parametrize(
    ("after", "details", "en", "zh"),
    [
        (
            replace(BASE, forms=form(INPUT, DIM)),
            [Detail("parameter removed", before="keepdim=False", subject="keepdim")],
            "changed torch.f: parameter keepdim=False is gone",
            "变更 torch.f：移除参数 keepdim=False",
        ),
        (
            replace(BASE, forms=form(INPUT, DIM, KEEPDIM, Parameter("out", "keyword_only", "None"))),
            [Detail("parameter added", after="out=None", subject="out")],
            "changed torch.f: new parameter out=None",
            "变更 torch.f：新增参数 out=None",
        ),
        (
            replace(BASE, forms=form(INPUT, Parameter("axis", default="0"), KEEPDIM)),
            [Detail("parameter renamed", "dim", "axis", "dim"), Detail("default", "None", "0", "axis")],
            "changed torch.f: parameter dim is now axis; axis: default None is now 0",
            "变更 torch.f：参数 dim 更名为 axis；axis：默认值由 None 变为 0",
        ),
        (
            replace(BASE, forms=form(INPUT, KEEPDIM, DIM)),
            [Detail("parameter order", "input, dim, keepdim", "input, keepdim, dim")],
            "changed torch.f: order input, dim, keepdim is now input, keepdim, dim",
            "变更 torch.f：参数顺序由 input, dim, keepdim 变为 input, keepdim, dim",
        ),
        (
            replace(BASE, deprecated=Deprecation("2.9.0", "torch.g"), platforms=("CPU",)),
            [Detail("deprecated", None, "since 2.9.0, replacement torch.g"), Detail("platforms", None, "CPU")],
            "changed torch.f: deprecation - is now since 2.9.0, replacement torch.g; platforms - are now CPU",
            "变更 torch.f：弃用信息由 - 变为 since 2.9.0, replacement torch.g；支持平台由 - 变为 CPU",
        ),
        (
            replace(BASE, forms=(*BASE.forms, Signature((Parameter("other"),)))),
            [Detail("form added", after="(other)")],
            "changed torch.f: new form (other)",
            "变更 torch.f：新增调用形式 (other)",
        ),
        (
            replace(BASE, call=form(Parameter("x"))),
            [Detail("form added", after="(x)", of_call=True)],
            "changed torch.f: call: new form (x)",
            "变更 torch.f：调用：新增调用形式 (x)",
        ),
        (
            OTHER,
            [
                Detail("kind", "function", "class"),
                Detail("home", None, "torch.h"),
                Detail("bases", None, "torch.B"),
                Detail("returns", None, "T"),
                Detail("returns_doc", None, "a"),
                Detail("fields", None, "x"),
            ],
            "changed torch.f: kind function is now class; home - is now torch.h; base classes - are now torch.B;"
            " returns T instead of -; documented return - is now a; fields - are now x",
            "变更 torch.f：类别由 function 变为 class；规范名称由 - 变为 torch.h；基类由 - 变为 torch.B；"
            "返回类型由 - 变为 T；文档所写的返回值由 - 变为 a；字段由 - 变为 x",
        ),
    ],
    ids=["removed", "added", "renamed", "order", "deprecated", "form", "call", "plain"],
)  # fmt: skip
def test_each_kind_of_change(after: Api, details: list[Detail], en: str, zh: str) -> None:
    (change,) = compared(BASE, after)
    assert change == Change("changed", "torch.f", tuple(details))
    assert change.text() == en
    assert change.text("zh") == zh


def test_parameters_in_detail() -> None:
    before = replace(BASE, forms=form(Parameter("a", default="None", documented="1", annotation="int")))
    after = replace(BASE, forms=form(Parameter("a", "keyword_only", None, None, "float")))
    (change,) = compared(before, after)
    assert [(d.what, d.before, d.after, d.subject) for d in change.details] == [
        ("parameter kind", "positional_or_keyword", "keyword_only", "a"),
        ("default", "None", None, "a"),
        ("documented default", "1", None, "a"),
        ("annotation", "int", "float", "a"),
    ]


def test_forms_are_paired_by_likeness() -> None:
    one, two = (
        Signature((Parameter("input"),)),
        Signature((Parameter("input"), Parameter("dim"), Parameter("out", default="None"))),
    )
    changed = Signature((Parameter("input"), Parameter("dim"), Parameter("out", default="1")))
    (change,) = compared(replace(BASE, forms=(one, two)), replace(BASE, forms=(changed, one)))
    assert change.details == (Detail("default", "None", "1", "out"),)


def test_a_legacy_form() -> None:
    old = replace(BASE, forms=(replace(BASE.forms[0], legacy=True),))
    (change,) = compared(BASE, old)
    assert change.text() == "changed torch.f: form (input, dim=None, keepdim=False): legacy false is now true"


def test_a_snapshot_equals_itself_and_not_the_other(torch_facts: Facts, mindspore_facts: Facts) -> None:
    assert diff(torch_facts, torch_facts) == []
    changes = diff(torch_facts, mindspore_facts)
    assert len(changes) == len(torch_facts) + len(mindspore_facts)
    assert {change.kind for change in changes} == {"added", "removed"}


def test_a_signature_shows_every_kind() -> None:
    every = Signature(
        (
            Parameter("a", "positional_only"),
            Parameter("b", default="1"),
            Parameter("rest", "var_positional"),
            Parameter("c", "keyword_only"),
            Parameter("more", "var_keyword"),
        )
    )
    assert signature(every) == "(a, /, b=1, *rest, c, **more)"
    assert signature(Signature((Parameter("a"), Parameter("c", "keyword_only", "None")))) == "(a, *, c=None)"
