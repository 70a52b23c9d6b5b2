"""`mapspore check [PATH…]`: every problem of the registry in one run."""

from __future__ import annotations

import argparse
import sys

from mapspore.base.paths import find_root, overlay_folders
from mapspore.check.programs import check_programs
from mapspore.check.report import FORMATS, print_report
from mapspore.cli.options import Parser
from mapspore.cli.progress import Progress
from mapspore.cli.selection import selected
from mapspore.pipeline import load_registry


def add_arguments(parser: Parser) -> None:
    parser.add_argument("paths", metavar="PATH", nargs="*")
    parser.add_argument("--format", choices=FORMATS, default="text")
    parser.add_overlay()


def run(args: argparse.Namespace) -> int:
    root = find_root(args.root)
    paths, overlays = selected(args.paths), overlay_folders(args.overlay)
    with Progress("cli.doing.check", args.lang):
        loaded = load_registry(root, paths, overlays)
        stale = [] if paths or loaded.errors else list(check_programs(root, loaded.registry))
    print_report([*loaded.diagnostics, *stale], loaded.sources, loaded.checked, args.format, args.lang, sys.stdout)
    return 1 if loaded.errors else 0
