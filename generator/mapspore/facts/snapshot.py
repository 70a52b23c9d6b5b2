"""Snapshots in memory: a file's text goes in, `Facts` comes out, and `dump` turns API records into that text
again.

Every command loads both snapshots and asks for a few APIs, so loading only splits the text into its lines; a line is
parsed, and its `Api` built, when it is asked for, and kept. The meaning of each field is in the package's docstring.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from mapspore.base.diagnostics import Refusal
from mapspore.base.read_file import Unreadable, read_file
from mapspore.facts.naming import Modules, Status, is_special, status_of_unlisted

FORMAT = 1
LARGEST = 256 * 1024 * 1024
POSITIONAL_OR_KEYWORD = "positional_or_keyword"
APIS = ',"apis":['
"""How the first line ends."""
NAME = '{"name":"'
"""How the line of an API begins."""
PLACES = '"places":['
SEE = '"see":"'
HOME = '"home":"'
METHOD = '"kind":"method"'

Record = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter; `default` is Python source, and None if the parameter is required."""

    name: str
    kind: str = POSITIONAL_OR_KEYWORD
    default: str | None = None
    documented: str | None = None
    annotation: str | None = None

    @property
    def required(self) -> bool:
        """Whether a call must give it (`*args` and `**kwargs` may stay empty)."""
        return self.default is None and not self.kind.startswith("var_")


@dataclass(frozen=True, slots=True)
class Signature:
    """One signature of an API: an overload."""

    parameters: tuple[Parameter, ...] = ()
    returns: str | None = None
    fields: tuple[str, ...] = ()
    legacy: bool = False


@dataclass(frozen=True, slots=True)
class Deprecation:
    """What is stated about an API's end; each part is None where nothing is said."""

    since: str | None = None
    replacement: str | None = None
    removal: str | None = None


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence of a docstring that restricts an API, as it is written, and what could be read from it."""

    about: str
    text: str
    parameter: str | None = None
    version: str | None = None
    platforms: tuple[str, ...] = ()
    modes: tuple[str, ...] = ()
    dtypes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Api:
    """Everything the snapshot knows about one public name."""

    name: str
    kind: str
    home: str | None = None
    places: tuple[str, ...] = ()
    see: str | None = None
    bases: tuple[str, ...] = ()
    protocol: tuple[str, ...] = ()
    forms: tuple[Signature, ...] = ()
    call: tuple[Signature, ...] = ()
    returns: str | None = None
    returns_doc: str | None = None
    fields: tuple[str, ...] = ()
    deprecated: Deprecation | None = None
    platforms: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()


class Facts:
    """The public APIs of one framework at one version, by name."""

    def __init__(self, framework: str, version: str, records: Mapping[str, str | Record], modules: Modules) -> None:
        self.framework = framework
        self.version = version
        self.modules = modules
        """Every public module of the package, and whether its names are among the facts."""
        self._records = dict(records)
        self._apis: dict[str, Api] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """All names, sorted."""
        return tuple(self._records)

    def __contains__(self, name: object) -> bool:
        return name in self._records

    def __len__(self) -> int:
        return len(self._records)

    def __iter__(self) -> Iterator[Api]:
        return (self._built(name) for name in self._records)

    def get(self, name: str) -> Api | None:
        """The API of exactly this name."""
        return self._built(name) if name in self._records else None

    def resolve(self, name: str) -> str | None:
        """The canonical name for `name`: its home, the API of which it is a place, or the base class's member that it
        inherits."""
        if name in self._records:
            return str(self._record(name).get("home", name))
        if name in self.places:
            return self.resolve(self.places[name])
        owner, _, member = name.rpartition(".")
        owner = self.resolve(owner) or "" if "." in owner else ""
        for cls in (owner, *self._record(owner).get("bases", ())) if owner else ():
            if f"{cls}.{member}" in self._records:
                return self.resolve(f"{cls}.{member}")
        return None

    def status(self, name: str) -> Status:
        """What the facts know of a name."""
        if self.resolve(name) is not None:
            return "public"
        found = status_of_unlisted(name, self.modules)
        return "public" if found == "absent" and self._lies_behind_api(name) else found

    def _lies_behind_api(self, name: str) -> bool:
        """Whether a name is an attribute of what a constant or a property holds, or one of Python's own attributes."""
        owner, _, member = name.rpartition(".")
        if owner in self.modules:
            return is_special(member)
        while owner and self.resolve(owner) is None:
            owner, _, member = owner.rpartition(".")
        api = self.get(self.resolve(owner) or "")
        if api is None:
            return False
        return api.kind in ("constant", "property") or is_special(member)

    @cached_property
    def places(self) -> dict[str, str]:
        """By the name of a place: the API that is there."""
        found: dict[str, str] = {}
        for name, record in list(self._records.items()):
            if not isinstance(record, str) or PLACES in record:
                found.update(dict.fromkeys(self._record(name).get("places", ()), name))
        return found

    @cached_property
    def methods_of(self) -> dict[str, tuple[str, ...]]:
        """By the name of a function: the methods whose docstrings point to it."""
        found: dict[str, tuple[str, ...]] = {}
        for name, record in list(self._records.items()):
            if not isinstance(record, str) or SEE in record:
                stated = self._record(name)
                if stated["kind"] == "method" and (see := stated.get("see")):
                    found[see] = (*found.get(see, ()), name)
        return found

    @cached_property
    def methods_by_class(self) -> dict[str, list[str]]:
        """By the name of a class: the names of the methods that it does not inherit."""
        found: dict[str, list[str]] = {}
        for name, record in list(self._records.items()):
            if (not isinstance(record, str) or METHOD in record) and self._record(name)["kind"] == "method":
                owner, _, member = name.rpartition(".")
                found.setdefault(owner, []).append(member)
        return found

    @cached_property
    def aliases_of(self) -> dict[str, tuple[str, ...]]:
        """By the name of an API: its further names, whose home it is."""
        found: dict[str, tuple[str, ...]] = {}
        for name, record in list(self._records.items()):
            if not isinstance(record, str) or HOME in record:
                home = self._record(name).get("home", name)
                if home != name:
                    found[home] = (*found.get(home, ()), name)
        return found

    def _record(self, name: str) -> Record:
        record = self._records[name]
        if isinstance(record, str):
            record = self._records[name] = _parsed(record)
        return record

    def _built(self, name: str) -> Api:
        if name not in self._apis:
            self._apis[name] = _api(self._record(name))
        return self._apis[name]


