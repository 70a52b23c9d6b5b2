"""The names that files may use, and what each stands for here. In: a module and a name as they stand in a file. Out:
something of this runtime, or a refusal that names it. Nothing is imported because a file says so.
"""

from __future__ import annotations

import argparse
import math
import pathlib
import types
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np

from .errors import NotAllowed, NotReadable
from .kinds import DTYPES, UNTYPED, Kinds, Storage, View, itemsize
from .machine import Allowed

ROOT = "torch"
"""The package whose names stand in files."""
MOST_DIMENSIONS = 64
MOST_REPEATED = 2**28
"""How many elements a tensor may have beyond those in its memory, which it then shows several times."""
_LACKING = {"quantized": ("_rebuild_qtensor",), "sparse": ("_rebuild_sparse_tensor",)}


class StorageKind:
    """The type of a storage, as a file names it."""

    def __init__(self, dtype: str | None) -> None:
        self.dtype = dtype


def allowed_names(kinds: Kinds, plain_only: bool) -> Callable[[str, str], Any]:
    """How a file's names are looked up. With `plain_only` tensors and plain values are all that counts; otherwise a few
    harmless classes of Python too."""
    names = {**_names(kinds), **_of_numpy()}
    if not plain_only:
        names.update(_of_python())

    def find(module: str, name: str) -> Any:
        full = f"{module}.{name}"
        if full in names:
            return names[full]
        if module == ROOT and name in (*DTYPES, *UNTYPED):
            return kinds.dtype(name)
        for kind, functions in _LACKING.items():
            if name in functions:
                raise NotAllowed(f"The file has a {kind} tensor, and MindSpore has none that it could become.")
        raise NotAllowed(_refusal(full, plain_only))

    return find


def _refusal(name: str, plain_only: bool) -> str:
    sentence = f"The file names {name}, which is no tensor and no plain value. Nothing of a file is run here."
    if plain_only and name in _of_python():
        return f"{sentence} With weights_only=False this class is read."
    return (
        f"{sentence} If it is a whole model or an object of a program, load it where that program runs and save "
        "state_dict() or plain values instead."
    )


def _names(kinds: Kinds) -> dict[str, Any]:
    """Names of tensors and of what belongs to them."""

    def tensor(storage: Any, offset: Any, shape: Any, strides: Any, requires_grad: Any = False, *more: Any) -> Any:
        return kinds.tensor(checked_view(storage, offset, shape, strides, requires_grad))

    def untyped(storage: Any, offset: Any, shape: Any, strides: Any, grad: Any, hooks: Any, dtype: Any, *_: Any) -> Any:
        return kinds.tensor(checked_view(storage, offset, shape, strides, grad, kinds.dtype_name(dtype)))

    types_of_tensors: dict[str, Callable[..., Any]] = {
        f"{ROOT}._utils._rebuild_tensor": tensor,
        f"{ROOT}._utils._rebuild_tensor_v2": tensor,
        f"{ROOT}._utils._rebuild_tensor_v3": untyped,
        f"{ROOT}._utils._rebuild_parameter": lambda data, grad, hooks: kinds.parameter(data, grad),
        f"{ROOT}._utils._rebuild_parameter_with_state": lambda data, grad, hooks, state: kinds.parameter(data, grad),
        f"{ROOT}._tensor._rebuild_from_type_v2": _of_type,
        f"{ROOT}.Tensor": _not_made,
        f"{ROOT}.nn.parameter.Parameter": lambda data, grad=True: kinds.parameter(data, grad),
        f"{ROOT}.Size": lambda sizes: kinds.size(tuple(int(size) for size in sizes)),
        f"{ROOT}.device": lambda kind, index=None: kinds.device(str(kind), index),
    }
    names: dict[str, Any] = {name: Allowed(name, make) for name, make in types_of_tensors.items()}
    names |= {f"{ROOT}.{storage}": StorageKind(dtype) for dtype, storage in DTYPES.items()}
    names |= {f"{ROOT}.storage.{name}": StorageKind(None) for name in ("UntypedStorage", "TypedStorage")}
    plain: dict[str, Callable[..., Any]] = {
        "collections.OrderedDict": OrderedDict, "collections.Counter": Counter, "builtins.set": set,
        "builtins.frozenset": frozenset, "builtins.complex": complex, "builtins.bytearray": _byte_array,
        "builtins.bytes": lambda *data: bytes(_byte_array(*data)),
        "_codecs.encode": _encoded,
    }  # fmt: skip
    plain |= {name.replace("builtins", "__builtin__"): make for name, make in plain.items() if "builtins" in name}
    return names | {name: Allowed(name, make) for name, make in plain.items()}


def _not_made(*arguments: Any) -> Any:
    raise NotReadable("The file makes a tensor without memory.")


def _of_type(make: Any, kind: Any, arguments: Any, state: Any) -> Any:
    """A tensor of a subclass: of the plain classes, the tensor without what a program hung on it."""
    if not isinstance(make, Allowed) or not isinstance(kind, Allowed) or not isinstance(arguments, tuple):
        raise NotAllowed("The file has a tensor of a class that is not listed.")
    return make.make(*arguments)


