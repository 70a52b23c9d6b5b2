"""`mapspore record [NAME…]`: run the programs that pages show, with torch and with the adapter; keep their output."""

from __future__ import annotations

import argparse
import importlib.util
from importlib.metadata import version
from pathlib import Path

from mapspore.base.artifact import Artifact
from mapspore.base.diagnostics import Refusal
from mapspore.base.paths import writable_root
from mapspore.cases.example_programs import programs
from mapspore.cases.programs import Programs, ranks_of
from mapspore.cli.clean_registry import checked
from mapspore.cli.complain import complain
from mapspore.cli.options import Parser
from mapspore.evidence.files import PLATFORM, PLATFORM_OF_RANKS
from mapspore.evidence.records import FOLDER, file_of, text
from mapspore.resolve.evidence_status import NOT_VERIFIED
from mapspore.resolve.registry import Registry
from mapspore.text.phrases import say
from mapspore.verify.programs.run import run_all
from mapspore.write.write import compare, write


def add_arguments(parser: Parser) -> None:
    parser.add_argument("names", metavar="NAME", nargs="*")
    parser.add_argument("--check", action="store_true")


def run(args: argparse.Namespace) -> int:
    root = writable_root(args.root)
    for framework in ("torch", "mindspore"):
        if importlib.util.find_spec(framework) is None:
            raise Refusal("C308", hint="record", framework=framework)
    loaded = checked(root, args.lang)
    if loaded is None:
        return 1
    found: dict[str, Programs] = {}
    for mapping in loaded.registry.mappings:
        made = programs(mapping) if not args.names or mapping.name in args.names else None
        if made is not None:
            found[mapping.name] = made
    before = run_all({name: each.before for name, each in found.items()})
    after = run_all({name: each.after for name, each in found.items()})
    versions = {"torch": version("torch").split("+")[0], "mindspore": version("mindspore")}
    kept, failed, apart = [], [], []
    for name, each in found.items():
        ranks = ranks_of(each.before)
        ran = {"ranks": ranks, "platform": PLATFORM_OF_RANKS if ranks > 1 else PLATFORM, **versions}
        one, other = before.get(name), after.get(name)
        same = one == other
        # Made of a plan, both answer truly for their own framework; written by hand, they are to show that it is kept.
        shown = same or (other is not None and each.made) or (other is None and _lacks_kernel(name, loaded.registry))
        if one and shown:
            kept.append(Artifact(_below(file_of(root, name), root), text(name, each, ran, one, other)))
            apart += [] if same else [name]
        elif not each.made:
            failed.append(name)
    for name in failed:
        complain(Refusal("C504", name=name), args.lang)
    plan = compare(kept, root, ())
    told = {artifact.path for artifact in kept}
    # A pair that no longer prints the same has no output to show.
    stale = [file for name in found if (file := file_of(root, name)).is_file() and _below(file, root) not in told]
    if not args.check:
        write(plan)
        for file in stale:
            file.unlink()
    changed = len(plan.changed) + len(stale)
    for name in apart:
        print(say("cli.record.apart", args.lang, name=name))
    counts = {"same": len(kept) - len(apart), "count": len(found), "changed": changed}
    print(say(f"cli.record.{'would' if args.check else 'done'}", args.lang, folder=FOLDER, **counts))
    return 1 if failed or (args.check and changed) else 0


def _lacks_kernel(name: str, registry: Registry) -> bool:
    """Whether `verify` found that no counterpart runs here: then the program for torch stands alone."""
    runs = [counterpart.evidence.run for counterpart in registry.by_name[name].counterparts]
    return bool(runs) and all(run is not None and run.get("status") in NOT_VERIFIED for run in runs)


def _below(file: Path, root: Path) -> str:
    return file.relative_to(root).as_posix()
