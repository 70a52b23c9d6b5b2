"""Snapshots in memory: a file's text goes in, `Facts` comes out, and `dump` turns API records into that text
again.

Loading parses the JSON and nothing more; an `Api` is built when it is asked for and kept. The meaning of each
field is in the package's docstring.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mapspore.base.read_file import Unreadable, read_file
from mapspore.facts.errors import FactsError

FORMAT = 1
LARGEST = 256 * 1024 * 1024
POSITIONAL_OR_KEYWORD = "positional_or_keyword"


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
class Form:
    """One way to call: an overload."""

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
class Api:
    """Everything the snapshot knows about one public name."""

    name: str
    kind: str
    home: str | None = None
    see: str | None = None
    bases: tuple[str, ...] = ()
    forms: tuple[Form, ...] = ()
    call: tuple[Form, ...] = ()
    returns: str | None = None
    returns_doc: str | None = None
    fields: tuple[str, ...] = ()
    deprecated: Deprecation | None = None
    platforms: tuple[str, ...] = ()


class Facts:
    """The public APIs of one framework at one version, by name."""

    def __init__(self, framework: str, version: str, records: Mapping[str, Mapping[str, Any]]) -> None:
        self.framework = framework
        self.version = version
        self._records = records
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
        """The canonical name for `name`: its home, or the base class's method that it inherits."""
        if (record := self._records.get(name)) is not None:
            return str(record.get("home", name))
        owner, _, member = name.rpartition(".")
        for base in self._records.get(owner, {}).get("bases", ()):
            if f"{base}.{member}" in self._records:
                return self.resolve(f"{base}.{member}")
        return None

    def _built(self, name: str) -> Api:
        if name not in self._apis:
            self._apis[name] = _api(self._records[name])
        return self._apis[name]


@dataclass(frozen=True, slots=True)
class Statistics:
    """How many APIs a snapshot holds, by kind, and which callables it has no signature for."""

    total: int
    kinds: tuple[tuple[str, int], ...]
    forms: int
    aliases: int
    deprecated: int
    unsigned: tuple[str, ...]


def load(path: Path | str) -> Facts:
    """Read a snapshot file."""
    try:
        text = read_file(path, LARGEST).decode("utf-8")
    except Unreadable as problem:
        raise FactsError(
            f"The facts file `{path}` cannot be read: {problem.en}.",
            "Write it with `mapspore facts extract`.",
            (f"无法读取快照文件 `{path}`：{problem.zh}。", "请用 `mapspore facts extract` 生成。"),
        ) from None
    except UnicodeDecodeError:
        raise _not_a_snapshot(str(path)) from None
    return parse(text, str(path))


def parse(text: str, origin: str = "snapshot") -> Facts:
    """Read a snapshot's text; `origin` names it in an error."""
    try:
        content = json.loads(text)
        found = content["format"]
        facts = Facts(content["framework"], content["version"], {record["name"]: record for record in content["apis"]})
    except (ValueError, KeyError, TypeError, RecursionError):
        raise _not_a_snapshot(origin) from None
    if found != FORMAT:
        raise FactsError(
            f"`{origin}` has facts of format {found}; this version reads format {FORMAT}.",
            "Extract it again with this version of mapspore.",
            (
                f"`{origin}` 的快照格式为 {found}，当前版本只读格式 {FORMAT}。",
                "请用当前版本的 mapspore 重新提取。",
            ),
        )
    return facts


def dump(framework: str, version: str, apis: Iterable[Api]) -> str:
    """The snapshot's text: sorted by name, one API per line, empty fields left out."""
    head = {"format": FORMAT, "framework": framework, "version": version}
    lines = [_line(_record(api)) for api in sorted(apis, key=lambda api: api.name)]
    return _line(head)[:-1] + ',"apis":[\n' + ",\n".join(lines) + "\n]}\n"


def statistics(facts: Facts) -> Statistics:
    """Count what a snapshot holds."""
    apis = list(facts)
    return Statistics(
        total=len(apis),
        kinds=tuple(sorted(Counter(api.kind for api in apis).items())),
        forms=sum(len(api.forms) + len(api.call) for api in apis),
        aliases=sum(api.home is not None for api in apis),
        deprecated=sum(api.deprecated is not None for api in apis),
        unsigned=tuple(a.name for a in apis if a.kind in ("function", "method", "class") and not a.forms),
    )


def _not_a_snapshot(origin: str) -> FactsError:
    return FactsError(
        f"`{origin}` is not a facts snapshot.",
        "Snapshots are written by `mapspore facts extract`.",
        (f"`{origin}` 不是快照文件。", "快照由 `mapspore facts extract` 生成。"),
    )


def _line(record: Mapping[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))


def _api(record: Mapping[str, Any]) -> Api:
    stated = record.get("deprecated")
    return Api(
        name=record["name"],
        kind=record["kind"],
        home=record.get("home"),
        see=record.get("see"),
        bases=tuple(record.get("bases", ())),
        forms=tuple(_form(form) for form in record.get("forms", ())),
        call=tuple(_form(form) for form in record.get("call", ())),
        returns=record.get("returns"),
        returns_doc=record.get("returns_doc"),
        fields=tuple(record.get("fields", ())),
        deprecated=None if stated is None else Deprecation(**stated),
        platforms=tuple(record.get("platforms", ())),
    )


def _form(record: Mapping[str, Any]) -> Form:
    return Form(
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
        "see": api.see,
        "bases": list(api.bases),
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
    return kept


def _form_record(form: Form) -> dict[str, Any]:
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
