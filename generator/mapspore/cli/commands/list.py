"""`mapspore list`: every entry with its counterparts and the verdict on each."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from mapspore.base.diagnostics import Refusal
from mapspore.base.language import LANGUAGES, Language, pick
from mapspore.base.paths import find_root
from mapspore.base.terminal import table, visible
from mapspore.cli.options import Parser
from mapspore.cli.progress import Progress
from mapspore.pipeline import Loaded, load_registry
from mapspore.resolve.registry import Mapping
from mapspore.text.phrases import verdict_name

JSON_FORMAT = 1


def add_arguments(parser: Parser) -> None:
    parser.add_argument(
        "--filter", metavar="TEXT", default="",
        help=parser.say("only entries that contain all these words in a name or a verdict",
                        "只列出名称或结论中含有全部这些词的条目"),
    )  # fmt: skip
    parser.add_argument(
        "--format", choices=("text", "json"), default="text",
        help=parser.say("a table (the default), or json", "输出格式：表格（默认）或 json"),
    )  # fmt: skip


def run(args: argparse.Namespace) -> int:
    root = find_root(args.root)
    with Progress(pick(args.lang, "reading the registry", "正在读取登记库")):
        loaded = load_registry(root)
    found = [mapping for mapping in loaded.registry.mappings if matches(mapping, args.filter)]
    if args.filter and not found:
        raise Refusal(
            f"No entry matches `{args.filter}`.", "`mapspore list` shows all of them.",
            zh=(f"没有条目与 `{args.filter}` 匹配。", "`mapspore list` 列出全部条目。"),
        )  # fmt: skip
    if args.format == "json":
        content = {"format": JSON_FORMAT, "entries": [as_data(mapping) for mapping in found]}
        print(json.dumps(content, ensure_ascii=False, indent=2))
    else:
        print("\n".join(as_table(found, args.lang)))
    return _admit_gaps(loaded, args.lang)


def matches(mapping: Mapping, wanted: str) -> bool:
    """Whether every word stands in one of the names or verdicts, however it is written."""
    names = [mapping.name, *mapping.entry.aliases]
    for counterpart in mapping.counterparts:
        names += [counterpart.target.mindspore, counterpart.id]
    for verdict in {mapping.verdict, *(counterpart.verdict for counterpart in mapping.counterparts)}:
        names += [verdict, *(verdict_name(verdict, language) for language in LANGUAGES)]
    text = "\n".join(names).lower()
    return all(word in text for word in wanted.lower().split())


def as_data(mapping: Mapping) -> dict[str, Any]:
    """One entry for programs."""
    targets = [{"id": c.id, "mindspore": c.target.mindspore, "verdict": c.verdict} for c in mapping.counterparts]
    return {
        "torch": mapping.name,
        "aliases": list(mapping.entry.aliases),
        "verdict": mapping.verdict,
        "targets": targets,
        "path": mapping.source.path,
    }


def as_table(mappings: list[Mapping], language: Language) -> list[str]:
    """A line per counterpart, and a closing line that counts."""
    rows = [("torch", "MindSpore", pick(language, "verdict", "结论"))]
    for mapping in mappings:
        pairs = [(c.target.mindspore, c.verdict) for c in mapping.counterparts] or [("-", mapping.verdict)]
        for number, (name, verdict) in enumerate(pairs):
            first = visible(mapping.name) if number == 0 else ""
            rows.append((first, visible(name), verdict_name(verdict, language)))
    count = len(mappings)
    closing = pick(
        language,
        f"{count} {'entry' if count == 1 else 'entries'}. `mapspore show NAME` tells more about one.",
        f"共 {count} 个条目。用 `mapspore show 名称` 查看详情。",
    )
    return [*table(rows), closing]


def _admit_gaps(loaded: Loaded, language: Language) -> int:
    """Says how many files are not in the list because they could not be understood."""
    gaps = len(loaded.sources) - len(loaded.registry.mappings)
    if not gaps:
        return 0
    en = f"{gaps} {'file' if gaps == 1 else 'files'} with mistakes could not be listed; run `mapspore check`."
    zh = f"另有 {gaps} 个文件因有错误未能列出，请运行 `mapspore check`。"
    print(pick(language, en, zh), file=sys.stderr)
    return 1
