"""The markers are true: no test starts a process without saying so."""

from __future__ import annotations

import multiprocessing
import subprocess
from collections import Counter
from pathlib import Path

import pytest


def test_a_process_that_was_not_announced_is_refused() -> None:
    with pytest.raises(AssertionError, match=r"mark it with pytest\.mark\.processes"):
        subprocess.Popen(["true"])
    with pytest.raises(AssertionError, match=r"mark it with pytest\.mark\.processes"):
        multiprocessing.get_context("fork").Process().start()


def test_no_two_modules_of_tests_have_one_name() -> None:
    """Modules of tests are found by their name alone, whichever folder they stand in."""
    names = Counter(path.stem for path in Path(__file__).resolve().parents[1].rglob("test_*.py"))
    assert [name for name, count in names.items() if count > 1] == []
