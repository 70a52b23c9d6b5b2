"""The release gate: every entry was run as it is now, and its evidence says what it may say."""

from __future__ import annotations

import json
import re
from pathlib import Path

from mapspore.evidence.files import FORMAT, place, text
from mapspore.evidence.fingerprint import Fingerprint
from mapspore.pipeline import load_registry

ROOT = Path(__file__).resolve().parents[2]
OUTCOMES = {"equal", "within_ulp", "same_error", "refused", "contract"}
ALONE = OUTCOMES - {"contract"} | {"no_value", "statistical", "stated", "no_kernel", "no_effect", "no_reference"}


def test_every_entry_is_verified() -> None:
    mappings = load_registry(ROOT).registry.mappings
    wrong = [mapping.name for mapping in mappings if mapping.evidence.entry_state != "verified"]
    assert not wrong, f"run `make verify`; not verified, or not as they are now: {', '.join(wrong)}"


def test_evidence_belongs_to_entries_and_has_one_form() -> None:
    names = {place(mapping.name): mapping.name for mapping in load_registry(ROOT).registry.mappings}
    for file in sorted((ROOT / "evidence" / "torch").rglob("*.json")):
        content = file.read_text("utf-8")
        data = json.loads(content)
        assert names[file.relative_to(ROOT / "evidence").as_posix()] == data["entry"]
        assert data["format"] == FORMAT and content == text(
            Fingerprint(**data["fingerprint"]), data["entry"], data["targets"], data.get("drawn")
        )
        for ran in data["targets"].values():
            if "ranks" not in ran:
                assert (
                    ran["platform"] == "CPU" and {*ran["cases"], *ran["quick"]["cases"], *ran.get("drawn", ())} <= ALONE
                )
                continue
            assert ran["platform"] == "CPU, MindSpore runtime; not HCCL"
            assert set(ran["ranks"]) >= ({2} if ran.get("status") == "example" else {2, 3})
            assert set(ran["cases"]) <= OUTCOMES and set(ran["quick"]["cases"]) <= OUTCOMES
        assert not re.search(r"20\d\d-\d\d|/tmp|/home|/work", content)
