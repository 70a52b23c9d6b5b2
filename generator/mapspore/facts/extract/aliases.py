"""Names that mean the same: API records with their objects go in, records that know their home come out.

The rule is in the docstring of `mapspore.facts`. Names that docstrings mention are completed to qualified names
on the way.
"""

import re
from collections.abc import Container, Iterable
from dataclasses import replace
from typing import Any

from mapspore.facts.extract import docstring
from mapspore.facts.extract.surface import Member
from mapspore.facts.snapshot import Api, Deprecation, Signature


def with_homes(pairs: Iterable[tuple[Member, Api]], docs: dict[str, str], scopes: tuple[str, ...]) -> list[Api]:
    """Every API with its home, its pointer and its replacement as qualified names."""
    pairs = list(pairs)
    apis = {api.name: api for _, api in pairs}
    homes = _shared_objects([member for member, _ in pairs], docs, scopes)
    for name, api in apis.items():
        written = docstring.alias(docs[name])
        target = qualified(written, name, apis) if written else None
        if target is None or target == name or not _accept_alike(api, apis[target]) or _needs_more(api, apis[target]):
            continue
        if api.kind == apis[target].kind:
            homes[name] = target
        else:
            apis[name] = replace(api, see=target)
    return [_settled(api, _follow(name, homes), apis) for name, api in apis.items()]


def qualified(written: str, name: str, known: Container[str]) -> str | None:
    """The public name that a docstring means by `written`: complete, or relative to the API's own place."""
    written = written.lstrip("~.").strip()
    framework = name.partition(".")[0]
    parts = name.split(".")
    places = [".".join(parts[:length]) for length in range(len(parts) - 1, 0, -1)]
    candidates = [written, *(f"{place}.{written}" for place in places), f"{framework}.{written}"]
    return next((candidate for candidate in candidates if candidate in known), None)


def _accept_alike(api: Api, target: Api) -> bool:
    """Whether some number of arguments fits both; some claims are copied from another function."""
    if not api.forms or not target.forms:
        return True
    return any(
        max(low for low, _ in pair) <= min(high for _, high in pair)
        for pair in ((_arity(one), _arity(other)) for one in api.forms for other in target.forms)
    )


def _needs_more(api: Api, target: Api) -> bool:
    """Whether an API always needs an argument that the one it is said to be has a default for: `torch.softmax` and
    `dim`."""
    needed = [{each.name for each in form.parameters if each.required} for form in api.forms]
    optional = {each.name for form in target.forms for each in form.parameters if not each.required}
    return bool(needed and set.intersection(*needed) & optional)


def _arity(form: Signature) -> tuple[int, int]:
    return sum(parameter.required for parameter in form.parameters), len(form.parameters)


def _shared_objects(members: list[Member], docs: dict[str, str], scopes: tuple[str, ...]) -> dict[str, str]:
    names: dict[tuple[int, type | None], list[Member]] = {}
    for member in members:
        # Equal numbers and strings are one object by chance, not by design.
        if not isinstance(member.value, float | int | str | None):
            names.setdefault((id(member.value), member.owner), []).append(member)
    homes = {}
    for group in (group for group in names.values() if len(group) > 1):
        home = min(group, key=lambda member: _preference(member, docs[member.name], scopes))
        homes.update({member.name: home.name for member in group if member is not home})
    return homes


def _preference(member: Member, doc: str, scopes: tuple[str, ...]) -> tuple[bool, bool, int, str]:
    scope, _, last = member.name.rpartition(".")
    place = scopes.index(scope) if scope in scopes else 0
    return not _uses(doc, member.name), last.lower() != _own_name(member.value).lower(), place, member.name


def _uses(doc: str, name: str) -> bool:
    """Whether the docstring calls the object by this name, with or without the framework's."""
    framework, _, rest = name.partition(".")
    scope, _, last = name.rpartition(".")
    start = rf"(?:{framework}\.|ms\.)" + ("?" if "." in rest else "")
    called = rf"(?<![\w.]){start}{re.escape(rest)}(?![\w.])"
    imported = rf"from {re.escape(scope)} import (?:[^\n]*\W)?{re.escape(last)}\b"
    return re.search(f"{called}|{imported}", doc) is not None


def _own_name(value: Any) -> str:
    return getattr(value, "__name__", None) or str(value).rpartition(".")[2]


def _follow(name: str, homes: dict[str, str]) -> str:
    seen = {name}
    while homes.get(name, name) not in seen:
        name = homes[name]
        seen.add(name)
    return name


def _settled(api: Api, home: str, known: Container[str]) -> Api:
    see = qualified(api.see, api.name, known) if api.see else None
    ended = api.deprecated
    if ended and ended.replacement:
        written = ended.replacement.lstrip("~.")
        replacement = qualified(written, api.name, known) or (written if "." in written else None)
        ended = Deprecation(ended.since, None if replacement == api.name else replacement, ended.removal)
    if home != api.name:
        return replace(api, home=home, see=None, deprecated=ended)
    return replace(api, see=None if see == api.name else see, deprecated=ended)
