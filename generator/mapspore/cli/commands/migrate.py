"""`mapspore migrate PATH…`: rewrite code for the adapter or for MindSpore, all of a data flow or nothing; prints a diff
unless told to write."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from mapspore.base.diagnostics import Refusal
from mapspore.base.language import Language, pick
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
from mapspore.text.phrases import catalogue, fill

LISTED = 20


def add_arguments(parser: Parser) -> None:
    say = parser.say
    parser.add_argument("paths", metavar="PATH", nargs="+", help=say("files and folders", "文件和文件夹"))
    parser.add_argument(
        "--mode", choices=MODES, default="adapter",
        help=say("adapter: imports change to torchspore, code stays (the default); direct: calls of MindSpore itself",
                 "adapter：只把导入改为 torchspore，代码不变（默认）；direct：改为直接调用 MindSpore"),
    )  # fmt: skip
    parser.add_argument(
        "--platform", choices=PLATFORMS, default="Ascend",
        help=say("where it is to run; direct mode writes no call that has no kernel there (default: Ascend)",
                 "运行平台；direct 模式不会写出在该平台上没有算子实现的调用（默认 Ascend）"),
    )  # fmt: skip
    parser.add_argument(
        "--without-kernels", action="store_true",
        help=say("direct mode also writes calls that have no kernel on the platform",
                 "direct 模式也写出在该平台上没有算子实现的调用"),
    )  # fmt: skip
    parser.add_argument(
        "--mix-frameworks", action="store_true",
        help=say("rewrite what can be, even if values then pass between torch and MindSpore, which seldom runs",
                 "即使张量会在 torch 与 MindSpore 之间混用（通常无法运行），也改写能改写的部分"),
    )  # fmt: skip
    parser.add_argument(
        "--format", choices=("text", "json"), default="text",
        help=say("json: print which files and programs can run afterwards, and what holds the others back, not a diff",
                 "json：不输出差异，而输出改写后哪些文件和程序可以运行，以及其余的原因"),
    )  # fmt: skip
    way = parser.add_mutually_exclusive_group()
    way.add_argument("--write", action="store_true", help=say("change the files", "写入文件"))
    way.add_argument(
        "--check", action="store_true",
        help=say("print no diff; exit 1 if anything would change", "不输出差异；若有改动则以 1 退出"),
    )  # fmt: skip
    parser.add_argument(
        "--force", action="store_true",
        help=say("write also what git could not bring back, and files that lose an owner, an attribute or a hard link",
                 "即使 git 无法恢复，或文件会失去属主、扩展属性或硬链接，也写入"),
    )  # fmt: skip
    parser.add_argument(
        "--verbose", action="store_true", help=say("list every use that was left, and why", "列出所有保留之处及原因")
    )
    add_running(parser)


def run(args: argparse.Namespace) -> int:
    from mapspore.scan.ruleset import load_ruleset

    if STDIN in args.paths:
        raise Refusal(
            "Standard input cannot be migrated.", "Name files or folders; `mapspore scan -` reads standard input.", 2,
            zh=("不能迁移标准输入。", "请给出文件或文件夹；`mapspore scan -` 可以读取标准输入。"),
        )  # fmt: skip
    chosen = settings(args)
    root, overlays = find_root(args.root), overlay_folders(chosen.overlay)
    files, problems = find(args.paths, chosen.exclude)
    wanted = Wanted(args.mode, args.lang, None if args.without_kernels else args.platform, args.mix_frameworks)
    with Progress(pick(args.lang, "reading", "正在读取")):
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
    said = "because" if total.causes else "kept"
    yield _say(f"{said}_once" if held == 1 else said, language, count=held)
    kinds = catalogue("scan")["migrate"]["kinds"]
    causes = total.causes if verbose else total.causes[:LISTED]
    for cause in causes:
        said = "cause" if cause.places > 1 else "cause_once"
        yield "  " + _say(said, language, name=cause.name, count=cause.places, reason=kinds[cause.reason][language])
    if len(total.causes) > len(causes):
        yield "  " + _say("more", language, count=len(total.causes) - len(causes))
    if verbose:
        for path, one in left:
            place = f"{path}:{one.line}:{one.column}"
            why = reason_text(one.reason, one.values, language)
            yield _say("left", language, place=place, torch=one.torch, reason=why)


def _say(key: str, language: Language, **values: object) -> str:
    text = catalogue("scan")["migrate"][key][language]
    return fill(text, {name: str(value) for name, value in values.items()}, language, "scan")
