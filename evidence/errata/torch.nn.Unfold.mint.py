"""torch.nn.Unfold and mindspore.mint.nn.Unfold: not the same.

Needs PyTorch and MindSpore and nothing else. Prints what each of them gives.
Exit code 1: they differ, as PyTorch 2.13.0 and MindSpore 2.10.0 do on a CPU. Exit code 0: they do not.
"""

import sys

import mindspore
import numpy as np
import torch

nan, inf = float("nan"), float("inf")
ARRAYS = {  # by name: the memory, the dtype, how the tensor lies in it
    'input': (np.array([[[1.2998849153518677, 1.4881714582443237, -2.1772398948669434, 1.3343007564544678, -1.5996997356414795, -0.726024329662323], [-0.7347909808158875, 0.33211907744407654, 1.7765361070632935, -0.3774029016494751, 1.3123408555984497, -2.8813986778259277], [0.8534741401672363, -2.133364200592041, 0.8920262455940247, -1.1349831819534302, -1.4957019090652466, 0.6112337112426758], [2.7891032695770264, 1.7254230976104736, -1.8843154907226562, 0.07168331742286682, 2.43591570854187, -1.96470046043396], [-2.3879849910736084, -1.3005766868591309, 0.4681001305580139, 2.9919540882110596, 1.6255356073379517, -1.9735033512115479]], [[-1.2113913297653198, -0.15521551668643951, -2.1695473194122314, -2.8096179962158203, 2.688518524169922, -1.9106006622314453], [-2.6572153568267822, 0.4436607360839844, -2.9955310821533203, 0.3195500373840332, -2.8919410705566406, 2.580897569656372], [2.648939847946167, 0.0023508744779974222, 0.7896089553833008, -1.539725422859192, 0.3193240165710449, -2.9273977279663086], [1.8562953472137451, 1.241895318031311, -0.8578692078590393, -0.2956904470920563, -0.765154242515564, 1.2170588970184326], [0.22803035378456116, 1.9124648571014404, -1.6809755563735962, -0.5734928250312805, -2.159879684448242, 0.020851025357842445]], [[-1.882514238357544, -1.5330575704574585, 1.9674136638641357, -0.8506456613540649, -2.2074034214019775, 0.4908071458339691], [-1.9230079650878906, -0.3416745066642761, 1.1334022283554077, 0.45051807165145874, 1.3993440866470337, -1.6781941652297974], [2.616269826889038, -0.09516514092683792, 0.9807995557785034, 1.6530927419662476, 0.8613829612731934, -2.674002170562744], [0.8646273612976074, 1.934500813484192, -1.6168291568756104, -2.704930067062378, -1.9723742008209229, -2.0428948402404785], [1.1931240558624268, -2.3566832542419434, -2.606992244720459, -2.2883737087249756, -0.6452335715293884, 1.6239465475082397]]], 'float32').reshape((3, 5, 6)), 'float32', 'own'),
}
CLOSE = {"float64": 1e-9, "complex128": 1e-9, "float16": 1e-2, "bfloat16": 5e-2}
PICKED = None  # which of MindSpore's results stand for PyTorch's; None: all
RENAMED = {}  # what MindSpore calls parameters and buffers of PyTorch's object; None: it has no such thing


def made_by_torch(t):
    return torch.nn.Unfold(kernel_size=2, padding=1, stride=2)


def with_torch(t):
    made = made_by_torch(t)
    made.load_state_dict({name: torch.from_numpy(drawn(array_of(each))).to(each.dtype) for name, each in made.state_dict().items()})
    return made(t['input'])


def with_mindspore(t):
    made = mindspore.mint.nn.Unfold(kernel_size=2, padding=1, stride=2)
    for name in made_by_torch(tensors(torch)).state_dict():
        if name != "num_batches_tracked" and (own := RENAMED.get(name, name)):
            held = getattr(made, own)
            held.set_data(mindspore.Tensor(drawn(array_of(held))).astype(held.dtype))
    return made(t['input'])


def drawn(array):
    return np.linspace(0.5, 1.5, array.size).reshape(array.shape).astype(array.dtype) if array.dtype.kind == "f" else array


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
