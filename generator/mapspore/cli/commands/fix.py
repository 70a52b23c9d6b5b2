"""`mapspore fix [PATH…]`: entries in canonical form, with their comments, all of them or none."""

from __future__ import annotations

import argparse
import sys

from mapspore.base.artifact import Artifact
from mapspore.base.diagnostics import Diagnostic
from mapspore.base.language import Language
from mapspore.base.paths import writable_root
from mapspore.base.terminal import visible
from mapspore.check.report import Ink, as_text
from mapspore.cli.options import Parser
from mapspore.cli.progress import Progress
from mapspore.cli.selection import selected
from mapspore.entry.load import find, shown
from mapspore.entry.repair import Repair, repair
from mapspore.text.phrases import say
from mapspore.write.write import Plan, write


def add_arguments(parser: Parser) -> None:
    parser.add_argument("paths", metavar="PATH", nargs="*")
    parser.add_argument("--check", action="store_true")


def run(args: argparse.Namespace) -> int:
    root = writable_root(args.root)
    files, _ = find(root / "mappings", selected(args.paths))
    with Progress("cli.doing.fix", args.lang):
        repairs = [(file, repair(file, shown(file, root))) for file in files]
    changed = [(file, fixed) for file, fixed in repairs if fixed.text is not None]
    if not args.check:
        artifacts = tuple(Artifact(str(file), fixed.text or "") for file, fixed in changed)
        write(Plan(root, artifacts, (), len(files) - len(artifacts)))
    for _, fixed in changed:
        print(say(f"cli.fix.{'would' if args.check else 'done'}", args.lang, path=visible(fixed.source.path)))
    left = [problem for _, fixed in repairs for problem in fixed.left]
    sources = [fixed.source for _, fixed in repairs]
    for line in as_text(left, sources, args.lang, Ink.for_stream(sys.stdout)):
        print(line)
    print(summary([fixed for _, fixed in repairs], left, args.check, args.lang))
    return 1 if left or (args.check and changed) else 0


def summary(repairs: list[Repair], left: list[Diagnostic], only_check: bool, language: Language) -> str:
    """The closing line: what was done, what is left, what to run next."""
    changed = sum(1 for fixed in repairs if fixed.text is not None)
    done = say(f"cli.fix.all_{'would' if only_check else 'done'}", language, count=changed, files=len(repairs))
    if left:
        done = say("cli.fix.left", language, done=done, left=len(left))
    following = "fix" if only_check and changed else f"explain {left[0].code}" if left else "check"
    return say("cli.frame.next", language, done=done, command=following)
