"""Registries that are big enough to be interrupted, and what lies in a folder."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

UNARY = [
    "abs", "acos", "acosh", "asin", "asinh", "atan", "atanh", "ceil", "cos", "cosh", "erf", "erfc", "exp", "exp2",
    "expm1", "floor", "log", "log10", "log1p", "log2", "neg", "reciprocal", "rsqrt", "sigmoid", "sign", "sin",
    "sinh", "sqrt", "square", "tan", "tanh", "trunc",
]  # fmt: skip
"""Functions of one tensor that torch and `mindspore.mint` name alike."""


def entry(name: str, remark: str = "") -> str:
    return f"""# yaml-language-server: $schema=../entry.schema.json
torch: torch.{name}
summary:
  en: The {name} of each element{remark}.
  zh: 逐元素计算 {name}{remark}。
targets:
  - mindspore: mindspore.mint.{name}
"""


@pytest.fixture
def many() -> Callable[[str], dict[str, str]]:
    """The files of a registry of simple entries; `remark` changes every one of them."""
    return lambda remark="": {f"mappings/torch/{name}.yaml": entry(name, remark) for name in UNARY}


@pytest.fixture
def tree() -> Callable[[Path], dict[str, str]]:
    """Every file below a folder and a digest of its content; links and hidden files included."""

    def read(folder: Path) -> dict[str, str]:
        found = {}
        for path in sorted(folder.rglob("*")):
            if path.is_symlink():
                found[str(path.relative_to(folder))] = f"link to {path.readlink()}"
            elif path.is_file():
                found[str(path.relative_to(folder))] = hashlib.sha256(path.read_bytes()).hexdigest()
        return found

    return read
