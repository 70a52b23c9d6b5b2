"""What pages print as output is what the programs print now, with torch and with the adapter."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = [pytest.mark.frameworks, pytest.mark.processes]

HOME = Path(__file__).resolve().parents[2]


def test_the_records_are_those_of_a_new_run(mapspore_process: Callable[..., tuple[int, str, str]]) -> None:
    code, said, errors = mapspore_process("record", "--check", "--lang", "en", "--root", HOME)
    assert code == 0, said + errors
    assert "0 records in runs/ differ." in said
