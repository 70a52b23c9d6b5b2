"""The entry as a contributor writes it: closed, frozen, strict models, one field per judgement.

The docstring below each field is the only description of it: the field guide, the JSON Schema and an
editor's tooltip all print that sentence. Nothing here knows the facts of a framework; see `resolve`.
"""

from __future__ import annotations

import ast
import inspect
import sys
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema
from pydantic_core import PydanticCustomError

from mapspore.words.dtypes import Dtype
from mapspore.words.kinds import Kind


class Model(BaseModel):
    model_config = ConfigDict(
        extra="forbid", frozen=True, strict=True, use_attribute_docstrings=True, validate_by_name=False
    )

    def __deepcopy__(self, memo: object = None) -> Self:
        return self  # frozen, so a model that is a field's default is shared instead of copied for each entry


def _many(value: Any) -> Any:
    """`x` stands for `[x]`."""
    return (value,) if isinstance(value, str) else value


class WordUse(Model):
    """A word of the vocabulary and its options."""

    word: str
    options: dict[str, Any] = {}


def _words(value: Any) -> Any:
    """`join`, `{root_rank: {space: global}}` and lists of both stand for uses of words, in order."""
    uses = []
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, str):
            uses.append(WordUse(word=item))
        elif isinstance(item, dict) and len(item) == 1:
            word, options = next(iter(item.items()))
            if not isinstance(options, dict):
                raise PydanticCustomError("word_options", "options", {"word": word})
            uses.append(WordUse(word=word, options=dict(options)))
        else:
            raise PydanticCustomError("word_use", "use", {})
    if not uses:
        raise PydanticCustomError("word_use", "use", {})
    return tuple(uses)


_WORD_SCHEMA = {
    "anyOf": [
        {"type": "string"},
        {
            "type": "object",
            "additionalProperties": {"type": "object"},
            "minProperties": 1,
            "maxProperties": 1,
        },
    ]
}
_WORDS_SCHEMA = {"anyOf": [*_WORD_SCHEMA["anyOf"], {"type": "array", "items": _WORD_SCHEMA}]}
_MANY_SCHEMA = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}

Words = Annotated[tuple[WordUse, ...], Field(strict=False), BeforeValidator(_words), WithJsonSchema(_WORDS_SCHEMA)]
OneOrMany = Annotated[tuple[str, ...], Field(strict=False), BeforeValidator(_many), WithJsonSchema(_MANY_SCHEMA)]
Names = Annotated[tuple[str, ...], Field(strict=False)]
Scalar = str | int | float | bool | None


Platform = Literal["Ascend", "GPU", "CPU"]
Answers = Scalar | dict[Platform, Scalar]
PLATFORMS: tuple[Platform, ...] = get_args(Platform)


class Text(Model):
    """A sentence or two in both languages. Plain text; only `backticks` mark code."""

    en: str
    """English, as a native engineer would write it."""
    zh: str
    """Chinese, as a Chinese engineer would write it, with full-width punctuation."""


class Tensors(Model):
    """What torch demands of a tensor argument, or of a list of them, before anything is sent."""

    objects: bool = False
    """Whether these are any Python objects instead of tensors."""
    count: Literal["group", "any"] | None = None
    """For a list: how many it must hold; `group` is the size of the process group, `any` at least one."""
    like: str | None = None
    """The parameter whose shape and dtype the tensor, or each tensor of the list, must have."""
    own_like: str | None = None
    """For a list that may be uneven: the parameter that this rank's own tensor of the list must be like."""
    holds: str | None = None
    """The parameter of which the tensor holds one per rank of the group, joined or stacked along dimension 0."""
    splits: str | None = None
    """The parameter that says how dimension 0 is cut into one part per rank; without a value it is cut evenly."""
    at: OneOrMany = ()
    """The parameters that name the one rank on which the argument is used; elsewhere it may be `None`."""
    written_at: OneOrMany = ()
    """For an output that every rank gives: the parameters that name the one rank on which it is written."""
    dtypes: Annotated[tuple[DtypeClass, ...], Field(strict=False)] = ()
    """The kinds of dtype that torch takes, where it does not take every one."""
    ndim: Annotated[tuple[int, ...], Field(strict=False)] = ()
    """The numbers of dimensions that torch takes, where it does not take any number."""


