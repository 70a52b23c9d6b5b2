"""Initial weights are torch's, from the seed alone, whatever the layout of the tensor."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import mindspore
import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.nn import init as theirs

from torchspore._runtime.core import arrays
from torchspore._runtime.core.arrays import Layout
from torchspore._runtime.core.private import is_enabled, is_recording, set_recording
from torchspore._runtime.init import filling as ours
from torchspore._runtime.init import values
from torchspore._runtime.random import generator as streams
from torchspore._runtime.random.state import packed

pytestmark = pytest.mark.frameworks

FLOATS = ("float16", "bfloat16", "float32", "float64")


def array(tensor: torch.Tensor) -> Any:
    return (tensor.float() if tensor.dtype == torch.bfloat16 else tensor).numpy()


def seeded(seed: int) -> None:
    torch.manual_seed(seed)
    streams.manual_seed(seed)


def same_state() -> None:
    assert packed(streams.default_generator._state).tobytes() == torch.get_rng_state().numpy().tobytes()


CALLS: dict[str, tuple[Any, ...]] = {
    "uniform_": (-0.5, 2.0),
    "normal_": (0.3, 0.02),
    "constant_": (0.7,),
    "ones_": (),
    "zeros_": (),
    "xavier_uniform_": (1.3,),
    "xavier_normal_": (),
    "kaiming_uniform_": (5**0.5,),
    "kaiming_normal_": (0, "fan_out", "relu"),
    "trunc_normal_": (0.0, 0.02),
}


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("name", CALLS)
def test_filling_tensors_of_mindspore(name: str, dtype: str) -> None:
    seeded(1)
    for shape in ((3, 4), (16, 5), (8, 3, 3, 3), (2, 1), (64, 130)):
        tensor = mindspore.Tensor(np.full(shape, 7, np.float32)).astype(getattr(mindspore, dtype))
        wanted = torch.full(shape, 7, dtype=getattr(torch, dtype))
        assert getattr(ours, name)(tensor, *CALLS[name]) is tensor
        getattr(theirs, name)(wanted, *CALLS[name])
        np.testing.assert_array_equal(arrays.to_array(tensor), array(wanted))
        assert str(tensor.dtype).lower() == dtype
    same_state()


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("shape", [(), (3, 4)], ids=str)
def test_filling_while_operations_are_recorded(shape: tuple[int, ...], dtype: str) -> None:
    before = is_recording()
    set_recording(True)
    try:
        tensor = mindspore.Tensor(np.full(shape, 7, np.float32)).astype(getattr(mindspore, dtype))
        assert is_enabled() and ours.ones_(tensor) is tensor and is_enabled()
    finally:
        set_recording(before)
    np.testing.assert_array_equal(arrays.to_array(tensor), np.ones(shape))


@settings(max_examples=150, deadline=None)
@given(
    st.integers(0, 2**40),
    st.lists(st.integers(1, 9), min_size=1, max_size=3).map(tuple),
    st.sampled_from(FLOATS),
    st.floats(-3, 3),
    st.floats(0.05, 2),
    st.tuples(st.floats(-2, 2), st.floats(0.05, 4)),
)
def test_truncated_normal_numbers(
    seed: int, shape: tuple[int, ...], dtype: str, mean: float, std: float, limits: tuple[float, float]
) -> None:
    seeded(seed)
    low, high = limits[0], limits[0] + limits[1]
    wanted = torch.empty(shape, dtype=getattr(torch, dtype))
    layout = Layout(shape, dtype, tuple(wanted.stride()))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs.trunc_normal_(wanted, mean, std, low, high)
        drawn = values.truncated_normal(layout, mean, std, low, high, streams.default_generator)
    np.testing.assert_array_equal(drawn, array(wanted))
    same_state()


@pytest.mark.parametrize("shape", [(4, 4), (5, 3), (3, 5), (8, 3, 3, 3), (2, 1)])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_orthogonal_up_to_the_factorization(shape: tuple[int, ...], dtype: str) -> None:
    seeded(2)
    wanted = theirs.orthogonal_(torch.empty(shape, dtype=getattr(torch, dtype)), 1.7)
    tensor = mindspore.Tensor(np.zeros(shape, dtype))
    ours.orthogonal_(tensor, 1.7)
    np.testing.assert_allclose(tensor.asnumpy(), wanted.numpy(), atol=3e-6 if dtype == "float32" else 1e-14)
    same_state()


def test_sparse_uses_both_generators() -> None:
    seeded(3)
    own, other = streams.Generator().manual_seed(8), torch.Generator().manual_seed(8)
    tensor = mindspore.Tensor(np.zeros((7, 5), np.float32))
    wanted = theirs.sparse_(torch.empty(7, 5), 0.4, 0.1, generator=other)
    ours.sparse_(tensor, 0.4, 0.1, own)
    np.testing.assert_array_equal(tensor.asnumpy(), wanted.numpy())
    same_state()


@pytest.mark.parametrize("shape", [(4, 4), (5, 3), (2, 6)])
def test_identities(shape: tuple[int, int]) -> None:
    tensor = mindspore.Tensor(np.full(shape, 7, np.float32))
    np.testing.assert_array_equal(ours.eye_(tensor).asnumpy(), theirs.eye_(torch.empty(shape)).numpy())
    for kernel in ((3,), (3, 4), (1, 2, 3)):
        for groups in (1, shape[0]):
            tensor = mindspore.Tensor(np.full((*shape, *kernel), 7, np.float32))
            wanted = theirs.dirac_(torch.empty(*shape, *kernel), groups)
            np.testing.assert_array_equal(ours.dirac_(tensor, groups).asnumpy(), wanted.numpy())


def test_layouts_are_filled_in_the_order_of_memory() -> None:
    seeded(4)
    for dtype in FLOATS:
        wanted = torch.empty(6, 3, 5, dtype=getattr(torch, dtype)).permute(2, 0, 1)
        theirs.trunc_normal_(wanted)
        layout = Layout(tuple(wanted.shape), dtype, wanted.stride())
        drawn = values.truncated_normal(layout, 0, 1, -2, 2, streams.default_generator)
        np.testing.assert_array_equal(drawn, array(wanted))
    same_state()


NONLINEARITIES = [
    "linear", "conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d", "sigmoid",
    "tanh", "relu", "leaky_relu", "selu",
]  # fmt: skip


@pytest.mark.parametrize("name", NONLINEARITIES)
def test_gains(name: str) -> None:
    for param in (None, 0, 0.3):
        assert ours.calculate_gain(name, param) == theirs.calculate_gain(name, param)


def matrix(*shape: int) -> tuple[Any, torch.Tensor]:
    return mindspore.Tensor(np.ones(shape, np.float32)), torch.ones(shape)


BAD: list[tuple[Callable[[Any, Any], object], tuple[int, ...]]] = [
    (lambda init, x: init.xavier_uniform_(x), (3,)),
    (lambda init, x: init.kaiming_normal_(x), (3,)),
    (lambda init, x: init.kaiming_normal_(x, mode="fan"), (3, 3)),
    (lambda init, x: init.kaiming_normal_(x, nonlinearity="swish"), (3, 3)),
    (lambda init, x: init.calculate_gain("leaky_relu", True), (1,)),
    (lambda init, x: init.calculate_gain("leaky_relu", "x"), (1,)),
    (lambda init, x: init.eye_(x), (3,)),
    (lambda init, x: init.dirac_(x), (3, 3)),
    (lambda init, x: init.dirac_(x, 2), (3, 3, 3)),
    (lambda init, x: init.orthogonal_(x), (3,)),
    (lambda init, x: init.sparse_(x, 0.1), (3,)),
    (lambda init, x: init.uniform_(x, 1, 0), (3,)),
    (lambda init, x: init.normal_(x, 0, -1), (3,)),
]


@pytest.mark.parametrize("case", range(len(BAD)))
def test_what_torch_refuses_is_refused(case: int) -> None:
    call, shape = BAD[case]
    tensor, other = matrix(*shape)
    with pytest.raises((ValueError, RuntimeError)) as wanted:
        call(theirs, other)
    with pytest.raises(wanted.type):
        call(ours, tensor)
    assert (tensor.asnumpy() == 1).all()


def test_old_names_warn_as_in_torch() -> None:
    tensor, other = matrix(3, 3)
    for init, one in ((ours, tensor), (theirs, other)):
        with pytest.warns(FutureWarning, match=r"`nn.init.constant` is now deprecated"):
            assert init.constant(one, 2.0) is one
    assert (tensor.asnumpy() == 2).all()
    with pytest.warns(UserWarning, match="no-op"):
        ours.kaiming_uniform_(mindspore.Tensor(np.ones((0, 3), np.float32)))
