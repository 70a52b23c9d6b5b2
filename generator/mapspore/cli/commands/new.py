"""`mapspore new TORCH [MINDSPORE…]`: the first draft of an entry."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from pathlib import Path

from mapspore.answer.index import full_names
from mapspore.author.draft import MARK, counterparts, skeleton
from mapspore.base.artifact import Artifact
from mapspore.base.diagnostics import Refusal
from mapspore.base.paths import writable_root
from mapspore.check.rules.base import nearest
from mapspore.check.rules.names import entry_path
from mapspore.check.rules.signatures import CALLABLE
from mapspore.cli.options import Parser
from mapspore.facts.naming import unlisted
from mapspore.facts.snapshot import Facts
from mapspore.pipeline import load_facts
from mapspore.text.phrases import say
from mapspore.write.write import compare, write


def add_arguments(parser: Parser) -> None:
    parser.add_argument("torch", metavar="TORCH")
    parser.add_argument("mindspore", metavar="MINDSPORE", nargs="*")
    parser.add_argument("--print", action="store_true")


def run(args: argparse.Namespace) -> int:
    root = writable_root(args.root)
    torch, mindspore = load_facts(root)
    api = torch.get(_meant(args.torch, full_names(args.torch), torch, "torch"))
    assert api is not None
    if api.kind in CALLABLE and not api.forms:
        raise Refusal("C207", name=api.name)
    given = [_meant(name, [name, f"mindspore.{name}"], mindspore, "MindSpore") for name in args.mindspore]
    text = skeleton(api, given or counterparts(api, mindspore), torch, mindspore)
    if args.print:
        sys.stdout.write(text)
        return 0
    path = entry_path(api.name)
    home = entry_path(torch.resolve(api.name) or api.name)
    if not (root / path).exists() and (root / home).exists():
        path = home
    if (root / path).exists():
        raise Refusal("C208", path=path)
    write(compare([Artifact(path, text)], root, ()))
    count = text.count(MARK)
    command = _check_command(args.root, os.path.relpath(root / path))
    print(say("cli.new.written", args.lang, path=path, count=count, command=command))
    return 0


def _check_command(root: Path | None, path: str) -> str:
    """How to check the entry from where the person is."""
    return shlex.join(["mapspore", "check", *(("--root", str(root)) if root is not None else ()), path])


def _meant(given: str, spellings: list[str], facts: Facts, framework: str) -> str:
    """The API that a name stands for, as `show` understands it; a last part that only one API has will do."""
    known = [name for name in spellings if name in facts]
    known = known or [home for name in spellings if (home := facts.resolve(name)) is not None]
    ending = sorted((n for n in facts.names if n.endswith(f".{given}")), key=lambda name: (name.count("."), name))
    if known or len(ending) == 1:
        return (known or ending)[0]
    raise _unknown(framework, facts, given, ending[:3])


def _unknown(framework: str, facts: Facts, name: str, ending: list[str]) -> Refusal:
    if refusal := unlisted(name, facts.modules):
        return refusal
    near = ", ".join(ending or nearest(name, facts.names))
    hint = "near" if near else ""
    return Refusal("C206", hint=hint, framework=framework, version=facts.version, name=name, near=near)
