"""`mapspore verify [NAME…]`: run entries beside torch, in one process or in several, compare, and keep the evidence."""

from __future__ import annotations

import argparse
import importlib.util
import os
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from mapspore.answer.look_up import ask, find
from mapspore.base.diagnostics import Refusal
from mapspore.base.paths import evidence_folder, find_root, writable_root
from mapspore.cli.clean_registry import checked
from mapspore.cli.options import Parser
from mapspore.cli.progress import Progress
from mapspore.evidence.files import PLATFORM_OF_RANKS, place, write
from mapspore.evidence.fingerprint import Fingerprints
from mapspore.resolve.evidence_status import ADAPTER
from mapspore.resolve.registry import Registry

if TYPE_CHECKING:
    from mapspore.cases.collective.plan import Plan
    from mapspore.verify.run import Result

NEEDED = (2, 3)  # numbers of ranks that evidence needs; `make test` runs the quick cases at these again
PYTHONS = ((3, 11), (3, 12))


def add_arguments(parser: Parser) -> None:
    parser.add_argument(
        "names", metavar="NAME", nargs="*",
        help=parser.say("verify these entries only; names as `show` takes them",
                        "只验证这些条目，名称写法与 `show` 相同"),
    )  # fmt: skip
    parser.add_argument(
        "--ranks", metavar="N,…", default="2,3,4",
        help=parser.say("numbers of processes; 2,3,4 by default", "进程数，默认为 2,3,4"),
    )  # fmt: skip
    parser.add_argument(
        "--target", metavar="ID,…", default="",
        help=parser.say("only these targets, such as mint,comm_func", "只验证这些目标，如 mint,comm_func"),
    )  # fmt: skip
    parser.add_argument(
        "--jobs", metavar="N", default=str(max(2, os.cpu_count() or 2)),
        help=parser.say("how many jobs run at once; by default one per core", "同时运行的作业数，默认每个核一个"),
    )  # fmt: skip
    parser.add_argument(
        "--select", choices=("all", "quick"), default="all",
        help=parser.say("all cases (the default), or a few of each kind", "全部用例（默认），或每类少量用例"),
    )  # fmt: skip
    parser.add_argument(
        "--format", choices=("text", "json"), default="text",
        help=parser.say("a table (the default), or json", "输出格式：表格（默认）或 json"),
    )  # fmt: skip
    parser.add_argument(
        "--no-evidence", action="store_true",
        help=parser.say("do not write to evidence/", "不写入 evidence/"),
    )  # fmt: skip


def run(args: argparse.Namespace) -> int:
    root = find_root(args.root) if args.no_evidence else writable_root(args.root)
    sizes = [_number("--ranks", each, 2, 16) for each in args.ranks.split(",")]
    at_once = _number("--jobs", args.jobs, 1, 64)
    loaded = checked(root, args.lang)
    if loaded is None:
        return 1
    chosen = _chosen(args.names, root, loaded.registry, args)
    targets = _targets(args.target, loaded.registry)
    versions = _versions()

    from mapspore.cases.collective.plan import plan
    from mapspore.cases.single.plan import plan as plan_alone
    from mapspore.verify.processes.jobs import Servers
    from mapspore.verify.run import run as verify
    from mapspore.verify.single.run import run as verify_alone
    from mapspore.verify.summary import as_json, as_text, say
    from mapspore.verify.write_evidence import keep as keep_alone

    every = [plan(mapping) for mapping in loaded.registry.mappings if mapping.needs_ranks]
    plans = [each for each in every if each.name in chosen]
    alone = [plan_alone(each) for each in loaded.registry.mappings if not each.needs_ranks and each.name in chosen]
    quick, own = args.select == "quick", root / "adapter"
    adapter = own if own.is_dir() else None
    with Servers() as servers, Progress(say("starting", args.lang)) as progress:

        def report(done: int, total: int) -> None:
            progress(say("doing", args.lang, done=done, total=total))

        result = verify_alone(alone, targets, servers, root, at_once, quick, adapter, report)
        if plans:
            result += verify(plans, every, sizes, targets, servers, at_once, quick, adapter, report)
    if args.format == "json":
        sys.stdout.write(as_json(result, [*alone, *plans], sizes, versions, args.select))
    else:
        print("\n".join(as_text(result, [*alone, *plans], sizes, versions, args.lang)))
    if not args.no_evidence:
        if args.select == "all" and not targets and (not plans or set(NEEDED) <= set(sizes)):
            written = keep_alone(result, alone, versions, root, loaded.registry)
            written += keep(result, plans, sizes, versions, root, loaded.registry)
            print(say("written", args.lang, count=written, folder=evidence_folder(root).name), file=sys.stderr)
        else:
            print(say("not_written", args.lang), file=sys.stderr)
    return 1 if result.different or not result.findings else 0


