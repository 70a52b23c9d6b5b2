"""The errors that adapters raise. Each is a subclass of the type that the original framework raises in that place, so
that existing `except` clauses go on working; the sentence says what to do.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any, NoReturn

from .foreign import is_torch, kind

LONGEST = 60
"""How much of a value a sentence quotes."""


class UnsupportedArgument(NotImplementedError):
    """A value that MindSpore cannot honour. It is refused rather than ignored."""


class NoCounterpart(NotImplementedError):
    """An API that MindSpore has nothing for. The sentence says what to do instead."""


class Missing(type):
    """The class of a class that MindSpore has nothing for: to make one of it, to derive from it and to take a member of
    it raises what its `says` says."""

    says: str

    def __new__(mcs, name: str, bases: tuple[type, ...], members: dict[str, Any]) -> Missing:
        for base in bases:
            raise NoCounterpart(base.says)  # type: ignore[attr-defined]
        return super().__new__(mcs, name, bases, members)

    def __call__(cls, *arguments: Any, **keywords: Any) -> NoReturn:
        raise NoCounterpart(cls.says)

    def __getattr__(cls, name: str) -> NoReturn:
        raise AttributeError(name) if name.startswith("__") else NoCounterpart(cls.says)


class Rejected(RuntimeError, ValueError, TypeError, IndexError):
    """MindSpore does not take these arguments. Callers know it under several types, because the original tells them
    apart in another way than MindSpore does."""


def refuse(api: str, name: str, value: object, default: object) -> None:
    """Refuse an argument that MindSpore has no place for, unless it is what leaving it out would mean."""
    if name == "device" and value is not None:
        importlib.import_module("torchspore._runtime.tensor.devices").check(
            value
        )  # where MindSpore computes is no loss
    elif value is not default and not (type(value) is type(default) and value == default):
        raise UnsupportedArgument(
            f"{api}: MindSpore has nothing for {name}, so it must stay {default!r}; it is {_shown(value)}."
        )


def fits_dtype(api: str, tensor: Any, takes: Sequence[str]) -> None:
    """Refuse a dtype that MindSpore does not take, or computes with less precisely than it says."""
    dtype = str(getattr(tensor, "dtype", takes[0])).lower()  # what is no tensor is MindSpore's to refuse
    dtype = dtype.removeprefix("torch.")  # the adapter's own dtypes say whose they are
    if dtype not in takes:
        raise UnsupportedArgument(f"{api}: MindSpore does not take {dtype} here; it takes {', '.join(takes)}.")


def _shown(value: object) -> str:
    """A value in a sentence; of a long one, its beginning and its type; of one that cannot be shown, its type;
    of one of torch, its type too."""
    try:
        text = " ".join(repr(value).split())
    except Exception:  # whatever stands in the way of showing the value must not hide why it is refused
        return f"a {kind(value)}"
    if len(text) > LONGEST:
        return f"{text[:LONGEST]}… (a {kind(value)})"
    return f"{text} (a {kind(value)})" if is_torch(value) else text


class UnsupportedReduceOp(UnsupportedArgument, TypeError, ValueError):
    """A reduction that does not exist for this dtype, or not at all. Callers know it under three types: one each for
    an unknown operator, for complex tensors and for a dtype that the operator does not take."""


class InvalidRank(ValueError, RuntimeError):
    """A rank that is not in the group, or given twice, or not given."""


class NotAMember(ValueError, KeyError):
    """A question about a group that this process is not in. Callers know it under two types."""

    __str__ = Exception.__str__  # a key error would quote its sentence


class NoGroup(ValueError, AttributeError):
    """Something that is no group was given as one. Callers know it under two types."""


class UnknownDevice(ValueError, RuntimeError, AssertionError):
    """A device that MindSpore has nothing for. Callers know it under three types."""


class NotPossible(ValueError, AssertionError):
    """A call that contradicts itself or comes at the wrong time. Callers know it under two types."""


class UnfitTensor(ValueError, RuntimeError):
    """A tensor, or a list of them, whose shape, dtype or number does not fit. Callers know it under two types."""


class UnfitObjects(TypeError, ValueError, IndexError, RuntimeError):
    """What should be a list of objects is none, or has the wrong number of places. Callers know it under four types,
    because the original finds it out by accident, late and differently each time."""


class NotStarted(ValueError):
    """A communication was asked for before the processes were connected."""


class StartFailed(RuntimeError):
    """The processes could not be connected."""


class NoGradient(RuntimeError):
    """A tensor whose gradient is being recorded was given to a call that passes no gradient."""


class CollectiveFailed(RuntimeError):
    """A communication did not complete; its outputs are undefined and the connection is not usable any more."""


class CollectiveMismatch(CollectiveFailed):
    """The ranks of a group do not make the same call. Nothing was sent."""


class CollectiveTimeout(CollectiveFailed):
    """A communication did not complete within the time-out: a peer has ended, or never made the same call."""
