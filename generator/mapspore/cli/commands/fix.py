"""`mapspore fix [PATH…]`: entries in canonical form, with their comments, all of them or none."""

from __future__ import annotations

import argparse
import sys

from mapspore.base.artifact import Artifact
from mapspore.base.diagnostics import Diagnostic
from mapspore.base.language import Language, pick
from mapspore.base.paths import writable_root
from mapspore.base.terminal import visible
from mapspore.check.report import Ink, as_text
from mapspore.cli.options import Parser
from mapspore.cli.progress import Progress
from mapspore.cli.selection import selected
from mapspore.entry.load import find, shown
from mapspore.entry.repair import Repair, repair
from mapspore.write.write import Plan, write


def add_arguments(parser: Parser) -> None:
    parser.add_argument(
        "paths", metavar="PATH", nargs="*",
        help=parser.say("fix these entries and folders only", "只处理这些条目或文件夹"),
    )  # fmt: skip
    parser.add_argument(
        "--check", action="store_true",
        help=parser.say("write nothing; exit 1 if there is something to fix",
                        "只检查不写入；有文件需要修复时退出码为 1"),
    )  # fmt: skip


def run(args: argparse.Namespace) -> int:
    root = writable_root(args.root)
    files, _ = find(root / "mappings", selected(args.paths))
    with Progress(pick(args.lang, "bringing entries into form", "正在整理条目")):
        repairs = [(file, repair(file, shown(file, root))) for file in files]
    changed = [(file, fixed) for file, fixed in repairs if fixed.text is not None]
    if not args.check:
        artifacts = tuple(Artifact(str(file), fixed.text or "") for file, fixed in changed)
        write(Plan(root, artifacts, (), len(files) - len(artifacts)))
    verb = pick(args.lang, "would fix", "需要修复") if args.check else pick(args.lang, "fixed", "已修复")
    for _, fixed in changed:
        print(f"{verb} {visible(fixed.source.path)}")
    left = [problem for _, fixed in repairs for problem in fixed.left]
    sources = [fixed.source for _, fixed in repairs]
    for line in as_text(left, sources, args.lang, Ink.for_stream(sys.stdout)):
        print(line)
    print(summary([fixed for _, fixed in repairs], left, args.check, args.lang))
    return 1 if left or (args.check and changed) else 0


def summary(repairs: list[Repair], left: list[Diagnostic], only_check: bool, language: Language) -> str:
    """The closing line: what was done, what is left, what to run next."""
    changed = sum(1 for fixed in repairs if fixed.text is not None)
    en = f"{changed} of {len(repairs)} files {'to fix' if only_check else 'fixed'}"
    zh = f"{len(repairs)} 个文件中" + (f"有 {changed} 个需要修复" if only_check else f"修复了 {changed} 个")
    if left:
        en += f", {len(left)} problem{'s' if len(left) > 1 else ''} left for you"
        zh += f"，另有 {len(left)} 个问题需要手动处理"
    following = "fix" if only_check and changed else f"explain {left[0].code}" if left else "check"
    return pick(language, f"{en}. Next: `mapspore {following}`.", f"{zh}。下一步：`mapspore {following}`。")
