"""`mapspore facts extract|diff|stats`: the snapshots of what the frameworks' public APIs are.

`extract` needs the framework installed; the others only read snapshots.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from mapspore.base.diagnostics import WRONG_USAGE, Refusal
from mapspore.base.language import Language
from mapspore.base.paths import facts_folder, find_root
from mapspore.base.terminal import table
from mapspore.cli.options import Parser
from mapspore.facts import snapshot
from mapspore.facts.snapshot import Facts, Statistics
from mapspore.text.phrases import catalogue, say

FRAMEWORKS = ("torch", "mindspore")
WITHOUT_DOCSTRINGS = 2
"""The level of optimisation from which on Python leaves docstrings out."""


def add_arguments(parser: Parser) -> None:
    parts = parser.add_subparsers(dest="part", metavar="PART", required=True, title="parts")
    extract, diff = parser.add_part(parts, "extract"), parser.add_part(parts, "diff")
    extract.add_argument("framework", choices=FRAMEWORKS)
    extract.add_argument("--output", metavar="FILE")
    diff.add_argument("a", metavar="A")
    diff.add_argument("b", metavar="B")
    parser.add_part(parts, "stats")


def run(args: argparse.Namespace) -> int:
    root = find_root(args.root)
    if args.part == "extract":
        return _extract(args.framework, args.output, root, args.lang)
    if args.part == "diff":
        return _diff(_snapshot(args.a, root), _snapshot(args.b, root), args.lang)
    facts = [snapshot.load(file) for file in sorted(facts_folder(root).glob("*-*.json"))]
    print("\n".join(statistics_table([(one, snapshot.statistics(one)) for one in facts], args.lang)))
    return 0


def _extract(framework: str, output: str | None, root: Path, language: Language) -> int:
    from mapspore.cli.progress import Progress
    from mapspore.facts.extract.extract import extract

    if sys.flags.optimize >= WITHOUT_DOCSTRINGS:
        raise Refusal("C309", exit_code=WRONG_USAGE)
    with Progress("cli.doing.extract", language, framework=framework) as progress:
        text = extract(framework, lambda name: progress("cli.doing.extract", framework=name))
    facts = snapshot.parse(text)
    if output == "-":
        sys.stdout.write(text)
        return 0
    from mapspore.base.output import write_output

    file = Path(output) if output else root / "facts" / f"{framework}-{facts.version}.json"
    same = file.is_file() and file.read_bytes() == text.encode()
    if not same:
        write_output(file, [text])
    print(say(f"facts.snapshot.{'current' if same else 'written'}", language, file=file))
    print("\n".join(statistics_table([(facts, snapshot.statistics(facts))], language)))
    return 0


def statistics_table(found: list[tuple[Facts, Statistics]], language: Language) -> list[str]:
    """A column per thing that is counted, a line per snapshot."""
    kinds = sorted({kind for _, counts in found for kind, _ in counts.kinds})
    about = sorted({about for _, counts in found for about, _ in counts.notes})
    of_kinds = catalogue("rules")["kind"]
    first, last = ("framework", "version", "apis"), ("overloads", "aliases", "places", "deprecated")
    head = (
        *(say(f"facts.columns.{key}", language) for key in first), *(of_kinds[kind][language] for kind in kinds),
        *(say(f"facts.columns.{key}", language) for key in last),
        *(say("facts.columns.note", language, about=each) for each in about), say("facts.columns.unsigned", language),
    )  # fmt: skip
    rows = [head]
    for facts, counts in found:
        of_kind, with_note = dict(counts.kinds), dict(counts.notes)
        numbers = (
            counts.total, *(of_kind.get(kind, 0) for kind in kinds), counts.forms, counts.aliases, counts.places,
            counts.deprecated, *(with_note.get(each, 0) for each in about), len(counts.unsigned),
        )  # fmt: skip
        rows.append((facts.framework, facts.version, *map(str, numbers)))
    return table(rows)


def _snapshot(given: str, root: Path) -> Facts:
    """A snapshot by its path, or by its name in the registry's `facts/`."""
    folder = facts_folder(root)
    places = (Path(given), folder / given, folder / f"{given}.json")
    found = next((place for place in places if place.is_file()), None)
    if found is None:
        known = ", ".join(file.stem for file in sorted(folder.glob("*-*.json")))
        raise Refusal("C305", exit_code=WRONG_USAGE, given=given, folder=folder.name, known=known)
    return snapshot.load(found)


def _diff(old: Facts, new: Facts, language: Language) -> int:
    from collections import Counter

    from mapspore.facts.diff import diff

    if old.framework != new.framework:
        raise Refusal("C306", exit_code=WRONG_USAGE, old=old.framework, new=new.framework)
    changes = diff(old, new)
    for change in changes:
        print(change.text(language))
    counts = Counter(change.kind for change in changes)
    names = {key: f"{facts.framework} {facts.version}" for key, facts in (("old", old), ("new", new))}
    totals = {kind: counts[kind] for kind in ("added", "removed", "changed")}
    print(say("facts.diff.totals", language, **names, **totals))
    return 0
