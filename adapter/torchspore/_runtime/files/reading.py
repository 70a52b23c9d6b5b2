"""Reading a file. In: a path or a stream, where tensors shall go. Out: what was saved, made of this runtime's
objects."""

from __future__ import annotations

import io
import os
import struct
import zipfile
from collections.abc import Callable, Mapping
from typing import IO, Any, cast

import numpy as np

from ..core.errors import UnknownDevice, UnsupportedArgument
from .errors import NotAllowed, NotReadable
from .kinds import Kinds, Storage, itemsize, kinds
from .machine import Machine
from .names import StorageKind, allowed_names

MAGIC = 0x1950A86A20F9469CFC6C
PROTOCOL = 1001
_LOCAL_HEADER = struct.Struct("<4s5H3I2H")
Place = Callable[[Storage, str], Storage]


def load(
    f: Any,
    map_location: Any = None,
    pickle_module: Any = None,
    *,
    weights_only: bool | None = None,
    mmap: bool | None = None,
    encoding: str = "utf-8",
    **pickle_load_args: Any,
) -> Any:
    """What was saved to a file. No code of a file is ever run, whatever `weights_only` says; without it, a few harmless
    classes of Python may occur too."""
    if pickle_module is not None or pickle_load_args:
        raise UnsupportedArgument(
            "load: files are read by a machine of its own that runs nothing, so pickle_module and arguments for it "
            "cannot be honoured; leave them out."
        )
    if mmap and not isinstance(f, str | os.PathLike):
        raise ValueError("f must be a file path in order to use the mmap argument")
    place = _placing(map_location, kinds())
    find = allowed_names(kinds(), plain_only=weights_only is not False)
    if isinstance(f, str | os.PathLike):
        with open(f, "rb") as stream:
            return _read(stream, find, place, encoding, os.fspath(f) if mmap else None)
    if not all(hasattr(f, name) for name in ("read", "seek", "tell", "readline")):
        raise AttributeError(f"load takes a path, or a file that can be read and searched, not a {type(f).__name__}.")
    return _read(f, find, place, encoding, None)


def _read(stream: IO[bytes], find: Callable[[str, str], Any], place: Place, encoding: str, path: str | None) -> Any:
    start = stream.tell()
    head = stream.read(4)
    stream.seek(start)
    if not head:
        raise EOFError("Ran out of input: the file is empty.")
    if head == b"PK\x03\x04":
        return _Archive(stream, find, place, encoding, path).value()
    if path is not None:
        raise RuntimeError("mmap can only be used with files in the zip format.")
    return _read_legacy(stream, find, place, encoding)


class _Archive:
    """A file in the zip format: a pickle, and the memory of each storage beside it."""

    def __init__(
        self, stream: IO[bytes], find: Callable[[str, str], Any], place: Place, encoding: str, path: str | None
    ) -> None:
        try:
            self._zip = zipfile.ZipFile(stream)
        except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
            raise NotReadable(f"The file is damaged or cut off: its zip archive cannot be read ({error}).") from error
        self._entries = {name.partition("/")[2]: name for name in self._zip.namelist()}
        self._storages: dict[str, Storage] = {}
        self._find, self._place, self._encoding, self._path = find, place, encoding, path
        if "data.pkl" not in self._entries:
            raise NotReadable("The file is a zip archive, but none with tensors: it has no data.pkl.")
        if "constants.pkl" in self._entries:
            raise NotAllowed("The file is a compiled program (TorchScript); save its state_dict() instead.")
        order = self._bytes("byteorder") if "byteorder" in self._entries else b"little"
        self._swapped = order.strip() == b"big"

    def value(self) -> Any:
        machine = Machine(self._find, self._storage, self._encoding)
        return machine.run(io.BytesIO(self._bytes("data.pkl")))

    def _info(self, name: str) -> zipfile.ZipInfo:
        if name not in self._entries:
            raise NotReadable(f"The file is damaged: {name} is missing in its zip archive.")
        info = self._zip.getinfo(self._entries[name])
        if info.compress_type != zipfile.ZIP_STORED or info.compress_size != info.file_size:
            raise NotAllowed(f"The file is compressed ({name}), which files with tensors are not; it stays packed.")
        return info

    def _bytes(self, name: str) -> bytes:
        info = self._info(name)
        try:
            return self._zip.read(info)
        except (zipfile.BadZipFile, EOFError, OSError, NotImplementedError, RuntimeError, struct.error) as error:
            raise NotReadable(f"The file is damaged or cut off: {name} cannot be read ({error}).") from error

    def _storage(self, parts: Any) -> Storage:
        kind, key, location, count = _parts(parts)
        if key not in self._storages:
            dtype = kind.dtype or "uint8"
            data = self._mapped(f"data/{key}") if self._path else self._copied(f"data/{key}")
            if data.size != count * itemsize(dtype):
                raise NotReadable(
                    f"The file is damaged: data/{key} has {data.size} bytes and should have {count * itemsize(dtype)}."
                )
            if self._swapped:
                data = np.ascontiguousarray(data.reshape(-1, _swap(dtype))[:, ::-1]).reshape(-1)
            self._storages[key] = self._place(Storage(data, location, dtype), location)
        return self._storages[key]

    def _copied(self, name: str) -> Any:
        return np.frombuffer(bytearray(self._bytes(name)), np.uint8)

    def _mapped(self, name: str) -> Any:
        """The memory of a storage as it lies in the file, read when it is used, never written back."""
        info = self._info(name)
        with open(cast(str, self._path), "rb") as file:
            file.seek(info.header_offset)
            header = _LOCAL_HEADER.unpack(file.read(_LOCAL_HEADER.size))
            start = info.header_offset + _LOCAL_HEADER.size + header[-2] + header[-1]
            if start + info.file_size > os.fstat(file.fileno()).st_size:
                raise NotReadable(f"The file is cut off: {name} ends behind it.")
        if not info.file_size:
            return np.empty(0, np.uint8)
        return np.memmap(cast(str, self._path), np.uint8, "c", start, (info.file_size,))


