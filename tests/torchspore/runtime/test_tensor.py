"""The tensor's own members against torch: text, indices, shapes, conversions, Python's protocols, refusals."""

from __future__ import annotations

import copy
import importlib
import pickle
from typing import Any

import mindspore
import numpy as np
import pytest
import torch
from sides import assert_same, outcome, pair, typed, values_of

from torchspore._runtime.core import private
from torchspore._runtime.core.errors import NoCounterpart
from torchspore._runtime.tensor import (
    Size,
    Tensor,
    device,
    dtypes,
    finfo,
    from_mindspore,
    from_numpy,
    iinfo,
    lowered,
    wrap,
)
from torchspore._runtime.tensor.closing import KEPT

pytestmark = pytest.mark.frameworks

RANDOM = np.random.RandomState(0)
SHOWN: list[Any] = [
    np.float32(1.5),
    np.array([1.0, 2.0, 30.0], np.float32),
    np.array([1.5, -2.25], np.float32),
    np.zeros((2, 2), np.float32),
    np.array([1e-7, 1.0], np.float32),
    np.array([1e9, 1.0], np.float32),
    np.array([float("nan"), 1.0, float("inf")], np.float32),
    np.array([1, -20, 300]),
    np.array([True, False]),
    np.array([1.5], np.float64),
    np.array([[1, 2]], np.int32),
    np.zeros(0, np.float32),
    np.zeros((2, 0), np.float32),
    np.zeros(0, np.int64),
    np.arange(24.0, dtype=np.float32).reshape(2, 3, 4),
    RANDOM.randn(40).astype(np.float32),
    RANDOM.randn(3, 30).astype(np.float32),
    np.arange(2000),
    np.arange(2000, dtype=np.float32).reshape(4, 500),
    np.arange(5000).reshape(50, 10, 10),
    np.array([1 + 2j, -0.5j], np.complex64),
    np.array([0.1, 1000.0], np.float32),
    np.array([0.001, 0.5], np.float32),
    np.array([-0.0, 2.0], np.float32),
]


@pytest.mark.parametrize("number", range(len(SHOWN)))
def test_text(number: int) -> None:
    theirs, ours = pair(SHOWN[number])
    assert repr(ours) == repr(theirs)
    assert str(ours) == str(theirs)
    if theirs.is_floating_point():
        assert repr(ours.requires_grad_()) == repr(theirs.requires_grad_())
    if theirs.numel() == 1 and not theirs.dim():
        assert f"{ours.detach():.3f}" == f"{theirs.detach():.3f}"


MASK = np.array([[True, False, True], [False, False, True]])
INDICES: dict[str, Any] = {
    "number": lambda T: 1,
    "negative": lambda T: -1,
    "pair": lambda T: (0, 2),
    "slice": lambda T: slice(0, 1),
    "step": lambda T: (slice(None), slice(None, None, 2)),
    "none": lambda T: (None, 1),
    "ellipsis": lambda T: (..., 1),
    "all": lambda T: ...,
    "nothing": lambda T: (),
    "list": lambda T: [1, 0, 1],
    "nested": lambda T: [[0, 1], [1, 0]],
    "mask": lambda T: T(MASK),
    "row_mask": lambda T: T(np.array([True, False])),
    "tensor": lambda T: T(np.array([1, 1])),
    "zero_d": lambda T: T(np.array(1)),
    "two": lambda T: (T(np.array([0, 1])), T(np.array([2, 0]))),
    "apart": lambda T: (T(np.array([0, 1])), slice(None), T(np.array([3, 0]))),
    "number_and_list": lambda T: (0, slice(None), [1, 2]),
    "list_and_none": lambda T: ([0, 1], None),
    "mask_and_slice": lambda T: (T(MASK), slice(1, 3)),
    "true": lambda T: True,
    "false": lambda T: False,
    "empty": lambda T: [],
    "empty_slice": lambda T: slice(2, 1),
    "array": lambda T: np.array([1, 0]),
    "last": lambda T: (slice(None), [-1, 0], slice(1, None)),
    "wide": lambda T: (T(np.array([[0], [1]])), T(np.array([0, 2]))),
}
WRONG: dict[str, Any] = {
    "far": 5,
    "too_many": (0, 0, 0, 0),
    "backwards": slice(None, None, -1),
    "float": 1.5,
    "text": "a",
    "far_list": [0, 7],
}


