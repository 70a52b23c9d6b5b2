"""The page of an API on the site: a mapping in, Markdown out. The view is that of every other page (`prepare.page`), in
HTML; what this adds is what a browser can do: chips, anchors, parameters that lead to their row, the first screen.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path
from urllib.parse import quote

from mapspore.cases.example_programs import programs
from mapspore.evidence.records import record_of
from mapspore.facts.snapshot import Api
from mapspore.pages.site.chips import Chip, evidence_chip, tone, verdict_chip
from mapspore.pages.site.names import Names, search_words, terms
from mapspore.pages.site.texts import render, text
from mapspore.resolve.differences import Difference, Row
from mapspore.resolve.registry import Counterpart, Mapping, Registry
from mapspore.resolve.signatures import documented_type, parameter_texts, written_once
from mapspore.text.markup import HTML, breakable
from mapspore.text.phrases import LANGUAGES, Language, kind_name, label, phrase, verdict_name
from mapspore.view.prepare import PageView, TargetView, page, phrase_same, row_sentence, torch_result
from mapspore.view.prose import mindspore_prose
from mapspore.view.sentences import about, sentence
from mapspore.words.kinds import Kind


@dataclass(frozen=True, slots=True)
class Line:
    """A row of the difference table; without names of either side it is about `topic`."""

    id: str
    torch: str
    mindspore: str
    kinds: tuple[Chip, ...]
    said: str
    topic: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """Rows under a heading; the first ones have none."""

    title: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Said:
    """A difference in one sentence, with the rows that it holds for."""

    tone: str
    sentence: str
    about: tuple[tuple[str, str], ...]
    """Names, each with the anchor of its row; none where it is about the whole."""


@dataclass(frozen=True, slots=True)
class TargetPart:
    """One counterpart, as the site shows it beside what `prepare` says of it."""

    view: TargetView
    name: str
    """The counterpart, breakable where the screen is narrow."""
    verdict: Chip
    evidence: Chip
    evidence_brief: Chip
    differences: tuple[Said, ...]
    prose: str
    """What MindSpore's side does; what it takes, its signature shows."""
    torch_signatures: tuple[str, ...]
    signatures: tuple[str, ...]
    parts: tuple[Part, ...]
    """Parameters; of a class also what its objects are called with, and their state; what is returned, and what behaves
    differently."""


@dataclass(frozen=True, slots=True)
class ExampleView:
    """Before and after: programs that were run, with what they printed, or else the import and a call."""

    before: str
    after: str
    output: str
    """What they printed, if both print the same or only one runs."""
    outputs: tuple[tuple[str, str], ...]
    """By framework what each printed, if that is not the same."""
    said: str
    """Where the output comes from, or that nothing was run."""
    after_title: str
    """What the second program needs: the adapter, or MindSpore alone."""


@dataclass(frozen=True, slots=True)
class ApiPage:
    view: PageView
    name: str
    head: str
    """The front matter, as YAML."""
    verdict: Chip
    evidence: Chip
    adapter: str
    """The lines to copy, if there are any."""
    targets: tuple[TargetPart, ...]
    others: tuple[TargetPart, ...]
    """Without the preferred one."""
    torch_signatures: tuple[str, ...]
    found_as: str
    example: ExampleView
    report: str
    twin: str
    yaml: str


def api_page(
    mapping: Mapping,
    registry: Registry,
    names: Names,
    language: Language,
    repository: str | None = None,
    root: Path | None = None,
) -> str:
    """The page as Markdown with HTML in it; `repository` is where a wrong mapping can be reported, and below `root`
    lies what programs printed."""
    return render("api", language, page=_view(mapping, registry, names, language, repository, root))


def _view(
    mapping: Mapping, registry: Registry, names: Names, language: Language, repository: str | None, root: Path | None
) -> ApiPage:
    view = page(mapping, registry, language, HTML, lambda name: f"../{name}/")
    adapts = view.has_adapter and not view.refuses
    short = names.short(mapping)
    targets = tuple(
        _target(mapping, counterpart, part, language)
        for counterpart, part in zip(mapping.counterparts, view.targets, strict=True)
    )
    return ApiPage(
        view=view,
        name=breakable(mapping.name),
        head=_head(mapping, language),
        verdict=verdict_chip(mapping.verdict, language),
        evidence=evidence_chip(mapping, None, language),
        adapter=escape("\n".join(written_once(view.after))) if adapts else "",
        targets=targets,
        others=targets[1:],
        torch_signatures=tuple(_signatures(mapping.name, mapping.api, {})),
        found_as=label("comma", language).join(HTML.code(name) for name in short),
        example=example(mapping, view.before, view.after, root, language),
        report=escape(report_url(mapping.name, mapping.source.path, repository, language)),
        twin=f"../{mapping.name}.json",
        yaml=f"../{mapping.name}.yaml",
    )