def _encoded(text: str, encoding: str = "utf-8") -> bytes:
    """How pickles of protocol 2 write bytes."""
    if encoding not in ("latin1", "latin-1", "utf-8", "ascii"):
        raise ValueError(f"unknown encoding {encoding}")
    return text.encode(encoding)


def _byte_array(data: Any = b"", encoding: str = "utf-8") -> bytearray:
    if isinstance(data, bytes):
        return bytearray(data)
    if isinstance(data, str):
        return bytearray(_encoded(data, encoding))
    raise NotReadable("The file is damaged: bytes are made of something else.")


def checked_view(
    storage: Any, offset: Any, shape: Any, strides: Any, requires_grad: Any, dtype: str | None = None
) -> View:
    """What a tensor is of a storage, if it lies within it."""
    if not isinstance(storage, Storage):
        raise NotReadable("The file has a tensor without memory.")
    kind = dtype or storage.dtype
    numbers = [offset, *shape, *strides]
    if any(isinstance(each, bool) or not isinstance(each, int) or each < 0 for each in numbers):
        raise NotReadable("The file is damaged: a tensor's shape, strides or place are no counts.")
    if len(shape) != len(strides) or len(shape) > MOST_DIMENSIONS:
        raise NotReadable(f"The file is damaged: a tensor has {len(shape)} dimensions and {len(strides)} strides.")
    if storage.data.size % itemsize(kind):
        raise NotReadable(f"The file is damaged: {storage.data.size} bytes are no whole number of {kind}.")
    last = offset + sum((length - 1) * stride for length, stride in zip(shape, strides, strict=True))
    elements = storage.data.size // itemsize(kind)
    if 0 not in shape and last >= elements:
        raise NotReadable(f"The file is damaged: a tensor ends at element {last}, and its memory has {elements}.")
    if math.prod(shape) > elements + MOST_REPEATED:
        raise NotReadable(f"The file is damaged: a tensor of shape {tuple(shape)} repeats {elements} elements.")
    return View(storage, kind, min(offset, elements), tuple(shape), tuple(strides), bool(requires_grad))


def _of_numpy() -> dict[str, Any]:
    """NumPy's scalars and arrays, under the names of either version; never those that hold objects."""
    names: dict[str, Any] = {
        "numpy.dtype": Allowed("numpy.dtype", _dtype, _ordered),
        "numpy.ndarray": Allowed("numpy.ndarray", _not_made),
    }
    for core in ("numpy.core", "numpy._core"):
        scalar, array = f"{core}.multiarray.scalar", f"{core}.multiarray._reconstruct"
        names[scalar] = Allowed(scalar, _scalar)
        names[array] = Allowed(array, lambda *shape_and_kind: np.empty(0, np.uint8), _filled)
    return names


def _dtype(name: Any, *more: Any) -> Any:
    dtype = np.dtype(str(name), copy=True)
    if dtype.hasobject or dtype.names:
        raise NotAllowed(f"The file has a NumPy array of {dtype}, which may hold anything.")
    return dtype


def _ordered(dtype: Any, state: Any) -> None:
    """Give a dtype its order of bytes; it takes nothing else."""
    if not isinstance(state, tuple) or len(state) < 5 or state[1] not in "<>|=" or any(state[2:5]):
        raise NotAllowed(f"The file has a NumPy dtype with more than an order of bytes: {dtype}.")
    dtype.__setstate__(state)


def _scalar(dtype: Any, data: Any) -> Any:
    if not isinstance(dtype, np.dtype) or dtype.hasobject or len(data) != dtype.itemsize:
        raise NotReadable("The file is damaged: a NumPy number does not have the size of its dtype.")
    return np.frombuffer(bytes(data), dtype)[0]


def _filled(array: Any, state: Any) -> None:
    """Give an array its elements."""
    _, shape, dtype, fortran, data = state
    if not isinstance(dtype, np.dtype) or dtype.hasobject or not isinstance(data, bytes):
        raise NotAllowed("The file has a NumPy array that may hold anything.")
    if math.prod(shape) * dtype.itemsize != len(data):
        raise NotReadable(f"The file is damaged: a NumPy array of shape {shape} has {len(data)} bytes.")
    array.__setstate__((1, tuple(shape), dtype, bool(fortran), data))


def _of_python() -> dict[str, Any]:
    """Classes of Python that hold values and do nothing."""
    holders: dict[str, Callable[..., Any]] = {
        "argparse.Namespace": argparse.Namespace, "types.SimpleNamespace": types.SimpleNamespace,
    }  # fmt: skip
    names = {name: Allowed(name, make, _restore_attributes) for name, make in holders.items()}
    for name in ("PosixPath", "PurePosixPath", "WindowsPath", "PureWindowsPath"):
        made = pathlib.PurePath if name.startswith("Pure") else pathlib.Path
        names[f"pathlib.{name}"] = Allowed(f"pathlib.{name}", made)
    factories = {"builtins.list": list, "builtins.dict": dict, "builtins.int": int, "builtins.float": float}
    names |= {name: Allowed(name, make) for name, make in factories.items()}
    names["collections.defaultdict"] = Allowed("collections.defaultdict", _default_dict)
    return names


def _default_dict(factory: Any = None) -> Any:
    return defaultdict(factory.make if isinstance(factory, Allowed) else None)


def _restore_attributes(value: Any, state: Any) -> None:
    vars(value).update({str(name): each for name, each in dict(state).items()})
