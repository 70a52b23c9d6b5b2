"""Schedules that come round again, rise first, or wait for a measure to stop getting better."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, floor, inf, log, pi
from typing import Any

from .scheduler import LRScheduler, checked


class CosineAnnealingWarmRestarts(LRScheduler):
    """A cosine that begins anew after a time, which may grow."""

    def __init__(self, optimizer: Any, T_0: int, T_mult: int = 1, eta_min: float = 0.0, last_epoch: int = -1) -> None:
        if T_0 <= 0 or not isinstance(T_0, int):
            raise ValueError(f"Expected positive integer T_0, but got {T_0}")
        if T_mult < 1 or not isinstance(T_mult, int):
            raise ValueError(f"Expected integer T_mult >= 1, but got {T_mult}")
        self.T_0 = self.T_i = T_0
        self.T_mult = T_mult
        self.eta_min = eta_min
        self.T_cur: float = last_epoch
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        wave = 1 + cos(pi * self.T_cur / self.T_i)
        return [self.eta_min + (base - self.eta_min) * wave / 2 for base in self.base_lrs]

    def step(self, epoch: float | None = None) -> None:
        self._step_count += 1
        if epoch is None and self.last_epoch < 0:
            epoch = 0
        if epoch is None:
            epoch = self.last_epoch + 1
            self.T_cur += 1
            if self.T_cur >= self.T_i:
                self.T_cur -= self.T_i
                self.T_i *= self.T_mult
        elif epoch < 0:
            raise ValueError(f"Expected non-negative epoch, but got {epoch}")
        elif epoch < self.T_0:
            self.T_i, self.T_cur = self.T_0, epoch
        elif self.T_mult == 1:
            self.T_cur = epoch % self.T_0
        else:
            rounds = int(log(epoch / self.T_0 * (self.T_mult - 1) + 1, self.T_mult))
            self.T_cur = epoch - self.T_0 * (self.T_mult**rounds - 1) / (self.T_mult - 1)
            self.T_i = self.T_0 * self.T_mult**rounds
        self.last_epoch = floor(epoch)
        self._set(self.get_lr())


def _each(optimizer: Any, name: str, value: Any) -> list[Any]:
    if not isinstance(value, (list, tuple)):
        return [value] * len(optimizer.param_groups)
    if len(value) != len(optimizer.param_groups):
        raise ValueError(f"expected {len(optimizer.param_groups)} values for {name}, got {len(value)}")
    return list(value)


class _Momentum:
    """How a schedule sets momentum: under the name that the optimiser has for it."""

    def __init__(self, optimizer: Any) -> None:
        if "momentum" not in optimizer.defaults and "betas" not in optimizer.defaults:
            raise ValueError("optimizer must support momentum or beta1 with `cycle_momentum` option enabled")
        self.by_betas = "betas" in optimizer.defaults

    def put(self, group: dict[str, Any], value: float) -> None:
        if self.by_betas:
            group["betas"] = (value, *group["betas"][1:])
        else:
            group["momentum"] = value


class CyclicLR(LRScheduler):
    """Up and down between two rates."""

    def __init__(
        self, optimizer: Any, base_lr: Any, max_lr: Any, step_size_up: int = 2000, step_size_down: int | None = None,
        mode: str = "triangular", gamma: float = 1.0, scale_fn: Callable[[float], float] | None = None,
        scale_mode: str = "cycle", cycle_momentum: bool = True, base_momentum: Any = 0.8, max_momentum: Any = 0.9,
        last_epoch: int = -1,
    ) -> None:  # fmt: skip
        checked(optimizer)
        bases = _each(optimizer, "base_lr", base_lr)
        if last_epoch == -1:
            for group, rate in zip(optimizer.param_groups, bases, strict=True):
                group["lr"] = rate
        self.max_lrs = _each(optimizer, "max_lr", max_lr)
        down = float(step_size_up if step_size_down is None else step_size_down)
        self.total_size = float(step_size_up) + down
        self.step_ratio = float(step_size_up) / self.total_size
        if mode not in ("triangular", "triangular2", "exp_range") and scale_fn is None:
            raise ValueError("mode is invalid and scale_fn is None")
        self.mode, self.gamma, self._scale = mode, gamma, scale_fn
        self.scale_mode = scale_mode if scale_fn is not None else "iterations" if mode == "exp_range" else "cycle"
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self._momentum = _Momentum(optimizer)
            self.base_momentums = _each(optimizer, "base_momentum", base_momentum)
            self.max_momentums = _each(optimizer, "max_momentum", max_momentum)
            if last_epoch == -1:
                for group, high in zip(optimizer.param_groups, self.max_momentums, strict=True):
                    self._momentum.put(group, high)
        super().__init__(optimizer, last_epoch)
        self.base_lrs = bases

    _unsaved = ("optimizer", "_scale", "_momentum")

    def scale_fn(self, x: float) -> float:
        if self._scale is not None:
            return self._scale(x)
        if self.mode == "triangular":
            return 1.0
        return 1 / (2.0 ** (x - 1)) if self.mode == "triangular2" else float(self.gamma**x)

    def get_lr(self) -> list[float]:
        cycle = floor(1 + self.last_epoch / self.total_size)
        place = 1.0 + self.last_epoch / self.total_size - cycle
        share = place / self.step_ratio if place <= self.step_ratio else (place - 1) / (self.step_ratio - 1)
        scale = self.scale_fn(cycle if self.scale_mode == "cycle" else self.last_epoch)
        bases = self.base_lrs if not self._is_initial else [group["initial_lr"] for group in self.groups]
        rates = [base + (high - base) * share * scale for base, high in zip(bases, self.max_lrs, strict=True)]
        if self.cycle_momentum:
            for group, low, high in zip(self.groups, self.base_momentums, self.max_momentums, strict=True):
                self._momentum.put(group, high - (high - low) * share * scale)
        return rates


class OneCycleLR(LRScheduler):
    """Up to a largest rate, down far below the first."""

    _unsaved = ("optimizer", "_momentum")

    def __init__(
        self, optimizer: Any, max_lr: Any, total_steps: int | None = None, epochs: int | None = None,
        steps_per_epoch: int | None = None, pct_start: float = 0.3, anneal_strategy: str = "cos",
        cycle_momentum: bool = True, base_momentum: Any = 0.85, max_momentum: Any = 0.95, div_factor: float = 25.0,
        final_div_factor: float = 1e4, three_phase: bool = False, last_epoch: int = -1,
    ) -> None:  # fmt: skip
        checked(optimizer)
        if total_steps is None:
            if epochs is None or steps_per_epoch is None:
                raise ValueError("You must define either total_steps OR (epochs AND steps_per_epoch)")
            total_steps = epochs * steps_per_epoch
        if total_steps <= 0 or not 0 <= pct_start <= 1:
            raise ValueError(f"Expected positive total_steps and pct_start in [0, 1], got {total_steps}, {pct_start}")
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}")
        self.total_steps = total_steps
        self._anneal_func_type = anneal_strategy
        up = float(pct_start * total_steps) - 1
        self._schedule_phases: list[tuple[float, str, str, str, str]] = [
            (up, "initial_lr", "max_lr", "max_momentum", "base_momentum"),
            (total_steps - 1, "max_lr", "min_lr", "base_momentum", "max_momentum"),
        ]
        if three_phase:
            self._schedule_phases[1:] = [
                (float(2 * pct_start * total_steps) - 2, "max_lr", "initial_lr", "base_momentum", "max_momentum"),
                (total_steps - 1, "initial_lr", "min_lr", "max_momentum", "max_momentum"),
            ]
        if last_epoch == -1:
            for group, high in zip(optimizer.param_groups, _each(optimizer, "max_lr", max_lr), strict=True):
                group["initial_lr"] = high / div_factor
                group["max_lr"] = high
                group["min_lr"] = group["initial_lr"] / final_div_factor
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self._momentum = _Momentum(optimizer)
            lows, highs = (_each(optimizer, "momentum", each) for each in (base_momentum, max_momentum))
            for group, low, high in zip(optimizer.param_groups, lows, highs, strict=True):
                if last_epoch == -1:
                    self._momentum.put(group, high)
                    group["max_momentum"], group["base_momentum"] = high, low
        super().__init__(optimizer, last_epoch)

    def _between(self, start: float, end: float, share: float) -> float:
        if self._anneal_func_type == "cos":
            return end + (start - end) / 2.0 * (cos(pi * share) + 1)
        return (end - start) * share + start

    def get_lr(self) -> list[float]:
        if self.last_epoch > self.total_steps:
            raise ValueError(
                f"Tried to step {self.last_epoch} times. The specified number of total steps is {self.total_steps}"
            )
        start = 0.0
        for number, phase in enumerate(self._schedule_phases):
            end = phase[0]
            if self.last_epoch <= end or number == len(self._schedule_phases) - 1:
                break
            start = end
        share = (self.last_epoch - start) / (end - start)
        if self.cycle_momentum:
            for group in self.groups:
                self._momentum.put(group, self._between(group[phase[3]], group[phase[4]], share))
        return [self._between(group[phase[1]], group[phase[2]], share) for group in self.groups]


class SequentialLR(LRScheduler):
    """One schedule after the other, from step to step."""

    def __init__(self, optimizer: Any, schedulers: list[Any], milestones: list[int], last_epoch: int = -1) -> None:
        if not schedulers:
            raise ValueError("SequentialLR expects at least one scheduler to be chained, but got no scheduler.")
        if any(each.optimizer is not optimizer for each in schedulers):
            raise ValueError("SequentialLR expects all schedulers to belong to the same optimizer")
        if len(milestones) != len(schedulers) - 1:
            raise ValueError(
                "Sequential Schedulers expects number of schedulers provided to be one more than the number of "
                f"milestone points, but got {len(schedulers)} schedulers and {len(milestones)} milestones"
            )
        self._schedulers, self._milestones = schedulers, milestones
        self.last_epoch = last_epoch + 1
        self.optimizer = optimizer
        for group in optimizer.param_groups:
            group["lr"] = group["initial_lr"]
        for each in schedulers:
            each.last_epoch -= 1
        self._begin(schedulers[0])
        self._last_lr = schedulers[0].get_last_lr()

    @staticmethod
    def _begin(schedule: Any) -> None:
        schedule._is_initial = True
        try:
            schedule.step()
        finally:
            schedule._is_initial = False

    def step(self, epoch: int | None = None) -> None:
        self.last_epoch += 1
        number = sum(milestone <= self.last_epoch for milestone in self._milestones)
        schedule = self._schedulers[number]
        if number > 0 and self._milestones[number - 1] == self.last_epoch:
            for group in self.groups:
                group["lr"] = group["initial_lr"]
            schedule.last_epoch = -1
            self._begin(schedule)
        else:
            schedule.step()
        self._last_lr = schedule.get_last_lr()

    def state_dict(self) -> dict[str, Any]:
        kept = {name: value for name, value in self.__dict__.items() if name not in ("optimizer", "_schedulers")}
        return kept | {"_schedulers": [each.state_dict() for each in self._schedulers]}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        given = dict(state_dict)
        for schedule, state in zip(self._schedulers, given.pop("_schedulers"), strict=True):
            schedule.load_state_dict(state)
        self.__dict__.update(given)


class ChainedScheduler(SequentialLR):
    """Several schedules at once, each going on from what the others made."""

    def __init__(self, schedulers: Any, optimizer: Any = None) -> None:
        self._schedulers = list(schedulers)
        if not self._schedulers:
            raise ValueError("ChainedScheduler expects at least one scheduler to be chained, but got no scheduler.")
        self.optimizer = self._schedulers[0].optimizer if optimizer is None else optimizer
        if any(each.optimizer is not self.optimizer for each in self._schedulers):
            raise ValueError("ChainedScheduler expects all schedulers to belong to the same optimizer")
        self._last_lr = self._now()

    def step(self, epoch: int | None = None) -> None:
        for schedule in self._schedulers:
            schedule.step()
        self._last_lr = self._now()


class ReduceLROnPlateau(LRScheduler):
    """Less by a factor when a measure has not got better for a time."""

    def __init__(
        self, optimizer: Any, mode: str = "min", factor: float = 0.1, patience: int = 10, threshold: float = 1e-4,
        threshold_mode: str = "rel", cooldown: int = 0, min_lr: Any = 0, eps: float = 1e-8,
    ) -> None:  # fmt: skip
        if factor >= 1.0:
            raise ValueError("Factor should be < 1.0.")
        if mode not in ("min", "max") or threshold_mode not in ("rel", "abs"):
            raise ValueError(f"mode {mode} or threshold mode {threshold_mode} is unknown!")
        self.optimizer = optimizer
        self.mode, self.factor, self.patience = mode, factor, patience
        self.threshold, self.threshold_mode, self.cooldown = threshold, threshold_mode, cooldown
        self.min_lrs, self.eps = _each(optimizer, "min_lr", min_lr), eps
        self.best = inf if mode == "min" else -inf
        self.num_bad_epochs = self.cooldown_counter = self.last_epoch = 0
        self._last_lr = self._now()

    def step(self, metrics: Any, epoch: int | None = None) -> None:  # type: ignore[override]
        current = float(metrics)
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        if self.is_better(current, self.best):
            self.best, self.num_bad_epochs = current, 0
        else:
            self.num_bad_epochs += 1
        if self.cooldown_counter > 0:
            self.cooldown_counter -= 1
            self.num_bad_epochs = 0
        if self.num_bad_epochs > self.patience:
            for group, least in zip(self.groups, self.min_lrs, strict=True):
                lower = max(float(group["lr"]) * self.factor, least)
                if float(group["lr"]) - lower > self.eps:
                    group["lr"] = lower
            self.cooldown_counter, self.num_bad_epochs = self.cooldown, 0
        self._last_lr = self._now()

    def is_better(self, a: float, best: float) -> bool:
        sign = 1 if self.mode == "max" else -1
        if self.threshold_mode == "rel":
            return (
                sign * a > sign * best * (1 + sign * self.threshold)
                if best not in (inf, -inf)
                else sign * a > sign * best
            )
        return sign * a > sign * (best + sign * self.threshold)
