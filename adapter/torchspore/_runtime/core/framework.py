"""The place that imports MindSpore. It gives the other modules the framework, its tensor class and the few private
handles that no public API replaces. A missing or unsupported MindSpore is one sentence here, not a traceback of its
internals.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeAlias

SUPPORTED = (
    (2, 10),
    (2, 11),
)  # tested with 2.10.0; earlier ones lack the rendezvous and the time-out of CPU collectives
INSTALL = 'pip install "mindspore==2.10.*" "numpy<2"'


def _load() -> Any:
    try:
        module = importlib.import_module("mindspore")
    except ModuleNotFoundError as missing:
        if missing.name != "mindspore":
            raise
        raise ImportError(f"torchspore runs on MindSpore, which is not installed; install it with: {INSTALL}") from None
    version = _version(module)
    if not SUPPORTED[0] <= version < SUPPORTED[1]:
        raise ImportError(
            f"torchspore supports MindSpore 2.10, and {module.__version__} is installed; install it with: {INSTALL}"
        )
    if int(importlib.import_module("numpy").__version__.split(".")[0]) > 1:
        raise ImportError(f"MindSpore {module.__version__} does not work with NumPy 2; install both with: {INSTALL}")
    return module


def _version(module: ModuleType) -> tuple[int, int]:
    major, minor = str(module.__version__).split(".")[:2]
    return int(major), int(minor)


preceded = sys.modules.get("mindspore") is not None  # then operations of it may have run already
mindspore = _load()
numpy: Any = importlib.import_module("numpy")
dtypes: Any = importlib.import_module("mindspore.common.dtype")
_dtype: Any = mindspore.Tensor._dtype.__get__
_itemsize: Any = mindspore.Tensor._itemsize.__get__
_executor: Any = importlib.import_module("mindspore.graph.api")._pynative_executor
_native: Any = importlib.import_module("mindspore._c_expression")
_settings: Any = _native.MSContext.get_instance()
_BLOCKING: Any = _native.ms_ctx_param.pynative_synchronize

if TYPE_CHECKING:
    Tensor: TypeAlias = Any
else:
    Tensor = mindspore.Tensor


def is_tensor(value: object) -> bool:
    return isinstance(value, mindspore.Tensor)


@contextmanager
def unrecorded() -> Iterator[None]:
    """No operation is recorded for gradients: an assignment to a view that is recorded does not reach its base."""
    before = _executor._executor.grad_flag()
    _executor._executor.set_grad_flag(False)
    try:
        yield
    finally:
        _executor._executor.set_grad_flag(before)


def dtype_name(tensor: Any) -> str:
    """The name of a tensor's dtype."""
    return str(_dtype(tensor)).lower()


def size_of(tensor: Any) -> int:
    """The bytes of an element."""
    return int(_itemsize(tensor))


def platform() -> str:
    """The device that MindSpore computes on: CPU, Ascend or GPU."""
    return str(mindspore.get_context("device_target"))


def settle() -> None:
    """Block until everything that was enqueued has run. Errors of enqueued operations are raised here; neither a
    synchronous collective nor the handle of an asynchronous one blocks or raises."""
    _executor.sync()


def run_anything() -> None:
    """Run one operator, with which MindSpore's runtime starts."""
    mindspore.ops.abs(mindspore.Tensor([0], dtypes.float32)).asnumpy()


def blocking() -> bool:
    """Whether MindSpore runs a kernel before the call returns."""
    return bool(_settings.get_param(_BLOCKING)) or blocking_for_good()


def block(mode: bool) -> None:
    """Say whether it does. The public function for this warns each time, and takes 40 µs."""
    _settings.set_param(_BLOCKING, mode)


def blocking_for_good() -> bool:
    """Whether `mindspore.runtime.launch_blocking` was called, which nothing takes back."""
    return bool(_native.RuntimeConf.get_instance().is_launch_blocking())


def is_recorded(tensor: Tensor) -> bool:
    """Whether a gradient function is being recorded and depends on this tensor."""
    return bool(_executor.requires_grad() and tensor._requires_grad)


def refuse_jit(module: str) -> None:
    """Make `jit` refuse to compile the functions of a module. Without it the compiled call silently does nothing."""
    importlib.import_module("mindspore.graph._utils.check_jit_forbidden_api").add_jit_forbidden_module(module)


def has(qualified_name: str) -> bool:
    """Whether the installed MindSpore offers a function."""
    module, _, name = qualified_name.rpartition(".")
    try:
        owner = mindspore.Tensor if module == "mindspore.Tensor" else importlib.import_module(module)
    except ImportError:
        return False
    return hasattr(owner, name)


importlib.import_module(f"{__package__}.modes")  # for whoever loads MindSpore through the adapter