def _swap(dtype: str) -> int:
    """How many bytes belong together where the order of bytes is turned round: a complex number has two parts."""
    return itemsize(dtype) // (2 if dtype.startswith("complex") else 1)


def _parts(parts: Any) -> tuple[StorageKind, str, str, int]:
    """The kind, the key, the device and the number of elements of a storage that a file refers to."""
    if not isinstance(parts, tuple) or len(parts) < 5 or parts[0] != "storage" or not isinstance(parts[1], StorageKind):
        raise NotAllowed("The file refers to something that is no storage.")
    _, kind, key, location, count = parts[:5]
    if not isinstance(key, str) or not isinstance(location, str) or not isinstance(count, int) or count < 0:
        raise NotReadable("The file is damaged: a storage has no key, device or size.")
    return kind, key, location, count


def _read_legacy(stream: IO[bytes], find: Callable[[str, str], Any], place: Place, encoding: str) -> Any:
    """The format before zip archives: four pickles, then the memory of each storage."""
    storages: dict[str, Storage] = {}
    sizes: dict[str, int] = {}

    def storage(parts: Any) -> Storage:
        kind, key, location, count = _parts(parts)
        if len(parts) > 5 and parts[5] is not None:
            raise NotAllowed("The file has views of storages, as files of before 2017 have; save it anew.")
        if key not in storages:
            dtype = kind.dtype or "uint8"
            sizes[key] = count * itemsize(dtype)
            _bounded(stream, sizes[key])
            storages[key] = place(Storage(np.zeros(sizes[key], np.uint8), location, dtype), location)
        return storages[key]

    def plain() -> Any:
        return Machine(find, storage, encoding).run(stream)

    try:
        magic = plain()
    except (NotReadable, NotAllowed) as error:
        raise NotReadable("The file is no file with tensors: neither a zip archive nor what came before it.") from error
    if magic != MAGIC or plain() != PROTOCOL:
        raise NotReadable("The file is no file with tensors, or one of an unknown version.")
    information = plain()
    if not isinstance(information, dict) or information.get("little_endian") is not True:
        raise NotReadable("The file was written with another order of bytes, or is damaged.")
    start = stream.tell()
    plain()  # which tensors there are; their memory follows
    end = stream.tell()
    stream.seek(start)
    pickled = _exactly(stream, end - start)
    keys = plain()
    if not isinstance(keys, list) or not all(isinstance(key, str) for key in keys) or set(keys) != set(storages):
        raise NotReadable("The file is damaged: its memory is not that of its tensors.")
    for key in keys:
        (count,) = struct.unpack("<q", _exactly(stream, 8))
        data = _exactly(stream, sizes[key])
        if count * itemsize(storages[key].dtype) != sizes[key]:
            raise NotReadable(f"The file is damaged: a storage has {count} elements instead of another number.")
        storages[key].data[:] = np.frombuffer(data, np.uint8)
    return Machine(find, storage, encoding).run(io.BytesIO(pickled))


def _exactly(stream: IO[bytes], count: int) -> bytes:
    data = stream.read(count)
    if len(data) != count:
        raise NotReadable(f"The file is cut off: {count} bytes should follow, and {len(data)} do.")
    return data


def _bounded(stream: IO[bytes], count: int) -> None:
    """Refuse memory that is larger than what is left of the file."""
    here = stream.tell()
    left = stream.seek(0, os.SEEK_END) - here
    stream.seek(here)
    if count > left:
        raise NotReadable(f"The file is cut off: a storage has {count} bytes, and {left} are left.")


def _placing(map_location: Any, known: Kinds) -> Place:
    """Where storages go: the device that they came from, or the one that the caller names."""

    def put(storage: Storage, location: str) -> Storage:
        if not known.has_device(location):
            raise UnknownDevice(
                f"The file has tensors of the device {location!r}, which is not here; map_location='cpu' loads them."
            )
        storage.location = location
        return storage

    if map_location is None:
        return put
    if isinstance(map_location, Mapping):
        return lambda storage, location: put(storage, str(map_location.get(location, location)))
    if callable(map_location) and known.device_name(map_location) is None:

        def asked(storage: Storage, location: str) -> Storage:
            result = map_location(storage, location)
            return put(storage, location) if result is None else result

        return asked
    wanted = known.device_name(map_location) or str(map_location)
    return lambda storage, location: put(storage, wanted)
