"""torch.allclose and mindspore.mint.allclose: not the same.

Needs PyTorch and MindSpore and nothing else. Prints what each of them gives.
Exit code 1: they differ, as PyTorch 2.13.0 and MindSpore 2.10.0 do on a CPU. Exit code 0: they do not.
"""

import sys

import mindspore
import numpy as np
import torch

nan, inf = float("nan"), float("inf")
ARRAYS = {  # by name: the memory, the dtype, how the tensor lies in it
    't0': (np.array((-8.478373527526855+0j), 'complex64').reshape(()), 'complex64', 'own'),
    't1': (np.array((-8.46837329864502+0j), 'complex64').reshape(()), 'complex64', 'own'),
}
CLOSE = {"float64": 1e-9, "complex128": 1e-9, "float16": 1e-2, "bfloat16": 5e-2}
PICKED = None  # which of MindSpore's results stand for PyTorch's; None: all


def with_torch(t):
    return torch.allclose(t['t0'], t['t1'], rtol=0.1, atol=0.01)


def with_mindspore(t):
    return mindspore.mint.allclose(input=t['t0'], other=t['t1'], rtol=0.1, atol=0.01)


def tensors(lib):
    made = {}
    for name, (array, dtype, view) in ARRAYS.items():
        base = torch.from_numpy(array.copy()) if lib is torch else mindspore.Tensor(array.copy())
        base = base if str(array.dtype) == dtype else base.to(getattr(lib, dtype))
        made[name] = {
            "row": lambda base: base[1], "first_row": lambda base: base[0], "transposed": lambda base: base.T,
            "offset": lambda base: base[1:-1], "strided": lambda base: base[::2], "own": lambda base: base,
        }[view](base)
    return made


def array_of(value):
    wide = value.float() if "bfloat16" in str(value.dtype).lower() else value
    return wide.asnumpy() if hasattr(wide, "asnumpy") else wide.detach().resolve_conj().numpy()


def seen(value):
    if hasattr(value, "dtype"):
        return str(value.dtype).rpartition(".")[2].lower(), array_of(value)
    if isinstance(value, (list, tuple)):
        return "several", [seen(each) for each in value]
    return type(value).__name__, value


def outcome(call, lib):
    try:
        return seen(call(tensors(lib)))
    except Exception as error:
        return "raised", type(error).__name__, (str(error).strip().splitlines() or [""])[0]


def picked(found):
    return found if PICKED is None or found[0] != "several" else ("several", [found[1][number] for number in PICKED])


def same(one, other):
    if "several" in (one[0], other[0]):
        ones, others = (each[1] if each[0] == "several" else [each] for each in (one, other))
        return len(ones) == len(others) and all(map(same, ones, others))
    if one[0] != other[0] or one[0] == "raised":
        return False
    if not isinstance(one[1], np.ndarray):
        return one[1] == other[1] or (one[1] != one[1] and other[1] != other[1])
    if one[1].shape != other[1].shape:
        return False
    if one[1].dtype.kind not in "fc" or not one[1].size:
        return np.array_equal(one[1], other[1])
    close = CLOSE.get(one[0], 1e-4)
    largest = float(np.abs(one[1][np.isfinite(one[1])]).max(initial=0))
    return np.allclose(one[1], other[1], rtol=close, atol=close * largest, equal_nan=True)


mindspore.set_context(pynative_synchronize=True)
wanted, got = outcome(with_torch, torch), picked(outcome(with_mindspore, mindspore))
print("PyTorch: ", *wanted)
print("MindSpore:", *got)
fine = same(wanted, got)
print("no difference" if fine else "different")
sys.exit(0 if fine else 1)
