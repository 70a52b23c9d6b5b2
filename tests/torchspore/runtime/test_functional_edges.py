"""Functions of layers where numbers are no ordinary fractions, beside torch: whole and complex numbers, nan and inf,
tensors without elements, results written into their input, and which names of NumPy a function takes.
"""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest
from sides import assert_same, outcome, pair
from torch.nn import functional as theirs

from mapspore.adapter.runtime import BUILT_IN
from torchspore._runtime import functional
from torchspore._runtime.autograd.modes import no_grad
from torchspore._runtime.core.errors import UnsupportedArgument

pytestmark = [pytest.mark.frameworks, pytest.mark.filterwarnings("ignore")]

WHOLE = np.array([[3, -1, 4], [-5, 9, 2]])
SPECIAL = np.array([[0.5, np.nan, -2.0], [np.inf, 0.0, 1.0]], np.float32)
COMPLEX = (WHOLE + 1j * WHOLE[::-1]).astype(np.complex64)
IMAGE = np.arange(2 * 4 * 6, dtype=np.int64).reshape(1, 2, 4, 6) - 20
SPREAD = np.array([[1e38, -3e38, 2.0], [5.0, 6.0, 7.0]], np.float32)


def beside(name: str, arrays: list[Any], settings: dict[str, Any]) -> tuple[Any, Any]:
    """What both sides return, or raise."""
    pairs = [pair(each) if isinstance(each, np.ndarray) else (each, each) for each in arrays]
    return tuple(
        outcome(getattr(library, name), *(each[side] for each in pairs), **settings)
        for side, library in enumerate((theirs, functional))
    )  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("name", "arrays", "settings"),
    [
        ("relu", [np.array(-3, np.int8)], {}),
        ("relu", [COMPLEX], {}),
        ("relu", [WHOLE > 0], {}),
        ("silu", [COMPLEX], {}),
        ("tanhshrink", [COMPLEX], {}),
        ("threshold", [WHOLE.astype(np.int32), 1, -7], {}),
        ("threshold", [WHOLE.astype(np.uint8), 1, -7], {}),
        ("normalize", [COMPLEX], {"p": 3.0}),
        ("rms_norm", [COMPLEX, (3,)], {}),
        ("l1_loss", [WHOLE, WHOLE[::-1]], {"reduction": "sum"}),
        ("l1_loss", [COMPLEX, COMPLEX[::-1]], {}),
        ("l1_loss", [WHOLE > 0, SPECIAL], {}),
        ("hinge_embedding_loss", [WHOLE, np.sign(WHOLE)], {"margin": 2.7, "reduction": "none"}),
        ("margin_ranking_loss", [WHOLE, WHOLE[::-1], np.sign(WHOLE)], {}),
        ("poisson_nll_loss", [WHOLE, abs(WHOLE)], {"full": True}),
        ("soft_margin_loss", [WHOLE, np.sign(WHOLE)], {}),
        ("kl_div", [SPECIAL, WHOLE], {}),
        ("pairwise_distance", [WHOLE, WHOLE[::-1]], {}),
        ("bilinear", [WHOLE, WHOLE, np.ones((2, 3, 3), np.int64)], {}),
        ("conv2d", [IMAGE, np.ones((3, 2, 2, 2), np.int64)], {}),
        ("conv2d", [IMAGE.astype(np.int32), np.ones((3, 2, 2, 2), np.int32)], {"dilation": 2}),
        ("conv_transpose2d", [IMAGE, np.ones((2, 3, 2, 2), np.int64)], {}),
        ("avg_pool2d", [IMAGE, 3], {"padding": 1}),
        ("lp_pool2d", [IMAGE, 2, 2], {}),
        ("adaptive_avg_pool2d", [IMAGE.astype(np.complex64), 1], {}),
        ("unfold", [IMAGE > 0, 2], {}),
        ("interpolate", [IMAGE.astype(np.uint8)], {"size": (2, 3), "mode": "nearest-exact"}),
        ("interpolate", [abs(IMAGE).astype(np.uint8) * 5], {"size": (7, 4), "mode": "bilinear"}),
        ("interpolate", [abs(IMAGE).astype(np.uint8) * 5], {"size": (3, 9), "mode": "bicubic"}),
        ("max_unpool2d", [SPECIAL.reshape(1, 2, 3), np.zeros((1, 2, 3), np.int32), 2], {}),
    ],
)  # fmt: skip
def test_whole_and_complex_numbers(name: str, arrays: list[Any], settings: dict[str, Any]) -> None:
    wanted, got = beside(name, arrays, settings)
    if isinstance(wanted, Exception):
        assert isinstance(got, type(wanted)), got
    else:
        assert_same(wanted, got, rtol=1e-5)


