"""What the markers of pyproject.toml bring about. In: a module's `pytestmark`, and the expression of `-m`. Out: only
modules that the environment can import are collected, and a test that starts a process is one that says so.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

STARTS = {"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.system"}
"""What Python reports when a process is started; `os.fork` is also how pools of workers begin."""

_running: pytest.Item | None = None


@cache
def needs_frameworks(module: Path) -> bool:
    """Whether a test module says so. Its text is read, since without the frameworks it cannot be imported."""
    for node in ast.parse(module.read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "pytestmark":
            return "pytest.mark.frameworks" in ast.unparse(node.value)
    return False


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """With `-m frameworks` or `-m 'not frameworks'`, alone or with more, nothing of the other sort is imported: neither
    a module nor the conftest.py of a folder that has no other."""
    asked = re.search(r"(\bnot\s+)?\bframeworks\b", config.option.markexpr)
    folder = collection_path.is_dir()
    if asked is None or not (folder or collection_path.match("test_*.py")):
        return None
    modules = collection_path.rglob("test_*.py") if folder else [collection_path]
    return all(needs_frameworks(module) is bool(asked[1]) for module in modules) or None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[Any]:
    global _running
    _running = item
    try:
        return (yield)
    finally:
        _running = None


def _started(event: str, _: object) -> None:
    if event in STARTS and _running is not None and _running.get_closest_marker("processes") is None:
        raise AssertionError(f"{_running.nodeid} starts a process: mark it with pytest.mark.processes")


sys.addaudithook(_started)
