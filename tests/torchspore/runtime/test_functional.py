"""The functions of layers against torch: its own descriptions of them, sample by sample, and what these leave out."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from described import assert_alike, flat, ours, seeded
from sides import assert_same, outcome, pair
from torch.nn import functional as theirs
from torch.testing._internal.common_methods_invocations import op_db

from torchspore._runtime import functional
from torchspore._runtime.autograd.modes import no_grad
from torchspore._runtime.core.errors import UnsupportedArgument

pytestmark = [pytest.mark.frameworks, pytest.mark.filterwarnings("ignore")]

MOST = 14
"""How many samples of a description are run."""
DIRECT = ("dropout", "rrelu", "scaled_dot_product_attention", "multi_head_attention_forward")
"""Whose descriptions seed the random stream themselves: torch's function is called instead."""
DESCRIBED = {
    f"{each.name.removeprefix('nn.functional.')}{'.' if each.variant_test_name else ''}{each.variant_test_name}": each
    for each in op_db
    if each.name.removeprefix("nn.functional.") in functional.__all__ and each.name != "unfold"  # that of tensors
}
TOO_UNLIKE = {("layer_norm", 2), ("batch_norm", 3), ("batch_norm", 4), *(("ctc_loss", number) for number in range(12))}
"""Samples where only roundings are left of the result, or whose shape has no channels; `ctc_loss` has a test below."""


def called(name: str, described: Any) -> tuple[Callable[..., Any], Callable[..., Any]]:
    function = getattr(functional, name)
    if name == "embedding":
        return described.op, lambda weight, index, **settings: function(index, weight, **settings)
    if any(each in name for each in DIRECT):
        return getattr(theirs, name), function
    return described.op, function


def settings_of(sample: Any) -> Any:
    settings = ours(sample.kwargs)
    if settings.get("distance_function") is not None:
        settings["distance_function"] = functional.pairwise_distance
    return settings


@pytest.mark.parametrize("described", DESCRIBED)
def test_descriptions(described: str) -> None:
    info = DESCRIBED[described]
    name = described.partition(".")[0]
    their, function = called(name, info)
    seeded(0)
    dtype = torch.float32 if torch.float32 in info.supported_dtypes("cpu") else torch.int64
    grad = dtype.is_floating_point and info.supports_autograd
    for number, sample in enumerate(itertools.islice(info.sample_inputs("cpu", dtype, requires_grad=grad), MOST)):
        if (name, number) in TOO_UNLIKE:
            continue
        arguments, settings = (sample.input, *sample.args), sample.kwargs
        mine, own = ours(arguments), settings_of(sample)
        assert_alike(
            lambda: their(*arguments, **settings),  # noqa: B023
            lambda: function(*mine, **own),  # noqa: B023
            flat([arguments, settings]),
            flat([mine, own]),
            number,
        )


@pytest.mark.parametrize("described", [name for name, each in DESCRIBED.items() if each.error_inputs_func])
def test_refusals(described: str) -> None:
    info = DESCRIBED[described]
    function = called(described.partition(".")[0], info)[1]
    for each in info.error_inputs("cpu"):
        sample = each.sample_input
        expected = outcome(info.op, sample.input, *sample.args, **sample.kwargs)
        if isinstance(expected, Exception):
            found = outcome(function, *ours((sample.input, *sample.args)), **ours(sample.kwargs))
            assert isinstance(found, type(expected)), (expected, found)


X = np.random.RandomState(0).randn(2, 4, 6).astype(np.float32)
CALLS: dict[str, Callable[[Any, Any], Any]] = {
    "affine_grid": lambda F, x: F.affine_grid(x[:, :2, :3], (2, 3, 4, 5), align_corners=True),
    "affine_grid_between": lambda F, x: F.affine_grid(x[:, :3, :4], (2, 3, 4, 5, 6), align_corners=False),
    "gumbel_softmax": lambda F, x: F.gumbel_softmax(x, 0.7),
    "gumbel_softmax_hard": lambda F, x: F.gumbel_softmax(x, 0.7, hard=True, dim=1) * x,
    "dropout1d": lambda F, x: F.dropout1d(x, 0.4),
    "dropout1d_unbatched": lambda F, x: F.dropout1d(x[0], 0.4),
    "feature_alpha_dropout": lambda F, x: F.feature_alpha_dropout(x, 0.4, training=True),
    "alpha_dropout": lambda F, x: F.alpha_dropout(x, 0.4, training=True),
    "rrelu": lambda F, x: F.rrelu(x, training=True),
    "fold": lambda F, x: F.fold(x, (3, 4), (2, 2)),
    "lp_pool1d": lambda F, x: F.lp_pool1d(x, 2, 3, stride=2),
    "lp_pool2d": lambda F, x: F.lp_pool2d(x * x, 1.5, (2, 3), ceil_mode=True),
    "lp_pool3d": lambda F, x: F.lp_pool3d(x[None], 2, 2),
    "upsample": lambda F, x: F.upsample(x, scale_factor=2),
    "upsample_bilinear": lambda F, x: F.upsample_bilinear(x[None], 5),
    "max_pool2d_with_indices": lambda F, x: F.max_pool2d_with_indices(x, 2)[0],
    "one_tensor_three_times": lambda F, x: F.scaled_dot_product_attention(x, x, x, is_causal=True),
    "a_tensor_and_itself": lambda F, x: F.mse_loss(x, x * 1, reduction="sum") + F.cosine_similarity(x, x).sum(),
    "dropout_attention": lambda F, x: F.scaled_dot_product_attention(x, x, x, dropout_p=0.5),
    "strided": lambda F, x: F.linear(x.transpose(1, 2), x[0]) + F.softmax(x.transpose(0, 1), 0).sum(),
    "in_place": lambda F, x: F.leaky_relu(F.relu(x * 2, inplace=True) - 1, 0.2, inplace=True),
    "in_place_chain": lambda F, x: F.relu_(F.layer_norm(x, (6,))) * F.elu_(x * 1) * F.hardtanh_(x * 3, -2, 2),
    "dropout_in_place": lambda F, x: F.dropout(x * 1, 0.3, inplace=True),
    "log_softmax_dtype": lambda F, x: F.log_softmax(x, -1).exp() + F.softmin(x, 1),
    "half_of_a_batch": lambda F, x: F.conv1d(x[:0], x[:, :, :3]),
}


