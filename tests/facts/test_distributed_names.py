"""Every public name of torch.distributed has an entry, as the installed torch lists them."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch.distributed.distributed_c10d as c10d

pytestmark = pytest.mark.frameworks

MAPPINGS = Path(__file__).parents[2] / "mappings"
EXCEPTED = {"GroupName", "ProcessGroupGloo", "record_comm"}
BESIDES = [
    "torch.distributed.is_available",
    "torch.nn.parallel.DistributedDataParallel",
    "torch.utils.data.distributed.DistributedSampler",
]


def test_every_name_has_an_entry() -> None:
    names = {name for name in c10d.__all__ if name not in EXCEPTED and not name.endswith("Options")}
    assert len(names) > 60
    wanted = {f"torch.distributed.{name}" for name in names} | set(BESIDES)
    lacking = {name for name in wanted if not (MAPPINGS / f"{name.replace('.', '/')}.yaml").is_file()}
    assert not lacking
