"""Stage 5, prepare: a mapping in, views out: exactly what a page or an answer prints, in one language.

All sorting, naming, phrasing and escaping happens here, so that templates hold headings and order only and
both languages come from one skeleton.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from mapspore.entry.model import Correction, Text
from mapspore.facts.snapshot import Api
from mapspore.resolve.differences import Difference, Row
from mapspore.resolve.evidence_status import EvidenceStatus
from mapspore.resolve.registry import Counterpart, Mapping, Registry
from mapspore.resolve.signatures import documented_type, signature_texts, usage
from mapspore.text.links import mindspore_url, torch_url
from mapspore.text.markup import Markup
from mapspore.text.phrases import Language, catalogue, kind_name, label, phrase, verdict_name
from mapspore.view.prose import mindspore_prose, torch_prose
from mapspore.view.sentences import about, sentence
from mapspore.words.kinds import Kind


@dataclass(frozen=True, slots=True)
class RowView:
    category: str
    item: str
    torch: str
    mindspore: str
    kinds: tuple[str, ...]
    difference: str


@dataclass(frozen=True, slots=True)
class SideView:
    """One API: its name, its signatures as code, where it is documented, and what it does."""

    name: str
    signatures: tuple[str, ...]
    url: str
    documentation: str
    prose: str


@dataclass(frozen=True, slots=True)
class TargetView:
    id: str
    side: SideView
    verdict: str
    verdict_name: str
    kinds: tuple[str, ...]
    exemptions: str
    differences: tuple[str, ...]
    """What differs, a sentence each, the worst first."""
    rows: tuple[RowView, ...]
    combined: tuple[str, ...]
    """The parameters of which fewer combinations are taken; empty if there is no such limit."""
    combined_title: str
    combinations: tuple[tuple[str, ...], ...]
    """The combinations that are taken: by row, what each of those parameters may be."""
    platforms: str
    evidence: str
    """What was verified by execution, or that nothing was; empty where that is said once for all targets."""
    deprecation: str
    note: str


@dataclass(frozen=True, slots=True)
class LinkView:
    name: str
    url: str


@dataclass(frozen=True, slots=True)
class PageView:
    name: str
    summary: str
    aliases: str
    verdict: str
    verdict_name: str
    torch: SideView
    targets: tuple[TargetView, ...]
    evidence: str
    """What was verified by execution where one piece of code stands behind all targets."""
    unmapped: str
    instead: str
    has_adapter: bool
    refuses: bool
    """Whether the adapter only raises what to do instead."""
    runtime: str
    """What the adapter does by itself, if it does."""
    before: str
    after: str
    deprecation: str
    """What torch itself says of its end, if it does."""
    example_before: str
    example_after: str
    note: str
    corrections: tuple[str, ...]
    source: str
    related: tuple[LinkView, ...]
    entry: str
    """The path of the entry's YAML file within the repository."""


def page(
    mapping: Mapping, registry: Registry, language: Language, markup: Markup, page_of: Callable[[str], str]
) -> PageView:
    """The comparison page of an entry; `page_of` tells where the page of another entry is."""
    entry, api = mapping.entry, mapping.api
    adapted, by_target = mapping.has_adapter, mapping.port == "calls"
    text = _Texts(language, markup, adapted)
    torch_version = registry.torch.version
    signatures = signature_texts(mapping.name, api)
    side = SideView(
        mapping.name,
        signatures,
        torch_url(mapping.name, torch_version),
        label("more_torch", language, version=torch_version),
        text.joined(torch_prose(entry.contract, api, language)),
    )
    before, after = usage(mapping)
    return PageView(
        name=mapping.name,
        summary=text.of(entry.summary),
        aliases=label("comma", language).join(markup.code(alias) for alias in entry.aliases),
        verdict=mapping.verdict,
        verdict_name=verdict_name(mapping.verdict, language),
        torch=side,
        targets=tuple(target(c, registry, by_target, text) for c in mapping.counterparts),
        evidence="" if by_target else text.plain(evidence_sentence(mapping.evidence, language)),
        unmapped=text.of(entry.unmapped.why) if entry.unmapped else "",
        instead=text.of(entry.migrate or (entry.unmapped.instead if entry.unmapped else None)),
        has_adapter=adapted,
        refuses=mapping.only_raises,
        runtime=text.plain(runtime_sentence(entry.runtime, language)),
        before=before,
        after=after,
        deprecation=text.joined(_torch_deprecation(api, language)),
        example_before=mapping.source.examples.get(".before.py", "").rstrip("\n"),
        example_after=mapping.source.examples.get(".after.py", "").rstrip("\n"),
        note=text.of(entry.note),
        corrections=tuple(text.plain(correction_sentence(mapping, c, language)) for c in entry.corrects),
        source=entry.source or "",
        related=tuple(LinkView(name, _related_url(name, registry, page_of)) for name in entry.related),
        entry=mapping.source.path,
    )


