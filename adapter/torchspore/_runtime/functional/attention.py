"""Attention: values mixed by how well keys fit queries, alone and in the form with several heads that learn."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..random import discrete
from ..random.generator import default_generator
from ..tensor import dtypes
from .computing import computed, fractions, keeps, kind_of, summed_to, values
from .dropping import dropout
from .padding import pad
from .products import linear
from .softmaxes import shares, softmax


@keeps(0, 1, 2)
def _attention(q: Any, k: Any, v: Any, mask: Any, hidden: Any, scale: float, noise: Any, fused: bool) -> Any:
    scores = np.matmul(q * q.dtype.type(scale), k.swapaxes(-1, -2))
    if mask is not None:
        scores = scores + mask
    if hidden is not None:
        scores = np.where(hidden, -np.inf, scores) if fused else scores + np.where(hidden, -np.inf, 0)
    weights = shares(scores.astype(np.float64), -1)
    if mask is not None or hidden is not None:
        weights = np.where(np.isneginf(scores).all(-1, keepdims=True), 0, weights)  # a query that may see nothing
    if fused:  # torch's fused kernel finds no greatest number among those that are none
        weights = np.where(np.isnan(scores).all(-1, keepdims=True), 0, weights)
    mixing = (weights if noise is None else weights * noise).astype(q.dtype)

    def back(g: Any) -> Any:
        given = np.matmul(g, v.swapaxes(-1, -2))
        reached = given if noise is None else given * noise
        to_scores = (weights * (reached - (weights * reached).sum(-1, keepdims=True))).astype(q.dtype)
        return (
            lambda: summed_to(np.matmul(to_scores, k) * scale, q.shape),
            lambda: summed_to(np.matmul(to_scores.swapaxes(-1, -2), q) * scale, k.shape),
            lambda: summed_to(np.matmul(mixing.swapaxes(-1, -2), g), v.shape),
            lambda: None if mask is None else summed_to(to_scores, mask.shape),
        )

    return np.matmul(mixing, v), back


def scaled_dot_product_attention(
    query: Any,
    key: Any,
    value: Any,
    attn_mask: Any = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Any:
    """Values mixed by the softmax of the products of queries and keys."""
    fractions("scaled_dot_product_attention", query, key, value)
    kinds = [kind_of(each) for each in (query, key, value)]
    if any(each is not kinds[0] for each in kinds):
        raise RuntimeError(
            "Expected query, key, and value to have the same dtype, but got query.dtype: "
            f"{kinds[0]}, key.dtype: {kinds[1]}, and value.dtype: {kinds[2]} instead."
        )
    if min(query.ndim, key.ndim, value.ndim) < 2:
        raise RuntimeError("Expected query, key, and value to all be at least 2 dimensional")
    if is_causal and attn_mask is not None:
        raise RuntimeError("_scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True")
    if not query.numel():
        return query.new_zeros((*query.shape[:-1], value.shape[-1])) + query.sum() * 0  # of which there are gradients
    if enable_gqa:
        key, value = (_repeated(each, query) for each in (key, value))
    if query.shape[-1] != key.shape[-1] or key.shape[-2] != value.shape[-2]:
        raise RuntimeError(
            f"the shapes of query {list(query.shape)}, key {list(key.shape)} and value {list(value.shape)} do not fit"
        )
    rows, columns = query.shape[-2], key.shape[-2]
    hidden: Any = None
    if is_causal:
        hidden = ~np.tri(rows, columns, dtype=bool)
    elif attn_mask is not None and kind_of(attn_mask).name == "bool":
        hidden, attn_mask = ~np.array(values(attn_mask)), None
    elif attn_mask is not None and kind_of(attn_mask) is not kinds[0]:
        if kind_of(attn_mask).kind != "f" or kind_of(attn_mask) is not dtypes.float32:
            raise RuntimeError(
                "Expected attn_mask dtype to be bool or float or to match query dtype, but got attn_mask.dtype: "
                f"{kind_of(attn_mask)} and  query.dtype: {kinds[0]} instead."
            )
        attn_mask = attn_mask.to(kinds[0])
    try:
        batch = np.broadcast_shapes(*(tuple(each.shape[:-2]) for each in (query, key, value)))
        if attn_mask is not None or hidden is not None:
            shape = tuple(attn_mask.shape) if attn_mask is not None else hidden.shape
            np.broadcast_shapes(shape, (*batch, rows, columns))
    except ValueError:
        raise RuntimeError(
            f"the shapes of query {list(query.shape)}, key {list(key.shape)}, value {list(value.shape)} and the "
            "mask do "
            ""
            "not fit"
        ) from None
    fused = not dropout_p and query.ndim == key.ndim == value.ndim == 4
    noise = None
    if dropout_p > 0:
        noise = discrete.dropout_noise(default_generator, (*batch, rows, columns), kinds[0].name, dropout_p)
        noise = noise.astype(np.float32) if noise.dtype == np.float16 else noise
    factor = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    return computed(_attention, (query, key, value, attn_mask), hidden, factor, noise, fused)


def _repeated(tensor: Any, query: Any) -> Any:
    """Heads of keys and values repeated for the queries that share them."""
    heads, wanted = tensor.shape[-3], query.shape[-3]
    if wanted % heads:
        raise RuntimeError("Number of heads in key and value must divide the number of heads in query")
    if heads == wanted:
        return tensor
    *outer, _, length, width = tensor.shape
    return (
        tensor.unsqueeze(-3)
        .expand(*outer, heads, wanted // heads, length, width)
        .reshape(*outer, wanted, length, width)
    )


def _as_float(mask: Any, kind: Any) -> Any:
    """A mask that is added to scores; of truth values, true ones hide."""
    if mask is None:
        return None
    if kind_of(mask).name == "bool":
        return mask.new_zeros(tuple(mask.shape), dtype=kind).masked_fill(mask, float("-inf"))
    if kind_of(mask).kind != "f":
        raise AssertionError(f"only bool and floating types of masks are supported, and this is {kind_of(mask)}")
    return mask


def _projected(query: Any, key: Any, value: Any, weight: Any, bias: Any) -> tuple[Any, Any, Any]:
    """Queries, keys and values by one weight in three parts."""
    if query is key and key is value:
        return tuple(linear(query, weight, bias).chunk(3, -1))
    weights = weight.chunk(3)
    biases = (None,) * 3 if bias is None else bias.chunk(3)
    return tuple(linear(*each) for each in zip((query, key, value), weights, biases, strict=True))


def multi_head_attention_forward(
    query: Any,
    key: Any,
    value: Any,
    embed_dim_to_check: int,
    num_heads: int,
    in_proj_weight: Any,
    in_proj_bias: Any,
    bias_k: Any,
    bias_v: Any,
    add_zero_attn: bool,
    dropout_p: float,
    out_proj_weight: Any,
    out_proj_bias: Any,
    training: bool = True,
    key_padding_mask: Any = None,
    need_weights: bool = True,
    attn_mask: Any = None,
    use_separate_proj_weight: bool = False,
    q_proj_weight: Any = None,
    k_proj_weight: Any = None,
    v_proj_weight: Any = None,
    static_k: Any = None,
    static_v: Any = None,
    average_attn_weights: bool = True,
    is_causal: bool = False,
) -> tuple[Any, Any]:
    """Attention of several heads, of sequences with time first; with the weights if they are asked for."""
    batched = _check_ranks(query, key, value, key_padding_mask, attn_mask, num_heads)
    if not batched:
        same = query is key and key is value
        query, key, value = (
            (each.unsqueeze(1) for each in (query, key, value)) if not same else (query.unsqueeze(1),) * 3
        )
        key_padding_mask = None if key_padding_mask is None else key_padding_mask.unsqueeze(0)
    target, batch, width = query.shape
    if is_causal and attn_mask is None:
        raise RuntimeError("Need attn_mask if specifying the is_causal hint.")
    kind = kind_of(query)
    padding, mask = _as_float(key_padding_mask, kind), None
    if not (is_causal and key_padding_mask is None and not need_weights):
        mask = _as_float(attn_mask, kind)
        is_causal = False if key_padding_mask is not None or mask is not None else is_causal
    if width != embed_dim_to_check:
        raise AssertionError(f"was expecting embedding dimension of {embed_dim_to_check}, but got {width}")
    head = width // num_heads
    if head * num_heads != width:
        raise AssertionError(f"embed_dim {width} not divisible by num_heads {num_heads}")
    for missing, there in (("bias_k", "bias_v"), ("bias_v", "bias_k")):
        if (bias_k if missing == "bias_k" else bias_v) is None and (
            bias_v if there == "bias_v" else bias_k
        ) is not None:
            raise AssertionError(f"{there} is set but {missing} is None")
    if use_separate_proj_weight:
        for part, each in (("q", q_proj_weight), ("k", k_proj_weight), ("v", v_proj_weight)):
            if each is None:
                raise AssertionError(f"use_separate_proj_weight is True but {part}_proj_weight is None")
        if tuple(key.shape[:2]) != tuple(value.shape[:2]):
            raise AssertionError(
                f"key's sequence and batch dims {key.shape[:2]} do not match value's {value.shape[:2]}"
            )
        biases = (None,) * 3 if in_proj_bias is None else in_proj_bias.chunk(3)
        weights = (q_proj_weight, k_proj_weight, v_proj_weight)
        q, k, v = (linear(*each) for each in zip((query, key, value), weights, biases, strict=True))
    else:
        if in_proj_weight is None:
            raise AssertionError("use_separate_proj_weight is False but in_proj_weight is None")
        if tuple(key.shape) != tuple(value.shape):
            raise AssertionError(f"key shape {key.shape} does not match value shape {value.shape}")
        q, k, v = _projected(query, key, value, in_proj_weight, in_proj_bias)
    if mask is not None:
        mask = _attention_mask(mask, (batch * num_heads, target, key.shape[0]))
    if bias_k is not None and bias_v is not None:
        k, v = (_appended(each, more.expand(1, batch, width)) for each, more in ((k, bias_k), (v, bias_v)))
        mask, padding = (None if each is None else pad(each, (0, 1)) for each in (mask, padding))
    q = q.reshape(target, batch * num_heads, head).transpose(0, 1)
    k, v = (
        each.reshape(each.shape[0], batch * num_heads, head).transpose(0, 1) if static is None else static
        for each, static in ((k, static_k), (v, static_v))
    )
    if add_zero_attn:
        k, v = (pad(each, (0, 0, 0, 1)) for each in (k, v))
        mask, padding = (None if each is None else pad(each, (0, 1)) for each in (mask, padding))
    source = k.shape[1]
    if padding is not None:
        if tuple(padding.shape) != (batch, source):
            raise AssertionError(f"expecting key_padding_mask shape of {(batch, source)}, but got {padding.shape}")
        wide = (
            padding.reshape(batch, 1, 1, source)
            .expand(batch, num_heads, 1, source)
            .reshape(batch * num_heads, 1, source)
        )
        mask = wide if mask is None else mask + wide
    chance = dropout_p if training else 0.0
    if need_weights:
        return _with_weights(
            q, k, v, mask, chance, out_proj_weight, out_proj_bias, (batch, num_heads), average_attn_weights, batched
        )
    if mask is not None:
        mask = (
            mask.unsqueeze(0) if mask.shape[0] == 1 and mask.ndim == 3 else mask.reshape(batch, num_heads, -1, source)
        )
    q, k, v = (each.reshape(batch, num_heads, each.shape[1], head) for each in (q, k, v))
    mixed = scaled_dot_product_attention(q, k, v, mask, chance, is_causal)
    joined = mixed.permute(2, 0, 1, 3).reshape(batch * target, width)
    result = linear(joined, out_proj_weight, out_proj_bias).reshape(target, batch, out_proj_weight.shape[0])
    return (result if batched else result.squeeze(1)), None


def _with_weights(
    q: Any,
    k: Any,
    v: Any,
    mask: Any,
    chance: float,
    weight: Any,
    bias: Any,
    sizes: tuple[int, int],
    average: bool,
    batched: bool,
) -> tuple[Any, Any]:
    """The same in steps, since what the queries looked at is wanted too."""
    batch, heads = sizes
    target, head = q.shape[1], q.shape[2]
    scores = (q * math.sqrt(1.0 / float(head))) @ k.transpose(-2, -1)
    shares_of = softmax(scores if mask is None else mask + scores, -1)
    if chance > 0.0:
        shares_of = dropout(shares_of, chance)
    mixed = (shares_of @ v).transpose(0, 1).reshape(target * batch, heads * head)
    result = linear(mixed, weight, bias).reshape(target, batch, weight.shape[0])
    seen = shares_of.reshape(batch, heads, target, k.shape[1])
    seen = seen.mean(1) if average else seen
    return (result, seen) if batched else (result.squeeze(1), seen.squeeze(0))


def _appended(tensor: Any, more: Any) -> Any:
    """A sequence with one step more, and the gradient of both."""
    return computed(_joined, (tensor, more))


@keeps()
def _joined(x: Any, more: Any) -> Any:
    return np.concatenate([x, more]), lambda g: (np.array(g[: len(x)]), np.array(g[len(x) :]))


def _attention_mask(mask: Any, shape: tuple[int, int, int]) -> Any:
    if mask.ndim == 2:
        if tuple(mask.shape) != shape[1:]:
            raise RuntimeError(f"The shape of the 2D attn_mask is {mask.shape}, but should be {shape[1:]}.")
        return mask.unsqueeze(0)
    if mask.ndim != 3:
        raise RuntimeError(f"attn_mask's dimension {mask.ndim} is not supported")
    if tuple(mask.shape) != shape:
        raise RuntimeError(f"The shape of the 3D attn_mask is {mask.shape}, but should be {shape}.")
    return mask


def _check_ranks(query: Any, key: Any, value: Any, padding: Any, mask: Any, heads: int) -> bool:
    rank = query.ndim
    if rank not in (2, 3):
        raise AssertionError(f"query should be unbatched 2D or batched 3D tensor but received {rank}-D query tensor")
    if key.ndim != rank or value.ndim != rank:
        raise AssertionError(
            f"For {rank}-D query, expected key and value to be {rank}-D but found {key.ndim}-D and {value.ndim}-D "
            "tensors"
        )
    if padding is not None and padding.ndim != rank - 1:
        raise AssertionError(
            f"For {rank}-D query, expected key_padding_mask to be None or {rank - 1}-D but found {padding.ndim}-D"
        )
    if mask is not None and mask.ndim not in (2, 3):
        raise AssertionError(f"expected attn_mask to be None, 2-D or 3-D but found {mask.ndim}-D tensor instead")
    if rank == 2 and mask is not None and mask.ndim == 3 and tuple(mask.shape) != (heads, query.shape[0], key.shape[0]):
        raise AssertionError(
            f"Expected attn_mask shape to be {(heads, query.shape[0], key.shape[0])} but got {tuple(mask.shape)}"
        )
    return bool(rank == 3)
