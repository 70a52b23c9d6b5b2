"""torch.nn.functional.unfold and mindspore.mint.nn.functional.unfold: not the same.

Needs PyTorch and MindSpore and nothing else. Prints what each of them gives.
Exit code 1: they differ, as PyTorch 2.13.0 and MindSpore 2.10.0 do on a CPU. Exit code 0: they do not.
"""

import sys

import mindspore
import numpy as np
import torch

nan, inf = float("nan"), float("inf")
ARRAYS = {  # by name: the memory, the dtype, how the tensor lies in it
    'input': (np.array([[[0.481888085603714, 1.0101134777069092, -2.741584539413452, -0.3406597375869751, 2.6430554389953613, 2.7139034271240234], [1.0003678798675537, -0.17873898148536682, -0.8433195948600769, 1.0945467948913574, -2.2306742668151855, -0.5313811302185059], [2.4479939937591553, -0.3657379150390625, -0.6477617025375366, 2.6868736743927, 2.2454850673675537, -2.9462878704071045], [0.29110202193260193, -1.9000325202941895, 0.5008723139762878, 2.4721620082855225, 1.7158682346343994, -2.509828805923462], [0.15939867496490479, 2.3519177436828613, 1.79201340675354, 0.5238037109375, 0.7094419598579407, 1.1892540454864502]], [[-2.604290008544922, 2.8395540714263916, 1.1056462526321411, 0.7935348749160767, -1.4963175058364868, 2.746891975402832], [-1.6535588502883911, -0.8661484718322754, -2.393761157989502, 2.459977865219116, -0.1354002207517624, -2.586064577102661], [-0.15467795729637146, 2.405320167541504, -1.0213282108306885, -0.5245824456214905, -0.6216997504234314, 0.37163102626800537], [-2.2341294288635254, 2.391832113265991, -1.6431159973144531, 1.2294670343399048, 1.0812712907791138, 1.7102508544921875], [-0.7391431331634521, 1.3897494077682495, -0.6049810647964478, -1.637403130531311, -0.340583473443985, -2.8672773838043213]], [[0.6127450466156006, 2.496983051300049, -1.71108877658844, -0.37105369567871094, -2.26102876663208, 0.20733268558979034], [-2.2189691066741943, -1.3653054237365723, 1.5721688270568848, -1.2372089624404907, 1.3170599937438965, -0.5103310346603394], [-0.15977543592453003, -0.25852832198143005, -1.533216953277588, -0.002952003153041005, 0.13280202448368073, -2.3676514625549316], [-0.1789253205060959, -2.5475380420684814, 2.968431234359741, -0.7039745450019836, 1.2443517446517944, 0.6122708320617676], [0.4529893696308136, 0.8905925154685974, 1.3543769121170044, -2.307466506958008, 0.7085083723068237, 2.291053295135498]]], 'float32').reshape((3, 5, 6)), 'float32', 'own'),
}
CLOSE = {"float64": 1e-9, "complex128": 1e-9, "float16": 1e-2, "bfloat16": 5e-2}
PICKED = None  # which of MindSpore's results stand for PyTorch's; None: all


def with_torch(t):
    return torch.nn.functional.unfold(input=t['input'], kernel_size=2, padding=1, stride=2)


def with_mindspore(t):
    return mindspore.mint.nn.functional.unfold(input=t['input'], kernel_size=2, padding=1, stride=2)


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
