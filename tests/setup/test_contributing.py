"""CONTRIBUTING is what a first contribution needs: short, the same in both languages, and true."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from pathlib import Path, PurePosixPath

import pytest

from mapspore.cli.main import COMMANDS

HOME = Path(__file__).resolve().parents[2]
FILES = ("CONTRIBUTING.md", "CONTRIBUTING.zh.md")
LARGEST = 6 * 1024
LONGEST_SPINE = 3_500
"""Lines that a newcomer must read."""


def spine(name: str) -> list[str]:
    """The code to read first, as the file lists it."""
    return re.findall(r"^\| `([\w/]+\.py)` \|", (HOME / name).read_text("utf-8"), re.MULTILINE)


@pytest.mark.parametrize("name", FILES)
def test_it_is_short(name: str) -> None:
    assert (HOME / name).stat().st_size <= LARGEST


def test_the_spine_exists_and_can_be_read_in_an_hour() -> None:
    files = [HOME / "generator" / "mapspore" / path for path in spine(FILES[0])]
    assert len(files) > 10 and all(file.is_file() for file in files)
    assert sum(len(file.read_text("utf-8").splitlines()) for file in files) <= LONGEST_SPINE


def test_both_languages_say_the_same() -> None:
    english, chinese = ((HOME / name).read_text("utf-8") for name in FILES)
    assert spine(FILES[0]) == spine(FILES[1])
    for pattern in (r"^#+ ", r"^\d+\. ", r"^\| ", r"^ *```"):
        assert len(re.findall(pattern, english, re.MULTILINE)) == len(re.findall(pattern, chinese, re.MULTILINE))


@pytest.mark.parametrize("name", FILES)
def test_its_commands_and_folders_exist(name: str) -> None:
    text = (HOME / name).read_text("utf-8")
    assert set(re.findall(r"\bmapspore ([a-z]+)\b", text)) <= set(COMMANDS)
    for folder in re.findall(r"`((?:generator|adapter|templates|tests|mappings|facts)[\w/]*)`", text):
        assert (HOME / folder).exists(), folder


@pytest.mark.processes
def test_an_entry_has_as_many_files_as_it_says() -> None:
    tracked = subprocess.run(
        ["git", "ls-files", "mappings", "evidence", "runs"], cwd=HOME, capture_output=True, text=True
    )
    names: Counter[str] = Counter()
    for path in map(PurePosixPath, tracked.stdout.split()):
        if path.parts[1] == "torch":
            names["/".join(path.parts[1:-1]) + "/" + path.name.split(".")[0]] += 1
    # With the module in `adapter/`: three, and up to three more for an example.
    assert names and max(names.values()) <= 5 and min(names.values()) >= 2


def test_what_a_newcomer_is_told_to_draft_has_no_entry_yet() -> None:
    guides = [HOME / "Makefile", *HOME.glob("CONTRIBUTING*.md"), *HOME.glob("site/*/guides/contributing.md")]
    told = {name for file in guides for name in re.findall(r"mapspore new (torch\.[\w.]+)", file.read_text("utf-8"))}
    assert told and not [name for name in told if (HOME / "mappings" / f"{name.replace('.', '/')}.yaml").exists()]
