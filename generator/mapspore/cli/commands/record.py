"""`mapspore record [NAME…]`: run the programs that pages show, with torch and with the adapter; keep their output."""

from __future__ import annotations

import argparse
import importlib.util
import sys
from importlib.metadata import version
from pathlib import Path

from mapspore.base.artifact import Artifact
from mapspore.base.diagnostics import Refusal
from mapspore.base.language import pick
from mapspore.base.paths import writable_root
from mapspore.cases.example_programs import programs
from mapspore.cases.programs import Programs, ranks_of
from mapspore.cli.clean_registry import checked
from mapspore.cli.options import Parser
from mapspore.evidence.files import PLATFORM, PLATFORM_OF_RANKS
from mapspore.evidence.records import FOLDER, file_of, text
from mapspore.resolve.evidence_status import NOT_VERIFIED
from mapspore.resolve.registry import Registry
from mapspore.verify.programs.run import run_all
from mapspore.write.write import compare, write


def add_arguments(parser: Parser) -> None:
    parser.add_argument(
        "names", metavar="NAME", nargs="*",
        help=parser.say("run the programs of these entries only, by full name", "只运行这些条目的程序，须写全名"),
    )  # fmt: skip
    parser.add_argument(
        "--check",
        action="store_true",
        help=parser.say("write nothing; exit with 1 if something would be written", "不写入；若有内容需要写入则返回 1"),
    )


def run(args: argparse.Namespace) -> int:
    root = writable_root(args.root)
    for framework in ("torch", "mindspore"):
        if importlib.util.find_spec(framework) is None:
            raise Refusal(
                f"{framework} is not installed here.", "Use the environment that `make test` sets up, .venv-verify.",
                zh=(f"当前环境未安装 {framework}。", "请使用 `make test` 建立的 .venv-verify 环境。"),
            )  # fmt: skip
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
        said = f"error: the programs beside {name} do not print the same."
        print(pick(args.lang, said, f"错误：{name} 旁的两个程序输出不同。"), file=sys.stderr)
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
        print(pick(args.lang, f"{name}: its page shows how the two differ.", f"{name}：页面会说明两者的不同。"))
    same_count = len(kept) - len(apart)
    said = f"{same_count} of {len(found)} pairs of programs print the same; {changed} records in {FOLDER}/ "
    said += "differ." if args.check else "written or removed."
    done = f"{len(found)} 对程序中有 {same_count} 对输出相同；{FOLDER}/ 中 {changed} 个记录"
    print(pick(args.lang, said, done + ("有变化。" if args.check else "已写入或删除。")))
    return 1 if failed or (args.check and changed) else 0


def _lacks_kernel(name: str, registry: Registry) -> bool:
    """Whether `verify` found that no counterpart runs here: then the program for torch stands alone."""
    runs = [counterpart.evidence.run for counterpart in registry.by_name[name].counterparts]
    return bool(runs) and all(run is not None and run.get("status") in NOT_VERIFIED for run in runs)


def _below(file: Path, root: Path) -> str:
    return file.relative_to(root).as_posix()
