"""Files travel both ways between torch and this runtime, whatever plain values and tensors they hold."""

from __future__ import annotations

import argparse
import io
import pathlib
import zipfile
from collections import Counter, OrderedDict
from collections.abc import Callable
from typing import Any

import mindspore
import numpy as np
import pytest
import safetensors.torch
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from torchspore._runtime.core import arrays
from torchspore._runtime.files import kinds, reading, safe, writing

pytestmark = [pytest.mark.frameworks, pytest.mark.usefixtures("of_mindspore")]

DTYPES = [*kinds.DTYPES, *kinds.UNTYPED]


class Records(kinds.Kinds):
    """Makes of each tensor what the file says of it, so that shared memory can be seen."""

    def tensor(self, view: kinds.View) -> Any:
        return view

    def size(self, sizes: tuple[int, ...]) -> Any:
        return torch.Size(sizes)


def values(dtype: str, shape: tuple[int, ...] = (3, 4)) -> torch.Tensor:
    numbers = torch.arange(int(np.prod(shape)), dtype=torch.float64).reshape(shape) - 3
    if dtype.startswith("complex"):
        return (numbers * (1 + 2j)).to(getattr(torch, dtype))
    if dtype.startswith("uint"):
        return (numbers + 3).to(getattr(torch, dtype))
    return numbers.to(getattr(torch, dtype))


def array(tensor: torch.Tensor) -> Any:
    return (tensor.float() if tensor.dtype == torch.bfloat16 else tensor).detach().numpy()


def plain(value: Any) -> Any:
    """A value with lists in the place of tensors, and what it is made of."""
    if isinstance(value, torch.Tensor):
        return ("tensor", str(value.dtype).removeprefix("torch."), array(value).tolist())
    if arrays.is_tensor(value):
        return ("tensor", str(value.dtype).lower(), arrays.to_array(value).tolist())
    if isinstance(value, dict):
        return [(key, plain(each)) for key, each in value.items()]
    if isinstance(value, list | tuple):
        return ("list" if isinstance(value, list) else "tuple", [plain(each) for each in value])
    return value


def saved(value: Any, **options: Any) -> io.BytesIO:
    buffer = io.BytesIO()
    torch.save(value, buffer, **options)
    buffer.seek(0)
    return buffer


def written(value: Any) -> io.BytesIO:
    buffer = io.BytesIO()
    writing.save(value, buffer)
    buffer.seek(0)
    return buffer


@pytest.mark.parametrize("old", [False, True])
@pytest.mark.parametrize("dtype", DTYPES)
def test_tensors_of_every_dtype(dtype: str, old: bool) -> None:
    for tensor in (values(dtype), values(dtype).t(), values(dtype)[1:, ::2], values(dtype, ()), values(dtype, (0, 3))):
        loaded = reading.load(saved(tensor, _use_new_zipfile_serialization=not old))
        assert plain(loaded) == plain(tensor)
        assert tuple(loaded.shape) == tuple(tensor.shape)
    back = torch.load(written(reading.load(saved(values(dtype)))))
    assert back.dtype == getattr(torch, dtype) and plain(back) == plain(values(dtype))


@pytest.mark.parametrize("old", [False, True])
def test_shared_memory_and_views(old: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kinds, "_kinds", Records())
    base = torch.arange(24.0).reshape(4, 6)
    parts = {"base": base, "rows": base[1:3], "turned": base.t(), "steps": base[:, ::2], "wide": base[0].expand(5, 6)}
    loaded = reading.load(saved(parts, _use_new_zipfile_serialization=not old))
    assert len({id(view.storage) for view in loaded.values()}) == 1
    for name, tensor in parts.items():
        view = loaded[name]
        assert (view.offset, view.shape, view.strides) == (tensor.storage_offset(), tensor.shape, tensor.stride())
        np.testing.assert_array_equal(view.array(), tensor.numpy())
    loaded["base"].storage.elements("float32")[:] = 0
    assert not loaded["turned"].array().any()