DtypeClass = Literal["float", "integer", "bool", "complex"]


class Collective(Model):
    """Marks a call by which the processes of a group communicate: all of them, or two."""

    ranks: dict[str, Literal["global", "group"]] = {}
    """Parameters that hold a rank, and the space it counts in."""
    rank_default: int | None = None
    """The global rank that is meant when none of them is given; without it, torch demands one."""
    peer: bool = False
    """Whether only this process and the one whose rank is given take part; a process is not its own peer."""
    returns: Literal["work", "sender"] | None = None
    """What the caller gets where no `async_op` decides it: a `Work` in any case, or the global rank of the sender."""
    non_member: Literal["returns_none", "returns_minus_one", "raises"]
    """What a process outside the group gets."""


CallTrait = Literal[
    "scalar", "stacked", "uneven", "transposed", "strided", "complex64", "outside", "non_member", "own_backend"
]  # fmt: skip
CallTraits = Annotated[tuple[CallTrait, ...], Field(strict=False)]


class ReferenceLacks(Model):
    """The calls that torch on gloo, which `verify` compares with, cannot judge: the contract alone judges these. Such a
    call has a tensor of no dimension (`scalar`), one that stacks the tensors of all ranks (`stacked`), one that is
    `transposed` or `strided` in memory, or of the dtype named; its sizes differ between ranks (`uneven`); a process
    outside the group asks about the group (`outside`) or makes the call (`non_member`); or the answer is about the
    backend itself (`own_backend`)."""

    refuses: CallTraits = ()
    """Calls that torch documents and gloo refuses, or crashes at."""
    corrupts: CallTraits = ()
    """Calls at which gloo writes beside the caller's tensor, or mixes up its elements, without an error."""
    misleads: CallTraits = ()
    """Calls that gloo answers for another group, or for itself."""


class Method(Model):
    """A method of torch's objects, as the adapter's objects have it."""

    takes: Names = ()
    """The parameters that it has instead of torch's."""
    calls: str | None = None
    """MindSpore's method that it calls; none if there is nothing to do."""
    en: str
    """What it does, and what becomes of torch's way to call it, in English."""
    zh: str
    """The same in Chinese."""


class Contract(Model):
    """torch's side, stated once for all targets: what no signature tells."""

    writes: dict[str, Tensors] = {}
    """Parameters that torch writes its result into."""
    reads: dict[str, Tensors] = {}
    """Tensor parameters that torch only reads and whose shape, dtype or number it demands."""
    collective: Collective | None = None
    """Present if processes communicate by this call: it then takes a group and may return a Work."""
    modes: bool = False
    """Whether the result depends on the mode that an object is in, training or evaluation."""
    state_if: dict[str, Names] = {}
    """For a class: by parameter of its constructor, the state that torch keeps only if it is true."""
    methods: dict[str, Method] = {}
    """For a class: torch's methods that the adapter's objects have in another way, whatever the target is."""


class Verification(Model):
    """What `verify` tries beyond what it can derive, and what it cannot compare. No reader of a page needs it."""

    samples: dict[str, Annotated[tuple[Any, ...], Field(strict=False)]] = {}
    """By parameter: values to try, where its role does not say them."""
    calls: Annotated[tuple[dict[str, Any], ...], Field(strict=False)] = ()
    """Whole calls to try, where arguments depend on each other. Under a tensor's name stands its shape."""
    values: dict[str, Annotated[tuple[float, ...], Field(strict=False)]] = {}
    """By tensor parameter: the smallest and the largest element to try, where torch's result has no meaning for
    others."""
    distinct: Names = ()
    """Tensor parameters to try with elements that all differ, because torch does not say which of equal ones it
    takes."""
    random: bool = False
    """Whether the result is drawn at random, so that only its distribution can be compared."""
    uninitialised: bool = False
    """Whether the elements of the result are whatever was in memory, so that only its shape and dtype are compared."""
    reference_lacks: ReferenceLacks = ReferenceLacks()
    """What torch on gloo, which `verify` compares with, does not do as torch documents it."""


