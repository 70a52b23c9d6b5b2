"""Which code a module reaches: by function, through every way in which Python code refers to other code."""

from __future__ import annotations

from pathlib import Path

import pytest

from mapspore.evidence.reach import SourceTree
from mapspore.evidence.source_files import SourceFiles

START = "package.start"
FILES = {
    "__init__.py": "",
    "start.py": """
from package.first import one as uno
from . import second

def go(x):
    return uno(x) + second.two(x)
""",
    "first.py": """
from .third import SIZE, three

def one(x):
    return three(x) * SIZE

def other(x):
    return x
""",
    "second.py": """
LIMIT = 3

def two(x):
    from package.fourth import four
    return four(x)
""",
    "third.py": """
SIZE = 2

def three(x):
    return x
""",
    "fourth.py": """
four = Lazy('package.fifth')

class Lazy:
    def __init__(self, home):
        self.home = home
""",
    "fifth.py": """
def five(x):
    return x
""",
}


def digest(folder: Path, changes: dict[str, tuple[str, str]]) -> str:
    home = folder / "package"
    home.mkdir(parents=True)
    for name, text in FILES.items():
        old, new = changes.get(name, ("", ""))
        assert old in text
        (home / name).write_text(text.replace(old, new, 1) if old else text + new, "utf-8")
    return SourceTree(SourceFiles(folder, "package")).digest([START])


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("start.py", "uno(x) +", "uno(x) -"),
        ("first.py", "three(x) *", "three(x) +"),
        ("second.py", "four(x)", "four(-x)"),
        ("third.py", "SIZE = 2", "SIZE = 4"),
        ("third.py", "return x", "return -x"),
        ("fourth.py", "self.home = home", "self.home = home + ''"),
        ("fifth.py", "return x", "return -x"),
        ("third.py", "", "print('loaded')\n"),
        ("third.py", "SIZE = 2", "if SIZE_GIVEN:\n    SIZE = 2\nelse:\n    SIZE = 3"),
    ],
)
def test_a_change_of_reached_code_counts(tmp_path: Path, name: str, old: str, new: str) -> None:
    assert digest(tmp_path / "one", {}) != digest(tmp_path / "other", {name: (old, new)})


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("start.py", "def go(x):", 'def go(x):\n    """Goes."""  # a comment'),
        ("start.py", "def go(x):", "def go(x: 'int') -> 'int':"),
        ("first.py", "def other(x):\n    return x", "def other(x):\n    return -x"),
        ("second.py", "LIMIT = 3", "LIMIT = 4"),
        ("fourth.py", "class Lazy:\n", "class Lazy:\n    home: str\n"),
        ("third.py", "", "\n\ndef unused():\n    return 1\n"),
        ("fifth.py", "", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import package.first\n"),
    ],
)
def test_a_change_beside_it_does_not(tmp_path: Path, name: str, old: str, new: str) -> None:
    assert digest(tmp_path / "one", {}) == digest(tmp_path / "other", {name: (old, new)})


def test_a_library_that_is_looked_up_by_name_is_reached_by_attribute(tmp_path: Path) -> None:
    """`four.five` reaches one function of the module whose name `four` holds."""
    change = {"second.py": ("four(x)", "four.five(x)")}
    one = digest(tmp_path / "one", change)
    assert one == digest(tmp_path / "two", change | {"fifth.py": ("", "\ndef six(x):\n    return x\n")})
    assert one != digest(tmp_path / "three", change | {"fifth.py": ("return x", "return -x")})


def test_a_module_that_only_offers_what_it_imports_stands_for_that(tmp_path: Path) -> None:
    """As the module of an entry does whose class the runtime has."""
    offers = {"start.py": (FILES["start.py"], "from package.first import one\n\n__all__ = ['one']\n")}
    one = digest(tmp_path / "one", offers)
    assert one != digest(tmp_path / "two", offers | {"third.py": ("return x", "return -x")})
    assert one == digest(tmp_path / "three", offers | {"fifth.py": ("return x", "return -x")})


def test_functions_of_one_name_that_change_places_are_told_apart(tmp_path: Path) -> None:
    for number, (first, second) in enumerate((("1", "2"), ("2", "1"))):
        home = tmp_path / str(number) / "package"
        home.mkdir(parents=True)
        (home / "__init__.py").write_text("")
        (home / "start.py").write_text("from .a import f\nfrom .b import f as g\ndef go():\n    return f() - g()\n")
        (home / "a.py").write_text(f"def f():\n    return {first}\n")
        (home / "b.py").write_text(f"def f():\n    return {second}\n")
    one, other = (SourceTree(SourceFiles(tmp_path / str(number), "package")).digest([START]) for number in (0, 1))
    assert one != other


def test_what_is_loaded_late_is_reached_however_its_import_is_spelled(tmp_path: Path) -> None:
    def late(folder: str, imported: str, result: str) -> str:
        home = tmp_path / folder / "package"
        home.mkdir(parents=True)
        module = f"if TYPE_CHECKING:\n    {imported}\n\n__getattr__ = load\n"
        texts = {"__init__": "", "start": "from .late import six\n\ndef go(x):\n    return six(x)\n", "late": module}
        for name, text in (texts | {"sixth": f"def six(x):\n    return {result}\n"}).items():
            (home / f"{name}.py").write_text(text, "utf-8")
        return SourceTree(SourceFiles(home.parent, "package")).digest([START])

    relative = late("relative", "from .sixth import six", "x")
    assert late("absolute", "from package.sixth import six", "x") == relative
    assert late("changed", "from package.sixth import six", "-x") != relative


def test_where_a_package_keeps_its_names_is_none_of_what_runs(tmp_path: Path) -> None:
    """A package that is named in a string counts with what it does, not with the table by which it finds its names."""

    def digest_with(folder: str, table: str, result: str) -> str:
        home = tmp_path / folder / "package"
        (home / "inner").mkdir(parents=True)
        inner = (
            f"__all__ = {table}\n_HOMES = {table}\n\ndef __getattr__(name):\n    return _HOMES[name]\n\n"
            f"def limit():\n    return {result}\n"
        )
        look = "def look(name):\n    return getattr(load('package.inner'), name)\n"
        start = "from .look import look\n\ndef go(x, name):\n    return look(name)(x)\n"
        texts = {"__init__": "", "look": look, "start": start}
        for name, text in (texts | {"inner/__init__": inner}).items():
            (home / f"{name}.py").write_text(text, "utf-8")
        return SourceTree(SourceFiles(home.parent, "package")).digest([START])

    one = digest_with("one", "('a', 'b')", "1")
    assert digest_with("two", "('a', 'b', 'c')", "1") == one
    assert digest_with("three", "('a', 'b')", "2") != one
