"""The page of an API on the site: an `EntryView` in, Markdown out. The texts are those of every other page
(`pages.page`), in HTML; what this adds is what a browser can do: chips, anchors, parameters that lead to their row, the
first screen.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path
from urllib.parse import quote

from mapspore.base.language import Language
from mapspore.evidence.records import record_of
from mapspore.pages.page import Printer, Shown, page, returned
from mapspore.pages.site.chips import Chip, evidence_chip, kind_chip, kind_chips, tone, verdict_chip
from mapspore.pages.site.names import search_words, short_names, terms
from mapspore.pages.site.texts import render, text
from mapspore.text.markup import HTML, breakable
from mapspore.text.phrases import kind_phrase, label, phrase
from mapspore.view.entry_view import BehaviourView, DifferenceView, EntryView, RowView, TargetView

INDENT = "    "
Place = tuple[str, str]
"""A name, and the anchor of its row; no name where a difference is about the whole."""


@dataclass(frozen=True, slots=True)
class Line:
    """A row of the difference table; without names of either side it is about `topic`."""

    id: str
    torch: str
    mindspore: str
    kinds: tuple[Chip, ...]
    said: str
    topic: str = ""


def api_page(entry: EntryView, language: Language, repository: str | None = None, root: Path | None = None) -> str:
    """The page as Markdown with HTML in it; `repository` is where a wrong mapping can be reported, and below `root`
    lies what programs printed."""
    return render("api", language, page=_page(entry, Printer(language, HTML), repository, root))


def _page(entry: EntryView, printer: Printer, repository: str | None, root: Path | None) -> Shown:
    """Every page's texts, and what the site adds."""
    shown, language = page(entry, printer, lambda name: f"../{name}/"), printer.language
    adapter = entry.adapter if not entry.only_raises else None
    targets = [
        part | _target(entry, target, printer) for target, part in zip(entry.targets, shown["targets"], strict=True)
    ]
    return shown | {
        "title": breakable(entry.torch),
        "head": _head(entry, language),
        "verdict_chip": verdict_chip(entry, language),
        "evidence_chip": evidence_chip(entry, None, language),
        "own_evidence": printer.of(entry.evidence) if entry.evidence is not None and targets else "",
        "adapter_lines": escape("\n".join(adapter.written_once)) if adapter else "",
        "becomes": text("no_counterpart" if entry.unmapped or not entry.runtime else "adapter_alone", language),
        "targets": targets,
        "others": targets[1:],
        "torch_signatures": list(_signatures(entry.signatures, {})),
        "found_as": printer.codes(short_names(entry)),
        "shows_example": bool(shown["example"] or (adapter and (entry.programs or entry.needs_example))),
        "example": example(entry, root, language),
        "report": escape(report_url(entry.torch, entry.entry, repository, language)),
    }


def _head(entry: EntryView, language: Language) -> str:
    """What mkdocs wants to know: a description that is safe in an attribute, and the words that search finds."""
    said = text(
        "description", language, name=entry.torch, verdict=entry.verdict_name.of(language),
        counterpart=entry.preferred.mindspore if entry.preferred else label("nothing", language),
        summary=entry.summary.of(language),
    )  # fmt: skip
    head = {
        "title": entry.torch,
        "description": escape(said),
        "api": entry.torch,
        "module": entry.torch.rpartition(".")[0],
        "hide": ["navigation", "toc"],
        "tags": search_words([entry.torch, *terms(f"api/{entry.torch}")]),
        "search": {"boost": _weight(entry)},
    }
    return json.dumps(head, ensure_ascii=False)


def _weight(entry: EntryView) -> float:
    """Of several pages that a word leads to, the one with the shortest name is meant, and what has a counterpart."""
    words = len(search_words([entry.torch.rpartition(".")[2]]))
    return round((1 + 0.5 / words) * (1 if entry.targets else 0.4), 2)


