"""The base of schedules: learning rates by the number of steps. A kind of schedule says in `get_lr` what they are now;
each follows from the one before, so that schedules can be chained.
"""

from __future__ import annotations

import warnings
from typing import Any

from ..tensor.base import Tensor
from .optimizer import Optimizer


def checked(optimizer: Any) -> Any:
    """An optimiser, and nothing else."""
    if not isinstance(optimizer, Optimizer):
        raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")
    return optimizer


class LRScheduler:
    """Sets the learning rates of an optimiser, step by step."""

    _unsaved: tuple[str, ...] = ("optimizer",)

    def __init__(self, optimizer: Any, last_epoch: int = -1) -> None:
        self.optimizer = checked(optimizer)
        for number, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", group["lr"])
            elif "initial_lr" not in group:
                raise KeyError(
                    f"param 'initial_lr' is not specified in param_groups[{number}] when resuming scheduler with "
                    f"last_epoch >= 0."
                )
        self.base_lrs = [group["initial_lr"] for group in optimizer.param_groups]
        self.last_epoch = last_epoch
        self._step_count = 0
        self._is_initial = True
        self.step()
        self._is_initial = False

    @property
    def groups(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.optimizer.param_groups
        return found

    def _now(self) -> list[float]:
        return [group["lr"] for group in self.groups]

    def state_dict(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in self._unsaved}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        self.__dict__.update(state_dict)

    def get_last_lr(self) -> list[float]:
        return self._last_lr

    def get_lr(self) -> list[float]:
        raise NotImplementedError(f"{type(self).__name__} does not say what the learning rates are")

    def step(self, epoch: int | None = None) -> None:
        """Go on to the next step; to a certain one, if it is named."""
        self._step_count += 1
        if epoch is None:
            self.last_epoch += 1
            rates = self.get_lr()
        else:
            warnings.warn(
                "The epoch parameter in `scheduler.step()` was not necessary and is being deprecated.", stacklevel=2
            )
            self.last_epoch = epoch
            closed = getattr(self, "_get_closed_form_lr", None)
            rates = self.get_lr() if closed is None else closed()
        self._set(rates)

    def _set(self, rates: list[float]) -> None:
        for group, rate in zip(self.groups, rates, strict=True):
            if isinstance(group["lr"], Tensor):
                group["lr"].fill_(float(rate))
            else:
                group["lr"] = rate
        self._last_lr = self._now()


def saved_functions(functions: list[Any]) -> list[Any]:
    """What of functions a state holds: nothing of plain ones, the attributes of objects."""
    return [None if hasattr(each, "__code__") else dict(each.__dict__) for each in functions]
