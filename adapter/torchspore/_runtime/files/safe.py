"""Files of the safetensors format: a list of tensors by name, then their memory. In: a path, or tensors by name. Out:
the other. The list is plain JSON, so there is nothing in a file that could run.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from .errors import NotReadable
from .kinds import Storage, View, itemsize, kinds
from .names import checked_view

DTYPES = {
    "F64": "float64", "F32": "float32", "F16": "float16", "BF16": "bfloat16", "I64": "int64", "I32": "int32",
    "I16": "int16", "I8": "int8", "U64": "uint64", "U32": "uint32", "U16": "uint16", "U8": "uint8", "BOOL": "bool",
    "C64": "complex64",
}  # fmt: skip
LONGEST_LIST = 100_000_000
_METADATA = "__metadata__"


def load_file(filename: str | os.PathLike[str], device: Any = "cpu") -> dict[str, Any]:
    """The tensors of a file by name."""
    with open(filename, "rb") as file:
        return load_bytes(file.read())


def load_bytes(data: bytes) -> dict[str, Any]:
    """The tensors in the bytes of a file by name."""
    listed, start = _list(data)
    memory = np.frombuffer(bytearray(data[start:]), np.uint8)
    found, ends = {}, []
    for name, entry in listed.items():
        if name != _METADATA:
            view, place = _view(name, entry, memory)
            ends.append(place)
            found[name] = kinds().tensor(view)
    end = 0
    for first, last in sorted(ends):
        if first != end:
            raise NotReadable("The file is damaged: its tensors overlap or leave gaps.")
        end = last
    if end != memory.size:
        raise NotReadable(f"The file is damaged or cut off: its tensors have {end} bytes, and {memory.size} are there.")
    return found


def _list(data: bytes) -> tuple[dict[str, Any], int]:
    size = int.from_bytes(data[:8], "little")
    if len(data) < 8 or size > min(LONGEST_LIST, len(data) - 8):
        raise NotReadable("The file is damaged or cut off: its list of tensors is not all there.")
    try:
        listed = json.loads(data[8 : 8 + size])
    except (ValueError, RecursionError) as error:
        raise NotReadable(f"The file is damaged: its list of tensors is no JSON ({error}).") from error
    if not isinstance(listed, dict):
        raise NotReadable("The file is damaged: its list of tensors is no list by name.")
    return listed, 8 + size


def _view(name: str, entry: Any, memory: Any) -> tuple[View, tuple[int, int]]:
    try:
        dtype, shape, (first, last) = DTYPES[entry["dtype"]], entry["shape"], entry["data_offsets"]
        if not 0 <= first <= last <= memory.size:
            raise ValueError(f"it lies at {first} to {last} of {memory.size} bytes")
        if int(np.prod(shape, dtype=object)) * itemsize(dtype) != last - first:
            raise ValueError(f"its shape {shape} does not have {last - first} bytes")
        strides = [int(np.prod(shape[place + 1 :], dtype=object)) for place in range(len(shape))]
        storage = Storage(memory[first:last].copy(), "cpu", dtype)
        return checked_view(storage, 0, shape, strides, False), (first, last)
    except (KeyError, TypeError, ValueError) as error:
        raise NotReadable(f"The file is damaged: the tensor {name!r} cannot be read ({error}).") from error


def save_file(
    tensors: Mapping[str, Any], filename: str | os.PathLike[str], metadata: Mapping[str, str] | None = None
) -> None:
    """Write tensors by name to a file."""
    data = save_bytes(tensors, metadata)
    with open(filename, "wb") as file:
        file.write(data)


def save_bytes(tensors: Mapping[str, Any], metadata: Mapping[str, str] | None = None) -> bytes:
    """The bytes of a file with these tensors; those with large elements first, so that each lies at a fitting place."""
    codes = {dtype: code for code, dtype in DTYPES.items()}
    views = {name: kinds().view(tensor)[1] for name, tensor in tensors.items()}
    order = sorted(views, key=lambda name: (-itemsize(views[name].dtype), name))
    listed: dict[str, Any] = {_METADATA: dict(metadata)} if metadata else {}
    parts: list[bytes] = []
    end = 0
    for name in order:
        view = views[name]
        if view.dtype not in codes:
            raise ValueError(f"safetensors has no tensors of {view.dtype}: {name!r}.")
        parts.append(np.ascontiguousarray(view.array()).tobytes())
        place = [end, end + len(parts[-1])]
        listed[name] = {"dtype": codes[view.dtype], "shape": list(view.shape), "data_offsets": place}
        end = place[1]
    head = json.dumps(listed, separators=(",", ":")).encode()
    head += b" " * (-len(head) % 8)
    return len(head).to_bytes(8, "little") + head + b"".join(parts)
