"""The same classes derived from torch's Module and from ours: names, states, hooks, text, and training."""

from __future__ import annotations

import copy
import pickle
from collections import OrderedDict
from types import SimpleNamespace
from typing import Any

import mindspore
import numpy as np
import pytest
import torch
from sides import assert_same, outcome, values_of

from torchspore._runtime import module as ours_nn
from torchspore._runtime import optim as ours_optim
from torchspore._runtime.autograd.modes import no_grad
from torchspore._runtime.tensor import dtypes, from_numpy

pytestmark = pytest.mark.frameworks


def sides() -> tuple[Any, Any]:
    """Both libraries, under the names that the programs use."""
    theirs = SimpleNamespace(
        nn=torch.nn, optim=torch.optim, schedule=torch.optim.lr_scheduler, no_grad=torch.no_grad,
        clip=torch.nn.utils.clip_grad_norm_, float64=torch.float64, int64=torch.int64,
        tensor=lambda values: torch.from_numpy(np.array(values)),
    )  # fmt: skip
    ours = SimpleNamespace(
        nn=ours_nn, optim=ours_optim, schedule=ours_optim, no_grad=no_grad, clip=ours_optim.clip_grad_norm_,
        float64=dtypes.float64, int64=dtypes.int64, tensor=lambda values: from_numpy(np.array(values)),
    )  # fmt: skip
    for side in (theirs, ours):
        side.Linear, side.Net = classes(side)
    return theirs, ours


