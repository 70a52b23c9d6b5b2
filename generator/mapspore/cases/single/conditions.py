"""When a stated difference is met. In: a case, the situations it is in, and what stands under `when`. Out: whether the
case meets it. Needs no framework.

    nan, empty_input, …        a situation that must hold besides
    {above: elements}          the parameter is larger than a quantity; see `words.comparisons`
    0, [2, 1], true, …         the parameter has this value, or another one that is listed
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from math import prod
from typing import Any

from mapspore.cases.case_arguments import specs
from mapspore.words.comparisons import COMPARISONS
from mapspore.words.situations import SITUATIONS

Case = dict[str, Any]

_COUNTED: dict[str, Callable[[dict[str, Any]], int]] = {
    "elements": lambda spec: prod(spec["shape"]),
    "dimensions": lambda spec: len(spec["shape"]),
}
"""What a parameter can be compared with besides a number, by the description of a tensor."""


def holds(case: Case, around: Collection[str], about: str, when: list[Any]) -> bool:
    """Whether everything under `when` holds: all situations, all comparisons, and one of the values."""
    situations = [each for each in when if isinstance(each, str) and each in SITUATIONS]
    comparisons = [each for each in when if isinstance(each, dict)]
    values = [each for each in when if each not in situations and each not in comparisons]
    given = _given(case, about)
    return (
        set(situations) <= set(around)
        and all(_compares(case, given, each) for each in comparisons)
        and (not values or given in values)
    )


def _given(case: Case, about: str) -> Any:
    """The argument as the entry writes it."""
    given = case["given"].get(about)
    kind, value = next(iter(given.items())) if isinstance(given, dict) and given else ("", None)
    return value if kind in ("$tuple", "$list", "$dtype") else given


def _compares(case: Case, given: Any, comparison: dict[str, Any]) -> bool:
    (word, other), *_ = comparison.items()
    if isinstance(other, str):
        tensors = specs(case["calls"])
        if not tensors:
            return False
        other = _COUNTED[other](tensors[0])
    return given is not None and bool(COMPARISONS[word](given, other))
