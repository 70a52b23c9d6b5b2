"""The port of an example: what changes in it, and what does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from mapspore.cases.example_programs import programs
from mapspore.cases.ported import ported
from mapspore.entry.load import AFTER, BEFORE
from mapspore.pipeline import load_registry

HOME = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("api", "before", "after"),
    [
        ("torch.abs", "import torch\n\nprint(torch.abs(torch.tensor([1])))\n",
         "import mindspore\nimport torchspore as torch\n\nprint(torch.abs(mindspore.tensor([1])))\n"),
        ("torch.zeros", "import torch\n\nx = torch.zeros(2, dtype=torch.int64)\n",
         "import torchspore as torch\n\nx = torch.zeros(2, dtype=torch.int64)\n"),
        ("torch.distributed.barrier", "import torch.distributed as dist\n\ndist.barrier()\n",
         "import torchspore.distributed as dist\n\ndist.barrier()\n"),
        ("torch.nn.Linear", "from torch import nn\nfrom torch.nn import Linear\n",
         "from torchspore import nn\nfrom torchspore.nn import Linear\n"),
        ("torch.Tensor.item", "import torch\n\nprint(torch.tensor([1], dtype=torch.int8).item())\n",
         "import mindspore\nimport torchspore\n\ntorchspore.install_tensor_methods()\n\n"
         "print(mindspore.tensor([1], dtype=mindspore.int8).item())\n"),
        ("torch.abs", 'import torch\n\n说明 = "torch.tensor"  # torch.tensor\nprint(说明, torch.tensor([1]))\n',
         'import mindspore\n\n说明 = "torch.tensor"  # torch.tensor\nprint(说明, mindspore.tensor([1]))\n'),
        ("torch.abs", "import torch\nprint(torch.abs(\n", "import torch\nprint(torch.abs(\n"),
    ],
)  # fmt: skip
def test_imports_change_tensors_are_made_by_mindspore_and_all_else_stays(api: str, before: str, after: str) -> None:
    assert ported(before, api) == after


def test_what_can_be_derived_is_no_file() -> None:
    """`check` says so too, of any registry (M611)."""
    registry = load_registry(HOME).registry
    examples = {mapping.name: mapping for mapping in registry.mappings if BEFORE in mapping.source.examples}
    written = {name for name, mapping in examples.items() if AFTER in mapping.source.examples}
    assert len(examples) > 40 and len(written) < len(examples) / 3
    for name, mapping in examples.items():
        found = programs(mapping)
        assert found is not None
        if name in written and not mapping.only_raises:
            assert found.after != ported(found.before, name)
        elif name not in written:
            assert found.after == ported(found.before, name) != found.before and mapping.has_adapter