class Argument(Model):
    """What one MindSpore parameter receives: torch parameters converted by words, or a fixed value."""

    from_: OneOrMany = Field(default=(), alias="from")
    """The torch parameter or parameters that it receives."""
    with_: OneOrMany = Field(default=(), alias="with")
    """Further torch parameters that the words look at without using them up."""
    by: Words = ()
    """The words that convert the value, first one first."""
    value: Scalar = None
    """A fixed value, given instead of `from`."""


class Delivery(Model):
    """How an output parameter of torch gets its content from what MindSpore returns."""

    from_: str = Field(alias="from")
    """The name, out of `returns`, that holds the content."""
    by: Words
    """The words that bring it into the caller's tensors."""


class Treatment(Model):
    """How one MindSpore API, or one overload of it, meets torch's signature and contract."""

    arguments: dict[str, Argument] = {}
    """By MindSpore parameter: what it receives. Parameters with the same name on both sides need no line."""
    absent: dict[str, str] = {}
    """torch parameters with no place in MindSpore, each with the policy for a value other than the default."""
    leave_default: Names = ()
    """MindSpore parameters that torch does not have and that stay at their default."""
    returns: Names | None = None
    """Names for what MindSpore returns, in order; `handle` is the asynchronous handle."""
    fill: dict[str, Delivery] = {}
    """By output parameter of torch: where its content comes from."""
    hand_back: OneOrMany | None = None
    """What the caller gets back, out of `returns`; needed only where it is not all of it."""
    convert_returns: dict[str, Words] = {}
    """By name out of `returns`: the words that convert it before the caller gets it."""
    requires: dict[str, str] = {}
    """torch parameters for which MindSpore takes fewer values, each with the predicate that a value must meet."""
    only: Annotated[tuple[dict[str, Any], ...], Field(strict=False)] = ()
    """Combinations that MindSpore takes, where they are fewer than torch's: each row gives, by torch parameter, the
    values of which one must be given, and for a tensor its numbers of dimensions. What fits no row is refused."""


class Conditions(Model):
    """Which torch overloads a form is for."""

    has: OneOrMany = ()
    """The overloads that have all of these parameters."""
    lacks: OneOrMany = ()
    """The overloads that have none of these parameters."""


class Form(Treatment, Conditions):
    """A treatment for the torch overloads that have, or lack, certain parameters."""


class Calling(Treatment):
    """How an object of MindSpore's class is called where torch's is called."""


class Behaviour(Model):
    """A difference that names, types and defaults cannot show."""

    about: str
    """The parameter it concerns, `result`, or one word for the situation, such as `empty_input`."""
    when: Annotated[tuple[Any, ...], Field(strict=False)] = ()
    """Situations and comparisons, such as `{above: elements}`, that must all hold besides, or values of the parameter
    of which one is given; without it, always."""
    en: str
    """What each side does, in English."""
    zh: str
    """The same in Chinese."""


ADAPTER = "adapter"
"""What a difference names in place of a target if the adapter's own code has it."""


class SharedBehaviour(Behaviour):
    """A difference that several targets share, stated once."""

    targets: OneOrMany = ()
    """The targets that it is about, by their short names, such as `comm_func`; without it, all of them. `adapter`
    stands for what the adapter's own code does, where `runtime` names it."""

    @property
    def of_adapter(self) -> bool:
        """Whether it says what the adapter's own code does otherwise than torch."""
        return ADAPTER in self.targets


class Named(Model):
    """What leads a target."""

    mindspore: str
    """The counterpart's full name in MindSpore."""


class Target(Treatment, Named):
    """One MindSpore counterpart."""

    forms: Annotated[tuple[Form, ...], Field(strict=False)] = ()
    """Treatments by overload, only where the overloads are treated differently."""
    call: Calling | None = None
    """For a class: how its objects are called, where that needs a line."""
    state: dict[str, str | None] = {}
    """For a class with state: by name in torch's `state_dict`, MindSpore's name; `null` if MindSpore keeps nothing."""
    platforms: Annotated[tuple[Platform, ...], Field(strict=False)] = ()
    """The platforms that really have it, where the documentation names others."""
    dtypes: Annotated[tuple[Dtype, ...], Field(strict=False)] = ()
    """The dtypes that it takes, where they are fewer than torch's."""
    differs: Annotated[tuple[Behaviour, ...], Field(strict=False)] = ()
    """Differences in behaviour that no other field can state."""
    successor: str | None = None
    """For a deprecated API whose docstring names no successor that exists: the one to use."""
    note: Text | None = None
    """What a reader should know and no field can say."""


