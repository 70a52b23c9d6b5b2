"""The results of whole programs: kept, read again, told when they no longer hold, and shown on a page."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mapspore.check.programs import check_programs
from mapspore.evidence.fingerprint import Fingerprints
from mapspore.evidence.programs import FOLDER, ProgramRun, file_of, fingerprint, programs, results, write
from mapspore.pages.site.chart import Series, line_chart
from mapspore.pages.site.programs_page import programs_page
from mapspore.pipeline import load_registry
from mapspore.text.phrases import LANGUAGES
from mapspore.view.prepare import registry_view

HOME = Path(__file__).resolve().parents[2]
TEXT = '"""Doubles a number. It never ends."""\nimport torch\ntorch.abs(torch.zeros(2))\n'
RESULT = ProgramRun(
    program="doubling", outcome="agrees", ranks=1, platform="CPU", processor="AuthenticAMD",
    versions={"torch": "2.13.0", "mindspore": "2.10.0", "numpy": "1.26.4", "python": "3.11"},
    apis=("torch.abs", "torch.zeros"), deviation={"loss": 1e-7, "gradient": 2e-6, "state": 3e-7},
    bound={"loss": 1e-5, "gradient": 2e-5, "state": 1e-5}, worst="gradient/0/0",
    seconds={"torch": 0.001, "mindspore": 0.004}, losses={"torch": (1.0, 0.5), "mindspore": (1.0, 0.5)},
)  # fmt: skip
FAILED = ProgramRun(
    program="doubling", outcome="fails", ranks=1, platform="CPU", processor="", versions=RESULT.versions,
    apis=("torch.abs", "torch.vander"), lacking=("torch.vander",), says="AttributeError: torch.vander: <b>none</b>",
)  # fmt: skip


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A registry of two entries, a program, and the real adapter to be changed."""
    (tmp_path / "mappings" / "torch").mkdir(parents=True)
    for name in ("abs", "zeros"):
        shutil.copy(HOME / "mappings" / "torch" / f"{name}.yaml", tmp_path / "mappings" / "torch")
    (tmp_path / FOLDER).mkdir(parents=True)
    (tmp_path / FOLDER / "doubling.py").write_text(TEXT)
    shutil.copytree(HOME / "adapter" / "torchspore", tmp_path / "adapter" / "torchspore")
    return tmp_path


def keep(root: Path, result: ProgramRun) -> None:
    registry = load_registry(root).registry
    prints = Fingerprints(root, registry.mappings)
    write(root, result, fingerprint(programs(root)["doubling"], result.apis, registry, prints))


def found(root: Path) -> list[ProgramRun]:
    return [result for _, result in results(root, load_registry(root).registry)]


def change_program(root: Path) -> None:
    (root / FOLDER / "doubling.py").write_text(TEXT.replace("2", "3"))


def change_adapter(root: Path) -> None:
    module = root / "adapter" / "torchspore" / "_abs.py"
    module.write_text(module.read_text().replace("return function(input)", "return function(input, None)"))


def change_elsewhere(root: Path) -> None:
    module = root / "adapter" / "torchspore" / "_sinh.py"
    module.write_text(module.read_text().replace("except Exception", "except ValueError"))


@pytest.mark.parametrize(
    ("change", "holds"), [(change_program, False), (change_adapter, False), (change_elsewhere, True)]
)
def test_a_result_holds_while_the_program_and_the_code_it_reaches_stay(
    change: Callable[[Path], None], holds: bool, root: Path
) -> None:
    keep(root, RESULT)
    (before,) = found(root)
    assert before.holds and before.losses == RESULT.losses and before.bound == RESULT.bound
    assert list(check_programs(root, load_registry(root).registry)) == []
    change(root)
    assert [result.holds for result in found(root)] == [holds]
    told = [diagnostic.code for diagnostic in check_programs(root, load_registry(root).registry)]
    assert told == ([] if holds else ["M614"])


def test_check_tells_of_a_stale_result(root: Path, mapspore: Callable[..., tuple[int, str, str]]) -> None:
    keep(root, RESULT)
    change_program(root)
    _, out, _ = mapspore("check", "--root", str(root))
    assert "warning[M614]" in out and "mapspore verify --programs doubling" in out


@pytest.mark.parametrize("damage", [{"outcome": "fine"}, {"versions": {"torch": "<b>"}}, {"losses": 3}, {"apis": None}])
def test_what_cannot_be_understood_is_as_good_as_none(damage: dict[str, Any], root: Path) -> None:
    keep(root, RESULT)
    file = file_of(root, "doubling")
    file.write_text(json.dumps(json.loads(file.read_text()) | damage))
    assert found(root) == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("result", [RESULT, FAILED])
def test_the_page_shows_curves_or_what_is_lacking(result: ProgramRun, language: Any, root: Path) -> None:
    keep(root, result)
    registry = load_registry(root).registry
    text = programs_page(results(root, registry), registry_view(registry), language).text
    assert "## doubling {: #doubling }" in text and "Doubles a number." in text.replace("\\", "")
    assert ("<svg" in text) is (result is RESULT)
    assert ("2.0e-06" in text) is (result is RESULT)
    assert ("`torch.vander`" in text) is (result is FAILED) and "<b>" not in text
    assert "[`torch.abs`](../api/torch.abs.md)" in text
    assert not re.search(r"\{\w+\}", re.sub(r"\{: #[\w-]+ \}", "", text)), "a phrase was not filled"


@pytest.mark.parametrize(
    ("values", "lowest", "labels"),
    [((0.5, -0.5, -1.2), "-1.25", ["1"]), (tuple(range(120)), "0", ["1", "15", "30"]), ((0.0, 0.0), "0", ["1"])],
)
def test_a_chart_of_any_losses(values: tuple[float, ...], lowest: str, labels: list[str]) -> None:
    picture = line_chart("losses", "step", [Series("one", tuple(map(float, values)))])
    shown = re.findall(r'text-anchor="(end|middle)">([^<]+)<', picture)
    assert shown[0] == ("end", lowest)
    assert [number for anchor, number in shown if anchor == "middle"][: len(labels)] == labels
    heights = [float(each) for each in re.findall(r",(-?[\d.]+)", re.findall(r'points="([^"]*)"', picture)[0])]
    assert all(0 <= height <= 320 for height in heights)
