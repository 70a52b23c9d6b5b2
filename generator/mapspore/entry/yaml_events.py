"""YAML text in, plain data out, with the place of every key and value.

Read as events and built without recursion, so hostile nesting cannot exhaust the stack; anchors, aliases, merge
keys, tags and duplicate keys are refused here. What the data mean is left to `parse`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any, final

import yaml
from yaml import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)
from yaml._yaml import CParser  # the C parser's event interface, several times faster than the loader

from mapspore.base.diagnostics import Diagnostic, Place

DEEPEST = 24

Span = tuple[int, int, int]  # line, column, width; line and column count from 1


@final
class Block(dict[str, Any]):
    """A mapping as read, with the span of each key and of each value."""

    __slots__ = ("flow", "keys_at", "span", "values_at")

    def __init__(self, span: Span, flow: bool) -> None:
        super().__init__()
        self.span = span
        self.flow = flow
        self.keys_at: dict[str, Span] = {}
        self.values_at: dict[str, Span] = {}


@final
class Items(list[Any]):
    """A list as read, with the span of each item."""

    __slots__ = ("flow", "items_at", "span")

    def __init__(self, span: Span, flow: bool) -> None:
        super().__init__()
        self.span = span
        self.flow = flow
        self.items_at: list[Span] = []


# Control characters, and those that hide, or turn the direction of, what stands beside them.
UNWANTED = re.compile(
    r"[\x00-\x09\x0b-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]"
)


_WORDS = {"true": True, "false": False, "null": None, "~": None, "": None}
_INTEGER = re.compile(r"[-+]?[0-9]{1,18}\Z")
_FLOAT = re.compile(r"[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+)(?:[eE][-+]?[0-9]+)?\Z")


def scalar(text: str) -> Any:
    """A plain scalar: true, false, null and numbers; everything else is text (`on` and `None` too)."""
    if text in _WORDS:
        return _WORDS[text]
    first = text[0]
    if first.isdigit() or first in "+-.":
        if _INTEGER.match(text):
            return int(text)
        if _FLOAT.match(text) and math.isfinite(number := float(text)):
            return number
    return text


def data_of(text: str, path: str) -> tuple[Any, list[Diagnostic]]:
    """The data, or None and what is wrong: half of a file would only cause further complaints.

    Iterative: `stack` holds the open containers, `key` the key that waits for a value.
    """
    problems: list[Diagnostic] = []
    next_event: Callable[[], Any] = CParser(text).get_event
    data: Any = None
    stack: list[tuple[Block | Items, str | None]] = []
    node: Block | Items | None = None
    key: str | None = None
    documents = 0
    try:
        while (event := next_event()) is not None:
            kind = type(event)
            if kind is ScalarEvent or kind is MappingStartEvent or kind is SequenceStartEvent:
                mark = event.start_mark
                line, column = mark.line + 1, mark.column + 1
                if event.anchor is not None:
                    problems.append(Diagnostic("M104", Place(path, line, column, len(event.anchor) + 1)))
                if event.tag is not None:
                    tag = event.tag.replace("tag:yaml.org,2002:", "!!", 1)
                    problems.append(Diagnostic("M105", Place(path, line, column, len(tag)), (("tag", _short(tag)),)))
                value: Any
                if kind is ScalarEvent:
                    end = event.end_mark
                    span = (line, column, (end.column - column + 1 or 1) if end.line == line - 1 else 1)
                    value = event.value
                    if event.style == '"' and (unwanted := UNWANTED.search(value)):
                        values = (("character", f"U+{ord(unwanted[0]):04X}"),)
                        problems.append(Diagnostic("M005", Place(path, *span), values))
                    if key is None and type(node) is Block:  # this scalar is a key
                        if value == "<<" and event.implicit[0]:
                            problems.append(Diagnostic("M104", Place(path, *span)))
                        if value in node.keys_at:
                            first = str(node.keys_at[value][0])
                            problems.append(
                                Diagnostic("M103", Place(path, *span), (("key", _short(value)), ("first", first)))
                            )
                        node.keys_at[value] = span
                        key = value
                        continue
                    if event.implicit[0]:
                        value = scalar(value)
                else:
                    flow = bool(event.flow_style)
                    span = (line, column, 1)
                    value = Block(span, flow) if kind is MappingStartEvent else Items(span, flow)
                    if key is None and type(node) is Block:
                        problems.append(Diagnostic("M108", Place(path, *span)))
                        return None, problems
                if key is not None:
                    assert type(node) is Block
                    node[key] = value
                    node.values_at[key] = span
                    key = None
                elif type(node) is Items:
                    node.append(value)
                    node.items_at.append(span)
                else:
                    data = value
                if kind is not ScalarEvent:
                    if node is not None:
                        stack.append((node, None))
                    node = value
                    if len(stack) > DEEPEST:
                        problems.append(Diagnostic("M011", Place(path, *span), (("limit", str(DEEPEST)),)))
                        return None, problems
            elif kind is MappingEndEvent or kind is SequenceEndEvent:
                node, key = stack.pop() if stack else (None, None)
            elif kind is AliasEvent:
                mark = event.start_mark
                problems.append(Diagnostic("M104", Place(path, mark.line + 1, mark.column + 1, len(event.anchor) + 1)))
                return None, problems
            elif kind is DocumentStartEvent:
                documents += 1
                if documents > 1:
                    problems.append(Diagnostic("M010", Place(path, event.start_mark.line + 1)))
                    return None, problems
    except yaml.MarkedYAMLError as problem:
        return None, [*problems, _not_yaml(text, path, problem)]
    except yaml.YAMLError:
        return None, [*problems, Diagnostic("M008", Place(path))]
    if documents == 0 or data is None:
        problems.append(Diagnostic("M009", Place(path)))
    return (None if problems else data), problems


_VARIANTS = (
    ("mapping values are not allowed", "colon"),
    ("cannot start any token", "start"),
    ("unexpected end of stream", "unclosed"),
    ("did not find expected ',' or", "unclosed"),
    ("expected <block end>", "indent"),
    ("did not find expected key", "indent"),
    ("did not find expected '-' indicator", "indent"),
)


def _not_yaml(text: str, path: str, problem: yaml.MarkedYAMLError) -> Diagnostic:
    mark = problem.problem_mark or problem.context_mark
    place = Place(path, mark.line + 1, mark.column + 1) if mark else Place(path)
    said = str(problem.problem or "")
    variant = next((name for part, name in _VARIANTS if part in said), "")
    if variant == "colon" and ": " not in text.split("\n")[place.line - 1][: place.column - 1]:
        variant = "indent"  # the first colon of its line: the key itself stands in a wrong column
    return Diagnostic("M008", place, variant=variant)


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."