class Correction(Model):
    """A mistake of the source document. Give `claims` or `default` and the sentence is derived."""

    about: str
    """The parameter, or `returns`, or one word for what is wrong."""
    target: str | None = None
    """The target it concerns, if the entry has several: its short name, such as `comm_func`."""
    claims: Annotated[Kind | None, Field(strict=False)] = None
    """The kind of difference that the document claims for the parameter."""
    default: str | None = None
    """The MindSpore default that the document prints, as Python source."""
    en: str | None = None
    """What is wrong and what is right, in English, where it cannot be derived."""
    zh: str | None = None
    """The same in Chinese."""


class Unmapped(Model):
    """For an API without a counterpart: why there is none and what to do."""

    why: Text
    """Why MindSpore has no counterpart."""
    instead: Text
    """What to do instead; the adapter raises this sentence."""


class Unneeded(Model):
    """For an API whose job needs no doing with MindSpore."""

    why: Text
    """Why there is nothing to do."""


class Entry(Model):
    """One torch API and what it becomes in MindSpore. The file's path is its name."""

    torch: str
    """The API's full name in torch."""
    aliases: Names = ()
    """Further names of the same API in torch, such as `torch.concat` for `torch.cat`."""
    summary: Text
    """What the API does, in one sentence."""
    like: str | None = None
    """Another entry, by torch's name, whose contract, `verify` and targets hold here too. What this entry states goes
    before: lists by name are completed name by name, differences by what they are about, and a target takes over from
    the one with the same short name."""
    contract: Contract = Contract()
    """What torch demands and promises beyond its signature; it holds for all targets."""
    targets: Annotated[tuple[Target, ...], Field(strict=False)] = ()
    """The counterparts in MindSpore, the preferred one first."""
    differs: Annotated[tuple[SharedBehaviour, ...], Field(strict=False)] = ()
    """Differences in behaviour that several targets share."""
    unmapped: Unmapped | None = None
    """Given instead of `targets` where MindSpore has no counterpart."""
    migrate: Text | None = None
    """For an API whose port is another way of writing, not another call: what to do. The adapter raises this sentence;
    the example beside the entry shows it, and running both sides of it is the evidence."""
    runtime: str | None = None
    """What of the adapter's runtime stands behind it, where no single call of MindSpore does: a function, a class or
    a value, by its name."""
    answers: Answers = None
    """For a question about the environment, or for a constant, whose answer is known: the answer, or by platform the
    answer there; `inf`, `-inf` and `nan` are numbers where torch has one. It is given instead of `targets`."""
    unneeded: Unneeded | None = None
    """Given instead of `targets` where nothing is to be done: the adapter takes torch's arguments and does nothing."""
    related: Names = ()
    """Other torch APIs that a reader of this page may want."""
    note: Text | None = None
    """What a reader should know and no field can say."""
    source: str | None = None
    """The document that the entry started from: its address in the MindSpore documentation."""
    corrects: Annotated[tuple[Correction, ...], Field(strict=False)] = ()
    """Mistakes of the source document that the entry corrects."""
    allow: dict[str, str] = {}
    """Codes of checks that this entry is excepted from, each with the reason. One that is not needed is an error."""
    verify: Verification = Verification()
    """Inputs for `mapspore verify`, where it cannot derive them."""


def _keep_docstrings(model: type[Model]) -> None:
    """Gives models the docstrings of their source, which `python -OO` leaves out: the guide and the schema print them.
    Those of fields are read from the source anyway."""
    for each in model.__subclasses__():
        (definition,) = ast.parse(inspect.getsource(each)).body
        assert isinstance(definition, ast.ClassDef)
        each.__doc__ = ast.get_docstring(definition)
        _keep_docstrings(each)


if sys.flags.optimize > 1:
    _keep_docstrings(Model)