def _head(mapping: Mapping, language: Language) -> str:
    """What mkdocs wants to know: a description that is safe in an attribute, and the words that search finds."""
    about = mapping.entry.summary.zh if language == "zh" else mapping.entry.summary.en
    preferred = mapping.preferred()
    counterpart = preferred.target.mindspore if preferred else label("nothing", language)
    verdict = verdict_name(mapping.verdict, language)
    said = text("description", language, name=mapping.name, counterpart=counterpart, verdict=verdict, summary=about)
    head = {
        "title": mapping.name,
        "description": escape(said),
        "api": mapping.name,
        "module": mapping.name.rpartition(".")[0],
        "hide": ["navigation", "toc"],
        "tags": search_words([mapping.name, *terms(f"api/{mapping.name}")]),
        "search": {"boost": _weight(mapping)},
    }
    return json.dumps(head, ensure_ascii=False)


def _weight(mapping: Mapping) -> float:
    """Of several pages that a word leads to, the one with the shortest name is meant, and what has a counterpart."""
    words = len(search_words([mapping.name.rpartition(".")[2]]))
    return round((1 + 0.5 / words) * (1 if mapping.counterparts else 0.4), 2)


def _target(mapping: Mapping, counterpart: Counterpart, view: TargetView, language: Language) -> TargetPart:
    ids = dict(_row_ids(counterpart))
    every = _rows(counterpart)
    preferred = counterpart is mapping.preferred()  # beside the others torch's signature is there to compare with
    torch_rows = {row.torch: ids[index] for index, row in enumerate(every) if row.torch and preferred}
    own_rows = {name: ids[index] for index, row in enumerate(every) for name in row.mindspore}
    adapted = mapping.has_adapter
    return TargetPart(
        view=view,
        name=breakable(counterpart.target.mindspore),
        verdict=verdict_chip(counterpart.verdict, language),
        evidence=evidence_chip(mapping, counterpart, language),
        evidence_brief=evidence_chip(mapping, counterpart, language, brief=True),
        differences=tuple(_differences(counterpart, ids, adapted, language)),
        prose=HTML.text(label("joiner", language).join(mindspore_prose(counterpart, language)[1:])),
        torch_signatures=tuple(_signatures(mapping.name, mapping.api, torch_rows)),
        signatures=tuple(_signatures(counterpart.target.mindspore, counterpart.api, own_rows)),
        parts=() if mapping.port == "rewrite" else tuple(_parts(counterpart, ids, adapted, language)),
    )


def _parts(counterpart: Counterpart, ids: dict[int, str], adapted: bool, language: Language) -> Iterator[Part]:
    called = counterpart.call.rows if counterpart.call else ()
    start = 0
    for title, rows in (("", counterpart.rows), ("call", called), ("state", counterpart.state)):
        lines = tuple(_line(row, ids[start + index], adapted, language) for index, row in enumerate(rows))
        start += len(rows)
        if lines:
            yield Part(label(title, language) if title else "", lines)
    others = tuple(_others(counterpart, adapted, language))
    if others:
        yield Part(text("result_title", language), others)


def _line(row: Row, anchor: str, adapted: bool, language: Language) -> Line:
    nothing = label("nothing", language)
    return Line(
        anchor,
        f'<a href="#{quote(anchor)}">{escape(row.torch)}</a>' if row.torch else nothing,
        label("comma", language).join(map(HTML.code, row.mindspore)) or nothing,
        _kinds(row, language),
        _spoken(row, adapted, language),
    )


def _spoken(row: Row, adapted: bool, language: Language) -> str:
    """What a row has to say; where nothing differs, its chip says so."""
    return HTML.text(row_sentence(row, language, adapted).removeprefix(phrase_same(language)).lstrip())


def _rows(counterpart: Counterpart) -> tuple[Row, ...]:
    """Parameters, for a class also those that its objects are called with, and its state."""
    return (*counterpart.rows, *(counterpart.call.rows if counterpart.call else ()), *counterpart.state)


def _row_ids(counterpart: Counterpart) -> Iterator[tuple[int, str]]:
    """An anchor per row, of the parameter's name; a second one of the same name is numbered."""
    used: dict[str, int] = {}
    for index, row in enumerate(_rows(counterpart)):
        name = f"{counterpart.id}-{row.torch or row.mindspore[0]}"
        used[name] = used.get(name, 0) + 1
        yield index, name if used[name] == 1 else f"{name}-{used[name]}"


def _kinds(row: Row, language: Language) -> tuple[Chip, ...]:
    """The kinds of difference of a row; that something is the same is said only of the whole row."""
    kinds: list[Kind] = [*dict.fromkeys(d.kind for d in row.differences if d.kind is not Kind.SAME)] or [Kind.SAME]
    return tuple(Chip(tone(kind.value), kind_name(kind.value, language)) for kind in kinds)


def _differences(counterpart: Counterpart, ids: dict[int, str], adapted: bool, language: Language) -> Iterator[Said]:
    """What counts, the worst first; what holds for several parameters is said once, where it is worst."""
    said: dict[tuple[str, str], dict[tuple[str, str], None]] = {}
    for difference in counterpart.differences:
        if difference.silent or not difference.counts or difference.kind is Kind.SAME:
            continue
        spoken = HTML.text(sentence(difference, language, adapted))
        place = _place(counterpart, difference, ids, language)
        said.setdefault((tone(difference.kind.value), spoken), {})[place] = None
    for (colour, spoken), places in said.items():
        yield Said(colour, spoken, tuple(place for place in places if place[0]))


