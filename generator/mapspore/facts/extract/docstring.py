"""Docstrings as facts: a docstring goes in; return value, platforms, deprecation and pointers come out.

Both frameworks write them by hand, so everything here reads leniently and returns nothing rather than a
guess. The docstrings come without their indentation. Signatures in them are left to `docstring_signatures`.
"""

import inspect
import re
from collections.abc import Iterator
from typing import Any

from mapspore.facts.snapshot import Deprecation

LONGEST_RETURN = 160

_ROLE = r":[a-z:]+:`~?\.?([^`<]+?)`"
_NAME = rf"(?:{_ROLE}|``?([A-Za-z_][\w.]*)``?|'([\w.]+)'|((?:torch|mindspore|ops|nn|mint)\.[\w.]*\w))"
_ALIAS = re.compile(rf"^Alias (?:for|of|to)\s+{_NAME}\s*\.?$")
_SEE = re.compile(rf"^(?:See|For details,? please refer to|For more details,? please refer to|"
                  rf"Please refer to|Refer to|For details, please see)\s+{_NAME}")  # fmt: skip
_DEPRECATED = re.compile(
    r"^(?:\.\. (?:warning|note|deprecated)::\s*|(?:Warning|Note):\s*|[-*]\s+)?"
    r"(?:(?:This|The|the current|The current) (?:\w+ )?"
    r"(?:function|class|interface|api|API|method|operator|op|optimizer|module)|(?P<subject>\S+))"
    r"(?: \(\w+\))? (?:is|has been|will be|was) (?:now )?deprecated\b"
)
_SINCE = re.compile(r"deprecated (?:from|since|in)(?: the)?(?: version)? v?(\d+(?:\.\d+)+)")
_REMOVAL = re.compile(r"removed (?:after|from) version (\d+(?:\.\d+)+)")
_SUBSTITUTE = re.compile(
    rf"(?:use|used|favor of|replaced by|switch to|refer to|superseded by)\s+(?:the )?(?:\w+ )??{_NAME}",
    re.IGNORECASE,
)
_ADVICE = re.compile(r"^(?:Please |It is recommended to |You can |Users should )?(?:use|Use|refer to|switch to)\b")
_SENTENCE_END = re.compile(r"(?<!e\.g)(?<!i\.e)(?<!etc)(?<=[\w`')\]*])\s?\.(?:\s+(?=[A-Z`:'(\[-])|$)")


def of(value: Any) -> str:
    """An object's docstring without indentation; a class does not inherit that of its base."""
    if not isinstance(value, type):
        return inspect.getdoc(value) or ""
    return inspect.cleandoc(value.__doc__) if isinstance(value.__doc__, str) else ""


def returned(doc: str) -> str | None:
    """The first sentence under "Returns:" (or "Outputs:"); of a list of values, their names and types."""
    lines = list(_section(doc, ("Returns", "Return", "Outputs")))
    if not lines:
        return None
    if lines[0].startswith(("- ", "* ")):
        heads = [re.split(r"\s+[-–:]\s|:\s", line[2:])[0] for line in lines if line.startswith(("- ", "* "))]
        text = "; ".join(head.replace("**", "").strip(" .") for head in heads)
    else:
        end = next((n for n, line in enumerate(lines) if not line or line.startswith(("- ", "* "))), len(lines))
        text = next(sentences(" ".join(lines[:end])), "")
    return _shortened(text).rstrip(" .:,") or None


def platforms(doc: str) -> tuple[str, ...]:
    """The names under "Supported Platforms:", as written."""
    text = " ".join(line for line in _section(doc, ("Supported Platforms",)) if line)
    quoted = re.findall(r"``\s*([^`]+?)\s*``", text)
    return tuple(dict.fromkeys(quoted or re.findall(r"\w+", text)))


def is_ended(names: tuple[str, ...]) -> bool:
    """Whether the list of platforms only says that the API is deprecated."""
    return "deprecated" in [name.lower() for name in names]


