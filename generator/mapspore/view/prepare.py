"""Stage 5, view: a mapping in, an `EntryView` out. All naming and phrasing happens here, in both languages at once;
markup, order on a page and the choice of a language are left to pages and answers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from mapspore.base.language import Language
from mapspore.base.version import ANSWER_FORMAT
from mapspore.cases.example_programs import programs
from mapspore.cases.single.drawn import CAP
from mapspore.entry.model import Correction
from mapspore.entry.model import Text as StatedText
from mapspore.facts.snapshot import Api
from mapspore.resolve.differences import Difference, Row
from mapspore.resolve.evidence_status import EvidenceStatus
from mapspore.resolve.registry import Counterpart, Mapping, Registry
from mapspore.resolve.signatures import documented_type, signature_texts, usage
from mapspore.text.links import mindspore_url, page_path, torch_url
from mapspore.text.phrases import catalogue, kind_name, label, phrase, verdict_name
from mapspore.view import entry_view as views
from mapspore.view.by_adapter import by_adapter
from mapspore.view.entry_view import EntryView, RegistryView, RowView, TargetView, Text
from mapspore.view.prose import mindspore_prose, torch_prose
from mapspore.view.sentences import about, both, brief, row_sentence, said, sentence
from mapspore.words.kinds import NUMPY_NAMES, Kind

Names = dict[str, list[str]]


def registry_view(registry: Registry) -> RegistryView:
    """The whole registry."""
    others = further_names(registry)
    return RegistryView(
        format=ANSWER_FORMAT,
        torch=registry.torch.version,
        mindspore=registry.mindspore.version,
        kinds={kind.value: _kind_name(kind) for kind in Kind},
        entries=tuple(entry_view(mapping, registry, others) for mapping in registry.mappings),
        answered={name: _answering(name, registry) for name in registry.torch.names},
        answering=lambda name: found.name if (found := registry.answering(name)) else "",
    )


def further_names(registry: Registry) -> Names:
    """By API, the other names that the facts know of it."""
    others: Names = {}
    for name in registry.torch.names:
        home = registry.torch.resolve(name)
        if home is not None and home != name:
            others.setdefault(home, []).append(name)
    return others


def entry_view(mapping: Mapping, registry: Registry, others: Names | None = None) -> EntryView:
    """One entry; `others` holds the further names that the facts know of an API, where that was worked out before."""
    entry, api = mapping.entry, mapping.api
    aliases = _aliases(mapping, registry, further_names(registry) if others is None else others)
    return EntryView(
        torch=mapping.name,
        aliases=aliases,
        summary=_stated(entry.summary),
        verdict=mapping.verdict,
        verdict_name=_verdict_name(mapping.verdict),
        signatures=signature_texts(mapping.name, api),
        documentation=torch_url(mapping.name, registry.torch.version),
        undeclared=_undeclared(mapping),
        adapter=views.AdapterView(*usage(mapping)) if mapping.has_adapter else None,
        evidence=_evidence(mapping.evidence) if mapping.port != "calls" else None,
        targets=tuple(_target(counterpart, mapping, registry) for counterpart in mapping.counterparts),
        corrections=tuple(_correction(mapping, correction) for correction in entry.corrects),
        related=entry.related,
        entry=mapping.source.path,
        page=page_path(mapping.name),
        runtime=by_adapter(mapping),
        unmapped=views.UnmappedView(_stated(entry.unmapped.why), _stated(entry.unmapped.instead))
        if entry.unmapped
        else None,
        migrate=_stated(entry.migrate) if entry.migrate else None,
        note=_stated(entry.note) if entry.note else None,
        source=entry.source,
        torch_version=registry.torch.version,
        mindspore_version=registry.mindspore.version,
        yaml=mapping.source.text,
        stated_aliases=entry.aliases,
        redirects=tuple(name for name in aliases if _answering(name, registry) != name),
        related_entries={name: found for name in entry.related if (found := _answering(name, registry))},
        deprecation=tuple(_ended(api, "PyTorch", api.deprecated.replacement if api and api.deprecated else None)),
        prose=tuple(torch_prose(entry.contract, api)),
        programs=programs(mapping),
        needs_example=mapping.needs_example,
    )


def _answering(name: str, registry: Registry) -> str:
    """The entry that answers for a torch name, or nothing."""
    return registry.by_name[name].name if name in registry.by_name else ""


def _aliases(mapping: Mapping, registry: Registry, others: Names) -> tuple[str, ...]:
    """Every further name of an entry: those it states, and those that the facts know."""
    home = registry.torch.resolve(mapping.name) or mapping.name
    known = [name for name in (home, *others.get(home, ())) if name != mapping.name]
    return tuple(dict.fromkeys((*mapping.entry.aliases, *known, *mapping.methods)))


def _undeclared(mapping: Mapping) -> tuple[str, ...]:
    """NumPy's names that stand for parameters of a function or a method that torch does not parse in Python."""
    built_in = mapping.name.count(".") == 1 or mapping.name.startswith("torch.Tensor.")
    names = {p.name for form in mapping.api.forms for p in form.parameters} if built_in and mapping.api else set()
    return tuple(numpy for numpy, meant in NUMPY_NAMES.items() if meant in names)