def _place(
    counterpart: Counterpart, difference: Difference, ids: dict[int, str], language: Language
) -> tuple[str, str]:
    """What a difference is about, and the anchor of its row."""
    for index, row in enumerate(_rows(counterpart)):
        if difference in row.differences:
            return HTML.code(row.torch or row.mindspore[0]), ids[index]
    called = counterpart.call.returns if counterpart.call else None
    if any(row is not None and difference in row.differences for row in (counterpart.returns, called)):
        return label("answer_returns", language), f"{counterpart.id}--returns"
    for number, behaviour in enumerate(counterpart.behaviours):
        if behaviour == difference:
            return _topic(difference, language), _behaviour_id(counterpart, number)
    raise AssertionError(f"a difference of {counterpart.target.mindspore} has no row")


def _others(counterpart: Counterpart, adapted: bool, language: Language) -> Iterator[Line]:
    returns = counterpart.call.returns if counterpart.call else counterpart.returns
    if returns is not None:
        stated = documented_type(counterpart.api)
        yield Line(
            f"{counterpart.id}--returns",
            HTML.text(torch_result(counterpart, language)),
            HTML.code(stated) if stated else label("result", language),
            _kinds(returns, language),
            _spoken(returns, adapted, language),
        )
    for number, difference in enumerate(counterpart.behaviours):
        kind = Chip(tone(difference.kind.value), kind_name(difference.kind.value, language))
        spoken = HTML.text(sentence(difference, language, adapted))
        yield Line(_behaviour_id(counterpart, number), "", "", (kind,), spoken, _topic(difference, language))


def _topic(difference: Difference, language: Language) -> str:
    """What a behaviour is about: what reads the same in every language is a name."""
    said = about(difference, language)
    named = said and {said} == {about(difference, each) for each in LANGUAGES}
    return HTML.code(said) if named else HTML.text(said)


def _behaviour_id(counterpart: Counterpart, number: int) -> str:
    return f"{counterpart.id}--behaviour" + (f"-{number + 1}" if number else "")


def _signatures(name: str, api: Api | None, rows: dict[str, str]) -> Iterator[str]:
    """Each overload as HTML, one parameter per line; a parameter that has a row leads there."""
    called = [(f"{name}.__call__", form) for form in (api.call if api else ())]
    for shown_name, form in [*((name, form) for form in (api.forms if api else ())), *called]:
        lines = [f"<b>{escape(shown_name)}</b>("]
        for part in parameter_texts(form.parameters):
            bare, equals, default = part.partition("=")
            known = rows.get(bare.lstrip("*"))
            shown = f'<a href="#{escape(quote(known))}">{escape(bare)}</a>' if known else escape(bare)
            value = f"=<i>{escape(default)}</i>" if equals else ""
            lines.append(f"    {shown}{value},")
        yield f"{lines[0]})" if len(lines) == 1 else "\n".join([*lines[:-1], lines[-1].removesuffix(","), ")"])


def example(mapping: Mapping, before: str, after: str, root: Path | None, language: Language) -> ExampleView:
    """The programs beside the entry, or those made from its plan and run; `before` and `after` otherwise."""
    found = programs(mapping)
    adapted = "torchspore" in (found.after if found else after)
    title = label("adapter_after" if adapted else "migrated_after", language)
    ran = record_of(root, mapping.name, found) if found and root else None
    if found is None or (found.made and ran is None):
        return ExampleView(before, after, "", (), text("not_run", language), title)
    one, other = found.before.rstrip("\n"), found.after.rstrip("\n")
    if ran is None:
        return ExampleView(one, other, "", (), text("not_run", language), title)
    first, second = ("\n".join(lines) for lines in (ran.output, ran.after or ()))
    if ran.after is None:
        told = "ran_before"
    elif second != first:
        told = "ran_apart"
    else:
        told = "ran_made" if found.made else "ran" if ran.ranks > 1 else "ran_alone"
    apart = told == "ran_apart"
    both = (("torch_side", first), ("mindspore_side", second)) if apart else ()
    outputs = tuple((label(side, language), escape(printed)) for side, printed in both)
    said = text(
        told, language, ranks=str(ran.ranks), torch=ran.torch, mindspore=ran.mindspore,
        platform=phrase("platforms_verified", ran.platform, language),
    )  # fmt: skip
    return ExampleView(one, other, "" if apart else first, outputs, said, title)


def report_url(name: str, path: str, repository: str | None, language: Language) -> str:
    """A new issue that says which entry it is about, or, without a repository, how to send a correction."""
    if not repository:
        return "../../guides/contributing/#report"
    title, body = text("report_title", language, name=name), text("report_body", language, name=name, path=path)
    return f"{repository.rstrip('/')}/issues/new?title={quote(title)}&body={quote(body)}"
