"""What layers and optimisers have besides MindSpore's own: names of state, modes and methods as callers know them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from typing import Any

from ..core.copies import Unpicklable
from ..core.errors import UnsupportedArgument
from ..core.framework import Tensor, dtypes, is_tensor, mindspore, settle
from ..core.modes import lags
from ..core.scalars import plain
from .refusals import rejected


class _Made(Unpicklable):
    """A class of MindSpore whose adapters can be made with scalars of NumPy where Python's are meant."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "__init__" in vars(cls) and cls.__module__.partition(".")[0] == __name__.partition(".")[0]:
            cls.__init__ = _plainly(cls.__init__)  # type: ignore[method-assign]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        result = super().__call__(*args, **kwargs)  # type: ignore[misc]
        if lags():
            try:
                settle()
            except Exception as error:
                raise rejected(type(self).__name__, error) from error
        return result


def _plainly(constructor: Callable[..., None]) -> Callable[..., None]:
    @wraps(constructor)
    def made(self: Any, *args: Any, **kwargs: Any) -> None:
        constructor(self, *map(plain, args), **{name: plain(value) for name, value in kwargs.items()})

    return made


class Layer(_Made):
    """A layer of MindSpore with a state under the caller's names. It starts in training mode."""

    STATE: tuple[tuple[str, str | None], ...] = ()
    set_train: Callable[..., Any]
    _left_out: tuple[str, ...] = ()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "forward" in vars(cls):
            raise TypeError(f"{cls.__name__} overrides forward, which MindSpore does not call; override construct.")

    def omit_state_unless(self, wanted: Any, *names: str) -> None:
        """Leave parts of the state out of it, unless they are wanted."""
        if not wanted:
            self._left_out = (*self._left_out, *names)

    def train(self, mode: bool = True) -> Any:
        return self.set_train(mode)

    def eval(self) -> Any:
        return self.set_train(False)

    def _held(self) -> Iterator[tuple[str, Any]]:
        for name, mindspore_name in self.STATE:
            found = getattr(self, mindspore_name, None) if mindspore_name else None
            if is_tensor(found) and name not in self._left_out:
                yield name, found

    def state_dict(self) -> dict[str, Tensor]:
        """The state by name; the tensors are the layer's own."""
        return dict(self._held())

    def load_state_dict(self, state_dict: Mapping[str, Any], strict: bool = True) -> None:
        """Take over values. Names that the layer keeps nothing for are left out; others must be there, if strict."""
        own, known = dict(self._held()), dict(self.STATE)
        missing = [name for name in own if name not in state_dict]
        unknown = [name for name in state_dict if name not in own and known.get(name, name)]
        if strict and (missing or unknown):
            raise RuntimeError(f"load_state_dict: missing are {missing}, unexpected are {unknown}.")
        for name, parameter in own.items():
            if name in state_dict:
                value = state_dict[name]
                tensor = value if is_tensor(value) else mindspore.Tensor(value)
                if tuple(tensor.shape) != tuple(parameter.shape):
                    raise RuntimeError(f"{name} has the shape {tuple(parameter.shape)}, not {tuple(tensor.shape)}.")
                _write(parameter, tensor.astype(parameter.dtype))


def _write(parameter: Any, value: Tensor) -> None:
    """Give a parameter another value in its place; after `set_data` an optimiser that is compiled already would go on
    with the memory that it had."""
    mindspore.ops.assign(parameter, value)


class Optimiser(_Made):
    """An optimiser of MindSpore with the methods that callers know. Some of its settings may depend on the step."""

    global_step: Any
    _stepping: tuple[tuple[str, Callable[[int], float]], ...] = ()
    _steps: int | None = None
    _decays = False
    """Whether weight decay is known to reach every parameter."""

    def each_step(self, name: str, value_at: Callable[[int], float]) -> None:
        """Compute a setting anew before each step, the first of which has the number 1."""
        parameter = mindspore.Parameter(_scalar(value_at(1)), name=name, requires_grad=False)
        setattr(self, name, parameter)
        self._stepping = (*self._stepping, (name, value_at))

    def __call__(self, *gradients: Any) -> Any:
        if any(callable(each) and not is_tensor(each) for each in gradients):
            raise UnsupportedArgument(
                "an optimiser of MindSpore takes the gradients, one for each parameter, and this is a function; "
                "compute them with mindspore.value_and_grad."
            )
        if not self._decays:  # MindSpore lets parameters out by their names, "beta" and "gamma"
            self._decays = True
            self.decay_flags = tuple(True for _ in getattr(self, "decay_flags", ()))
        if self._stepping:
            done = int(self.global_step.asnumpy().item()) if self._steps is None else self._steps  # it may be restored
            self._steps = done + 1
            for name, value_at in self._stepping:
                _write(getattr(self, name), _scalar(value_at(self._steps)))
        return super().__call__(*gradients)


def _scalar(value: float) -> Tensor:
    return mindspore.Tensor(value, dtypes.float32)
