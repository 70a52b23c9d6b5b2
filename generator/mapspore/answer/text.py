"""An answer for a terminal: the resolved data of one entry in, lines of text in one language out.

Wraps at the terminal's width and counts Chinese characters as two columns. Needs only the data, so that
`show` starts fast.
"""

from __future__ import annotations

import re
from typing import Any

from mapspore.base.terminal import width as columns


def answer_text(data: dict[str, Any], labels: dict[str, Any], language: str, width: int) -> str:
    """The whole answer; `labels` is the catalogue of labels, as the index keeps it."""
    say = {key.removeprefix("answer_"): texts[language] for key, texts in labels.items() if key.startswith("answer_")}
    say["comma"], say["colon"] = labels["comma"][language], labels["separator"][language]
    lines = [data["torch"], *_wrapped(data["summary"][language], "  ", width), ""]
    pairs = [(say["verdict"], data["verdict_name"][language])]
    if "unmapped" in data:
        pairs += [(say[key], data["unmapped"][key][language]) for key in ("why", "instead")]
    if "migrate" in data:
        pairs.append((say["instead"], data["migrate"][language]))
    adapter = data["adapter"]
    if adapter is None:
        pairs.append((say["adapter"], say["no_adapter"]))
    else:
        refuses = "migrate" in data or ("unmapped" in data and "runtime" not in data)
        pairs.append((say["adapter"], say["raises"] if refuses else _once(adapter["after"])))
        if data["undeclared"] and not refuses:
            names = say["comma"].join(f"`{name}`" for name in data["undeclared"])
            pairs.append(("", say["undeclared"].format(names=names)))
    if "runtime" in data:
        pairs.append(("", data["runtime"][language]))
    if data["evidence"] is not None:
        pairs.append((say["evidence"], data["evidence"][language]))
    if "note" in data:
        pairs.append((say["note"], data["note"][language]))
    lines += _pairs(pairs, "", width)
    for target in data["targets"]:
        lines += ["", *_target(target, language, say, width)]
    lines += ["", *_pairs([(say["entry"], data["entry"])], "", width)]
    return "\n".join(lines) + "\n"


def _target(target: dict[str, Any], language: str, say: dict[str, str], width: int) -> list[str]:
    lines = [f"→ {target['mindspore']}"]
    pairs = [(say["verdict"], target["verdict_name"][language])]
    if "deprecated" in target:
        ended = target["deprecated"]
        pairs.append(("", say["deprecated"].format(since=ended["since"] or "?", successor=ended["successor"])))
    if target["platforms"]:
        pairs.append((say["platforms"], say["comma"].join(target["platforms"])))
    if target["evidence"] is not None:
        pairs.append((say["evidence"], target["evidence"][language]))
    lines += _pairs(pairs, "  ", width)
    every = [*target["parameters"], *(target["call"]["parameters"] if target["call"] else ()), *target["state"]]
    rows = [
        (row["torch"] or say["comma"].join(row["mindspore"]), row[language])
        for row in every
        if row["kinds"] != ["same"]
    ]
    if target["returns"] and target["returns"]["kinds"] != ["same"]:
        rows.append((say["returns"], target["returns"][language]))
    rows += [(row["about"][language] or say["behaviour"], row[language]) for row in target["behaviours"]]
    if rows:
        lines += [f"  {say['differs']}", *_pairs(rows, "    ", width)]
    if target["combinations"]:
        combined = [
            say["semicolon"].join(f"{each['parameter']}{say['colon']}{each[language]}" for each in row)
            for row in target["combinations"]
        ]
        lines += [
            f"  {say['combinations']}",
            *(line for row in combined for line in _wrapped(row, "      ", width, "    ")),
        ]
    same = list(dict.fromkeys(row["torch"] for row in every if row["kinds"] == ["same"]))
    if same:
        lines += _pairs([(say["agrees"], say["comma"].join(same))], "  ", width)
    if "note" in target:
        lines += _pairs([(say["note"], target["note"][language])], "  ", width)
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


def _once(used: str) -> str:
    """What a use writes once, before the call, in one line."""
    return "; ".join(used.partition("\n\n")[0].split("\n"))


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
