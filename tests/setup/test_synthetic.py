"""The synthetic registries of the benchmark: faultless, the same each time, of the size of real entries."""

from __future__ import annotations

from pathlib import Path
from statistics import mean

from mapspore.pipeline import load_registry
from synthetic import COLLECTIVES, HOME, RECIPES, make


def content(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_it_has_no_problems_and_every_recipe(tmp_path: Path) -> None:
    make(tmp_path, 200)
    loaded = load_registry(tmp_path)
    assert loaded.diagnostics == []
    assert len(loaded.registry.mappings) == 200
    verdicts = {mapping.verdict for mapping in loaded.registry.mappings}
    assert {"consistent", "required", "value", "type", "behaviour", "unmapped"} <= verdicts
    assert len(RECIPES) == len({recipe for recipe, _ in RECIPES})


def test_the_same_seed_gives_the_same_bytes_and_a_longer_registry_begins_like_a_shorter_one(tmp_path: Path) -> None:
    for name, count, seed in (("one", 40, 7), ("same", 40, 7), ("longer", 60, 7), ("other", 40, 8)):
        make(tmp_path / name, count, seed)
    one, longer = content(tmp_path / "one"), content(tmp_path / "longer")
    assert one == content(tmp_path / "same")
    assert one != content(tmp_path / "other")
    entries = {path: text for path, text in one.items() if path.endswith(".yaml")}
    assert entries.items() <= longer.items()


def test_entries_are_as_long_as_real_ones(tmp_path: Path) -> None:
    make(tmp_path, 200)
    made = mean(path.stat().st_size for path in tmp_path.rglob("*.yaml"))
    real = mean((HOME / f"mappings/torch/distributed/{name}.yaml").stat().st_size for name in COLLECTIVES)
    assert 0.7 * real < made < 1.3 * real
