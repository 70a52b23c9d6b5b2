"""`mapspore migrate PATH…`: rewrite code for the adapter or for MindSpore, all of a data flow or nothing; prints a diff
unless told to write."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from mapspore.base.diagnostics import WRONG_USAGE, Refusal
from mapspore.base.language import Language
from mapspore.base.paths import find_root, overlay_folders
from mapspore.base.terminal import visible
from mapspore.cli.commands.scan import add_running
from mapspore.cli.options import Parser
from mapspore.cli.progress import Progress
from mapspore.entry.model import PLATFORMS
from mapspore.migrate.account import Account, account, as_json, reason_text
from mapspore.migrate.run import MODES, Migrated, Migration, Wanted, migrate
from mapspore.migrate.write import Outcome, difference, refuse_unsafe, sweep_beside, write_all
from mapspore.scan.files import STDIN, File, find
from mapspore.scan.findings import finding_of
from mapspore.scan.settings import settings
from mapspore.text.phrases import catalogue, say

LISTED = 20


def add_arguments(parser: Parser) -> None:
    parser.add_argument("paths", metavar="PATH", nargs="+")
    parser.add_argument("--mode", choices=MODES, default="adapter")
    parser.add_argument("--platform", choices=PLATFORMS, default="Ascend")
    parser.add_argument("--without-kernels", action="store_true")
    parser.add_argument("--mix-frameworks", action="store_true")
    parser.add_argument("--format", choices=("text", "json"), default="text")
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
    wanted = Wanted(args.mode, args.lang, None if args.without_kernels else args.platform, args.mix_frameworks)
    with Progress("cli.doing.migrate", args.lang):
        rules = load_ruleset(root, overlays, wanted.platform if wanted.mode == "direct" else None)
        migration = migrate(files, rules, wanted, root, overlays, args.paths, args.jobs, not args.no_cache)
    done = migration.files
    for problem in problems:
        _tell(f"{problem.shown}: {problem.code} {finding_of(problem).says[args.lang]}")
    if wanted.mixing:
        _tell(_say("mixing", args.lang))
    changed = [each for each in done if each.changed]
    outcomes: list[Outcome] = []
    if args.write:
        outcomes = _written(changed, files, migration, args)
    written = [each.file for each in outcomes if each.written] if args.write else changed
    total = account(migration, (each.file.file.path for each in outcomes if not each.written))
    if args.format == "json":
        sys.stdout.write(as_json(migration, total, wanted, written))
    elif not (args.check or args.write):
        _show(changed)
    for line in told(written, total, args.write, args.lang):
        _tell(line)
    for line in left_over(done, outcomes, total, args.verbose, args.lang):
        _tell(line)
    failed = problems or any(not each.written for each in outcomes)
    return 1 if failed or (args.check and changed) else 0


def _show(changed: list[Migrated]) -> None:
    """The diffs; on a terminal with a sign for each character that cannot be seen."""
    terminal = sys.stdout.isatty()
    for each in changed:
        lines = difference(each.file.shown, each.old, each.new)
        sys.stdout.writelines((f"{visible(line[:-1])}\n" for line in lines) if terminal else lines)
    sys.stdout.flush()


def _tell(line: str) -> None:
    """A line for people, in which names from outside move no cursor."""
    print(visible(line), file=sys.stderr)


def _written(
    changed: list[Migrated], files: list[File], migration: Migration, args: argparse.Namespace
) -> list[Outcome]:
    """Write the files; whatever ends that early, it is told which are done."""
    if changed and not args.force:
        refuse_unsafe(changed)
    sweep_beside(file.path for file in files)
    outcomes: list[Outcome] = []
    try:
        write_all(changed, args.force, outcomes)
    except KeyboardInterrupt:
        written = [each.file for each in outcomes if each.written]
        missing = {each.file.path for each in changed} - {each.file.path for each in written}
        for line in told(written, account(migration, missing), True, args.lang):
            _tell(line)
        _tell(_say("resume", args.lang, count=len(changed) - len(outcomes)))
        raise
    return outcomes


def told(changed: list[Migrated], total: Account, wrote: bool, language: Language) -> Iterator[str]:
    """Which files have changed, or would, and what can run then."""
    for each in changed:
        said = "commented" if each.comments else "changed"
        yield _say(said, language, path=each.file.shown, count=each.changes, comments=each.comments)
    ready = {"ready": len(total.ready), "files": total.files}
    programs = {"ready_programs": len(total.ready_programs), "programs": total.programs}
    yield _say("wrote" if wrote else "files", language, **ready, **programs)


def left_over(
    done: list[Migrated], outcomes: list[Outcome], total: Account, verbose: bool, language: Language
) -> Iterator[str]:
    """Which files could not be written as they should, what holds flows back, and at which places."""
    obstacles = catalogue("scan")["migrate"]["obstacles"]
    for outcome in outcomes:
        for reason in outcome.obstacles:
            said = "lost" if outcome.written else "unwritten"
            yield _say(said, language, path=outcome.file.file.shown, reason=obstacles[reason][language])
    left = [(each.file.shown, one) for each in done for one in sorted(each.left)]
    if not left:
        return
    held = len({path for path, _ in left})
    yield _say("because" if total.causes else "kept", language, count=held)
    kinds = catalogue("scan")["migrate"]["kinds"]
    causes = total.causes if verbose else total.causes[:LISTED]
    for cause in causes:
        yield "  " + _say("cause", language, name=cause.name, count=cause.places, reason=kinds[cause.reason][language])
    if len(total.causes) > len(causes):
        yield "  " + _say("more", language, count=len(total.causes) - len(causes))
    if verbose:
        for path, one in left:
            place = f"{path}:{one.line}:{one.column}"
            why = reason_text(one.reason, one.values, language)
            yield _say("left", language, place=place, torch=one.torch, reason=why)


def _say(key: str, language: Language, **values: object) -> str:
    return say(f"scan.migrate.{key}", language, **values)
