"""The comparison page of an entry. In: an `EntryView`, a language and a markup. Out: what the templates print: the view
with every text printed, and what a page adds to it, so that templates hold headings and order only.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from mapspore.base.language import Language
from mapspore.text.links import torch_url
from mapspore.text.markup import Markup
from mapspore.text.phrases import label, phrase
from mapspore.view.entry_view import Bilingual, EntryView, RowView, TargetView, Text

Shown = dict[str, Any]
"""What a template prints, by name."""


class Printer:
    """Prints texts in one language with one markup."""

    def __init__(self, language: Language, markup: Markup) -> None:
        self.language = language
        self.markup = markup

    def of(self, text: Bilingual | None) -> str:
        return self.plain(text.of(self.language)) if text else ""

    def plain(self, text: str) -> str:
        return self.markup.text(text) if text else ""

    def joined(self, sentences: Iterable[Bilingual]) -> str:
        return self.plain(label("joiner", self.language).join(text.of(self.language) for text in sentences))

    def listed(self, phrases: Iterable[Bilingual]) -> str:
        every = label("answer_semicolon", self.language).join(text.of(self.language) for text in phrases)
        return self.plain(every + label("stop", self.language)) if every else ""

    def codes(self, names: Iterable[str]) -> str:
        return label("comma", self.language).join(map(self.markup.code, names))

    def label(self, key: str, **values: str) -> str:
        return label(key, self.language, **values)

    def view(self, view: Any) -> Any:
        """A view with its texts printed: one that is nothing but a text becomes that text, one that has a text beside
        other parts has it as `text`; nothing becomes an empty text."""
        if isinstance(view, tuple):
            return [self.view(part) for part in view]
        if not dataclasses.is_dataclass(view):
            return "" if view is None else view
        if isinstance(view, Text):
            return self.of(view)
        parts = {each.name: self.view(getattr(view, each.name)) for each in dataclasses.fields(view)}
        return parts | {"text": self.of(view)} if isinstance(view, Bilingual) else parts


def page(entry: EntryView, printer: Printer, page_of: Callable[[str], str]) -> Shown:
    """The page of an entry; `page_of` tells where the page of another entry is."""
    instead = entry.migrate or (entry.unmapped.instead if entry.unmapped else None)
    written = entry.programs if entry.programs and not entry.programs.made else None
    shown: Shown = printer.view(entry)
    return shown | {
        "stated_aliases": printer.codes(entry.stated_aliases),
        "read_more": printer.label("more_torch", version=entry.torch_version),
        "prose": printer.joined(entry.prose),
        "deprecation": printer.joined(entry.deprecation),
        "instead": printer.of(instead),
        "only_raises": entry.only_raises,
        "example": {"before": written.before.rstrip("\n"), "after": written.after.rstrip("\n")} if written else None,
        "targets": [_target(target, entry, printer) for target in entry.targets],
        "related": [(name, _related_url(name, entry, page_of)) for name in entry.related],
    }


def _related_url(name: str, entry: EntryView, page_of: Callable[[str], str]) -> str:
    """Our own page if there is an entry, else torch's documentation."""
    found = entry.related_entries.get(name)
    return page_of(found) if found else torch_url(name, entry.torch_version)


def _target(target: TargetView, entry: EntryView, printer: Printer) -> Shown:
    combined = list(dict.fromkeys(choice.parameter for row in target.combinations for choice in row))
    shown: Shown = printer.view(target)
    return shown | {
        "documentation": target.documentation.of(printer.language),
        "read_more": printer.label("more_mindspore", version=entry.mindspore_version),
        "prose": printer.joined(target.prose),
        "deprecation": printer.joined(target.deprecation),
        "exemptions": printer.listed(target.exemptions),
        "lines": list(_lines(target, printer)),
        "combined": [printer.markup.code(name) for name in combined],
        "combined_title": printer.label("choices" if len(combined) == 1 else "combinations"),
        "combinations": list(_combinations(target, combined, printer)),
        "platforms": printer.plain(_platforms(target, printer.language)),
    }


def _lines(target: TargetView, printer: Printer) -> Iterator[tuple[str, str, str, str, str]]:
    """The difference table, with category, item, both sides and the difference: parameters in torch's order, then
    MindSpore's own, results, what objects are called with and keep, behaviours."""
    signatures = [("parameters", "returns", target.parameters, target.returns)]
    signatures += [("call", "call", target.call.parameters, target.call.returns)] if target.call else []
    for category, last, rows, back in signatures:
        for number, row in enumerate(rows, 1):
            item = printer.label("parameter_n", n=str(number))
            yield printer.label(category), item, *_sides(row, printer), printer.of(row)
        if back is not None:
            yield printer.label(last), printer.label("return_value"), *returned(target, printer), printer.of(back)
    for row in target.state:
        yield printer.label("state"), printer.label("state_part"), *_sides(row, printer), printer.of(row)
    for behaviour in target.behaviours:
        nothing = printer.label("nothing")
        topic = printer.of(behaviour.about) or nothing
        yield printer.label("behaviour"), topic, nothing, nothing, printer.of(behaviour)


def _sides(row: RowView, printer: Printer) -> tuple[str, str]:
    nothing = printer.label("nothing")
    return printer.markup.code(row.torch) if row.torch else nothing, printer.codes(row.mindspore) or nothing


def returned(target: TargetView, printer: Printer) -> tuple[str, str]:
    """What each side returns."""
    stated = target.documented_return
    other = printer.markup.code(stated) if stated else printer.plain(printer.label("result"))
    return printer.of(target.torch_returns), other


def _combinations(target: TargetView, combined: list[str], printer: Printer) -> Iterator[list[str]]:
    """The supported combinations as a table: by row what each parameter may be."""
    for row in target.combinations:
        allowed = {choice.parameter: printer.of(choice) for choice in row}
        yield [allowed.get(name) or printer.plain(printer.label("any")) for name in combined]


def _platforms(target: TargetView, language: Language) -> str:
    if target.platforms:
        return phrase("platforms", "stated", language, names=", ".join(target.platforms))
    return phrase("platforms", "deprecated" if target.deprecated else "unstated", language)
