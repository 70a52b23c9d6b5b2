"""What cannot be copied or pickled, and says so by name instead of with a complaint about the inside of MindSpore.

In: an object that is copied or pickled. Out: a copy, or `NotCopied` with what to do.
"""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any, NoReturn

PROTOCOL = 4


class NotCopied(TypeError, pickle.PicklingError):
    """Something that exists only once, or only in this process. Callers know it under two types."""


class Unique:
    """An object that belongs to this process and can be neither copied nor pickled."""

    __slots__ = ()
    UNIQUE = ""  # what to do instead

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise NotCopied(f"{type(self).__name__} can be neither copied nor pickled: {self.UNIQUE}.")


class Unpicklable:
    """An object of MindSpore that can be copied within a process, but not pickled."""

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise NotCopied(
            f"{type(self).__name__} cannot be pickled, because MindSpore's operators cannot; "
            "pickle the values of its parameters, and make it anew where they are read."
        )

    def __copy__(self) -> Any:
        return _rebuilt(self, lambda part: part, {})

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        try:
            return _rebuilt(self, lambda part: copy.deepcopy(part, memo), memo)
        except NotCopied:
            raise
        except TypeError as error:
            raise NotCopied(
                f"{type(self).__name__} cannot be copied, because a part of it in MindSpore cannot ({error}); "
                "make another one with the same arguments."
            ) from error


def _rebuilt(whole: Any, part_of: Callable[[Any], Any], memo: dict[int, Any]) -> Any:
    """Another object of the same class, with the parts of this one or copies of them."""
    reduced: Any = object.__reduce_ex__(whole, PROTOCOL)
    make, arguments, state = reduced[:3]
    made = make(*arguments)
    memo[id(whole)] = made
    if hasattr(made, "__setstate__"):
        made.__setstate__(part_of(state))
    else:
        vars(made).update(part_of(state))
    return made
