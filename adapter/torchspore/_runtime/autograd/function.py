"""Steps of the graph that a program writes itself: `Function` with its `forward` and `backward`, and the context that
carries tensors and settings from one to the other.
"""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable
from typing import Any

from ..core.framework import mindspore
from ..core.private import Step, detach, in_graph, is_enabled, set_enabled, version_of
from ..tensor.creating import wrap
from ..tensor.kernels import filled
from .modes import record

_Plain = mindspore.Tensor
_shape = mindspore.Tensor.shape.__get__
_dtype = mindspore.Tensor._dtype.__get__


class FunctionCtx:
    """What a forward leaves for its backward."""

    needs_input_grad: tuple[bool, ...] = ()
    materialize_grads = True

    def __init__(self) -> None:
        self._kept: tuple[Any, ...] = ()
        self._versions: tuple[int, ...] = ()
        self._outputs: dict[int, weakref.ref[Any]] = {}
        self._flat: tuple[Any, ...] = ()
        self.dirty_tensors: tuple[Any, ...] = ()
        self.non_differentiable: tuple[Any, ...] = ()

    def save_for_backward(self, *tensors: Any) -> None:
        """Keep tensors; a write to one of them before the backward is noticed."""
        for each in tensors:
            if each is not None and not isinstance(each, _Plain):
                raise TypeError(
                    f"save_for_backward can only save variables, but argument is of type {type(each).__name__}"
                )
        self._kept = tensors
        self._versions = tuple(-1 if each is None else version_of(each) for each in tensors)

    save_for_forward = save_for_backward

    @property
    def saved_tensors(self) -> tuple[Any, ...]:
        for each, version in zip(self._kept, self._versions, strict=True):
            if each is not None and version_of(each) != version:
                raise RuntimeError(
                    "one of the variables needed for gradient computation has been modified by an inplace operation: "
                    f"it is at version {version_of(each)}; expected version {version} instead."
                )
        return tuple(self._present(each) for each in self._kept)

    def _present(self, kept: Any) -> Any:
        """A saved tensor; an output of the forward at its place in the graph, if somebody still has it."""
        output = self._outputs.get(id(kept))
        return kept if output is None or output() is None else output()

    def mark_dirty(self, *tensors: Any) -> None:
        self.dirty_tensors = tensors

    def mark_non_differentiable(self, *tensors: Any) -> None:
        self.non_differentiable = tensors

    def set_materialize_grads(self, value: bool) -> None:
        self.materialize_grads = value


class Function:
    """The base of a step that a program writes: static methods `forward` and `backward`, called by `apply`."""

    _setup = False

    @staticmethod
    def forward(*arguments: Any, **keywords: Any) -> Any:
        raise NotImplementedError("You must implement the forward function for custom autograd.Function.")

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> Any:
        raise NotImplementedError("setup_context is not implemented.")

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Any:
        raise NotImplementedError("You must implement either the backward or vjp method for your custom Function.")

    @classmethod
    def apply(cls, *arguments: Any) -> Any:
        """Run the forward and remember how to come back."""
        record()
        ctx = FunctionCtx()
        wanted = is_enabled() and any(isinstance(each, _Plain) and in_graph(each) for each in arguments)
        ctx.needs_input_grad = tuple(isinstance(each, _Plain) and in_graph(each) for each in arguments)
        before = is_enabled()
        set_enabled(False)
        try:
            result = cls._forward(ctx, arguments)
        finally:
            set_enabled(before)
        if ctx.dirty_tensors:
            raise NotImplementedError(
                "mark_dirty: a Function that writes into its inputs has no place here; return a new tensor."
            )
        if not wanted:
            return result
        return cls._recorded(ctx, arguments, result)

    @classmethod
    def _forward(cls, ctx: FunctionCtx, arguments: tuple[Any, ...]) -> Any:
        if cls.setup_context is Function.setup_context:
            return cls.forward(ctx, *arguments)
        result = cls.forward(*arguments)
        cls.setup_context(ctx, arguments, result)
        return result

    @classmethod
    def _recorded(cls, ctx: FunctionCtx, arguments: tuple[Any, ...], result: Any) -> Any:
        several = isinstance(result, tuple)
        outputs = result if several else (result,)
        silent = {id(each) for each in ctx.non_differentiable}
        carried = [each for each in outputs if isinstance(each, _Plain) and id(each) not in silent and _counts(each)]
        if not carried:
            return result
        tensors = [each for each in arguments if isinstance(each, _Plain)]
        places = [number for number, each in enumerate(arguments) if isinstance(each, _Plain)]
        order = [next((n for n, each in enumerate(carried) if each is output), None) for output in outputs]
        blanks = [(tuple(_shape(each)), _dtype(each)) if isinstance(each, _Plain) else None for each in outputs]
        made = _Recorded.apply(*tensors, [cls, ctx, places, len(arguments), carried, order, blanks])
        made = made if isinstance(made, tuple) else (made,)
        recorded = {id(old): wrap(new) for old, new in zip(carried, made, strict=True)}
        ctx._outputs = {key: weakref.ref(new) for key, new in recorded.items()}
        final = tuple(recorded.get(id(each), each) for each in outputs)
        return final if several else final[0]


