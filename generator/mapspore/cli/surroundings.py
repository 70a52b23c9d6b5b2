"""What to attach to a report. In: a registry, the environment and this machine. Out: versions, platform, devices,
settings and the registry's numbers, as data.

Frameworks are not imported: one that is broken must not keep a report from being made. Nothing secret is told: of a
variable the value is shown only where it can be nothing but a choice, and no path of a person's folder is.
"""

from __future__ import annotations

import os
import platform
import re
import tomllib
from collections import Counter
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed
from pathlib import Path
from typing import Any

from mapspore.base.paths import engine_home
from mapspore.base.version import version
from mapspore.pipeline import Loaded

FORMAT = 1
DISTRIBUTIONS = {
    "torchspore": ("torchspore",),
    "mindspore": ("mindspore", "mindspore-ascend", "mindspore-gpu"),
    "torch": ("torch",),
    "numpy": ("numpy",),
}
"""By name: the distributions that bring it."""

CHOICES = (
    "GLOG_v", "LANG", "LC_ALL", "LC_MESSAGES", "LOCAL_RANK", "LOCAL_WORLD_SIZE", "MAPSPORE_DEBUG", "MS_ROLE",
    "NO_COLOR", "OMP_NUM_THREADS", "PYTHONHASHSEED", "PYTHONOPTIMIZE", "PYTHONUTF8", "RANK",
    "TORCHSPORE_TARGET", "WORLD_SIZE",
)  # fmt: skip
"""Variables whose value is a choice of a few."""
PREFIXES = ("ASCEND_", "HCCL_", "MAPSPORE_", "MS_", "TORCHSPORE_", "XDG_CACHE_HOME")
"""Others that matter; that they are set is told, and not to what."""
_CHOICE = re.compile(r"[A-Za-z0-9_.:=,-]{0,40}")
_DEVICES = {"ascend": re.compile(r"davinci[0-9]+"), "nvidia": re.compile(r"nvidia[0-9]+")}
_PROCESSOR = re.compile(r"^(?:vendor_id|CPU implementer)\s*:\s*(\S+)", re.MULTILINE)
SET = "set"


def surroundings(root: Path, loaded: Loaded | None) -> dict[str, Any]:
    """Everything, by name; a name that nothing is known of has None. Without a registry, its numbers are left out."""
    return {
        "format": FORMAT,
        "mapspore": version(),
        **{name: _first(names) for name, names in DISTRIBUTIONS.items()},
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "platform": f"{platform.system()} {platform.machine()}",
        "processor": _processor(),
        "cores": os.cpu_count(),
        "devices": _devices(),
        "variables": variables(os.environ),
        "settings": _settings(Path.cwd()),
        "registry": _place(root),
        **(_numbers(loaded) if loaded else {}),
    }


def _numbers(loaded: Loaded) -> dict[str, Any]:
    registry = loaded.registry
    return {
        "facts": {facts.framework: facts.version for facts in (registry.torch, registry.mindspore)},
        "entries": len(registry.mappings),
        "evidence": dict(sorted(Counter(mapping.evidence.entry_state for mapping in registry.mappings).items())),
        "problems": dict(sorted(Counter(diagnostic.code for diagnostic in loaded.diagnostics).items())),
    }


def _first(names: tuple[str, ...]) -> str | None:
    for name in names:
        try:
            return installed(name)
        except PackageNotFoundError:
            continue
    return None


def variables(environment: Mapping[str, str]) -> dict[str, str]:
    """The variables that matter; of one whose value may be anything, that it is set."""
    named = (name for name in environment if name in CHOICES or name.startswith(PREFIXES))
    return {name: _told(name, environment[name]) for name in sorted(named)}


def _told(name: str, value: str) -> str:
    return value if name in CHOICES and _CHOICE.fullmatch(value) else SET


def _processor() -> str | None:
    """The maker, as the system names it."""
    try:
        found = _PROCESSOR.search(Path("/proc/cpuinfo").read_text("utf-8", "replace"))
    except OSError:
        return platform.processor() or None
    return found[1] if found else None


def _devices() -> dict[str, int]:
    """Accelerators, by maker."""
    try:
        names = os.listdir("/dev")
    except OSError:
        return {}
    counts = {maker: sum(form.fullmatch(name) is not None for name in names) for maker, form in _DEVICES.items()}
    return {maker: count for maker, count in counts.items() if count}


def _settings(folder: Path) -> list[str]:
    """The keys that `pyproject.toml` here sets for mapspore, without their values."""
    try:
        data: Any = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))
        return sorted(f"{part}.{key}" for part, keys in data["tool"]["mapspore"].items() for key in keys)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return []


def _place(root: Path) -> str:
    if root != engine_home():
        return "given"
    return "installed" if root.name == "data" else "checkout"
