"""Writing a file. In: tensors and plain values, in containers. Out: a zip archive that the original framework reads as
one of its own, the same bytes for the same values.
"""

from __future__ import annotations

import argparse
import io
import os
import pathlib
import pickle
import types
import zipfile
from collections import Counter, OrderedDict, defaultdict
from typing import IO, Any, ClassVar

import numpy as np

from ..core.errors import UnsupportedArgument
from .errors import NotWritable
from .kinds import DTYPES, UNTYPED, Kinds, Storage, View, itemsize, kinds
from .names import ROOT

ALIGNMENT = 64
_PADDING = b"FB"
_LARGE = 2**31 - 1
_PLAIN = (
    type(None), bool, int, float, complex, str, bytes, bytearray, list, tuple, dict, set, frozenset, OrderedDict,
    Counter, defaultdict, argparse.Namespace, types.SimpleNamespace, np.ndarray, np.generic, np.dtype,
    pathlib.PurePath,
)  # fmt: skip

_MAKERS = ("_codecs", "builtins", "collections", "copyreg", "numpy")
"""Modules whose functions stand in files, because plain values are made by them."""


def save(
    obj: Any,
    f: Any,
    pickle_module: Any = None,
    pickle_protocol: int = 2,
    _use_new_zipfile_serialization: bool = True,
    _disable_byteorder_record: bool = False,
) -> None:
    """Write an object to a file, given as a path or as a stream."""
    if pickle_module is not None or not _use_new_zipfile_serialization:
        raise UnsupportedArgument(
            "save writes zip archives by its own means; leave out pickle_module and the old format."
        )
    buffer = io.BytesIO()
    pickler = _Pickler(buffer, pickle_protocol, kinds())
    pickler.dump(obj)
    entries: list[tuple[str, Any]] = [
        ("data.pkl", buffer.getvalue()),
        (".format_version", b"1"),
        (".storage_alignment", b"64"),
    ]
    if not _disable_byteorder_record:
        entries.append(("byteorder", b"little"))
    entries += [(f"data/{key}", memoryview(storage.data)) for key, storage in pickler.storages.items()]
    entries.append(("version", b"3\n"))
    if isinstance(f, str | os.PathLike):
        path = pathlib.Path(f)
        if not path.parent.is_dir():
            raise RuntimeError(f"Parent directory {path.parent} does not exist.")
        with open(path, "wb") as stream:
            _write(stream, path.stem or "archive", entries)
        return
    if not hasattr(f, "write"):
        raise AttributeError(f"save takes a path or a file that can be written, not a {type(f).__name__}.")
    whole = io.BytesIO()  # the archive's own places count from its beginning, not from the file's
    _write(whole, "archive", entries)
    f.write(whole.getvalue())


def _write(stream: IO[bytes], root: str, entries: list[tuple[str, Any]]) -> None:
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        for name, data in entries:
            info = zipfile.ZipInfo(f"{root}/{name}")
            large = len(data) > _LARGE
            begin = stream.tell() + 30 + len(info.filename.encode()) + 4 + (20 if large else 0)
            padding = -begin % ALIGNMENT
            info.extra = _PADDING + padding.to_bytes(2, "little") + b"Z" * padding
            with archive.open(info, "w", force_zip64=large) as entry:
                entry.write(data)


class _Name:
    """A name that is written as it stands, without anything of that name being here."""

    def __init__(self, module: str, name: str) -> None:
        self.module = module
        self.name = name

    def __call__(self) -> None:
        raise TypeError(f"{self.module}.{self.name} is a name in a file.")


