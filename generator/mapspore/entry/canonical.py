"""The canonical form of an entry's YAML: one key order, one layout, comments kept where they stood.

A `Source` that parsed goes in, its canonical text comes out. `check` compares the two; `fix` writes the
canonical one. Returns None where a comment stands at a place that the canonical layout does not have.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from functools import cache, lru_cache
from pathlib import PurePosixPath
from typing import Any, cast, get_args, get_origin

import yaml
from yaml._yaml import CParser

from mapspore.entry.load import Block, Items, Source
from mapspore.entry.model import Argument, Collective, Correction, Delivery, Entry, Model, Tensors, WordUse

WIDTH = 100
SCHEMA_FILE = "entry.schema.json"
MODELINE = "# yaml-language-server:"
_ON_ONE_LINE = (Argument, Collective, Correction, Delivery, Tensors)


class Shape:
    """What the model says about the keys at one spot: their order, and whether they may be on one line."""

    __slots__ = ("flow", "item", "keys")

    def __init__(self, keys: dict[str, Shape] | None = None, item: Shape | None = None, flow: bool = True) -> None:
        self.keys = keys
        self.item = item
        self.flow = flow


_FREE = Shape()


@cache
def shape_of(annotation: Any) -> Shape:
    """The shape of a type annotation of the model."""
    if annotation is WordUse:
        return _FREE
    if isinstance(annotation, type) and issubclass(annotation, Model):
        fields = annotation.model_fields.items()
        keys = {field.alias or name: shape_of(cast(Any, field.annotation)) for name, field in fields}
        return Shape(keys, flow=annotation in _ON_ONE_LINE)
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is dict:
        return Shape(item=shape_of(arguments[1]))
    if origin is tuple:
        return Shape(item=shape_of(arguments[0]))
    shapes = [shape_of(argument) for argument in arguments]
    return next((shape for shape in shapes if shape is not _FREE), _FREE)


def modeline(path: str) -> str:
    """The line that tells an editor which schema the file follows, relative to the file."""
    parts = PurePosixPath(path).parts
    depth = len(parts) - parts.index("mappings") - 2 if "mappings" in parts else 0
    return f"{MODELINE} $schema={'../' * depth}{SCHEMA_FILE}"


def without_modeline(text: str) -> str:
    """The text for a place where no schema lies beside it."""
    return text[text.find("\n") + 1 :] if text.startswith(MODELINE) else text


def canonical(source: Source) -> str | None:
    """The canonical text, or None if a comment has no place in it."""
    writer = _write(source)
    return None if writer.lost else "\n".join([modeline(source.path), *writer.lines, ""])


def misplaced_comment(source: Source) -> int:
    """The line of the first comment that has no place in the canonical text."""
    return min(_write(source).lost, default=1)


def _write(source: Source) -> _Writer:
    text = source.text
    body = without_modeline(text)
    writer = _Writer(source.data, _comments(text) if "#" in body else {})
    writer.block(source.data, shape_of(Entry), "")
    writer.lines += writer.last
    writer.lost |= writer.above.keys() | writer.beside.keys()
    return writer


class _Writer:
    """Lines of canonical text; comments stay with the key or item that they stand above or beside."""

    def __init__(self, data: Any, comments: dict[int, tuple[bool, str]]) -> None:
        self.lines: list[str] = []
        self.above: dict[int, list[str]] = {}
        self.beside: dict[int, str] = {}
        self.last: list[str] = []
        self.lost: set[int] = set()
        holders = sorted(_lines_of(data)) if comments else []
        for line, (alone, text) in sorted(comments.items()):
            if alone:
                at = bisect_right(holders, line)
                (self.above.setdefault(holders[at], []) if at < len(holders) else self.last).append(text)
            elif line in holders:
                self.beside[line] = text
            else:
                self.lost.add(line)

    def block(self, node: Block, shape: Shape, indent: str, first: str | None = None) -> None:
        """A mapping, a key per line; `first` replaces the indentation of the first line (after `- `)."""
        for key in _ordered(node, shape):
            at = node.keys_at[key][0]
            self.comment(at, indent)
            self.value(
                (first if first is not None else indent) + name_text(key) + ":",
                node[key],
                _below(shape, key),
                indent,
                at,
            )
            first = None

    def value(self, lead: str, value: Any, shape: Shape, indent: str, at: int) -> None:
        if not isinstance(value, (Block, Items)):
            self.line(f"{lead} {scalar_text(value)}", at)
            return
        flow = self.on_one_line(value, shape, len(lead) + 1, at)
        if flow is not None:
            self.line(f"{lead} {flow}", at)
        elif isinstance(value, Block):
            self.line(lead, at)
            self.block(value, shape, indent + "  ")
        else:
            self.line(lead, at)
            self.items(value, shape, indent + "  ")

    def items(self, node: Items, shape: Shape, indent: str) -> None:
        below = shape.item or _FREE
        for item, span in zip(node, node.items_at, strict=True):
            self.comment(span[0], indent)
            if isinstance(item, (Block, Items)):
                flow = self.on_one_line(item, below, len(indent) + 2, span[0])
                if flow is not None:
                    self.line(f"{indent}- {flow}", span[0])
                elif isinstance(item, Block):
                    self.block(item, below, indent + "  ", first=indent + "- ")
                else:
                    self.line(f"{indent}-", span[0])
                    self.items(item, below, indent + "  ")
            else:
                self.line(f"{indent}- {scalar_text(item)}", span[0])

    def on_one_line(self, node: Block | Items, shape: Shape, used: int, at: int) -> str | None:
        """The node in braces or brackets, if the model, the width and the comments allow it."""
        if not node:
            return "{}" if isinstance(node, Block) else "[]"
        text = _flow(node, shape)
        if text is None or used + len(text) > WIDTH:
            return None
        if self.above or self.beside:
            last = _last_line(node)
            if any(at < line <= last for line in (*self.above, *self.beside)):
                return None
        return text

    def comment(self, at: int, indent: str) -> None:
        """The comments that stand on their own above a line."""
        if self.above:
            self.lines += [indent + text for text in self.above.pop(at, ())]

    def line(self, text: str, at: int) -> None:
        beside = self.beside.pop(at, None) if self.beside else None
        self.lines.append(text if beside is None else f"{text}  {beside}")


def _lines_of(node: Any) -> set[int]:
    """The lines on which a key or an item starts."""
    if isinstance(node, Block):
        own = {span[0] for span in node.keys_at.values()}
        return own.union(*(_lines_of(value) for value in node.values()))
    if isinstance(node, Items):
        return {span[0] for span in node.items_at}.union(*(_lines_of(item) for item in node))
    return set()


def _ordered(node: Block, shape: Shape) -> list[str]:
    if shape.keys is None:
        return list(node)
    return [key for key in shape.keys if key in node] + [key for key in node if key not in shape.keys]


def _below(shape: Shape, key: str) -> Shape:
    if shape.keys is not None:
        return shape.keys.get(key, _FREE)
    return shape.item or _FREE


def _flow(node: Any, shape: Shape) -> str | None:
    if type(node) is Block:
        if not shape.flow or "en" in node or "zh" in node:
            return None
        parts = []
        for key in _ordered(node, shape):
            below = _flow(node[key], _below(shape, key))
            if below is None:
                return None
            parts.append(f"{name_text(key, flow=True)}: {below}")
        return "{" + ", ".join(parts) + "}"
    if type(node) is Items:
        items = [_flow(item, shape.item or _FREE) for item in node]
        return None if None in items else "[" + ", ".join(item or "" for item in items) + "]"
    return name_text(node, flow=True) if type(node) is str else scalar_text(node, flow=True)


def _last_line(node: Any) -> int:
    if isinstance(node, Block):
        return max((max(node.values_at[key][0], _last_line(node[key])) for key in node), default=node.span[0])
    if isinstance(node, Items):
        ends = (max(span[0], _last_line(item)) for item, span in zip(node, node.items_at, strict=True))
        return max(ends, default=node.span[0])
    return 0


# Runs of harmless characters are matched whole, not sign by sign: every text of the registry passes here.
_HARMLESS = r"[^:#\x00-\x1f\x7f-\x9f\ufeff\ufffe\uffff\ud800-\udfff]*"
_PLAIN = re.compile(rf"[A-Za-z_\u3400-\u9fff]{_HARMLESS}(?:(?::(?! |\Z)|(?<! )#){_HARMLESS})*\Z")
_OTHERWISE = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})
_FLOW_SIGNS = re.compile(r"[,\[\]{}]|:")


def scalar_text(value: Any, flow: bool = False) -> str:
    """A scalar as YAML: plain where every reader takes it for the same text, else in double quotes."""
    if isinstance(value, str):
        plain = _PLAIN.match(value) and value[-1] != " " and value.lower() not in _OTHERWISE
        if plain and not (flow and _FLOW_SIGNS.search(value)):
            return value
        return json.dumps(value, ensure_ascii=False)
    if value is None:
        return "null"
    if value is True or value is False:
        return "true" if value else "false"
    return repr(value)


@lru_cache(maxsize=4096)
def name_text(name: str, flow: bool = False) -> str:
    """A key or another name as YAML; remembered, for the same few make up half of every entry."""
    return scalar_text(name, flow)


def _comments(text: str) -> dict[int, tuple[bool, str]]:
    """By line: whether the comment stands alone on it, and its text. The modeline is not one."""
    scalars = [
        (token.start_mark.index, token.end_mark.index)
        for token in yaml.scan(text, Loader=cast(Any, CParser))
        if isinstance(token, yaml.ScalarToken)
    ]
    found: dict[int, tuple[bool, str]] = {}
    start = 0
    for number, line in enumerate(text.split("\n"), 1):
        if "#" in line and not line.lstrip().startswith(MODELINE):
            for match in re.finditer(r"(?:(?<=\s)|^)#", line):
                at = start + match.start()
                if not any(first <= at < last for first, last in scalars):
                    comment = line[match.start() :].rstrip()
                    found[number] = (not line[: match.start()].strip(), comment)
                    break
        start += len(line) + 1
    return found