def runtime_sentence(name: str | None, language: Language) -> str:
    """What the adapter does by itself where no single call of MindSpore stands behind it."""
    return "" if name is None else phrase("runtime", name, language)


def target(counterpart: Counterpart, registry: Registry, by_target: bool, text: _Texts) -> TargetView:
    """One counterpart's part of the page."""
    language, api, name = text.language, counterpart.api, counterpart.target.mindspore
    version = registry.mindspore.version
    side = SideView(
        name,
        signature_texts(name, api),
        mindspore_url(name, version, language),
        label("more_mindspore", language, version=version),
        text.joined(mindspore_prose(counterpart, language)),
    )
    spoken = [d for d in counterpart.differences if not d.silent and d.kind is not Kind.SAME]
    said = dict.fromkeys(_with_name(counterpart, d, text) for d in spoken if d.counts)
    return TargetView(
        id=counterpart.id,
        side=side,
        verdict=counterpart.verdict,
        verdict_name=verdict_name(counterpart.verdict, language),
        kinds=tuple(kind_name(kind.value, language) for kind in counterpart.kinds),
        exemptions=text.listed([phrase("exemptions", e.value, language) for e in counterpart.exemptions]),
        differences=tuple(text.plain(sentence_) for sentence_ in said),
        rows=tuple(rows(counterpart, text)),
        combined=tuple(text.markup.code(name) for name in combined(counterpart)),
        combined_title=label("choices" if len(combined(counterpart)) == 1 else "combinations", text.language),
        combinations=tuple(combinations(counterpart, text)),
        platforms=text.plain(_platforms(api, language)),
        evidence=text.plain(evidence_sentence(counterpart.evidence, language)) if by_target else "",
        deprecation=text.joined(_deprecation(counterpart, language)),
        note=text.of(counterpart.target.note),
    )


def rows(counterpart: Counterpart, text: _Texts) -> list[RowView]:
    """The difference table: parameters in torch's order, then MindSpore's own, results, what objects are called with
    and keep, behaviours."""
    language = text.language
    views = _signature_rows(counterpart, text, "parameters", "returns")
    if counterpart.call is not None:
        views += _signature_rows(counterpart.call, text, "call", "call")
    for row in counterpart.state:
        views.append(_row_view(row, text, label("state", language), label("state_part", language)))
    for difference in counterpart.behaviours:
        said = text.plain(sentence(difference, language, text.adapted))
        nothing = label("nothing", language)
        topic = text.plain(about(difference, language)) or nothing
        views.append(RowView(label("behaviour", language), topic, nothing, nothing, (difference.kind.value,), said))
    return views


def _signature_rows(counterpart: Counterpart, text: _Texts, parameters: str, returns: str) -> list[RowView]:
    """The rows of one signature: each parameter, and what comes back; under these headings."""
    language = text.language
    views = [
        _row_view(row, text, label(parameters, language), label("parameter_n", language, n=str(number)))
        for number, row in enumerate(counterpart.rows, 1)
    ]
    if counterpart.returns is not None:
        row = counterpart.returns
        stated = documented_type(counterpart.api)
        views.append(
            RowView(
                label(returns, language),
                label("return_value", language),
                text.plain(torch_result(counterpart, language)),
                text.markup.code(stated) if stated else text.plain(label("result", language)),
                _kinds(row),
                text.plain(row_sentence(row, language, text.adapted)),
            )
        )
    return views


