"""Which situations a case is in, of the closed list. In: a case and its arrays. Out: the names of the situations and
of the parameters that were given, so that a stated difference can account for what comes out.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from mapspore.cases.case_arguments import specs
from mapspore.cases.single.case_builder import Case
from mapspore.cases.tensor_tables import KIND

MANY = 10_000
"""Elements above which a tensor has many."""


def observed(case: Case, arrays: dict[str, np.ndarray], dtypes: dict[str, str], names: Iterable[str]) -> set[str]:
    """Situations and parameters of one call."""
    found = {*names, *(case.get("situations", ()))}
    if case["kind"] == "gradient":
        found.add("gradient")
    if len(set(dtypes.values())) > 1:
        found.add("mixed_dtypes")
    for name, array in arrays.items():
        found |= _of_tensor(array, dtypes[name])
    if "$numpy" in str(case["calls"]):
        found.add("numpy_number")
    if len({array.shape for array in arrays.values()}) > 1:
        found.add("shapes")
    if any("view" in spec for spec in specs(case["calls"])):
        found.add("strided_input")
    return found


def _of_tensor(array: np.ndarray, dtype: str) -> set[str]:
    kind = KIND[dtype]
    found = {f"{kind}_input"} if kind != "float" else set()
    found |= {"half_input"} if dtype in ("float16", "bfloat16") else {"double_input"} if dtype == "float64" else set()
    found |= {"scalar_input"} if array.ndim == 0 else set()
    found |= {"empty_input"} if array.size == 0 else set()
    if kind in ("float", "complex"):
        found |= {"nan"} if np.isnan(array).any() else set()
        found |= {"inf"} if np.isinf(array).any() else set()
    if kind == "float":
        found |= {"negative_zero"} if (np.signbit(array) & (array == 0)).any() else set()
    found |= {"many_elements"} if array.size > MANY else set()
    if kind in ("integer", "float") and array.size:
        limits = np.iinfo(array.dtype) if kind == "integer" else np.finfo(array.dtype)
        finite = array[np.isfinite(array)]
        far = (
            ((finite >= limits.max / 4) | (finite <= limits.min / 4)).any()
            if kind == "float"
            else ((array == limits.max) | (array == limits.min)).any()
        )
        found |= {"extreme_values"} if far else set()
    found |= {"ties"} if np.unique(array).size < array.size else set()
    return found
