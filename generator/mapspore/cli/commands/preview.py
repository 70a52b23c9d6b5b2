"""`mapspore preview [NAME…]`: the page of the entry that is being edited, in both languages, following every save."""

from __future__ import annotations

import argparse
import errno
import importlib.util

from mapspore.base.diagnostics import WRONG_USAGE, Refusal
from mapspore.base.paths import engine_home, find_root
from mapspore.cli.options import Parser
from mapspore.text.phrases import say
from mapspore.view.spellings import spellings

LAST_PORT = 65535


def add_arguments(parser: Parser) -> None:
    parser.add_argument("names", metavar="NAME", nargs="*")
    parser.add_argument("--port", metavar="N", type=int, default=8001)


def run(args: argparse.Namespace) -> int:
    if not 0 <= args.port <= LAST_PORT:
        raise Refusal("C505", "number", exit_code=WRONG_USAGE, port=args.port, last=LAST_PORT)
    root = find_root(args.root)
    home = root if (root / "mkdocs.yml").is_file() else engine_home()
    if importlib.util.find_spec("mkdocs") is None or not (home / "mkdocs.yml").is_file():
        raise Refusal("C506")
    from mapspore.pages.preview.server import Preview, serve, server

    preview = Preview(root, home, [])
    preview.names = [_named(name, preview.live.names()) for name in args.names]
    preview.latest = next(iter(preview.names), preview.latest)
    try:
        listening = server(preview, args.port)
    except OSError as problem:
        if problem.errno not in (errno.EADDRINUSE, errno.EACCES):
            raise
        raise Refusal("C505", "taken", port=args.port) from None
    address = f"http://127.0.0.1:{listening.server_port}/"
    print(say("cli.preview.at", args.lang, address=address), flush=True)
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
    raise Refusal("C203", hint="new", given=wanted)
