"""`mapspore facts extract|diff|stats`: the snapshots of what the frameworks' public APIs are.

`extract` needs the framework installed; the others only read snapshots.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from mapspore.base.diagnostics import Refusal
from mapspore.base.language import Language, pick
from mapspore.base.paths import facts_folder, find_root
from mapspore.base.terminal import table
from mapspore.cli.options import Parser
from mapspore.facts import snapshot
from mapspore.facts.errors import FactsError
from mapspore.facts.snapshot import Facts, Statistics

FRAMEWORKS = ("torch", "mindspore")
WITHOUT_DOCSTRINGS = 2
"""The level of optimisation from which on Python leaves docstrings out."""


def add_arguments(parser: Parser) -> None:
    parts = parser.add_subparsers(dest="part", metavar="PART", required=True, title=parser.say("parts", "子命令"))

    def part(name: str, en: str, zh: str, *examples: str) -> Parser:
        # argparse names the part itself, and gives its class nothing but keywords.
        added: Parser = parts.add_parser(name, language=parser.language, help=parser.say(en, zh))
        added.describe(en, zh, *examples)
        added.add_common(part=True)
        return added

    extract = part(
        "extract", "write the snapshot of an installed framework", "提取已安装框架的快照",
        "facts extract torch", "facts extract mindspore --output -",
    )  # fmt: skip
    extract.add_argument("framework", choices=FRAMEWORKS, help=parser.say("which one", "框架名称"))
    extract.add_argument(
        "--output", metavar="FILE",
        help=parser.say("where to; `-` is standard output; by default `facts/` of the registry",
                        "输出文件，`-` 为标准输出；默认写入登记库的 `facts/`"),
    )  # fmt: skip
    diff = part(
        "diff", "what was added, removed and changed between two snapshots", "比较两份快照：新增、删除和变化",
        "facts diff torch-2.12.0 torch-2.13.0", "facts diff old.json facts/mindspore-2.10.0.json",
    )  # fmt: skip
    for name in ("A", "B"):
        diff.add_argument(
            name.lower(), metavar=name,
            help=parser.say("a snapshot file, or its name in `facts/`", "快照文件，或其在 `facts/` 中的名称"),
        )  # fmt: skip
    part("stats", "how many APIs the snapshots hold", "统计快照中的 API 数量", "facts stats")


def run(args: argparse.Namespace) -> int:
    root = find_root(args.root)
    try:
        if args.part == "extract":
            return _extract(args.framework, args.output, root, args.lang)
        if args.part == "diff":
            return _diff(_snapshot(args.a, root), _snapshot(args.b, root), args.lang)
        files = sorted(facts_folder(root).glob("*-*.json"))
        facts = [snapshot.load(file) for file in files]
    except FactsError as error:
        raise Refusal(error.sentence, error.hint, zh=error.zh) from None
    print("\n".join(statistics_table([(one, snapshot.statistics(one)) for one in facts], args.lang)))
    return 0


def _extract(framework: str, output: str | None, root: Path, language: Language) -> int:
    from mapspore.cli.progress import Progress
    from mapspore.facts.extract.extract import extract

    if sys.flags.optimize >= WITHOUT_DOCSTRINGS:
        raise Refusal(
            "Facts are read from docstrings, which Python leaves out at `-OO`.",
            "Run it without `-OO` and without `PYTHONOPTIMIZE=2`.", 2,
            zh=("事实取自文档字符串，而 Python 在 `-OO` 下会将其去除。",
                "请去掉 `-OO` 或 `PYTHONOPTIMIZE=2` 后重新运行。"),
        )  # fmt: skip
    with Progress(pick(language, f"reading {framework}", f"正在读取 {framework}")) as progress:
        text = extract(framework, progress)
    facts = snapshot.parse(text)
    if output == "-":
        sys.stdout.write(text)
        return 0
    from mapspore.base.output import write_output

    file = Path(output) if output else root / "facts" / f"{framework}-{facts.version}.json"
    same = file.is_file() and file.read_bytes() == text.encode()
    if not same:
        write_output(file, [text])
    done = pick(language, "is up to date", "没有变化") if same else pick(language, "written", "已写入")
    print(f"{file}: {done}")
    print("\n".join(statistics_table([(facts, snapshot.statistics(facts))], language)))
    return 0


def statistics_table(found: list[tuple[Facts, Statistics]], language: Language) -> list[str]:
    """A column per thing that is counted, a line per snapshot."""
    kinds = sorted({kind for _, counts in found for kind, _ in counts.kinds})
    about = sorted({about for _, counts in found for about, _ in counts.notes})
    head = (
        "framework", "version", "APIs", *kinds, "overloads", "aliases", "places", "deprecated",
        *(f"notes: {each}" for each in about), "no signature",
    )  # fmt: skip
    if language == "zh":
        names = {"function": "函数", "class": "类", "method": "方法", "property": "属性", "constant": "常量"}
        noted = {
            "change": "变更预告", "experimental": "实验性", "mode": "运行模式", "platform": "平台", "startup": "启动",
        }  # fmt: skip
        head = (
            "框架", "版本", "API", *(names.get(kind, kind) for kind in kinds), "重载", "别名", "其他路径", "已弃用",
            *(f"说明：{noted.get(each, each)}" for each in about), "无签名",
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
        known = [f"`{file.stem}`" for file in sorted(folder.glob("*-*.json"))]
        raise Refusal(
            f"There is no snapshot `{given}`.", f"In `{folder.name}/` there are {', '.join(known)}.", 2,
            zh=(f"没有快照 `{given}`。", f"`{folder.name}/` 中有 {'、'.join(known)}。"),
        )  # fmt: skip
    return snapshot.load(found)


def _diff(old: Facts, new: Facts, language: Language) -> int:
    from collections import Counter

    from mapspore.facts.diff import diff

    if old.framework != new.framework:
        raise Refusal(
            f"These are snapshots of two frameworks, {old.framework} and {new.framework}.",
            "`facts diff` compares two versions of one; `mapspore show NAME` compares an API of both.", 2,
            zh=(f"这是 {old.framework} 和 {new.framework} 两个框架的快照。",
                "`facts diff` 比较同一框架的两个版本；比较两个框架的 API 请用 `mapspore show 名称`。"),
        )  # fmt: skip
    changes = diff(old, new)
    for change in changes:
        print(change.text(language))
    counts = Counter(change.kind for change in changes)
    en = f"{counts['added']} added, {counts['removed']} removed, {counts['changed']} changed."
    zh = f"新增 {counts['added']}，移除 {counts['removed']}，变更 {counts['changed']}。"
    names = f"{old.framework} {old.version} → {new.framework} {new.version}"
    print(pick(language, f"{names}: {en}", f"{names}：{zh}"))
    return 0
