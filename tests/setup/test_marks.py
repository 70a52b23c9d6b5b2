"""The markers are true: no test starts a process without saying so."""

from __future__ import annotations

import multiprocessing
import subprocess

import pytest


def test_a_process_that_was_not_announced_is_refused() -> None:
    with pytest.raises(AssertionError, match=r"mark it with pytest\.mark\.processes"):
        subprocess.Popen(["true"])
    with pytest.raises(AssertionError, match=r"mark it with pytest\.mark\.processes"):
        multiprocessing.get_context("fork").Process().start()
