"""The numbers in a case's tensors. In: a tensor's description (shape, dtype, what to fill it with, how it lies in
memory) and a seed. Out: a NumPy array for the storage, and the view of it that is the tensor. Needs no framework.

    {"name": "input", "shape": [3, 4], "dtype": "float32", "fill": "nan", "view": "transposed", "range": [0, 1]}

A tensor that somebody else filled has its content as bytes: `data`, and the dtype that they are `of`.
"""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np

from mapspore.cases.tensor_tables import AROUND, EXTREMES, KIND, SPECIAL

CARRIED = {"bfloat16": "float32"}  # NumPy has no bfloat16; float32 holds its values exactly
RANGE = (-3.0, 3.0)
WHOLE = {"ties": (0, 2), "summable": (-3, 3)}
"""Between which whole numbers a fill draws: sums of the small ones are exact in every dtype and order."""
INTEGERS = (-9, 9)
_PLACES: dict[str, Any] = {"row": 1, "first_row": 0, "offset": slice(1, -1), "strided": slice(None, None, 2)}


def storage(spec: dict[str, Any], seed: str) -> np.ndarray:
    """The memory that a tensor looks into."""
    view, dtype, fill = spec.get("view", "own"), spec["dtype"], spec.get("fill")
    shape = _stored(tuple(spec["shape"]), view)
    generator = np.random.default_rng(zlib.crc32(f"{seed}/{spec['name']}".encode()))
    count = int(np.prod(shape))
    if "data" in spec:
        numbers = np.zeros(shape, spec["of"])
        given = np.frombuffer(bytes.fromhex(spec["data"]), spec["of"]).reshape(spec["shape"])
        (numbers.T if view == "transposed" else numbers)[_PLACES.get(view, ...)] = given
        numbers = np.abs(numbers).reshape(-1) if dtype == "uint8" else numbers.reshape(-1)
    elif fill == "constant":
        numbers = np.ones(count)
    elif spec.get("distinct") and fill != "ties":
        numbers = _distinct(generator, count, dtype, spec.get("range"))
    else:
        numbers = _drawn(generator, count, dtype, spec.get("range"), fill)
        if KIND[dtype] == "complex":
            numbers = numbers + 1j * _drawn(generator, count, dtype, spec.get("range"), fill)
    array = _as(np.asarray(numbers), dtype)
    if count:
        _special(array, dtype, fill, spec.get("value"))
    return array.reshape(shape)


def _special(array: np.ndarray, dtype: str, fill: str | None, value: Any) -> None:
    """Put special values among the ordinary ones."""
    middle = array.size // 2
    if fill in SPECIAL:
        array[middle] = SPECIAL[fill]
    elif value is not None:
        array[middle] = value
    elif fill == AROUND and KIND[dtype] == "float":
        array[:] = _as(10_000 + array.astype(np.float64) / 3, dtype)
    elif fill == EXTREMES and KIND[dtype] == "complex":
        array[[0, middle]] = 2j, 0
    elif fill == EXTREMES and KIND[dtype] in ("integer", "float"):
        limits = np.finfo(array.dtype) if KIND[dtype] == "float" else np.iinfo(array.dtype)
        array[0], array[middle] = (limits.max, limits.min) if dtype != "bfloat16" else (3.0e38, -3.0e38)
        if dtype == "bfloat16":
            array[:] = _as(array, dtype)


def _drawn(generator: Any, count: int, dtype: str, limits: Any, fill: str | None) -> np.ndarray:
    kind = KIND[dtype]
    if kind == "bool":
        return np.asarray(generator.integers(0, 2, count))
    if kind == "integer" or fill in WHOLE:
        low, high = limits or WHOLE.get(fill or "", INTEGERS)
        unsigned = dtype == "uint8"
        return np.asarray(generator.integers(max(0, int(low)) if unsigned else int(low), int(high) + 1, count))
    return np.asarray(generator.uniform(*(limits or RANGE), count))


def _distinct(generator: Any, count: int, dtype: str, limits: Any) -> np.ndarray:
    """All different, also in a dtype of few digits, and far enough apart that rounding keeps their order."""
    if KIND[dtype] in ("integer", "bool"):
        start = 0 if dtype in ("uint8", "bool") else -(count // 2)
        return np.asarray(generator.permutation(np.arange(start, start + count)))
    low, high = limits or RANGE
    steps = np.linspace(low, high, count) if count > 1 else np.array([(low + 2 * high) / 3] * count)
    return np.asarray(generator.permutation(steps))


def _as(numbers: np.ndarray, dtype: str) -> np.ndarray:
    array = numbers.astype(CARRIED.get(dtype, dtype))
    if dtype == "bfloat16":  # only what it can hold
        array = (array.view(np.uint32) & np.uint32(0xFFFF0000)).view(np.float32)
    return array


def _stored(shape: tuple[int, ...], view: str) -> tuple[int, ...]:
    if view in ("row", "first_row"):
        return (3, *shape)
    if view == "transposed":
        return tuple(reversed(shape))
    if view == "strided":
        return (2 * shape[0], *shape[1:])
    return (shape[0] + 2, *shape[1:]) if view == "offset" else shape


def look(base: Any, view: str) -> Any:
    """The view of a tensor, or of an array."""
    if view == "transposed":
        return base.T
    return base[_PLACES[view]] if view in _PLACES else base


def overlaid(base: np.ndarray, view: str, content: np.ndarray) -> np.ndarray:
    """A storage in which nothing but the view has changed."""
    changed = base.copy()
    (changed.T if view == "transposed" else changed)[_PLACES.get(view, ...)] = content
    return changed
