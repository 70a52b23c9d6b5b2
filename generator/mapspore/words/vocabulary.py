"""The closed vocabulary: words that convert arguments and results, and policies for what has no place.

A word stands here once with its nature; its function is in the adapter's runtime under the same name,
its phrases are in the phrase catalogue. A new need is a new word, with its function, phrases and test.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any, Literal, get_args

from mapspore.words.dtypes import Dtype

Option = frozenset[str] | type
"""What a word's option takes: one of some texts, or a value of a type."""


@dataclass(frozen=True, slots=True)
class Word:
    name: str
    place: Literal["argument", "output", "result"]
    """Whether it converts what MindSpore receives, brings what MindSpore returns into the caller's tensors, converts
    what the caller gets back, or draws the first values of a layer's state."""
    changes: Literal["type", "value", "required", "nothing"]
    """What is different: the type, the value, that one must be given, or nothing (it only bridges a corner case)."""
    options: Mapping[str, Option] = field(default_factory=dict)
    """Its options, all of them required."""
    pure: bool = False
    """Whether it depends on the value alone; defaults are then compared after the conversion."""
    merges: bool = False
    """Whether it makes one value out of several torch parameters."""
    subject: str = "value"
    """What its function is applied to: the torch argument, or what the call made of it (group, root, reduction)."""
    needs: tuple[str, ...] = ()
    """What else of the call its function takes: the size of the group."""
    consults: int = 0
    """How many further torch parameters it looks at; the entry names them with `with`."""
    of_tensors: bool = False
    """Whether it converts tensors; the contract then has to speak of the parameter."""
    settles: bool = False
    """Whether it says what leaving the argument out means; equal defaults on both sides then need no comparison."""
    raw: bool = False
    """Whether it takes the caller's tensors as they are; otherwise they are made whole, or encoded, first."""
    each_step: bool = False
    """Whether an optimiser needs the value anew for each of its steps; its function then takes the step's number too,
    and MindSpore's object must keep what it was given under the parameter's name."""
    of_truth: bool | None = None
    """Whether it speaks of truth values only, or of all but them, where torch's overloads take one or the other."""
    refuses: tuple[Any, ...] = ()
    """Some of the values that its function refuses, if it does, whatever torch makes of them; `verify` tries them."""


TRUTH = ("bool", "_bool")
"""How torch annotates a truth value."""

_LISTED = (
    Word("group_name", "argument", "type", subject="group"),
    Word("reduce_op", "argument", "type", subject="reduction"),
    Word("root_rank", "argument", "value", {"space": frozenset({"global", "group"})}, merges=True, subject="root"),
    Word("at_least_1d", "argument", "nothing", of_tensors=True),
    Word("join", "argument", "type", of_tensors=True),
    Word("shapes", "argument", "type", of_tensors=True, raw=True),
    Word("shape", "argument", "type", of_tensors=True, raw=True),
    Word("placeholders", "argument", "required", needs=("size",), consults=1, of_tensors=True, raw=True),
    Word("joined_like", "argument", "nothing", needs=("size",), consults=1, of_tensors=True),
    Word("complement", "argument", "value", pure=True),
    Word("item", "argument", "value", {"index": int}, pure=True),
    Word("into", "output", "nothing"),
    Word("split_per_rank", "output", "nothing"),
    Word("degrees", "argument", "value", pure=True, merges=True, of_truth=True),
    Word("axes", "argument", "type", pure=True),
    Word("choose", "argument", "value", {"true": object, "false": object}, pure=True),
    Word("integral", "argument", "type", of_truth=False, refuses=(1.5,)),
    Word("promote", "argument", "type"),
    Word("flatten", "argument", "value"),
    Word("legacy_reduction", "argument", "value", merges=True),
    Word("dtype_or", "argument", "nothing", {"dtype": frozenset(get_args(Dtype))}, settles=True),
    Word("given_or", "argument", "nothing", {"value": object}, pure=True, settles=True),
    Word("inferred_dtype", "argument", "value", consults=1),
    Word("in_range", "argument", "nothing", consults=1),
    Word("spread", "argument", "nothing"),
    Word("real", "argument", "type", pure=True),
    Word("device_name", "argument", "value", refuses=("cuda",)),
    Word("uncorrected", "argument", "value", consults=1, each_step=True),
    Word("parameter_groups", "argument", "type", {"keys": list}),
    Word("cast", "result", "type", {"dtype": frozenset(get_args(Dtype))}),
)
WORDS: Mapping[str, Word] = {word.name: word for word in _LISTED}


