"""The tables that shape the tensors of a case: dtypes by kind, and what tensors are filled with. Needs no NumPy: cases
are made wherever a registry is loaded.
"""

from __future__ import annotations

import math

DTYPES: dict[str, tuple[str, ...]] = {
    "float": ("float32", "float64", "float16", "bfloat16"),
    "integer": ("int64", "int32", "int16", "int8", "uint8"),
    "bool": ("bool",),
    "complex": ("complex64",),
}
"""The dtypes to try, by the kinds that an entry speaks of; the first one stands for its kind."""
KIND = {dtype: kind for kind, dtypes in DTYPES.items() for dtype in dtypes} | {"complex128": "complex"}

SPECIAL = {"nan": math.nan, "inf": math.inf, "negative_inf": -math.inf, "negative_zero": -0.0}
"""Values that stand once among ordinary ones."""
EXTREMES, AROUND = "extremes", "around_10000"
"""The largest and the smallest value of a dtype once among ordinary ones; all values around 10,000."""
FILLS = (*SPECIAL, "ties", "constant")