@pytest.mark.parametrize("name", CALLS)
def test_calls(name: str) -> None:
    x, mine = pair(X, True)
    call = CALLS[name]
    assert_alike(lambda: call(theirs, x), lambda: call(functional, mine), [x], [mine], 3)


@pytest.mark.parametrize("kind", ["float64", "float16", "bfloat16"])
@pytest.mark.parametrize("name", ["gelu", "softmax", "layer_norm", "linear", "cross_entropy", "silu", "mse_loss"])
def test_other_dtypes(name: str, kind: str) -> None:
    calls: dict[str, Callable[[Any, Any], Any]] = {
        "softmax": lambda F, x: F.softmax(x, -1),
        "layer_norm": lambda F, x: F.layer_norm(x, (6,)),
        "linear": lambda F, x: F.linear(x, x.detach()[1]),
        "cross_entropy": lambda F, x: F.cross_entropy(x, F.softmax(x.detach(), 1)),
        "mse_loss": lambda F, x: F.mse_loss(x, x.detach() * 2),
    }
    call = calls.get(name, lambda F, x: getattr(F, name)(x))
    x = torch.from_numpy(X).to(getattr(torch, kind)).requires_grad_()
    mine = ours(x)
    assert_alike(lambda: call(theirs, x), lambda: call(functional, mine), [x], [mine])


@pytest.mark.parametrize("blank", [0, 4])
@pytest.mark.parametrize("reduction", ["none", "mean", "sum"])
def test_labels_of_sequences(reduction: str, blank: int) -> None:
    """Gradients by scores: torch's own by logarithms hold only behind a softmax."""
    seeded(4)
    scores = torch.randn(12, 3, 5, requires_grad=True)
    mine = ours(scores)
    labels = torch.randint(0, 4, (3, 4)) + (1 if blank == 0 else 0)
    lengths, counts = torch.tensor([12, 9, 7]), torch.tensor([4, 0, 3])
    rest = (*ours((labels, lengths, counts)), blank, reduction)
    assert_alike(
        lambda: theirs.ctc_loss(scores.log_softmax(2), labels, lengths, counts, blank, reduction),
        lambda: functional.ctc_loss(functional.log_softmax(mine, 2), *rest),
        [scores],
        [mine],
    )


def test_running_statistics() -> None:
    for name, shape in (("batch_norm", (4, 3, 5)), ("instance_norm", (4, 3, 5)), ("batch_norm", (0, 3, 5))):
        x = torch.randn(shape)
        mean, variance = torch.rand(3), torch.rand(3)
        own_mean, own_variance, mine = ours(mean), ours(variance), ours(x)
        getattr(theirs, name)(x, mean, variance, None, None, True, 0.3)
        getattr(functional, name)(mine, own_mean, own_variance, None, None, True, 0.3)
        assert_same(mean, own_mean)
        assert_same(variance, own_variance)


def test_rows_are_shortened_in_the_table() -> None:
    weight, index = torch.randn(6, 4), torch.tensor([[0, 5], [2, 2]])
    mine = ours(weight)
    expected = theirs.embedding(index, weight, max_norm=1.0)
    assert_same(expected, functional.embedding(ours(index), mine, max_norm=1.0))
    assert_same(weight, mine)


def test_a_write_between_is_noticed() -> None:
    for call in (lambda F, x: F.sigmoid(x), lambda F, x: F.softmax(x, -1)):
        _, mine = pair(X, True)
        result = call(functional, mine * 1)
        with no_grad():
            result.mul_(2)
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            result.sum().backward()
    _, mine = pair(X, True)
    between = mine * 1
    result = functional.gelu(between)
    with no_grad():
        between.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        result.sum().backward()


def test_what_mindspore_has_nothing_for_is_refused() -> None:
    weight, index = ours(torch.randn(6, 4)).requires_grad_(), ours(torch.tensor([1]))
    for call in (functional.embedding, functional.embedding_bag):
        with pytest.raises(UnsupportedArgument, match="sparse"):
            call(index if call is functional.embedding else index[None], weight, sparse=True)


def test_tensors_of_mindspore_are_taken() -> None:
    import mindspore

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = functional.relu(mindspore.Tensor(X))
    assert_same(theirs.relu(torch.from_numpy(X)), found)
