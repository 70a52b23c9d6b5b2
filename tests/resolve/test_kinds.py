"""Each kind of difference is derived from facts and judgement alone; nothing is typed by the contributor."""

from __future__ import annotations

from typing import Any

import pytest

from mapspore.entry.load import Source
from mapspore.entry.model import Entry
from mapspore.facts.snapshot import Api, Facts, Parameter, Signature, dump, parse
from mapspore.resolve.registry import Counterpart
from mapspore.resolve.resolve import resolve_entry
from mapspore.words.kinds import Kind

NON_MEMBER = {"non_member": "returns_none"}


def parameters(text: str) -> tuple[Parameter, ...]:
    """`a, b=1, *, c=None` as parameters."""
    found, kind = [], "positional_or_keyword"
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        if part == "*":
            kind = "keyword_only"
            continue
        name, _, default = part.partition("=")
        found.append(Parameter(name, kind, default or None))
    return tuple(found)


def facts(framework: str, name: str, *forms: str, returns_doc: str | None = None) -> Facts:
    api = Api(name, "function", forms=tuple(Signature(parameters(form)) for form in forms), returns_doc=returns_doc)
    return parse(dump(framework, "1.0.0", [api]))


def derived(torch: str | list[str], mindspore: str, contract: Any = None, **target: Any) -> Counterpart:
    forms = [torch] if isinstance(torch, str) else torch
    entry = Entry.model_validate(
        {
            "torch": "torch.f",
            "summary": {"en": "f", "zh": "函数"},
            "contract": contract or {},
            "targets": [{"mindspore": "mindspore.ops.f", **target}],
        }
    )
    theirs = facts("mindspore", "mindspore.ops.f", mindspore)
    return resolve_entry(Source("f.yaml"), entry, facts("torch", "torch.f", *forms), theirs).counterparts[0]


def kinds(counterpart: Counterpart, name: str | None) -> list[str]:
    row = next(row for row in counterpart.rows if row.torch == name)
    return [difference.kind.value for difference in row.differences]


def test_a_true_equal_needs_no_field() -> None:
    found = derived("input, dim=None", "input, dim=None")
    assert found.verdict == "consistent"
    assert kinds(found, "input") == kinds(found, "dim") == []


def test_renamed() -> None:
    found = derived("input, keepdim=False", "input, keepdims=False", arguments={"keepdims": {"from": "keepdim"}})
    assert kinds(found, "keepdim") == ["renamed"]
    assert found.verdict == "renamed"


def test_default_differs_and_is_the_worst() -> None:
    found = derived("input, slope=0.01", "input, alpha=0.2", arguments={"alpha": {"from": "slope"}})
    assert kinds(found, "slope") == ["default", "renamed"]
    assert found.verdict == "default"


@pytest.mark.parametrize(("one", "other"), [("1", "1.0"), ("0.10", "0.1"), ("'a'", '"a"'), ("1e-3", "0.001")])
def test_a_default_spelt_differently_is_the_same(one: str, other: str) -> None:
    assert derived(f"x={one}", f"x={other}").verdict == "consistent"


@pytest.mark.parametrize(("one", "other"), [("1", "True"), ("None", "0"), ("'a'", "a"), ("1", "2")])
def test_a_default_of_another_value_differs(one: str, other: str) -> None:
    assert derived(f"x={one}", f"x={other}").verdict == "default"


def test_a_required_argument_with_a_default_in_torch() -> None:
    """It fails at once, which is not as bad as another default."""
    found = derived("x=None", "x")
    assert kinds(found, "x") == ["required"]
    assert found.verdict == "required"
    assert Kind.MISSING.severity < Kind.REQUIRED.severity < Kind.DEFAULT.severity


def test_order_names_only_what_moved() -> None:
    found = derived("a, b, c, d", "a, d, b, c")
    assert {row.torch: row.kind for row in found.rows} == {
        "a": Kind.SAME, "b": Kind.SAME, "c": Kind.SAME, "d": Kind.ORDER,
    }  # fmt: skip


def test_a_pure_word_compares_defaults_after_the_conversion() -> None:
    by = {"momentum": {"from": "momentum", "by": "complement"}}
    assert kinds(derived("momentum=0.1", "momentum=0.9", arguments=by), "momentum") == ["value"]
    assert kinds(derived("momentum=0.1", "momentum=0.1", arguments=by), "momentum") == ["default", "value"]


def test_split() -> None:
    item = [{"from": "betas", "by": {"item": {"index": index}}} for index in (0, 1)]
    found = derived("betas='ab'", "beta1='a', beta2='b'", arguments={"beta1": item[0], "beta2": item[1]})
    assert kinds(found, "betas") == ["split"]
    assert found.rows[0].mindspore == ("beta1", "beta2")


