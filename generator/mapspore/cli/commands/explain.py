"""`mapspore explain [NAME]`: what a code, a field, a word or another name of an entry means; or the list of all.

The JSON, version 1: `format` and `explanations`, a list; each has `name`, `sort`, and `says`, `why`, `hint` and `also`,
lists of `{en, zh}`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator

from mapspore.author.explain import Explanation, Sort, explanations, known, nearest, of_sort
from mapspore.base.diagnostics import Refusal
from mapspore.base.language import LANGUAGES, Language
from mapspore.base.terminal import table
from mapspore.cli.options import Parser
from mapspore.text.phrases import say
from mapspore.view.entry_view import Text

JSON_FORMAT = 1
LISTED: tuple[Sort, ...] = ("field", "word", "policy", "condition", "situation", "kind")


def add_arguments(parser: Parser) -> None:
    parser.add_argument("name", metavar="NAME", nargs="?")
    parser.add_argument("--format", choices=("text", "json"), default="text")


def run(args: argparse.Namespace) -> int:
    found = list(known()) if args.name is None else explanations(args.name)
    if not found:
        near = ", ".join(nearest(args.name))
        raise Refusal("C210", hint="near" if near else "", given=args.name, near=near)
    if args.format == "json":
        content = {"format": JSON_FORMAT, "explanations": [as_data(each) for each in found]}
        print(json.dumps(content, ensure_ascii=False, indent=2))
    elif args.name is None:
        print("\n".join(overview(args.lang)))
    else:
        alike = {each.says: [other.name for other in found if other.says == each.says] for each in found}
        each_once = {each.says: each for each in reversed(found)}
        print("\n".join(line for says, names in alike.items() for line in as_text(each_once[says], names, args.lang)))
    return 0


def overview(language: Language) -> Iterator[str]:
    """Every name with a line about it; codes come first."""
    yield from table([(each.name, each.brief.of(language)) for each in of_sort("code")])
    for sort in LISTED:
        yield from _listed(sort, language)


def as_text(each: Explanation, names: list[str], language: Language) -> Iterator[str]:
    """A page of text about one name, or about several places of a field of which the same is said."""
    yield from _block("\n".join(names), each.says, language)
    for part in ("why", "hint", "also"):
        if lines := getattr(each, part):
            yield from _block(say(f"cli.explain.{part}", language), lines, language)
    if each.see:
        yield from _listed(each.see, language)


def as_data(each: Explanation) -> dict[str, object]:
    """The same for programs."""
    parts = {part: getattr(each, part) for part in ("says", "why", "hint", "also")}
    texts = {part: [{each: text.of(each) for each in LANGUAGES} for text in lines] for part, lines in parts.items()}
    return {"name": each.name, "sort": each.sort, **texts}


def _listed(sort: Sort, language: Language) -> Iterator[str]:
    rows = [(each.name, each.brief.of(language)) for each in of_sort(sort)]
    yield say(f"cli.explain.{sort}", language)
    yield from (f"  {line}" for line in table(rows))


def _block(title: str, lines: tuple[Text, ...], language: Language) -> Iterator[str]:
    yield title
    yield from (f"  {line}" for line in dict.fromkeys(text.of(language) for text in lines))
