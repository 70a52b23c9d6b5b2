"""HTML taken apart for tests: its tags with attributes, its blocks, its text, its links and anchors."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

_BLOCKS = {"h1", "h2", "h3", "h4", "hr", "li", "ol", "p", "pre", "table", "td", "th", "tr", "ul"}
_TEXTS = {"h1", "h2", "h3", "h4", "li", "p", "td", "th", "title"}


@dataclass
class Tree:
    tags: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    blocks: list[str] = field(default_factory=list)
    """The block elements in order: what makes the skeleton of a page."""
    texts: list[str] = field(default_factory=list)
    """The text of each paragraph, heading, cell and list item."""
    code: list[str] = field(default_factory=list)
    """The text of each code block."""

    @property
    def anchors(self) -> set[str]:
        return {attributes[key] for _, attributes in self.tags for key in ("id", "name") if attributes.get(key)}

    @property
    def links(self) -> list[tuple[str, str]]:
        """Tag and address of everything that a browser loads or follows."""
        return [
            (tag, attributes[key]) for tag, attributes in self.tags for key in ("href", "src") if attributes.get(key)
        ]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tree = Tree()
        self.open: list[tuple[str, list[str]]] = []
        self.hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        self.tree.tags.append((tag, attributes))
        if tag in _BLOCKS:
            self.tree.blocks.append(tag)
        if tag in _TEXTS or tag == "pre":
            self.open.append((tag, []))
        self.hidden += attributes.get("class") == "headerlink"

    def handle_endtag(self, tag: str) -> None:
        if tag == "a" and self.hidden:
            self.hidden -= 1
        if self.open and self.open[-1][0] == tag:
            kind, parts = self.open.pop()
            (self.tree.code if kind == "pre" else self.tree.texts).append("".join(parts))

    def handle_data(self, data: str) -> None:
        if not self.hidden:
            for _, parts in self.open:
                parts.append(data)


def read_html(text: str) -> Tree:
    reader = _Reader()
    reader.feed(text)
    reader.close()
    return reader.tree
