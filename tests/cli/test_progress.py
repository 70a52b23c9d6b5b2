"""Whoever waits long is told what for; nobody else sees a word."""

from __future__ import annotations

import io
import sys
import time

import pytest

from mapspore import progress
from mapspore.progress import Progress

pytestmark = pytest.mark.processes


class _Stream(io.StringIO):
    def __init__(self, terminal: bool) -> None:
        super().__init__()
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


@pytest.mark.parametrize("terminal", [True, False])
def test_a_long_wait(terminal: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = _Stream(terminal)
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(progress, "ON_TERMINAL" if terminal else "ELSEWHERE", 0.02)
    with Progress("counting") as tell:
        time.sleep(0.1)
        tell("still counting")
        time.sleep(0.1)
    seen = stream.getvalue()
    assert "counting … 0 s" in seen
    if terminal:
        assert seen.startswith("\r\x1b[K") and seen.endswith("\r\x1b[K") and "\n" not in seen
    else:
        assert "still counting … 0 s\n" in seen and "\x1b" not in seen


def test_a_short_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    for terminal in (True, False):
        stream = _Stream(terminal)
        monkeypatch.setattr(sys, "stderr", stream)
        with Progress("counting"):
            pass
        assert stream.getvalue() == ""


def test_a_fault_comes_through(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", _Stream(True))
    with pytest.raises(KeyError), Progress("counting"):
        raise KeyError