def _target(entry: EntryView, target: TargetView, printer: Printer) -> Shown:
    language, ids = printer.language, list(_row_ids(target))
    preferred = target is entry.preferred  # beside the others torch's signature is there to compare with
    torch_rows = {row.torch: anchor for row, anchor in zip(target.rows, ids, strict=True) if row.torch and preferred}
    own_rows = {name: anchor for row, anchor in zip(target.rows, ids, strict=True) for name in row.mindspore}
    return {
        "title": breakable(target.mindspore),
        "verdict_chip": verdict_chip(target, language),
        "evidence_chip": evidence_chip(entry, target, language),
        "evidence_brief": evidence_chip(entry, target, language, brief=True),
        "evidence_text": printer.of(entry.evidence_of(target)),
        "differences": list(_differences(target, ids, printer)),
        "prose": printer.joined(target.prose[1:]),  # what MindSpore takes, its signature shows
        "torch_signatures": list(_signatures(entry.signatures, torch_rows)),
        "signatures": list(_signatures(target.signatures, own_rows)),
        "parts": [] if entry.migrate else list(_parts(target, ids, printer)),
    }


def _row_ids(target: TargetView) -> Iterator[str]:
    """An anchor per row, of the parameter's name; a second one of the same name is numbered."""
    used: dict[str, int] = {}
    for row in target.rows:
        name = f"{target.id}-{row.torch or row.mindspore[0]}"
        used[name] = used.get(name, 0) + 1
        yield name if used[name] == 1 else f"{name}-{used[name]}"


def _parts(target: TargetView, ids: list[str], printer: Printer) -> Iterator[tuple[str, list[Line]]]:
    """Rows under headings: parameters, which need none; of a class also what its objects are called with, and their
    state; what is returned, and what behaves differently."""
    anchors = iter(ids)
    called = target.call.parameters if target.call else ()
    for title, rows in (("", target.parameters), ("call", called), ("state", target.state)):
        lines = [_line(row, next(anchors), printer) for row in rows]
        if lines:
            yield printer.label(title) if title else "", lines
    others = list(_others(target, printer))
    if others:
        yield text("result_title", printer.language), others


def _line(row: RowView, anchor: str, printer: Printer) -> Line:
    nothing = label("nothing", printer.language)
    torch = f'<a href="#{quote(anchor)}">{escape(row.torch)}</a>' if row.torch else nothing
    kinds = kind_chips(row.kinds, printer.language)
    return Line(anchor, torch, printer.codes(row.mindspore) or nothing, kinds, _spoken(row, printer))


def _spoken(row: RowView, printer: Printer) -> str:
    """What a row has to say; where nothing differs, its chip says so."""
    same = kind_phrase("same", "")[printer.language]
    return HTML.text(row.of(printer.language).removeprefix(same).lstrip())


def _differences(target: TargetView, ids: list[str], printer: Printer) -> Iterator[tuple[str, str, list[Place]]]:
    """What counts, the worst first: its colour, the sentence, and the rows that it holds for; what holds for several
    parameters is said once, where it is worst."""
    said: dict[tuple[str, str], dict[Place, None]] = {}
    for difference in target.differences:
        spoken = (tone(difference.kind), printer.of(difference))
        said.setdefault(spoken, {})[_place(target, difference, ids, printer)] = None
    for (colour, sentence), places in said.items():
        yield colour, sentence, [place for place in places if place[0]]


def _place(target: TargetView, difference: DifferenceView, ids: list[str], printer: Printer) -> Place:
    """What a difference is about, and the anchor of its row."""
    number = difference.number
    if difference.part == "rows":
        row = target.rows[number]
        return HTML.code(row.torch or row.mindspore[0]), ids[number]
    if difference.part == "returns":
        return label("answer_returns", printer.language), f"{target.id}--returns"
    return _topic(target.behaviours[number], printer), _behaviour_id(target, number)


