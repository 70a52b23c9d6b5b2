"""Words and arguments as Python. In: how a word is used, or what a MindSpore parameter receives. Out: source text."""

from __future__ import annotations

from mapspore.adapter.python_source import repr_
from mapspore.entry.model import WordUse
from mapspore.facts.snapshot import Parameter


def options(use: WordUse) -> list[str]:
    """The options of a word as keyword arguments."""
    return [f"{name}={repr_(value)}" for name, value in sorted(use.options.items())]


def argument(receiver: Parameter, expression: str) -> str:
    """One argument of a call: by keyword, unless the parameter is not taken so."""
    lead = {"var_positional": "*", "var_keyword": "**", "positional_only": ""}.get(receiver.kind)
    return f"{receiver.name}={expression}" if lead is None else f"{lead}{expression}"
