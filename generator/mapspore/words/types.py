"""What a word of the vocabulary is. In: nothing. Out: the types `Word`, `Policy` and `Predicate`, and the parts of
their values. A value carries all that a stage or a consumer wants to know of its word. The values stand in the modules
of the families, their phrases in `templates/text/words`, their functions in the adapter's runtime.

This module and the families need neither pydantic nor the model, so that any command can read them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from mapspore.text.phrases import Language, fill, word_phrases

Option = frozenset[str] | type
"""What a word's option takes: one of some texts, or a value of a type."""

Condition = tuple[str, ...]
"""One of `mapspore.scan.conditions.CONDITIONS`: when a call meets the difference that a word makes."""


@dataclass(frozen=True, slots=True)
class Rewrite:
    """How `migrate` writes a word out in a call of MindSpore itself. A literal is converted by the function of a pure
    word; the fields are about any other argument."""

    when: Literal["always", "simple", "member", "never"]
    """Which arguments that meet the word's difference can be written out: all; a literal or a dotted name; one of
    `members`; none, and the others stay as they are."""
    code: str = "{value}"
    """Python source with the argument as `{value}` and each option under its name."""
    members: Mapping[str, str] = field(default_factory=dict)
    """By torch's name of a constant, such as `ReduceOp.SUM`: the Python source that stands for it."""


@dataclass(frozen=True, slots=True)
class BySignature:
    """A draft proposes the word for a torch parameter by its signature; all that is stated must hold."""

    parameters: tuple[str, ...] = ()
    """torch's names of the parameters; any, if none is stated."""
    beside: str = ""
    """Another torch parameter of the same call, which the word consults."""
    kind: str = ""
    """The parameter's kind, such as `var_positional`."""
    annotation: str = ""
    takes: str = ""
    """One of the kinds of value that the annotation allows, such as `device`."""
    renamed: bool = False
    """MindSpore has another name for the parameter."""
    makes_float: bool = False
    """torch's default is written as a whole number, MindSpore's as a fraction."""
    targets: str = ""
    """How the names of the MindSpore APIs begin that need the word."""
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ByDefault:
    """A draft proposes the word where torch's default is `None` and MindSpore's is not."""

    options: Callable[[str], Mapping[str, Any] | None]
    """From MindSpore's default, as Python source: the word's options, or None if the word cannot stand for it."""


@dataclass(frozen=True, slots=True)
class ByMerging:
    """A draft proposes the word where several torch parameters mean one thing together."""

    sources: tuple[str, ...]
    """torch's names of the parameters; two of them are enough."""
    receivers: tuple[str, ...]
    """MindSpore's names for the parameter that receives it."""
    then: tuple[str, ...] = ()
    """Words without options that follow."""


@dataclass(frozen=True, slots=True)
class ByItems:
    """A draft proposes the word where MindSpore takes the items of torch's pair one by one, as `beta1` and `beta2`."""

    option: str
    """The word's option that takes the number of the item."""


@dataclass(frozen=True, slots=True)
class ByResult:
    """A draft proposes the word for one of several named results."""

    result: str
    """torch's name of the result."""
    targets: str
    """How the names of the MindSpore APIs begin whose results need the word."""
    options: Mapping[str, Any] = field(default_factory=dict)


Proposal = BySignature | ByDefault | ByMerging | ByItems | ByResult


@dataclass(frozen=True, slots=True)
class Convention:
    """A word that holds for a parameter of one name in every collective, so that no entry repeats it."""

    parameter: str
    equal_defaults: frozenset[tuple[str, str]] = frozenset()
    """Pairs of torch and MindSpore defaults that are spelled differently and mean the same."""


@dataclass(frozen=True, slots=True)
class Worded:
    """What words, policies and predicates have in common: a name, and phrases under it in `templates/text/words`."""

    name: str

    def phrase(self, key: str, language: Language) -> str:
        """A phrase that takes no values."""
        return fill(word_phrases()[self.name][key][language], {}, language)


