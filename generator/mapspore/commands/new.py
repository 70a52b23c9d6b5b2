"""`mapspore new TORCH [MINDSPORE…]`: the first draft of an entry."""

from __future__ import annotations

import argparse
import sys

from mapspore.diagnostics import Refusal
from mapspore.pipeline import load_facts
from mapspore.places import find_root
from mapspore.render import Artifact
from mapspore.rules.base import listed, nearest
from mapspore.rules.names import entry_path, well_formed
from mapspore.skeleton import MARK, counterparts, skeleton
from mapspore.write import compare, write


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("torch", metavar="TORCH", help="the API's full name in torch")
    parser.add_argument("mindspore", metavar="MINDSPORE", nargs="*", help="its counterparts; guessed if left out")
    parser.add_argument("--print", action="store_true", help="print the draft instead of writing it")


def run(args: argparse.Namespace) -> int:
    root = find_root(args.root)
    torch, mindspore = load_facts(root)
    api = torch.get(args.torch)
    if api is None or not well_formed(args.torch):
        near = nearest(args.torch, torch.names)
        hint = f"Did you mean {listed(near)}?" if near else "Names are checked against `facts/`."
        raise Refusal(f"torch {torch.version} has no `{args.torch}`.", hint)
    for name in args.mindspore:
        if name not in mindspore:
            near = nearest(name, mindspore.names)
            hint = f"Did you mean {listed(near)}?" if near else "Names are checked against `facts/`."
            raise Refusal(f"MindSpore {mindspore.version} has no `{name}`.", hint)
    text = skeleton(api, args.mindspore or counterparts(api.name, mindspore), torch, mindspore)
    if args.print:
        sys.stdout.write(text)
        return 0
    path = entry_path(api.name)
    if (root / path).exists():
        raise Refusal(f"`{path}` exists already.", "Edit it, or print a draft with `--print`.")
    write(compare([Artifact(path, text)], root, ()))
    print(f"{path}: {text.count(MARK)} lines wait for your judgement; then run `mapspore check {path}`.")
    return 0
