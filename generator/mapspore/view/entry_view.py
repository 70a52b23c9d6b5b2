"""What is told about an entry: in both languages, as plain text in which only `backticks` mark code. Pages, terminal
answers, the look-up index and the README are made of it; its data is what `export json` prints.

The format is versioned and described in the site's guide `json-format`: within one `ANSWER_FORMAT`, keys are added but
never removed or redefined. Needs neither pydantic nor YAML, so that `show` starts fast; `view.prepare`
makes views of mappings.
"""

import dataclasses
import types
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast, get_args, get_origin

from mapspore.base.language import Language
from mapspore.cases.programs import Programs

Made = TypeVar("Made")
HIDDEN = {"hidden": True}
"""For pages only: no part of the data."""
OPTIONAL = {"optional": True}
"""Part of the data only where there is something to tell."""


class Bilingual:
    """Has a text in both languages."""

    __slots__ = ()
    en: str
    zh: str

    def of(self, language: Language) -> str:
        return self.zh if language == "zh" else self.en


@dataclass(frozen=True, slots=True)
class Text(Bilingual):
    en: str
    zh: str


@dataclass(frozen=True, slots=True)
class RowView(Bilingual):
    """A parameter, a result or a name of a state: what it is called on both sides, and what differs."""

    torch: str | None
    mindspore: tuple[str, ...]
    kinds: tuple[str, ...]
    en: str
    zh: str

    @property
    def differs(self) -> bool:
        return self.kinds != ("same",)


@dataclass(frozen=True, slots=True)
class BehaviourView(Bilingual):
    """A difference that belongs to no row."""

    kind: str
    about: Text
    en: str
    zh: str


@dataclass(frozen=True, slots=True)
class DifferenceView(Bilingual):
    """A difference that counts, and where it stands."""

    kind: str
    part: str
    """`rows` (of `TargetView.rows`), `returns` or `behaviours`."""
    number: int
    """Its place there."""
    en: str
    zh: str


@dataclass(frozen=True, slots=True)
class ExemptionView(Bilingual):
    """An exception of the official rule that was used."""

    exemption: str
    en: str
    zh: str


@dataclass(frozen=True, slots=True)
class ChoiceView(Bilingual):
    """What a parameter may be in a combination that MindSpore takes."""

    parameter: str
    values: tuple[Any, ...]
    en: str
    zh: str


@dataclass(frozen=True, slots=True)
class CallView:
    """What the objects of a class are called with, and what comes back."""

    parameters: tuple[RowView, ...]
    returns: RowView | None


@dataclass(frozen=True, slots=True)
class EvidenceView(Bilingual):
    """What `verify` ran of an implementation, and whether it still holds."""

    state: str
    en: str
    zh: str
    torch: str | None = field(default=None, metadata=OPTIONAL)
    mindspore: str | None = field(default=None, metadata=OPTIONAL)
    python: str | None = field(default=None, metadata=OPTIONAL)
    platform: str | None = field(default=None, metadata=OPTIONAL)
    ranks: tuple[int, ...] | None = field(default=None, metadata=OPTIONAL)
    cases: dict[str, int] | None = field(default=None, metadata=OPTIONAL)
    status: str | None = field(default=None, metadata=OPTIONAL)
    measured: tuple[dict[str, Any], ...] | None = field(default=None, metadata=OPTIONAL)
    """By which value of a parameter something was measured, and what."""
    drawn: dict[str, int] | None = field(default=None, metadata=OPTIONAL)
    """How many cases of PyTorch's own tests had which outcome; `cases` are ours."""


@dataclass(frozen=True, slots=True)
class EndView:
    """The end of a deprecated API: since which version, and what to use."""

    since: str | None
    successor: str | None


@dataclass(frozen=True, slots=True)
class TargetView:
    """A counterpart."""

    id: str
    mindspore: str
    verdict: str
    verdict_name: Text
    kinds: tuple[str, ...]
    """Those that count, the worst first."""
    exemptions: tuple[ExemptionView, ...]
    signatures: tuple[str, ...]
    documentation: Text
    parameters: tuple[RowView, ...]
    returns: RowView | None
    documented_return: str
    behaviours: tuple[BehaviourView, ...]
    call: CallView | None
    state: tuple[RowView, ...]
    combinations: tuple[tuple[ChoiceView, ...], ...]
    """What is taken where that is less than torch takes: by row, what each parameter may be."""
    platforms: tuple[str, ...]
    evidence: EvidenceView | None
    """None where one piece of code stands behind all targets."""
    deprecated: EndView | None = field(default=None, metadata=OPTIONAL)
    note: Text | None = field(default=None, metadata=OPTIONAL)
    deprecation: tuple[Text, ...] = field(default=(), metadata=HIDDEN)
    """What MindSpore says of its end, if it does."""
    prose: tuple[Text, ...] = field(default=(), metadata=HIDDEN)
    """What MindSpore's side does; what it takes comes first."""
    torch_returns: Text | None = field(default=None, metadata=HIDDEN)
    """What torch returns, as far as the contract tells."""
    differences: tuple[DifferenceView, ...] = field(default=(), metadata=HIDDEN)
    """What counts, the worst first."""

    @property
    def rows(self) -> tuple[RowView, ...]:
        """Parameters, for a class also those that its objects are called with, and its state."""
        return (*self.parameters, *(self.call.parameters if self.call else ()), *self.state)


