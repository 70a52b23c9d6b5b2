"""`mapspore generate`: write everything that is generated from the registry, or compare it."""

from __future__ import annotations

import argparse
import sys

from mapspore.base.language import Language, pick
from mapspore.base.paths import overlay_folders, writable_root
from mapspore.cli.clean_registry import checked
from mapspore.cli.options import Parser
from mapspore.write.generated import OWNED, artifacts
from mapspore.write.write import Plan, compare, difference, registry_lock, write


def add_arguments(parser: Parser) -> None:
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument(
        "--check",
        action="store_true",
        help=parser.say("write nothing; exit 1 if anything is out of date", "不写入；若有产物过期则以 1 退出"),
    )
    mode.add_argument(
        "--diff",
        action="store_true",
        help=parser.say("write nothing; print what would change", "不写入；显示将要发生的改动"),
    )
    parser.add_overlay()


def run(args: argparse.Namespace) -> int:
    root = writable_root(args.root)
    with registry_lock(root):
        loaded = checked(root, args.lang, overlay_folders(args.overlay))
        if loaded is None:
            return 1
        plan = compare(artifacts(loaded.registry, root), root, OWNED)
        if args.diff:
            sys.stdout.writelines(difference(plan))
            return 0 if plan.empty else 1
        if args.check:
            return _compared(plan, args.lang)
        write(plan)
    written, removed, kept = len(plan.changed), len(plan.stale), plan.unchanged
    print(
        pick(
            args.lang,
            f"{written} written, {removed} removed, {kept} unchanged.",
            f"写入 {written} 个文件，删除 {removed} 个，{kept} 个未变。",
        )
    )
    return 0


def _compared(plan: Plan, language: Language) -> int:
    for artifact in plan.changed:
        print(pick(language, f"{artifact.path}: out of date", f"{artifact.path}：已过期"))
    for path in plan.stale:
        print(pick(language, f"{path}: no entry makes it any more", f"{path}：已没有对应的条目"))
    if plan.empty:
        count = plan.unchanged
        print(pick(language, f"{count} generated files are up to date.", f"{count} 个生成的文件均为最新。"))
        return 0
    print(
        pick(
            language,
            "Run `mapspore generate` and commit the result; `mapspore generate --diff` shows what changes.",
            "请运行 `mapspore generate` 并提交结果；`mapspore generate --diff` 可查看改动。",
        )
    )
    return 1
