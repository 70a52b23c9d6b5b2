"""The closed list of situations that a stated difference can be about, where no parameter is. In: nothing. Out: names;
the phrase catalogue tells what each means, and `verify` recognises them in the arguments of its cases.
"""

from __future__ import annotations

SITUATIONS = (
    "scalar_input", "empty_input", "integer_input", "bool_input", "complex_input", "half_input", "double_input",
    "mixed_dtypes", "shapes", "nan", "inf", "negative_zero", "ties", "extreme_values", "many_elements", "numpy_number",
    "strided_input", "gradient", "training",
    "evaluation", "initial_values",
)  # fmt: skip

TOPICS = ("cpu", "unconnected", "members", "unchanged", "bitwise", "premul_sum", "iteration")
"""What else a stated difference can be about; no case of `verify` tells whether it is met."""
