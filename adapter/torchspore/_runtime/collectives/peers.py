"""The other ranks as seen from this one, on a CPU: a connection to each of them beside MindSpore's own. Over it a rank
announces each collective before it begins, so that ranks can tell that they do not make the same call; and its closing
tells that a rank has ended, which MindSpore does not notice.

In: who this process is, and a way to exchange a few words at the start. Out: `Peers`, or nothing where the ranks cannot
reach each other; then a call that cannot complete ends by its time-out.
"""

from __future__ import annotations

import logging
import os
import secrets
import select
import socket
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

log = logging.getLogger("torchspore")

CONNECTING = 20.0  # seconds until the ranks do without
PIECE = 1 << 16
_LEAVES, _FAILED = "leaves", "failed"
Exchange = Callable[[Any], list[Any]]
"""Gives what every rank of the job has given."""


class Peers:
    """The connections of one rank. Words arrive in order, a line each; whoever waits for some takes in what has come,
    and the watcher does so while MindSpore waits."""

    def __init__(self, sockets: dict[int, socket.socket]) -> None:
        self._sockets = sockets
        self._begun = dict.fromkeys(sockets, b"")
        self._lock = threading.Lock()
        self._own: dict[str, tuple[str, set[int]]] = {}  # announced here: the words, and who has not announced it yet
        self._early: dict[tuple[int, str], str] = {}  # announced there, and not yet here
        self.ended: dict[int, float] = {}
        """Ranks that have ended, and when that was seen."""
        self.left: set[int] = set()
        """Ranks that take part no more."""
        self.different: tuple[str, int, str] | None = None
        """The words of this rank, and a rank that announced the same call in other words."""
        self.failed: str | None = None
        """What another rank has found wrong."""

    def announce(self, call: str, words: str, ranks: Sequence[int]) -> None:
        """Tell other ranks of a group which call is made, and expect the same words from them."""
        with self._lock:
            self._own[call] = (words, set(ranks))
            for rank in ranks:
                if (theirs := self._early.pop((rank, call), None)) is not None:
                    self._compare(rank, call, theirs)
        self._send(ranks, f"{call}\t{words}\n".encode())

    def missing(self, call: str, ranks: Sequence[int]) -> set[int]:
        """Those of some ranks that have not announced a call that was announced here."""
        own = self._own.get(call)
        return own[1].intersection(ranks) if own else set()

    def fail(self, sentence: str) -> None:
        """Tell all other ranks what is wrong."""
        self._send(list(self._sockets), f"{_FAILED}\t{' '.join(sentence.split())}\n".encode())

    def leave(self) -> None:
        """Say that this rank takes part no more, and close."""
        self._send(list(self._sockets), f"{_LEAVES}\t\n".encode())
        with self._lock:
            for rank in list(self._sockets):
                self._sockets.pop(rank).close()

    def take_in(self, seconds: float = 0.0) -> None:
        """Read what has arrived; with a time, wait at most so long for something to arrive."""
        with self._lock:
            by_number = {each.fileno(): rank for rank, each in self._sockets.items()}
        poll = select.poll()
        for number in by_number:
            poll.register(number, select.POLLIN)
        for number, _ in poll.poll(seconds * 1000):
            with self._lock:
                self._read(by_number[number])

    def _read(self, rank: int) -> None:
        if rank not in self._sockets:  # another thread was first
            return
        try:
            piece = self._sockets[rank].recvmsg(PIECE, 0, socket.MSG_DONTWAIT)[0]
        except BlockingIOError:
            return
        except OSError:
            piece = b""
        if not piece:
            self._sockets.pop(rank).close()
            if rank not in self.left:
                self.ended[rank] = time.monotonic()
            return
        *lines, self._begun[rank] = (self._begun[rank] + piece).split(b"\n")
        for line in lines:
            call, _, words = line.decode().partition("\t")
            if call == _FAILED:
                self.failed = words
            elif call == _LEAVES:
                self.left.add(rank)
            elif call in self._own:
                self._compare(rank, call, words)
            else:
                self._early[rank, call] = words

    def _compare(self, rank: int, call: str, theirs: str) -> None:
        words, missing = self._own[call]
        missing.discard(rank)
        if not missing:
            del self._own[call]
        if theirs != words and self.different is None:
            self.different = (words, rank, theirs)

    def _send(self, ranks: Sequence[int], line: bytes) -> None:
        for rank in ranks:
            each = self._sockets.get(rank)
            if each is not None:
                with suppress(OSError):  # that it has ended is seen where it is read
                    each.sendall(line)


def connect(rank: int, size: int, exchange: Exchange) -> Peers | None:
    """A connection between each two ranks; all of them or none."""
    if size == 1:
        return None
    with socket.socket() as server:
        here = _address()
        server.bind((here if here.startswith("127.") else "", 0))
        server.listen(size)
        places = exchange((here, server.getsockname()[1], secrets.token_hex(16)))
        sockets = _meet(rank, places, server)
    if not all(exchange(len(sockets) == size - 1)):
        for each in sockets.values():
            each.close()
        if rank == 0:
            log.warning("torchspore: the ranks cannot reach each other; one that ends is noticed by the time-out only.")
        return None
    return Peers(sockets)


def _meet(rank: int, places: Sequence[tuple[str, int, str]], server: socket.socket) -> dict[int, socket.socket]:
    """Connect with the ranks below, and let those above do so; who knows this rank's secret is one of them."""
    ends = time.monotonic() + CONNECTING
    found: dict[int, socket.socket] = {}
    with suppress(OSError):
        for other, (host, port, secret) in enumerate(places[:rank]):
            found[other] = socket.create_connection((host, port), timeout=CONNECTING)
            found[other].sendall(f"{secret}{rank:08d}".encode())
        while len(found) < len(places) - 1:
            server.settimeout(max(0.01, ends - time.monotonic()))
            came, _ = server.accept()
            came.settimeout(max(0.01, ends - time.monotonic()))
            said = came.recvmsg(40, 0, socket.MSG_WAITALL)[0].decode(errors="replace")
            if said[:32] == places[rank][2] and said[32:].isdigit():
                found[int(said[32:])] = came
            else:
                came.close()
    for each in found.values():
        each.setblocking(True)
        each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return found


def _address() -> str:
    """The address under which others reach this machine: that of the way to where the ranks have met."""
    master = os.environ.get("MASTER_ADDR") or os.environ.get("MS_SCHED_HOST") or "127.0.0.1"
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way, suppress(OSError):
        way.connect((master, 9))  # nothing is sent
        return str(way.getsockname()[0])
    return "127.0.0.1"
