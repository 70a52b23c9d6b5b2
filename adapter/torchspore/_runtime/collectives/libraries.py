"""MindSpore's libraries of collectives, `mint` and `comm_func`: its own modules, or on a CPU the stand-ins of `cpu`."""

from __future__ import annotations

import importlib
from typing import Any

from ..core.framework import platform

communication: Any = importlib.import_module("mindspore.communication")
real_mint: Any = importlib.import_module("mindspore.mint.distributed")
real_comm_func: Any = importlib.import_module("mindspore.communication.comm_func")


class Library:
    """A library of collectives under one name: MindSpore's own module, or on a CPU its stand-in."""

    def __init__(self, real: Any, stand_in: str) -> None:
        self._real = real
        self._stand_in = stand_in

    def __getattr__(self, name: str) -> Any:
        library = importlib.import_module(self._stand_in) if platform() == "CPU" else self._real
        function = getattr(library, name)
        setattr(self, name, function)  # looked up once: the device does not change in a process
        return function


mint = Library(real_mint, "torchspore._runtime.collectives.cpu.mint")
comm_func = Library(real_comm_func, "torchspore._runtime.collectives.cpu.comm_func")
