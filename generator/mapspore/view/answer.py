"""The resolved registry as data: what `export json` writes and what `show` answers from.

A mapping goes in, a JSON-able dict comes out, with every sentence in both languages. The format is versioned
and described in CONTRIBUTING.md: within one `ANSWER_FORMAT`, keys are added but never removed or redefined.
"""

from __future__ import annotations

from typing import Any

from mapspore.base.version import ANSWER_FORMAT
from mapspore.entry.model import Text
from mapspore.resolve.differences import Row
from mapspore.resolve.evidence_status import EvidenceStatus
from mapspore.resolve.registry import Counterpart, Mapping, Registry
from mapspore.resolve.signatures import documented_type, signature_texts, usage
from mapspore.text.links import mindspore_url, page_path, torch_url
from mapspore.text.phrases import LANGUAGES, kind_name, phrase, verdict_name
from mapspore.view.prepare import correction_sentence, evidence_sentence, row_sentence, runtime_sentence, supported
from mapspore.view.sentences import about, sentence
from mapspore.words.kinds import NUMPY_NAMES, Kind

Data = dict[str, Any]


def answers(registry: Registry) -> Data:
    """The whole registry."""
    others = further_names(registry)
    return {
        "format": ANSWER_FORMAT,
        "torch": registry.torch.version,
        "mindspore": registry.mindspore.version,
        "kinds": {kind.value: {language: kind_name(kind.value, language) for language in LANGUAGES} for kind in Kind},
        "entries": [answer(mapping, registry, others) for mapping in registry.mappings],
    }


def further_names(registry: Registry) -> dict[str, list[str]]:
    """By API, the other names that the facts know of it."""
    others: dict[str, list[str]] = {}
    for name in registry.torch.names:
        home = registry.torch.resolve(name)
        if home is not None and home != name:
            others.setdefault(home, []).append(name)
    return others


def aliases(mapping: Mapping, registry: Registry, others: dict[str, list[str]]) -> list[str]:
    """Every further name of an entry: those it states, and those that the facts know."""
    home = registry.torch.resolve(mapping.name) or mapping.name
    known = [name for name in (home, *others.get(home, ())) if name != mapping.name]
    return list(dict.fromkeys((*mapping.entry.aliases, *known)))


def undeclared(mapping: Mapping) -> list[str]:
    """NumPy's names that stand for parameters of a function or a method that torch does not parse in Python."""
    built_in = mapping.name.count(".") == 1 or mapping.name.startswith("torch.Tensor.")
    names = {p.name for form in mapping.api.forms for p in form.parameters} if built_in and mapping.api else set()
    return [numpy for numpy, meant in NUMPY_NAMES.items() if meant in names]


def answer(mapping: Mapping, registry: Registry, others: dict[str, list[str]]) -> Data:
    """One entry, resolved; `others` holds the further names that the facts know of an API."""
    entry = mapping.entry
    before, after = usage(mapping)
    adapted, by_target = mapping.has_adapter, mapping.port == "calls"
    data: Data = {
        "torch": mapping.name,
        "aliases": aliases(mapping, registry, others),
        "summary": _text(entry.summary),
        "verdict": mapping.verdict,
        "verdict_name": {language: verdict_name(mapping.verdict, language) for language in LANGUAGES},
        "signatures": list(signature_texts(mapping.name, mapping.api)),
        "documentation": torch_url(mapping.name, registry.torch.version),
        "undeclared": undeclared(mapping),
        "adapter": {"before": before, "after": after} if adapted else None,
        "evidence": None if by_target else _evidence(mapping.evidence),
        "targets": [_target(counterpart, registry, by_target, adapted) for counterpart in mapping.counterparts],
        "corrections": [
            {language: correction_sentence(mapping, correction, language) for language in LANGUAGES}
            for correction in entry.corrects
        ],
        "related": list(entry.related),
        "entry": mapping.source.path,
        "page": page_path(mapping.name),
    }
    if entry.runtime is not None:
        data["runtime"] = {language: runtime_sentence(entry.runtime, language) for language in LANGUAGES}
    if entry.unmapped is not None:
        data["unmapped"] = {"why": _text(entry.unmapped.why), "instead": _text(entry.unmapped.instead)}
    if entry.migrate is not None:
        data["migrate"] = _text(entry.migrate)
    if entry.note is not None:
        data["note"] = _text(entry.note)
    if entry.source is not None:
        data["source"] = entry.source
    return data


