"""`mapspore scan PATH…`: what of torch a code base uses, what will change, and how much work it is."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from mapspore.base.output import write_output
from mapspore.base.paths import find_root, overlay_folders
from mapspore.cli.options import Parser
from mapspore.cli.progress import Progress
from mapspore.scan.settings import FORMATS, settings


def add_arguments(parser: Parser) -> None:
    parser.add_argument("paths", metavar="PATH", nargs="+")
    parser.add_argument("--format", choices=FORMATS)
    parser.add_argument("--output", metavar="FILE", type=Path)
    parser.add_argument("--all", action="store_true")
    add_selection(parser)
    parser.add_argument("--baseline", metavar="FILE")
    parser.add_argument("--site", metavar="URL")
    add_running(parser)


def add_selection(parser: Parser) -> None:
    parser.add_argument("--select", metavar="CODES")
    parser.add_argument("--ignore", metavar="CODES")


def add_running(parser: Parser) -> None:
    parser.add_argument("--exclude", metavar="GLOB", action="append")
    parser.add_argument("--jobs", metavar="N", type=int, default=0)
    parser.add_argument("--no-cache", action="store_true")
    parser.add_overlay()


def run(args: argparse.Namespace) -> int:
    from mapspore.scan.files import find, read_all
    from mapspore.scan.findings import Filter, read_baseline, report
    from mapspore.scan.report_formats import printed
    from mapspore.scan.ruleset import load_ruleset
    from mapspore.scan.run import scan

    chosen = settings(args)
    wanted = Filter(chosen.select, chosen.ignore, read_baseline(chosen.baseline) if chosen.baseline else {})
    every = args.all or chosen.format == "json"
    files, problems = find(args.paths, chosen.exclude)
    with Progress("cli.doing.scan", args.lang):
        rules = load_ruleset(find_root(args.root), overlay_folders(chosen.overlay))
        scanned = scan(files, read_all(files), rules, args.jobs, not args.no_cache)
        found = report(scanned.results, problems, rules, wanted, scanned.files, scanned.lines, every)
    parts = printed(chosen, found, rules, args)
    if args.output is None:
        sys.stdout.writelines(parts)
        return 1 if found.findings else 0
    write_output(args.output, parts)
    return 1 if found.findings else 0
