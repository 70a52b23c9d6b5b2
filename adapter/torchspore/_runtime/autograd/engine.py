"""Backward through what was recorded. MindSpore's engine computes the gradients; how they add up at the leaves is done
here, since it adds up strided ones in the wrong order of elements: a leaf's gradient is taken from the engine as it
arrives, brought into rows, and added in place to what the leaf has.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core.framework import mindspore
from ..core.private import in_graph, is_enabled, is_leaf, put_grad, run_backward, set_enabled, take_grad
from ..tensor.creating import wrap
from ..tensor.kernels import cast, filled
from ..tensor.writing import write
from . import second
from .hooks import arrivals, hooks_of
from .modes import record

_Plain = mindspore.Tensor
_shape = mindspore.Tensor.shape.__get__
_dtype = mindspore.Tensor._dtype.__get__
_size = mindspore.Tensor.size.__get__


def _gradients(outputs: Sequence[Any], given: Sequence[Any]) -> tuple[Any, ...]:
    """What runs back from each output: what was given, or one for an output of a single element."""
    found = []
    for number, (output, gradient) in enumerate(zip(outputs, given, strict=True)):
        if not in_graph(output):
            raise RuntimeError(f"element {number} of tensors does not require grad and does not have a grad_fn")
        if gradient is None:
            if _size(output) != 1:
                raise RuntimeError("grad can be implicitly created only for scalar outputs")
            found.append(filled(tuple(_shape(output)), 1, _dtype(output)))
            continue
        if tuple(_shape(gradient)) != tuple(_shape(output)):
            raise RuntimeError(
                f"Mismatch in shape: grad_output[{number}] has a shape of {list(_shape(gradient))} and "
                f"output[{number}] has a shape of {list(_shape(output))}."
            )
        found.append(cast(gradient, _dtype(output)))
    return tuple(found)


def _run(
    outputs: Sequence[Any],
    gradients: tuple[Any, ...],
    keep: bool,
    create: bool,
    inputs: Sequence[Any],
    accumulate: bool,
) -> Any:
    """One run of the engine; the leaves that it reached get their gradients afterwards, also if it failed."""
    record()
    if create:
        second.check(outputs)
    arrived: list[Any] = []
    arrivals.append(arrived)
    before = is_enabled()
    set_enabled(True)
    try:
        return run_backward(tuple(outputs), gradients, keep, create, tuple(inputs), True, accumulate_grad=accumulate)
    finally:
        arrivals.pop()
        set_enabled(before)
        for leaf in arrived:
            _accumulate(leaf, create)


def _accumulate(leaf: Any, create: bool) -> None:
    """Add what has arrived to the gradient of a leaf."""
    gradient = take_grad(leaf)
    if gradient is None:
        return
    put_grad(leaf, None)
    gradient = _Plain.contiguous(gradient)
    present = leaf.__dict__.get("_gradient")
    if present is None:
        leaf.__dict__["_gradient"] = wrap(gradient)
    elif create:
        leaf.__dict__["_gradient"] = present + gradient
    else:
        before = is_enabled()
        set_enabled(False)
        try:
            write(present, _Plain.__add__(present, gradient))
        finally:
            set_enabled(before)


def _listed(value: Any) -> list[Any]:
    return [] if value is None else [value] if isinstance(value, _Plain) else list(value)


def backward(
    tensors: Any,
    grad_tensors: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    grad_variables: Any = None,
    inputs: Any = None,
) -> None:
    """Add the gradients of tensors to those of the leaves that they came from, or of the inputs that are named."""
    outputs = _listed(tensors)
    given = _listed(grad_tensors) or [None] * len(outputs)
    if len(given) != len(outputs):
        raise RuntimeError(f"got {len(outputs)} tensors and {len(given)} gradients")
    if inputs is not None and not _listed(inputs):
        raise RuntimeError("`inputs` argument to `backward` cannot be empty.")
    gradients = _gradients(outputs, given)
    keep = create_graph if retain_graph is None else bool(retain_graph)
    wanted = _listed(inputs)
    for each in wanted:
        if not is_leaf(each):
            hooks_of(each).retains = True
    if any(not is_leaf(each) for each in wanted):
        _add_each(outputs, gradients, keep, create_graph, wanted)
        return
    _run(outputs, gradients, keep, create_graph, wanted, True)


def _add_each(outputs: list[Any], gradients: tuple[Any, ...], keep: bool, create: bool, inputs: list[Any]) -> None:
    for each, gradient in zip(inputs, _each(outputs, gradients, keep, create, inputs), strict=True):
        if gradient is not None and is_leaf(each):
            put_grad(each, gradient)
            _accumulate(each, create)


def _each(
    outputs: Sequence[Any], gradients: tuple[Any, ...], keep: bool, create: bool, inputs: Sequence[Any]
) -> list[Any]:
    """The gradients of inputs. One of them may lie on the way to another, which the engine then does not reach, so
    that tensors inside of the graph are asked for one by one."""
    if all(is_leaf(each) for each in inputs):
        return list(_run(outputs, gradients, keep, create, inputs, False))
    found = []
    for number, each in enumerate(inputs):
        last = number == len(inputs) - 1
        found += _run(outputs, gradients, keep or not last, create, (each,), False)
    return found


def grad(
    outputs: Any,
    inputs: Any,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> tuple[Any, ...]:
    """The gradients of outputs by inputs, without adding them to anything."""
    if is_grads_batched:
        raise NotImplementedError("is_grads_batched needs vmap, which MindSpore has nothing for here")
    results, wanted = _listed(outputs), _listed(inputs)
    given = _listed(grad_outputs) if grad_outputs is not None else [None] * len(results)
    if len(given) != len(results):
        raise RuntimeError(f"got {len(results)} tensors and {len(given)} gradients")
    if allow_unused is False and materialize_grads:
        raise ValueError("Expected allow_unused to be True or not passed when materialize_grads=True")
    for each in wanted:
        if not in_graph(each):
            raise RuntimeError("One of the differentiated Tensors does not require grad")
    keep = create_graph if retain_graph is None else bool(retain_graph)
    found = [wrap(each) for each in _each(results, _gradients(results, given), keep, create_graph, wanted)]
    for number, gradient in enumerate(found):
        if gradient is None:
            if materialize_grads:
                found[number] = wrap(filled(tuple(_shape(wanted[number])), 0, _dtype(wanted[number])))
            elif not allow_unused:
                raise RuntimeError(
                    "One of the differentiated Tensors appears to not have been used in the graph. "
                    "Set allow_unused=True if this is the desired behavior."
                )
    return tuple(found)
