"""`mapspore list`: every entry with its counterparts and the verdict on each."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from mapspore.base.diagnostics import Refusal
from mapspore.base.language import LANGUAGES, Language
from mapspore.base.paths import find_root
from mapspore.base.terminal import table, visible
from mapspore.cli.options import Parser
from mapspore.cli.progress import Progress
from mapspore.pipeline import Loaded, load_registry
from mapspore.resolve.registry import Mapping
from mapspore.text.phrases import say, verdict_name

JSON_FORMAT = 1


def add_arguments(parser: Parser) -> None:
    parser.add_argument("--filter", metavar="TEXT", default="")
    parser.add_argument("--format", choices=("text", "json"), default="text")


def run(args: argparse.Namespace) -> int:
    root = find_root(args.root)
    with Progress("cli.doing.list", args.lang):
        loaded = load_registry(root)
    found = [mapping for mapping in loaded.registry.mappings if matches(mapping, args.filter)]
    if args.filter and not found:
        raise Refusal("C209", given=args.filter)
    if args.format == "json":
        content = {"format": JSON_FORMAT, "entries": [as_data(mapping) for mapping in found]}
        print(json.dumps(content, ensure_ascii=False, indent=2))
    else:
        print("\n".join(as_table(found, args.lang)))
    return _admit_gaps(loaded, args.lang)


def matches(mapping: Mapping, wanted: str) -> bool:
    """Whether every word stands in one of the names or verdicts, however it is written."""
    names = [mapping.name, *mapping.entry.aliases]
    for counterpart in mapping.counterparts:
        names += [counterpart.target.mindspore, counterpart.id]
    for verdict in {mapping.verdict, *(counterpart.verdict for counterpart in mapping.counterparts)}:
        names += [verdict, *(verdict_name(verdict, language) for language in LANGUAGES)]
    text = "\n".join(names).lower()
    return all(word in text for word in wanted.lower().split())


def as_data(mapping: Mapping) -> dict[str, Any]:
    """One entry for programs."""
    targets = [{"id": c.id, "mindspore": c.target.mindspore, "verdict": c.verdict} for c in mapping.counterparts]
    return {
        "torch": mapping.name,
        "aliases": list(mapping.entry.aliases),
        "verdict": mapping.verdict,
        "targets": targets,
        "path": mapping.source.path,
    }


def as_table(mappings: list[Mapping], language: Language) -> list[str]:
    """A line per counterpart, and a closing line that counts."""
    rows = [("torch", "MindSpore", say("cli.list.verdict", language))]
    for mapping in mappings:
        pairs = [(c.target.mindspore, c.verdict) for c in mapping.counterparts] or [("-", mapping.verdict)]
        for number, (name, verdict) in enumerate(pairs):
            first = visible(mapping.name) if number == 0 else ""
            rows.append((first, visible(name), verdict_name(verdict, language)))
    return [*table(rows), say("cli.list.count", language, count=len(mappings))]


def _admit_gaps(loaded: Loaded, language: Language) -> int:
    """Says how many files are not in the list because they could not be understood."""
    gaps = len(loaded.sources) - len(loaded.registry.mappings)
    if not gaps:
        return 0
    print(say("cli.list.gaps", language, count=gaps), file=sys.stderr)
    return 1
