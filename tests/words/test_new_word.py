"""A new word touches its family, the phrases of that family, and one package of the adapter's runtime; then every stage
and every command knows it. Proved in a copy of the project, by adding a word with an option, a refusal, a condition of
`scan`, a rewrite and a proposal.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.processes

HOME = Path(__file__).resolve().parents[2]
NEIGHBOUR = "whole_number"
"""The word beside which the new one is put."""
WORD = """    Word(
        "parts", "argument", "value", {"whole": int}, refuses=(1.5,),
        scan=("nonzero",),
        rewrite=Rewrite("always", "{value} * {whole}"),
        draft=BySignature("p", options={"whole": 100}),
    ),
"""
PHRASES = """parts:
  value: {en: "MindSpore counts `{mindspore}` in parts of {whole}.", zh: "MindSpore 的 `{mindspore}` 以 {whole} 计。"}
"""
FUNCTION = '''

def parts(value: Any, *, whole: int) -> Any:
    """A share of one as a number of parts; more than the whole is refused."""
    if value > 1:
        raise UnsupportedArgument(f"MindSpore takes no more than the whole here, and this is {value!r}.")
    return value * whole
'''
ENTRY_PATH = "mappings/torch/nn/functional/dropout.yaml"
ENTRY = """# yaml-language-server: $schema=../../../entry.schema.json
torch: torch.nn.functional.dropout
summary:
  en: Sets elements to zero at random.
  zh: 随机将元素置零。
targets:
  - mindspore: mindspore.mint.nn.functional.dropout
    arguments: {p: {from: p, by: {parts: {whole: 100}}}}
"""
PROGRAM = """import torch
import torch.nn.functional as F


def step(x, share):
    x = F.dropout(x, p=share)
    x = F.dropout(x, 0.25)
    return F.dropout(x, p=0)