class _Storage:
    """What a file says of a storage, in the place of its memory."""

    def __init__(self, key: str, view: View) -> None:
        typed = view.dtype in DTYPES
        kind = _Name(ROOT, DTYPES[view.dtype]) if typed else _Name(f"{ROOT}.storage", "UntypedStorage")
        size = view.storage.data.size
        self.parts = ("storage", kind, key, "cpu", size // itemsize(view.dtype) if typed else size)


_python: Any = pickle._Pickler


class _Pickler(_python):
    """Python's own pickler, with the original's names for tensors and what belongs to them. It is the one written in
    Python, because the other looks every name up."""

    dispatch: ClassVar[dict[Any, Any]] = dict(_python.dispatch)

    def __init__(self, buffer: IO[bytes], protocol: int, known: Kinds) -> None:
        super().__init__(buffer, protocol)
        self._kinds = known
        self._keys: dict[object, tuple[str, Storage]] = {}
        self._views: list[Any] = []

    @property
    def storages(self) -> dict[str, Storage]:
        return dict(self._keys.values())

    def persistent_id(self, value: Any) -> Any:
        return value.parts if isinstance(value, _Storage) else None

    def reducer_override(self, value: Any) -> Any:
        if isinstance(value, _Name | _Rebuilt | type):
            return NotImplemented
        if self._kinds.is_tensor(value):
            return self._tensor(value)
        if self._kinds.is_size(value):
            return _Name(ROOT, "Size"), (tuple(int(each) for each in value),)
        if (device := self._kinds.device_name(value)) is not None:
            kind, _, index = device.partition(":")
            return _Name(ROOT, "device"), (kind, int(index)) if index else (kind,)
        if not isinstance(value, _PLAIN):
            self._refuse(value)
        return NotImplemented

    def save(self, value: Any, save_persistent_id: bool = True) -> None:
        """A dtype is a mere name; all else goes the usual way."""
        name = None if isinstance(value, (*_PLAIN, _Name, _Storage, _Rebuilt)) else self._kinds.dtype_name(value)
        super().save(value if name is None else _Name(ROOT, name), save_persistent_id)

    def _tensor(self, tensor: Any) -> Any:
        memory, view = self._kinds.view(tensor)
        self._views.append(tensor)  # as long as it lives, what identifies its memory is its own
        key, _ = self._keys.setdefault(memory, (str(len(self._keys)), view.storage))
        if self._kinds.is_parameter(tensor):
            inner = _Rebuilt(key, view._replace(requires_grad=False))
            return _Name(f"{ROOT}._utils", "_rebuild_parameter"), (inner, view.requires_grad, OrderedDict())
        return _Rebuilt(key, view).reduced()

    def _refuse(self, value: Any) -> None:
        kind = type(value)
        if hasattr(value, "state_dict"):
            raise NotWritable(
                f"save: a whole {kind.__name__} would not be read again, because files run no code; save its "
                "state_dict() and, to load, make the object first."
            )
        if not callable(value) or str(value.__module__).partition(".")[0] not in _MAKERS:
            raise NotWritable(f"save: a {kind.__module__}.{kind.__name__} would not be read again; save plain values.")

    def save_name(self, name: Any) -> None:
        self.write(pickle.GLOBAL + f"{name.module}\n{name.name}\n".encode())

    dispatch[_Name] = save_name


class _Rebuilt:
    """The tensor inside a parameter."""

    def __init__(self, key: str, view: View) -> None:
        self.key = key
        self.view = view

    def reduced(self) -> Any:
        view = self.view
        rebuild = "_rebuild_tensor_v3" if view.dtype in UNTYPED else "_rebuild_tensor_v2"
        parts: tuple[Any, ...] = (
            _Storage(self.key, view),
            view.offset,
            view.shape,
            view.strides,
            view.requires_grad,
            OrderedDict(),
        )
        more = (_Name(ROOT, view.dtype),) if view.dtype in UNTYPED else ()
        return _Name(f"{ROOT}._utils", rebuild), (*parts, *more)


def _save_rebuilt(pickler: Any, value: _Rebuilt) -> None:
    pickler.save_reduce(*value.reduced(), obj=value)


_Pickler.dispatch[_Rebuilt] = _save_rebuilt
