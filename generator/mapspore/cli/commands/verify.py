"""`mapspore verify [NAME…]`: run entries beside torch, in one process or in several, compare, and keep the evidence."""

from __future__ import annotations

import argparse
import importlib.util
import os
import sys
from importlib.metadata import version
from pathlib import Path

from mapspore.answer.look_up import ask, find
from mapspore.base.diagnostics import Refusal
from mapspore.base.paths import evidence_folder, find_root, writable_root
from mapspore.cli.clean_registry import checked
from mapspore.cli.options import Parser
from mapspore.cli.progress import Progress
from mapspore.resolve.registry import Registry

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

    from mapspore.verify.processes.jobs import Servers, Settings
    from mapspore.verify.run import run as verify
    from mapspore.verify.summary import as_json, as_text, say
    from mapspore.verify.write_evidence import NEEDED, write_evidence

    own = root / "adapter"
    with Servers() as servers, Progress(say("starting", args.lang)) as progress:

        def report(done: int, total: int) -> None:
            progress(say("doing", args.lang, done=done, total=total))

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
            print(say("written", args.lang, count=written, folder=evidence_folder(root).name), file=sys.stderr)
        else:
            print(say("not_written", args.lang), file=sys.stderr)
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
