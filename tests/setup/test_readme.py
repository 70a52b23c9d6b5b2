"""What the READMEs show is what happens: the answer, the example, the commands, the files they point to."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from mapspore.cases.example_programs import programs
from mapspore.cli.main import COMMANDS
from mapspore.pipeline import load_registry

HOME = Path(__file__).resolve().parent.parent.parent
READMES = {"en": "README.md", "zh": "README.zh.md"}


def blocks(text: str) -> list[tuple[str, str]]:
    return re.findall(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("language", READMES)
def test_the_answer_is_the_real_one(
    language: str, mapspore: Callable[..., tuple[int, str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    text = (HOME / READMES[language]).read_text("utf-8")
    code, answer, _ = mapspore("show", "dist.all_reduce", "--lang", language, "--root", HOME)
    assert code == 0
    assert ("text", answer) in blocks(text)


@pytest.mark.parametrize("name", READMES.values())
def test_before_and_after_are_the_example_that_runs(name: str) -> None:
    shown = [code for kind, code in blocks((HOME / name).read_text("utf-8")) if kind == "python"]
    example = programs(load_registry(HOME).registry.by_name["torch.distributed.all_gather"])
    assert example is not None and shown == [example.before, example.after]


@pytest.mark.parametrize("name", READMES.values())
def test_commands_exist(name: str) -> None:
    text = (HOME / name).read_text("utf-8")
    used = set(re.findall(r"\bmapspore ([a-z]+)\b", text))
    assert used <= {*COMMANDS, "is"}
    targets = set(re.findall(r"\bmake ([a-z]+)\b", "\n".join(re.findall(r"`[^`]+`|^\$ .*$", text, re.MULTILINE))))
    makefile = (HOME / "Makefile").read_text("utf-8")
    assert targets and all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in targets)


@pytest.mark.parametrize("name", [*READMES.values(), "CONTRIBUTING.md", "CHANGELOG.md"])
def test_links_lead_somewhere(name: str) -> None:
    text = (HOME / name).read_text("utf-8")
    for target in re.findall(r"\]\(([^)]+)\)", text):
        path, _, anchor = target.partition("#")
        if "://" in target:
            continue
        assert not path or (HOME / path).is_file(), target
        if anchor:
            headings = re.findall(r"^#+ (.*)$", (HOME / (path or name)).read_text("utf-8"), re.MULTILINE)
            assert anchor in {heading.lower().replace(" ", "-") for heading in headings}, target


def test_both_readmes_have_the_same_parts() -> None:
    english, chinese = ((HOME / name).read_text("utf-8") for name in READMES.values())
    assert [kind for kind, _ in blocks(english)] == [kind for kind, _ in blocks(chinese)]
    assert len(re.findall(r"^#+ ", english, re.MULTILINE)) == len(re.findall(r"^#+ ", chinese, re.MULTILINE))
    assert len(re.findall(r"^\|", english, re.MULTILINE)) == len(re.findall(r"^\|", chinese, re.MULTILINE))
