"""Second derivatives. Where MindSpore runs backward to be differentiated again (`create_graph`), it does not record
the views, sums and repetitions inside of a step's own backward, nor what a step in Python makes of a gradient that
depends on the inputs: the second derivative is wrong, and nothing says so.
`check` walks the graph first and refuses it if it has a step that was not seen to be right.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core.private import node_of

RIGHT = frozenset(
    [
        "Mul",
        "Muls",
        "Add",
        "AddExt",
        "AddScalar",
        "Sub",
        "SubExt",
        "SubScalar",
        "Div",
        "Divs",
        "RealDiv",
        "Neg",
        "Exp",
        "Log",
        "Sin",
        "Cos",
        "Sqrt",
        "Rsqrt",
        "Pow",
        "PowTensorScalar",
        "PowScalarTensor",
        "Abs",
        "Sign",
        "Cast",
        "Select",
        "Maximum",
        "Minimum",
        "ReLU",
        "Sigmoid",
        "Reciprocal",
        "SelectView",
        "StridedSlice",
        "NarrowView",
        "Contiguous",
    ]
)
"""Steps whose second derivative was compared with torch's (tests/torchspore/runtime/test_second.py)."""


class NoSecondDerivative(NotImplementedError):
    """A graph that MindSpore would differentiate twice wrongly."""


def check(outputs: Sequence[Any]) -> None:
    """Refuse to run backward with `create_graph` through a step that has no right second derivative."""
    waiting = [node_of(each) for each in outputs]
    known: set[Any] = set()
    wrong: set[str] = set()
    while waiting:
        node = waiting.pop()
        if node is None or node.is_leaf() or node._unique_id() in known:
            continue
        known.add(node._unique_id())
        if node.name() not in RIGHT:
            wrong.add(node.name())
        waiting += [each for each, _ in node.next_functions]
    if wrong:
        raise NoSecondDerivative(
            f"create_graph: MindSpore's second derivative of {', '.join(sorted(wrong))} is not right, so that it is "
            "refused. First derivatives are right, and second ones through elementwise arithmetic and slices."
        )
