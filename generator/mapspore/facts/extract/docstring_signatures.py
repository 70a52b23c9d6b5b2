"""Signatures that docstrings spell out: a docstring without indentation goes in, its forms come out.

A stated signature is written for people, so it is read leniently: a required parameter may follow an optional
one and a C type may stand before a name.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from mapspore.facts.snapshot import POSITIONAL_OR_KEYWORD, Parameter, Signature


def signatures(doc: str, name: str) -> tuple[Signature, ...]:
    """The calls in a docstring's first line and in its `.. function::` or `.. method::` lines."""
    if f"{name}(" not in doc and f"{name} (" not in doc:
        return ()
    head = re.compile(rf"^(?:\.\. (?:function|method|class)::\s*)?(?:[\w.]+\.)?{re.escape(name)}\s*\(")
    lines = doc.splitlines()
    forms = []
    for number, line in enumerate(lines):
        match = head.match(line)
        if match and (line.startswith("..") or not any(earlier.strip() for earlier in lines[:number])):
            form = signature(" ".join(part.strip() for part in lines[number : number + 8])[match.end() - 1 :])
            if form is not None and form not in forms:
                forms.append(form)
    return tuple(forms)


def signature(text: str) -> Signature | None:
    """Read `(a, b=1, *, c) -> R`."""
    end = _closing(text)
    if end is None:
        return None
    parameters: list[Parameter] = []
    keyword_only = False
    for piece in _split(text[1:end]):
        if piece == "/":
            parameters = [Parameter(p.name, "positional_only", p.default) for p in parameters]
        elif piece == "*":
            keyword_only = True
        elif parameter := _parameter(piece, keyword_only):
            keyword_only = keyword_only or parameter.kind == "var_positional"
            parameters.append(parameter)
        else:
            return None
    arrow = re.match(
        r"\s*->\s*(\([^)]*\)|[\w.]+(?:\[[^\]]*\]+|\([^)]*\))?(?:\s*(?:\||or)\s*[\w.\[\], ]+)?)",
        text[end + 1 :],
    )
    return Signature(tuple(parameters), " ".join(arrow[1].split()).rstrip(":") if arrow else None)


def arguments(doc: str) -> Signature | None:
    """The parameters that the "Args:" section describes; None if an entry cannot be read."""
    return _described(doc, (("Args", POSITIONAL_OR_KEYWORD), ("Keyword Args", "keyword_only")))


def inputs(doc: str) -> Signature | None:
    """The parameters of an operator's call, from its "Inputs:" section; they cannot be given by name."""
    form = _described(doc, (("Inputs", "positional_only"),))
    return form if form and form.parameters else None


def _described(doc: str, sections: tuple[tuple[str, str], ...]) -> Signature | None:
    parameters = []
    for title, kind in sections:
        for entry in _entries(doc, title):
            match = re.match(r"^(?:- \*\*)?(\w+)(?:\*\*)?\s*(?:\((.*?)\)\s*)?(?::| -)\s", entry + " ")
            if match is None:
                return None
            default = re.search(r"Default:?\s*``([^`]+?)\s*``", entry)
            optional = "..." if "optional" in (match[2] or "") else None
            parameters.append(Parameter(match[1], kind, default[1].strip() if default else optional))
    last = max((n for n, p in enumerate(parameters) if p.required and p.kind != "keyword_only"), default=0)
    # A default before a required parameter can never be used.
    return Signature(tuple(replace(p, default=None) if n < last else p for n, p in enumerate(parameters)))


def _entries(doc: str, title: str) -> Iterator[str]:
    """The entries of a section, each on one line; a line that is indented deeper continues its entry."""
    lines = doc.splitlines()
    start = next((n for n, line in enumerate(lines) if line.strip() == f"{title}:"), None)
    if start is None:
        return
    outer = len(lines[start]) - len(lines[start].lstrip())
    inner, entry = None, ""
    for line in lines[start + 1 :]:
        indent = len(line) - len(line.lstrip())
        if line.strip() and indent <= outer:
            break
        inner = indent if inner is None and line.strip() else inner
        if line.strip() and indent == inner and entry:
            yield entry
            entry = ""
        entry = f"{entry} {line.strip()}".strip()
    if entry:
        yield entry


def _parameter(piece: str, keyword_only: bool) -> Parameter | None:
    match = re.match(r"^(\*{0,2})(?:[\w\[\]?]+\s+)?(\w+)\s*(?::\s*([^=]+?)\s*)?(?:=\s*(.+))?$", piece)
    if match is None or match[2][0].isdigit():
        return None
    kind = {"*": "var_positional", "**": "var_keyword"}.get(match[1], POSITIONAL_OR_KEYWORD)
    if keyword_only and kind == POSITIONAL_OR_KEYWORD:
        kind = "keyword_only"
    default = match[4].strip() if match[4] else None
    if default and "<" in default:
        default = "..."  # an object that has no source; its text would hold an address
    if default:
        default = re.sub(r"(?<=\d)\^(?=\d)", "**", default)
    if default and re.fullmatch(r'"[^"\']*"', default):
        default = f"'{default[1:-1]}'"
    return Parameter(match[2], kind, default, annotation=match[3])


def _split(text: str) -> Iterator[str]:
    """Split at the commas that no bracket or quote encloses."""
    depth, quote, piece = 0, "", ""
    for char in text:
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote = char
        elif char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
        if char == "," and not depth and not quote:
            if piece.strip():
                yield piece.strip()
            piece = ""
        else:
            piece += char
    if piece.strip():
        yield piece.strip()


def _closing(text: str) -> int | None:
    depth, quote = 0, ""
    for index, char in enumerate(text):
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote = char
        elif char == "(":
            depth += 1
        elif char == ")":
            depth -= 1
            if not depth:
                return index
    return None