@pytest.mark.parametrize("name", INDICES)
def test_indices(name: str) -> None:
    base = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    (theirs, ours), make = pair(base, True), INDICES[name]
    mine, other = (
        make(lambda values: from_numpy(np.array(values))),
        make(lambda values: torch.from_numpy(np.array(values))),
    )
    expected, found = theirs[other], ours[mine]
    assert_same(expected, found)
    (expected * expected).sum().backward()
    (found * found).sum().backward()
    assert_same(theirs.grad, ours.grad)
    for value in (7.0, "sum"):
        theirs, ours = pair(base, True)
        source, sink = theirs * 1, ours * 1
        source[other] = theirs.detach()[other] * 2 if value == "sum" else value
        sink[mine] = ours.detach()[mine] * 2 if value == "sum" else value
        assert_same(source, sink)
        (source * source).sum().backward()
        (sink * sink).sum().backward()
        assert_same(theirs.grad, ours.grad)


@pytest.mark.parametrize("name", WRONG)
def test_wrong_indices(name: str) -> None:
    theirs, ours = pair(np.zeros((2, 3, 4), np.float32))
    expected, found = outcome(lambda: theirs[WRONG[name]]), outcome(lambda: ours[WRONG[name]])
    assert isinstance(expected, Exception) and isinstance(found, type(expected)), (expected, found)


SHAPED: dict[str, Any] = {
    "view": lambda x: x.view(3, -1),
    "view_of_strided": lambda x: x.transpose(0, 1).view(3, 2, 2, 2),
    "view_refused": lambda x: x.transpose(0, 1).view(-1),
    "reshape_copies": lambda x: x.transpose(0, 1).reshape(-1),
    "view_wrong": lambda x: x.view(5, 5),
    "two_unknown": lambda x: x.view(-1, -1),
    "flatten": lambda x: x.flatten(1),
    "unflatten": lambda x: x.unflatten(2, (2, -1)),
    "squeeze": lambda x: x[:1].squeeze(0),
    "squeeze_none": lambda x: x.squeeze(),
    "squeeze_kept": lambda x: x.squeeze(1),
    "expand": lambda x: x[:, :1].expand(-1, 5, -1),
    "expand_refused": lambda x: x.expand(2, 5, 4),
    "movedim": lambda x: x.movedim(0, -1),
    "t_refused": lambda x: x.t(),
    "mT": lambda x: x.mT,
    "swapaxes": lambda x: x.swapaxes(0, 2),
    "dim_refused": lambda x: x.transpose(0, 5),
    "permute_refused": lambda x: x.permute(0, 0, 1),
    "narrow_refused": lambda x: x.narrow(0, 1, 5),
    "split": lambda x: x.split([1, 3], 2)[1],
    "split_refused": lambda x: x.split([1, 1], 2),
    "chunk": lambda x: x.chunk(3, 2)[-1],
    "unbind": lambda x: x.unbind(1)[2],
    "diagonal": lambda x: x.diagonal(1, 1, 2),
    "contiguous": lambda x: x.mT.contiguous(),
    "expand_as": lambda x: x[0].expand_as(x),
    "type_as": lambda x: x.int().type_as(x),
    "view_as": lambda x: x.view_as(x),
}


@pytest.mark.parametrize("name", SHAPED)
def test_shapes(name: str) -> None:
    theirs, ours = pair(np.arange(24, dtype=np.float32).reshape(2, 3, 4))
    expected, found = outcome(SHAPED[name], theirs), outcome(SHAPED[name], ours)
    if isinstance(expected, Exception):
        assert isinstance(found, type(expected)), found
        return
    assert_same(expected, found)
    assert expected.stride() == found.stride()
    assert expected.storage_offset() == found.storage_offset()
    assert expected.is_contiguous() == found.is_contiguous()
    assert (expected.data_ptr() - theirs.data_ptr() in range(96)) == (found.data_ptr() - ours.data_ptr() in range(96))


