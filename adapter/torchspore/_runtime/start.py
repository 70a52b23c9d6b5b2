"""Connecting the processes of a job. In: how a job was started (MindSpore's environment, the environment of another
launcher, or an address). Out: a `Job` that all ranks have joined. One rank serves the addresses, inside its own
process, so that no scheduler has to be started or ended; MindSpore's own launcher is left to do as it does.
"""

from __future__ import annotations

import atexit
import logging
import os
import socket
import time
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

from .errors import StartFailed, UnsupportedArgument
from .framework import communication, mindspore, mint, platform, real_mint
from .groups import DEFAULT_TIMEOUT, Job, ProcessGroup, become, current, drop_group, job, resolve
from .watch import check_usable
from .work import Work, linger

log = logging.getLogger("torchspore")

_BACKENDS = {"CPU": "mccl", "Ascend": "hccl", "GPU": "nccl"}
_KNOWN = {"gloo", "nccl", "mpi", "ucc", "xccl", "hccl", "mccl", "undefined"}
_SECONDS = {"CPU": "MS_CPU_COMM_OP_TIMEOUT", "Ascend": "HCCL_EXEC_TIMEOUT"}
_connected: tuple[int, int] | None = None  # rank and number of ranks; MindSpore connects once in a process


@dataclass(frozen=True)
class Place:
    """Where the ranks meet, and who this one is."""

    host: str
    port: int
    rank: int
    size: int


def start(
    backend: str | None,
    init_method: str | None,
    timeout: timedelta | None,
    size: int,
    rank: int,
) -> None:
    """Connect this process with the others of its job."""
    global _connected
    if current() is not None:
        raise ValueError("The default process group is already initialised; destroy it before initialising it again.")
    _note_backend(backend)
    limit = _set_timeout(timeout)
    if os.environ.get("MS_ROLE"):
        if _connected is None:
            communication.init()
        rank, size = communication.get_rank(), communication.get_group_size()
    else:
        place = find_place(init_method, rank, size)
        rank, size = place.rank, place.size
        if _connected is None:
            _connect(place, limit)
    if _connected not in (None, (rank, size)):
        raise StartFailed(f"MindSpore connects once in a process, and this one is already rank and size {_connected}.")
    if _connected is None:
        atexit.register(linger)
    _connected = (rank, size)
    world = ProcessGroup(communication.GlobalComm.WORLD_COMM_GROUP, range(size), rank, limit)
    become(Job(rank, world))
    meet(world, "connecting the processes").wait()


def find_place(init_method: str | None, rank: int, size: int) -> Place:
    """The meeting place that arguments and environment name."""
    url = urlsplit(init_method or "env://")
    if url.scheme == "env":
        return Place(
            _environment("MASTER_ADDR"),
            _number("MASTER_PORT") + (1 if os.environ.get("TORCHELASTIC_USE_AGENT_STORE") == "True" else 0),
            rank if rank >= 0 else _number("RANK"),
            size if size > 0 else _number("WORLD_SIZE"),
        )
    if url.scheme != "tcp":
        raise UnsupportedArgument(f"init_method {init_method!r} is not supported; use env:// or tcp://HOST:PORT.")
    asked = parse_qs(url.query)
    rank = int(asked["rank"][0]) if "rank" in asked else rank
    size = int(asked["world_size"][0]) if "world_size" in asked else size
    if url.hostname is None or url.port is None:
        raise ValueError(f"init_method {init_method!r} must name a host and a port, as in tcp://10.0.0.1:29500.")
    if rank < 0 or size < 1:
        raise ValueError("With init_method tcp://, give rank (from 0) and world_size (from 1) as well.")
    return Place(url.hostname, url.port, rank, size)


def _connect(place: Place, limit: timedelta) -> None:
    where = f"{place.host}:{place.port}"
    if not 0 <= place.rank < place.size:
        raise ValueError(f"rank must be between 0 and {place.size - 1}, but it is {place.rank}.")
    backend = _BACKENDS[platform()]
    ends = time.monotonic() + limit.total_seconds()
    try:
        store = real_mint.TCPStore(
            socket.gethostbyname(place.host),
            place.port,
            world_size=place.size,
            is_master=place.rank == 0,
            timeout=limit,
            wait_for_workers=False,
        )
    except (RuntimeError, OSError) as error:
        why = "this address can be used and the port is free" if place.rank == 0 else "rank 0 is running there"
        raise StartFailed(
            f"rank {place.rank} of {place.size} cannot meet the others at {where}; check that {why}."
        ) from error
    _await_all(store, place, ends, where)
    mindspore.communication.management._init_with_store(
        backend=backend, timeout=limit, world_size=place.size, rank=place.rank, store=store
    )


def _await_all(store: Any, place: Place, ends: float, where: str) -> None:
    """Wait here: MindSpore itself would wait for a missing rank without an end."""
    store.add("torchspore/arrived", 1)
    while (arrived := store.add("torchspore/arrived", 0)) < place.size:
        if time.monotonic() > ends:
            raise StartFailed(
                f"rank {place.rank}: {arrived} of {place.size} ranks came to {where} in time; start the others too, "
                "with the same address and number of ranks, or set a longer timeout."
            )
        time.sleep(0.02)


def meet(group: ProcessGroup, call: str) -> Work:
    """Announce that this rank is here; the work is done when all ranks of the group are."""
    check_usable(job())
    return Work(job(), group, call, mint.barrier(group=group.name, async_op=True), [], list)


def stop(group: Any) -> None:
    """Leave a group, or all of them. MindSpore keeps its connection until the process ends, and takes it up again
    if the process is started again with the same rank."""
    chosen = resolve(group)
    if chosen is None:
        return
    for each in list(job().groups.values()) if chosen is job().world else [chosen]:
        if each is not job().world:
            drop_group(each)
    if chosen is job().world:
        become(None)


def _note_backend(backend: str | None) -> None:
    names = {part.rpartition(":")[2] for part in str(backend or "undefined").lower().split(",")}
    if not names <= _KNOWN:
        raise ValueError(f"backend {backend!r} is not known; leave it out, or use one of {', '.join(sorted(_KNOWN))}.")
    if backend is not None and _BACKENDS[platform()] not in names:
        log.info("backend %r becomes MindSpore's %r on %s", backend, _BACKENDS[platform()], platform())


def _set_timeout(timeout: timedelta | None) -> timedelta:
    """Tell MindSpore how long a rank may wait for another. It reads this when it connects."""
    variable = _SECONDS.get(platform(), "")
    if timeout is None and os.environ.get(variable, "").isdigit():
        return timedelta(seconds=int(os.environ[variable]))
    limit = timeout or DEFAULT_TIMEOUT
    if not isinstance(limit, timedelta):
        raise TypeError(f"timeout must be a datetime.timedelta, but it is {type(limit).__name__}.")
    if variable:
        os.environ[variable] = str(max(1, round(limit.total_seconds())))
    return limit


def _environment(name: str) -> str:
    value = os.environ.get(name)
    if not value:
        raise ValueError(f"The environment variable {name} is not set; start the job with a launcher, or set it.")
    return value


def _number(name: str) -> int:
    value = _environment(name)
    if not value.isdigit():
        raise ValueError(f"The environment variable {name} must be a number, but it is {value!r}.")
    return int(value)
