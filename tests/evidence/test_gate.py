"""The release gate: every entry was run as it is now, and its evidence says what it may say."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from mapspore.evidence.files import FORMAT, place, text
from mapspore.evidence.fingerprint import Fingerprint
from mapspore.evidence.reach import SourceTree
from mapspore.evidence.source_files import SourceFiles
from mapspore.pipeline import load_registry
from mapspore.resolve.evidence_status import ADAPTER
from mapspore.resolve.registry import Registry
from mapspore.words.situations import SITUATIONS

ROOT = Path(__file__).resolve().parents[2]
VERSIONS = {"torch", "mindspore", "python", "platform"}
OUTCOMES = {"equal", "within_ulp", "same_error", "refused", "contract"}
ALONE = OUTCOMES - {"contract"} | {"no_value", "statistical", "stated", "no_kernel", "no_effect", "no_reference"}
ALIKE = {"equal", "within_ulp", "stated"}
APART = {"raises", "form", "dtype", "shape", "value", "crashed"}


@pytest.fixture(scope="module")
def registry() -> Registry:
    return load_registry(ROOT).registry


def test_every_entry_is_verified(registry: Registry) -> None:
    wrong = [mapping.name for mapping in registry.mappings if mapping.evidence.entry_state != "verified"]
    assert not wrong, f"run `make verify`; not verified, or not as they are now: {', '.join(wrong)}"


def test_all_evidence_is_bound_to_code() -> None:
    nothing = SourceTree(SourceFiles(ROOT / "adapter", "torchspore")).digest([])
    files = (ROOT / "evidence" / "torch").rglob("*.json")
    assert not [file.name for file in files if json.loads(file.read_text("utf-8"))["fingerprint"]["code"] == nothing]


def test_evidence_belongs_to_entries_and_has_one_form(registry: Registry) -> None:
    mappings = {place(mapping.name): mapping for mapping in registry.mappings}
    for file in sorted((ROOT / "evidence" / "torch").rglob("*.json")):
        content = file.read_text("utf-8")
        data = json.loads(content)
        mapping = mappings[file.relative_to(ROOT / "evidence").as_posix()]
        assert mapping.name == data["entry"]
        assert data["format"] == FORMAT and content == text(
            Fingerprint(**data["fingerprint"]), data["entry"], data["targets"], data.get("drawn")
        )
        for name, ran in data["targets"].items():
            if mapping.port == "runtime" and name != ADAPTER:
                assert mapping.counterpart(name) is not None
                says_what_was_measured(ran)
                continue
            if "ranks" not in ran:
                assert (
                    ran["platform"] == "CPU" and {*ran["cases"], *ran["quick"]["cases"], *ran.get("drawn", ())} <= ALONE
                )
                continue
            assert ran["platform"] == "CPU, MindSpore runtime; not HCCL"
            assert set(ran["ranks"]) >= ({2} if ran.get("status") == "example" else {2, 3})
            assert set(ran["cases"]) <= OUTCOMES and set(ran["quick"]["cases"]) <= OUTCOMES
        assert not re.search(r"20\d\d-\d\d|/tmp|/home|/work", content)


def says_what_was_measured(ran: dict[str, Any]) -> None:
    """Of MindSpore's own counterpart beside the runtime: its status follows from its cases; what is apart is told."""
    kinds, apart = {*ran["cases"]}, ran.get("apart", [])
    assert ran.keys() == VERSIONS | {"status", "cases"} | ({"apart"} if apart else set()) and ran["platform"] == "CPU"
    assert kinds <= ALIKE | APART | {"no_kernel"}
    alone = "no_kernel" if kinds else "not_called"
    assert ran["status"] == ("apart" if kinds & APART else "direct" if kinds & ALIKE else alone)
    for group in apart:
        assert group.keys() == {"way", "about", "count", "call", "torch", "mindspore"}
        assert group["about"] in ("", *SITUATIONS) and group["count"] > 0 and group["call"]
    counts = {way: sum(group["count"] for group in apart if group["way"] == way) for way in kinds & APART}
    assert counts == {way: ran["cases"][way] for way in kinds & APART} and {g["way"] for g in apart} <= APART
