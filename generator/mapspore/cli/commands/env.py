"""`mapspore env`: what to attach to a report: versions, platform, settings, the registry's numbers."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from mapspore.base.diagnostics import Refusal
from mapspore.base.language import Language
from mapspore.base.paths import find_root
from mapspore.base.terminal import table, visible
from mapspore.cli.complain import complain
from mapspore.cli.options import Parser
from mapspore.cli.surroundings import DISTRIBUTIONS, SET, surroundings
from mapspore.pipeline import load_registry
from mapspore.text.phrases import catalogue, label


def add_arguments(parser: Parser) -> None:
    parser.add_argument("--format", choices=("text", "json"), default="text")


def run(args: argparse.Namespace) -> int:
    root = find_root(args.root)
    try:
        loaded = load_registry(root)
    except Refusal as refusal:  # a report is wanted all the more
        loaded = None
        complain(refusal, args.lang)
    found = surroundings(root, loaded)
    if args.format == "json":
        sys.stdout.write(json.dumps(found, indent=2) + "\n")
        return 0
    said = {key: texts[args.lang] for key, texts in catalogue("env").items()}
    rows = [(said[name], visible(_line(name, value, said, args.lang))) for name, value in found.items() if name in said]
    print("\n".join(table(rows)))
    return 0


def _line(name: str, value: Any, said: dict[str, str], language: Language) -> str:
    """A value in words."""
    if value is None:
        return said["not_installed" if name in DISTRIBUTIONS else "unknown"]
    if name == "registry":
        return said[value]
    comma = label("comma", language)
    if isinstance(value, dict):
        return comma.join(_pair(name, key, each, said) for key, each in value.items()) or said["none"]
    return comma.join(value) or said["none"] if isinstance(value, list) else str(value)


def _pair(name: str, key: str, value: Any, said: dict[str, str]) -> str:
    if name == "variables":
        return f"{key} ({said['is_set']})" if value == SET else f"{key}={value}"
    if name == "evidence":
        key = said["unverified" if key == "none" else key]
    return f"{key} {value}"
