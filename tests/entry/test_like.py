"""What entries and targets share is said once: `like`, and differences that an entry states for several targets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mapspore.entry.complete import complete, completed
from mapspore.entry.load import Source
from mapspore.entry.model import Entry
from mapspore.pages.preview.live import Live
from mapspore.pipeline import load_registry

HOME = Path(__file__).resolve().parents[2]
SAID = {"en": "A.", "zh": "某。"}
MODEL: dict[str, Any] = {
    "torch": "torch.std",
    "summary": SAID,
    "contract": {"reads": {"input": {"dtypes": ["float"]}}, "modes": True},
    "verify": {"samples": {"dim": [0], "keepdim": [True]}, "calls": [{"input": [2]}]},
    "note": SAID,
    "targets": [
        {"mindspore": "mindspore.mint.std", "dtypes": ["float32"], "note": SAID, "successor": "x"},
        {
            "mindspore": "mindspore.ops.std",
            "arguments": {"axis": {"from": "dim"}, "ddof": {"from": "correction"}},
            "leave_default": ["a", "b"],
            "differs": [{"about": "result", **SAID}, {"about": "dim", "when": [1], **SAID}],
        },
    ],
    "differs": [{"about": "empty_input", **SAID}],
}


def entry(name: str, **fields: Any) -> Entry:
    return Entry.model_validate({"torch": name, "summary": SAID, **fields})


def made(*entries: Entry) -> Entry:
    """The first entry, completed."""
    return completed(entries[0], {each.torch: each for each in entries})


def test_an_entry_that_states_no_target_has_those_of_the_other() -> None:
    model = entry("torch.std", **{key: value for key, value in MODEL.items() if key not in ("torch", "summary")})
    found = made(entry("torch.var", like="torch.std"), model)
    whole = made(model)
    assert (found.contract, found.verify, found.targets) == (whole.contract, whole.verify, whole.targets)
    assert (found.torch, found.note) == ("torch.var", None)
    assert [[each.about for each in target.differs] for target in found.targets] == [
        ["empty_input"],
        ["result", "dim", "empty_input"],
    ]


def test_what_an_entry_states_goes_before() -> None:
    other = {"en": "B.", "zh": "另。"}
    own = entry(
        "torch.var", like="torch.std",
        contract={"reads": {"other": {}}, "modes": False},
        verify={"samples": {"dim": [1]}, "calls": [], "random": True},
        targets=[
            {
                "mindspore": "mindspore.ops.var", "arguments": {"ddof": {"value": 1}}, "leave_default": [],
                "differs": [{"about": "dim", "when": [1], **other}, {"about": "dim", **other}],
            },
            {"mindspore": "mindspore.nn.Var"},
        ],
        differs=[{"about": "empty_input", "targets": "ops", **other}],
    )  # fmt: skip
    found = made(own, Entry.model_validate(MODEL))
    assert list(found.contract.reads) == ["input", "other"] and found.contract.modes is False
    assert found.verify.samples == {"dim": (1,), "keepdim": (True,)}
    assert found.verify.calls == () and found.verify.random
    ops, nn = found.targets
    assert ops.mindspore == "mindspore.ops.var" and ops.leave_default == ()
    assert ops.arguments["axis"].from_ == ("dim",) and ops.arguments["ddof"].value == 1
    assert [(each.about, each.when, each.en) for each in ops.differs] == [
        ("result", (), "A."), ("dim", (1,), "B."), ("dim", (), "B."), ("empty_input", (), "B."),
    ]  # fmt: skip
    assert nn.differs == () and nn.dtypes == ()


def test_what_is_about_one_api_stays_there() -> None:
    mint, _ = made(
        entry("torch.var", like="torch.std", targets=[{"mindspore": "mindspore.mint.var"}] * 2),
        Entry.model_validate(MODEL),
    ).targets
    assert mint.dtypes == ("float32",)
    assert (mint.mindspore, mint.note, mint.successor) == ("mindspore.mint.var", None, None)


def test_an_entry_can_be_like_one_that_is_like_another() -> None:
    between = entry("torch.var", like="torch.std", contract={"modes": False})
    found = made(entry("torch.var_mean", like="torch.var"), between, Entry.model_validate(MODEL))
    assert found.contract.modes is False and list(found.contract.reads) == ["input"]
    assert [target.mindspore for target in found.targets] == ["mindspore.mint.std", "mindspore.ops.std"]


def test_a_refusal_takes_over_no_targets() -> None:
    own = entry("torch.var", like="torch.std", unmapped={"why": SAID, "instead": SAID})
    assert made(own, Entry.model_validate(MODEL)).targets == ()


@pytest.mark.parametrize("unread", [True, False])
def test_the_problem_of_another_entry_is_reported_there_only(unread: bool) -> None:
    own = (Source("var.yaml"), entry("torch.var", like="torch.std"))
    further = (Source("var_mean.yaml"), entry("torch.var_mean", like="torch.var"))
    damaged = [] if unread else [(Source("std.yaml"), Entry.model_validate(MODEL))]
    found = complete([own, further], damaged, ["torch.std"] if unread else [])
    assert found.diagnostics == [] and found.sound == []
    assert [source.path for source, _ in found.damaged][:2] == ["var.yaml", "var_mean.yaml"]


def test_everything_right_of_it_sees_complete_entries() -> None:
    registry = load_registry(HOME).registry
    likes = [mapping for mapping in registry.mappings if mapping.entry.like]
    assert {mapping.name for mapping in likes} >= {"torch.var", "torch.distributed.all_gather_into_tensor"}
    for mapping in likes:
        model = registry.by_name[str(mapping.entry.like)]
        assert mapping.entry.verify == model.entry.verify and mapping.entry.contract == model.entry.contract
        assert [each.id for each in mapping.counterparts] == [each.id for each in model.counterparts]
        assert all(counterpart.bindings and not counterpart.untreated for counterpart in mapping.counterparts)
    linear = registry.by_name["torch.nn.Linear"]
    assert all([each.about for each in target.differs] == ["gradient"] for target in linear.entry.targets)


def test_a_preview_follows_the_entry_that_another_is_like(tmp_path: Path) -> None:
    folder = tmp_path / "mappings" / "torch"
    folder.mkdir(parents=True)
    for name in ("std", "var"):
        (folder / f"{name}.yaml").write_bytes((HOME / f"mappings/torch/{name}.yaml").read_bytes())
    (tmp_path / "facts").symlink_to(HOME / "facts")
    live = Live(tmp_path)
    changed = (folder / "std.yaml").read_text("utf-8").replace("dtypes: [float16, float32]", "dtypes: [float32]")
    (folder / "std.yaml").write_text(changed, "utf-8")
    live.refresh("torch.std")
    assert [target.dtypes for target in live.registry.by_name["torch.var"].entry.targets][1] == ("float32",)
    (folder / "var.yaml").write_text(
        (folder / "var.yaml").read_text("utf-8").replace("torch.std\ntar", "torch.sdt\ntar")
    )
    live.refresh("torch.var")
    assert [problem.code for problem in live.problems_of("torch.var")] == ["M309"]