@dataclass(frozen=True, slots=True)
class Word(Worded):
    """A conversion between what torch's caller gives or gets and what MindSpore takes or returns."""

    place: Literal["argument", "output", "result"]
    """Whether it converts what MindSpore receives, brings what MindSpore returns into the caller's tensors, or converts
    what the caller gets back."""
    changes: Literal["type", "value", "required", "nothing"]
    """What is different: the type, the value, that one must be given, or nothing (it only bridges a corner case)."""
    options: Mapping[str, Option] = field(default_factory=dict)
    """Its options, all of them required."""
    formerly: str = ""
    """The name that it had before; `fix` rewrites it in entries."""
    pure: bool = False
    """Whether it depends on the value alone; defaults are then compared after the conversion, and `scan` asks its
    function whether an argument changes."""
    merges: bool = False
    """Whether it makes one value out of several torch parameters."""
    applies_to: str = "value"
    """What its function is applied to: the torch argument, or what the call made of it (group, root, reduction)."""
    needs: tuple[str, ...] = ()
    """What else of the call its function takes: the size of the group."""
    consults: int = 0
    """How many further torch parameters it looks at; the entry names them with `with`."""
    convention: Convention | None = None
    """The parameter for which the word holds in every collective."""
    of_tensors: bool = False
    """Whether it converts tensors; the contract then has to speak of the parameter."""
    fixes_default: bool = False
    """Whether it says what leaving the argument out means; equal defaults on both sides then need no comparison."""
    takes_unprepared_tensors: bool = False
    """Whether it takes the caller's tensors as they are; otherwise they are made whole, or encoded, first."""
    delivers: bool = False
    """Whether it is how a collective delivers every output, so that emitted code does not name it."""
    variants: frozenset[Literal["list", "new"]] = frozenset()
    """Of which outputs it has a phrase of its own: a list of tensors; one that MindSpore has no parameter for."""
    each_step: bool = False
    """Whether an optimiser needs the value anew for each of its steps; its function then takes the step's number too,
    and MindSpore's object must keep what it was given under the parameter's name."""
    group_keys: str = ""
    """The option that lists what a group of an optimiser's parameters may set for itself."""
    bool_only: bool | None = None
    """Whether its difference concerns only parameters that torch annotates as `bool` (True), only others (False), or
    both (None), where torch's overloads take one or the other."""
    refuses: tuple[Any, ...] = ()
    """Some of the values that its function refuses, if it does, whatever torch makes of them; `verify` tries them."""
    bridges: bool = True
    """Whether the adapter converts an argument that meets the word's difference; otherwise it refuses it."""
    scan: Condition = ()
    """When a call meets the word's difference. Left out: for a pure word, when its function changes the argument, else
    when the argument is given."""
    rewrite: Rewrite | None = None
    """How `migrate` writes the word out; None if only the adapter can convert the argument."""
    draft: Proposal | None = None
    """When a draft proposes the word. A pure word that takes no options is proposed besides where it makes MindSpore's
    default out of torch's."""


@dataclass(frozen=True, slots=True)
class Policy(Worded):
    """What happens when a torch argument with no place in MindSpore gets a value other than its default."""

    refuses: bool = False
    """Whether the adapter refuses the value."""
    droppable: bool = False
    """Whether the argument changes nothing, so that `migrate` can leave it out."""
    at_once: bool = False
    """Whether the operation is complete when the call returns, however the caller wants to wait."""
    method: str = ""
    """The method of the runtime's `Collective` that takes the argument before MindSpore is called."""
    of_runtime: bool = False
    """Whether only what the adapter's runtime has ready can follow it, never an emitted call."""
    of_required: bool = False
    """Whether it can stand for a parameter that torch demands in every call."""


@dataclass(frozen=True, slots=True)
class Predicate(Worded):
    """A condition on a torch argument that `requires` can name; the adapter refuses what does not meet it."""

    about: Literal["list", "value", "plain"]
    """What it is about: a list of tensors or one value of a collective, or a plain value of any other call."""
    excludes: str = ""
    """The situation in which no tensor meets it, for a predicate about tensors."""
    only: tuple[Any, ...] = ()
    """The values that meet it, where they can be listed."""
    unmet: tuple[Any, ...] = ()
    """Some of the values that do not meet it; `verify` tries them."""
    scan: Condition = ()
    """When a call does not meet it. Left out: when the predicate's function says so of the argument."""