@dataclass(frozen=True, slots=True)
class Statistics:
    """How many APIs a snapshot holds, by kind, how many of them have a note, by what it is about, and which callables
    it has no signature for."""

    total: int
    kinds: tuple[tuple[str, int], ...]
    forms: int
    aliases: int
    places: int
    deprecated: int
    notes: tuple[tuple[str, int], ...]
    unsigned: tuple[str, ...]


def load(path: Path | str) -> Facts:
    """Read a snapshot file."""
    try:
        text = read_file(path, LARGEST).decode("utf-8")
    except Unreadable as problem:
        raise Refusal("C302", path=path, reason=problem.reason) from None
    except UnicodeDecodeError:
        raise _not_a_snapshot(str(path)) from None
    return parse(text, str(path))


def parse(text: str, origin: str = "snapshot") -> Facts:
    """Read a snapshot's text; `origin` names it in an error."""
    try:
        head, records = _split(text)
        found = head["format"]
        modules = dict.fromkeys(head.get("others", ()), False) | dict.fromkeys(head.get("modules", ()), True)
        facts = Facts(head["framework"], head["version"], records, modules)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise _not_a_snapshot(origin) from None
    if found != FORMAT:
        raise Refusal("C304", path=origin, found=found, known=FORMAT)
    return facts


def _split(text: str) -> tuple[Record, Mapping[str, str | Record]]:
    """The head of a snapshot, and its APIs by name: unparsed lines, if the text has the shape that `dump` gives it."""
    first, *lines, last, end = text.split("\n") if text.count("\n") > 1 else ("", "", "")
    if first.endswith(APIS) and (last, end) == ("]}", "") and all(line.startswith(NAME) for line in lines):
        head: Record = json.loads(first.removesuffix(APIS) + "}")
        return head, {line[len(NAME) : line.index('"', len(NAME))]: line for line in lines}
    content = json.loads(text)
    return content, {record["name"]: record for record in content["apis"]}


def _parsed(line: str) -> Record:
    try:
        record: Record = json.loads(line.removesuffix(","))
    except ValueError:
        raise _not_a_snapshot(line[:80]) from None
    return record


