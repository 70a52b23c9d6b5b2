"""What commands that need a faultless registry share: load it, or report and stop."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from mapspore.check.report import print_report
from mapspore.pipeline import Loaded, load_registry
from mapspore.text.phrases import Language


def checked(root: Path, language: Language, overlays: Sequence[Path] = ()) -> Loaded | None:
    """The registry, or None after its errors were printed."""
    loaded = load_registry(root, overlays=overlays)
    if loaded.errors:
        print_report(loaded.diagnostics, loaded.sources, loaded.checked, "text", language, sys.stderr)
        return None
    return loaded
