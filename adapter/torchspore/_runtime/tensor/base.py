"""The class of tensors. It derives from MindSpore's, so that every function of MindSpore takes one; MindSpore's class
stays as it is. The methods stand in modules of their own, each of which attaches what it has.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..._names import member_sentence
from ..core.framework import mindspore

if TYPE_CHECKING:
    _Plain = Any
else:
    _Plain = mindspore.Tensor


class Tensor(_Plain):
    """A tensor that behaves as torch's does, computed by MindSpore."""

    # what the modules of this package attach
    T: Any
    abs: Any
    abs_: Any
    absolute: Any
    absolute_: Any
    acos: Any
    acos_: Any
    add: Any
    add_: Any
    addcdiv: Any
    addcdiv_: Any
    addcmul: Any
    addcmul_: Any
    all: Any
    any: Any
    arctan2: Any
    arctan2_: Any
    asin: Any
    asin_: Any
    atan: Any
    atan2: Any
    atan2_: Any
    atan_: Any
    backward: Any
    bfloat16: Any
    bitwise_and: Any
    bitwise_and_: Any
    bitwise_not: Any
    bitwise_not_: Any
    bitwise_or: Any
    bitwise_or_: Any
    bitwise_xor: Any
    bitwise_xor_: Any
    bmm: Any
    bool: Any
    byte: Any
    cdouble: Any
    ceil: Any
    ceil_: Any
    cfloat: Any
    char: Any
    chunk: Any
    clamp: Any
    clamp_: Any
    clip: Any
    clip_: Any
    clone: Any
    contiguous: Any
    copy_: Any
    cos: Any
    cos_: Any
    cosh: Any
    cosh_: Any
    count_nonzero: Any
    cpu: Any
    cuda: Any
    data: Any
    data_ptr: Any
    detach: Any
    detach_: Any
    device: Any
    diagonal: Any
    dim: Any
    div: Any
    div_: Any
    divide: Any
    divide_: Any
    dot: Any
    double: Any
    dtype: Any
    element_size: Any
    eq: Any
    eq_: Any
    erf: Any
    erf_: Any
    erfc: Any
    erfc_: Any
    exp: Any
    exp_: Any
    expand: Any
    expand_as: Any
    expm1: Any
    expm1_: Any
    fill_: Any
    flatten: Any
    float: Any
    floor: Any
    floor_: Any
    floor_divide: Any
    floor_divide_: Any
    ge: Any
    ge_: Any
    grad: Any
    grad_fn: Any
    gt: Any
    gt_: Any
    half: Any
    int: Any
    is_complex: Any
    is_cuda: Any
    is_floating_point: Any
    is_inference: Any
    is_leaf: Any
    is_meta: Any
    is_mkldnn: Any
    is_mps: Any
    is_nested: Any
    is_quantized: Any
    is_same_size: Any
    is_set_to: Any
    is_signed: Any
    is_sparse: Any
    is_xpu: Any
    isfinite: Any
    isinf: Any
    isnan: Any
    item: Any
    itemsize: Any
    le: Any
    le_: Any
    lerp: Any
    lerp_: Any
    log: Any
    log10: Any
    log10_: Any
    log1p: Any
    log1p_: Any
    log2: Any
    log2_: Any
    log_: Any
    logical_not: Any
    logical_not_: Any
    long: Any
    lt: Any
    lt_: Any
    mT: Any
    masked_fill: Any
    masked_fill_: Any
    matmul: Any
    max: Any
    maximum: Any
    mean: Any
    min: Any
    minimum: Any
    mm: Any
    moveaxis: Any
    movedim: Any
    mul: Any
    mul_: Any
    multiply: Any
    multiply_: Any
    mv: Any
    narrow: Any
    ndimension: Any
    ne: Any
    ne_: Any
    neg: Any
    neg_: Any
    negative: Any
    negative_: Any
    nelement: Any
    new_empty: Any
    new_full: Any
    new_ones: Any
    new_tensor: Any
    new_zeros: Any
    norm: Any
    numel: Any
    numpy: Any
    permute: Any
    pow: Any
    pow_: Any
    ravel: Any
    reciprocal: Any
    reciprocal_: Any
    register_hook: Any
    relu: Any
    relu_: Any
    remainder: Any
    remainder_: Any
    requires_grad: Any
    requires_grad_: Any
    reshape: Any
    reshape_as: Any
    retain_grad: Any
    retains_grad: Any
    round: Any
    round_: Any
    rsqrt: Any
    rsqrt_: Any
    select: Any
    shape: Any
    short: Any
    sigmoid: Any
    sigmoid_: Any
    sign: Any
    sign_: Any
    sin: Any
    sin_: Any
    sinh: Any
    sinh_: Any
    size: Any
    split: Any
    split_with_sizes: Any
    sqrt: Any
    sqrt_: Any
    square: Any
    square_: Any
    squeeze: Any
    stride: Any
    sub: Any
    sub_: Any
    subtract: Any
    subtract_: Any
    sum: Any
    swapaxes: Any
    swapdims: Any
    t: Any
    tan: Any
    tan_: Any
    tanh: Any
    tanh_: Any
    to: Any
    tolist: Any
    transpose: Any
    true_divide: Any
    true_divide_: Any
    trunc: Any
    trunc_: Any
    type: Any
    type_as: Any
    unbind: Any
    unflatten: Any
    unique: Any
    unsqueeze: Any
    view: Any
    view_as: Any
    where: Any
    zero_: Any

    def __init__(self, *data: Any, **keywords: Any) -> None:
        """`__new__` has made it."""

    def __getattr__(self, name: str) -> Any:
        told = None if name.startswith("_") else member_sentence(name)
        raise AttributeError(told or f"{type(self).__name__!r} object has no attribute {name!r}")


def attach(name: str, member: Any) -> None:
    """Make a function, or a property, a member of the class."""
    setattr(Tensor, name, member)
