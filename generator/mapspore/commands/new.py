"""`mapspore new TORCH [MINDSPORE…]`: the first draft of an entry."""

from __future__ import annotations

import argparse
import sys

from mapspore.arguments import Parser
from mapspore.diagnostics import Refusal
from mapspore.facts.snapshot import Facts
from mapspore.language import pick
from mapspore.pipeline import load_facts
from mapspore.places import writable_root
from mapspore.render import Artifact
from mapspore.rules.base import listed, nearest
from mapspore.rules.names import entry_path, well_formed
from mapspore.skeleton import MARK, counterparts, skeleton
from mapspore.write import compare, write


def add_arguments(parser: Parser) -> None:
    parser.add_argument(
        "torch", metavar="TORCH", help=parser.say("the API's full name in torch", "API 在 torch 中的全名")
    )
    parser.add_argument(
        "mindspore",
        metavar="MINDSPORE",
        nargs="*",
        help=parser.say("its counterparts; guessed if left out", "对应的 MindSpore API，省略时按名称推测"),
    )
    parser.add_argument(
        "--print",
        action="store_true",
        help=parser.say("print the draft instead of writing it", "只打印草稿，不写入文件"),
    )


def run(args: argparse.Namespace) -> int:
    root = writable_root(args.root)
    torch, mindspore = load_facts(root)
    api = torch.get(args.torch)
    if api is None or not well_formed(args.torch):
        raise _unknown("torch", torch, args.torch)
    for name in args.mindspore:
        if name not in mindspore:
            raise _unknown("MindSpore", mindspore, name)
    text = skeleton(api, args.mindspore or counterparts(api.name, mindspore), torch, mindspore)
    if args.print:
        sys.stdout.write(text)
        return 0
    path = entry_path(api.name)
    home = entry_path(torch.resolve(api.name) or api.name)
    if not (root / path).exists() and (root / home).exists():
        path = home
    if (root / path).exists():
        raise Refusal(
            f"`{path}` exists already.",
            "Edit it, or print a draft with `--print`.",
            zh=(f"`{path}` 已存在。", "请直接编辑，或用 `--print` 打印草稿。"),
        )
    write(compare([Artifact(path, text)], root, ()))
    count = text.count(MARK)
    print(
        pick(
            args.lang,
            f"{path}: {count} lines wait for your judgement; then run `mapspore check {path}`.",
            f"{path}：有 {count} 行需要你来判断；完成后请运行 `mapspore check {path}`。",
        )
    )
    return 0


def _unknown(framework: str, facts: Facts, name: str) -> Refusal:
    near = nearest(name, facts.names)
    hint = f"Did you mean {listed(near)}?" if near else "Names are checked against `facts/`."
    tip = f"是否想写 {listed(near).replace(', ', '、')}？" if near else "名称以 `facts/` 为准。"
    sentence = f"{framework} {facts.version} has no `{name}`."
    return Refusal(sentence, hint, zh=(f"{framework} {facts.version} 中没有 `{name}`。", tip))