def _target(counterpart: Counterpart, registry: Registry, by_target: bool, adapted: bool) -> Data:
    api, name = counterpart.api, counterpart.target.mindspore
    version = registry.mindspore.version
    data: Data = {
        "id": counterpart.id,
        "mindspore": name,
        "verdict": counterpart.verdict,
        "verdict_name": {language: verdict_name(counterpart.verdict, language) for language in LANGUAGES},
        "kinds": [kind.value for kind in counterpart.kinds],
        "exemptions": [
            {"exemption": e.value, **{language: phrase("exemptions", e.value, language) for language in LANGUAGES}}
            for e in counterpart.exemptions
        ],
        "signatures": list(signature_texts(name, api)),
        "documentation": {language: mindspore_url(name, version, language) for language in LANGUAGES},
        "parameters": [_row(row, adapted) for row in counterpart.rows],
        "returns": _row(counterpart.returns, adapted) if counterpart.returns else None,
        "documented_return": documented_type(api),
        "behaviours": [
            {
                "kind": d.kind.value,
                "about": {language: about(d, language) for language in LANGUAGES},
                **{language: sentence(d, language, adapted) for language in LANGUAGES},
            }
            for d in counterpart.behaviours
        ],
        "call": _called(counterpart.call, adapted) if counterpart.call else None,
        "state": [_row(row, adapted) for row in counterpart.state],
        "combinations": _combinations(counterpart),
        "platforms": list(api.platforms) if api else [],
        "evidence": _evidence(counterpart.evidence) if by_target else None,
    }
    if api is not None and api.deprecated is not None:
        data["deprecated"] = {"since": api.deprecated.since, "successor": counterpart.successor}
    if counterpart.target.note is not None:
        data["note"] = _text(counterpart.target.note)
    return data


def _combinations(counterpart: Counterpart) -> list[list[Data]]:
    spoken = zip(*(supported(counterpart, language) for language in LANGUAGES), strict=True)
    return [
        [
            {
                "parameter": name,
                "values": _several(values),
                **{lang: each[name] for lang, each in zip(LANGUAGES, said, strict=True)},
            }
            for name, values in row.items()
        ]
        for row, said in zip(counterpart.target.supports, spoken, strict=True)
    ]


def _several(values: Any) -> list[Any]:
    return list(values) if isinstance(values, list | tuple) else [values]


def _called(call: Counterpart, adapted: bool) -> Data:
    """What the objects of a class are called with, and what comes back."""
    return {
        "parameters": [_row(row, adapted) for row in call.rows],
        "returns": _row(call.returns, adapted) if call.returns else None,
    }


def _evidence(status: EvidenceStatus) -> Data:
    """What `verify` ran of an implementation, and whether it still holds."""
    ran = status.run
    said: Data = {language: evidence_sentence(status, language) for language in LANGUAGES}
    if ran is None:
        return {"state": status.entry_state, **said}
    kept = ("torch", "mindspore", "python", "platform", "ranks", "cases", "status")
    data: Data = {"state": status.state, **said, **{key: ran[key] for key in kept if key in ran}}
    if "measured" in ran:
        data["measured"] = [{"given": given, "values": values} for given, values in sorted(ran["measured"].items())]
    return data


def _row(row: Row, adapted: bool) -> Data:
    return {
        "torch": row.torch,
        "mindspore": list(row.mindspore),
        "kinds": list(dict.fromkeys(d.kind.value for d in row.differences)) or [Kind.SAME.value],
        **{language: row_sentence(row, language, adapted) for language in LANGUAGES},
    }


def _text(text: Text) -> dict[str, str]:
    return {"en": text.en, "zh": text.zh}
