"""`mapspore preview [NAME…]`: the page of the entry that is being edited, in both languages, following every save."""

from __future__ import annotations

import argparse
import errno
import importlib.util

from mapspore.base.diagnostics import Refusal
from mapspore.base.language import pick
from mapspore.base.paths import engine_home, find_root
from mapspore.cli.options import Parser
from mapspore.view.spellings import spellings


def add_arguments(parser: Parser) -> None:
    parser.add_argument(
        "names", metavar="NAME", nargs="*",
        help=parser.say("the entries to follow, by full or short name; all by default",
                        "要跟踪的条目，全名或短名均可；默认为全部"),
    )  # fmt: skip
    parser.add_argument(
        "--port", metavar="N", type=int, default=8001,
        help=parser.say("where to listen on this machine; 8001 by default, 0 for any that is free",
                        "本机监听端口，默认为 8001；0 表示任选空闲端口"),
    )  # fmt: skip


def run(args: argparse.Namespace) -> int:
    root = find_root(args.root)
    home = root if (root / "mkdocs.yml").is_file() else engine_home()
    if importlib.util.find_spec("mkdocs") is None or not (home / "mkdocs.yml").is_file():
        raise Refusal(
            "The preview needs mkdocs and a checkout with the site's theme.",
            "Run it inside a checkout after `make`.",
            zh=("预览需要 mkdocs 和含有站点主题的检出目录。", "请先在检出目录中运行 `make`。"),
        )
    from mapspore.pages.preview.server import Preview, serve, server

    preview = Preview(root, home, [])
    preview.names = [_named(name, preview.live.names()) for name in args.names]
    preview.latest = next(iter(preview.names), preview.latest)
    try:
        listening = server(preview, args.port)
    except OSError as problem:
        if problem.errno not in (errno.EADDRINUSE, errno.EACCES):
            raise
        raise Refusal(
            f"Port {args.port} cannot be used.", "Give another one with --port, or 0 for any that is free.",
            zh=(f"端口 {args.port} 无法使用。", "请用 --port 指定其他端口，0 表示任选空闲端口。"),
        ) from None  # fmt: skip
    address = f"http://127.0.0.1:{listening.server_port}/"
    said = pick(
        args.lang, f"The preview is at {address} until you press Ctrl-C.", f"预览地址：{address}，按 Ctrl-C 结束。"
    )
    print(said, flush=True)
    try:
        serve(preview, listening)
    except KeyboardInterrupt:
        print()
    return 0


def _named(wanted: str, known: list[str]) -> str:
    """The entry that a name means; files say which there are, so a faulty one is found too."""
    found = [(rank, name) for name in known for key, rank in spellings(name, ()) if key.lower() == wanted.lower()]
    if found:
        return min(found)[1]
    raise Refusal(
        f"There is no entry for `{wanted}`.", f"`mapspore list` shows all; `mapspore new {wanted}` starts one.",
        zh=(f"没有 `{wanted}` 的条目。", f"`mapspore list` 列出全部条目；`mapspore new {wanted}` 可新建。"),
    )  # fmt: skip
