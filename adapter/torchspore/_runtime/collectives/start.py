"""Connecting the processes of a job. In: how a job was started (MindSpore's environment, the environment of another
launcher, or an address). Out: a `Job` that all ranks have joined. One rank serves the addresses, inside its own
process, so that no scheduler has to be started or ended; MindSpore's own launcher is left to do as it does.
"""

from __future__ import annotations

import atexit
import os
import re
import socket
import sys
import time
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

from ..core.errors import NotPossible, StartFailed, UnsupportedArgument
from ..core.framework import mindspore, platform
from ..core.interrupts import keep_handlers
from ..core.modes import enqueueing
from .backends import accept_backend, backend_here, note_backend
from .group_factory import drop_group
from .groups import DEFAULT_TIMEOUT, Group, Job, ProcessGroup, become, current, job, resolve
from .libraries import communication, mint, real_mint
from .peers import connect
from .watch import check_usable
from .work import Work, linger

_SECONDS = {"CPU": "MS_CPU_COMM_OP_TIMEOUT", "Ascend": "HCCL_EXEC_TIMEOUT"}
LAST_PORT = 65535
_DIGITS = re.compile("[0-9]{1,18}")
_connected: tuple[int, int] | None = None  # rank and number of ranks; MindSpore connects once in a process


@dataclass(frozen=True)
class Place:
    """Where the ranks meet, and who this one is."""

    host: str
    port: int
    rank: int
    size: int
    store: Any = None  # where they have met already


def start(
    backend: str | None,
    init_method: str | None,
    timeout: timedelta | None,
    size: int,
    rank: int,
    store: Any,
    name: str,
    options: Any,
    device: Any,
) -> None:
    """Connect this process with the others of its job. The name of the group has no meaning any more, and is taken."""
    global _connected
    if current() is not None:
        raise ValueError("The default process group is already initialised; destroy it before initialising it again.")
    accept_backend(backend)
    _check_extras(init_method, store, options, device)
    limit = _set_timeout(timeout)
    if os.environ.get("MS_ROLE"):
        if _connected is None:
            communication.init()
        rank, size = communication.get_rank(), communication.get_group_size()
    else:
        place = find_place(init_method, rank, size, store)
        rank, size = place.rank, place.size
        if _connected is None:
            _connect(place, limit)
    if _connected not in (None, (rank, size)):
        raise StartFailed(f"MindSpore connects once in a process, and this one is already rank and size {_connected}.")
    keep_handlers()
    if rank == 0:  # once for all ranks
        note_backend(backend)
    if _connected is None:
        atexit.register(linger)
    _connected = (rank, size)
    world = ProcessGroup(communication.GlobalComm.WORLD_COMM_GROUP, range(size), rank, limit, "default_pg")
    become(Job(rank, world))
    meet(world, "connecting the processes").wait()
    if platform() == "CPU":
        job().peers = connect(rank, size, _from_all)


def is_started() -> bool:
    """Whether this process is connected with the others."""
    return current() is not None


def find_place(init_method: str | None, rank: int, size: int, store: Any = None) -> Place:
    """The meeting place that arguments and environment name."""
    if store is not None:
        if rank < 0 or size < 1:
            raise ValueError("With a store, give rank (from 0) and world_size (from 1) as well.")
        return Place("", 0, rank, size, store)
    url = urlsplit(init_method or "env://")
    if url.scheme == "env":
        beside = os.environ.get("TORCHELASTIC_USE_AGENT_STORE") == "True"  # the port itself is torchrun's
        return Place(
            _environment("MASTER_ADDR"),
            _number("MASTER_PORT", 1, LAST_PORT) + beside,
            rank if rank >= 0 else _number("RANK", 0),
            size if size > 0 else _number("WORLD_SIZE", 1),
        )
    if url.scheme != "tcp":
        raise UnsupportedArgument(f"init_method {init_method!r} is not supported; use env:// or tcp://HOST:PORT.")
    asked = parse_qs(url.query)
    rank = _whole(asked["rank"][0], "rank in init_method", 0) if "rank" in asked else rank
    size = _whole(asked["world_size"][0], "world_size in init_method", 1) if "world_size" in asked else size
    if url.hostname is None or url.port is None:
        raise ValueError(f"init_method {init_method!r} must name a host and a port, as in tcp://10.0.0.1:29500.")
    if rank < 0 or size < 1:
        raise ValueError("With init_method tcp://, give rank (from 0) and world_size (from 1) as well.")
    return Place(url.hostname, url.port, rank, size)


