"""Every optimiser and schedule for a dozen steps with several settings, and clipping, against torch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from sides import outcome, values_of

from torchspore._runtime import optim as ours_optim
from torchspore._runtime.module import Parameter
from torchspore._runtime.tensor import from_numpy

pytestmark = pytest.mark.frameworks

SHAPES = ((3, 4), (4,), ())
OPTIMIZERS: list[tuple[str, dict[str, Any]]] = [
    ("SGD", {"lr": 0.1}),
    ("SGD", {"lr": 0.1, "momentum": 0.9}),
    ("SGD", {"lr": 0.1, "momentum": 0.9, "dampening": 0.1, "weight_decay": 0.1}),
    ("SGD", {"lr": 0.1, "momentum": 0.9, "nesterov": True, "weight_decay": 0.05, "maximize": True}),
    ("Adam", {"lr": 0.01}),
    ("Adam", {"lr": 0.01, "betas": (0.4, 0.9), "eps": 1e-3, "weight_decay": 0.1, "amsgrad": True}),
    ("Adam", {"maximize": True}),
    ("AdamW", {"lr": 0.01}),
    ("AdamW", {"lr": 0.01, "weight_decay": 0.3, "amsgrad": True}),
    ("RMSprop", {}),
    ("RMSprop", {"momentum": 0.9, "centered": True, "weight_decay": 0.1}),
    ("Adagrad", {"lr": 0.1}),
    ("Adagrad", {"lr": 0.1, "lr_decay": 0.1, "weight_decay": 0.1, "initial_accumulator_value": 0.5}),
    ("Adadelta", {}),
    ("Adadelta", {"rho": 0.5, "weight_decay": 0.1, "maximize": True}),
    ("Adamax", {}),
    ("Adamax", {"lr": 0.1, "betas": (0.3, 0.8), "weight_decay": 0.1}),
    ("NAdam", {}),
    ("NAdam", {"lr": 0.1, "weight_decay": 0.1, "decoupled_weight_decay": True, "momentum_decay": 0.1}),
    ("RAdam", {"lr": 0.1}),
    ("RAdam", {"lr": 0.1, "betas": (0.9, 0.9), "weight_decay": 0.1}),
    ("RAdam", {"lr": 0.1, "weight_decay": 0.1, "decoupled_weight_decay": True}),
]


def parameters() -> tuple[list[Any], list[Any]]:
    random = np.random.RandomState(0)
    arrays = [np.array(random.randn(*shape), np.float32) for shape in SHAPES]
    theirs = [torch.nn.Parameter(torch.from_numpy(each.copy())) for each in arrays]
    return theirs, [Parameter(from_numpy(each.copy())) for each in arrays]


def put_gradients(theirs: list[Any], ours: list[Any], step: int) -> None:
    random = np.random.RandomState(step)
    for one, other in zip(theirs, ours, strict=True):
        gradient = np.array(random.randn(*one.shape), np.float32)
        one.grad, other.grad = torch.from_numpy(gradient.copy()), from_numpy(gradient.copy())


def groups(tensors: list[Any]) -> list[dict[str, Any]]:
    return [{"params": tensors[:1]}, {"params": tensors[1:], "lr": 0.02}]


def assert_near(theirs: list[Any], ours: list[Any]) -> None:
    for one, other in zip(theirs, ours, strict=True):
        np.testing.assert_allclose(values_of(other), values_of(one), rtol=2e-5, atol=2e-6)


@pytest.mark.parametrize(("name", "options"), OPTIMIZERS)
def test_optimizers(name: str, options: dict[str, Any]) -> None:
    theirs, ours = parameters()
    one = getattr(torch.optim, name)(groups(theirs), **options)
    other = getattr(ours_optim, name)(groups(ours), **options)
    for step in range(6):
        put_gradients(theirs, ours, step)
        one.step()
        other.step()
    assert_near(theirs, ours)
    _same_state(one.state_dict(), other.state_dict())
    fresh = getattr(ours_optim, name)(groups(ours), **options)
    fresh.load_state_dict(other.state_dict())
    for step in range(6, 12):
        put_gradients(theirs, ours, step)
        one.step()
        fresh.step()
        fresh.zero_grad()
    assert_near(theirs, ours)
    assert all(each.grad is None for each in ours)
    assert repr(one) == repr(other)


def _same_state(theirs: dict[str, Any], ours: dict[str, Any]) -> None:
    assert theirs.keys() == ours.keys()
    assert theirs["state"].keys() == ours["state"].keys()
    for number, state in theirs["state"].items():
        assert state.keys() == ours["state"][number].keys()
        for name, value in state.items():
            if isinstance(value, torch.Tensor):
                np.testing.assert_allclose(
                    values_of(ours["state"][number][name]), values_of(value), rtol=2e-5, atol=2e-6
                )
    for one, other in zip(theirs["param_groups"], ours["param_groups"], strict=True):
        assert one == other


SCHEDULES: list[tuple[str, Any]] = [
    ("StepLR", lambda T, o: T.StepLR(o, 3, 0.5)),
    ("MultiStepLR", lambda T, o: T.MultiStepLR(o, [2, 5, 5], 0.3)),
    ("ConstantLR", lambda T, o: T.ConstantLR(o, 0.4, 4)),
    ("LinearLR", lambda T, o: T.LinearLR(o, 0.2, 0.9, 6)),
    ("ExponentialLR", lambda T, o: T.ExponentialLR(o, 0.8)),
    ("PolynomialLR", lambda T, o: T.PolynomialLR(o, 8, 1.5)),
    ("CosineAnnealingLR", lambda T, o: T.CosineAnnealingLR(o, 5, 0.001)),
    ("LambdaLR", lambda T, o: T.LambdaLR(o, [lambda epoch: 0.9**epoch, lambda epoch: 1 / (1 + epoch)])),
    ("MultiplicativeLR", lambda T, o: T.MultiplicativeLR(o, lambda epoch: 0.95)),
    ("CosineAnnealingWarmRestarts", lambda T, o: T.CosineAnnealingWarmRestarts(o, 3, 2, 0.01)),
    ("CyclicLR", lambda T, o: T.CyclicLR(o, 0.01, 0.1, 3, 4, mode="triangular2")),
    ("CyclicLR", lambda T, o: T.CyclicLR(o, [0.01, 0.02], 0.1, 3, mode="exp_range", gamma=0.9, cycle_momentum=False)),
    ("OneCycleLR", lambda T, o: T.OneCycleLR(o, 0.3, total_steps=14)),
    (
        "OneCycleLR",
        lambda T, o: T.OneCycleLR(
            o, [0.3, 0.1], epochs=7, steps_per_epoch=2, anneal_strategy="linear", three_phase=True
        ),
    ),
    (
        "SequentialLR",
        lambda T, o: T.SequentialLR(
            o, [T.LinearLR(o, 0.1, 1.0, 4), T.CosineAnnealingLR(o, 6), T.ExponentialLR(o, 0.5)], [4, 9]
        ),
    ),
    ("ChainedScheduler", lambda T, o: T.ChainedScheduler([T.ConstantLR(o, 0.1, 3), T.ExponentialLR(o, 0.9)])),
]


@pytest.mark.parametrize(("name", "make"), SCHEDULES)
def test_schedules(name: str, make: Any) -> None:
    theirs, ours = parameters()
    one = torch.optim.SGD(groups(theirs), lr=0.1, momentum=0.9)
    other = ours_optim.SGD(groups(ours), lr=0.1, momentum=0.9)
    first, second = make(torch.optim.lr_scheduler, one), make(ours_optim, other)
    for step in range(12):
        for side, schedule in ((one, first), (other, second)):
            side.step()
            if step == 5 and side is other:
                saved = schedule.state_dict()
                schedule.load_state_dict(saved)
            schedule.step()
        np.testing.assert_allclose(second.get_last_lr(), first.get_last_lr(), rtol=1e-12)
        for mine, their in zip(other.param_groups, one.param_groups, strict=True):
            np.testing.assert_allclose(mine["lr"], their["lr"], rtol=1e-12)
            np.testing.assert_allclose(mine["momentum"], their["momentum"], rtol=1e-12)
    assert first.last_epoch == second.last_epoch if name != "ChainedScheduler" else True


@pytest.mark.parametrize(
    "options", [{}, {"mode": "max", "factor": 0.5, "patience": 1, "cooldown": 2, "threshold_mode": "abs"}]
)
def test_plateau(options: dict[str, Any]) -> None:
    theirs, ours = parameters()
    one, other = torch.optim.SGD(theirs, lr=0.1), ours_optim.SGD(ours, lr=0.1)
    first = torch.optim.lr_scheduler.ReduceLROnPlateau(one, **{"patience": 2, **options})
    second = ours_optim.ReduceLROnPlateau(other, **{"patience": 2, **options})
    for measure in (3, 2, 2, 2, 2, 1.9, 1.9, 5, 5, 5, 5, 0.1, 0.1):
        first.step(measure)
        second.step(measure)
        assert one.param_groups[0]["lr"] == pytest.approx(other.param_groups[0]["lr"])


@pytest.mark.parametrize("kind", [2.0, 1.0, float("inf"), 3.0])
def test_clipping_by_norm(kind: float) -> None:
    theirs, ours = parameters()
    put_gradients(theirs, ours, 1)
    expected = torch.nn.utils.clip_grad_norm_(theirs, 0.7, kind)
    found = ours_optim.clip_grad_norm_(ours, 0.7, kind)
    np.testing.assert_allclose(found.item(), expected.item(), rtol=1e-5)
    assert_near([each.grad for each in theirs], [each.grad for each in ours])


def test_clipping_by_value_and_what_is_refused() -> None:
    theirs, ours = parameters()
    put_gradients(theirs, ours, 1)
    torch.nn.utils.clip_grad_value_(theirs, 0.3)
    ours_optim.clip_grad_value_(ours, 0.3)
    assert_near([each.grad for each in theirs], [each.grad for each in ours])
    ours[0].grad = ours[0].grad * float("nan")
    with pytest.raises(RuntimeError, match="non-finite"):
        ours_optim.clip_grad_norm_(ours, 1.0, error_if_nonfinite=True)
    for kinds in (torch.optim, ours_optim):
        tensors = theirs if kinds is torch.optim else ours
        assert isinstance(outcome(kinds.SGD, [], lr=0.1), ValueError)
        assert isinstance(outcome(kinds.SGD, tensors, lr=-1), ValueError)
        assert isinstance(outcome(kinds.SGD, [tensors[0] * 2], lr=1), ValueError)
        assert isinstance(outcome(kinds.SGD, [{"params": tensors}, {"params": tensors[:1]}], lr=1), ValueError)
        assert isinstance(outcome(kinds.Adam, tensors, betas=(1.0, 0.9)), ValueError)


def test_a_closure_and_hooks_of_steps() -> None:
    _, ours = parameters()
    seen: list[str] = []
    optimizer = ours_optim.SGD(ours, lr=0.1)
    optimizer.register_step_pre_hook(lambda *_: seen.append("before"))
    optimizer.register_step_post_hook(lambda *_: seen.append("after"))

    def closure() -> Any:
        optimizer.zero_grad()
        loss = (ours[0] * ours[0]).sum()
        loss.backward()
        seen.append("loss")
        return loss

    first = optimizer.step(closure)
    second = optimizer.step(closure)
    assert second.item() < first.item()
    assert seen == ["before", "loss", "after"] * 2


def test_a_step_is_noticed_by_the_engine() -> None:
    _, ours = parameters()
    optimizer = ours_optim.SGD(ours, lr=0.1)
    loss = (ours[0] * ours[0] * ours[0]).sum()
    loss.backward(retain_graph=True)
    optimizer.step()
    with pytest.raises(RuntimeError, match="modified by an inplace"):
        loss.backward()
