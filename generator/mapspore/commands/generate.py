"""`mapspore generate`: write everything that is generated from the registry, or compare it."""

from __future__ import annotations

import argparse
import sys

from mapspore.artifacts import OWNED, artifacts
from mapspore.commands.outcome import checked
from mapspore.places import find_root
from mapspore.write import Plan, alone, compare, difference, write


def add_arguments(parser: argparse.ArgumentParser) -> None:
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--check", action="store_true", help="write nothing; exit 1 if anything is out of date")
    mode.add_argument("--diff", action="store_true", help="write nothing; print what would change")


def run(args: argparse.Namespace) -> int:
    root = find_root(args.root)
    with alone(root):
        loaded = checked(root, args.lang)
        if loaded is None:
            return 1
        plan = compare(artifacts(loaded.registry, root), root, OWNED)
        if args.diff:
            sys.stdout.writelines(difference(plan))
            return 0 if plan.empty else 1
        if args.check:
            return _compared(plan)
        write(plan)
    print(f"{len(plan.changed)} written, {len(plan.stale)} removed, {plan.unchanged} unchanged.")
    return 0


def _compared(plan: Plan) -> int:
    for artifact in plan.changed:
        print(f"{artifact.path}: out of date")
    for path in plan.stale:
        print(f"{path}: no entry makes it any more")
    if plan.empty:
        print(f"{plan.unchanged} generated files are up to date.")
        return 0
    print("Run `mapspore generate` and commit the result; `mapspore generate --diff` shows what changes.")
    return 1