def _connect(place: Place, limit: timedelta) -> None:
    if not 0 <= place.rank < place.size:
        raise ValueError(f"rank must be between 0 and {place.size - 1}, but it is {place.rank}.")
    ends = time.monotonic() + limit.total_seconds()
    store = _open(place, limit) if place.store is None else place.store
    _await_all(store, place, ends)
    mindspore.communication.management._init_with_store(
        backend=backend_here(), timeout=limit, world_size=place.size, rank=place.rank, store=store
    )


def _open(place: Place, limit: timedelta) -> Any:
    try:
        return real_mint.TCPStore(
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
            f"rank {place.rank} of {place.size} cannot meet the others at {place.host}:{place.port}; check that {why}."
        ) from error


def _await_all(store: Any, place: Place, ends: float) -> None:
    """Wait here: MindSpore itself would wait for a missing rank without an end."""
    where = f"{place.host}:{place.port}" if place.store is None else "the store"
    store.add("torchspore/arrived", 1)
    while (arrived := store.add("torchspore/arrived", 0)) < place.size:
        if time.monotonic() > ends:
            raise StartFailed(
                f"rank {place.rank}: {arrived} of {place.size} ranks came to {where} in time; start the others too, "
                "with the same address and number of ranks, or set a longer timeout."
            )
        time.sleep(0.02)


def _from_all(value: Any) -> list[Any]:
    """What every rank of the job has given, on a CPU."""
    from .cpu.wire import from_all

    with enqueueing():
        return from_all(value, job().world.name)


def meet(group: ProcessGroup, call: str) -> Work:
    """Announce that this rank is here; the work is done when all ranks of the group are."""
    check_usable(job())
    with enqueueing():
        return Work(job(), group, call, mint.barrier(group=group.name, async_op=True), [], list)


def stop(group: Group) -> None:
    """Leave a group, or all of them. MindSpore keeps its connection until the process ends, and takes it up again
    if the process is started again with the same rank."""
    if group is None and current() is None:
        raise NotPossible("There is no group to leave: the processes are not connected.")
    chosen = resolve(group)
    if chosen is None:
        return
    for each in list(job().groups.values()) if chosen is job().world else [chosen]:
        if each is not job().world:
            drop_group(each)
    if chosen is job().world:
        peers = job().peers
        if peers is not None:
            peers.leave()
        become(None)


def _check_extras(init_method: str | None, store: Any, options: Any, device: Any) -> None:
    """Refuse what MindSpore has no use for, rather than ignore it."""
    if store is not None and init_method is not None:
        raise NotPossible("Give init_method or store, not both.")
    if store is not None and not isinstance(store, real_mint.TCPStore):
        raise UnsupportedArgument(
            f"store must be a mindspore.mint.distributed.TCPStore, but it is a {type(store).__name__}; "
            "use init_method instead."
        )
    if options is not None:
        raise UnsupportedArgument("The group of all ranks has no options in MindSpore; leave them out.")
    if device is not None:
        raise UnsupportedArgument(
            "MindSpore takes no device here; choose it with mindspore.set_device() before anything else."
        )


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


def _number(name: str, least: int, most: int = sys.maxsize) -> int:
    return _whole(_environment(name), f"The environment variable {name}", least, most)


def _whole(value: str, what: str, least: int, most: int = sys.maxsize) -> int:
    """A number that is written in digits, within limits."""
    if not _DIGITS.fullmatch(value) or not least <= int(value) <= most:
        limits = f"from {least} on" if most == sys.maxsize else f"between {least} and {most}"
        raise ValueError(f"{what} must be a whole number {limits}, but it is {value!r}.")
    return int(value)