keys = st.one_of(st.text(max_size=5), st.integers(-(2**70), 2**70))
leaves = st.one_of(
    st.none(), st.booleans(), st.integers(-(2**70), 2**70), st.floats(allow_nan=False), st.text(max_size=8),
    st.binary(max_size=8), st.complex_numbers(allow_nan=False), st.sampled_from([0.1, 10**400]),
)  # fmt: skip
trees = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=4).map(tuple),
        st.dictionaries(keys, inner, max_size=4),
        st.dictionaries(keys, inner, max_size=4).map(OrderedDict),
        st.dictionaries(st.text(max_size=3), st.integers(), max_size=3).map(Counter),
        st.frozensets(st.integers(), max_size=4).map(set),
    ),
)


@settings(max_examples=150, deadline=None)
@given(trees)
def test_plain_values(tree: Any) -> None:
    loaded = reading.load(saved(tree))
    assert loaded == tree and plain(loaded) == plain(tree) and type(loaded) is type(tree)
    back = torch.load(written(tree), weights_only=False)
    assert back == tree and plain(back) == plain(tree)


def test_a_list_that_holds_itself() -> None:
    tree: list[Any] = [1]
    tree.append(tree)
    loaded = reading.load(saved(tree))
    assert loaded[1] is loaded
    assert (back := torch.load(written(tree)))[1] is back


def test_what_belongs_to_tensors() -> None:
    value = {"size": torch.Size([2, 3]), "dtype": torch.bfloat16, "device": torch.device("cpu")}
    assert reading.load(saved(value)) == {"size": (2, 3), "dtype": mindspore.bfloat16, "device": "cpu"}
    assert torch.load(written({"dtype": mindspore.float16})) == {"dtype": torch.float16}


def test_a_state_dict_with_its_metadata() -> None:
    model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.BatchNorm1d(4))
    loaded = reading.load(saved(model.state_dict()))
    assert isinstance(loaded, OrderedDict) and loaded._metadata == model.state_dict()._metadata  # type: ignore[attr-defined]
    assert plain(loaded) == plain(model.state_dict())
    back = torch.load(written(loaded))
    assert plain(back) == plain(model.state_dict()) and back._metadata == loaded._metadata
    model.load_state_dict(back)


def test_a_checkpoint_of_an_optimiser() -> None:
    model = torch.nn.Linear(3, 4)
    optimiser = torch.optim.AdamW(model.parameters(), 0.1)
    model(torch.ones(2, 3)).sum().backward()
    optimiser.step()
    checkpoint = {"model": model.state_dict(), "optimiser": optimiser.state_dict(), "step": 3, "loss": 0.5}
    loaded = reading.load(saved(checkpoint))
    assert plain(loaded) == plain(checkpoint)
    assert plain(torch.load(written(loaded))) == plain(checkpoint)


def test_parameters() -> None:
    for grad in (True, False):
        loaded = reading.load(saved(torch.nn.Parameter(torch.ones(3), requires_grad=grad)))
        assert isinstance(loaded, mindspore.Parameter) and loaded.requires_grad is grad
        back = torch.load(written(loaded))
        assert isinstance(back, torch.nn.Parameter) and back.requires_grad is grad
        assert back.tolist() == [1, 1, 1]