def classes(T: Any) -> tuple[Any, Any]:
    class Linear(T.nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self, inputs: int, outputs: int, seed: int = 0, bias: bool = True) -> None:
            super().__init__()
            random = np.random.RandomState(seed)
            self.weight = T.nn.Parameter(T.tensor((random.randn(outputs, inputs) / 2).astype(np.float32)))
            if bias:
                self.bias = T.nn.Parameter(T.tensor(random.randn(outputs).astype(np.float32)))
            else:
                self.register_parameter("bias", None)
            self.size = (inputs, outputs)

        def forward(self, x: Any) -> Any:
            x = x @ self.weight.t()
            return x if self.bias is None else x + self.bias

        def extra_repr(self) -> str:
            return f"in={self.size[0]}, out={self.size[1]}"

    class Net(T.nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("seen", T.tensor(np.zeros(1, np.float32)))
            self.register_buffer("scratch", T.tensor(np.ones(2, np.float32)), persistent=False)
            self.scale = T.nn.Parameter(T.tensor(np.ones(3, np.float32)))
            self.layers = T.nn.ModuleList([Linear(4, 8, 1), Linear(8, 8, 2), Linear(8, 8, 2)])
            self.head = T.nn.Sequential(OrderedDict(up=Linear(8, 6, 3), down=Linear(6, 3, 4, bias=False)))
            self.named = T.nn.ModuleDict({"b": Linear(3, 3, 5), "a": Linear(3, 3, 6)})
            self.extras = T.nn.ParameterList([T.tensor(np.ones(3, np.float32)) for _ in range(2)])
            self.more = T.nn.ParameterDict({"k": T.nn.Parameter(T.tensor(np.ones(1, np.float32)))})
            self.shared = self.layers[0]
            self.note = "kept"

        def forward(self, x: Any) -> Any:
            with T.no_grad():
                self.seen += 1
            for layer in self.layers:
                x = layer(x).sigmoid()
            x = self.head(x) * self.scale + self.extras[0] * self.more["k"]
            return self.named["a"](self.named["b"](x)) + self.extras[1]

    return Linear, Net


def test_names_text_and_order() -> None:
    theirs, ours = sides()
    one, other = theirs.Net(), ours.Net()
    for ask in (
        lambda net: list(net.state_dict()),
        lambda net: [name for name, _ in net.named_parameters()],
        lambda net: [name for name, _ in net.named_parameters(prefix="p", recurse=False)],
        lambda net: [name for name, _ in net.named_parameters(remove_duplicate=False)],
        lambda net: [name for name, _ in net.named_buffers()],
        lambda net: [name for name, _ in net.named_modules()],
        lambda net: [name for name, _ in net.named_children()],
        lambda net: [tuple(each.shape) for each in net.parameters()],
        lambda net: len(net.layers),
        lambda net: repr(net.layers),
        lambda net: repr(net.head),
        lambda net: repr(net.named),
        lambda net: repr(net.head[:1]),
        lambda net: sorted(name for name in dir(net) if name in ("scale", "seen", "layers", "note")),
        lambda net: [type(each).__name__ for each in net.modules()],
        lambda net: net.get_submodule("head.up").extra_repr(),
        lambda net: tuple(net.get_parameter("layers.1.bias").shape),
        lambda net: dict(net.state_dict()._metadata),
        lambda net: (net.eval().layers[0].training, net.train().head.training),
        lambda net: [each.requires_grad for each in net.requires_grad_(False).parameters()],
    ):
        assert ask(one) == ask(other)


REFUSED = {
    "before_init": lambda T: _early(T),
    "dot": lambda T: T.Net().register_buffer("a.b", None),
    "empty": lambda T: T.Net().add_module("", None),
    "taken": lambda T: T.Net().register_parameter("note", None),
    "no_parameter": lambda T: setattr(T.Net(), "scale", T.tensor([1.0])),
    "no_module": lambda T: setattr(T.Net(), "head", 3),
    "no_buffer": lambda T: setattr(T.Net(), "seen", 3),
    "no_leaf": lambda T: T.Net().register_parameter("q", T.Net().scale * 2),
    "unknown": lambda T: T.Net().nothing,
    "path": lambda T: T.Net().get_submodule("head.sideways"),
    "missing": lambda T: T.Net().load_state_dict({}),
    "unexpected": lambda T: T.Net().load_state_dict({**T.Net().state_dict(), "other.x": T.tensor([1.0])}),
    "shape": lambda T: T.Net().load_state_dict({**T.Net().state_dict(), "scale": T.tensor([1.0, 2.0])}),
    "forward": lambda T: T.nn.Module()(1),
    "integer": lambda T: T.Net().to(T.int64),
}


def _early(T: Any) -> None:
    class Early(T.nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            self.weight = T.nn.Parameter(T.tensor([1.0]))

    Early()


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    raised = []
    for side in sides():
        with pytest.raises(Exception) as caught:
            REFUSED[name](side)
        raised.append(caught)
    assert issubclass(raised[1].type, raised[0].type), [str(each.value) for each in raised]


def test_states_travel() -> None:
    theirs, ours = sides()
    one, other = theirs.Net(), ours.Net()
    state = {name: ours.tensor(value.detach().numpy() * 2) for name, value in one.state_dict().items()}
    keys = other.load_state_dict(state)
    assert not keys.missing_keys and not keys.unexpected_keys
    for name, value in one.state_dict().items():
        np.testing.assert_allclose(values_of(other.state_dict()[name]), values_of(value) * 2)
    held = other.scale
    loose = {"scale": ours.tensor(np.zeros(3, np.float32)), "else": held}
    other.load_state_dict(loose, strict=False)
    assert other.scale is held and float(held.sum()) == 0
    other.load_state_dict({**other.state_dict(), "scale": ours.tensor(np.full(3, 7, np.float32))}, assign=True)
    assert other.scale is not held and isinstance(other.scale, ours_nn.Parameter) and other.scale.requires_grad
    assert other.state_dict()["scale"].requires_grad is False
    assert other.state_dict(keep_vars=True)["scale"] is other.scale
    other.state_dict()["scale"].zero_()
    assert float(other.scale.sum()) == 0  # a state shares memory


def test_loose_loading_reports_the_same_keys() -> None:
    found = []
    for T in sides():
        net = T.Net()
        keys = net.load_state_dict(
            {"scale": T.tensor(np.zeros(3, np.float32)), "else": net.scale, "head.x": net.scale}, strict=False
        )
        found.append((sorted(keys.missing_keys), sorted(keys.unexpected_keys)))
    assert found[0] == found[1]


def test_containers() -> None:
    for T in (results := []) or sides():
        L = T.Linear
        row = T.nn.Sequential(L(2, 3), L(3, 4))
        row.append(L(4, 5)).insert(0, L(1, 2))
        rows = row + T.nn.Sequential(L(5, 6))
        del rows[1]
        rows[0] = L(7, 7)
        many = T.nn.ModuleList([L(1, 1)])
        many.extend([L(2, 2), L(3, 3)])
        many.insert(1, L(9, 9))
        many += [L(4, 4)]
        gone = many.pop(0)
        named = T.nn.ModuleDict([["x", L(1, 1)]])
        named.update({"y": L(2, 2)})
        taken = named.pop("x")
        results.append(
            [
                repr(row),
                repr(rows),
                list(rows.state_dict()),
                repr(many),
                repr(many[1:]),
                repr(many[-1]),
                gone.size,
                list(named),
                "y" in named,
                len(named),
                taken.size,
                [type(each).__name__ for each in row],
                type(outcome(many.__getitem__, 10)).__name__,
                list((row * 2).state_dict())[-1],
            ]
        )
    assert results[0] == results[1]


def hooked(T: Any) -> tuple[list[Any], list[Any], list[bool]]:
    """What hooks of all kinds see and change."""
    net, seen = T.Linear(4, 3), []
    layer = T.nn.Sequential(net)
    handles = [
        net.register_forward_pre_hook(lambda m, a: seen.append("pre") or (a[0] * 2,)),
        net.register_forward_pre_hook(lambda m, a, k: seen.append("first") or None, with_kwargs=True, prepend=True),
        net.register_forward_hook(lambda m, a, out: seen.append("post") or out + 1),
        net.register_full_backward_pre_hook(lambda m, g: seen.append("back pre") or (g[0] * 3,)),
        net.register_full_backward_hook(
            lambda m, gi, go: seen.append(("back", tuple(gi[0].shape), tuple(go[0].shape))) or (gi[0] * 5,)
        ),
    ]
    x = T.tensor(np.linspace(0, 1, 8, dtype=np.float32).reshape(2, 4)).requires_grad_()
    y = layer(x)
    y.sum().backward()
    values = [y, x.grad, net.weight.grad, net.bias.grad]
    for handle in handles:
        handle.remove()
    layer.zero_grad()
    values.append(layer(x.detach()))
    state = T.Net()
    state.register_state_dict_pre_hook(lambda m, p, k: seen.append(("save", p)))
    state.register_state_dict_post_hook(lambda m, s, p, meta: s.__setitem__("extra", 1))
    state.register_load_state_dict_pre_hook(lambda m, s, *rest: s.pop("extra", None) and None)
    state.register_load_state_dict_post_hook(lambda m, keys: seen.append(sorted(keys.missing_keys)))
    state.load_state_dict(state.state_dict())
    return values, seen, [each.grad is None for each in layer.parameters()]


def test_hooks() -> None:
    results = [hooked(side) for side in sides()]
    for one, other in zip(results[0][0], results[1][0], strict=True):
        assert_same(one, other, rtol=1e-5, atol=1e-6)
    assert results[0][1:] == results[1][1:]


def test_conversion_copies_and_pickles() -> None:
    theirs, ours = sides()
    one, other = theirs.Net(), ours.Net()
    kept = other.scale
    one.to(theirs.float64)
    other.to(ours.float64)
    assert other.scale is kept
    assert [str(each.dtype) for each in one.state_dict().values()] == [
        str(each.dtype) for each in other.state_dict().values()
    ]
    x = np.linspace(0, 1, 8).reshape(2, 4)
    y = other(ours.tensor(x))
    np.testing.assert_allclose(values_of(y), values_of(one(theirs.tensor(x))), rtol=1e-12)
    y.sum().backward()
    copied = copy.deepcopy(other)
    assert copied.layers[0] is copied.shared and copied.layers[0] is not other.layers[0]
    assert copied.scale.grad is not other.scale.grad
    np.testing.assert_array_equal(values_of(copied.scale.grad), values_of(other.scale.grad))
    with no_grad():
        copied.scale.zero_()
    assert float(other.scale.sum()) == 3
    parameter = pickle.loads(pickle.dumps(other.scale))
    assert type(parameter) is ours_nn.Parameter and parameter.requires_grad
    np.testing.assert_array_equal(values_of(parameter), values_of(other.scale))
    other.apply(lambda m: m.__setattr__("mark", 1))
    assert all(each.mark == 1 for each in other.modules())
    for move in (lambda: other.cuda(), lambda: other.to("cuda:0")):
        with pytest.raises((RuntimeError, ValueError)):
            move()


@pytest.mark.parametrize("kind", ["SGD", "Adam", "AdamW", "RMSprop"])
def test_training_from_equal_weights(kind: str) -> None:
    """Forty steps with clipping, two groups, a schedule and a reload in the middle."""
    losses: list[list[float]] = []
    for T in sides():
        net = T.Net()

        def made(net: Any = net, T: Any = T) -> tuple[Any, Any]:
            grouped = [
                {"params": net.layers.parameters()},
                {"params": [*net.head.parameters(), net.scale], "weight_decay": 0.1},
            ]
            optimizer = getattr(T.optim, kind)(grouped, lr=0.02)
            return optimizer, T.schedule.StepLR(optimizer, 10, 0.7)

        optimizer, schedule = made()
        random, curve = np.random.RandomState(0), []
        for step in range(40):
            x = random.randn(16, 4).astype(np.float32)
            target = np.stack([x.sum(1), x[:, 0] * 2, -x[:, 1]], 1).astype(np.float32)
            optimizer.zero_grad()
            loss = (net(T.tensor(x)) - T.tensor(target)).square().mean()
            loss.backward()
            T.clip(net.parameters(), 5.0)
            optimizer.step()
            schedule.step()
            curve.append(loss.item())
            if step == 20:
                saved = copy.deepcopy((net.state_dict(), optimizer.state_dict(), schedule.state_dict()))
                optimizer, schedule = made()
                for part, state in zip((net, optimizer, schedule), saved, strict=True):
                    part.load_state_dict(state)
        losses.append([*curve, float(net.seen)])
    assert losses[0][-2] < losses[0][0]
    np.testing.assert_allclose(losses[1], losses[0], rtol=2e-4)


def test_a_cell_in_a_module() -> None:
    cell = mindspore.nn.SequentialCell(mindspore.nn.Dense(4, 3), mindspore.nn.ReLU())
    weight, bias = cell[0].weight.asnumpy().copy(), cell[0].bias.asnumpy().copy()

    class Holder(ours_nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.inner = cell
            self.scale = ours_nn.Parameter(from_numpy(np.full(3, 2, np.float32)))

        def forward(self, x: Any) -> Any:
            return self.inner(x) * self.scale

    net = Holder()
    assert list(net.state_dict()) == ["scale", "inner.0.weight", "inner.0.bias"]
    x = np.linspace(-1, 1, 8, dtype=np.float32).reshape(2, 4)
    for _ in range(2):
        net(from_numpy(x.copy())).sum().backward()
    active = (x @ weight.T + bias > 0).astype(np.float32)
    expected = 2 * 2 * active.T @ x
    np.testing.assert_allclose(values_of(net.inner.get_parameter("0.weight").grad), expected, rtol=1e-5, atol=1e-6)
    optimizer = ours_optim.SGD(net.parameters(), lr=0.1)
    optimizer.step()
    np.testing.assert_allclose(
        values_of(net.state_dict()["inner.0.weight"]), weight - 0.1 * expected, rtol=1e-5, atol=1e-6
    )
    np.testing.assert_allclose(cell[0].weight.asnumpy(), weight - 0.1 * expected, rtol=1e-5, atol=1e-6)
    net.load_state_dict({name: value * 0 for name, value in net.state_dict().items()})
    assert float(abs(cell[0].weight.asnumpy()).sum()) == 0


def test_a_parameter_of_mindspores() -> None:
    held = mindspore.Parameter(mindspore.Tensor([1.0, 2.0]), name="held")
    net = ours_nn.Module()
    net.weight = held
    assert list(net.state_dict()) == ["weight"]
    (net.weight * net.weight).sum().backward()
    ours_optim.SGD(net.parameters(), lr=0.25).step()
    np.testing.assert_allclose(held.asnumpy(), [0.5, 1.0])


def test_a_module_in_a_cell() -> None:
    _, ours = sides()
    inner = ours.Linear(4, 3)

    class Outer(mindspore.nn.Cell):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.inner = ours_nn.as_cell(inner)
            self.dense = mindspore.nn.Dense(3, 2)

        def construct(self, x: Any) -> Any:
            return self.dense(self.inner(x))

    cell = Outer()
    names = [name for name, _ in cell.parameters_and_names()]
    assert len(names) == 4, names
    x = mindspore.Tensor(np.linspace(-1, 1, 8, dtype=np.float32).reshape(2, 4))
    before = cell(x).asnumpy()
    _, gradients = mindspore.value_and_grad(lambda data: cell(data).sum(), None, cell.trainable_params())(x)
    found = {tuple(p.shape): g.asnumpy() for p, g in zip(cell.trainable_params(), gradients, strict=True)}
    outer = cell.dense.weight.asnumpy().sum(0)
    np.testing.assert_allclose(found[3, 4], np.outer(outer, x.asnumpy().sum(0)), rtol=1e-4, atol=1e-5)
    inner(from_numpy(x.asnumpy())).sum().backward()
    np.testing.assert_allclose(values_of(inner.bias.grad), [2, 2, 2])
    optimizer = mindspore.nn.SGD(cell.trainable_params(), 0.1)
    weight = inner.weight.detach().clone()
    optimizer(gradients)
    np.testing.assert_allclose(values_of(inner.weight), values_of(weight) - 0.1 * found[3, 4], rtol=1e-5, atol=1e-6)
    with no_grad():
        inner.weight.mul_(2)
    assert not np.allclose(cell(x).asnumpy(), before)
    np.testing.assert_array_equal(
        next(p for _, p in cell.parameters_and_names() if tuple(p.shape) == (3, 4)).asnumpy(), values_of(inner.weight)
    )
