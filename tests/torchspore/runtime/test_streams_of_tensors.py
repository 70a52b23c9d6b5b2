"""Random streams, initial weights, data and files with the runtime's own tensors: memory is shared where torch shares
it, and what is filled stays a leaf."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import mindspore
import numpy as np
import pytest
import torch
from torch.nn import init as theirs

from torchspore._runtime.core import arrays
from torchspore._runtime.data import datasets, loader
from torchspore._runtime.files import kinds, reading, safe, writing
from torchspore._runtime.init import filling
from torchspore._runtime.random import generator
from torchspore._runtime.tensor import Size, Tensor, device, dtypes, from_numpy, streams

from torchspore._runtime.module import Module, Parameter  # isort: skip

pytestmark = pytest.mark.frameworks

DTYPES = [*kinds.DTYPES, *kinds.UNTYPED]


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(arrays, "_access", streams.OverMemory())
    monkeypatch.setattr(kinds, "_kinds", streams.OverStorages())
    yield


def saved(value: Any) -> io.BytesIO:
    buffer = io.BytesIO()
    torch.save(value, buffer)
    buffer.seek(0)
    return buffer


def written(value: Any) -> io.BytesIO:
    buffer = io.BytesIO()
    writing.save(value, buffer)
    buffer.seek(0)
    return buffer


def values(dtype: str) -> torch.Tensor:
    return (torch.arange(12, dtype=torch.float64).reshape(3, 4) % 5).to(getattr(torch, dtype))


def plain(tensor: Any) -> Any:
    if isinstance(tensor, torch.Tensor):
        return (tensor.float() if tensor.dtype == torch.bfloat16 else tensor).detach().numpy().tolist()
    return arrays.to_array(tensor).tolist()


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_dtype_both_ways(dtype: str) -> None:
    for tensor in (values(dtype), values(dtype).t(), values(dtype)[1:, ::2], values(dtype)[0, 0], values(dtype)[:0]):
        loaded = reading.load(saved(tensor))
        assert type(loaded) is Tensor and loaded.dtype is dtypes.named(dtype)
        assert plain(loaded) == plain(tensor) and tuple(loaded.stride()) == tensor.stride()
        back = torch.load(written(loaded))
        assert back.dtype == tensor.dtype and plain(back) == plain(tensor) and back.stride() == tensor.stride()


def test_memory_stays_shared_both_ways() -> None:
    base = torch.arange(24.0).reshape(4, 6)
    loaded = reading.load(saved({"base": base, "rows": base[1:3], "turned": base.t()}))
    loaded["rows"].mul_(0)
    assert plain(loaded["base"])[1] == [0] * 6 and plain(loaded["turned"])[0] == [0, 0, 0, 18]
    back = torch.load(written(loaded))
    back["turned"].fill_(7)
    assert plain(back["base"])[3] == [7] * 6 and back["rows"].storage_offset() == 6


def test_views_are_saved_with_their_memory() -> None:
    whole = from_numpy(np.arange(6, dtype=np.float32))
    back = torch.load(written([whole, whole[2:4]]))
    back[1].fill_(9)
    assert back[0].tolist() == [0, 1, 9, 9, 4, 5]


def test_what_belongs_to_tensors() -> None:
    value = {"size": Size((2, 3)), "dtype": dtypes.bfloat16, "device": device("cpu")}
    assert torch.load(written(value)) == {
        "size": torch.Size([2, 3]),
        "dtype": torch.bfloat16,
        "device": torch.device("cpu"),
    }
    loaded = reading.load(written(value))
    assert loaded == value and isinstance(loaded["size"], Size)
    assert reading.load(saved(torch.ones(2)), map_location=device("cpu")).requires_grad is False
    assert reading.load(saved(torch.ones(2, requires_grad=True))).requires_grad is True


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_weights_are_filled_in_place(dtype: str) -> None:
    torch.manual_seed(1)
    generator.manual_seed(1)
    wanted = torch.zeros(6, 40, dtype=getattr(torch, dtype), requires_grad=True)
    tensor = reading.load(saved(wanted))
    row = tensor.detach()[2]
    for name in ("kaiming_uniform_", "normal_", "trunc_normal_", "ones_", "xavier_normal_"):
        assert getattr(filling, name)(tensor) is tensor
        getattr(theirs, name)(wanted)
        assert plain(tensor) == plain(wanted)
        assert plain(row) == plain(wanted)[2]
        assert tensor.is_leaf and tensor.requires_grad
    turned = reading.load(saved(torch.zeros(5, 30, dtype=getattr(torch, dtype)).t()))
    assert plain(filling.normal_(turned)) == plain(torch.zeros(5, 30, dtype=getattr(torch, dtype)).t().normal_())


def test_the_state_of_a_generator_is_a_tensor() -> None:
    state = generator.Generator().manual_seed(3).get_state()
    assert type(state) is Tensor and torch.Generator().manual_seed(3).get_state().tolist() == plain(state)
    assert generator.Generator().set_state(state).initial_seed() == 3


@pytest.mark.processes
@pytest.mark.parametrize("workers", [0, 1])
def test_batches_are_tensors(workers: int) -> None:
    features = from_numpy(np.arange(12, dtype=np.float32).reshape(6, 2))
    batches = list(loader.DataLoader(datasets.TensorDataset(features, features[:, 0]), 4, num_workers=workers))
    assert [[type(each) for each in batch] for batch in batches] == [[Tensor, Tensor]] * 2
    assert plain(batches[1][0]) == [[8, 9], [10, 11]]


def test_parameters_both_ways() -> None:
    for grad in (True, False):
        loaded = reading.load(saved(torch.nn.Parameter(torch.ones(2, 3).t(), requires_grad=grad)))
        assert type(loaded) is Parameter and loaded.requires_grad is grad and loaded.is_leaf
        back = torch.load(written(loaded))
        assert type(back) is torch.nn.Parameter and back.requires_grad is grad and back.stride() == (1, 3)


class Pair(Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = Parameter(from_numpy(np.zeros((4, 3), np.float32)))
        self.register_buffer("count", from_numpy(np.zeros((), np.int64)))


class TheirPair(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.zeros(4, 3))
        self.register_buffer("count", torch.zeros((), dtype=torch.int64))


def test_the_state_of_a_module_both_ways() -> None:
    torch.manual_seed(2)
    generator.manual_seed(2)
    ours, other = Pair(), TheirPair()
    filling.xavier_uniform_(ours.weight)
    theirs.xavier_uniform_(other.weight)
    other.load_state_dict(torch.load(written(ours.state_dict())))
    assert plain(other.weight) == plain(ours.weight)
    theirs.normal_(other.weight)
    ours.load_state_dict(reading.load(saved(other.state_dict())))
    assert plain(other.weight) == plain(ours.weight) and ours.weight.requires_grad
    with pytest.raises(RuntimeError, match=r"state_dict\(\)"):
        writing.save(ours, io.BytesIO())


def test_safetensors() -> None:
    tensors = {"a": reading.load(saved(values("bfloat16").t())), "b": from_numpy(np.arange(3))}
    loaded = safe.load_bytes(safe.save_bytes(tensors))
    assert {name: plain(each) for name, each in loaded.items()} == {name: plain(each) for name, each in tensors.items()}
    assert type(loaded["a"]) is Tensor


def test_tensors_of_mindspore_itself_are_saved_too() -> None:
    buffer = io.BytesIO()
    writing.save({"own": from_numpy(np.ones(2, np.float32)), "theirs": mindspore.Tensor([1.5, 2.5])}, buffer)
    buffer.seek(0)
    loaded = torch.load(buffer)
    assert {name: each.tolist() for name, each in loaded.items()} == {"own": [1, 1], "theirs": [1.5, 2.5]}
