"""What one call meets: a call's syntax and a rule go in, out come the differences that its arguments meet.

Judged from the text alone. An argument that is no literal leaves some questions open; then the answer is less than
certain, and after `*args` or `**kwargs` it is that nobody can tell.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, Literal, NamedTuple

from mapspore.scan.codes import Confidence
from mapspore.words.comparisons import COMPARISONS
from mapspore.words.kinds import NUMPY_NAMES
from mapspore.words.pure import convert, fits

Data = dict[str, Any]
_MISSING = object()


class Judged(NamedTuple):
    """The outcome of one call."""

    form: int
    """The number of the call form; -1 if none fits."""
    met: list[tuple[int, Confidence]]
    """The differences that are met, by number, with how sure that is."""
    open: list[str]
    """The parameters of which nobody can tell whether they are given; `*` if no call form fits."""
    refused: list[str]
    """The torch parameters that are given a value other than the default, as far as can be told."""
    simple: list[str]
    """The torch parameters whose argument is a literal or a plain name; besides, `op=ReduceOp.SUM` for an argument that
    names a constant of torch which can be written out."""


class BoundArguments(NamedTuple):
    """A call's arguments by torch parameter."""

    values: dict[str, ast.expr]
    named: frozenset[str]
    starred: bool


def bind_call(call: ast.Call, parameters: list[list[str]]) -> BoundArguments | None:
    """The arguments by torch parameter, or None if the call does not fit these parameters."""
    values: dict[str, ast.expr] = {}
    named: set[str] = set()
    starred = False
    slots = [name for name, kind, _ in parameters if kind in ("positional_or_keyword", "positional_only")]
    spread = any(kind == "var_positional" for _, kind, _ in parameters)
    for at, value in enumerate(call.args):
        if isinstance(value, ast.Starred):
            if at >= len(slots) and spread:
                continue  # more of the same
            starred = True
            break
        if at < len(slots):
            values[slots[at]] = value
        elif not spread:
            return None
    by_name = {name for name, kind, _ in parameters if kind in ("positional_or_keyword", "keyword_only")}
    loose = any(kind == "var_keyword" for _, kind, _ in parameters)
    for keyword in call.keywords:
        if keyword.arg is None:
            starred = True
        elif keyword.arg in by_name and keyword.arg not in values:
            values[keyword.arg] = keyword.value
            named.add(keyword.arg)
        elif not loose:
            return None
    if not starred:
        for name, kind, default in parameters:
            if default is None and not kind.startswith("var_") and name not in values:
                return None
    return BoundArguments(values, frozenset(named), starred)


Means = Callable[[ast.expr], str]
"""Tells what of torch a dotted name surely stands for, or an empty text."""


Taken = Literal["whole", "parts", "dropped"]
"""What becomes of a call's result: it is taken as it is, unpacked or indexed, or not taken at all."""


def judge(call: ast.Call, rule: Data, taken: Taken, means: Means) -> Judged:
    """What a call of an API with an entry meets."""
    if not rule["forms"]:
        return Judged(-1, [], [], [], [])
    names = {name for form in rule["forms"] for name, *_ in form["parameters"]}
    fitting = [
        (number, form, given)
        for number, form in enumerate(rule["forms"])
        if form["checks"] is not None and (given := bind_call(call, form["parameters"])) is not None
    ]
    if fitting:
        chosen = next((each for each in fitting if not _misplaced(each[2], names)), fitting[0])
        return _judged(*chosen, taken, means)
    numpy = [keyword.arg for keyword in call.keywords if keyword.arg and NUMPY_NAMES.get(keyword.arg) in names]
    return Judged(-1, [], ["*", *numpy], [], [])


def _misplaced(given: BoundArguments, names: set[str]) -> bool:
    """Whether an argument is called as another parameter than the one whose place it has: `x.to(y.device, y.dtype)`
    does not mean the form that begins with `dtype`."""
    spelled = ((name, _called(value)) for name, value in given.values.items() if name not in given.named)
    return any(text != name and text in names for name, text in spelled)


def _called(value: ast.expr) -> str:
    """The last name of an expression: `device` of `x.device` and of `torch.device("cpu")`, also of the text `"cpu"`."""
    if isinstance(value, ast.Call):
        return _called(value.func)
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        return "device"
    return value.attr if isinstance(value, ast.Attribute) else value.id if isinstance(value, ast.Name) else ""


def _judged(number: int, form: Data, given: BoundArguments, taken: Taken, means: Means) -> Judged:
    defaults = {name: default for name, _, default in form["parameters"]}
    met: list[tuple[int, Confidence]] = []
    unsure: dict[str, None] = {}
    written: list[str] = []
    for at, check in enumerate(form["checks"]):
        answer = _meets(check["when"], given, defaults, taken, means)
        if answer == "open":
            unsure[check["parameter"] or check["when"][1]] = None
        elif answer is not None:
            met.append((at, answer))
            if isinstance(check["rewritable"], list) and check["parameter"] in given.values:
                written += _constants(check, given.values[check["parameter"]], means)
    refused = [name for name, value in given.values.items() if _other(value, defaults.get(name), means) is not None]
    simple = [name for name, value in given.values.items() if is_simple(value)]
    return Judged(number, met, list(unsure), refused, simple + written)


