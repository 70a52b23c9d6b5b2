"""`mapspore check [PATH…]`: every problem of the registry in one run."""

from __future__ import annotations

import argparse
import sys

from mapspore.base.language import pick
from mapspore.base.paths import find_root, overlay_folders
from mapspore.check.report import FORMATS, print_report
from mapspore.cli.options import Parser
from mapspore.cli.progress import Progress
from mapspore.cli.selection import selected
from mapspore.pipeline import load_registry


def add_arguments(parser: Parser) -> None:
    parser.add_argument(
        "paths", metavar="PATH", nargs="*",
        help=parser.say("report on these entries and folders only", "只报告这些条目或文件夹中的问题"),
    )  # fmt: skip
    parser.add_argument(
        "--format", choices=FORMATS, default="text",
        help=parser.say("text for people (the default), json, github annotations, or sarif 2.1.0",
                        "输出格式：text（默认）、json、github 注解或 sarif 2.1.0"),
    )  # fmt: skip
    parser.add_overlay()


def run(args: argparse.Namespace) -> int:
    root = find_root(args.root)
    paths, overlays = selected(args.paths), overlay_folders(args.overlay)
    with Progress(pick(args.lang, "checking the registry", "正在检查登记库")):
        loaded = load_registry(root, paths, overlays)
    print_report(loaded.diagnostics, loaded.sources, loaded.checked, args.format, args.lang, sys.stdout)
    return 1 if loaded.errors else 0
