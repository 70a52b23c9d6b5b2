"""An answer for a terminal: an `EntryView` in, lines of text in one language out.

Wraps at the terminal's width and counts Chinese characters as two columns. Needs only the view, so that
`show` starts fast.
"""

from __future__ import annotations

import re
from typing import Any

from mapspore.base.language import Language
from mapspore.base.terminal import width as columns
from mapspore.view.entry_view import EntryView, TargetView


def answer_text(entry: EntryView, labels: dict[str, Any], language: Language, width: int) -> str:
    """The whole answer; `labels` is the catalogue of labels, as the index keeps it."""
    say = {key.removeprefix("answer_"): texts[language] for key, texts in labels.items() if key.startswith("answer_")}
    say["comma"], say["colon"] = labels["comma"][language], labels["separator"][language]
    lines = [entry.torch, *_wrapped(entry.summary.of(language), "  ", width), ""]
    pairs = [(say["verdict"], entry.verdict_name.of(language))]
    if entry.unmapped:
        pairs.append((say["why"], entry.unmapped.why.of(language)))
        pairs.append((say["instead"], entry.unmapped.instead.of(language)))
    if entry.migrate:
        pairs.append((say["instead"], entry.migrate.of(language)))
    if entry.adapter is None:
        pairs.append((say["adapter"], say["no_adapter"]))
    elif entry.only_raises:
        pairs.append((say["adapter"], say["raises"]))
    else:
        pairs.append((say["adapter"], "; ".join(entry.adapter.written_once)))
        if entry.undeclared:
            names = say["comma"].join(f"`{name}`" for name in entry.undeclared)
            pairs.append(("", say["undeclared"].format(names=names)))
    optional = (("", entry.runtime), (say["evidence"], entry.evidence), (say["note"], entry.note))
    pairs += [(key, text.of(language)) for key, text in optional if text]
    lines += _pairs(pairs, "", width)
    for target in entry.targets:
        lines += ["", *_target(target, language, say, width)]
    lines += ["", *_pairs([(say["entry"], entry.entry)], "", width)]
    return "\n".join(lines) + "\n"


def _target(target: TargetView, language: Language, say: dict[str, str], width: int) -> list[str]:
    lines = [f"→ {target.mindspore}"]
    pairs = [(say["verdict"], target.verdict_name.of(language))]
    if end := target.deprecated:
        pairs.append(("", say["deprecated"].format(since=end.since or "?", successor=end.successor)))
    if target.platforms:
        pairs.append((say["platforms"], say["comma"].join(target.platforms)))
    if target.evidence:
        pairs.append((say["evidence"], target.evidence.of(language)))
    lines += _pairs(pairs, "  ", width)
    rows = [
        (row.torch or say["comma"].join(row.mindspore), row.of(language))
        for row in target.rows
        if row.differs
    ]  # fmt: skip
    if target.returns and target.returns.differs:
        rows.append((say["returns"], target.returns.of(language)))
    rows += [(each.about.of(language) or say["behaviour"], each.of(language)) for each in target.behaviours]
    if rows:
        lines += [f"  {say['differs']}", *_pairs(rows, "    ", width)]
    if target.combinations:
        combined = [
            say["semicolon"].join(f"{choice.parameter}{say['colon']}{choice.of(language)}" for choice in row)
            for row in target.combinations
        ]
        lines += [
            f"  {say['combinations']}",
            *(line for row in combined for line in _wrapped(row, "      ", width, "    ")),
        ]
    same = list(dict.fromkeys(row.torch or "" for row in target.rows if not row.differs))
    if same:
        lines += _pairs([(say["agrees"], say["comma"].join(same))], "  ", width)
    if target.note:
        lines += _pairs([(say["note"], target.note.of(language))], "  ", width)
    return lines


def _pairs(pairs: list[tuple[str, str]], indent: str, width: int) -> list[str]:
    """Two columns, the second one wrapped."""
    column = max(columns(key) for key, _ in pairs) + 2
    lines = []
    for key, text in pairs:
        lead = indent + key + " " * (column - columns(key))
        lines += _wrapped(text, indent + " " * column, width, lead)
    return lines


_PIECES = re.compile(
    r"`[^`]*`[，。；：、！？）.,;:!?)]*|[\u3000-\u9fff\uff00-\uffef][，。；：、！？）]*|[^\s\u3000-\u9fff\uff00-\uffef`]+|\s+"
)


def _wrapped(text: str, indent: str, width: int, lead: str | None = None) -> list[str]:
    """Lines no wider than `width`; Chinese may break anywhere but before punctuation, code never does."""
    lines: list[str] = []
    line = indent if lead is None else lead
    start = columns(line)
    used, empty = start, True
    for piece in _PIECES.findall(text):
        if not empty and used + columns(piece.rstrip()) > width:
            lines.append(line.rstrip())
            line, used, empty = indent, columns(indent), True
        if empty and piece.isspace():
            continue
        line, used, empty = line + piece, used + columns(piece), False
    return [*lines, line.rstrip()]
