"""The layers against torch: its own descriptions of modules (names, initial values, text, results, gradients, states),
and what these leave out.
"""

from __future__ import annotations

import copy
import inspect
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from described import assert_alike, assert_equal, assert_same_streams, flat, ours, seeded, tensor
from sides import assert_same, pair, values_of
from torch import nn as theirs
from torch.testing._internal.common_modules import ModuleErrorEnum, module_db

from torchspore._runtime import layers
from torchspore._runtime.core.errors import UnsupportedArgument
from torchspore._runtime.module import Module, Sequential
from torchspore._runtime.tensor import dtypes

pytestmark = [pytest.mark.frameworks, pytest.mark.filterwarnings("ignore")]

MOST = 12
"""How many samples of a description are run."""
DESCRIBED = {each.module_cls.__name__: each for each in module_db if each.module_cls.__name__ in layers.__all__}
OWN = ("PackedSequence", "invert_permutation", "NonDynamicallyQuantizableLinear")
UNSIGNED = (
    "RNN", "LSTM", "GRU", "LogSigmoid", "Sigmoid", "Softmax2d", "Softsign", "Tanh", "Tanhshrink",
)  # fmt: skip
"""Whose parameters torch does not name."""
SEQUENCES = (
    "pack_padded_sequence",
    "pack_sequence",
    "pad_packed_sequence",
    "pad_sequence",
    "unpack_sequence",
    "unpad_sequence",
)


