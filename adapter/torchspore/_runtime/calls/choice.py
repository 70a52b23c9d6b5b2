"""Which MindSpore API an adapter calls in one process. As with collectives, `use` and the environment decide, else the
first target that the platform and the installed MindSpore have and that takes the dtype. The answer is kept, because
such calls take microseconds; a class is chosen when its module is imported.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..core import framework, targets
from ..core.errors import UnsupportedArgument
from ..core.targets import Api, Choice, Target
from .refusals import fits_dtype

BY_SIZE = {
    1: ("bool", "int8", "uint8"),
    2: ("int16", "float16", "bfloat16"),
    4: ("int32", "float32"),
    8: ("int64", "float64", "complex64"),
    16: ("complex128",),
}
"""The dtypes by the bytes of an element."""
DTYPES = tuple(dtype for alike in BY_SIZE.values() for dtype in alike)


@dataclass(frozen=True)
class Counterpart(Target):
    """One MindSpore API, the function or class that meets the signature with it, and where it can be used."""

    function: Any  # of an API with several call forms: one function for each
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
        self.known: dict[int | None, Any] = {}
        """By dtype, what is called; dtypes are objects of which there is one each, and their numbers are fast. None
        stands where the dtype does not matter."""
        self.sized: dict[int, Any] = {}
        """The same by the size of an element, where all dtypes of it are treated alike: a dtype costs a microsecond
        to ask for, which is much beside a call of five."""

    def forget(self) -> None:
        self.known.clear()
        self.sized.clear()

    def function_for(self, tensor: Any) -> Any:
        """What is called with a tensor of this dtype, or whatever the dtype if there is no tensor; kept from then
        on."""
        dtype = None if tensor is None else tensor.dtype
        key = None if dtype is None else id(dtype)
        if (known := self.known.get(key)) is not None:
            return known
        chosen = self.choose(None if dtype is None else str(dtype).lower())[0]
        self._refuse_elsewhere(chosen)
        if tensor is not None and chosen.takes:
            fits_dtype(self.name, tensor, chosen.takes)
            self._note_size(tensor.itemsize, chosen)
        return self.known.setdefault(key, chosen.function)

    def _note_size(self, size: int, chosen: Counterpart) -> None:
        """Keep what is called by the size of an element too, if it is the same for all dtypes of that size."""
        if all(dtype in chosen.takes and self.choose(dtype)[0] is chosen for dtype in BY_SIZE[size]):
            self.sized[size] = chosen.function

    def _refuse_elsewhere(self, chosen: Counterpart) -> None:
        """Say so where no target is for this platform, unless one was asked for."""
        if chosen.platforms and framework.platform() not in chosen.platforms and targets._forced()[0] != chosen.id:
            listed = " and ".join(dict.fromkeys(place for each in self.targets for place in each.platforms))
            raise UnsupportedArgument(f"{self.name}: MindSpore has it on {listed}, and this is {framework.platform()}.")

    def chosen_class(self, name: str) -> Any:
        """The class that is offered, under its public name."""
        found: Any = self.choose()[0].function
        found.__name__ = found.__qualname__ = name
        return found

    def choose(self, dtype: str | None = None) -> tuple[Counterpart, str]:
        here = framework.platform()
        self.targets = tuple(sorted(self.targets, key=lambda each: bool(each.platforms) and here not in each.platforms))
        found, reason = super().choose(dtype)
        assert isinstance(found, Counterpart)
        return found, reason

    def choice(self, dtype: str | None = None) -> Choice:
        target, reason = self.choose(dtype)
        return Choice(self.name, target.id, target.mindspore, reason, f"the platform is {framework.platform()}")
