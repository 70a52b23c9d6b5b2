"""How a tensor is printed: its numbers in columns of one width with four decimals, long ones in their first and last
three elements, then what is not the usual dtype and what the graph knows of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np

from ..core.framework import mindspore
from ..core.private import in_graph, is_leaf
from . import dtypes, memory

_shape = mindspore.Tensor.shape.__get__
_dtype = mindspore.Tensor._dtype.__get__


@dataclass
class Options:
    """What `set_printoptions` sets."""

    precision: int = 4
    threshold: int = 1000
    edgeitems: int = 3
    linewidth: int = 80
    sci_mode: bool | None = None


OPTIONS = Options()


class _Numbers:
    """The common form of all numbers that are printed of one tensor."""

    def __init__(self, values: Any) -> None:
        self._whole, self._science = True, False
        self._kind = values.dtype.kind
        finite = values[np.isfinite(values) & (values != 0)] if self._kind in "fc" else values
        if self._kind == "f" and finite.size:
            self._choose(np.abs(finite.astype(np.float64)), finite)
        counted = finite if self._kind == "f" else values
        self.width = max((len(self._plain(each)) for each in counted.reshape(-1)), default=1)

    def _choose(self, sizes: Any, finite: Any) -> None:
        largest, smallest = float(sizes.max()), float(sizes.min())
        self._whole = bool((finite == np.ceil(finite)).all())
        wide = largest / smallest > 1000.0 or largest > 1e8
        self._science = wide or (not self._whole and smallest < 1e-4)
        if OPTIONS.sci_mode is not None:
            self._science = OPTIONS.sci_mode

    def _plain(self, value: Any) -> str:
        if self._kind != "f":
            return str(value.item())
        if self._science:
            return f"{float(value):.{OPTIONS.precision}e}"
        if self._whole or not isfinite(value):
            return f"{float(value):.0f}." if isfinite(value) else f"{float(value):.0f}"
        return f"{float(value):.{OPTIONS.precision}f}"

    def __call__(self, value: Any) -> str:
        return self._plain(value).rjust(self.width)


class _Complex(_Numbers):
    """Two forms, one for the real parts and one for the imaginary ones."""

    def __init__(self, values: Any) -> None:
        self._parts = _Numbers(values.real), _Numbers(values.imag)
        self.width = sum(each.width for each in self._parts) + 1

    def __call__(self, value: Any) -> str:
        real, imaginary = self._parts[0](value.real), self._parts[1](value.imag).strip()
        sign = "" if imaginary.startswith(("-", "+")) else "+"
        return f"{real}{sign}{imaginary}j"


def _laid_out(values: Any, form: Any, indent: int, shorten: bool) -> str:
    """The elements in brackets, one line for each row of the last dimension."""
    edge = OPTIONS.edgeitems
    if values.ndim == 0:
        return str(form(values))
    cut = shorten and values.shape[0] > 2 * edge
    if values.ndim == 1:
        shown = [form(each) for each in (values[:edge] if cut else values)]
        if cut:
            shown += [" ...", *(form(each) for each in values[-edge:])]
        per_line = max(1, (OPTIONS.linewidth - indent) // (form.width + 2))
        lines: list[str] = [", ".join(shown[at : at + per_line]) for at in range(0, len(shown), per_line)]
        return "[" + (",\n" + " " * (indent + 1)).join(lines) + "]"
    rows = [_laid_out(each, form, indent + 1, shorten) for each in (values[:edge] if cut else values)]
    if cut:
        rows += ["...", *(_laid_out(each, form, indent + 1, shorten) for each in values[-edge:])]
    between: str = "," + "\n" * (int(values.ndim) - 1) + " " * (indent + 1)
    return "[" + between.join(rows) + "]"


def _sample(values: Any) -> Any:
    """The elements that are printed of a long tensor."""
    edge = OPTIONS.edgeitems
    for dim, length in enumerate(values.shape):
        if length > 2 * edge:
            values = np.concatenate(
                [values.take(range(edge), dim), values.take(range(length - edge, length), dim)], dim
            )
    return values


def elements(tensor: Any, indent: int) -> str:
    """The elements as they are printed after so many columns."""
    values = memory.numpy_values(tensor)
    shorten = values.size > OPTIONS.threshold
    form = (_Complex if values.dtype.kind == "c" else _Numbers)(_sample(values) if shorten else values)
    return _laid_out(values, form, indent, shorten)


def shown(self: Any) -> str:
    """A tensor as it is printed."""
    kind = dtypes.of(_dtype(self))
    beginning = "tensor("
    notes = []
    if kind not in (dtypes.default(), dtypes.int64, dtypes.bool_, dtypes.default_complex()):
        notes.append(f"dtype={kind}")
    if in_graph(self):
        notes.append("requires_grad=True" if is_leaf(self) else f"grad_fn={self.grad_fn!r}")
    shape = tuple(_shape(self))
    if 0 in shape:
        text = "[]"
        if len(shape) != 1:
            notes.insert(0, f"size={shape}")
        if kind == dtypes.int64:
            notes.append("dtype=torch.int64")
    else:
        text = elements(self, len(beginning))
    result = beginning + text
    column = len(result) - result.rfind("\n") - 1
    for note in notes:
        if column + len(note) + 2 > OPTIONS.linewidth:
            result += ",\n" + " " * len(beginning) + note
            column = len(beginning) + len(note)
        else:
            result += ", " + note
            column += len(note) + 2
    return result + ")"
