"""What travels between the process that trains and its workers. In: a worker's part of the work, or a batch. Out:
bytes, and back. Tensors travel as arrays. Functions and classes of the program itself travel to a worker as they are,
because a worker does not run the program; on the way back the program's own are found by their names.
"""

from __future__ import annotations

import importlib
import io
import pickle
import sys
import traceback
import types
from collections.abc import Sequence
from typing import Any, NamedTuple

from ..core import arrays

MAIN = "__main__"


class Parcel(NamedTuple):
    """An array that becomes a tensor where it arrives."""

    array: Any
    dtype: str


class Failure(NamedTuple):
    """An error of a worker: its type, and what it said with the lines it went through."""

    kind: type[BaseException]
    text: str

    def raised(self) -> BaseException:
        """The error to raise for it: of the same type, if one with a mere text can be made."""
        if self.kind is KeyError:
            return KeyError(_Lines(self.text))
        try:
            return self.kind(self.text)
        except Exception:
            return RuntimeError(self.text)


class _Lines(str):
    """A text that a key error shows line by line."""

    __slots__ = ()
    __repr__ = str.__str__


def failure(worker: int, error: BaseException) -> Failure:
    """An error as it is sent."""
    lines = "".join(traceback.format_exception(error))
    name = type(error).__name__
    return Failure(type(error), f"Caught {name} in DataLoader worker process {worker}.\nOriginal {lines}")


def packed_work(work: Any) -> bytes:
    """A worker's part: the program's own classes and functions included, with whatever they use."""
    dill = importlib.import_module("dill")
    try:
        return bytes(dill.dumps(work, byref=False, recurse=True))
    except Exception as error:
        raise TypeError(
            f"DataLoader: what the workers need cannot be sent to them ({type(error).__name__}: {error}). A dataset, "
            "its collate_fn and worker_init_fn must be picklable; open files and connections are best opened by each "
            "worker. num_workers=0 sends nothing."
        ) from error


def unpacked_work(data: bytes) -> Any:
    return importlib.import_module("dill").loads(data)


def packed(value: Any) -> list[Any]:
    """A value that goes to a worker or comes from one: what it is, and the memory of the arrays in it."""
    buffer = io.BytesIO()
    memory: list[pickle.PickleBuffer] = []
    _Pickler(buffer, pickle.HIGHEST_PROTOCOL, buffer_callback=memory.append).dump(value)
    return [buffer.getbuffer(), *(each.raw() for each in memory)]


def unpacked(parts: Sequence[Any]) -> Any:
    return pickle.loads(parts[0], buffers=parts[1:])


class _Pickler(pickle.Pickler):
    def reducer_override(self, value: Any) -> Any:
        if isinstance(value, Parcel):
            return arrays.to_tensor, (value.array, value.dtype)
        if arrays.is_tensor(value):
            return arrays.to_tensor, (arrays.to_array(value), arrays.layout(value).dtype)
        if isinstance(value, type | types.FunctionType) and value.__module__ == MAIN:
            return _of_the_program, (value.__qualname__,)
        return NotImplemented


def _of_the_program(name: str) -> Any:
    """What the program itself calls so."""
    found: Any = sys.modules[MAIN]
    for part in name.split("."):
        found = getattr(found, part)
    return found
