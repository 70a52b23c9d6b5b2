"""`mapspore verify --programs [NAME…]`: run whole programs with torch and through the adapter, compare their curves,
and keep the results. What one program does wrong is told at its place and keeps no other from running.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

from mapspore.base.diagnostics import WRONG_USAGE, Refusal
from mapspore.base.json_text import json_text
from mapspore.base.language import Language
from mapspore.base.paths import evidence_folder
from mapspore.cli.progress import Progress
from mapspore.evidence.fingerprint import Fingerprints
from mapspore.evidence.programs import FOLDER, KEPT, Program, ProgramRun, as_data, fingerprint, programs, write
from mapspore.resolve.registry import Registry
from mapspore.text.phrases import say


def run(args: argparse.Namespace, root: Path, registry: Registry, versions: dict[str, str]) -> int:
    """Run the programs that were named, or all of them."""
    from mapspore.verify.curves.run import Roots, run_program

    there = programs(root)
    chosen = _chosen(args.names, there)
    own = root / "adapter"
    place = Roots(root, own if own.is_dir() else None)
    ran_with = versions | {"numpy": version("numpy")}
    prints = Fingerprints(root, registry.mappings)
    results: list[ProgramRun] = []
    with Progress("verify.starting", args.lang) as progress:
        for number, program in enumerate(chosen, 1):

            def report(part: str, program: Program = program, number: int = number) -> None:
                told = say(f"verify.programs.{part}", args.lang)
                progress("verify.programs.doing", name=program.name, number=number, total=len(chosen), part=told)

            result = run_program(program, place, registry, ran_with, report)
            results.append(result)
            if not args.no_evidence:
                write(root, result, fingerprint(program, result.apis, registry, prints))
            if args.format == "text":
                print("\n".join(lines(result, args.lang)), flush=True)
    if args.format == "json":
        sys.stdout.write(json_text({"format": 1, "programs": [as_data(result) for result in results]}, 1) + "\n")
    if not args.no_evidence:
        folder = f"{evidence_folder(root).name}/{KEPT}"
        print(say("verify.programs.written", args.lang, count=len(results), folder=folder), file=sys.stderr)
    good = [result for result in results if result.outcome == "agrees"]
    bad = [result for result in results if result.outcome not in ("agrees", "ill_posed")]
    return 1 if bad or not good else 0


def _chosen(names: list[str], there: dict[str, Program]) -> list[Program]:
    if not there:
        raise Refusal("C507", "none", exit_code=WRONG_USAGE, folder=FOLDER)
    for name in names:
        if name not in there:
            raise Refusal("C507", exit_code=WRONG_USAGE, given=name, folder=FOLDER, known=", ".join(there))
    return [there[name] for name in names or there]


def lines(result: ProgramRun, language: Language) -> Iterator[str]:
    """What a terminal is told of a program."""
    yield say(f"verify.programs.{result.outcome}", language, name=result.program, steps=result.steps)
    if result.deviation is not None and result.bound is not None:
        for sort, apart in result.deviation.items():
            allowed = result.bound[sort]
            what = say(f"verify.programs.{sort}", language)
            yield "  " + say(
                "verify.programs.apart", language, what=what, apart=_number(apart), allowed=_number(allowed)
            )
    if result.seconds is not None:
        told = {side: f"{1000 * seconds:.1f}" for side, seconds in result.seconds.items()}
        yield "  " + say("verify.programs.times", language, **told)
    if result.says:
        yield f"  {result.says}"
    if result.lacking:
        yield "  " + say("verify.programs.lacking", language, names=", ".join(result.lacking))


def _number(value: float | None) -> str:
    return "∞" if value is None else f"{value:.1e}"