def test_numpy_in_files() -> None:
    value = [np.float32(0.5), np.int64(3), np.bool_(True), np.arange(6).reshape(2, 3), np.ones((2, 2), order="F"),
             np.arange(3, dtype=">i4"), np.dtype("f4")]  # fmt: skip
    loaded = reading.load(saved(value))
    for ours, theirs in zip(loaded, value, strict=True):
        assert type(ours) is type(theirs)
        np.testing.assert_array_equal(ours, theirs)
    for ours, theirs in zip(torch.load(written(value), weights_only=False), value, strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_harmless_classes_on_request() -> None:
    value = {"args": argparse.Namespace(lr=0.1, names=["a"]), "path": pathlib.PurePosixPath("a/b")}
    with pytest.raises(RuntimeError, match="With weights_only=False"):
        reading.load(saved(value))
    assert reading.load(saved(value), weights_only=False) == value
    assert torch.load(written(value), weights_only=False) == value


WAYS: list[Callable[[pathlib.Path], Any]] = [str, lambda path: path, lambda path: open(path, "rb")]  # noqa: SIM115


@pytest.mark.parametrize("way", range(len(WAYS)))
def test_paths_and_streams(way: int, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "weights.pt"
    torch.save({"a": values("float32")}, path)
    assert plain(reading.load(WAYS[way](path))) == plain({"a": values("float32")})
    for target in (path, str(path)):
        writing.save({"b": mindspore.Tensor(np.ones(3, np.float32))}, target)
        assert torch.load(path)["b"].tolist() == [1, 1, 1]
        assert torch.load(path, mmap=True)["b"].tolist() == [1, 1, 1]
    first = path.read_bytes()
    writing.save({"b": mindspore.Tensor(np.ones(3, np.float32))}, path)
    assert path.read_bytes() == first


def test_several_in_one_stream() -> None:
    """torch too reads only a whole stream in the zip format, and one after another in the old one."""
    buffer = io.BytesIO()
    for number in (1, 2):
        torch.save(torch.full((2,), number), buffer, _use_new_zipfile_serialization=False)
    buffer.seek(0)
    assert [reading.load(buffer).asnumpy().tolist() for _ in range(2)] == [[1, 1], [2, 2]]


def test_memory_of_a_file(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "weights.pt"
    torch.save({dtype: values(dtype) for dtype in DTYPES}, path)
    before = path.read_bytes()
    assert plain(reading.load(path, mmap=True)) == plain({dtype: values(dtype) for dtype in DTYPES})
    assert path.read_bytes() == before
    with pytest.raises(ValueError, match="mmap"):
        reading.load(io.BytesIO(before), mmap=True)
    torch.save(values("float32"), path, _use_new_zipfile_serialization=False)
    with pytest.raises(RuntimeError, match="mmap"):
        reading.load(path, mmap=True)


def of_a_device(location: str) -> io.BytesIO:
    """A file whose tensors came from another device: its name stands in the pickle."""
    changed = io.BytesIO()
    with zipfile.ZipFile(saved(torch.ones(3))) as old, zipfile.ZipFile(changed, "w") as new:
        for name in old.namelist():
            new.writestr(name, old.read(name).replace(_text("cpu"), _text(location)))
    changed.seek(0)
    return changed


def _text(text: str) -> bytes:
    return len(text).to_bytes(4, "little") + text.encode()


def test_where_tensors_go() -> None:
    assert reading.load(of_a_device("xpu"), map_location="cpu").asnumpy().tolist() == [1, 1, 1]
    for where in (torch.device("cpu"), {"xpu": "cpu"}, lambda storage, location: storage):
        assert reading.load(of_a_device("xpu"), map_location=where).asnumpy().tolist() == [1, 1, 1]
    for where in (None, {"cuda:0": "cpu"}, lambda storage, location: None):
        with pytest.raises(RuntimeError, match="map_location='cpu'"):
            reading.load(of_a_device("xpu"), map_location=where)
    with pytest.raises(RuntimeError, match="'cuda'"):
        reading.load(saved(torch.ones(3)), map_location="cuda")


@pytest.mark.parametrize("dtype", safe.DTYPES.values())
def test_safetensors_both_ways(dtype: str, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "weights.safetensors"
    tensors = {"b": values(dtype), "a": values(dtype, (2, 1, 3)), "none": values(dtype, (0,)), "one": values(dtype, ())}
    safetensors.torch.save_file(tensors, path)
    loaded = safe.load_file(path)
    assert {name: plain(each) for name, each in loaded.items()} == {name: plain(each) for name, each in tensors.items()}
    safe.save_file(loaded, path, {"made": "by a test"})
    back = safetensors.torch.load_file(path)
    assert {name: plain(each) for name, each in back.items()} == {name: plain(each) for name, each in tensors.items()}
    with safetensors.safe_open(path, "pt") as file:
        assert file.metadata() == {"made": "by a test"}
