"""torch.cdist and mindspore.mint.cdist: not the same.

Needs PyTorch and MindSpore and nothing else. Prints what each of them gives.
Exit code 1: they differ, as PyTorch 2.13.0 and MindSpore 2.10.0 do on a CPU. Exit code 0: they do not.
"""

import sys

import mindspore
import numpy as np
import torch

nan, inf = float("nan"), float("inf")
ARRAYS = {  # by name: the memory, the dtype, how the tensor lies in it
    'x1': (np.array([[-2.993267297744751, -1.7431483268737793, 2.0114102363586426, 0.9595605134963989], [-2.908010482788086, 0.9397656321525574, -0.4531170129776001, -0.3051237463951111], [0.3833770155906677, -2.6796181201934814, 2.552959442138672, 1.1526352167129517]], 'float32').reshape((3, 4)), 'float32', 'own'),
    'x2': (np.array([[2.032944440841675, -2.5683627128601074, 1.9212273359298706, -0.6918078064918518], [-0.25776663422584534, -2.0719411373138428, 0.32439056038856506, -0.4102281630039215], [2.77701997756958, 1.6871658563613892, 0.11173064261674881, 1.2875455617904663], [1.0737464427947998, -2.6463634967803955, -1.904811143875122, -0.23413866758346558], [-0.47540050745010376, 1.2905353307724, 2.4849953651428223, 2.7144505977630615]], 'float32').reshape((5, 4)), 'float32', 'own'),
}
CLOSE = {"float64": 1e-9, "complex128": 1e-9, "float16": 1e-2, "bfloat16": 5e-2}
PICKED = None  # which of MindSpore's results stand for PyTorch's; None: all


def with_torch(t):
    return torch.cdist(x1=t['x1'], x2=t['x2'], p=1)


def with_mindspore(t):
    return mindspore.mint.cdist(x1=t['x1'], x2=t['x2'], p=1)


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
