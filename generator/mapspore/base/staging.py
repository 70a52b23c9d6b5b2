"""Put files in place, whole or not at all. In: destinations. Out: paths to write to, which `place` renames.

A file is staged in a folder of its own beside its destination, which a lock keeps while the process lives. What an
ended process left behind is therefore known by its free lock, and `sweep` removes it; so does whoever stages beside it.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import signal
import stat
import tempfile
import threading
from collections import deque
from collections.abc import Iterator
from types import FrameType, TracebackType

from mapspore.base.interruption import raise_dropped

PREFIX = ".mapspore-staging-"
_FOLDER = re.compile(re.escape(PREFIX) + r"\w+")
_FILE = re.compile(r"\d+")


class Terminated(KeyboardInterrupt):
    """The process was asked to end while files were on their way."""


class Staging:
    """Files on their way to their destinations. Leaving it removes what was not put in place."""

    def __init__(self) -> None:
        self._folders: dict[str, tuple[str, int]] = {}
        """By the folder of destinations: the one to stage in, and its handle, which bears the lock."""
        self._waiting: deque[tuple[str, str]] = deque()
        self.placed = 0

    def __enter__(self) -> Staging:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        with uninterrupted():
            for staged, _ in self._waiting:
                with contextlib.suppress(OSError):
                    os.unlink(staged)
            for folder, handle in self._folders.values():
                with contextlib.suppress(OSError):
                    os.rmdir(folder)
                os.close(handle)
            self._waiting.clear()
            self._folders.clear()

    def path_for(self, destination: str | os.PathLike[str]) -> str:
        """Where to write what is to stand at the destination."""
        beside, name = os.path.split(os.path.abspath(destination))
        if beside not in self._folders:
            with uninterrupted():
                self._folders[beside] = _locked_folder(beside)
        staged = os.path.join(self._folders[beside][0], str(len(self._waiting)))
        self._waiting.append((staged, os.path.join(beside, name)))
        return staged

    def write(self, destination: str | os.PathLike[str], content: bytes, mode: int = 0o644) -> str:
        """Stage a file with this content."""
        staged = self.path_for(destination)
        with open(staged, "wb") as stream:
            stream.write(content)
            os.fchmod(stream.fileno(), mode)
        return staged

    def place(self) -> None:
        """Rename all that is staged, in the order in which it came."""
        raise_dropped()
        with uninterrupted():
            while self._waiting:
                os.replace(*self._waiting[0])
                self._waiting.popleft()
                self.placed += 1


def replace_file(destination: str | os.PathLike[str], content: bytes, mode: int = 0o644) -> None:
    """One file, whole or not at all; a folder that is missing is made."""
    os.makedirs(os.path.dirname(os.path.abspath(destination)), exist_ok=True)
    with Staging() as staging:
        staging.write(destination, content, mode)
        staging.place()


def sweep(folder: str | os.PathLike[str]) -> None:
    """Remove what ended processes have staged in a folder and not put in place."""
    try:
        with os.scandir(folder) as listed:
            left = [entry.path for entry in listed if _FOLDER.fullmatch(entry.name)]
    except OSError:
        return
    for path in left:
        with contextlib.suppress(OSError):
            _remove(path)


def _remove(path: str) -> None:
    """A folder to stage in, unless a process still holds it; never a file that we would not have put there."""
    handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        for name in os.listdir(handle):
            if _FILE.fullmatch(name) and stat.S_ISREG(os.stat(name, dir_fd=handle, follow_symlinks=False).st_mode):
                os.unlink(name, dir_fd=handle)
        os.rmdir(path)
    finally:
        os.close(handle)


def _locked_folder(beside: str) -> tuple[str, int]:
    """A fresh folder with a lock on it. Another process may sweep it away before it is locked: then another one."""
    sweep(beside)
    while True:
        folder = tempfile.mkdtemp(prefix=PREFIX, dir=beside)
        with contextlib.suppress(FileNotFoundError):
            handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            with contextlib.suppress(OSError):  # a file system without locks: nobody sweeps there either
                fcntl.flock(handle, fcntl.LOCK_SH)
            if os.path.isdir(folder):
                return folder, handle
            os.close(handle)


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """Holds back signals for the moment of renaming."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextlib.contextmanager
def told_of_the_end() -> Iterator[None]:
    """Lets the usual signals that end a process raise `Terminated`, so that what is open is left in order."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    owner = os.getpid()

    def end(number: int, frame: FrameType | None) -> None:
        if os.getpid() != owner:  # a forked worker ends as it always did
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
            return
        raise Terminated(number)

    ending = [number for number in (signal.SIGTERM, signal.SIGHUP) if signal.getsignal(number) is signal.SIG_DFL]
    for number in ending:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number in ending:
            signal.signal(number, signal.SIG_DFL)