def dump(framework: str, version: str, apis: Iterable[Api], modules: Modules | None = None) -> str:
    """The snapshot's text: sorted by name, one API per line, empty fields left out."""
    head: dict[str, Any] = {"format": FORMAT, "framework": framework, "version": version}
    for key, covered in (("modules", True), ("others", False)) if modules else ():
        head[key] = sorted(name for name, is_covered in (modules or {}).items() if is_covered is covered)
    lines = [_line(_record(api)) for api in sorted(apis, key=lambda api: api.name)]
    return _line(head)[:-1] + f"{APIS}\n" + ",\n".join(lines) + "\n]}\n"


def statistics(facts: Facts) -> Statistics:
    """Count what a snapshot holds."""
    apis = list(facts)
    return Statistics(
        total=len(apis),
        kinds=tuple(sorted(Counter(api.kind for api in apis).items())),
        forms=sum(len(api.forms) + len(api.call) for api in apis),
        aliases=sum(api.home is not None for api in apis),
        places=sum(len(api.places) for api in apis),
        deprecated=sum(api.deprecated is not None for api in apis),
        notes=tuple(sorted(Counter(about for api in apis for about in {note.about for note in api.notes}).items())),
        unsigned=tuple(a.name for a in apis if a.kind in ("function", "method", "class") and not a.forms),
    )


def _not_a_snapshot(origin: str) -> Refusal:
    return Refusal("C303", path=origin)


def _line(record: Mapping[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))


def _api(record: Mapping[str, Any]) -> Api:
    stated = record.get("deprecated")
    return Api(
        name=record["name"],
        kind=record["kind"],
        home=record.get("home"),
        places=tuple(record.get("places", ())),
        see=record.get("see"),
        bases=tuple(record.get("bases", ())),
        protocol=tuple(record.get("protocol", ())),
        forms=tuple(_form(form) for form in record.get("forms", ())),
        call=tuple(_form(form) for form in record.get("call", ())),
        returns=record.get("returns"),
        returns_doc=record.get("returns_doc"),
        fields=tuple(record.get("fields", ())),
        deprecated=None if stated is None else Deprecation(**stated),
        platforms=tuple(record.get("platforms", ())),
        notes=tuple(_note(note) for note in record.get("notes", ())),
    )


def _note(record: Record) -> Note:
    values: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in record.items()}
    return Note(**values)


def _form(record: Mapping[str, Any]) -> Signature:
    return Signature(
        parameters=tuple(Parameter(**parameter) for parameter in record.get("parameters", ())),
        returns=record.get("returns"),
        fields=tuple(record.get("fields", ())),
        legacy=record.get("legacy", False),
    )


def _record(api: Api) -> dict[str, Any]:
    record = {
        "name": api.name,
        "kind": api.kind,
        "home": api.home,
        "places": list(api.places),
        "see": api.see,
        "bases": list(api.bases),
        "protocol": list(api.protocol),
        "forms": [_form_record(form) for form in api.forms],
        "call": [_form_record(form) for form in api.call],
        "returns": api.returns,
        "returns_doc": api.returns_doc,
        "fields": list(api.fields),
    }
    kept: dict[str, Any] = {key: value for key, value in record.items() if value}
    if api.deprecated is not None:
        parts = api.deprecated
        stated = {"since": parts.since, "replacement": parts.replacement, "removal": parts.removal}
        kept["deprecated"] = {key: value for key, value in stated.items() if value}
    if api.platforms:
        kept["platforms"] = list(api.platforms)
    if api.notes:
        kept["notes"] = [{key: value for key, value in asdict(note).items() if value} for note in api.notes]
    return kept


def _form_record(form: Signature) -> dict[str, Any]:
    record = {
        "parameters": [_parameter_record(parameter) for parameter in form.parameters],
        "returns": form.returns,
        "fields": list(form.fields),
        "legacy": form.legacy,
    }
    return {key: value for key, value in record.items() if value}


def _parameter_record(parameter: Parameter) -> dict[str, str]:
    record = {
        "name": parameter.name,
        "kind": None if parameter.kind == POSITIONAL_OR_KEYWORD else parameter.kind,
        "default": parameter.default,
        "documented": parameter.documented,
        "annotation": parameter.annotation,
    }
    return {key: value for key, value in record.items() if value is not None}
