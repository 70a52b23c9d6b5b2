"""A file that wants to do harm does none: nothing of it runs, it is refused by name, and it costs little."""

from __future__ import annotations

import io
import os
import pickle
import random
import struct
import subprocess
import zipfile
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from torchspore._runtime.files import reading, safe, writing
from torchspore._runtime.files.errors import NotAllowed, NotReadable, NotWritable

pytestmark = pytest.mark.frameworks

REFUSALS = (NotAllowed, NotReadable, EOFError)


class Reduced:
    """Pickles to a call."""

    def __init__(self, function: Callable[..., Any], *arguments: Any) -> None:
        self.parts = function, arguments

    def __reduce__(self) -> Any:
        return self.parts


def saved(value: Any, old: bool = False) -> bytes:
    buffer = io.BytesIO()
    torch.save(value, buffer, _use_new_zipfile_serialization=not old)
    return buffer.getvalue()


def archive(pickled: bytes, **entries: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        for name, data in {"data.pkl": pickled, "version": b"3\n", **entries}.items():
            file.writestr(f"archive/{name}", data)
    return buffer.getvalue()


def changed(data: bytes, change: Callable[[str, bytes], bytes | None], compression: int = zipfile.ZIP_STORED) -> bytes:
    """An archive with other contents."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as before, zipfile.ZipFile(buffer, "w", compression) as after:
        for name in before.namelist():
            content = change(name.partition("/")[2], before.read(name))
            if content is not None:
                after.writestr(name, content)
    return buffer.getvalue()


def load(data: bytes, **options: Any) -> Any:
    return reading.load(io.BytesIO(data), **options)


def calls(target: Path) -> dict[str, Any]:
    mark = f"touch {target}"
    return {
        "os.system": Reduced(os.system, mark),
        "eval": Reduced(eval, f"open({str(target)!r}, 'w')"),
        "exec": Reduced(exec, f"open({str(target)!r}, 'w')"),
        "open": Reduced(open, str(target), "w"),
        "getattr": Reduced(getattr, "text", "format"),
        "import": Reduced(__import__, "os"),
        "popen": Reduced(subprocess.Popen, mark.split()),
        "loads": Reduced(pickle.loads, pickle.dumps(Reduced(os.system, mark))),
        "torch.load": Reduced(torch.load, str(target)),
        "numpy load": Reduced(np.load, str(target)),
        "path": Reduced(Path.touch, target),
        "inside": OrderedDict(a=[{"b": (torch.ones(2), Reduced(os.system, mark))}]),
        "as a key": {Reduced(os.system, mark): 1},
    }


@pytest.mark.parametrize("old", [False, True])
@pytest.mark.parametrize("weights_only", [None, True, False])
@pytest.mark.parametrize("name", calls(Path()))
def test_calls_are_refused(name: str, weights_only: bool | None, old: bool, tmp_path: Path) -> None:
    target = tmp_path / "touched"
    data = saved(calls(target)[name], old)
    with pytest.raises(NotAllowed, match="Nothing of a file is run"):
        load(data, weights_only=weights_only)
    assert not target.exists()


GLOBAL = pickle.GLOBAL
PICKLES: dict[str, bytes] = {
    "a call of what was made": b"\x80\x02c" + b"collections\nOrderedDict\n" + b")R)R.",
    "a call of a value": b"\x80\x02K\x01)R.",
    "a state for a list": b"\x80\x02]}b.",
    "a state for a listed name": b"\x80\x02ccollections\nOrderedDict\n}b.",
    "a state with slots": b"\x80\x02ccollections\nOrderedDict\n)RN}\x86b.",
    "an instance": b"(S'touch x'\nios\nsystem\n.",
    "an object": b"(cos\nsystem\nS'touch x'\no.",
    "an extension": b"\x80\x02\x82\x01.",
    "a name off the stack": b"\x80\x04\x8c\x02os\x8c\x06system\x93\x8c\x07touch x\x85R.",
    "a name with a dot": b"\x80\x04\x8c\x0bcollections\x8c\x14OrderedDict.__init__\x93.",
    "a name that is no text": b"\x80\x04K\x01K\x02\x93.",
    "a text as persistent id": b"Pstorage\n.",
    "a persistent id that is a number": b"\x80\x02K\x01Q.",
    "a persistent id without a type": b"(S'storage'\nI1\nS'0'\nS'cpu'\nI3\ntQ.",
    "a get of nothing": b"\x80\x02h\x05.",
    "a tuple without a mark": b"\x80\x02t.",
    "an append to a tuple": b"\x80\x02)K\x01a.",
    "an item of a list": b"\x80\x02]K\x01K\x02s.",
    "an odd number of items": b"\x80\x02}(K\x01u.",
    "a list as a key": b"\x80\x02}]K\x01s.",
    "a mark as a value": b"\x80\x02(.",
    "nothing": b"\x80\x02.",
    "no end": b"\x80\x02K\x01",
    "a length beyond the end": b"\x80\x02X\xff\xff\xff\x7fabc.",
    "a negative length": b"\x80\x02T\xff\xff\xff\xffabc.",
    "a number without end": b"\x80\x02\x8b\xff\xff\xff\x7f.",
    "many bytes": b"\x80\x02c__builtin__\nbytearray\n(J\xff\xff\xff\x7ftR.",
    "an unknown encoding": b"\x80\x02c_codecs\nencode\nX\x01\x00\x00\x00aX\x03\x00\x00\x00zip\x86R.",
    "objects of NumPy": b"\x80\x02cnumpy\ndtype\nX\x01\x00\x00\x00O\x85R.",
    "a structure of NumPy": b"\x80\x02cnumpy\ndtype\nX\x05\x00\x00\x00i4,i4\x85R.",
    "text": b"hello",
    "a buffer": b"\x80\x05\x97.",
}


@pytest.mark.parametrize("name", PICKLES)
def test_pickles_that_no_file_has(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    before = dict(vars(OrderedDict))
    for data in (archive(PICKLES[name]), PICKLES[name]):
        with pytest.raises(REFUSALS):
            load(data, weights_only=False)
    assert not list(tmp_path.iterdir()) and dict(vars(OrderedDict)) == before


def rebuilt(offset: object, shape: object, strides: object, numbers: int = 6) -> bytes:
    """An archive with a tensor of six elements that claims to be another."""

    class Pickler(pickle._Pickler):  # type: ignore[name-defined,misc]
        def persistent_id(self, value: Any) -> Any:
            if isinstance(value, torch.UntypedStorage):
                return ("storage", torch.FloatStorage, "0", "cpu", numbers)
            return None

    buffer = io.BytesIO()
    storage = torch.arange(6.0).untyped_storage()
    call = Reduced(torch._utils._rebuild_tensor_v2, storage, offset, shape, strides, False, OrderedDict())
    Pickler(buffer, 2).dump(call)
    return archive(buffer.getvalue(), **{"data/0": struct.pack("<6f", *range(6))})


def test_the_tensor_that_the_next_ones_are_made_of() -> None:
    assert load(rebuilt(1, (2, 2), (2, 1))).asnumpy().tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize(
    "parts",
    [
        (1, (2, 3), (3, 1)), (7, (), ()), (0, (7,), (1,)), (0, (2,), (6,)), (-1, (2,), (1,)), (0, (-2,), (1,)),
        (0, (2,), (-1,)), (0, (2, 3), (1,)), (0, (2.0,), (1,)), (0, ("a",), (1,)), (0, (2**40,), (0,)),
        (0, (2**70, 2**70), (0, 0)), (2**70, (1,), (1,)), (0, (1,) * 100, (1,) * 100), (0, None, None),
        (0, (True,), (1,)), (0, (1, 2**62), (2**62, 0)),
    ],
)  # fmt: skip
def test_tensors_that_do_not_lie_in_their_memory(parts: tuple[Any, Any, Any]) -> None:
    with pytest.raises(NotReadable, match="damaged"):
        load(rebuilt(*parts))


@pytest.mark.parametrize("numbers", [5, 7, 0, 2**62, -1])
def test_a_memory_of_another_size(numbers: int) -> None:
    with pytest.raises(NotReadable, match="damaged"):
        load(rebuilt(0, (1,), (1,), numbers))


def test_archives_that_are_none() -> None:
    good = saved({"a": torch.arange(5)})
    with pytest.raises(NotReadable, match=r"data/0 is missing"):
        load(changed(good, lambda name, data: None if name == "data/0" else data))
    with pytest.raises(NotReadable, match=r"no data\.pkl"):
        load(changed(good, lambda name, data: None if name == "data.pkl" else data))
    with pytest.raises(NotReadable, match=r"has 39 bytes and should have 40"):
        load(changed(good, lambda name, data: data[:-1] if name == "data/0" else data))
    with pytest.raises(NotAllowed, match="TorchScript"):
        load(archive(b"N.", **{"constants.pkl": b"N."}))
    with pytest.raises(EOFError):
        load(b"")


def test_a_bomb_stays_packed() -> None:
    bomb = changed(
        saved({"a": torch.zeros(1)}),
        lambda name, data: bytes(10**8) if name == "data/0" else data,
        zipfile.ZIP_DEFLATED,
    )
    assert len(bomb) < 10**6
    with pytest.raises(NotAllowed, match="compressed"):
        load(bomb)


def test_another_order_of_bytes() -> None:
    value = {"a": torch.arange(3), "c": torch.tensor([1 + 2j]), "f": torch.ones(2)}

    def turned(name: str, data: bytes) -> bytes:
        sizes = {"data/0": 8, "data/1": 4, "data/2": 4}
        if name == "byteorder":
            return b"big"
        size = sizes.get(name, 1)
        return b"".join(data[place : place + size][::-1] for place in range(0, len(data), size))

    loaded = load(changed(saved(value), turned))
    assert [each.asnumpy().tolist() for each in loaded.values()] == [[0, 1, 2], [1 + 2j], [1, 1]]


@pytest.mark.parametrize("old", [False, True])
def test_every_cut_is_noticed(old: bool) -> None:
    whole = saved({"weight": torch.arange(7.0), "step": 3}, old)
    places = range(len(whole)) if old else [*range(0, len(whole), 7), len(whole) - 1]
    for place in places:
        with pytest.raises(REFUSALS):
            load(whole[:place])


@settings(max_examples=300, deadline=None)
@given(st.randoms(use_true_random=False), st.booleans(), st.integers(1, 8))
def test_damage_never_does_more_than_fail(chance: random.Random, old: bool, count: int) -> None:
    """Bytes are changed at random: the file is read, perhaps with other numbers, or refused; nothing else happens."""
    data = saved({"weight": torch.arange(7.0), "more": [torch.ones(2, 2).t(), "text", 2.5]}, old)
    if not old:  # an archive has checksums, so what is in it is changed before it is packed
        data = bytearray(
            changed(
                bytes(data), lambda name, content: _damaged(content, chance, count) if name == "data.pkl" else content
            )
        )
    else:
        data = bytearray(_damaged(bytes(data), chance, count))
    try:
        load(data, weights_only=False)
    except (*REFUSALS, RuntimeError):
        pass


def _damaged(data: bytes, chance: random.Random, count: int) -> bytes:
    changed_data = bytearray(data)
    for _ in range(count):
        changed_data[chance.randrange(len(changed_data))] = chance.randrange(256)
    return bytes(changed_data)


def test_a_whole_model_is_refused_both_ways() -> None:
    with pytest.raises(NotAllowed, match=r"torch\.nn\.modules\.linear\.Linear.*state_dict\(\)"):
        load(saved(torch.nn.Linear(2, 2)), weights_only=False)

    class Model:
        def state_dict(self) -> dict[str, Any]:
            return {}

    with pytest.raises(NotWritable, match=r"whole Model.*state_dict\(\)"):
        writing.save({"model": Model()}, io.BytesIO())
    for value in (object(), test_a_bomb_stays_packed, lambda: None):
        with pytest.raises(NotWritable, match="plain values"):
            writing.save([value], io.BytesIO())


def test_a_failed_save_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "weights.pt"
    writing.save([1], path)
    before = path.read_bytes()
    with pytest.raises(NotWritable):
        writing.save([object()], path)
    assert path.read_bytes() == before
    with pytest.raises(RuntimeError, match="does not exist"):
        writing.save([1], tmp_path / "nowhere" / "weights.pt")


@pytest.mark.parametrize("options", [{"pickle_module": pickle}, {"fix_imports": True}])
def test_what_cannot_be_honoured(options: dict[str, Any]) -> None:
    with pytest.raises(NotImplementedError):
        load(saved(1), **options)
    with pytest.raises(NotImplementedError):
        writing.save(1, io.BytesIO(), _use_new_zipfile_serialization=False)
    for wrong in (5, None):
        with pytest.raises(AttributeError):
            reading.load(wrong)
        with pytest.raises(AttributeError):
            writing.save(1, wrong)


def listed(text: str, data: bytes = b"") -> bytes:
    return len(text).to_bytes(8, "little") + text.encode() + data


@pytest.mark.parametrize(
    "data",
    [
        b"", b"\x05", (2**63).to_bytes(8, "little"), listed("{"), listed("[]"), listed("[" * 100_000),
        listed("{}", b"x"), listed('{"a": 1}'),
        listed('{"a": {"dtype": "F32", "shape": [1], "data_offsets": [0, 8]}}', bytes(8)),
        listed('{"a": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}}', bytes(3)),
        listed('{"a": {"dtype": "F32", "shape": [1], "data_offsets": [4, 8]}}', bytes(8)),
        listed('{"a": {"dtype": "Q1", "shape": [1], "data_offsets": [0, 4]}}', bytes(4)),
        listed('{"a": {"dtype": "F32", "shape": [-1, -1], "data_offsets": [0, 4]}}', bytes(4)),
        listed('{"a": {"dtype": "F32", "shape": [1.5], "data_offsets": [0, 4]}}', bytes(4)),
        listed('{"a": {"dtype": "F32", "shape": [1], "data_offsets": [-4, 0]}}', bytes(4)),
        listed('{"a": {"dtype": "U8", "shape": [2], "data_offsets": [0, 2]}, '
               '"b": {"dtype": "U8", "shape": [2], "data_offsets": [1, 3]}}', bytes(3)),
    ],
)  # fmt: skip
def test_safetensors_that_are_none(data: bytes) -> None:
    with pytest.raises(NotReadable):
        safe.load_bytes(data)
