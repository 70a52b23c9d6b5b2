"""M614: whether the results of whole programs still hold. In: a registry's root, its mappings. Out: a warning for each
result whose program, or the adapter's code behind it, has changed since. A program without a result is not reported.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from mapspore.base.diagnostics import Diagnostic, Place
from mapspore.evidence.programs import file_of, results
from mapspore.resolve.registry import Registry


def check_programs(root: Path, registry: Registry) -> Iterator[Diagnostic]:
    for program, result in results(root, registry):
        if not result.holds:
            place = Place(file_of(root, program.name).relative_to(root).as_posix())
            yield Diagnostic("M614", place, (("name", program.name),), severity="warning")
