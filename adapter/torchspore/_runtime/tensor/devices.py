"""Devices as torch programs name them. MindSpore has one platform per process, so a device is a name and a number that
either is where everything is, or is refused.
"""

from __future__ import annotations

from typing import Any

from ..core.errors import UnknownDevice
from ..core.framework import platform

TYPES = {"CPU": "cpu", "Ascend": "npu", "GPU": "cuda"}
KNOWN = ("cpu", "cuda", "npu", "mps", "xpu", "meta")


class device:
    """A place for tensors: its type and, where there are several, its number."""

    type: str
    index: int | None

    def __init__(self, type: Any = None, index: int | None = None) -> None:
        if isinstance(type, device):
            type, index = type.type, type.index
        if isinstance(type, int):
            type, index = here().type, type
        kind, colon, number = str(type).partition(":")
        if kind not in KNOWN or (colon and not number.isdigit()):
            raise UnknownDevice(f"{type!r} names no device; the types are {', '.join(KNOWN)}.")
        self.type = kind
        self.index = int(number) if colon else index

    def __repr__(self) -> str:
        number = "" if self.index is None else f", index={self.index}"
        return f"device(type={self.type!r}{number})"

    def __str__(self) -> str:
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, device) and (self.type, self.index) == (other.type, other.index)

    def __hash__(self) -> int:
        return hash((self.type, self.index))

    def __reduce__(self) -> Any:
        return device, (self.type, self.index)

    def __enter__(self) -> device:
        check(self)
        return self

    def __exit__(self, *raised: object) -> None:
        return None


def here() -> device:
    """The device that MindSpore computes on."""
    if platform() == "CPU":
        return _CPU
    return device(TYPES[platform()], 0)


def check(asked: Any) -> None:
    """Refuse a device that MindSpore does not compute on; None stands for the one that it does."""
    if asked is None or (asked is _CPU and platform() == "CPU"):
        return
    named = device(asked)
    if named.type != here().type:
        raise UnknownDevice(f"MindSpore computes on {here()} in this process, so that {named} has no place.")


_CPU = device("cpu")
