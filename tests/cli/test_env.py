"""`mapspore env`: what to attach to a report, and what stays out of one."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from mapspore.base.language import LANGUAGES
from mapspore.base.version import version
from mapspore.cli import surroundings
from mapspore.cli.surroundings import CHOICES, DISTRIBUTIONS, PREFIXES, variables
from mapspore.text.phrases import catalogue

Run = Callable[..., Any]
HOME = Path(__file__).resolve().parent.parent.parent


def told(mapspore: Run, *arguments: object) -> dict[str, Any]:
    done = mapspore("env", "--format", "json", *arguments)
    assert (done.code, done.err) == (0, "")
    data: dict[str, Any] = json.loads(done.out)
    return data


def test_versions_and_numbers(mapspore: Run) -> None:
    data = told(mapspore, "--root", HOME)
    assert data["mapspore"] == version() and data["format"] == 1
    assert data["python"].split()[1] == ".".join(map(str, sys.version_info[:3]))
    assert data["entries"] == len(list((HOME / "mappings").rglob("*.yaml"))) == sum(data["evidence"].values())
    assert data["facts"].keys() == {"torch", "mindspore"} and data["registry"] == "checkout"
    assert data["cores"] == os.cpu_count()


def test_every_line_in_both_languages(mapspore: Run) -> None:
    data = told(mapspore, "--root", HOME)
    for language in LANGUAGES:
        lines = mapspore("env", "--lang", language, "--root", HOME).out.splitlines()
        said = {key: texts[language] for key, texts in catalogue("env").items()}
        assert [line.split("  ")[0] for line in lines] == [said[key] for key in data if key != "format"]


def test_frameworks_are_told_without_being_imported(mapspore: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    known = {"mindspore-ascend": "2.10.0", "torch": "2.13.0+cpu", "torchspore": "0.1.0"}

    def found(name: str) -> str:
        if name not in known:
            raise surroundings.PackageNotFoundError(name)
        return known[name]

    before = set(sys.modules)
    monkeypatch.setattr(surroundings, "installed", found)
    data = told(mapspore, "--root", HOME)
    assert {name: data[name] for name in DISTRIBUTIONS} == {
        "torchspore": "0.1.0", "mindspore": "2.10.0", "torch": "2.13.0+cpu", "numpy": None,
    }  # fmt: skip
    assert not {name for name in set(sys.modules) - before if name.split(".")[0] in DISTRIBUTIONS}
    assert "not installed" in mapspore("env", "--lang", "en", "--root", HOME).out


SECRET = "hunter2-hunter2"
SECRETS: Mapping[str, str] = {
    **{f"{prefix}TOKEN": SECRET for prefix in PREFIXES if prefix.endswith("_")},
    **{name: f"https://{SECRET}@example.org/{SECRET}" for name in (*CHOICES, "MAPSPORE_SITE", "MAPSPORE_REPOSITORY")},
    "XDG_CACHE_HOME": f"/home/{SECRET}/.cache", "AWS_SECRET_ACCESS_KEY": SECRET, "MY_MS_TOKEN": SECRET, "PATH": SECRET,
}  # fmt: skip


def test_no_value_that_may_be_secret_is_told() -> None:
    shown = variables(SECRETS)
    assert SECRET not in json.dumps(shown) and "MAPSPORE_SITE" in shown
    assert "AWS_SECRET_ACCESS_KEY" not in shown and "MY_MS_TOKEN" not in shown and "PATH" not in shown
    assert variables({"GLOG_v": "3", "TORCHSPORE_TARGET": "mint"}) == {"GLOG_v": "3", "TORCHSPORE_TARGET": "mint"}


def test_no_folder_of_a_person_is_told(mapspore: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "somebody"
    home.mkdir()
    monkeypatch.chdir(home)
    for name, value in SECRETS.items():
        if name not in ("LANG", "LC_ALL", "LC_MESSAGES", "PATH", "XDG_CACHE_HOME"):
            monkeypatch.setenv(name, value)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "cache"))
    (home / "pyproject.toml").write_text(f'[tool.mapspore.scan]\nsite = "https://{SECRET}"\nexclude = ["{SECRET}"]\n')
    for arguments in ((), ("--format", "json"), ("--lang", "zh")):
        done = mapspore("env", *arguments, "--root", HOME)
        assert done.code == 0 and "somebody" not in done.out and SECRET not in done.out
    assert told(mapspore, "--root", HOME)["settings"] == ["scan.exclude", "scan.site"]


def test_a_registry_that_cannot_be_read_is_no_reason_to_say_nothing(
    mapspore: Run, registry: Callable[..., Path]
) -> None:
    root = registry({"facts/other.json": "{}"})
    done = mapspore("env", "--format", "json", "--root", root)
    assert done.code == 0 and "There are no facts of torch" in done.err
    data = json.loads(done.out)
    assert data["registry"] == "given" and "entries" not in data and data["mapspore"] == version()


@pytest.mark.parametrize("text", ["= broken", "[tool]\nmapspore = 3\n", "[tool.mapspore]\nscan = 3\n"])
def test_broken_settings_are_no_reason_either(
    text: str, mapspore: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pyproject.toml").write_text(text)
    monkeypatch.chdir(tmp_path)
    assert told(mapspore, "--root", HOME)["settings"] == []
