"""What torch's own descriptions of functions and modules are run with: their samples on both sides, results, gradients
and refusals compared. In: a sample of torch's. Out: the same for this runtime, and assertions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from sides import values_of

from torchspore._runtime import functional, layers
from torchspore._runtime.autograd import engine
from torchspore._runtime.random import generator as streams
from torchspore._runtime.random.state import packed
from torchspore._runtime.tensor import Tensor, dtypes, from_numpy

TOLERANCE = {"float32": (2e-5, 1e-5), "float64": (1e-7, 1e-7), "float16": (4e-3, 4e-3), "bfloat16": (3e-2, 3e-2)}


def tensor(theirs: torch.Tensor) -> Any:
    """The same values here, as a leaf that wants a gradient if theirs does."""
    bare = theirs.detach()
    if bare.dtype == torch.bfloat16:
        made = from_numpy(np.array(bare.float().numpy())).to(dtypes.bfloat16)
    else:
        made = from_numpy(np.array(bare.contiguous().numpy()))
    return made.requires_grad_() if theirs.requires_grad else made


def ours(value: Any) -> Any:
    """A sample of torch's with everything in it as this runtime has it."""
    if isinstance(value, torch.Tensor):
        return tensor(value)
    if isinstance(value, torch.dtype):
        return dtypes.named(str(value))
    if isinstance(value, torch.Size):
        return tuple(value)
    if isinstance(value, torch.nn.utils.rnn.PackedSequence):
        return layers.PackedSequence(*map(ours, value))
    if isinstance(value, (list, tuple)):
        return type(value)(map(ours, value))
    if isinstance(value, dict):
        return {key: ours(each) for key, each in value.items()}
    if isinstance(value, torch.nn.Module):
        return module(value)
    if getattr(value, "__name__", "") in functional.__all__:
        return getattr(functional, value.__name__)
    return value


def module(theirs: torch.nn.Module) -> Any:
    """The same layer here, of the few kinds that are given to others."""
    kind = type(theirs).__name__
    if kind == "LayerNorm":
        made = layers.LayerNorm(theirs.normalized_shape, theirs.eps, bias=theirs.bias is not None)
    elif kind == "TransformerEncoderLayer":
        attention = theirs.self_attn
        made = layers.TransformerEncoderLayer(
            attention.embed_dim, attention.num_heads, theirs.linear1.out_features, theirs.dropout.p,
            ours(theirs.activation), theirs.norm1.eps, attention.batch_first, theirs.norm_first,
            theirs.linear1.bias is not None,
        )  # fmt: skip
    else:
        return getattr(layers, kind)()
    made.load_state_dict({name: tensor(value) for name, value in theirs.state_dict().items()})
    return made


def flat(value: Any) -> list[Any]:
    """All tensors in a value."""
    if isinstance(value, (torch.Tensor, Tensor)):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    return [each for part in value for each in flat(part)] if isinstance(value, (list, tuple)) else []


def seeded(seed: int) -> None:
    torch.manual_seed(seed)
    streams.manual_seed(seed)


def assert_same_streams() -> None:
    assert packed(streams.default_generator._state).tobytes() == torch.get_rng_state().numpy().tobytes()


def assert_equal(theirs: Any, found: Any, what: str, widely: int = 1) -> None:
    """Two tensors agree in shape, dtype and values, within the rounding of their dtype."""
    assert isinstance(found, Tensor) and tuple(theirs.shape) == tuple(found.shape), what
    assert str(theirs.dtype) == str(found.dtype), what
    rtol, atol = (widely * each for each in TOLERANCE.get(str(theirs.dtype).removeprefix("torch."), (0, 0)))
    np.testing.assert_allclose(values_of(found), values_of(theirs), rtol=rtol, atol=atol, err_msg=what)


def assert_alike(
    theirs: Callable[[], Any], here: Callable[[], Any], their_inputs: list[Any], our_inputs: list[Any], seed: int = 0
) -> None:
    """A call gives the same on both sides, results and gradients by the inputs; or it is refused on both."""
    seeded(seed)
    try:
        expected = theirs()
    except Exception as error:
        try:
            here()
        except Exception:
            return
        raise AssertionError(f"torch refuses this: {error}") from error
    found = here()
    results = list(zip(flat(expected), flat(found), strict=True))
    for one, other in results:
        assert_equal(one, other, "result")
    assert_same_streams()
    recorded = [(one, other) for one, other in results if one.requires_grad]
    wanted = [(one, other) for one, other in zip(their_inputs, our_inputs, strict=True) if one.requires_grad]
    assert all(other.requires_grad for _, other in recorded)
    if not recorded or not wanted:
        return
    given = [torch.randn(one.shape).to(one.dtype) for one, _ in recorded]
    backwards = torch.autograd.grad([one for one, _ in recorded], [one for one, _ in wanted], given, allow_unused=True)
    seen = engine.grad(
        [other for _, other in recorded],
        [other for _, other in wanted],
        [tensor(each) for each in given],
        allow_unused=True,
    )
    for number, (one, other) in enumerate(zip(backwards, seen, strict=True)):
        if one is None or other is None:
            left = other if one is None else one
            assert left is None or not values_of(left).any(), f"gradient {number}"
        else:
            assert_equal(one, other, f"gradient {number}", 5)
