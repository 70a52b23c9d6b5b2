"""A call of a module: its hooks before and after `forward`, and those that see gradients pass through it."""

from __future__ import annotations

from typing import Any

from ..autograd.function import Function
from ..autograd.modes import is_grad_enabled, record
from ..core.framework import mindspore
from ..tensor.creating import from_mindspore

_Plain = mindspore.Tensor


def called(module: Any, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """What `module(...)` gives."""
    record()
    inside = module.__dict__
    if not (
        inside["_forward_hooks"]
        or inside["_forward_pre_hooks"]
        or inside["_backward_hooks"]
        or inside["_backward_pre_hooks"]
    ):
        return module.forward(*arguments, **keywords)
    late = dict(inside["_forward_hooks_always_called"])
    try:
        return _with_hooks(module, arguments, keywords, late)
    except Exception:
        for key in late:
            hook = inside["_forward_hooks"].get(key)
            if hook is not None:
                _after(module, key, hook, arguments, keywords, None)
        raise


def _with_hooks(module: Any, arguments: tuple[Any, ...], keywords: dict[str, Any], late: dict[int, bool]) -> Any:
    inside = module.__dict__
    for key, hook in list(inside["_forward_pre_hooks"].items()):
        if key in inside["_forward_pre_hooks_with_kwargs"]:
            answer = hook(module, arguments, keywords)
            if answer is not None:
                if not (isinstance(answer, tuple) and len(answer) == 2):
                    raise RuntimeError(
                        "forward pre-hook must return None or a tuple of (new_args, new_kwargs), but got "
                        f"{type(answer).__name__}."
                    )
                arguments, keywords = answer
        else:
            answer = hook(module, arguments)
            if answer is not None:
                arguments = answer if isinstance(answer, tuple) else (answer,)
    passage = _Passage(module) if inside["_backward_hooks"] or inside["_backward_pre_hooks"] else None
    if passage is not None:
        arguments = passage.enter(arguments)
    result = module.forward(*arguments, **keywords)
    for key, hook in list(inside["_forward_hooks"].items()):
        late.pop(key, None)
        answer = _after(module, key, hook, arguments, keywords, result)
        if answer is not None:
            result = answer
    return result if passage is None else passage.leave(result)


def _after(module: Any, key: int, hook: Any, arguments: tuple[Any, ...], keywords: dict[str, Any], result: Any) -> Any:
    if key in module.__dict__["_forward_hooks_with_kwargs"]:
        return hook(module, arguments, keywords, result)
    return hook(module, arguments, result)


class _Watched(Function):
    """Tensors on their way into or out of a module: their gradients are shown to a function as they come back."""

    @staticmethod
    def forward(ctx: Any, show: Any, *tensors: Any) -> Any:
        ctx.show = show
        ctx.set_materialize_grads(False)
        return tuple(each.detach() if isinstance(each, _Plain) else each for each in tensors)

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Any:
        return (None, *ctx.show(gradients))


class _Passage:
    """One call of a module whose gradients are watched: those of its outputs first, then those of its inputs."""

    def __init__(self, module: Any) -> None:
        self._module = module
        self._of_outputs: tuple[Any, ...] | None = None
        self._watches_inputs = False

    def enter(self, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        self._count = len(arguments)
        if not is_grad_enabled() or not any(isinstance(each, _Plain) and _wanted(each) for each in arguments):
            return arguments
        self._watches_inputs = True
        return self._through(arguments, self._back_at_inputs)

    def leave(self, result: Any) -> Any:
        if not is_grad_enabled():
            return result
        several = isinstance(result, (tuple, list))
        outputs = tuple(result) if several else (result,)
        if not any(isinstance(each, _Plain) and _wanted(each) for each in outputs):
            return result
        watched = self._through(outputs, self._back_at_outputs)
        return type(result)(watched) if several else watched[0]

    def _through(self, values: tuple[Any, ...], show: Any) -> tuple[Any, ...]:
        places = [number for number, each in enumerate(values) if isinstance(each, _Plain)]
        tensors = [each if hasattr(each, "grad_fn") else from_mindspore(each) for each in (values[n] for n in places)]

        def spread(gradients: tuple[Any, ...]) -> Any:
            full: list[Any] = [None] * len(values)
            for place, gradient in zip(places, gradients, strict=True):
                full[place] = gradient
            answer = show(tuple(full))
            return tuple(answer[place] for place in places)

        made = _Watched.apply(spread, *tensors)
        result = list(values)
        for place, tensor in zip(places, made, strict=True):
            result[place] = tensor
        return tuple(result)

    def _back_at_outputs(self, gradients: tuple[Any, ...]) -> tuple[Any, ...]:
        for hook in list(self._module.__dict__["_backward_pre_hooks"].values()):
            answer = hook(self._module, gradients)
            if answer is not None:
                gradients = answer if isinstance(answer, tuple) else (answer,)
        self._of_outputs = gradients
        if not self._watches_inputs:
            self._call(tuple([None] * self._count))
        return gradients

    def _back_at_inputs(self, gradients: tuple[Any, ...]) -> tuple[Any, ...]:
        return self._call(gradients)

    def _call(self, gradients: tuple[Any, ...]) -> tuple[Any, ...]:
        for hook in list(self._module.__dict__["_backward_hooks"].values()):
            answer = hook(self._module, gradients, self._of_outputs)
            if answer is not None:
                gradients = answer if isinstance(answer, tuple) else (answer,)
        return gradients


def _wanted(tensor: Any) -> bool:
    return bool(tensor.requires_grad)
