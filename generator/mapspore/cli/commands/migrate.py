"""`mapspore migrate PATH…`: rewrite code for the adapter or for MindSpore; prints a diff unless told to write."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator

from mapspore.base.diagnostics import WRONG_USAGE, Refusal
from mapspore.base.language import Language
from mapspore.base.paths import find_root, overlay_folders
from mapspore.base.terminal import visible
from mapspore.cli.commands.scan import add_running
from mapspore.cli.options import Parser
from mapspore.cli.progress import Progress
from mapspore.migrate.plan import Left
from mapspore.migrate.run import MODES, Migrated, migrate
from mapspore.migrate.write import Outcome, difference, refuse_unsafe, sweep_beside, write_all
from mapspore.scan.files import STDIN, File, find
from mapspore.scan.findings import finding_of
from mapspore.scan.settings import settings
from mapspore.text.phrases import catalogue, fill, say

LISTED = 20


def add_arguments(parser: Parser) -> None:
    parser.add_argument("paths", metavar="PATH", nargs="+")
    parser.add_argument("--mode", choices=MODES, default="adapter")
    way = parser.add_mutually_exclusive_group()
    way.add_argument("--write", action="store_true")
    way.add_argument("--check", action="store_true")
    parser.add_argument("--force", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    add_running(parser)


def run(args: argparse.Namespace) -> int:
    from mapspore.scan.ruleset import load_ruleset

    if STDIN in args.paths:
        raise Refusal("C406", exit_code=WRONG_USAGE)
    chosen = settings(args)
    root, overlays = find_root(args.root), overlay_folders(chosen.overlay)
    files, problems = find(args.paths, chosen.exclude)
    with Progress("cli.doing.migrate", args.lang):
        rules = load_ruleset(root, overlays)
        made = migrate(files, rules, args.mode, root, overlays, args.lang, args.paths, args.jobs, not args.no_cache)
        done = list(made)
    for problem in problems:
        _tell(f"{problem.shown}: {problem.code} {finding_of(problem).says[args.lang]}")
    changed = [each for each in done if each.changed]
    if args.write:
        outcomes = _written(changed, files, args)
        written = [each.file for each in outcomes if each.written]
    else:
        outcomes, written = [], changed
        if not args.check:
            terminal = sys.stdout.isatty()
            for each in changed:
                lines = difference(each.file.shown, each.old, each.new)
                sys.stdout.writelines(f"{visible(line[:-1])}\n" for line in lines) if terminal else (
                    sys.stdout.writelines(lines)
                )
            sys.stdout.flush()
    for line in account(written, len(files), args.write, args.lang):
        _tell(line)
    for line in left_over(done, outcomes, args.verbose, args.lang):
        _tell(line)
    failed = problems or any(not each.written for each in outcomes)
    return 1 if failed or (args.check and changed) else 0


def _tell(line: str) -> None:
    """A line for people, in which names from outside move no cursor."""
    print(visible(line), file=sys.stderr)


def _written(changed: list[Migrated], files: list[File], args: argparse.Namespace) -> list[Outcome]:
    """Write the files; whatever ends that early, it is told which are done."""
    if changed and not args.force:
        refuse_unsafe(changed)
    sweep_beside(file.path for file in files)
    outcomes: list[Outcome] = []
    try:
        write_all(changed, args.force, outcomes)
    except KeyboardInterrupt:
        written = [each.file for each in outcomes if each.written]
        for line in account(written, len(files), True, args.lang):
            _tell(line)
        _tell(_say("resume", args.lang, count=len(changed) - len(outcomes)))
        raise
    return outcomes


def account(changed: list[Migrated], files: int, wrote: bool, language: Language) -> Iterator[str]:
    """Which files have changed, or would."""
    for each in changed:
        said = "commented" if each.comments else "changed"
        yield _say(said, language, path=each.file.shown, count=each.changes, comments=each.comments)
    total = sum(each.changes for each in changed)
    yield _say("wrote" if wrote else "files", language, changed=len(changed), files=files, count=total)


def left_over(done: list[Migrated], outcomes: list[Outcome], verbose: bool, language: Language) -> Iterator[str]:
    """Which files could not be written as they should, which uses were left, and why."""
    obstacles = catalogue("scan")["migrate"]["obstacles"]
    for outcome in outcomes:
        for reason in outcome.obstacles:
            said = "lost" if outcome.written else "unwritten"
            yield _say(said, language, path=outcome.file.file.shown, reason=obstacles[reason][language])
    left = [(each.file.shown, one) for each in done for one in sorted(each.left)]
    if not left:
        return
    yield _say("kept", language, count=len(left))
    yield from (f"  {line}" for line in _reasons(left, language))
    shown = [(path, one) for path, one in left if verbose or one.reason != "no_entry"]
    listed = shown if verbose else shown[:LISTED]
    for path, one in listed:
        place = f"{path}:{one.line}:{one.column}"
        yield _say("left", language, place=place, torch=one.torch, reason=_reason(one, language))
    if len(shown) > len(listed):
        yield _say("more", language, count=len(shown) - len(listed))


def _reasons(left: Iterable[tuple[str, Left]], language: Language) -> list[str]:
    """How many were left for which reason, without its particulars."""
    counted = Counter(one.reason for _, one in left)
    names = catalogue("scan")["migrate"]["kinds"]
    return [
        _say("by_reason", language, count=count, reason=names[reason][language])
        for reason, count in sorted(counted.items(), key=lambda item: (-item[1], item[0]))
    ]


def _reason(one: Left, language: Language) -> str:
    return fill(catalogue("scan")["migrate"]["reasons"][one.reason][language], dict(one.values), language, "scan")


def _say(key: str, language: Language, **values: object) -> str:
    return say(f"scan.migrate.{key}", language, **values)
