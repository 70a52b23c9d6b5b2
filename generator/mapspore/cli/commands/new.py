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
from mapspore.base.language import pick
from mapspore.base.paths import writable_root
from mapspore.check.rules.base import listed, nearest
from mapspore.check.rules.names import entry_path
from mapspore.check.rules.signatures import CALLABLE
from mapspore.cli.options import Parser
from mapspore.facts.naming import unlisted
from mapspore.facts.snapshot import Facts
from mapspore.pipeline import load_facts
from mapspore.write.write import compare, write


def add_arguments(parser: Parser) -> None:
    parser.add_argument(
        "torch",
        metavar="TORCH",
        help=parser.say("the API's name in torch, short or long", "API 在 torch 中的名称，长短均可"),
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
    api = torch.get(_meant(args.torch, full_names(args.torch), torch, "torch"))
    assert api is not None
    if api.kind in CALLABLE and not api.forms:
        raise Refusal(
            f"The facts know no signature of `{api.name}`, so nothing can be derived.",
            "Choose another API, or improve the extractor; `mapspore explain M401` tells more.",
            zh=(
                f"事实快照中没有 `{api.name}` 的签名，无法推导。",
                "请换一个 API，或改进提取器；详见 `mapspore explain M401`。",
            ),
        )
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
        raise Refusal(
            f"`{path}` exists already.",
            "Edit it, or print a draft with `--print`.",
            zh=(f"`{path}` 已存在。", "请直接编辑，或用 `--print` 打印草稿。"),
        )
    write(compare([Artifact(path, text)], root, ()))
    count = text.count(MARK)
    command = _check_command(args.root, os.path.relpath(root / path))
    print(
        pick(
            args.lang,
            f"{path}: {count} lines wait for your judgement; then run `{command}`.",
            f"{path}：有 {count} 行需要你来判断；完成后请运行 `{command}`。",
        )
    )
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
    if told := unlisted(name, facts.modules):
        return Refusal(*told[0], zh=told[1])
    near = ending or nearest(name, facts.names)
    hint = f"Did you mean {listed(near)}?" if near else "Names are checked against `facts/`."
    tip = f"是否想写 {listed(near).replace(', ', '、')}？" if near else "名称以 `facts/` 为准。"
    sentence = f"{framework} {facts.version} has no `{name}`."
    return Refusal(sentence, hint, zh=(f"{framework} {facts.version} 中没有 `{name}`。", tip))
