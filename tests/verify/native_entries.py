"""Entries of sorts that the registry has no example of today, because the adapter has layers and optimisers of its own:
classes of MindSpore's, and functions with words that no other entry uses. In: nothing. Out: their mappings, and the
modules that are generated for them, which stand in place of the adapter's own.
"""

from __future__ import annotations

from pathlib import Path

from mapspore.adapter.module import module_path
from mapspore.adapter.package import adapter_artifacts
from mapspore.pipeline import load_registry
from mapspore.verify.compare import NO_KERNEL

FOLDER = Path(__file__).parent / "native"
REGISTRY = load_registry(FOLDER).registry
MAPPINGS = REGISTRY.mappings
_MADE = {each.path: each.text for each in adapter_artifacts(REGISTRY, FOLDER)}
MODULES = {mapping.name: _MADE[module_path(mapping.name)] for mapping in MAPPINGS}
"""By name: the source of the module."""
WITHOUT_KERNEL = {
    (name, "mint"): NO_KERNEL for name in ("torch.arange", "torch.full", "torch.nn.BatchNorm2d", "torch.nn.Dropout")
}
"""What evidence would say of these targets on a CPU."""