def _row_view(row: Row, text: _Texts, category: str, item: str) -> RowView:
    language, code = text.language, text.markup.code
    return RowView(
        category,
        item,
        code(row.torch) if row.torch else label("nothing", language),
        label("comma", language).join(code(name) for name in row.mindspore) or label("nothing", language),
        _kinds(row),
        text.plain(row_sentence(row, language, text.adapted)),
    )


def _kinds(row: Row) -> tuple[str, ...]:
    return tuple(dict.fromkeys(d.kind.value for d in row.differences)) or (Kind.SAME.value,)


def combined(counterpart: Counterpart) -> list[str]:
    """The parameters that the supported combinations speak of."""
    return list(dict.fromkeys(name for row in counterpart.target.supports for name in row))


def combinations(counterpart: Counterpart, text: _Texts) -> Iterator[tuple[str, ...]]:
    """The supported combinations as a table: by row what each parameter may be."""
    for row in supported(counterpart, text.language):
        yield tuple(text.plain(row.get(name, label("any", text.language))) for name in combined(counterpart))


def supported(counterpart: Counterpart, language: Language) -> Iterator[dict[str, str]]:
    """By combination what each parameter of it may be, for a tensor its dimensions."""
    forms = [binding.torch for binding in counterpart.bindings]
    tensors = {p.name for form in forms for p in form.parameters if p.annotation == "Tensor"}
    for row in counterpart.target.supports:
        yield {name: _allowed(values, name in tensors, language) for name, values in row.items()}


def _allowed(values: object, of_tensor: bool, language: Language) -> str:
    several = list(values) if isinstance(values, list | tuple) else [values]
    if several == ["given"]:
        return label("given", language)
    shown = [value if isinstance(value, str) else repr(value) for value in several]
    return phrase("combinations", "dimensions" if of_tensor else "values", language, values=", ".join(shown))


def torch_result(counterpart: Counterpart, language: Language) -> str:
    """What torch returns, as far as the contract tells."""
    collective = counterpart.contract.collective
    if collective is None:
        return label("result", language)
    if any(p.name == "async_op" for binding in counterpart.bindings for p in binding.torch.parameters):
        return label("work_or_none", language)
    return {"work": "`Work`", "sender": "`int`", None: "`None`"}[collective.returns]


def row_sentence(row: Row, language: Language, adapted: bool) -> str:
    """All that a row has to say, the worst first."""
    spoken = [d for d in row.differences if not d.silent]
    if not any(d.kind is not Kind.SAME for d in spoken):
        return label("joiner", language).join(
            [phrase_same(language), *(sentence(d, language, adapted) for d in spoken if d.variant)]
        )
    return label("joiner", language).join(sentence(d, language, adapted) for d in spoken)


def phrase_same(language: Language) -> str:
    return sentence(Difference(Kind.SAME), language)


def _with_name(counterpart: Counterpart, difference: Difference, text: _Texts) -> str:
    """The sentence with the parameter that it is about in front, if it is about one."""
    said = sentence(difference, text.language, text.adapted)
    named = (*counterpart.rows, *counterpart.state, *(counterpart.call.rows if counterpart.call else ()))
    about = next((row.torch for row in named if difference in row.differences and row.torch), None)
    return f"`{about}`{label('separator', text.language)}{said}" if about else said


def correction_sentence(mapping: Mapping, correction: Correction, language: Language) -> str:
    """What the source document got wrong: typed, or derived from the claim and the facts."""
    if correction.en is not None and correction.zh is not None:
        return correction.zh if language == "zh" else correction.en
    counterpart = mapping.counterpart(correction.target)
    row = next((r for r in counterpart.rows if r.torch == correction.about), None) if counterpart else None
    if counterpart is None or row is None:
        return ""
    if correction.default is not None:
        api = counterpart.api
        defaults = {p.name: p.default for form in api.forms for p in form.parameters} if api else {}
        truth = next((d for name in row.mindspore if (d := defaults.get(name))), "")
        return phrase(
            "corrections", "default", language, about=correction.about, claimed=correction.default, truth=truth
        )
    assert correction.claims is not None
    claimed = kind_name(correction.claims.value, language)
    truth = row_sentence(row, language, mapping.has_adapter)
    return phrase("corrections", "claims", language, about=correction.about, claimed=claimed, truth=truth)