def _meets(when: list[Any], given: BoundArguments, defaults: dict[str, str | None], taken: Taken, means: Means) -> Any:
    """How sure it is that a condition holds; None if it does not, `open` if stars hide it."""
    word = when[0]
    if word == "among_perhaps":
        answer = _meets(["among", *when[1:]], given, defaults, taken, means)
        return answer if answer in (None, "open") else "at_run_time"
    if word == "always":
        return "certain"
    if word == "used":
        return "certain" if taken != "dropped" else None
    if word == "whole":
        return "certain" if taken == "whole" else None
    if word == "unsaid":
        return "at_run_time"
    if word == "combined":
        return _combined(when[1:], given, defaults)
    name = when[1]
    value = given.values.get(name)
    if value is None:
        if given.starred:
            return "open"
        if word == "among" or word == "unlike":
            return "certain" if _holds(word, when, _default(defaults.get(name))) else None
        return "certain" if word in ("omitted", "none") else None
    if word == "given":
        return "certain"
    if word == "named":
        return "certain" if name in given.named else None
    if word == "placed":
        return None if name in given.named else "certain"
    if word == "omitted":
        return None
    if word == "perhaps" or (word == "compares" and isinstance(when[3], str)):
        return "at_run_time"
    if word == "own_device":
        return None if isinstance(value, ast.Attribute) and value.attr == "device" else _other(value, "None", means)
    if word == "other":
        return _other(value, defaults.get(name), means)
    literal = _literal(value)
    if literal is _MISSING and word == "unlike":  # an unusual value, or one within a tensor
        return "at_run_time"
    if literal is _MISSING:
        return {"replaced": "certain", "some": "likely"}.get(word, "possible")
    if word in _LOOKING:
        return "certain" if _holds(word, when, literal) else None
    met = {"none": literal is None, "nonzero": literal != 0, "true": bool(literal), "some": literal is not None}[word]
    return "certain" if met else None


_LOOKING = frozenset({"among", "compares", "changed", "replaced", "fraction", "unlike"})
"""Conditions that look at the value itself."""


def _holds(word: str, when: list[Any], value: Any) -> bool:
    """Whether a condition about a value holds for one that is known."""
    if value is _MISSING:
        return False
    if word == "among":
        return any(_same(value, _default(source)) for source in when[2:])
    if word == "compares":
        return COMPARISONS[when[2]](value, when[3])
    if word == "fraction":
        return not isinstance(value, int)
    made = convert(when[2], {} if word == "unlike" else when[3], repr(value))
    if word == "unlike":
        return made == "False"
    return made is None or not _same(value, _default(made))


def _same(one: Any, other: Any) -> bool:
    return bool(one == other) and isinstance(one, bool) == isinstance(other, bool)


def _combined(rows: list[list[Any]], given: BoundArguments, defaults: dict[str, str | None]) -> Confidence | None:
    """How sure it is that a call fits none of the rows: surely not if it fits one that asks nothing of tensors."""
    found: Confidence = "certain"
    for row, of_tensors in rows:
        asked = {name: wanted for name, wanted in row.items() if name in defaults}
        known = {name: value for name in asked if (value := _known(name, asked[name], given, defaults)) is not _OPEN}
        if not fits(asked, known):
            continue
        if len(known) == len(asked):
            if not of_tensors:
                return None
            found = "at_run_time"
        elif found == "certain":
            found = "possible"
    return found


_OPEN = object()


def _known(name: str, wanted: Any, given: BoundArguments, defaults: dict[str, str | None]) -> Any:
    """The value that a row of `only` is asked about; `_MISSING` for one that is not None and equals no literal,
    `_OPEN` if the text does not tell."""
    value = given.values.get(name)
    if value is None:
        literal = _default(defaults[name])
        return _OPEN if given.starred or (literal is _MISSING and wanted == "given") else literal
    literal = _literal(value)
    # `size=size` may hand on a None, `size=x.shape[2:]` hardly
    hardly_none = wanted in ("given", None) and _called(value) != name
    return _OPEN if literal is _MISSING and not hardly_none else literal


def _other(value: ast.expr, default: str | None, means: Means) -> Confidence | None:
    """How sure it is that a value is not the default."""
    literal = _literal(value)
    if literal is _MISSING:
        if default is not None and isinstance(value, ast.Attribute) and means(value).endswith(f".{default}"):
            return None  # `dist.ReduceOp.SUM` for the default `ReduceOp.SUM`
        return "likely"
    usual = _default(default)
    same = literal is usual or (literal == usual and not isinstance(literal, bool))
    return None if same else "certain"


@cache
def _default(source: str | None) -> Any:
    """The value of a default; none that a literal could equal if it is no literal itself."""
    try:
        return ast.literal_eval(source or "")
    except (ValueError, SyntaxError):
        return _MISSING


def _literal(node: ast.expr) -> Any:
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, (ast.Tuple, ast.List, ast.UnaryOp)):
        try:
            return ast.literal_eval(node)
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            return _MISSING
    return _MISSING


def is_simple(node: ast.expr) -> bool:
    """Whether evaluating it twice, or not at all, makes no difference: a literal or a dotted name."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) or _literal(node) is not _MISSING


def _constants(check: Data, node: ast.expr, means: Means) -> list[str]:
    """The constant of torch that an argument names, such as `ReduceOp.SUM`, if the check knows how to write it."""
    meant = means(node) if isinstance(node, ast.Attribute) else ""
    return [f"{check['parameter']}={name}" for name in check["rewritable"] if meant.endswith(f".{name}")]


def only_always(checks: Iterable[Data]) -> tuple[list[int], bool]:
    """For a mere reference: the differences that any use meets, and whether a call could meet more."""
    listed = list(checks)
    always = [at for at, check in enumerate(listed) if check["when"][0] == "always"]
    return always, len(always) < len(listed)
