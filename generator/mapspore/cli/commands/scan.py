"""`mapspore scan PATH…`: what of torch a code base uses, what will change, and how much work it is."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from mapspore.base.language import pick
from mapspore.base.output import write_output
from mapspore.base.paths import find_root, overlay_folders
from mapspore.cli.options import Parser
from mapspore.cli.progress import Progress
from mapspore.scan.settings import FORMATS, settings


def add_arguments(parser: Parser) -> None:
    say = parser.say
    parser.add_argument(
        "paths", metavar="PATH", nargs="+",
        help=say("files, folders and notebooks; `-` is standard input", "文件、文件夹和笔记本；`-` 表示标准输入"),
    )  # fmt: skip
    parser.add_argument(
        "--format", choices=FORMATS,
        help=say("text for people (the default), json, sarif 2.1.0, md, or a self-contained html page",
                 "输出格式：text（默认）、json、sarif 2.1.0、md，或自包含的 html 页面"),
    )  # fmt: skip
    parser.add_argument("--output", metavar="FILE", type=Path, help=say("write the report there", "报告写入该文件"))
    parser.add_argument(
        "--all", action="store_true",
        help=say("list each use that is the same, has no entry, or differs only as a run can tell",
                 "同时逐处列出一致的用法、无条目的 API 和运行时才能确定的差异"),
    )  # fmt: skip
    add_selection(parser)
    parser.add_argument(
        "--baseline", metavar="FILE",
        help=say("the JSON report of an earlier scan: only new findings count", "此前扫描的 JSON 报告：只计新增的发现"),
    )  # fmt: skip
    parser.add_argument(
        "--site", metavar="URL",
        help=say("where the site is, for links to its pages", "站点地址，用于生成对照页链接"),
    )  # fmt: skip
    add_running(parser)


def add_selection(parser: Parser) -> None:
    say = parser.say
    parser.add_argument(
        "--select", metavar="CODES", help=say("count these codes only, such as S107,S11", "只计这些代码，如 S107,S11")
    )
    parser.add_argument("--ignore", metavar="CODES", help=say("leave these codes out", "忽略这些代码"))


def add_running(parser: Parser) -> None:
    say = parser.say
    parser.add_argument(
        "--exclude", metavar="GLOB", action="append",
        help=say("leave out files and folders of this name; may be repeated", "排除匹配的文件和文件夹，可重复给出"),
    )  # fmt: skip
    parser.add_argument(
        "--jobs",
        metavar="N",
        type=int,
        default=0,
        help=say("processes; by default one per core", "进程数，默认每核一个"),
    )
    parser.add_argument("--no-cache", action="store_true", help=say("read everything anew", "不使用缓存"))
    parser.add_overlay()


def run(args: argparse.Namespace) -> int:
    from mapspore.scan.files import find, read_all
    from mapspore.scan.findings import Filter, read_baseline, report
    from mapspore.scan.report_formats import printed
    from mapspore.scan.ruleset import load_ruleset
    from mapspore.scan.run import scan

    chosen = settings(args)
    wanted = Filter(chosen.select, chosen.ignore, read_baseline(chosen.baseline) if chosen.baseline else {})
    every = args.all or chosen.format == "json"
    files, problems = find(args.paths, chosen.exclude)
    with Progress(pick(args.lang, "scanning", "正在扫描")):
        rules = load_ruleset(find_root(args.root), overlay_folders(chosen.overlay))
        scanned = scan(files, read_all(files), rules, args.jobs, not args.no_cache)
        found = report(scanned.results, problems, rules, wanted, scanned.files, scanned.lines, every)
    parts = printed(chosen, found, rules, args)
    if args.output is None:
        sys.stdout.writelines(parts)
        return 1 if found.findings else 0
    write_output(args.output, parts)
    return 1 if found.findings else 0
