"""`mapspore errata`: what the official tables call consistent and a run shows not to be, ready to be sent upstream."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from mapspore.base.language import Language
from mapspore.base.output import write_output
from mapspore.base.paths import find_root
from mapspore.base.terminal import visible
from mapspore.cli.clean_registry import checked
from mapspore.cli.options import Parser
from mapspore.evidence.errata import consistent, errata
from mapspore.facts.official import load_claims
from mapspore.text.markup import MARKDOWN
from mapspore.text.phrases import label, say
from mapspore.text.templates import environment
from mapspore.view.entry_view import as_data
from mapspore.view.errata import ErratumView, errata_view

JSON_FORMAT = 1


def add_arguments(parser: Parser) -> None:
    parser.add_argument("--filter", metavar="TEXT", default="")
    parser.add_argument("--format", choices=("text", "markdown", "json"), default="text")
    parser.add_argument("--output", "-o", type=Path, metavar="PATH")


def run(args: argparse.Namespace) -> int:
    root = find_root(args.root)
    loaded = checked(root, args.lang)
    if loaded is None:
        return 1
    words = args.filter.lower().split()
    every = errata_view(errata(loaded.registry, consistent(load_claims(root)), root))
    found = [each for each in every if all(word in f"{each.torch}\n{each.mindspore}".lower() for word in words)]
    made = {"text": as_text, "markdown": as_markdown, "json": as_json}[args.format](found, args.lang)
    if args.output is None:
        sys.stdout.write(made)
    else:
        write_output(args.output, [made])
    return 0


def as_text(found: Sequence[ErratumView], language: Language) -> str:
    """A line per erratum with what differs below it, and a closing line that counts."""
    lines = []
    for each, (pair, tables) in zip(found, _tables(found, language), strict=True):
        lines.append(visible(say("cli.errata.claim", language, torch=pair[0], mindspore=pair[1], tables=tables)))
        lines += [f"  {visible(shown.of(language))}" for shown in each.shown]
    return "\n".join([*lines, say("cli.errata.count", language, count=len(found)), ""])


def as_markdown(found: Sequence[ErratumView], language: Language) -> str:
    """A section per erratum, with its program."""
    titles = {key: say(f"cli.errata.{key}", language) for key in ("title", "lead", "program")}
    views = [
        {
            "torch": MARKDOWN.code(each.torch),
            "mindspore": MARKDOWN.code(each.mindspore),
            "claim": say("cli.errata.claimed", language, tables=tables),
            "shown": [MARKDOWN.text(shown.of(language)) for shown in each.shown],
            "program": each.program,
        }
        for each, (_, tables) in zip(found, _tables(found, language), strict=True)
    ]
    text: str = environment().get_template("report/errata.md.j2").render(errata=views, **titles)
    return text


def _tables(found: Sequence[ErratumView], language: Language) -> list[tuple[tuple[str, str], str]]:
    """The names, and the releases whose tables make the claim."""
    return [((each.torch, each.mindspore), label("comma", language).join(each.tables)) for each in found]


def as_json(found: Sequence[ErratumView], language: Language) -> str:
    return json.dumps({"format": JSON_FORMAT, "errata": as_data(tuple(found))}, ensure_ascii=False, indent=1) + "\n"
