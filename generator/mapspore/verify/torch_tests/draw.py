"""What PyTorch's own tests call. In: a job that names entries. Out: a file with one JSON line per entry: the names of
the descriptions that are about it, and the calls that they make, as data. Where a description passes arguments in an
order of its own, the call that it makes is recorded in its place.
"""

from __future__ import annotations

import json
import random
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.testing._internal.common_methods_invocations import op_db
from torch.testing._internal.common_modules import module_db
from torch.testing._internal.common_optimizers import optim_db

from mapspore.cases.single.drawn import SEED
from mapspore.verify.torch_tests.state import Stater, Unstated

Call = dict[str, Any]


def work(job: dict[str, Any], rank: int) -> None:
    """Draw the calls of each entry."""
    warnings.simplefilter("ignore")
    with open(Path(job["folder"]) / f"rank{rank}.jsonl", "w", encoding="utf-8") as out:
        for case in job["cases"]:
            names, calls, unstated = _drawn(case["names"], case["sort"])
            out.write(json.dumps({"names": names, "calls": calls, "unstated": unstated}) + "\n")
            out.flush()


def _drawn(names: list[str], sort: str) -> tuple[list[str], list[Call], int]:
    find = {"function": _of_functions, "class": _of_modules, "optimizer": _of_optimizers}.get(sort)
    found: list[str] = []
    calls: list[Call] = []
    unstated = 0
    for name, made in find(names) if find else ():
        found.append(name)
        for call in made():
            if call is None:
                unstated += 1
            else:
                calls.append(call | {"of": name})
    return found, calls, unstated


def _seeded() -> None:
    torch.manual_seed(SEED)
    random.seed(SEED)
    np.random.seed(SEED)


def _of_functions(names: list[str]) -> Iterator[tuple[str, Callable[[], Iterator[Call | None]]]]:
    """Descriptions of functions and methods, by the last part of their names."""
    wanted = {name.removeprefix("torch.").removeprefix("Tensor.") for name in names}
    for info in op_db:
        if info.name in wanted or {alias.name for alias in info.aliases} & wanted:
            label = info.name + (f"/{info.variant_test_name}" if info.variant_test_name else "")
            yield label, lambda info=info: _calls_of(names[0], info)  # type: ignore[misc]


def _calls_of(name: str, info: Any) -> Iterator[Call | None]:
    if not info.dtypes:
        return  # a variant for other devices
    _seeded()
    dtype = torch.float32 if torch.float32 in info.dtypes else next(iter(sorted(info.dtypes, key=str)))
    for sample in info.sample_inputs("cpu", dtype, requires_grad=False):
        args, kwargs = _recorded(name, info.op, (sample.input, *sample.args), dict(sample.kwargs))
        stated = _stated(args, kwargs)
        yield stated and stated | {"gradient": bool(info.supports_autograd)}


def _recorded(name: str, op: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """The arguments as the entry's own function gets them, where the description has another one in front of it."""
    if getattr(op, "__name__", "") != "<lambda>":
        return args, kwargs
    owner: Any = torch
    *path, last = name.removeprefix("torch.").split(".")
    for part in path:
        owner = getattr(owner, part)
    own, seen = getattr(owner, last), []

    def record(*given: Any, **named: Any) -> Any:
        seen.append((given, named))
        return own(*given, **named)

    try:
        setattr(owner, last, record)
        op(*args, **kwargs)
    except Exception:  # a call that fails is recorded all the same
        pass
    finally:
        setattr(owner, last, own)
    return seen[0] if len(seen) == 1 else (args, kwargs)


def _of_modules(names: list[str]) -> Iterator[tuple[str, Callable[[], Iterator[Call | None]]]]:
    for info in module_db:
        if f"torch.{info.name}" in names:
            yield info.name, lambda info=info: _objects_of(info)  # type: ignore[misc]


def _objects_of(info: Any) -> Iterator[Call | None]:
    _seeded()
    for sample in info.module_inputs_func(info, "cpu", torch.float32, False, True):
        made, called = sample.constructor_input, sample.forward_input
        stater = Stater()
        parts = [_stated(each.args, each.kwargs, stater) for each in (made, called) if each is not None]
        yield {"make": parts[0], "call": parts[1]} if len(parts) == 2 and all(parts) else None


def _of_optimizers(names: list[str]) -> Iterator[tuple[str, Callable[[], Iterator[Call | None]]]]:
    for info in optim_db:
        label = info.optim_cls.__name__
        if f"torch.optim.{label}" in names:
            yield (
                label,
                lambda info=info: (  # type: ignore[misc]
                    _stated((), {key: value for key, value in each.kwargs.items()})
                    for each in info.optim_inputs_func("cpu")
                ),
            )


def _stated(args: Any, kwargs: dict[str, Any], stater: Stater | None = None) -> Call | None:
    """A call as data; None where there is no word for one of its arguments."""
    stater = stater or Stater()
    kept = {name: value for name, value in kwargs.items() if value is not torch.preserve_format}
    try:
        return {
            "args": [stater.state(each) for each in args],
            "kwargs": {name: stater.state(value) for name, value in kept.items()},
        }
    except Unstated:
        return None
