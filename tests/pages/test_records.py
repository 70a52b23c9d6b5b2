"""Before and after carry the output of a run of these very programs, or say that there is none."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from mapspore.pipeline import load_registry
from mapspore.recorded.program import programs
from mapspore.recorded.records import record_of
from mapspore.resolve import Registry
from mapspore.site.api import api_page
from mapspore.site.names import Names

HOME = Path(__file__).resolve().parents[2]
NAME = "torch.distributed.all_gather"


def test_every_record_is_of_programs_that_a_page_shows(real: Registry) -> None:
    files = sorted((HOME / "runs").rglob("*.json"))
    assert len(files) > 30
    for file in files:
        name = json.loads(file.read_text("utf-8"))["entry"]
        found = programs(real.claims[name])
        assert found is not None
        ran = record_of(HOME, name, found)
        assert ran is not None, f"{name} has changed since it was run; run `make verify`"
        page = api_page(real.claims[name], real, Names(real), "en", root=HOME)
        assert "\n".join(ran.output) in page and found.after in page + "\n"


def test_every_example_beside_an_entry_has_a_record(real: Registry) -> None:
    for mapping in real.mappings:
        if mapping.source.examples:
            found = programs(mapping)
            assert found is not None and record_of(HOME, mapping.name, found) is not None, mapping.name


def test_programs_that_were_not_run_are_shown_without_output(tmp_path: Path) -> None:
    for folder in ("mappings/torch/distributed", "runs/torch/distributed"):
        (tmp_path / folder).mkdir(parents=True)
        for file in (HOME / folder).glob("all_gather.*"):
            shutil.copy(file, tmp_path / folder)
    changed = tmp_path / "mappings/torch/distributed/all_gather.after.py"
    changed.write_text(changed.read_text("utf-8") + "print()\n", "utf-8")
    registry = load_registry(tmp_path).registry
    page = api_page(registry.claims[NAME], registry, Names(registry), "en", root=tmp_path)
    assert "Not run" in page and "```text" not in page
