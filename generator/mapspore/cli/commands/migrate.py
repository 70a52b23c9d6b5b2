"""`mapspore migrate PATH…`: rewrite code for the adapter or for MindSpore; prints a diff unless told to write."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator

from mapspore.base.diagnostics import Refusal
from mapspore.base.language import Language, pick
from mapspore.base.paths import find_root, overlay_folders
from mapspore.cli.commands.scan import add_running
from mapspore.cli.options import Parser
from mapspore.cli.progress import Progress
from mapspore.migrate.plan import Left
from mapspore.migrate.run import MODES, Migrated, migrate
from mapspore.migrate.write import difference, refuse_dirty, replace_file
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
    way = parser.add_mutually_exclusive_group()
    way.add_argument("--write", action="store_true", help=say("change the files", "写入文件"))
    way.add_argument(
        "--check", action="store_true",
        help=say("print no diff; exit 1 if anything would change", "不输出差异；若有改动则以 1 退出"),
    )  # fmt: skip
    parser.add_argument(
        "--allow-dirty", action="store_true",
        help=say("write although git has changes that are not committed", "即使 git 有未提交的改动也写入"),
    )  # fmt: skip
    parser.add_argument(
        "--verbose", action="store_true", help=say("list every use that was left, and why", "列出所有保留之处及原因")
    )
    add_running(parser)


def run(args: argparse.Namespace) -> int:
    from mapspore.scan.files import STDIN, find
    from mapspore.scan.ruleset import load_ruleset

    if STDIN in args.paths:
        raise Refusal(
            "Standard input cannot be migrated.", "Name files or folders; `mapspore scan -` reads standard input.", 2,
            zh=("不能迁移标准输入。", "请给出文件或文件夹；`mapspore scan -` 可以读取标准输入。"),
        )  # fmt: skip
    chosen = settings(args)
    root, overlays = find_root(args.root), overlay_folders(chosen.overlay)
    files, _ = find(args.paths, chosen.exclude)
    with Progress(pick(args.lang, "reading", "正在读取")):
        rules = load_ruleset(root, overlays)
        done = list(migrate(files, rules, args.mode, root, overlays, args.lang, args.jobs, not args.no_cache))
    changed = [each for each in done if each.changed]
    if args.write and changed:
        if not args.allow_dirty:
            refuse_dirty(each.file.path for each in changed)
        for each in changed:
            replace_file(each.file.path, each.content())
    elif not args.check:
        for each in changed:
            sys.stdout.writelines(difference(each.file.shown, each.old, each.new))
    sys.stdout.flush()
    for line in account(done, len(files), args.write, args.verbose, args.lang):
        print(line, file=sys.stderr)
    return 1 if args.check and changed else 0


def account(done: list[Migrated], files: int, wrote: bool, verbose: bool, language: Language) -> Iterator[str]:
    """What was done, what was left, and why."""
    changed = [each for each in done if each.changed]
    for each in changed:
        said = "commented" if each.comments else "changed"
        yield _say(said, language, path=each.file.shown, count=each.changes, comments=each.comments)
    total = sum(each.changes for each in changed)
    yield _say("wrote" if wrote else "files", language, changed=len(changed), files=files, count=total)
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
    text = catalogue("scan")["migrate"][key][language]
    return fill(text, {name: str(value) for name, value in values.items()}, language, "scan")