@dataclass(frozen=True, slots=True)
class Policy:
    """What happens when a torch argument with no place in MindSpore gets a value other than its default."""

    name: str
    refuses: bool


_POLICIES = (
    Policy("unsupported", refuses=True),
    Policy("no_effect", refuses=False),
    Policy("completed_at_once", refuses=False),
    Policy("time_limit", refuses=False),
    Policy("by_adapter", refuses=False),
)
POLICIES: Mapping[str, Policy] = {policy.name: policy for policy in _POLICIES}

PREDICATES: Mapping[str, str] = {
    "same_shape": "list",
    "zero": "value",
    "given": "plain",
    "nonempty": "plain",
    "nonzero": "plain",
    "without_nan": "plain",
}
"""Conditions that `accepts` can name, each with what it is about: a list of tensors or one value of a collective, or a
plain value of any other call."""

GENERAL_POLICY = "unsupported"
"""What holds for a general torch parameter that no line mentions."""


@dataclass(frozen=True, slots=True)
class Convention:
    """What holds for a parameter of this name in every collective, so that no entry repeats it."""

    word: str
    equal_defaults: frozenset[tuple[str, str]] = frozenset()
    """Pairs of torch and MindSpore defaults that are spelled differently and mean the same."""


COLLECTIVE_CONVENTIONS: Mapping[str, Convention] = {
    "group": Convention(
        "group_name",
        frozenset(product(("None", "GroupMember.WORLD"), ("None", "GlobalComm.WORLD_COMM_GROUP"))),
    ),
    "op": Convention("reduce_op"),
}

RANK_NAMES = frozenset(
    ["dst", "group_dst", "src", "group_src", "root", "rank", "group_rank", "global_rank", "peer", "group_peer"]
)
"""What torch calls parameters that hold a rank; `int` alone does not tell one from a tag."""

RUNTIME = frozenset(
    [
        "Backend", "DEFAULT_TIMEOUT", "DistributedSampler", "GroupMember", "P2POp", "ProcessGroup", "ReduceOp", "Work",
        "backend_known", "backend_name", "default_backend", "group_count", "group_ranks", "group_size", "is_elastic",
        "is_started", "local_rank", "make_group", "make_groups", "make_subgroups", "not_built", "rank_in_group",
        "rank_in_world", "own_rank", "reduces_complex", "send_batch", "start", "stop",
    ]
)  # fmt: skip
"""What `runtime` can name: functions, classes and values that the adapter's runtime has ready."""

HANDLE = "handle"
"""The reserved name in `returns` for MindSpore's asynchronous handle."""


def wrong_options(word: Word, options: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What is wrong with the options given to a word: pairs of a problem's name and the option."""
    problems = [("unknown", name) for name in options if name not in word.options]
    for name, wanted in word.options.items():
        if name not in options:
            problems.append(("missing", name))
        elif isinstance(wanted, frozenset):
            if not isinstance(options[name], str) or options[name] not in wanted:
                problems.append(("value", name))
        elif not (isinstance(options[name], wanted) and (wanted is object or not isinstance(options[name], bool))):
            problems.append(("value", name))
    return problems


TARGET_IDS = (
    ("mindspore.ops.communication.", "ops_communication"),
    ("mindspore.communication.comm_func.", "comm_func"),
    ("mindspore.communication.", "communication"),
    ("mindspore.experimental.", "experimental"),
    ("mindspore.mint.", "mint"),
    ("mindspore.Tensor.", "tensor"),
    ("mindspore.ops.", "ops"),
    ("mindspore.nn.", "nn"),
    ("mindspore.dataset.", "dataset"),
    ("mindspore.", "mindspore"),
)


def target_id(mindspore: str) -> str:
    """The short name of a target, from the family that its API belongs to."""
    return next((short for prefix, short in TARGET_IDS if mindspore.startswith(prefix)), "mindspore")