def _target(counterpart: Counterpart, mapping: Mapping, registry: Registry) -> TargetView:
    target, api = counterpart.target, counterpart.api
    call, version = counterpart.call, registry.mindspore.version
    return TargetView(
        id=counterpart.id,
        mindspore=target.mindspore,
        verdict=counterpart.verdict,
        verdict_name=_verdict_name(counterpart.verdict),
        kinds=tuple(kind.value for kind in counterpart.kinds),
        exemptions=tuple(_exemption(exemption.value) for exemption in counterpart.exemptions),
        signatures=signature_texts(target.mindspore, api),
        documentation=both(lambda language: mindspore_url(target.mindspore, version, language)),
        parameters=_rows(counterpart.rows),
        returns=_row(counterpart.returns) if counterpart.returns else None,
        documented_return=documented_type(api),
        behaviours=tuple(_behaviour(difference) for difference in counterpart.behaviours),
        call=views.CallView(_rows(call.rows), _row(call.returns) if call.returns else None) if call else None,
        state=_rows(counterpart.state),
        combinations=tuple(_combinations(counterpart)),
        platforms=api.platforms if api else (),
        evidence=_evidence(counterpart.evidence) if mapping.port in ("calls", "runtime") else None,
        deprecated=views.EndView(api.deprecated.since, counterpart.successor) if api and api.deprecated else None,
        note=_stated(target.note) if target.note else None,
        deprecation=tuple(_ended(api, "MindSpore", counterpart.successor)),
        prose=tuple(mindspore_prose(counterpart)),
        torch_returns=_torch_returns(counterpart),
        differences=tuple(_differences(counterpart)),
    )


def _rows(rows: tuple[Row, ...]) -> tuple[RowView, ...]:
    return tuple(_row(row) for row in rows)


def _row(row: Row) -> RowView:
    kinds = tuple(dict.fromkeys(d.kind.value for d in row.differences)) or (Kind.SAME.value,)
    text = row_sentence(row)
    return RowView(row.torch, row.mindspore, kinds, text.en, text.zh)


def _behaviour(difference: Difference) -> views.BehaviourView:
    text = sentence(difference)
    return views.BehaviourView(difference.kind.value, about(difference), text.en, text.zh)


def _differences(counterpart: Counterpart) -> Iterator[views.DifferenceView]:
    """What counts and is not said by another difference, the worst first."""
    for difference in counterpart.differences:
        if difference.counts and not difference.covered_by_other:
            text = brief(difference)
            yield views.DifferenceView(difference.kind.value, *_place(counterpart, difference), text.en, text.zh)


def _place(counterpart: Counterpart, difference: Difference) -> tuple[str, int]:
    """Where a difference stands: the part of the view, and the number there."""
    call = counterpart.call
    for number, row in enumerate((*counterpart.rows, *(call.rows if call else ()), *counterpart.state)):
        if difference in row.differences:
            return "rows", number
    returned = (counterpart.returns, call.returns if call else None)
    if any(row is not None and difference in row.differences for row in returned):
        return "returns", 0
    return "behaviours", counterpart.behaviours.index(difference)


def _combinations(counterpart: Counterpart) -> Iterator[tuple[views.ChoiceView, ...]]:
    """By combination what each parameter of it may be, for a tensor its dimensions."""
    forms = [binding.torch for binding in counterpart.bindings]
    tensors = {p.name for form in forms for p in form.parameters if p.annotation == "Tensor"}
    for row in counterpart.target.only:
        yield tuple(_choice(name, values, name in tensors) for name, values in row.items())


def _choice(name: str, values: Any, of_tensor: bool) -> views.ChoiceView:
    several = tuple(values) if isinstance(values, list | tuple) else (values,)
    shown = ", ".join(value if isinstance(value, str) else repr(value) for value in several)
    text = said("combinations", "dimensions" if of_tensor else "values", values=shown)
    if several == ("given",):
        text = both(lambda language: label("given", language))
    return views.ChoiceView(name, several, text.en, text.zh)


