"""The line between the program and a worker: messages over a socket. In: the parts of a message. Out: the same parts at
the other end, each in memory of its own that may be written, so that arrays need not be copied again.
"""

from __future__ import annotations

import socket
import struct
from collections.abc import Sequence
from typing import Any

_COUNT = struct.Struct("=Q")


class Line:
    """One end of a line. When the other end is closed, receiving is an EOFError and sending an OSError."""

    def __init__(self, end: socket.socket) -> None:
        self._socket = end

    def fileno(self) -> int:
        return self._socket.fileno()

    def send(self, parts: Sequence[Any]) -> None:
        views = [memoryview(part).cast("B") for part in parts]
        self._socket.sendall(b"".join(map(_COUNT.pack, (len(views), *map(len, views)))))
        for view in views:
            self._socket.sendall(view)

    def receive(self) -> list[bytearray]:
        count = self._number()
        lengths = [self._number() for _ in range(count)]
        return [self._exactly(length) for length in lengths]

    def close(self) -> None:
        self._socket.close()

    def _number(self) -> int:
        (number,) = _COUNT.unpack(self._exactly(_COUNT.size))
        return int(number)

    def _exactly(self, count: int) -> bytearray:
        data = bytearray(count)
        view = memoryview(data)
        while view:
            got = self._socket.recv_into(view)
            if not got:
                raise EOFError
            view = view[got:]
        return data