def deprecation(doc: str, name: str) -> Deprecation | None:
    """What the docstring states about this API's own deprecation, not about that of an argument."""
    found = list(sentences(doc))
    for number, sentence in enumerate(found):
        match = _DEPRECATED.match(sentence)
        if match is None or not is_deprecation(sentence, name):
            continue
        advice = [text for text in found[number + 1 : number + 3] if _ADVICE.match(text)]
        return ended(" ".join([sentence[match.end() - len("deprecated") :], *advice[:1]]))
    if is_ended(platforms(doc)):
        return Deprecation()
    return None


def is_deprecation(sentence: str, name: str) -> bool:
    """Whether a sentence states that the API of this name is deprecated."""
    match = _DEPRECATED.match(sentence)
    return match is not None and _is_subject(match["subject"], name)


def ended(text: str) -> Deprecation:
    """What a sentence about a deprecation tells."""
    since, removal, substitute = _SINCE.search(text), _REMOVAL.search(text), _SUBSTITUTE.search(text)
    return Deprecation(
        since=since[1] if since else None,
        replacement=_named(substitute) if substitute else None,
        removal=removal[1] if removal else None,
    )


def alias(doc: str) -> str | None:
    """The name that the docstring calls this one an alias of, as written there."""
    for line in _description(doc)[:3]:
        if match := _ALIAS.match(line):
            return _named(match)
    return None


def pointer(doc: str) -> str | None:
    """The API that the docstring points to instead of describing this one."""
    lines = _description(doc)
    match = _SEE.match(lines[0]) if lines else None
    return _named(match) if match else None


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text, each on one line; a blank line and a list item also end one."""
    for paragraph in re.split(r"\n\s*\n|\n(?=\s*[-*] )|(?<=::)\n", text):
        rest = " ".join(paragraph.split())
        while rest:
            end = _SENTENCE_END.search(rest)
            yield rest[: end.start() if end else None].strip()
            rest = rest[end.end() :] if end else ""


def _shortened(text: str) -> str:
    """A sentence that is too long, up to the last place where it can be cut: no bracket or quote is open there."""
    if len(text) <= LONGEST_RETURN:
        return text
    cuts = [match.start() for match in re.finditer(r"[,;:]? ", text[:LONGEST_RETURN])]
    whole = [
        cut for cut in cuts if text.count("`", 0, cut) % 2 == 0 and text.count("(", 0, cut) == text.count(")", 0, cut)
    ]
    clauses = [cut for cut in whole if text[cut] != " "]
    return text[: (clauses or whole or cuts or [LONGEST_RETURN])[-1]]


def _is_subject(subject: str | None, name: str) -> bool:
    if subject is None:
        return True
    # Some docstrings misspell their own module path; the last part tells whose deprecation it is.
    bare = re.sub(r"^:[a-z:]+:|[`'~()\"*]", "", subject)
    return bare.rpartition(".")[2] == name.rpartition(".")[2]


def _named(match: re.Match[str]) -> str | None:
    # The last four groups of a pattern are the ways of writing a name.
    groups = [group for group in match.groups()[-4:] if group]
    return groups[0].strip().removesuffix("()") if groups else None


def _description(doc: str) -> list[str]:
    """The first paragraph after the signature lines, line by line."""
    lines = doc.splitlines()
    while lines and (not lines[0].strip() or re.match(r"^(\.\. \w+:: )?[\w.]+\(.*", lines[0])):
        depth = lines[0].count("(") - lines[0].count(")")
        lines.pop(0)
        while depth > 0 and lines:
            depth += lines[0].count("(") - lines[0].count(")")
            lines.pop(0)
    end = next((index for index, line in enumerate(lines) if not line.strip()), len(lines))
    return [line.strip() for line in lines[:end]]


def _section(doc: str, titles: tuple[str, ...]) -> Iterator[str]:
    """The stripped lines of the first section with one of these titles; blank ones between them are kept."""
    lines = doc.splitlines()
    for number, line in enumerate(lines):
        head = line.strip()
        title, _, rest = head.partition(":")
        if title not in titles or not head.startswith(f"{title}:"):
            continue
        indent = len(line) - len(line.lstrip())
        if rest.strip(":").strip():
            yield rest.strip(":").strip()
        started = bool(rest.strip(":").strip())
        for body in lines[number + 1 :]:
            if body.strip() and len(body) - len(body.lstrip()) <= indent:
                return
            if body.strip() or started:
                started = True
                yield body.strip()
        return
