"""The optimisers, each by its update rule. Operations stand in torch's order, so that rounding is close."""

from __future__ import annotations

from typing import Any

import numpy as np

from .optimizer import Optimizer, settings
from .values import count, counted, elements, lerp, maximum, noughts, put, sqrt


def _direction(group: dict[str, Any], gradient: Any) -> Any:
    return -elements(gradient) if group["maximize"] else elements(gradient)


def _decayed(group: dict[str, Any], g: Any, p: Any) -> Any:
    """A gradient with the pull of weight decay in it."""
    return g + group["weight_decay"] * p if group["weight_decay"] else g


def _begin(state: dict[str, Any], parameter: Any, *names: str) -> float:
    """The number of this step; a first one makes the parts of the state."""
    if not state:
        state["step"] = count()
        for name in names:
            state[name] = noughts(parameter)
    return counted(state["step"])


class SGD(Optimizer):
    """Gradient descent, with momentum if wanted."""

    def __init__(
        self, params: Any, lr: float = 1e-3, momentum: float = 0, dampening: float = 0, weight_decay: float = 0,
        nesterov: bool = False, *, maximize: bool = False, foreach: Any = None, differentiable: bool = False,
        fused: Any = None,
    ) -> None:  # fmt: skip
        if momentum < 0.0:
            raise ValueError(f"Invalid momentum value: {momentum}")
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        super().__init__(
            params,
            settings(
                lr=lr, momentum=momentum, dampening=dampening, weight_decay=weight_decay, nesterov=nesterov,
                maximize=maximize, foreach=foreach, differentiable=differentiable, fused=fused,
            ),
        )  # fmt: skip

    def update(self, group: dict[str, Any], parameter: Any, gradient: Any, state: dict[str, Any]) -> None:
        p = elements(parameter)
        g = _decayed(group, _direction(group, gradient), p)
        if group["momentum"]:
            if state.get("momentum_buffer") is None:
                state["momentum_buffer"] = noughts(parameter)
                buffer = g
            else:
                buffer = elements(state["momentum_buffer"]) * group["momentum"] + (1 - group["dampening"]) * g
            put(state["momentum_buffer"], buffer)
            g = g + group["momentum"] * buffer if group["nesterov"] else buffer
        put(parameter, p + -float(group["lr"]) * g)