def test_merged() -> None:
    both = {"dst": {"from": ["dst", "group_dst"], "by": {"root_rank": {"space": "global"}}}}
    contract: dict[str, Any] = {"collective": {"ranks": {"dst": "global", "group_dst": "group"}, **NON_MEMBER}}
    found = derived("dst=None, group_dst=None", "dst=0", contract, arguments=both)
    assert kinds(found, "dst") == kinds(found, "group_dst") == ["merged"]  # torch demands one of the two


@pytest.mark.parametrize(
    ("receiver", "wanted"), [("dst=0", ["merged"]), ("dst=1", ["default", "merged"]), ("dst", ["required", "merged"])]
)
def test_merged_compares_defaults(receiver: str, wanted: list[str]) -> None:
    both = {"dst": {"from": ["dst", "group_dst"], "by": {"root_rank": {"space": "global"}}}}
    ranks = {"ranks": {"dst": "global", "group_dst": "group"}, "rank_default": 0}
    found = derived("dst=None, group_dst=None", receiver, {"collective": {**ranks, **NON_MEMBER}}, arguments=both)
    assert kinds(found, "dst") == kinds(found, "group_dst") == wanted


@pytest.mark.parametrize("policy", ["unsupported", "no_effect", "completed_at_once"])
def test_missing_carries_its_policy(policy: str) -> None:
    found = derived("x, foreach=None", "x", absent={"foreach": policy})
    assert [d.variant for d in found.rows[1].differences] == [policy]
    assert found.verdict == "missing"


def test_general_parameters_do_not_count_and_the_page_can_say_so() -> None:
    found = derived("input, *, out=None, requires_grad=False", "input")
    assert found.verdict == "consistent"
    assert [exemption.value for exemption in found.exemptions] == ["general"]
    assert kinds(found, "out") == ["missing"]


def test_extra_parameters_at_their_default_do_not_count() -> None:
    found = derived("input", "input, use_locking=False", leave_default=["use_locking"])
    assert found.verdict == "consistent"
    assert [exemption.value for exemption in found.exemptions] == ["extra"]


def test_an_optional_parameter_that_stands_for_an_overload() -> None:
    found = derived(["input", "input, dim"], "input, dim=None")
    assert found.verdict == "consistent"
    assert [exemption.value for exemption in found.exemptions] == ["overload"]


def test_fewer_dtypes_do_not_count() -> None:
    found = derived("x", "x", dtypes=["float32"])
    assert found.verdict == "consistent"
    assert [exemption.value for exemption in found.exemptions] == ["dtypes"]


def test_behaviour_is_the_worst() -> None:
    differs = [{"about": "empty_input", "en": "nan against 0", "zh": "空输入结果不同"}]
    found = derived("x=1", "x=2", differs=differs)
    assert found.verdict == "behaviour"
    assert [kind.value for kind in found.kinds] == ["behaviour", "default"]


COLLECTIVE = {"writes": {"out": {}}, "collective": {"non_member": "returns_none"}}


def test_an_output_becomes_the_return_value() -> None:
    found = derived(
        "out, group=None, async_op=False", "out, group=GlobalComm.WORLD_COMM_GROUP, async_op=False", COLLECTIVE,
        returns=["reduced", "handle"], fill={"out": {"from": "reduced", "by": "into"}},
    )  # fmt: skip
    assert kinds(found, "out") == ["output"]
    assert kinds(found, "group") == ["type"]  # by convention; the world group's two spellings are no difference
    assert found.returns is not None and [d.kind.value for d in found.returns.differences] == ["output", "type"]
    assert found.verdict == "output"


def test_conventions_hold_for_collectives_only() -> None:
    assert derived("group=None", "group=None").verdict == "consistent"


def test_every_parameter_unaccounted_for_is_listed() -> None:
    found = derived("a, lost", "a, needed, spare=1")
    assert found.bindings[0].unbound_torch == ("lost",)
    assert found.bindings[0].unbound_mindspore == ("needed", "spare")


def test_forms_split_by_overload() -> None:
    found = derived(
        ["input", "input, dim, keepdim=False"],
        "input, axis=-1, keepdims=False",
        forms=[
            {"lacks": "dim", "arguments": {"axis": {"value": 0}}, "leave_default": ["keepdims"]},
            {"has": "dim", "arguments": {"axis": {"from": "dim"}, "keepdims": {"from": "keepdim"}}},
        ],
    )
    assert kinds(found, "dim") == ["renamed"]
    assert not found.untreated
    assert all(not b.unbound_torch and not b.unbound_mindspore for b in found.bindings)