def _others(target: TargetView, printer: Printer) -> Iterator[Line]:
    returns = target.call.returns if target.call else target.returns
    if returns is not None:
        kinds = kind_chips(returns.kinds, printer.language)
        yield Line(f"{target.id}--returns", *returned(target, printer), kinds, _spoken(returns, printer))
    for number, behaviour in enumerate(target.behaviours):
        kinds = (kind_chip(behaviour.kind, printer.language),)
        anchor, topic = _behaviour_id(target, number), _topic(behaviour, printer)
        yield Line(anchor, "", "", kinds, printer.of(behaviour), topic)


def _topic(behaviour: BehaviourView, printer: Printer) -> str:
    """What a behaviour is about: what reads the same in every language is a name."""
    about = behaviour.about
    return HTML.code(about.en) if about.en and about.en == about.zh else printer.of(about)


def _behaviour_id(target: TargetView, number: int) -> str:
    return f"{target.id}--behaviour" + (f"-{number + 1}" if number else "")


def _signatures(signatures: tuple[str, ...], rows: dict[str, str]) -> Iterator[str]:
    """Each overload as HTML, one parameter per line; a parameter that has a row leads there."""
    for signature in signatures:
        name, bracket, rest = signature.partition("(")
        first, *lines = rest.split("\n")
        head = f"<b>{escape(name)}</b>{bracket}{escape(first)}"
        yield "\n".join([head, *(_signature_line(line, rows) for line in lines)])


def _signature_line(line: str, rows: dict[str, str]) -> str:
    if not line.startswith(INDENT):
        return escape(line)
    part, comma = line.removeprefix(INDENT).removesuffix(","), "," if line.endswith(",") else ""
    bare, equals, default = part.partition("=")
    known = rows.get(bare.lstrip("*"))
    shown = f'<a href="#{escape(quote(known))}">{escape(bare)}</a>' if known else escape(bare)
    return f"{INDENT}{shown}{f'=<i>{escape(default)}</i>' if equals else ''}{comma}"


def example(entry: EntryView, root: Path | None, language: Language) -> Shown:
    """Before and after: the programs beside the entry, or those made from its plan and run, with what they printed;
    otherwise the import and a call, which is shown where the entry needs an example and has none yet."""
    found, adapter = entry.programs, entry.adapter
    ran = record_of(root, entry.torch, found) if found and root else None
    if found is None or (found.made and ran is None):
        before, after = (adapter.before, adapter.after) if adapter else ("", "")
    else:
        before, after = found.before.rstrip("\n"), found.after.rstrip("\n")
    adapted = "torchspore" in (found.after if found else after)
    title = label("adapter_after" if adapted else "migrated_after", language)
    shown = {"before": before, "after": after, "after_title": title, "output": "", "outputs": []}
    if found is None or ran is None:
        return shown | {"said": text("not_run", language)}
    first, second = ("\n".join(lines) for lines in (ran.output, ran.after or ()))
    apart = ran.after is not None and second != first
    said = "ran_before" if ran.after is None else "ran_apart" if apart else ""
    said = said or ("ran_made" if found.made else "ran" if ran.ranks > 1 else "ran_alone")
    both = (("torch_side", first), ("mindspore_side", second)) if apart else ()
    return shown | {
        "output": "" if apart else first,
        "outputs": [(label(side, language), escape(printed)) for side, printed in both],
        "said": text(
            said, language, ranks=str(ran.ranks), torch=ran.torch, mindspore=ran.mindspore,
            platform=phrase("platforms_verified", ran.platform, language),
        ),
    }  # fmt: skip


def report_url(name: str, path: str, repository: str | None, language: Language) -> str:
    """A new issue that says which entry it is about, or, without a repository, how to send a correction."""
    if not repository:
        return "../../guides/contributing/#report"
    title, body = text("report_title", language, name=name), text("report_body", language, name=name, path=path)
    return f"{repository.rstrip('/')}/issues/new?title={quote(title)}&body={quote(body)}"