@dataclass(frozen=True, slots=True)
class AdapterView:
    """What is written once, a blank line, and a call: with torch, and with the adapter."""

    before: str
    after: str

    @property
    def written_once(self) -> list[str]:
        """The lines that stand before the call with the adapter."""
        return self.after.partition("\n\n")[0].split("\n")


@dataclass(frozen=True, slots=True)
class UnmappedView:
    """Why there is no counterpart, and what to do."""

    why: Text
    instead: Text


@dataclass(frozen=True, slots=True)
class EntryView:
    """An entry, resolved."""

    torch: str
    aliases: tuple[str, ...]
    summary: Text
    verdict: str
    verdict_name: Text
    signatures: tuple[str, ...]
    documentation: str
    undeclared: tuple[str, ...]
    adapter: AdapterView | None
    evidence: EvidenceView | None
    """Where one piece of code stands behind all targets."""
    targets: tuple[TargetView, ...]
    """The preferred one first."""
    corrections: tuple[Text, ...]
    related: tuple[str, ...]
    entry: str
    """The path of the entry's YAML file within the repository."""
    page: str
    runtime: Text | None = field(default=None, metadata=OPTIONAL)
    """What the adapter does by itself, if it does."""
    unmapped: UnmappedView | None = field(default=None, metadata=OPTIONAL)
    migrate: Text | None = field(default=None, metadata=OPTIONAL)
    note: Text | None = field(default=None, metadata=OPTIONAL)
    source: str | None = field(default=None, metadata=OPTIONAL)
    torch_version: str = field(default="", metadata=HIDDEN)
    mindspore_version: str = field(default="", metadata=HIDDEN)
    yaml: str = field(default="", metadata=HIDDEN)
    """The entry as it was written."""
    stated_aliases: tuple[str, ...] = field(default=(), metadata=HIDDEN)
    """Those that the entry states."""
    redirects: tuple[str, ...] = field(default=(), metadata=HIDDEN)
    """Aliases that have no entry of their own."""
    related_entries: dict[str, str] = field(default_factory=dict, metadata=HIDDEN)
    """By related API: the entry that answers for it, if one does."""
    deprecation: tuple[Text, ...] = field(default=(), metadata=HIDDEN)
    """What torch itself says of its end, if it does."""
    prose: tuple[Text, ...] = field(default=(), metadata=HIDDEN)
    """What torch's side does."""
    programs: Programs | None = field(default=None, metadata=HIDDEN)
    needs_example: bool = field(default=True, metadata=HIDDEN)
    """Whether the page must show a program, before and after; see `Mapping.needs_example`."""

    @property
    def only_raises(self) -> bool:
        """Whether all that an adapter can do is to raise what to do instead."""
        return self.migrate is not None or (self.unmapped is not None and self.runtime is None)

    @property
    def preferred(self) -> TargetView | None:
        return self.targets[0] if self.targets else None

    def evidence_of(self, target: TargetView | None = None) -> EvidenceView:
        """What is known of the code that stands behind a target; without one, of what the adapter has for the entry:
        one piece of code, or the preferred target's."""
        others = (self.evidence, self.preferred.evidence if self.preferred else None)
        return next(each for each in (target.evidence if target else None, *others) if each is not None)


@dataclass(frozen=True, slots=True)
class RegistryView:
    """All entries."""

    format: int
    torch: str
    mindspore: str
    kinds: dict[str, Text]
    entries: tuple[EntryView, ...]
    answered: dict[str, str] = field(default_factory=dict, metadata=HIDDEN)
    """By name that the facts of torch know: the entry that answers for it, or nothing."""
    answering: Callable[[str], str] = field(default=lambda _: "", metadata=HIDDEN, compare=False)
    """Tells the same of any name that people write."""


def as_data(view: Any) -> Any:
    """A view as JSON-able data."""
    if dataclasses.is_dataclass(view):
        parts = [(each, getattr(view, each.name)) for each in dataclasses.fields(view) if each.metadata != HIDDEN]
        return {each.name: as_data(part) for each, part in parts if part is not None or each.metadata != OPTIONAL}
    if isinstance(view, dict):
        return {key: as_data(part) for key, part in view.items()}
    return [as_data(part) for part in view] if isinstance(view, tuple | list) else view


def from_data(kind: type[Made], data: Any) -> Made:
    """The view that data was made of, without what is hidden."""
    made: Made = _from_data(kind, data)
    return made


def _from_data(kind: Any, data: Any) -> Any:
    if data is None or kind is Any:
        return data
    if dataclasses.is_dataclass(kind):
        kinds = {each.name: each.type for each in dataclasses.fields(kind)}
        return cast(type[Any], kind)(**{name: _from_data(kinds[name], part) for name, part in data.items()})
    if isinstance(kind, types.UnionType):
        return _from_data(get_args(kind)[0], data)
    return tuple(_from_data(get_args(kind)[0], part) for part in data) if get_origin(kind) is tuple else data