@pytest.mark.parametrize(
    ("name", "arrays", "settings"),
    [
        ("multi_margin_loss", [SPECIAL, np.array([0, 2])], {"reduction": "none"}),
        ("binary_cross_entropy", [SPECIAL, abs(SPECIAL)], {}),
        ("cosine_similarity", [SPREAD, SPREAD], {}),
        ("cosine_embedding_loss", [SPECIAL, SPECIAL, np.array([0, 1])], {"reduction": "none"}),
        ("layer_norm", [SPREAD, (3,)], {}),
        ("group_norm", [SPREAD[:, :, None].repeat(2, 2), 3], {}),
        ("grid_sample", [SPREAD[None, None], SPECIAL[None, :, :2, None].repeat(2, 3)], {"align_corners": False}),
        ("softmax", [np.zeros((0, 3), np.int64), 1], {}),
        ("gumbel_softmax", [np.zeros((0, 3), np.int64)], {}),
        ("adaptive_max_pool2d", [np.zeros((0, 2, 4, 6), np.float32), 2], {}),
        ("max_unpool1d", [np.zeros((0, 2, 3), np.float32), np.zeros((0, 2, 3), np.int64), 2], {}),
        ("pixel_unshuffle", [np.zeros((0, 1, 6, 6), np.float32), 3], {}),
        ("batch_norm", [np.zeros((0, 3), np.float32), None, None, np.ones(3, np.float32)], {"training": True}),
        ("scaled_dot_product_attention", [np.zeros((0, 3, 4), np.float32)] * 3, {}),
    ],
)  # fmt: skip
def test_special_values_and_nothing_at_all(name: str, arrays: list[Any], settings: dict[str, Any]) -> None:
    wanted, got = beside(name, arrays, settings)
    if isinstance(wanted, Exception):
        assert isinstance(got, type(wanted)), got
    elif name in ("layer_norm", "group_norm"):  # where torch overflows, anything near the true value is right
        assert tuple(got.shape) == tuple(wanted.shape)
        assert np.isfinite(got.numpy()[1]).all()
        np.testing.assert_allclose(got.numpy()[1], wanted.numpy()[1], rtol=1e-5)
    else:
        assert_same(wanted, got, rtol=1e-5)


@pytest.mark.parametrize("name", ["hardtanh", "relu6"])
def test_whole_numbers_are_written_in_place(name: str) -> None:
    one, other = pair(WHOLE)
    assert_same(getattr(theirs, name)(one, inplace=True), getattr(functional, name)(other, inplace=True))
    assert_same(one, other)


@pytest.mark.parametrize(
    "call",
    [
        lambda f, x, w: f.cross_entropy(x, f.softmax(x, 1), w),
        lambda f, x, w: f.multilabel_soft_margin_loss(x, (x > 0).float(), w),
        lambda f, x, w: f.huber_loss(x, x * 2, weight=w.expand(2, 3)),
        lambda f, x, w: f.cosine_similarity(x, w.expand(2, 3), eps=20.0).sum(),
        lambda f, x, w: (f.softmax(x * w * 8, 1) * x).sum(),
        lambda f, x, w: (f.hardsigmoid(x) * w).sum(),
    ],
)
def test_gradients(call: Any) -> None:
    inputs = [pair(np.array(each, np.float32), True) for each in (SPREAD.clip(-2, 2), [0.5, 1.5, 0.7])]
    call(theirs, *(each[0] for each in inputs)).backward()
    call(functional, *(each[1] for each in inputs)).backward()
    for one, other in inputs:
        assert_same(one.grad, other.grad, rtol=1e-5)


def test_sparse_gradients_are_refused_and_nothing_else() -> None:
    _, weight = pair(np.ones((4, 2), np.float32), True)
    _, index = pair(np.array([1, 3]))
    with pytest.raises(UnsupportedArgument, match="sparse"):
        functional.embedding(index, weight, sparse=True)
    with no_grad():
        assert tuple(functional.embedding(index, weight, sparse=True).shape) == (2, 2)


def test_the_last_nan_of_a_window_is_its_greatest_element() -> None:
    values = np.array([[[1.0, np.nan, 3.0, np.nan], [2.0, 7.0, np.nan, 0.0]]], np.float32)
    one, other = pair(values)
    for wanted, got in zip(
        theirs.adaptive_max_pool2d(one, (1, 2), return_indices=True),
        functional.adaptive_max_pool2d(other, (1, 2), return_indices=True),
        strict=True,
    ):
        assert_same(wanted, got)


def test_which_functions_torch_has_built_in() -> None:
    known = {name for name in functional.__all__ if inspect.isbuiltin(getattr(theirs, name, None))}
    assert {name for name in known if not name.endswith("_")} - {"conv_tbc"} == BUILT_IN
