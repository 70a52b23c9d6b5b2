"""How a function of layers is computed: by a rule, which takes arrays and gives an array together with its way back,
and which becomes one step of the graph. One step is several times as fast as the calls of MindSpore that it stands for
on a CPU, and as exact as torch's own (see adapter/NOTES.md); on Ascend the functions that `mint` has are used instead.

In: tensors and settings. Out: tensors, in the graph where one of those given is. A rule leaves dtypes to this module:
halves are computed in float32 and rounded.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, TypeVar

import numpy as np

from ..autograd.modes import record
from ..core import foreign
from ..core.framework import mindspore
from ..core.private import Step, detach, in_graph, is_enabled, version_of
from ..files.kinds import to_bits
from ..tensor import dtypes, memory
from ..tensor.creating import wrap

_Plain = mindspore.Tensor
_dtype = mindspore.Tensor.dtype.__get__
_shape = mindspore.Tensor.shape.__get__

F = TypeVar("F", bound=Callable[..., Any])
RESULT = -1
"""Among what a rule keeps: its own result."""
ON_CPU = memory.on_cpu()
READ_AT_ONCE = frozenset(each for each in dtypes.ALL if each not in (dtypes.float16, dtypes.bfloat16))
"""Dtypes whose elements NumPy computes with as they are."""


def values(tensor: Any) -> Any:
    """The elements to compute with, in the memory of the tensor where its dtype allows."""
    if ON_CPU and _dtype(tensor) in READ_AT_ONCE:
        return memory.array(tensor)
    found = memory.numpy_values(tensor)
    if found.ndim != len(_shape(tensor)):
        found = found.reshape(tuple(_shape(tensor)))
    return found.astype(np.float32) if found.dtype == np.float16 else found


def tensor_of(array: Any, kind: Any) -> Any:
    """A tensor of MindSpore with the values of an array, rounded to a dtype."""
    found = np.asarray(array)
    if kind == dtypes.bfloat16:
        bits = to_bits(found.astype(np.float32, copy=False)).reshape(found.shape).view(memory.BITS)
        return memory.from_array(bits, kind)
    return memory.from_array(found.astype(dtypes.NUMPY[dtypes.of(kind)], copy=False))


def keeps(*places: int) -> Callable[[F], F]:
    """Say which inputs, by place, a rule needs on its way back, or that it needs its `RESULT`. A write to one of them
    in between is then refused; without this, a write to any input is."""

    def mark(rule: F) -> F:
        rule.keeps = places  # type: ignore[attr-defined]
        return rule

    return mark


class _Computed(Step):
    """The step of the graph that stands for one use of a rule."""

    @staticmethod
    def forward(ctx: Any, *given: Any) -> Any:
        outputs, *rest = given[-1]
        ctx.rest = rest
        ctx.set_materialize_grads(False)
        return outputs if len(outputs) > 1 else outputs[0]

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Any:
        back, blanks, wanted, kept = ctx.rest
        for tensor, version in kept:
            if version_of(tensor) != version:
                raise RuntimeError(
                    "one of the variables needed for gradient computation has been modified by an inplace operation: "
                    f"it is at version {version_of(tensor)}; expected version {version} instead."
                )
        arrived = [
            values(each) if each is not None else np.zeros(*blank)
            for each, blank in zip(gradients, blanks, strict=True)
        ]
        with np.errstate(all="ignore"):
            answers = back(*arrived)
            found = [
                None if kind is None or answers[place] is None else tensor_of(_now(answers[place]), kind)
                for place, kind in wanted
            ]
        return (*found, None)


def _now(answer: Any) -> Any:
    return answer() if callable(answer) else answer


def computed(rule: Callable[..., Any], tensors: Sequence[Any], *settings: Any, dtype: Any = None) -> Any:
    """What a rule makes of tensors, of which any may be None. Its results are of the dtype of the first one unless
    another is named; arrays of whole numbers stay what they are.

    A rule takes the arrays and the settings. It gives its result, or several, and a function from the gradients of
    these, fractions only, to those of the arrays; what costs much may be a function without arguments, which is called
    if the gradient is wanted."""
    record()
    kind = _dtype(tensors[0]) if dtype is None else dtype
    with np.errstate(all="ignore"):
        found, back = rule(*(None if each is None else values(each) for each in tensors), *settings)
    several = isinstance(found, tuple)
    arrays = found if several else (found,)
    made = [each if each is None else _made(each, kind) for each in arrays]
    if is_enabled() and any(each is not None and in_graph(each) for each in tensors):
        carried = [place for place, each in enumerate(made) if each is not None and _is_fraction(each)]
        kept = getattr(rule, "keeps", range(len(tensors)))
        noted = [
            (each := detach(tensors[n] if n >= 0 else made[0]), version_of(each)) for n in kept if _is_kept(tensors, n)
        ]
        blanks = [(np.shape(arrays[place]), np.asarray(arrays[place]).dtype) for place in carried]
        present = [(place, each) for place, each in enumerate(tensors) if each is not None]
        wanted = [(place, _dtype(each) if in_graph(each) else None) for place, each in present]
        outputs = tuple(made[place] for place in carried)
        graph = _Computed.apply(*(each for _, each in present), [outputs, back, blanks, wanted, noted])
        for place, each in zip(carried, graph if isinstance(graph, tuple) else (graph,), strict=True):
            made[place] = each
    result = tuple(map(wrap, made))
    return result if several else result[0]


def _is_kept(tensors: Sequence[Any], place: int) -> bool:
    return place < 0 or tensors[place] is not None


def _made(array: Any, kind: Any) -> Any:
    return tensor_of(array, kind) if np.asarray(array).dtype.kind in "fc" else memory.from_array(array)


def _is_fraction(tensor: Any) -> bool:
    return dtypes.of(_dtype(tensor)).kind in "fc"


def on_ascend(function: F) -> F:
    """On Ascend, what `mint.nn.functional` has under the name of a function; elsewhere the function itself."""
    if ON_CPU:
        return function
    native = getattr(mindspore.mint.nn.functional, function.__name__, None)
    if native is None:
        return function

    @wraps(function)
    def call(*arguments: Any, **keywords: Any) -> Any:
        record()
        return wrap(native(*arguments, **keywords))

    return call  # type: ignore[return-value]


def is_tensor(value: Any) -> bool:
    return isinstance(value, _Plain)


def kind_of(tensor: Any) -> Any:
    """The dtype of a tensor, as torch programs know it."""
    return dtypes.of(_dtype(tensor))


def tensor_argument(call: str, name: str, value: Any) -> None:
    """Refuse what is no tensor."""
    if not isinstance(value, _Plain):
        instead = f"; {foreign.remedy([value])}" if foreign.is_torch(value) else ""
        raise TypeError(f"{call}(): argument '{name}' must be Tensor, not {foreign.kind(value)}{instead}")


def fractions(call: str, *tensors: Any) -> None:
    """Refuse what is no tensor, and tensors that hold no fractions."""
    for each in tensors:
        if each is None:
            continue
        tensor_argument(call, "input", each)
        if kind_of(each).kind != "f":
            raise NotImplementedError(f"\"{call}\" not implemented for '{kind_of(each).name.capitalize()}'")


def same_dtype(call: str, *tensors: Any) -> None:
    """Refuse tensors of several dtypes where torch does not convert."""
    kinds = {kind_of(each) for each in tensors if each is not None}
    if len(kinds) > 1:
        names = " and ".join(sorted(str(each) for each in kinds))
        raise RuntimeError(f"{call}: expected all tensors to have the same dtype, but found {names}")


def whole(tensor: Any) -> Any:
    """The numbers of a tensor of indices, in memory of their own: a later write does not change what was computed."""
    return np.array(memory.numpy_values(tensor)).reshape(tuple(_shape(tensor)))


def summed_to(array: Any, shape: tuple[int, ...]) -> Any:
    """A gradient of something that was repeated to a greater shape, added up."""
    if array.shape == shape:
        return array
    extra = array.ndim - len(shape)
    axes = tuple(range(extra)) + tuple(
        extra + place for place, length in enumerate(shape) if length == 1 and array.shape[extra + place] != 1
    )
    return array.sum(axes, keepdims=True).reshape(shape) if axes else array.reshape(shape)
