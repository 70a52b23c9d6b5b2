"""Whoever waits long is told what for; nobody else sees a word."""

from __future__ import annotations

import io
import re
import sys
import threading

import pytest

from mapspore.cli import progress
from mapspore.cli.progress import Progress
from processes import HANGS

pytestmark = pytest.mark.processes


class _Stream(io.StringIO):
    """Lets a test wait until something was written."""

    def __init__(self, terminal: bool) -> None:
        super().__init__()
        self.terminal = terminal
        self._written = threading.Condition()

    def isatty(self) -> bool:
        return self.terminal

    def write(self, text: str) -> int:
        with self._written:
            self._written.notify_all()
            return super().write(text)

    def await_text(self, pattern: str) -> None:
        with self._written:
            assert self._written.wait_for(lambda: re.search(pattern, self.getvalue()), HANGS)


@pytest.mark.parametrize("terminal", [True, False])
def test_a_long_wait(terminal: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = _Stream(terminal)
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(progress, "ON_TERMINAL" if terminal else "ELSEWHERE", 0.02)
    with Progress("cli.doing.scan", "en") as tell:
        stream.await_text(r"scanning … \d+ s")
        tell("cli.doing.list")
        stream.await_text(r"reading the registry … \d+ s")
    seen = stream.getvalue()
    if terminal:
        assert seen.startswith("\r\x1b[K") and seen.endswith("\r\x1b[K") and "\n" not in seen
    else:
        assert seen.endswith(" s\n") and "\x1b" not in seen


def test_a_short_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    for terminal, wait in ((True, "ON_TERMINAL"), (False, "ELSEWHERE")):
        stream = _Stream(terminal)
        monkeypatch.setattr(sys, "stderr", stream)
        monkeypatch.setattr(progress, wait, HANGS)
        with Progress("cli.doing.scan", "en"):
            pass
        assert stream.getvalue() == ""


def test_a_fault_comes_through(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", _Stream(True))
    with pytest.raises(KeyError), Progress("cli.doing.scan", "en"):
        raise KeyError