"""
Run = Callable[..., str]


def replaced(file: Path, old: str, new: str) -> Path:
    text = file.read_text("utf-8")
    assert text.count(old) == 1, (file, old)
    file.write_text(text.replace(old, new), "utf-8")
    return file


def with_new_word(root: Path) -> list[Path]:
    """Adds the word to a copy of the project, and tells which files that took."""
    family = root / "generator/mapspore/words/numbers.py"
    runtime = next(
        file for file in sorted((root / "adapter/torchspore").rglob("*.py"))
        if f"\ndef {NEIGHBOUR}(" in file.read_text("utf-8")
    )  # fmt: skip
    with runtime.open("a", encoding="utf-8") as stream:
        stream.write(FUNCTION)
    return [
        replaced(family, f'    Word(\n        "{NEIGHBOUR}"', f'{WORD}    Word(\n        "{NEIGHBOUR}"'),
        replaced(root / "templates/text/words/numbers.yaml", f"\n{NEIGHBOUR}:\n", f"\n{PHRASES}{NEIGHBOUR}:\n"),
        runtime,
    ]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory, without_entries: Callable[[list[str]], Path]) -> Path:
    """A copy of the project that has the new word, and no entry yet of the API that is to use it."""
    root = tmp_path_factory.mktemp("project")
    for name in ("generator", "adapter", "templates"):
        shutil.copytree(HOME / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(without_entries(["torch.nn.functional.dropout"]) / "mappings", root / "mappings")
    (root / "facts").symlink_to(HOME / "facts")
    for name in ("mkdocs.yml", "README.md", "README.zh.md"):
        shutil.copy(HOME / name, root)
    changed = {file.parent.relative_to(root).as_posix() for file in with_new_word(root)}
    assert changed == {"generator/mapspore/words", "templates/text/words", "adapter/torchspore/_runtime/words"}
    return root


@pytest.fixture(scope="module")
def python(project: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(project / "generator"), str(project / "adapter")]),
        "XDG_CACHE_HOME": str(tmp_path_factory.mktemp("cache")),
        "PYTHONDONTWRITEBYTECODE": "1",
    }

    def run(*arguments: str | Path, exits: int = 0) -> str:
        done = subprocess.run(
            [sys.executable, *map(str, arguments)], cwd=project, env=environment, capture_output=True,
            encoding="utf-8", timeout=600,
        )  # fmt: skip
        assert done.returncode == exits, done.stdout + done.stderr
        return done.stdout

    return run


@pytest.fixture(scope="module")
def draft(project: Path, python: Run) -> str:
    """What `new` writes; the entry that is used from then on takes its place."""
    python("-m", "mapspore", "new", "torch.nn.functional.dropout", "mindspore.mint.nn.functional.dropout")
    text = (project / ENTRY_PATH).read_text("utf-8")
    (project / ENTRY_PATH).write_text(ENTRY, "utf-8")
    return text


@pytest.fixture(scope="module")
def mapspore(draft: str, python: Run) -> Run:
    def run(*arguments: str | Path, exits: int = 0) -> str:
        return python("-m", "mapspore", *arguments, exits=exits)

    return run


def test_a_draft_proposes_it(draft: str) -> None:
    assert "p: {from: p, by: {parts: {whole: 100}}}" in draft


def test_check_knows_the_word_and_its_option(project: Path, mapspore: Run) -> None:
    mapspore("check", ENTRY_PATH)
    replaced(project / ENTRY_PATH, "whole: 100", "hole: 100")
    try:
        report = mapspore("check", ENTRY_PATH, exits=1)
    finally:
        (project / ENTRY_PATH).write_text(ENTRY, "utf-8")
    assert "M502" in report and "`hole`" in report and "`whole`" in report


def test_generate_emits_its_function_and_lists_it(project: Path, mapspore: Run) -> None:
    mapspore("generate")
    module = (project / "adapter/torchspore/nn/functional/_dropout.py").read_text("utf-8")
    compile(module, "_dropout.py", "exec")
    assert "p=parts(p, whole=100)" in module and "words.calls import parts\n" in module
    assert '"parts"' in (project / "mappings/entry.schema.json").read_text("utf-8")


def test_explain_tells_its_place_its_option_and_its_phrase(mapspore: Run) -> None:
    told = mapspore("explain", "parts")
    assert told.startswith("parts\n  on an argument  whole: int\n") and "MindSpore counts `…` in parts of …" in told


def test_the_page_says_its_phrase_in_both_languages(project: Path, mapspore: Run) -> None:
    mapspore("export", "pages", "--output", project / "pages")
    texts = [file.read_text("utf-8") for file in (project / "pages").rglob("nn.functional.dropout.md")]
    assert any("MindSpore counts `p` in parts of 100." in text for text in texts)
    assert any("MindSpore 的 `p` 以 100 计。" in text for text in texts)


def test_scan_finds_what_meets_its_condition(project: Path, mapspore: Run) -> None:
    program = project / "program.py"
    program.write_text(PROGRAM, "utf-8")
    report = json.loads(mapspore("scan", program, "--format", "json", exits=1))
    found = [(each["line"], each["code"]) for each in report["findings"] if each["code"] == "S110"]
    assert found == [(6, "S110"), (7, "S110")]  # 0 is 0 of any whole


def test_migrate_writes_it_out(project: Path, mapspore: Run) -> None:
    program = project / "program.py"
    program.write_text(PROGRAM, "utf-8")
    diff = mapspore("migrate", program, "--mode", "direct")
    assert "+    x = mindspore.mint.nn.functional.dropout(x, p=share * 100)" in diff
    assert "+    x = mindspore.mint.nn.functional.dropout(x, 0.25 * 100)" in diff


def test_verify_tries_what_it_refuses(draft: str, python: Run) -> None:
    script = """
from pathlib import Path
from mapspore.cases.all_cases import all_cases
from mapspore.pipeline import load_registry
mappings = load_registry(Path.cwd()).registry.mappings
mapping = next(mapping for mapping in mappings if mapping.name == "torch.nn.functional.dropout")
cases = [case for case in all_cases(mapping, (), ()) if "not-converted-p" in case["id"]]
print(*[(case["calls"][0]["kwargs"], case["refused"]) for case in cases])
"""
    tried = python("-c", script)
    assert "'p': 1.5" in tried and "UnsupportedArgument" in tried