class Adam(Optimizer):
    """Steps by running means of the gradient and of its square."""

    _decoupled = False

    def __init__(
        self, params: Any, lr: float = 1e-3, betas: tuple[float, float] = (0.9, 0.999), eps: float = 1e-8,
        weight_decay: float = 0, amsgrad: bool = False, *, foreach: Any = None, maximize: bool = False,
        capturable: bool = False, differentiable: bool = False, fused: Any = None,
        decoupled_weight_decay: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(
            params,
            settings(
                lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, amsgrad=amsgrad, maximize=maximize,
                foreach=foreach, capturable=capturable, differentiable=differentiable, fused=fused,
                decoupled_weight_decay=decoupled_weight_decay,
            ),
        )  # fmt: skip

    def update(self, group: dict[str, Any], parameter: Any, gradient: Any, state: dict[str, Any]) -> None:
        names = ("exp_avg", "exp_avg_sq", "max_exp_avg_sq") if group["amsgrad"] else ("exp_avg", "exp_avg_sq")
        step = _begin(state, parameter, *names)
        (beta1, beta2), lr = group["betas"], float(group["lr"])
        p, g = elements(parameter), _direction(group, gradient)
        if group["weight_decay"] and group["decoupled_weight_decay"]:
            p = p * (1 - lr * group["weight_decay"])
        else:
            g = _decayed(group, g, p)
        mean = lerp(elements(state["exp_avg"]), g, 1 - beta1)
        square = elements(state["exp_avg_sq"]) * beta2 + (1 - beta2) * g * g
        put(state["exp_avg"], mean)
        put(state["exp_avg_sq"], square)
        if group["amsgrad"]:
            square = maximum(elements(state["max_exp_avg_sq"]), square)
            put(state["max_exp_avg_sq"], square)
        size, root = lr / (1 - beta1**step), (1 - beta2**step) ** 0.5
        put(parameter, p + -size * mean / (sqrt(square) / root + group["eps"]))


class AdamW(Adam):
    """Adam whose weight decay does not go through the means."""

    def __init__(
        self, params: Any, lr: float = 1e-3, betas: tuple[float, float] = (0.9, 0.999), eps: float = 1e-8,
        weight_decay: float = 1e-2, amsgrad: bool = False, *, maximize: bool = False, foreach: Any = None,
        capturable: bool = False, differentiable: bool = False, fused: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            params, lr, betas, eps, weight_decay, amsgrad, foreach=foreach, maximize=maximize, capturable=capturable,
            differentiable=differentiable, fused=fused, decoupled_weight_decay=True,
        )  # fmt: skip


class RMSprop(Optimizer):
    """Steps by the gradient over the root of the running mean of its square."""

    def __init__(
        self, params: Any, lr: float = 1e-2, alpha: float = 0.99, eps: float = 1e-8, weight_decay: float = 0,
        momentum: float = 0, centered: bool = False, capturable: bool = False, foreach: Any = None,
        maximize: bool = False, differentiable: bool = False,
    ) -> None:  # fmt: skip
        if momentum < 0.0:
            raise ValueError(f"Invalid momentum value: {momentum}")
        if alpha < 0.0:
            raise ValueError(f"Invalid alpha value: {alpha}")
        super().__init__(
            params,
            settings(
                lr=lr, momentum=momentum, alpha=alpha, eps=eps, centered=centered, weight_decay=weight_decay,
                capturable=capturable, foreach=foreach, maximize=maximize, differentiable=differentiable,
            ),
        )  # fmt: skip

    def update(self, group: dict[str, Any], parameter: Any, gradient: Any, state: dict[str, Any]) -> None:
        names = ["square_avg"]
        names += ["momentum_buffer"] if group["momentum"] > 0 else []
        names += ["grad_avg"] if group["centered"] else []
        _begin(state, parameter, *names)
        alpha, lr, p = group["alpha"], float(group["lr"]), elements(parameter)
        g = _decayed(group, _direction(group, gradient), p)
        square = elements(state["square_avg"]) * alpha + (1 - alpha) * g * g
        put(state["square_avg"], square)
        if group["centered"]:
            mean = lerp(elements(state["grad_avg"]), g, 1 - alpha)
            put(state["grad_avg"], mean)
            square = square - mean * mean
        root = sqrt(square) + group["eps"]
        if group["momentum"] > 0:
            buffer = elements(state["momentum_buffer"]) * group["momentum"] + g / root
            put(state["momentum_buffer"], buffer)
            put(parameter, p + -lr * buffer)
        else:
            put(parameter, p + -lr * g / root)


class Adagrad(Optimizer):
    """Steps by the gradient over the root of the sum of all squares."""

    def __init__(
        self, params: Any, lr: float = 1e-2, lr_decay: float = 0, weight_decay: float = 0,
        initial_accumulator_value: float = 0, eps: float = 1e-10, foreach: Any = None, *, maximize: bool = False,
        differentiable: bool = False, fused: Any = None,
    ) -> None:  # fmt: skip
        if lr_decay < 0.0:
            raise ValueError(f"Invalid lr_decay value: {lr_decay}")
        if initial_accumulator_value < 0.0:
            raise ValueError(f"Invalid initial_accumulator_value value: {initial_accumulator_value}")
        super().__init__(
            params,
            settings(
                lr=lr, lr_decay=lr_decay, eps=eps, weight_decay=weight_decay,
                initial_accumulator_value=initial_accumulator_value, foreach=foreach, maximize=maximize,
                differentiable=differentiable, fused=fused,
            ),
        )  # fmt: skip
        for group in self.param_groups:
            for parameter in group["params"]:
                start = parameter.detach().new_full(tuple(parameter.shape), initial_accumulator_value)
                self.state[parameter].update(step=count(), sum=start)

    def update(self, group: dict[str, Any], parameter: Any, gradient: Any, state: dict[str, Any]) -> None:
        step, p = counted(state["step"]), elements(parameter)
        g = _decayed(group, _direction(group, gradient), p)
        size = float(group["lr"]) / (1 + (step - 1) * group["lr_decay"])
        total = elements(state["sum"]) + g * g
        put(state["sum"], total)
        put(parameter, p + -size * g / (sqrt(total) + group["eps"]))


class Adadelta(Optimizer):
    """Steps by running means of squares, of gradients and of steps."""

    def __init__(
        self, params: Any, lr: float = 1.0, rho: float = 0.9, eps: float = 1e-6, weight_decay: float = 0,
        foreach: Any = None, *, capturable: bool = False, maximize: bool = False, differentiable: bool = False,
    ) -> None:  # fmt: skip
        if not 0.0 <= rho <= 1.0:
            raise ValueError(f"Invalid rho value: {rho}")
        super().__init__(
            params,
            settings(
                lr=lr, rho=rho, eps=eps, weight_decay=weight_decay, maximize=maximize, capturable=capturable,
                foreach=foreach, differentiable=differentiable,
            ),
        )  # fmt: skip

    def update(self, group: dict[str, Any], parameter: Any, gradient: Any, state: dict[str, Any]) -> None:
        _begin(state, parameter, "square_avg", "acc_delta")
        rho, eps, p = group["rho"], group["eps"], elements(parameter)
        g = _decayed(group, _direction(group, gradient), p)
        square = elements(state["square_avg"]) * rho + (1 - rho) * g * g
        past = elements(state["acc_delta"])
        delta = sqrt(past + eps) / sqrt(square + eps) * g
        put(state["acc_delta"], past * rho + (1 - rho) * delta * delta)
        put(state["square_avg"], square)
        put(parameter, p + -float(group["lr"]) * delta)


class Adamax(Optimizer):
    """Adam with the largest gradient in place of the mean of squares."""

    def __init__(
        self, params: Any, lr: float = 2e-3, betas: tuple[float, float] = (0.9, 0.999), eps: float = 1e-8,
        weight_decay: float = 0, foreach: Any = None, *, maximize: bool = False, differentiable: bool = False,
        capturable: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(
            params,
            settings(
                lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, foreach=foreach, maximize=maximize,
                differentiable=differentiable, capturable=capturable,
            ),
        )  # fmt: skip

    def update(self, group: dict[str, Any], parameter: Any, gradient: Any, state: dict[str, Any]) -> None:
        step = _begin(state, parameter, "exp_avg", "exp_inf")
        (beta1, beta2), p = group["betas"], elements(parameter)
        g = _decayed(group, _direction(group, gradient), p)
        mean = lerp(elements(state["exp_avg"]), g, 1 - beta1)
        largest = maximum(elements(state["exp_inf"]) * beta2, abs(g) + group["eps"])
        put(state["exp_avg"], mean)
        put(state["exp_inf"], largest)
        put(parameter, p + -(float(group["lr"]) / (1 - beta1**step)) * mean / largest)


class NAdam(Optimizer):
    """Adam with Nesterov's momentum."""

    def __init__(
        self, params: Any, lr: float = 2e-3, betas: tuple[float, float] = (0.9, 0.999), eps: float = 1e-8,
        weight_decay: float = 0, momentum_decay: float = 4e-3, decoupled_weight_decay: bool = False, *,
        foreach: Any = None, maximize: bool = False, capturable: bool = False, differentiable: bool = False,
    ) -> None:  # fmt: skip
        if momentum_decay < 0.0:
            raise ValueError(f"Invalid momentum_decay value: {momentum_decay}")
        super().__init__(
            params,
            settings(
                lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, momentum_decay=momentum_decay,
                decoupled_weight_decay=decoupled_weight_decay, maximize=maximize, foreach=foreach,
                capturable=capturable, differentiable=differentiable,
            ),
        )  # fmt: skip

    def update(self, group: dict[str, Any], parameter: Any, gradient: Any, state: dict[str, Any]) -> None:
        first = not state
        step = _begin(state, parameter, "exp_avg", "exp_avg_sq")
        if first:
            means = {name: state.pop(name) for name in ("exp_avg", "exp_avg_sq")}
            state.update({"mu_product": count() + 1, **means})  # in the order in which states are saved
        (beta1, beta2), lr, p = group["betas"], float(group["lr"]), elements(parameter)
        g = _direction(group, gradient)
        if group["weight_decay"] and group["decoupled_weight_decay"]:
            p = p * (1 - lr * group["weight_decay"])
        else:
            g = _decayed(group, g, p)
        now, later = (beta1 * (1.0 - 0.5 * 0.96 ** (each * group["momentum_decay"])) for each in (step, step + 1))
        product = float(np.float32(float(state["mu_product"]) * np.float32(now)))
        state["mu_product"].fill_(product)
        mean = lerp(elements(state["exp_avg"]), g, 1 - beta1)
        square = elements(state["exp_avg_sq"]) * beta2 + (1 - beta2) * g * g
        put(state["exp_avg"], mean)
        put(state["exp_avg_sq"], square)
        root = sqrt(square / (1 - beta2**step)) + group["eps"]
        p = p + (-lr * (1.0 - now) / (1.0 - product)) * g / root
        put(parameter, p + (-lr * later) / (1.0 - product * later) * mean / root)


class RAdam(Optimizer):
    """Adam whose first steps are rectified."""

    def __init__(
        self, params: Any, lr: float = 1e-3, betas: tuple[float, float] = (0.9, 0.999), eps: float = 1e-8,
        weight_decay: float = 0, decoupled_weight_decay: bool = False, *, foreach: Any = None, maximize: bool = False,
        capturable: bool = False, differentiable: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(
            params,
            settings(
                lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, maximize=maximize, foreach=foreach,
                capturable=capturable, decoupled_weight_decay=decoupled_weight_decay, differentiable=differentiable,
            ),
        )  # fmt: skip

    def update(self, group: dict[str, Any], parameter: Any, gradient: Any, state: dict[str, Any]) -> None:
        step = _begin(state, parameter, "exp_avg", "exp_avg_sq")
        (beta1, beta2), lr, p = group["betas"], float(group["lr"]), elements(parameter)
        g = _direction(group, gradient)
        if group["weight_decay"] and group["decoupled_weight_decay"]:
            p = p * (1 - lr * group["weight_decay"])
        else:
            g = _decayed(group, g, p)
        mean = lerp(elements(state["exp_avg"]), g, 1 - beta1)
        square = elements(state["exp_avg_sq"]) * beta2 + (1 - beta2) * g * g
        put(state["exp_avg"], mean)
        put(state["exp_avg_sq"], square)
        left = 1 - beta2**step
        longest = 2 / (1 - beta2) - 1
        length = longest - 2 * step * beta2**step / left
        move = mean / (1 - beta1**step) * lr
        if length > 5.0:
            factor = (length - 4) * (length - 2) * longest / ((longest - 4) * (longest - 2) * length)
            move = move * (left**0.5 / (sqrt(square) + group["eps"])) * factor**0.5
        put(parameter, p - move)