def samples(info: Any, training: bool) -> list[Any]:
    """What a description is run with: some from the beginning and some from all over."""
    seeded(1)
    found = list(
        info.module_inputs_func(info, device="cpu", dtype=torch.float32, requires_grad=True, training=training)
    )
    return found if len(found) <= MOST else [*found[: MOST // 2], *found[MOST // 2 :: max(1, 2 * len(found) // MOST)]]


def assert_same_state(one: Any, other: Any) -> None:
    """Names, order, dtypes and values of all that is saved."""
    expected, found = one.state_dict(), other.state_dict()
    assert list(expected) == list(found)
    for name, value in expected.items():
        assert_same(value, found[name], 0, 0)
    assert [name for name, _ in one.named_parameters()] == [name for name, _ in other.named_parameters()]


def made(name: str, arguments: tuple[Any, ...], settings: dict[str, Any]) -> tuple[Any, Any]:
    """A layer of each side from one seed, alike in text, state and what it took from the random stream."""
    given, named = ours(arguments), ours(settings)
    seeded(3)
    one = getattr(theirs, name)(*arguments, **settings)
    other = getattr(layers, name)(*given, **named)
    assert_same_streams()
    assert repr(one) == repr(other)
    assert_same_state(one, other)
    return one, other


@pytest.mark.parametrize("training", [True, False], ids=["training", "evaluation"])
@pytest.mark.parametrize("name", DESCRIBED)
def test_descriptions(name: str, training: bool) -> None:
    for number, sample in enumerate(samples(DESCRIBED[name], training)):
        constructor, call = sample.constructor_input, sample.forward_input
        one, other = made(name, constructor.args, constructor.kwargs)
        one.train(training)
        other.train(training)
        if call is None:
            continue
        arguments, settings = apart((call.args, call.kwargs))
        mine, own = ours(arguments), ours(settings)
        assert_alike(
            lambda: one(*arguments, **settings),  # noqa: B023
            lambda: other(*mine, **own),  # noqa: B023
            [*flat([arguments, settings]), *one.parameters()],
            [*flat([mine, own]), *other.parameters()],
            number,
        )
        for (_, kept), (_, held) in zip(one.named_buffers(), other.named_buffers(), strict=True):
            assert_equal(kept, held, "buffer")


def apart(call: Any) -> Any:
    """A call whose tensors are leaves, each of its own."""
    if isinstance(call, torch.Tensor):
        return call.detach().clone().requires_grad_(call.requires_grad)
    if isinstance(call, dict):
        return {key: apart(each) for key, each in call.items()}
    return type(call)(map(apart, call)) if type(call) in (tuple, list) else call


@pytest.mark.parametrize("name", [name for name, each in DESCRIBED.items() if each.module_error_inputs_func])
def test_refusals(name: str) -> None:
    info = DESCRIBED[name]
    for each in info.module_error_inputs_func(
        info, device="cpu", dtype=torch.float32, requires_grad=False, training=True
    ):
        constructor, call = each.module_error_input.constructor_input, each.module_error_input.forward_input

        def construct() -> Any:
            return getattr(layers, name)(*ours(constructor.args), **ours(constructor.kwargs))  # noqa: B023

        if each.error_on == ModuleErrorEnum.CONSTRUCTION_ERROR:
            with pytest.raises(each.error_type):
                construct()
        else:
            layer = construct()
            with pytest.raises(each.error_type):
                layer(*ours(call.args), **ours(call.kwargs))


@pytest.mark.parametrize("name", sorted(set(layers.__all__) - {*OWN, *SEQUENCES, *UNSIGNED}))
def test_signatures(name: str) -> None:
    """Parameters under torch's names, in its order, with its defaults."""
    expected = list(inspect.signature(getattr(theirs, name).__init__).parameters.values())[1:]
    found = list(inspect.signature(getattr(layers, name).__init__).parameters.values())[1:]
    assert [each.name for each in expected] == [each.name for each in found]
    for one, other in zip(expected, found, strict=True):
        assert one.kind == other.kind
        assert one.default == other.default or callable(one.default)


IMAGE = np.random.RandomState(0).randn(2, 4, 6, 6).astype(np.float32)
ROWS = np.random.RandomState(1).randn(5, 6).astype(np.float32)
PROGRAMS: dict[str, tuple[str, tuple[Any, ...], dict[str, Any], Any]] = {
    "dropout": ("Dropout", (0.3,), {}, IMAGE),
    "dropout1d": ("Dropout1d", (0.3,), {}, IMAGE[0]),
    "dropout2d": ("Dropout2d", (0.3,), {}, IMAGE),
    "dropout3d": ("Dropout3d", (0.3,), {}, IMAGE),
    "alpha": ("AlphaDropout", (0.3,), {}, IMAGE),
    "features": ("FeatureAlphaDropout", (0.3,), {}, IMAGE),
    "shuffle": ("ChannelShuffle", (2,), {}, IMAGE),
    "pixels": ("PixelShuffle", (2,), {}, IMAGE),
    "places": ("PixelUnshuffle", (2,), {}, IMAGE),
    "flatten": ("Flatten", (), {}, IMAGE),
    "flatten_some": ("Flatten", (1, 2), {}, IMAGE),
    "unflatten": ("Unflatten", (1, (2, -1)), {}, IMAGE),
    "identity": ("Identity", (54, "any"), {"unused": 1}, IMAGE),
    "hardsigmoid": ("Hardsigmoid", (), {}, IMAGE),
    "rrelu": ("RReLU", (), {}, IMAGE),
    "unfold": ("Unfold", (3,), {"padding": 1, "stride": 2}, IMAGE),
    "fold": ("Fold", ((3, 4), (2, 2)), {}, IMAGE[0, :, :1].repeat(6, 1).reshape(4, 36)[:, :6]),
    "upsample": ("Upsample", (), {"scale_factor": 2, "mode": "bilinear"}, IMAGE),
    "nearest": ("UpsamplingNearest2d", (9,), {}, IMAGE),
    "straight": ("UpsamplingBilinear2d", (), {"scale_factor": 2}, IMAGE),
    "instance": ("InstanceNorm2d", (4,), {"affine": True, "track_running_stats": True}, IMAGE),
    "group": ("GroupNorm", (2, 4), {}, IMAGE),
    "reflected": ("Conv2d", (4, 2, 3), {"padding": 2, "padding_mode": "reflect"}, IMAGE),
    "circular": ("Conv2d", (4, 8, (3, 2)), {"padding": (1, 2), "padding_mode": "circular", "groups": 2}, IMAGE),
    "same": ("Conv2d", (4, 8, (4, 2)), {"padding": "same", "dilation": 2, "bias": False}, IMAGE),
    "half": ("Linear", (6, 3), {"dtype": torch.float64}, ROWS.astype(np.float64)),
    "stacked": ("LSTM", (6, 4, 3), {"dropout": 0.4, "bidirectional": True, "batch_first": True}, IMAGE[0]),
    "gated": ("GRU", (6, 4, 2), {"dropout": 0.4}, IMAGE[0]),
    "projected": ("LSTM", (6, 4), {"proj_size": 2, "bidirectional": True}, IMAGE[0]),
    "one_layer": ("TransformerEncoderLayer", (6, 2, 8), {"dropout": 0.2, "batch_first": True}, IMAGE[0]),
}  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS)
def test_programs(program: str) -> None:
    name, arguments, settings, values = PROGRAMS[program]
    one, other = made(name, arguments, settings)
    x, mine = pair(values, True)
    assert_alike(lambda: one(x), lambda: other(mine), [x, *one.parameters()], [mine, *other.parameters()], 7)
    for (_, kept), (_, held) in zip(one.named_buffers(), other.named_buffers(), strict=True):
        assert_equal(kept, held, "buffer")


SEVERAL: dict[str, tuple[str, tuple[Any, ...], dict[str, Any], Callable[[Any], Any]]] = {
    "cosine": (
        "CosineSimilarity",
        (),
        {},
        lambda x: (x, x.flip(0) if isinstance(x, torch.Tensor) else x[[4, 3, 2, 1, 0]]),
    ),
    "distance": ("PairwiseDistance", (1.0,), {"keepdim": True}, lambda x: (x, x * 2)),
    "triplet": ("TripletMarginLoss", (), {"swap": True, "p": 3}, lambda x: (x, x * 2, x - 1)),
    "distances": ("TripletMarginWithDistanceLoss", (), {"margin": 2.0}, lambda x: (x, x * 2, x - 1)),
    "attention": ("MultiheadAttention", (6, 3), {"dropout": 0.3}, lambda x: (x[:, None], x[:3, None], x[:3, None])),
}


@pytest.mark.parametrize("program", SEVERAL)
def test_several_inputs(program: str) -> None:
    name, arguments, settings, inputs = SEVERAL[program]
    one, other = made(name, arguments, settings)
    x, mine = pair(ROWS, True)
    assert_alike(
        lambda: one(*inputs(x)), lambda: other(*inputs(mine)), [x, *one.parameters()], [mine, *other.parameters()], 7
    )


def test_decoder_and_stack() -> None:
    seeded(2)
    one = theirs.TransformerDecoder(theirs.TransformerDecoderLayer(8, 2, 16), 2, theirs.LayerNorm(8))
    other = layers.TransformerDecoder(layers.TransformerDecoderLayer(8, 2, 16), 2, layers.LayerNorm(8))
    assert repr(one) == repr(other)
    assert_same_state(one, other)
    x, memory = torch.randn(5, 3, 8, requires_grad=True), torch.randn(4, 3, 8, requires_grad=True)
    mask = theirs.Transformer.generate_square_subsequent_mask(5)
    assert_same(mask, layers.Transformer.generate_square_subsequent_mask(5))
    mine = [ours(x), ours(memory)]
    assert_alike(
        lambda: one(x, memory, mask),
        lambda: other(*mine, ours(mask)),
        [x, memory, *one.parameters()],
        [*mine, *other.parameters()],
        5,
    )


def test_tables() -> None:
    one, other = made("Embedding", (7, 3), {"padding_idx": -2})
    index = torch.tensor([[1, 5], [5, 6]])
    assert_alike(lambda: one(index), lambda: other(ours(index)), list(one.parameters()), list(other.parameters()))
    rows = torch.randn(4, 3)
    kept, held = theirs.Embedding.from_pretrained(rows), layers.Embedding.from_pretrained(ours(rows))
    assert repr(kept) == repr(held) and not held.weight.requires_grad
    assert_same(kept(torch.tensor([2])), held(ours(torch.tensor([2]))))
    for mode in ("sum", "mean", "max"):
        bag, mine = made("EmbeddingBag", (7, 3), {"mode": mode, "padding_idx": 1})
        offsets = torch.tensor([0, 2, 2])
        assert_alike(
            lambda: bag(index.reshape(-1), offsets),  # noqa: B023
            lambda: mine(ours(index.reshape(-1)), ours(offsets)),  # noqa: B023
            list(bag.parameters()),
            list(mine.parameters()),
        )
    with pytest.raises(UnsupportedArgument, match="sparse"):
        layers.Embedding(3, 2, sparse=True)(ours(torch.tensor([1])))


@pytest.mark.parametrize("sorted_first", [True, False])
@pytest.mark.parametrize("kind", ["RNN", "LSTM", "GRU"])
def test_packed_sequences(kind: str, sorted_first: bool) -> None:
    one, other = made(kind, (3, 4, 2), {"bidirectional": True})
    x = torch.randn(5, 3, 3, requires_grad=True)
    lengths = torch.tensor([5, 3, 2] if sorted_first else [2, 5, 3])
    mine = ours(x)
    rnn = theirs.utils.rnn

    def expected() -> Any:
        packed = rnn.pack_padded_sequence(x, lengths, enforce_sorted=sorted_first)
        result, states = one(packed)
        return [packed.data, packed.batch_sizes, *rnn.pad_packed_sequence(result, True, -1.0), states]

    def found() -> Any:
        packed = layers.pack_padded_sequence(mine, ours(lengths), enforce_sorted=sorted_first)
        result, states = other(packed)
        return [packed.data, packed.batch_sizes, *layers.pad_packed_sequence(result, True, -1.0), states]

    assert_alike(expected, found, [x, *one.parameters()], [mine, *other.parameters()])


def test_padded_sequences() -> None:
    rnn = theirs.utils.rnn
    parts = [torch.randn(n, 2, requires_grad=True) for n in (3, 1, 4)]
    mine = [ours(each) for each in parts]
    for first, side in itertools.product((True, False), ("right", "left")):
        assert_alike(
            lambda: rnn.pad_sequence(parts, first, 7.0, side),  # noqa: B023
            lambda: layers.pad_sequence(mine, first, 7.0, side),  # noqa: B023
            parts,
            mine,
        )
    packed = layers.pack_sequence(mine, enforce_sorted=False)
    assert_same(rnn.pack_sequence(parts, enforce_sorted=False).data, packed.data)
    for one, other in zip(parts, layers.unpack_sequence(packed), strict=True):
        assert_same(one, other)


def test_a_network_learns_as_in_torch() -> None:
    """Five steps of training from one seed, with everything that a small network for images has."""

    def network(nn: Any, row: Any) -> Any:
        return row(
            nn.Conv2d(4, 6, 3, padding=1), nn.BatchNorm2d(6), nn.ReLU(inplace=True), nn.MaxPool2d(2), nn.Dropout2d(0.2),
            nn.Conv2d(6, 8, 3), nn.GroupNorm(2, 8), nn.GELU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Dropout(0.1),
            nn.Linear(8, 16), nn.LayerNorm(16), nn.SiLU(), nn.Linear(16, 3),
        )  # fmt: skip

    seeded(6)
    one, other = network(theirs, theirs.Sequential), network(layers, Sequential)
    assert repr(one) == repr(other)
    x, mine = pair(IMAGE.repeat(4, 0))
    target = torch.arange(8) % 3
    seeded(7)
    for _ in range(5):
        expected = theirs.CrossEntropyLoss(label_smoothing=0.1)(one(x), target)
        found = layers.CrossEntropyLoss(label_smoothing=0.1)(other(mine), tensor(target))
        assert_equal(expected, found, "loss", 10)
        for layer in (one, other):
            layer.zero_grad()
        expected.backward()
        found.backward()
        with torch.no_grad():
            for each in one.parameters():
                each -= 0.05 * each.grad
        for each in other.parameters():
            each.data = each.data - each.grad * 0.05
    assert_same_streams()
    for name, value in one.state_dict().items():
        np.testing.assert_allclose(
            values_of(other.state_dict()[name]), value.numpy(), rtol=2e-3, atol=2e-4, err_msg=name
        )


def test_states_and_copies() -> None:
    seeded(1)
    one, other = theirs.BatchNorm1d(3), layers.BatchNorm1d(3)
    other.load_state_dict({name: tensor(value) for name, value in one.state_dict().items()})
    old = {name: value for name, value in other.state_dict().items() if name != "num_batches_tracked"}
    assert str(other.load_state_dict(old)) == "<All keys matched successfully>"
    copied = copy.deepcopy(layers.TransformerEncoderLayer(4, 2, 8))
    assert isinstance(copied, Module) and len(list(copied.parameters())) == 12
    assert layers.Linear(2, 3).half().weight.dtype is dtypes.float16
    replaced = layers.SyncBatchNorm.convert_sync_batchnorm(Sequential(layers.BatchNorm1d(3), layers.ReLU()))
    assert isinstance(replaced[0], layers.SyncBatchNorm)
    assert_same(one(torch.from_numpy(ROWS[:, :3])), replaced[0](pair(ROWS[:, :3])[1]))
