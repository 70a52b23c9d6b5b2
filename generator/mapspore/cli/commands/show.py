"""`mapspore show NAME`: what an API is in MindSpore and what differs."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mapspore.answer.index import Index
from mapspore.answer.look_up import ask, find
from mapspore.base.paths import find_root, overlay_folders
from mapspore.base.version import ANSWER_FORMAT
from mapspore.cli.options import Parser

if TYPE_CHECKING:
    from mapspore.text.phrases import Language


def add_arguments(parser: Parser) -> None:
    parser.add_argument("name", metavar="NAME")
    parser.add_argument("--format", choices=("text", "json", "md"), default="text")
    parser.add_overlay()


def run(args: argparse.Namespace) -> int:
    root = find_root(args.root)
    overlays = overlay_folders(args.overlay)
    data, labels = ask(root, args.lang, lambda index: _told(index, args.name), overlays)
    if args.format == "json":
        stamped = [{"format": ANSWER_FORMAT, **one} for one in data]
        shown = stamped[0] if len(stamped) == 1 else stamped
        json.dump(shown, sys.stdout, ensure_ascii=False, indent=2)
        print()
    elif args.format == "md":
        print(_pages(root, overlays, [one["torch"] for one in data], args.lang), end="")
    else:
        from mapspore.answer.text import answer_text
        from mapspore.view.entry_view import EntryView, from_data

        width = min(shutil.get_terminal_size((100, 24)).columns, 110)
        views = [from_data(EntryView, one) for one in data]
        print("\n".join(answer_text(view, labels, args.lang, width) for view in views), end="")
    return 0


def _told(index: Index, wanted: str) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    return [index.answer(name) for name in find(index, wanted)], index.labels()


def _pages(root: Path, overlays: Sequence[Path], names: list[str], language: Language) -> str:
    from mapspore.pages.official import render_page
    from mapspore.pipeline import load_registry
    from mapspore.view.prepare import entry_view

    registry = load_registry(root, overlays=overlays).registry
    return "\n".join(render_page(entry_view(registry.by_name[name], registry), language) for name in names)