def evidence_sentence(status: EvidenceStatus, language: Language) -> str:
    """What was run of an implementation and agreed with torch, or that it is not verified."""
    ran = status.run
    if ran is None or status.entry_state != "verified":
        return phrase("evidence", "stale" if status.entry_state == "stale" else "none", language)
    outcomes = catalogue("phrases")["outcomes"]
    counted = [
        phrase("outcomes", outcome, language, count=str(ran["cases"][outcome]))
        for outcome in outcomes
        if outcome in ran["cases"]
    ]
    shape = ran.get("status") or ("verified" if "ranks" in ran else "alone")
    apart = [
        phrase("evidence", "measured", language, given=given, one=str(values[0]), ten=str(values[-1]))
        for given, values in sorted(ran.get("measured", {}).items())
    ]
    known = ran["platform"] in catalogue("phrases")["platforms_verified"]
    said = phrase(
        "evidence", shape, language, torch=ran["torch"], mindspore=ran["mindspore"],
        outcomes=label("comma", language).join(counted), count=str(sum(ran["cases"].values())),
        ranks=label("comma", language).join(map(str, ran.get("ranks", ()))),
        platform=phrase("platforms_verified", ran["platform"], language) if known else ran["platform"],
    )  # fmt: skip
    return label("joiner", language).join([said, *apart])


def _platforms(api: Api | None, language: Language) -> str:
    if api is not None and api.platforms:
        return phrase("platforms", "stated", language, names=", ".join(api.platforms))
    deprecated = api is not None and api.deprecated is not None
    return phrase("platforms", "deprecated" if deprecated else "unstated", language)


def _deprecation(counterpart: Counterpart, language: Language) -> list[str]:
    api = counterpart.api
    if api is None or api.deprecated is None:
        return []
    said = [_ended(api, "MindSpore", language)]
    if counterpart.successor:
        said.append(phrase("deprecation", "successor", language, successor=counterpart.successor))
    return said


def _torch_deprecation(api: Api | None, language: Language) -> list[str]:
    """That torch itself gives the API up: then what it names instead is what to look up here."""
    if api is None or api.deprecated is None:
        return []
    named = api.deprecated.replacement
    said = [_ended(api, "PyTorch", language)]
    return [*said, phrase("deprecation", "successor", language, successor=named)] if named else said


def _ended(api: Api, framework: str, language: Language) -> str:
    since = api.deprecated.since if api.deprecated else None
    values = {"since": since, "framework": framework} if since else {}
    return phrase("deprecation", "since" if since else "plain", language, name=api.name, **values)


def _related_url(name: str, registry: Registry, page_of: Callable[[str], str]) -> str:
    """Our own page if there is an entry, else torch's documentation."""
    if name in registry.claims:
        return page_of(registry.claims[name].name)
    return torch_url(name, registry.torch.version)


class _Texts:
    """Prints texts in one language with one markup, for an entry that has an adapter or not."""

    def __init__(self, language: Language, markup: Markup, adapted: bool) -> None:
        self.language = language
        self.markup = markup
        self.adapted = adapted

    def of(self, text: Text | None) -> str:
        return "" if text is None else self.plain(text.zh if self.language == "zh" else text.en)

    def plain(self, text: str) -> str:
        return self.markup.text(text) if text else ""

    def joined(self, sentences: list[str]) -> str:
        return self.plain(label("joiner", self.language).join(sentences))

    def listed(self, phrases: list[str]) -> str:
        if not phrases:
            return ""
        return self.plain(("；" if self.language == "zh" else "; ").join(phrases) + label("stop", self.language))
