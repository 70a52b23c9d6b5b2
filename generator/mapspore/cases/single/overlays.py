"""Our situations, laid on top of a call that somebody else wrote. In: the arguments of a call, stated. Out: the same
call with other dtypes, special and extreme values, views, without elements, with many, with NumPy's numbers, with
indices out of range; each under a name.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from copy import deepcopy
from math import prod
from typing import Any

from mapspore.cases.case_arguments import specs
from mapspore.cases.tensor_tables import DTYPES, KIND

Given = dict[str, Any]
FILLS = ("nan", "inf", "negative_zero", "extremes", "around_10000")
VIEWS = ("transposed", "strided", "offset")
MANY = 200_001
FEW = 100
WIDE = ("float32", "float64", "int32", "int64")
MOVING = ("dtype-", "extremes", "around", "many")
"""Situations in which values that differ may become equal."""
INDICES = {"negative_index": -1, "index_out_of_range": 10_000}


def overlaid(given: Given, distinct: Collection[str] = ()) -> Iterator[tuple[str, Given]]:
    """The call in each situation that can be laid on top of it; `distinct` are parameters whose values must differ."""
    apart = {spec["name"] for name in distinct for spec in specs(given.get(name))}
    for label, changed in _overlaid(given):
        several = [spec for spec in _tensors(changed) if spec["name"] in apart]
        if not several or not any(key in label for key in MOVING):
            yield label, changed
        elif all(_stay_apart(spec) for spec in several):
            for spec in several:
                _emptied(spec, spec["shape"])
                spec["distinct"] = True
            yield label, changed


def _stay_apart(spec: dict[str, Any]) -> bool:
    """Whether so many values can differ in a dtype."""
    return spec.get("fill") != "around_10000" and (prod(spec["shape"]) <= FEW or spec["dtype"] in WIDE)


def _overlaid(given: Given) -> Iterator[tuple[str, Given]]:
    floats = [spec["name"] for spec in _tensors(given) if KIND.get(spec["dtype"]) == "float"]
    indices = [spec["name"] for spec in _tensors(given) if KIND.get(spec["dtype"]) == "integer"]
    if floats:
        for dtype in (dtype for dtypes in DTYPES.values() for dtype in dtypes):
            yield f"dtype-{dtype}", _changed(given, floats, dtype=dtype)
            if KIND[dtype] != "bool":
                yield f"extremes-{dtype}", _changed(given, floats, dtype=dtype, fill="extremes")
        for fill in FILLS:
            yield f"fill-{fill}", _changed(given, floats, fill=fill)
        for view in VIEWS:
            fitting = [
                spec["name"] for spec in _tensors(given) if spec["name"] in floats and _seen(view, spec["shape"])
            ]
            if fitting:
                yield f"view-{view}", _changed(given, fitting, view=view)
        yield from _shaped(given, floats)
    for name, value in INDICES.items() if indices and floats else ():
        yield name, _changed(given, indices, fill=name, value=value)
    for name, value in given.items():
        if type(value) in (int, float):
            dtype = "int64" if isinstance(value, int) else "float64"
            yield f"numpy-{name}", given | {name: {"$numpy": [dtype, value]}}


def _shaped(given: Given, floats: list[str]) -> Iterator[tuple[str, Given]]:
    """Without elements along the first dimension; of one tensor alone, without dimensions, and with many elements."""
    tensors = _tensors(given)
    shape = tensors[0]["shape"]
    if shape and shape[0]:
        changed = deepcopy(given)
        for spec in _tensors(changed):
            if spec["shape"] and spec["shape"][0] == shape[0]:
                _emptied(spec, [0, *spec["shape"][1:]])
        yield "empty", changed
    if len(tensors) == 1 and floats:
        changed = deepcopy(given)
        _emptied(_tensors(changed)[0], [])
        yield "0d", changed
        if shape and prod(shape):
            changed = deepcopy(given)
            spec = _tensors(changed)[0]
            _emptied(spec, [*shape[:-1], -(-MANY // max(1, prod(shape[:-1])))])
            spec["fill"] = "around_10000"
            yield "many", changed


def _emptied(spec: dict[str, Any], shape: list[int]) -> None:
    """Another shape, with numbers of our own."""
    spec.pop("data", None)
    spec.pop("of", None)
    spec["shape"] = shape


def _tensors(given: Given) -> list[dict[str, Any]]:
    return specs(list(given.values()))


def _changed(given: Given, names: list[str], **more: Any) -> Given:
    changed = deepcopy(given)
    for spec in _tensors(changed):
        if spec["name"] in names:
            spec |= more
    return changed


def _seen(view: str, shape: list[int]) -> bool:
    return len(shape) > (1 if view == "transposed" else 0) and prod(shape) > 0
