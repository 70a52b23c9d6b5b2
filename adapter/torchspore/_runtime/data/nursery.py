"""The process that workers are made of, and what a worker does. In: sockets, one per worker, sent over the first one.
Out: workers, each a copy of this process. It has imported modules at most and never computed, so a copy of it is sound;
one of a process that has computed with MindSpore hangs at the next computation.

A worker ends when its socket is closed, whatever it is doing, and so does this process: nothing outlives the program.
"""

from __future__ import annotations

import importlib
import os
import queue
import random
import signal
import socket
import struct
import sys
import threading
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from ..random.generator import manual_seed
from . import collating, parcels
from .fetching import Fetcher, Source, WorkerInfo, become_worker
from .lines import Line

FORK, IMPORT, WAIT = b"f", b"i", b"w"
NUMBER = struct.Struct("=q")
PRELOADED = "mindspore"
Tasks: TypeAlias = "queue.SimpleQueue[list[bytearray]]"


class WorkerTask(NamedTuple):
    """What a worker has to know before its work can be unpacked, and its work."""

    worker: int
    workers: int
    base_seed: int
    directory: str
    environment: dict[str, str]
    path: list[str]
    arguments: list[str]
    before: tuple[str, ...]
    work: bytes


def serve(descriptor: int) -> None:
    """Make workers until the program ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who is interrupted closes the sockets
    control = socket.socket(fileno=descriptor)
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, 1, 1)
        if not message:
            os._exit(0)
        if message == FORK:
            child = os.fork()
            if not child:
                control.close()
                work(descriptors[0])
            os.close(descriptors[0])
            control.sendall(NUMBER.pack(child))
        elif message == IMPORT:
            importlib.import_module(PRELOADED)
        else:
            (child,) = NUMBER.unpack(_received(control, NUMBER.size))
            control.sendall(NUMBER.pack(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])))


def _received(control: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size and (more := control.recv(size - len(data))):
        data += more
    return data


def work(descriptor: int) -> None:
    """What a worker does, until its socket is closed."""
    try:
        line = Line(socket.socket(fileno=descriptor))
        job = WorkerTask(*parcels.unpacked(line.receive()))
        tasks: Tasks = queue.SimpleQueue()
        threading.Thread(target=_receive, args=(line, tasks), daemon=True).start()
        _load(line, tasks, job)
    except (EOFError, OSError):
        pass  # nobody is there any more
    except BaseException as error:
        sys.excepthook(type(error), error, error.__traceback__)
        _leave(1)
    _leave(0)


def _receive(line: Line, tasks: Tasks) -> None:
    """Take tasks off the socket at once, so that who sends them never waits; end the worker with the socket."""
    try:
        while True:
            tasks.put(line.receive())
    except (EOFError, OSError):
        _leave(0)


def _leave(code: int) -> None:
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            continue
    os._exit(code)


def _load(line: Line, tasks: Tasks, job: WorkerTask) -> None:
    """Answer every task with a batch, an error or the end of the dataset."""
    broken: BaseException | None = None
    fetcher: Fetcher | None = None
    source: Source | None = None
    try:
        source = _prepared(job)
        fetcher = Fetcher(source)
    except Exception as error:
        broken = error
    while True:
        task = parcels.unpacked(tasks.get())
        if task is None:  # another round over the dataset
            if source is not None and broken is None:
                fetcher = Fetcher(source)
            line.send(_packed(None, None))
            continue
        number, index = task
        try:
            if broken is not None:
                raise broken
            assert fetcher is not None
            answer = _packed(number, fetcher.fetch(index))
        except StopIteration as end:
            finished = source is not None and not source.has_numbers
            answer = _packed(number, Ended() if finished else parcels.failure(job.worker, end))
        except Exception as error:
            answer = _packed_failure(number, parcels.failure(job.worker, error))
        line.send(answer)


class Ended:
    """Told instead of a batch: this worker's copy of the dataset has come to its end."""


def _packed(number: int | None, answer: Any) -> list[Any]:
    """An answer, the task that it belongs to, and whether this worker has needed MindSpore."""
    return parcels.packed((number, answer, PRELOADED in sys.modules))


def _packed_failure(number: int, failure: parcels.Failure) -> list[Any]:
    try:
        return _packed(number, failure)
    except Exception:  # the type of the error cannot be sent
        return _packed(number, failure._replace(kind=RuntimeError))


def _prepared(job: WorkerTask) -> Source:
    """The work, after everything around it is as in the program, and all random numbers are seeded."""
    os.environ.clear()
    os.environ.update(job.environment)
    os.chdir(job.directory)
    sys.path[:], sys.argv[:] = job.path, job.arguments
    seed = job.base_seed + job.worker
    random.seed(seed)
    manual_seed(seed)
    words = [job.worker, job.base_seed % 2**32, job.base_seed >> 32, 0]
    np.random.seed(np.random.SeedSequence(words).generate_state(4))
    for name in job.before:
        module, _, function = name.partition(":")
        getattr(importlib.import_module(module), function)()
    source, begin = parcels.unpacked_work(job.work)
    become_worker(WorkerInfo(job.worker, job.workers, seed, source.dataset))
    if begin is not None:
        begin(job.worker)
    return Source(source.dataset, source.batches, _sending(source.collate), source.drop_last)


def _sending(collate: Any) -> Any:
    """The default ways to put samples together make tensors; here they leave that to who gets the batch."""
    if collate is collating.default_collate:
        return lambda batch: collating.collated(batch, parcels.Parcel)
    if collate is collating.default_convert:
        return lambda data: collating.converted(data, parcels.Parcel)
    return collate
