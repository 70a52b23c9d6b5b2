"""`mapspore schema`: the JSON Schema of an entry, for editors."""

from __future__ import annotations

import argparse
import sys

from mapspore.author.schema import schema_text
from mapspore.cli.options import Parser


def add_arguments(parser: Parser) -> None:
    """The command `schema` has no options of its own."""


def run(args: argparse.Namespace) -> int:
    sys.stdout.write(schema_text())
    return 0