ASKED: dict[str, Any] = {
    "size": lambda x: (
        tuple(x.size()),
        x.size(0),
        x.size(-1),
        x.dim(),
        x.numel(),
        x.nelement(),
        x.ndim,
        x.element_size(),
    ),
    "shape": lambda x: (x.shape[0], tuple(x.shape[1:]), x.shape.numel(), str(x.shape), x.shape == (2, 3)),
    "type": lambda x: (x.type(), x.dtype.is_floating_point, x.dtype.itemsize, str(x.dtype), x.is_floating_point()),
    "device": lambda x: (str(x.device), x.device.type, x.is_cuda, repr(x.device)),
    "list": lambda x: (x.tolist(), x[0].tolist(), x[0, 0].item(), type(x.long()[0, 0].item())),
    "python": lambda x: (
        len(x),
        float(x[1, 1]),
        int(x[1, 1]),
        bool(x[1, 1]),
        2.0 in x,
        99 in x,
        [1, 2][x.long()[0, 1]],
    ),
    "iterate": lambda x: [[float(each) for each in row] for row in x],
    "unpack": lambda x: [each.tolist() for each in (lambda a, b: (b, a))(*x)],
    "hash": lambda x: (hash(x) == hash(x), x in {x}, len({x: 1, x + 0: 2})),
    "numpy": lambda x: np.asarray(x).sum() + np.add(x.numpy(), 1).sum(),
    "new": lambda x: (
        x.new_zeros(2).tolist(),
        x.new_ones((1, 2)).tolist(),
        x.new_full((2,), 3).tolist(),
        x.new_tensor([1, 2]).tolist(),
    ),
    "sum": lambda x: (
        x.sum().item(),
        x.mean(1).tolist(),
        x.max().item(),
        x.max(1).indices.tolist(),
        x.min(0, keepdim=True).values.tolist(),
    ),
    "truth": lambda x: ((x > 1).all().item(), (x > 1).any(1).tolist(), x.norm().item()),
    "sums": lambda x: (str((x > 1).sum().dtype), (x > 1).sum(0).tolist(), str(x.int().sum().dtype)),
    "ambiguous": lambda x: bool(x),
    "no_length": lambda x: len(x[0, 0]),
    "no_number": lambda x: float(x),
    "no_mean": lambda x: x.long().mean(),
    "no_iteration": lambda x: list(x[0, 0]),
    "no_index": lambda x: [1, 2][x[0, 0]],
}


@pytest.mark.parametrize("name", ASKED)
def test_questions(name: str) -> None:
    theirs, ours = pair(np.arange(6, dtype=np.float32).reshape(2, 3))
    expected, found = outcome(ASKED[name], theirs), outcome(ASKED[name], ours)
    if isinstance(expected, Exception):
        assert isinstance(found, Exception), found
    else:
        assert np.all(np.isclose(expected, found)) if isinstance(expected, float) else expected == found


def test_conversions_between_all_dtypes() -> None:
    for one in ("bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64"):
        for other in (
            "bool",
            "uint8",
            "int8",
            "int16",
            "int32",
            "int64",
            "float16",
            "bfloat16",
            "float32",
            "float64",
            "complex64",
        ):
            theirs, ours = typed([0.0, 1.0, 2.75, 100.0], one)
            assert_same(theirs.to(getattr(torch, other)), ours.to(dtypes.named(other)))
    assert ours.to("cpu") is ours and ours.to(ours.dtype) is ours and ours.to(ours.dtype, copy=True) is not ours


def test_copies_and_pickles() -> None:
    _, ours = pair(np.arange(6, dtype=np.float32).reshape(2, 3), True)
    (ours * 2).sum().backward()
    copied = copy.deepcopy([ours, ours])
    assert copied[0] is copied[1] and copied[0] is not ours and copied[0].requires_grad
    np.testing.assert_array_equal(values_of(copied[0].grad), values_of(ours.grad))
    for tensor in (ours, ours.detach().t(), ours.detach().to(dtypes.bfloat16)):
        back = pickle.loads(pickle.dumps(tensor))
        assert back.dtype is tensor.dtype and back.requires_grad == tensor.requires_grad
        np.testing.assert_array_equal(values_of(back), values_of(tensor))
    with pytest.raises(RuntimeError):
        copy.deepcopy(ours * 2)
    for value in (dtypes.float32, Size((1, 2)), device("cpu"), device("cuda", 1)):
        assert pickle.loads(pickle.dumps(value)) == value


