"""`verify` can fail for every kind of API that is no call of MindSpore, and for programs that are cases: one mutant of
each is told from torch."""

from __future__ import annotations

from pathlib import Path

import pytest
from mutants import ROOT, adapter_with, module

from mapspore.cases.single.plan import call_plan
from mapspore.pipeline import load_registry
from mapspore.verify.compare import DIFFERENT
from mapspore.verify.processes.jobs import Servers, Settings
from mapspore.verify.single.run import run

pytestmark = [pytest.mark.frameworks, pytest.mark.processes]

WRONG = {
    "torch.float32": ("import float32", "import float64 as float32"),
    "torch.bool": ("import bool_ as bool", "import uint8 as bool"),
    "torch.pi": ("= 3.14", "= 3.15"),
    "torch.nan": ('float("nan")', 'float("inf")'),
    "torch.cuda.is_available": ("return False", "return True"),
    "torch.cuda.device_count": ("return 0", "return False"),
    "torch.cuda.empty_cache": ("return None", "return 0"),
    "torch.cuda.synchronize": ("return None", "return 0"),
    "torch.jit.ignore": ("return transparent(drop)", "return transparent()"),
    "torch.utils.data.SequentialSampler": ("import SequentialSampler", "import RandomSampler as SequentialSampler"),
    "torch.utils.data.Subset": ("import Subset", "import StackDataset as Subset"),
}
"""By entry: what of its adapter is replaced, and by what."""
MISBOUND = ('"argmin": "torchspore._argmin"', '"argmin": "torchspore._median:median"')
"""A method that is bound to another function."""


def test_one_mutant_of_each_kind_is_caught(tmp_path: Path) -> None:
    texts = {name: module(name).replace(*change) for name, change in WRONG.items()}
    assert all(texts[name] != module(name) for name in WRONG)
    adapter = adapter_with(tmp_path / "adapter", texts)
    methods = adapter / "torchspore" / "_Tensor_members" / "__init__.py"
    right = methods.read_text("utf-8")
    methods.write_text(right.replace(*MISBOUND), "utf-8")
    assert methods.read_text("utf-8") != right
    mappings = load_registry(ROOT).registry.mappings
    plans = [call_plan(each) for each in mappings if each.name in {*WRONG, "torch.argmin"}]
    with Servers() as servers:
        result = run(plans, Settings(servers, quick=True, adapter=adapter))
    found = {finding.entry for finding in result.findings if finding.kind == DIFFERENT}
    assert found == {*WRONG, "torch.argmin"}
    told = {
        finding.case["id"]
        for finding in result.findings
        if finding.entry == "torch.argmin" and finding.kind == DIFFERENT
    }
    assert all("torch.Tensor.argmin" in case for case in told)
