"""Which MindSpore API an adapter calls in one process. As with collectives, `use` and the environment decide, else the
first target that the platform and the installed MindSpore have and that takes the dtype. The answer is kept, because
such calls take microseconds; a class is chosen when its module is imported.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from torchspore._runtime import framework, targets
from torchspore._runtime.targets import Api, Target

_UNASKED = object()
DTYPES = (
    "bool", "int8", "int16", "int32", "int64", "uint8",
    "float16", "bfloat16", "float32", "float64", "complex64", "complex128",
)  # fmt: skip


@dataclass(frozen=True)
class Counterpart(Target):
    """One MindSpore API, the function or class that meets the signature with it, and where it can be used."""

    platforms: tuple[str, ...] = ()  # nothing: everywhere
    takes: tuple[str, ...] = ()  # dtypes; nothing: all

    def __post_init__(self) -> None:
        if self.takes:
            object.__setattr__(self, "lacks", tuple(dtype for dtype in DTYPES if dtype not in self.takes))


class Call(Api):
    """The targets of one adapter, in order of preference."""

    targets: tuple[Counterpart, ...]

    def __init__(self, name: str, *counterparts: Counterpart) -> None:
        super().__init__(name, *counterparts)
        self._for: Any = _UNASKED
        self._function: Callable[..., Any] = counterparts[0].function
        self._by_dtype: dict[Any, Callable[..., Any]] = {}

    @property
    def function(self) -> Callable[..., Any]:
        """What is called."""
        if self._for is not targets._used:
            self._for, self._by_dtype = targets._used, {}
            self._function = self.choose()[0].function
        return self._function

    def function_for(self, tensor: Any) -> Callable[..., Any]:
        """What is called with a tensor of this dtype."""
        function, dtype = self.function, getattr(tensor, "dtype", None)
        if dtype is None:
            return function
        if dtype not in self._by_dtype:
            self._by_dtype[dtype] = self.choose(str(dtype).lower())[0].function
        return self._by_dtype[dtype]

    def chosen_class(self, name: str) -> Any:
        """The class that is offered, under its public name."""
        found: Any = self.choose()[0].function
        found.__name__ = found.__qualname__ = name
        return found

    def choose(self, dtype: str | None = None) -> tuple[Target, str]:
        here = framework.platform()
        self.targets = tuple(sorted(self.targets, key=lambda each: bool(each.platforms) and here not in each.platforms))
        return super().choose(dtype)


def target_of(name: str, target: str) -> Any:
    """The function or class by which an adapter meets one of its targets, whichever is chosen."""
    api = targets._apis[name]
    return next(each.function for each in api.targets if each.id == target)
