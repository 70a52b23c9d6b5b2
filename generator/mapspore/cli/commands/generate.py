"""`mapspore generate`: write everything that is generated from the registry, or compare it."""

from __future__ import annotations

import argparse
import sys

from mapspore.base.language import Language
from mapspore.base.paths import overlay_folders, writable_root
from mapspore.cli.clean_registry import checked
from mapspore.cli.options import Parser
from mapspore.text.phrases import say
from mapspore.write.generated import OWNED, artifacts
from mapspore.write.write import Plan, compare, difference, registry_lock, write


def add_arguments(parser: Parser) -> None:
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--check", action="store_true")
    mode.add_argument("--diff", action="store_true")
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
    counts = {"written": len(plan.changed), "removed": len(plan.stale), "unchanged": plan.unchanged}
    print(say("cli.generate.written", args.lang, **counts))
    return 0


def _compared(plan: Plan, language: Language) -> int:
    for artifact in plan.changed:
        print(say("cli.generate.old", language, path=artifact.path))
    for path in plan.stale:
        print(say("cli.generate.orphan", language, path=path))
    if plan.empty:
        print(say("cli.generate.current", language, count=plan.unchanged))
        return 0
    print(say("cli.generate.run", language))
    return 1
