"""What stands for a decorator or a context that has nothing to do: it lets everything through as it is."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import Any


class Transparent:
    """A context that does nothing, and a decorator that gives back what it is put on."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        pass

    def __enter__(self) -> Transparent:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        pass

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        return function


def transparent(given: Any = None) -> Any:
    """The function that a decorator was put on; or, of one that was called first, what to put on it."""
    return given if callable(given) else Transparent()
