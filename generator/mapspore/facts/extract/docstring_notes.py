"""What MindSpore's docstrings warn of: a docstring without indentation goes in, its notes come out.

A note is a sentence as it is written, with what could be read from it: the version after which something changes, the
platforms, modes and dtypes it names, the parameter it stands under. Examples and the list of platforms have none, nor
has a sentence about the API's own deprecation, which `docstring` reads.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from mapspore.facts.extract import docstring
from mapspore.facts.snapshot import Note

PLATFORMS = ("Ascend", "GPU", "CPU")
DTYPES = (
    "bool", "int4", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32",
    "float64", "bfloat16", "complex64", "complex128", "hifloat8", "float8_e4m3fn", "float8_e5m2",
)  # fmt: skip
SKIPPED = ("Examples", "Example", "Tutorial Examples", "Supported Platforms", "References", "Raise", "Raises", "math")
DESCRIBED = ("Args", "Keyword Args", "Inputs", "Outputs")
"""Sections that describe one thing after the other."""

_TITLE = re.compile(r"^(?:\.\. (\w+)::|([A-Z]\w*(?: [A-Z]\w*)*):)\s*(.*)$")
_NESTED = re.compile(r"^[-*] (\w+) \([^()]*\):\s*(.*)$")
_TYPE = r"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"
_NAME = r"^(?:- \*\*(\w+)\*\*|\*{0,2}(\w+))"
_PARAMETER = re.compile(rf"{_NAME} ?(?:{_TYPE}\s*(?::| -)|:)\s*(.*)$")
_OPEN = re.compile(rf"{_NAME} ?\(()")
_CLOSED = re.compile(r"^.*?\)\s*(?::| -)\s*")
_CHANGE = re.compile(
    r"\b(?:[Aa]fter|[Ss]ince|[Ff]rom|[Ii]n)(?: the)? version \d+(?:\.\d+)+"
    r"|incompatible|non-compatible|[Nn]on-backward-compatible"
    r"|\b[Ii]n (?:a |the )?future (?:version|release)s?\b|\b[Aa] future (?:version|release)\b",
)
_VERSION = re.compile(r"version (\d+(?:\.\d+)+)")
_WILL = re.compile(r"\bwill\b|\bchange")
_EXPERIMENTAL = re.compile(r"^(?:This|this|The) (?:\w+ )?(?:is|are) (?:an? )?experimental\b")
_GRAPH = r"(?:[Gg]raph [Mm]ode|GRAPH_MODE|`graph mode[^`]*`_)"
_PYNATIVE = r"(?:[Pp]y[Nn]ative(?: [Mm]ode)?|PYNATIVE(?:_MODE| mode)?)"
_MODE = re.compile(rf"{_GRAPH}|{_PYNATIVE}|\b[Ss]tatic graph\b|\bJIT\b|(?<![\w.])jit\b")
_API = r"(?:(?:This|The|the current) (?:\w+ )?(?:API|api|interface|method|function|operator|operation|module|class) )?"
_ONLY = rf"^{_API}(?:is )?(?:currently )?[Oo]nly support(?:s|ed)?(?: (?:in|under))?(?: the)?"
_NOT = rf"^{_API}(?:is (?:currently )?not (?:currently )?supported in|does not support)(?: the)?"
_PYNATIVE_ONLY = re.compile(rf"{_ONLY} `?{_PYNATIVE}|{_NOT} {_GRAPH}")
_GRAPH_ONLY = re.compile(rf"{_ONLY} `?{_GRAPH}|{_NOT} {_PYNATIVE}")
_STARTUP = re.compile(r"before (?:the definition of any|any|the creation of (?:any )?|creating (?:any )?)\s?Tensor"
                      r"|before (?:the )?(?:initialization|definition) of (?:any )?(?:Tensor|network)")  # fmt: skip
_PLATFORM = re.compile(r"\b(?:Ascend|GPU|CPU|NPU|Atlas)\b")
_GROUP = re.compile(r"\w+_world_group|msrun|rank table|Rank Table")


@dataclass(frozen=True, slots=True)
class _Block:
    """A paragraph or an item of a list on one line, with the section and the parameter it stands under."""

    section: str
    parameter: str | None
    text: str
    item: bool


def notes(doc: str, name: str) -> tuple[Note, ...]:
    """The notes of an API, in the order of the docstring."""
    found: dict[Note, None] = {}
    announced: str | None = None
    section = ""
    for block in _blocks(doc):
        said = [sentence.removeprefix("- ").removeprefix("* ").strip() for sentence in docstring.sentences(block.text)]
        if block.section != section or not (block.section or block.item):
            section, announced = block.section, None
        for text in said:
            note = None if docstring.is_deprecation(text, name) else _note(text, block.parameter, announced)
            if note is not None and not (note.about == "change" and text.endswith(":")):
                found.setdefault(note)
        # "After version 2.9.0, this API will undergo an incompatible change:" is followed by the changes as a list.
        if said and said[-1].endswith(":") and _CHANGE.search(said[-1]):
            version = _VERSION.search(said[-1])
            announced = version[1] if version else announced
    return tuple(found)


def _note(text: str, parameter: str | None, announced: str | None) -> Note | None:
    platforms = tuple(name for name in PLATFORMS if re.search(rf"\b{name}\b", text))
    dtypes = tuple(name for name in DTYPES if re.search(rf"(?<![\w.(])(?:mindspore\.|mstype\.)?{name}\b", text))
    if announced or (_CHANGE.search(text) and _WILL.search(text)):
        version = _VERSION.search(text)
        return Note("change", text, parameter, version[1] if version else announced)
    if _EXPERIMENTAL.search(text):
        return Note("experimental", text, parameter)
    if _STARTUP.search(text):
        return Note("startup", text, parameter, platforms=platforms)
    if _MODE.search(text):
        return Note("mode", text, parameter, platforms=platforms, modes=_modes(text), dtypes=dtypes)
    if _PLATFORM.search(text) and not _GROUP.search(text):
        return Note("platform", text, parameter, platforms=platforms, dtypes=dtypes)
    return None


def _modes(text: str) -> tuple[str, ...]:
    """The only mode that a sentence says is supported, if it says so."""
    if _PYNATIVE_ONLY.search(text):
        return ("pynative",)
    return ("graph",) if _GRAPH_ONLY.search(text) else ()


def _blocks(doc: str) -> Iterator[_Block]:
    section, parameter, outer, entry = "", None, -1, -1
    open_type = False
    lines: list[str] = []
    for line in [*doc.splitlines(), ""]:
        text = line.strip()
        indent = len(line) - len(line.lstrip())
        title = _TITLE.match(text)
        directive = title is not None and bool(title[1])
        heads = title is not None and (indent <= outer or not section)
        starts = _entry(text) if section in DESCRIBED and indent > outer and (entry < 0 or indent <= entry) else None
        if lines and (not text or heads or directive or starts or text.startswith(("- ", "* "))):
            yield _block(section, parameter, " ".join(lines))
            lines = []
        if not text:
            continue
        if indent <= outer:
            section, parameter, outer, entry = "", None, -1, -1
        if title is not None and (heads or directive):
            text = title[3]
            if heads:
                section, parameter, outer, entry = title[1] or title[2], None, indent, -1
        elif starts is not None:
            parameter, entry = starts[1] or starts[2], indent
            text, open_type = starts[3], starts.re is _OPEN
        elif open_type:
            open_type, text = not _CLOSED.match(text), _CLOSED.sub("", text)
        if text and section not in SKIPPED and not text.startswith((">>>", "...")):
            lines.append(text)


def _entry(text: str) -> re.Match[str] | None:
    """The beginning of a parameter's description; its type may go on in the next line."""
    return _PARAMETER.match(text) or (_OPEN.match(text) if text.count("(") > text.count(")") else None)


def _block(section: str, parameter: str | None, text: str) -> _Block:
    # An item such as "- use_offload (bool): ..." under `kwargs` describes a parameter of its own.
    nested = _NESTED.match(text)
    item = text.startswith(("- ", "* "))
    return _Block(section, nested[1], nested[2], item) if nested else _Block(section, parameter, text, item)
