"""`mapspore verify [NAME…]`: run entries beside torch, in one process or in several, compare, and keep the evidence."""

from __future__ import annotations

import argparse
import importlib.util
import os
import sys
from importlib.metadata import version
from pathlib import Path

from mapspore.answer.look_up import ask, find
from mapspore.base.diagnostics import WRONG_USAGE, Refusal
from mapspore.base.paths import evidence_folder, find_root, writable_root
from mapspore.cli.clean_registry import checked
from mapspore.cli.options import Parser
from mapspore.cli.progress import Progress
from mapspore.resolve.registry import Registry
from mapspore.text.phrases import say

PYTHONS = ((3, 11), (3, 12))


def add_arguments(parser: Parser) -> None:
    parser.add_argument("names", metavar="NAME", nargs="*")
    parser.add_argument("--ranks", metavar="N,…", default="2,3,4")
    parser.add_argument("--target", metavar="ID,…", default="")
    parser.add_argument("--jobs", metavar="N", default=str(max(2, os.cpu_count() or 2)))
    parser.add_argument("--select", choices=("all", "quick"), default="all")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.add_argument("--no-evidence", action="store_true")
    parser.add_argument("--programs", action="store_true")


def run(args: argparse.Namespace) -> int:
    root = find_root(args.root) if args.no_evidence else writable_root(args.root)
    sizes = [_number("--ranks", each, 2, 16) for each in args.ranks.split(",")]
    at_once = _number("--jobs", args.jobs, 1, 64)
    loaded = checked(root, args.lang)
    if loaded is None:
        return 1
    if args.programs:
        from mapspore.cli.program_runs import run as run_programs

        return run_programs(args, root, loaded.registry, _versions())
    chosen = _chosen(args.names, root, loaded.registry, args)
    targets = _targets(args.target, loaded.registry)
    versions = _versions()

    from mapspore.verify.processes.jobs import Servers, Settings
    from mapspore.verify.run import run as verify
    from mapspore.verify.summary import as_json, as_text
    from mapspore.verify.write_evidence import NEEDED, write_evidence

    own = root / "adapter"
    with Servers() as servers, Progress("verify.starting", args.lang) as progress:

        def report(done: int, total: int) -> None:
            progress("verify.doing", done=done, total=total)

        quick, adapter = args.select == "quick", own if own.is_dir() else None
        settings = Settings(servers, targets, at_once, quick, adapter, report=report)
        result, plans = verify(loaded.registry.mappings, chosen, sizes, settings)
    if args.format == "json":
        sys.stdout.write(as_json(result, plans, sizes, versions, args.select))
    else:
        print("\n".join(as_text(result, plans, sizes, versions, args.lang)))
    if not args.no_evidence:
        enough = set(NEEDED) <= set(sizes) or all(finding.size == 1 for finding in result.findings)
        if args.select == "all" and not targets and enough:
            written = write_evidence(result, plans, sizes, versions, root, loaded.registry)
            print(say("verify.written", args.lang, count=written, folder=evidence_folder(root).name), file=sys.stderr)
        else:
            print(say("verify.not_written", args.lang), file=sys.stderr)
    return 1 if result.failed or not result.findings else 0


def _chosen(names: list[str], root: Path, registry: Registry, args: argparse.Namespace) -> set[str]:
    if not names:
        return {mapping.name for mapping in registry.mappings}
    return ask(root, args.lang, lambda index: {name for wanted in names for name in find(index, wanted)})


def _targets(given: str, registry: Registry) -> list[str]:
    known = sorted({counterpart.id for mapping in registry.mappings for counterpart in mapping.counterparts})
    wanted = [each for each in given.split(",") if each]
    for each in wanted:
        if each not in known:
            raise Refusal("C501", exit_code=WRONG_USAGE, given=each, known=", ".join(known))
    return wanted


def _number(name: str, given: str, least: int, most: int) -> int:
    if given.strip().isdigit() and least <= int(given) <= most:
        return int(given)
    raise Refusal("C502", exit_code=WRONG_USAGE, given=given, name=name, least=least, most=most)


def _versions() -> dict[str, str]:
    """What will be run; a refusal where it is not there."""
    missing = [name for name in ("torch", "mindspore") if importlib.util.find_spec(name) is None]
    if sys.version_info[:2] not in PYTHONS or missing:
        raise Refusal("C503", "" if missing else "python", exit_code=WRONG_USAGE, missing=", ".join(missing))
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    return {"torch": version("torch").partition("+")[0], "mindspore": version("mindspore"), "python": python}
