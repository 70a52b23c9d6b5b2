"""The closed vocabulary by name: words that convert arguments and results, policies for parameters without a place,
predicates on arguments. In: the families of this folder. Out: `WORDS`, `POLICIES`, `PREDICATES`, and the other closed
lists of names that entries use.

A new need is a new word: one value in its family, its phrases in `templates/text/words` under the same name, its
function in the adapter's runtime, and its test.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mapspore.words import collective, dtypes, numbers, optimiser, policies, predicates, results, tensors
from mapspore.words.types import Policy, Predicate, Word

FAMILIES = (collective, numbers, tensors, dtypes, optimiser, results)

WORDS: Mapping[str, Word] = {word.name: word for family in FAMILIES for word in family.WORDS}
POLICIES: Mapping[str, Policy] = {policy.name: policy for policy in policies.POLICIES}
PREDICATES: Mapping[str, Predicate] = {predicate.name: predicate for predicate in predicates.PREDICATES}

COLLECTIVE_CONVENTIONS: Mapping[str, Word] = {
    word.convention.parameter: word for word in WORDS.values() if word.convention
}
"""By name of a parameter: the word that holds for it in every collective."""

TRUTH = ("bool", "_bool")
"""How torch annotates a truth value."""

GENERAL_POLICY = "unsupported"
"""What holds for a general torch parameter that no line mentions."""

RANK_NAMES = frozenset(
    ["dst", "group_dst", "src", "group_src", "root", "rank", "group_rank", "global_rank", "peer", "group_peer"]
)
"""What torch calls parameters that hold a rank; `int` alone does not tell one from a tag."""

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
