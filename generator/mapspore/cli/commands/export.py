"""`mapspore export json|csv|pages`: the whole registry for other tools."""

from __future__ import annotations

import argparse
import csv
import io
import json
import sys
from pathlib import Path

from mapspore.base.output import write_output
from mapspore.base.paths import find_root
from mapspore.cli.clean_registry import checked
from mapspore.cli.options import Parser
from mapspore.pages.official import official_pages
from mapspore.text.phrases import say
from mapspore.view.entry_view import RegistryView, as_data
from mapspore.view.prepare import registry_view
from mapspore.write.write import compare, write

_COLUMNS = ("torch", "mindspore", "target", "verdict", "kinds", "platforms", "deprecated_since", "successor", "entry")


def add_arguments(parser: Parser) -> None:
    parser.add_argument("form", choices=("json", "csv", "pages"))
    parser.add_argument("--output", "-o", type=Path, metavar="PATH")


def run(args: argparse.Namespace) -> int:
    root = find_root(args.root)
    loaded = checked(root, args.lang)
    if loaded is None:
        return 1
    view = registry_view(loaded.registry)
    if args.form == "pages":
        folder = args.output or Path("build/pages")
        made = official_pages(view)
        write(compare(made, folder, ()))
        count = len(made) // 2
        print(say("cli.export.pages", args.lang, count=count, folder=folder), file=sys.stderr)
        return 0
    text = json_text(view) if args.form == "json" else csv_text(view)
    if args.output is None:
        sys.stdout.write(text)
    else:
        write_output(args.output, [text])
    return 0


def json_text(registry: RegistryView) -> str:
    return json.dumps(as_data(registry), ensure_ascii=False, indent=1) + "\n"


def csv_text(registry: RegistryView) -> str:
    """A row per entry and target; an entry without a counterpart has one row."""
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(_COLUMNS)
    for entry in registry.entries:
        if not entry.targets:
            table.writerow((entry.torch, "", "", entry.verdict, "", "", "", "", entry.entry))
        for target in entry.targets:
            row = [entry.torch, target.mindspore, target.id, target.verdict, " ".join(target.kinds)]
            end = (target.deprecated.since, target.deprecated.successor) if target.deprecated else ()
            row += [" ".join(target.platforms), *((part or "") for part in end or ("", ""))]
            table.writerow([*row, entry.entry])
    return out.getvalue()
