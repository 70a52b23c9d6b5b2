"""Two snapshots compared: facts go in, the changes from the first to the second come out.

A change is one API; its details say what differs, as data and as a line of text in either language.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mapspore.base.language import Language
from mapspore.facts.snapshot import Api, Deprecation, Facts, Parameter, Signature
from mapspore.text.phrases import say

_NOTHING = "-"


@dataclass(frozen=True, slots=True)
class Detail:
    """One difference; `subject` is the parameter or form, `before` and `after` may be None."""

    what: str
    before: str | None = None
    after: str | None = None
    subject: str | None = None
    of_call: bool = False

    def text(self, language: Language = "en") -> str:
        """The difference in words."""
        before, after = self.before or _NOTHING, self.after or _NOTHING
        phrase = say(f"facts.details.{self.what}", language, subject=self.subject, before=before, after=after)
        return say("facts.details.of_call", language, phrase=phrase) if self.of_call else phrase


@dataclass(frozen=True, slots=True)
class Change:
    """What happened to one API: `kind` is added, removed or changed."""

    kind: str
    name: str
    details: tuple[Detail, ...] = ()

    def text(self, language: Language = "en") -> str:
        """The change on one line."""
        details = say("facts.diff.stop", language).join(detail.text(language) for detail in self.details)
        return say(f"facts.diff.{self.kind}", language, name=self.name, details=details)


def diff(a: Facts, b: Facts) -> list[Change]:
    """The changes from `a` to `b`, by name."""
    changes = []
    for name in sorted({*a.names, *b.names}):
        before, after = a.get(name), b.get(name)
        if before is None:
            changes.append(Change("added", name))
        elif after is None:
            changes.append(Change("removed", name))
        elif before != after:
            changes.append(Change("changed", name, tuple(_details(before, after))))
    return changes


def _details(before: Api, after: Api) -> Iterator[Detail]:
    yield from _plain("kind", before.kind, after.kind)
    yield from _plain("home", before.home, after.home)
    yield from _plain("see", before.see, after.see)
    yield from _plain("bases", _listed(before.bases), _listed(after.bases))
    yield from _plain("places", _listed(before.places), _listed(after.places))
    yield from _plain("protocol", _listed(before.protocol), _listed(after.protocol))
    yield from _forms(before.forms, after.forms)
    for detail in _forms(before.call, after.call):
        yield Detail(detail.what, detail.before, detail.after, detail.subject, of_call=True)
    yield from _plain("returns", before.returns, after.returns)
    yield from _plain("returns_doc", before.returns_doc, after.returns_doc)
    yield from _plain("fields", _listed(before.fields), _listed(after.fields))
    yield from _plain("deprecated", _stated(before.deprecated), _stated(after.deprecated))
    yield from _plain("platforms", _listed(before.platforms), _listed(after.platforms))
    for note in before.notes:
        if note not in after.notes:
            yield Detail("note removed", before=note.text, subject=note.about)
    for note in after.notes:
        if note not in before.notes:
            yield Detail("note added", after=note.text, subject=note.about)


def _forms(before: Sequence[Signature], after: Sequence[Signature]) -> Iterator[Detail]:
    """Pair the forms that differ, those with the most parameters in common first."""
    old = [form for form in before if form not in after]
    new = [form for form in after if form not in before]
    pairs = sorted(
        ((one, other) for one in range(len(old)) for other in range(len(new))),
        key=lambda pair: (-_likeness(old[pair[0]], new[pair[1]]), pair),
    )
    partner: dict[int, int] = {}
    for one, other in pairs:
        if one not in partner and other not in partner.values():
            partner[one] = other
    for one, form in enumerate(old):
        if one in partner:
            yield from _form(form, new[partner[one]])
        else:
            yield Detail("form removed", before=signature(form))
    for other, form in enumerate(new):
        if other not in partner.values():
            yield Detail("form added", after=signature(form))


def _form(before: Signature, after: Signature) -> Iterator[Detail]:
    old, new = ({p.name: p for p in form.parameters} for form in (before, after))
    gone = [name for name in old if name not in new]
    come = [name for name in new if name not in old]
    renamed = dict(zip(gone, come, strict=True)) if _places(before, gone) == _places(after, come) else {}
    for name, other in renamed.items():
        yield Detail("parameter renamed", before=name, after=other, subject=name)
        yield from _parameter(old[name], new[other])
    if not renamed:
        for name in gone:
            yield Detail("parameter removed", before=_written(old[name]), subject=name)
        for name in come:
            yield Detail("parameter added", after=_written(new[name]), subject=name)
    kept = [name for name in old if name in new]
    order = [name for name in new if name in old]
    if kept != order:
        yield Detail("parameter order", before=_listed(kept), after=_listed(order))
    for name in kept:
        yield from _parameter(old[name], new[name])
    yield from _plain("returns", before.returns, after.returns)
    yield from _plain("fields", _listed(before.fields), _listed(after.fields))
    if before.legacy != after.legacy:
        yield Detail("legacy", str(before.legacy).lower(), str(after.legacy).lower(), signature(after))


def _parameter(before: Parameter, after: Parameter) -> Iterator[Detail]:
    for what, old, new in (
        ("parameter kind", before.kind, after.kind),
        ("default", before.default, after.default),
        ("documented default", before.documented, after.documented),
        ("annotation", before.annotation, after.annotation),
    ):
        if old != new:
            yield Detail(what, old, new, after.name)


def signature(form: Signature) -> str:
    """The form as a call without annotations: `(input, *, dim=None)`."""
    pieces: list[str] = []
    star = False
    for index, parameter in enumerate(form.parameters):
        star = star or parameter.kind == "var_positional"
        if parameter.kind == "keyword_only" and not star:
            pieces.append("*")
            star = True
        pieces.append(_written(parameter))
        following = form.parameters[index + 1 : index + 2]
        if parameter.kind == "positional_only" and not (following and following[0].kind == "positional_only"):
            pieces.append("/")
    return f"({', '.join(pieces)})"


def _written(parameter: Parameter) -> str:
    stars = {"var_positional": "*", "var_keyword": "**"}.get(parameter.kind, "")
    default = "" if parameter.default is None else f"={parameter.default}"
    return f"{stars}{parameter.name}{default}"


def _places(form: Signature, names: list[str]) -> list[tuple[int, str]]:
    return [(index, p.kind) for index, p in enumerate(form.parameters) if p.name in names]


def _likeness(one: Signature, other: Signature) -> int:
    return len({p.name for p in one.parameters} & {p.name for p in other.parameters})


def _plain(what: str, before: str | None, after: str | None) -> Iterator[Detail]:
    if before != after:
        yield Detail(what, before, after)


def _listed(names: Sequence[str]) -> str | None:
    return ", ".join(names) or None


def _stated(deprecation: Deprecation | None) -> str | None:
    if deprecation is None:
        return None
    parts = (deprecation.since, deprecation.replacement, deprecation.removal)
    named = zip(("since", "replacement", "removal"), parts, strict=True)
    return ", ".join(f"{name} {part}" for name, part in named if part) or "stated"