def _counts(tensor: Any) -> bool:
    return bool(wrap(tensor).dtype.kind in "fc")


class _Recorded(Step):
    """The step of MindSpore's that stands for one call of a `Function`."""

    @staticmethod
    def forward(step: Any, *given: Any) -> Any:
        cls, ctx, places, count, outputs, order, blanks = given[-1]
        step.call = cls, ctx, places, count, order, blanks
        step.set_materialize_grads(False)
        results = tuple(_alias(each) for each in outputs)
        return results if len(results) > 1 else results[0]

    @staticmethod
    def backward(step: Any, *gradients: Any) -> Any:
        cls, ctx, places, count, order, blanks = step.call
        arrived = tuple(
            _arrived(None if number is None else gradients[number], blank if ctx.materialize_grads else None)
            for number, blank in zip(order, blanks, strict=True)
        )
        answer = cls.backward(ctx, *arrived)
        answers = answer if isinstance(answer, tuple) else (answer,)
        if len(answers) > count and all(each is None for each in answers[count:]):
            answers = answers[:count]
        if len(answers) != count:
            raise RuntimeError(
                f"function {cls.__name__}Backward returned an incorrect number of gradients (expected {count}, got "
                f"{len(answers)})"
            )
        return (*(answers[place] for place in places), None)


def _arrived(gradient: Any, blank: Any) -> Any:
    """The gradient of one output; noughts in its shape where none came, unless they are not wanted."""
    if gradient is None and blank is not None:
        return wrap(filled(blank[0], 0, blank[1]))
    return wrap(gradient)


def _alias(tensor: Any) -> Any:
    return detach(tensor)


def once_differentiable(backward: Callable[..., Any]) -> Callable[..., Any]:
    """A backward that cannot be differentiated again: it runs unrecorded, and a second derivative is refused."""

    @functools.wraps(backward)
    def within(ctx: Any, *gradients: Any) -> Any:
        before = is_enabled()
        set_enabled(False)
        try:
            answer = backward(ctx, *gradients)
        finally:
            set_enabled(before)
        if not before or not any(isinstance(each, _Plain) and in_graph(each) for each in gradients):
            return answer
        answers = answer if isinstance(answer, tuple) else (answer,)
        sealed = tuple(_sealed(each, gradients) if isinstance(each, _Plain) else each for each in answers)
        return sealed if isinstance(answer, tuple) else sealed[0]

    return within


def _sealed(tensor: Any, gradients: tuple[Any, ...]) -> Any:
    source = next(each for each in gradients if isinstance(each, _Plain) and in_graph(each))
    return wrap(_Sealed.apply(source, [tensor]))


class _Sealed(Step):
    """A result whose derivative is refused."""

    @staticmethod
    def forward(step: Any, source: Any, place: list[Any]) -> Any:
        return _alias(place[0])

    @staticmethod
    def backward(step: Any, gradient: Any) -> Any:
        raise RuntimeError("trying to differentiate twice a function that was marked with @once_differentiable")