def _torch_returns(counterpart: Counterpart) -> Text:
    """What torch returns, as far as the contract tells."""
    collective = counterpart.contract.collective
    if collective is None:
        return both(lambda language: label("result", language))
    if any(p.name == "async_op" for binding in counterpart.bindings for p in binding.torch.parameters):
        return both(lambda language: label("work_or_none", language))
    return both(lambda _: {"work": "`Work`", "sender": "`int`", None: "`None`"}[collective.returns])


def _correction(mapping: Mapping, correction: Correction) -> Text:
    """What the source document got wrong: typed, or derived from the claim and the facts."""
    if correction.en is not None and correction.zh is not None:
        return Text(correction.en, correction.zh)
    counterpart = mapping.counterpart(correction.target)
    row = next((r for r in counterpart.rows if r.torch == correction.about), None) if counterpart else None
    if counterpart is None or row is None:
        return Text("", "")
    if correction.default is not None:
        api = counterpart.api
        defaults = {p.name: p.default for form in api.forms for p in form.parameters} if api else {}
        truth = next((d for name in row.mindspore if (d := defaults.get(name))), "")
        return said("corrections", "default", about=correction.about, claimed=correction.default, truth=truth)
    assert correction.claims is not None
    claimed, true = _kind_name(correction.claims), row_sentence(row)
    return both(
        lambda language: phrase(
            "corrections", "claims", language,
            about=correction.about, claimed=claimed.of(language), truth=true.of(language),
        )
    )  # fmt: skip


def _ended(api: Api | None, framework: str, successor: str | None) -> Iterator[Text]:
    """The deprecation of an API: since when, and what to use instead."""
    if api is None or api.deprecated is None:
        return
    since = api.deprecated.since
    values = {"since": since, "framework": framework} if since else {}
    yield said("deprecation", "since" if since else "plain", name=api.name, **values)
    if successor:
        yield said("deprecation", "successor", successor=successor)


def _evidence(status: EvidenceStatus) -> views.EvidenceView:
    """What `verify` ran of an implementation, and whether it still holds."""
    run = status.run
    text = both(lambda language: evidence_sentence(status, language))
    if run is None:
        return views.EvidenceView(status.state, text.en, text.zh)
    measured = tuple({"given": given, "values": values} for given, values in sorted(run.get("measured", {}).items()))
    return views.EvidenceView(
        status.state, text.en, text.zh, run.get("torch"), run.get("mindspore"), run.get("python"), run.get("platform"),
        tuple(run["ranks"]) if "ranks" in run else None, run.get("cases"), run.get("status"), measured or None,
        run.get("drawn"),
    )  # fmt: skip


def evidence_sentence(status: EvidenceStatus, language: Language) -> str:
    """What was run of an implementation and agreed with torch, or that it is not verified."""
    run = status.run
    if run is None or status.entry_state != "verified":
        return phrase(
            "evidence", {"stale": "stale", "verified": "not_called"}.get(status.entry_state, "none"), language
        )
    phrases, comma = catalogue("phrases"), label("comma", language)
    own, drawn = Counter(run["cases"]), Counter(run.get("drawn", {}))
    cases = own + drawn
    counted = [
        phrase("outcomes", outcome, language, count=str(cases[outcome]))
        for outcome in phrases["outcomes"]
        if outcome in cases
    ]
    sources = (
        [phrase("evidence", "drawn", language, drawn=str(drawn.total()), own=str(own.total()), cap=str(CAP))]
        if drawn
        else []
    )
    measured = [
        phrase("evidence", "measured", language, given=given, one=str(values[0]), ten=str(values[-1]))
        for given, values in sorted(run.get("measured", {}).items())
    ]
    platform = run["platform"]
    ran = phrase(
        "evidence", run.get("status") or ("verified" if "ranks" in run else "alone"), language,
        torch=run["torch"], mindspore=run["mindspore"], outcomes=comma.join(counted), count=str(sum(cases.values())),
        ranks=comma.join(map(str, run.get("ranks", ()))),
        platform=phrase("platforms_verified", platform, language) if platform in phrases["platforms_verified"]
        else platform,
    )  # fmt: skip
    return label("joiner", language).join([ran, *sources, *measured])


def _exemption(exemption: str) -> views.ExemptionView:
    text = said("exemptions", exemption)
    return views.ExemptionView(exemption, text.en, text.zh)


def _kind_name(kind: Kind) -> Text:
    return both(lambda language: kind_name(kind.value, language))


def _verdict_name(verdict: str) -> Text:
    return both(lambda language: verdict_name(verdict, language))


def _stated(text: StatedText) -> Text:
    return Text(text.en, text.zh)
