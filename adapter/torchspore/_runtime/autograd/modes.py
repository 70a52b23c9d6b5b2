"""Whether operations are recorded: `no_grad`, `enable_grad`, `set_grad_enabled` and `inference_mode`, each as a context
and as a decorator of functions and of generators.

MindSpore has two switches. One says that a graph is wanted at all; it is on while this runtime is in use, and
`mindspore.value_and_grad` leaves it off, so that `record` sets it again before an operation. The other is torch's.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Generator
from types import TracebackType
from typing import Any, TypeVar

from ..core.private import is_enabled, is_recording, set_enabled, set_recording

F = TypeVar("F", bound=Callable[..., Any])

_inference = False


def record() -> None:
    """See to it that operations are recorded, if gradients are enabled."""
    if not is_recording():
        set_recording(True)


def is_grad_enabled() -> bool:
    return bool(is_enabled())


def is_inference_mode_enabled() -> bool:
    return _inference


class _Mode:
    """A setting of the switch, for a block or for the calls of a function. One object may be entered again."""

    _wanted = True

    def __init__(self) -> None:
        self._before: list[bool] = []

    def _clone(self) -> _Mode:
        return type(self)()

    def __enter__(self) -> None:
        self._before.append(is_grad_enabled())
        set_enabled(self._wanted)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        set_enabled(self._before.pop())

    def __call__(self, decorated: Any) -> Any:
        if inspect.isclass(decorated):
            kind: Any = decorated
            kind.__init__ = self(kind.__init__)
            return kind
        if inspect.isgeneratorfunction(decorated):
            return self._around_generator(decorated)

        @functools.wraps(decorated)
        def within(*arguments: Any, **keywords: Any) -> Any:
            with self._clone():
                return decorated(*arguments, **keywords)

        return within

    def _around_generator(self, decorated: Callable[..., Generator[Any, Any, Any]]) -> Callable[..., Any]:
        """Between two values the caller's own setting holds; inside the generator this one does."""

        @functools.wraps(decorated)
        def within(*arguments: Any, **keywords: Any) -> Generator[Any, Any, Any]:
            running = decorated(*arguments, **keywords)
            try:
                with self._clone():
                    value = next(running)
                while True:
                    try:
                        sent = yield value
                    except GeneratorExit:
                        with self._clone():
                            running.close()
                        raise
                    except BaseException as raised:
                        with self._clone():
                            value = running.throw(raised)
                    else:
                        with self._clone():
                            value = running.send(sent)
            except StopIteration as end:
                return end.value

        return within


class no_grad(_Mode):
    """Nothing is recorded."""

    _wanted = False

    def __new__(cls, decorated: Any = None) -> Any:
        made = super().__new__(cls)
        if decorated is None:
            return made
        made.__init__()  # type: ignore[misc]
        return made(decorated)

    def __init__(self, decorated: Any = None) -> None:
        super().__init__()


class enable_grad(no_grad):
    """Operations are recorded, also inside of a block where they are not."""

    _wanted = True


class set_grad_enabled(_Mode):
    """The switch by a value: at once as a statement, and back at the end of a block."""

    def __init__(self, mode: bool) -> None:
        super().__init__()
        self._wanted = bool(mode)
        self._outside = is_grad_enabled()
        set_enabled(self._wanted)

    def _clone(self) -> _Mode:
        return set_grad_enabled(self._wanted)

    def __enter__(self) -> None:
        self._before.append(self._outside)
        set_enabled(self._wanted)

    def __call__(self, decorated: Any) -> Any:
        set_enabled(self._outside)  # a decorator changes nothing where it stands
        return super().__call__(decorated)


class inference_mode(_Mode):
    """Nothing is recorded, and `is_inference_mode_enabled` says so."""

    def __new__(cls, mode: Any = True) -> Any:
        made = super().__new__(cls)
        if isinstance(mode, bool):
            return made
        made.__init__(True)  # type: ignore[misc]
        return made(mode)

    def __init__(self, mode: Any = True) -> None:
        super().__init__()
        self._mode = bool(mode)
        self._wanted = not self._mode
        self._outer: list[bool] = []

    def _clone(self) -> _Mode:
        made: _Mode = inference_mode(self._mode)
        return made

    def __enter__(self) -> None:
        global _inference
        self._outer.append(_inference)
        _inference = self._mode
        super().__enter__()

    def __exit__(self, *raised: Any) -> None:
        global _inference
        _inference = self._outer.pop()
        super().__exit__(*raised)
