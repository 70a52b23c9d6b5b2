"""Which library carries the messages. In: a backend as a caller names it, which may be another framework's. Out: the
one that MindSpore uses on this device (`mccl` on a CPU, `hccl` on Ascend), or a sentence about a name that nobody
knows.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from typing import Any, NoReturn

from ..core.errors import NoCounterpart, UnknownDevice
from ..core.framework import platform
from .groups import Group, resolve

log = logging.getLogger("torchspore")

_OF_PLATFORM = {"CPU": "mccl", "Ascend": "hccl", "GPU": "nccl"}
_OF_DEVICE = {"cpu": "mccl", "ascend": "hccl", "npu": "hccl", "gpu": "nccl", "cuda": "nccl"}


class Backend(str):
    """The names of backends. Made from a text in any case, it is the lower-case name."""

    UNDEFINED = "undefined"
    GLOO = "gloo"
    NCCL = "nccl"
    UCC = "ucc"
    MPI = "mpi"
    XCCL = "xccl"
    HCCL = "hccl"
    MCCL = "mccl"

    backend_list = (UNDEFINED, GLOO, NCCL, UCC, MPI, XCCL, HCCL, MCCL)
    default_device_backend_map = _OF_DEVICE

    def __new__(cls, name: str) -> str:  # type: ignore[misc]
        if not isinstance(name, str):
            raise ValueError(f"The name of a backend must be a text, but it is {name!r}.")
        return name.lower()

    @classmethod
    def register_backend(
        cls, name: str, func: Callable[..., Any], extended_api: bool = False, devices: Any = None
    ) -> NoReturn:
        raise NoCounterpart(
            f"The backend {name!r} cannot be registered: MindSpore chooses its own by device; leave the registration "
            "out."
        )


def backend_here() -> str:
    """The backend that MindSpore uses on this device."""
    return _OF_PLATFORM[platform()]


def accept_backend(backend: Any) -> None:
    """Take a backend as a caller names it, alone or by device (`cpu:gloo,cuda:nccl`)."""
    names = _names(backend)
    if not set(names) <= set(Backend.backend_list):
        known = ", ".join(sorted(Backend.backend_list))
        raise ValueError(f"backend {backend!r} is not known; leave it out, or use one of {known}.")


def note_backend(backend: Any) -> None:
    """Tell what a backend becomes that is not MindSpore's."""
    if backend and backend_here() not in _names(backend):
        log.warning("torchspore: backend %r becomes MindSpore's %r on %s.", str(backend), backend_here(), platform())


def _names(backend: Any) -> list[str]:
    return [part.rpartition(":")[2] for part in str(backend).lower().split(",")] if backend else []


def backend_name(group: Group) -> str:
    """The backend of a group that this process is in."""
    if resolve(group) is None:
        raise ValueError("This process is not in the group, so the group has no backend here.")
    return backend_here()


def backend_known(backend: str) -> bool:
    """Whether messages can go over a backend here: only over the one that MindSpore uses on this device."""
    return all(part.rpartition(":")[2] == backend_here() for part in backend.lower().split(","))


def not_built() -> bool:
    """Whether a library of the other framework is there: none is."""
    return False


def default_backend(device: Any) -> str:
    """The backend that MindSpore uses on a device, given by name or as an object with a type."""
    name = str(getattr(device, "type", device)).partition(":")[0].lower()
    if name not in _OF_DEVICE:
        raise UnknownDevice(f"MindSpore has no backend for the device {device!r}; there are {', '.join(_OF_DEVICE)}.")
    return _OF_DEVICE[name]


def is_elastic() -> bool:
    """Whether an elastic launcher of the other framework has started this process."""
    return "TORCHELASTIC_RUN_ID" in os.environ
