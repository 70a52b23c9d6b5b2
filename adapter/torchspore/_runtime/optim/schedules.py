"""Schedules that need only the number of the step and the rates of the step before."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable
from math import cos, pi
from typing import Any

from .scheduler import LRScheduler, saved_functions


class StepLR(LRScheduler):
    """Less by a factor after every so many steps."""

    def __init__(self, optimizer: Any, step_size: int, gamma: float = 0.1, last_epoch: int = -1) -> None:
        self.step_size = step_size
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        if self.last_epoch == 0 or self.last_epoch % self.step_size:
            return self._now()
        return [rate * self.gamma for rate in self._now()]

    def _get_closed_form_lr(self) -> list[float]:
        return [base * self.gamma ** (self.last_epoch // self.step_size) for base in self.base_lrs]


class MultiStepLR(LRScheduler):
    """Less by a factor at certain steps."""

    def __init__(self, optimizer: Any, milestones: Any, gamma: float = 0.1, last_epoch: int = -1) -> None:
        self.milestones = Counter(milestones)
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        if self.last_epoch not in self.milestones:
            return self._now()
        return [rate * self.gamma ** self.milestones[self.last_epoch] for rate in self._now()]

    def _get_closed_form_lr(self) -> list[float]:
        passed = bisect_right(sorted(self.milestones.elements()), self.last_epoch)
        return [base * self.gamma**passed for base in self.base_lrs]


class ConstantLR(LRScheduler):
    """Less by a factor for the first steps."""

    def __init__(self, optimizer: Any, factor: float = 1.0 / 3, total_iters: int = 5, last_epoch: int = -1) -> None:
        if factor > 1.0 or factor < 0:
            raise ValueError("Constant multiplicative factor expected to be between 0 and 1.")
        self.factor = factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        if self.last_epoch == 0:
            return [rate * self.factor for rate in self._now()]
        if self.last_epoch != self.total_iters:
            return self._now()
        return [rate * (1.0 / self.factor) for rate in self._now()]

    def _get_closed_form_lr(self) -> list[float]:
        late = self.last_epoch >= self.total_iters
        return [base * (self.factor + late * (1 - self.factor)) for base in self.base_lrs]


class LinearLR(LRScheduler):
    """From one factor to another in equal steps."""

    def __init__(
        self, optimizer: Any, start_factor: float = 1.0 / 3, end_factor: float = 1.0, total_iters: int = 5,
        last_epoch: int = -1,
    ) -> None:  # fmt: skip
        if start_factor > 1.0 or start_factor <= 0:
            raise ValueError("Starting multiplicative factor expected to be greater than 0 and less or equal to 1.")
        if end_factor > 1.0 or end_factor < 0:
            raise ValueError("Ending multiplicative factor expected to be between 0 and 1.")
        self.start_factor = start_factor
        self.end_factor = end_factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        if self.last_epoch == 0:
            return [rate * self.start_factor for rate in self._now()]
        if self._is_initial or self.last_epoch > self.total_iters:
            return self._now()
        rise = self.end_factor - self.start_factor
        past = self.total_iters * self.start_factor + (self.last_epoch - 1) * rise
        return [rate * (1.0 + rise / past) for rate in self._now()]

    def _get_closed_form_lr(self) -> list[float]:
        passed = min(self.total_iters, self.last_epoch) / self.total_iters
        return [base * (self.start_factor + (self.end_factor - self.start_factor) * passed) for base in self.base_lrs]


class ExponentialLR(LRScheduler):
    """Less by a factor after every step."""

    def __init__(self, optimizer: Any, gamma: float, last_epoch: int = -1) -> None:
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        return self._now() if self._is_initial else [rate * self.gamma for rate in self._now()]

    def _get_closed_form_lr(self) -> list[float]:
        return [base * self.gamma**self.last_epoch for base in self.base_lrs]


class PolynomialLR(LRScheduler):
    """To nought along a power of the steps that are left."""

    def __init__(self, optimizer: Any, total_iters: int = 5, power: float = 1.0, last_epoch: int = -1) -> None:
        self.total_iters = total_iters
        self.power = power
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        if self._is_initial or self.last_epoch > self.total_iters:
            return self._now()
        left = 1.0 - self.last_epoch / self.total_iters
        before = 1.0 - (self.last_epoch - 1) / self.total_iters
        return [rate * (left / before) ** self.power for rate in self._now()]

    def _get_closed_form_lr(self) -> list[float]:
        passed = min(self.total_iters, self.last_epoch) / self.total_iters
        return [base * (1.0 - passed) ** self.power for base in self.base_lrs]


class CosineAnnealingLR(LRScheduler):
    """Down to a least rate and up again along a cosine."""

    def __init__(self, optimizer: Any, T_max: int, eta_min: float = 0.0, last_epoch: int = -1) -> None:
        self.T_max = T_max
        self.eta_min = eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        if self._is_initial:
            return self._now()
        if self._step_count == 1 and self.last_epoch > 0:
            return [
                self.eta_min + (base - self.eta_min) * (1 + cos(self.last_epoch * pi / self.T_max)) / 2
                for base in self.base_lrs
            ]
        if (self.last_epoch - 1 - self.T_max) % (2 * self.T_max) == 0:
            return [
                rate + (base - self.eta_min) * (1 - cos(pi / self.T_max)) / 2
                for base, rate in zip(self.base_lrs, self._now(), strict=True)
            ]
        now, before = (1 + cos(pi * each / self.T_max) for each in (self.last_epoch, self.last_epoch - 1))
        return [now / before * (rate - self.eta_min) + self.eta_min for rate in self._now()]

    def _get_closed_form_lr(self) -> list[float]:
        return [
            self.eta_min + (base - self.eta_min) * (1 + cos(pi * self.last_epoch / self.T_max)) / 2
            for base in self.base_lrs
        ]


class LambdaLR(LRScheduler):
    """The first rates times a function of the step."""

    _unsaved = ("optimizer", "lr_lambdas")

    def __init__(self, optimizer: Any, lr_lambda: Any, last_epoch: int = -1) -> None:
        self.lr_lambdas = _per_group(optimizer, lr_lambda)
        super().__init__(optimizer, last_epoch)

    def state_dict(self) -> dict[str, Any]:
        return super().state_dict() | {"lr_lambdas": saved_functions(self.lr_lambdas)}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        given = dict(state_dict)
        for function, state in zip(self.lr_lambdas, given.pop("lr_lambdas", ()), strict=False):
            if state is not None:
                function.__dict__.update(state)
        super().load_state_dict(given)

    def get_lr(self) -> list[float]:
        return [base * rule(self.last_epoch) for rule, base in zip(self.lr_lambdas, self.base_lrs, strict=True)]


class MultiplicativeLR(LambdaLR):
    """The rates of the step before times a function of the step."""

    def get_lr(self) -> list[float]:
        if self._is_initial:
            return self._now()
        return [rate * rule(self.last_epoch) for rule, rate in zip(self.lr_lambdas, self._now(), strict=True)]


def _per_group(optimizer: Any, rule: Any) -> list[Callable[[int], float]]:
    if not isinstance(rule, (list, tuple)):
        return [rule] * len(optimizer.param_groups)
    if len(rule) != len(optimizer.param_groups):
        raise ValueError(f"Expected {len(optimizer.param_groups)} lr_lambdas, but got {len(rule)}")
    return list(rule)
