"""`mapspore verify` where the frameworks are not installed, and what it refuses before it runs anything."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--ranks", "two"), "`two` is no number for --ranks."),
        (("--ranks", "1"), "`1` is no number for --ranks."),
        (("--jobs", "0"), "`0` is no number for --jobs."),
        (("--target", "hccl"), "There is no target `hccl`."),
        (("no_such_api",), "There is no entry for `no_such_api`."),
    ],
)
def test_refusals(arguments: tuple[str, ...], sentence: str, mapspore: Callable[..., tuple[int, str, str]]) -> None:
    code, _, err = mapspore("verify", "--no-evidence", *arguments)
    assert (
        code == (1 if "entry" in sentence else 2) and re.sub(r"^error\[C\d{3}\] ", "", err.splitlines()[0]) == sentence
    )


def test_without_frameworks(mapspore: Callable[..., tuple[int, str, str]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    code, _, err = mapspore("verify", "--no-evidence")
    assert code == 2 and "Traceback" not in err
    assert err.splitlines()[0].endswith("here it lacks torch and mindspore.")
    assert "Python 3.11 or 3.12" in err and "mapspore[verify]" in err
