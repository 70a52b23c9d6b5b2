"""`mapspore export json|csv|pages`: the whole registry for other tools."""

from __future__ import annotations

import argparse
import csv
import io
import json
import sys
from pathlib import Path

from mapspore.base.language import pick
from mapspore.base.output import write_output
from mapspore.base.paths import find_root
from mapspore.cli.clean_registry import checked
from mapspore.cli.options import Parser
from mapspore.pages.templates import official_pages
from mapspore.resolve.resolve import Registry
from mapspore.view.answer import answers
from mapspore.write.write import compare, write

_COLUMNS = ("torch", "mindspore", "target", "verdict", "kinds", "platforms", "deprecated_since", "successor", "entry")


def add_arguments(parser: Parser) -> None:
    parser.add_argument("form", choices=("json", "csv", "pages"), help=parser.say("what to export", "导出的形式"))
    parser.add_argument(
        "--output",
        "-o",
        type=Path,
        metavar="PATH",
        help=parser.say(
            "a file (json, csv; standard output by default) or a folder (pages; build/pages by default)",
            "输出文件（json、csv，默认为标准输出）或文件夹（pages，默认为 build/pages）",
        ),
    )


def run(args: argparse.Namespace) -> int:
    root = find_root(args.root)
    loaded = checked(root, args.lang)
    if loaded is None:
        return 1
    if args.form == "pages":
        folder = args.output or Path("build/pages")
        made = official_pages(loaded.registry)
        write(compare(made, folder, ()))
        count = len(made) // 2
        print(pick(args.lang, f"{count} pages in {folder}/", f"{count} 个页面，位于 {folder}/"), file=sys.stderr)
        return 0
    text = json_text(loaded.registry) if args.form == "json" else csv_text(loaded.registry)
    if args.output is None:
        sys.stdout.write(text)
    else:
        write_output(args.output, [text])
    return 0


def json_text(registry: Registry) -> str:
    return json.dumps(answers(registry), ensure_ascii=False, indent=1) + "\n"


def csv_text(registry: Registry) -> str:
    """A row per entry and target; an entry without a counterpart has one row."""
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(_COLUMNS)
    for entry in answers(registry)["entries"]:
        for target in entry["targets"] or [None]:
            if target is None:
                table.writerow((entry["torch"], "", "", entry["verdict"], "", "", "", "", entry["entry"]))
                continue
            ended = target.get("deprecated", {})
            row = [entry["torch"], target["mindspore"], target["id"], target["verdict"], " ".join(target["kinds"])]
            row += [" ".join(target["platforms"]), ended.get("since") or "", ended.get("successor") or ""]
            table.writerow([*row, entry["entry"]])
    return out.getvalue()