def test_limits() -> None:
    for name in ("float16", "bfloat16", "float32", "float64"):
        expected, found = torch.finfo(getattr(torch, name)), finfo(dtypes.named(name))
        for member in ("bits", "eps", "max", "min", "tiny", "smallest_normal", "resolution", "dtype"):
            assert getattr(expected, member) == getattr(found, member), (name, member)
    for name in ("uint8", "int8", "int16", "int32", "int64"):
        expected, found = torch.iinfo(getattr(torch, name)), iinfo(dtypes.named(name))
        assert (expected.bits, expected.max, expected.min) == (found.bits, found.max, found.min)
    assert isinstance(outcome(finfo, dtypes.int32), TypeError) and isinstance(outcome(iinfo, dtypes.float32), TypeError)


def test_dtypes_are_mindspores() -> None:
    for kind in dtypes.ALL:
        theirs = getattr(mindspore, {"bool": "bool_"}.get(kind.name, kind.name))
        assert kind == theirs and theirs == kind and hash(kind) == hash(theirs) and isinstance(kind, dtypes.dtype)
    assert mindspore.ops.zeros((2,), dtypes.float16).dtype == mindspore.float16
    assert repr(dtypes.bool_) == "torch.bool"


def test_memory_is_shared_with_arrays() -> None:
    array = np.arange(6, dtype=np.float32).reshape(2, 3)
    tensor = from_numpy(array)
    tensor[0] = 9
    array[1] = 7
    seen = tensor.t().numpy()
    tensor.add_(1)
    np.testing.assert_array_equal(array, [[10] * 3, [8] * 3])
    np.testing.assert_array_equal(seen, array.T)
    del tensor
    np.testing.assert_array_equal(seen, array.T)
    assert isinstance(outcome(from_numpy, np.array(["a"])), TypeError)


def test_results_are_wrapped_all_the_way() -> None:
    plain = mindspore.Tensor([1.0])
    found = wrap([plain, (plain + 1, {"a": plain + 2}), 3, torch.return_types])
    assert [type(found[0]), type(found[1][0]), type(found[1][1]["a"]), found[2]] == [Tensor, Tensor, Tensor, 3]
    own = mindspore.Tensor([1.0])
    other = from_mindspore(own)
    assert type(own) is mindspore.Tensor and type(other) is Tensor and type(lowered(other)) is mindspore.Tensor
    other.add_(1)
    assert float(own) == 2


def test_nothing_of_mindspores_tensor_is_reached_unnoticed() -> None:
    """Every method that writes in place is ours; others that have no adapter yet say so."""
    own = [name for name in dir(Tensor) if name.endswith("_") and not name.startswith("_") and name not in KEPT]
    for name in own:
        assert getattr(Tensor, name) is not getattr(mindspore.Tensor, name, None), name
    tensor = from_numpy(np.ones(3, np.float32))
    for name in ("cummax", "addmm_", "erfinv_"):
        with pytest.raises(NoCounterpart, match=name):
            getattr(tensor, name)(1)


def test_private_names_are_in_one_place_and_refused_where_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    missing = private.PrivateName("mindspore._c_expression.run_sideways", "nothing", ("9.9",))
    monkeypatch.setattr(private, "NAMES", (*private.NAMES, missing))
    with pytest.raises(private.NoEngine, match=r"run_sideways.*does not have; it was seen in 9\.9"):
        private.probe()
    package = importlib.import_module("torchspore._runtime").__path__[0]
    from pathlib import Path

    for path in sorted(Path(package).glob("*/*.py")):
        if path.parent.name in ("tensor", "autograd", "module", "optim"):
            assert "_c_expression" not in path.read_text("utf-8"), path
