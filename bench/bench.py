"""What `make bench` runs: measures, compares with the limits, and prints. A missed limit is no failure.

Run it as `bench.py [SECTION…] [--rounds N] [--format text|json]`. Exit code 0 unless something crashed.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from shutil import disk_usage

import adapter_speed
import calls_speed
import hostile
import linear_speed
import registry_speed
import scan_speed
import site_speed
from measure import Crashed
from tables import Section, as_json, as_text

ROOM = 2**30
SECTIONS: dict[str, Callable[[Path, int], Section]] = {
    "registry": registry_speed.measure,
    "adapter": adapter_speed.measure,
    "calls": calls_speed.measure,
    "site": site_speed.measure,
    "scan": scan_speed.measure,
    "linear": linear_speed.measure,
    "hostile": hostile.measure,
}


def in_memory() -> Path | None:
    """A folder in memory, so that programs are compared and not the state of a disk; None if there is none."""
    memory = Path("/dev/shm")
    return memory if memory.is_dir() and os.access(memory, os.W_OK) and disk_usage(memory).free > ROOM else None


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure mapspore against its limits.")
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=f"of {', '.join(SECTIONS)}; all by default")
    parser.add_argument("--rounds", type=int, default=5, help="how often everything is run (default 5)")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how to print it")
    parser.add_argument("--folder", type=Path, help="where registries are made; in memory where the system can")
    args = parser.parse_args()
    unknown = [name for name in args.sections if name not in SECTIONS]
    if unknown or args.rounds < 1:
        parser.error(f"there is no section `{unknown[0]}`" if unknown else "--rounds needs a number above 0")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # modules are compiled once, as where they are installed
    found = []
    for name in args.sections or SECTIONS:
        with tempfile.TemporaryDirectory(prefix="mapspore-bench-", dir=args.folder or in_memory()) as folder:
            try:
                found.append(SECTIONS[name](Path(folder), args.rounds))
            except Crashed as problem:
                print(f"error: a measured command failed: {problem}", file=sys.stderr)
                return 1
    print(as_json(found) if args.format == "json" else as_text(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
