"""The predicates that `requires` names. In: nothing. Out: `PREDICATES`."""

from __future__ import annotations

from mapspore.words.types import Predicate

PREDICATES = (
    Predicate("same_shape", "list", excludes="shapes", scan=("perhaps",)),
    Predicate("zero", "value", only=(0,), scan=("nonzero",)),
    Predicate("given", "plain", unmet=(None,)),
    Predicate("nonempty", "plain", excludes="empty_input"),
    Predicate("nonzero", "plain", unmet=(0,)),
    Predicate("without_nan", "plain", excludes="nan"),
)