def keep(
    result: Result,
    plans: Sequence[Plan],
    sizes: Sequence[int],
    versions: dict[str, str],
    root: Path,
    registry: Registry,
) -> int:
    """Write the evidence of entries that agree; take away that of entries that do not."""

    fingerprints, folder, written = Fingerprints(root, registry.mappings), evidence_folder(root), 0
    differing = {finding.entry for finding in result.different}
    for plan in plans:
        file = folder / place(plan.name)
        counted = {target: result.counts(plan.name, target) for target in plan.targets}
        if plan.name in differing or not all(counted.values()):
            file.unlink(missing_ok=True)
            continue
        targets = {
            target or ADAPTER: {
                **versions, "platform": PLATFORM_OF_RANKS, "ranks": sorted(sizes), "cases": counts,
                "quick": {"ranks": list(NEEDED), "cases": result.counts(plan.name, target, True, NEEDED)},
            }
            for target, counts in counted.items()
        }  # fmt: skip
        write(root, registry.claims[plan.name], fingerprints, targets)
        written += 1
    return written


def _chosen(names: list[str], root: Path, registry: Registry, args: argparse.Namespace) -> set[str]:
    if not names:
        return {mapping.name for mapping in registry.mappings}
    return ask(root, args.lang, lambda index: {name for wanted in names for name in find(index, wanted)})


def _targets(given: str, registry: Registry) -> list[str]:
    known = sorted({counterpart.id for mapping in registry.mappings for counterpart in mapping.counterparts})
    wanted = [each for each in given.split(",") if each]
    for each in wanted:
        if each not in known:
            listed = ", ".join(known)
            raise Refusal(
                f"There is no target `{each}`.", f"Choose from {listed}.", 2,
                zh=(f"没有目标 `{each}`。", f"可选：{listed}。"),
            )  # fmt: skip
    return wanted


def _number(name: str, given: str, least: int, most: int) -> int:
    if given.strip().isdigit() and least <= int(given) <= most:
        return int(given)
    raise Refusal(
        f"`{given}` is no number for {name}.", f"Give numbers from {least} to {most}.", 2,
        zh=(f"{name} 的取值 `{given}` 无效。", f"请给出 {least} 到 {most} 之间的数。"),
    )  # fmt: skip


def _versions() -> dict[str, str]:
    """What will be run; a refusal where it is not there."""
    missing = [name for name in ("torch", "mindspore") if importlib.util.find_spec(name) is None]
    if sys.version_info[:2] not in PYTHONS or missing:
        lacking = " and ".join(missing) or "another Python"
        raise Refusal(
            f"`mapspore verify` runs torch and MindSpore side by side, and here it lacks {lacking}.",
            'Use Python 3.11 or 3.12 and install the extra: `pip install "mapspore[verify]"`, in a checkout '
            '`pip install -e ".[verify]"`.', 2,
            zh=("`mapspore verify` 需要对照运行 torch 和 MindSpore，"
                f"当前环境缺少 {'、'.join(missing) or '合适的 Python'}。",
                '请使用 Python 3.11 或 3.12，并安装附加依赖：`pip install "mapspore[verify]"`，'
                '在检出的代码中为 `pip install -e ".[verify]"`。'),
        )  # fmt: skip
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    return {"torch": version("torch").partition("+")[0], "mindspore": version("mindspore"), "python": python}
