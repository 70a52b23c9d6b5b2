"""Recurrent layers, one direction of one layer at a time: all steps are one step of the graph. In: the inputs of all
steps in rows, how many sequences are alive at each step, states and weights. Out: the outputs in rows, and last states.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

import numpy as np

from .activations import sigmoid_of
from .computing import computed, keeps


def _in_float64(rule: Callable[..., Any]) -> Callable[..., Any]:
    """A rule that computes with more digits than its arrays have: gates near their ends leave slopes of which few
    digits would be right, and every step makes them fewer."""

    @wraps(rule)
    def wide(*given: Any) -> Any:
        widened = [_wide(each) if isinstance(each, np.ndarray) else each for each in given]
        kind = next(each.dtype for each in given if isinstance(each, np.ndarray))
        found, back = rule(*widened)
        return tuple(each.astype(kind) for each in found), lambda *g: back(*map(_wide, g))

    return wide


def _wide(array: Any) -> Any:
    return array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)


def _spans(alive: Sequence[int], backwards: bool) -> list[tuple[int, int]]:
    """Where the rows of each step lie, in the order of the calculation."""
    ends = np.cumsum(alive).tolist()
    spans = [(end - count, end) for end, count in zip(ends, alive, strict=True)]
    return spans[::-1] if backwards else spans


def _plus(products: Any, *biases: Any) -> Any:
    for each in biases:
        if each is not None:
            products += each
    return products


def _gradients(x: Any, states: Any, gates: Any, of_states: Any, weight: Any) -> tuple[Any, ...]:
    """The gradients of input, weights and biases, from those of the gates; the part of the state may have its own."""
    return (
        lambda: gates @ weight,
        lambda: gates.T @ x,
        lambda: of_states.T @ states,
        lambda: gates.sum(0),
        lambda: of_states.sum(0),
    )


@keeps(0, 2, 3)
@_in_float64
def _simple(x: Any, h: Any, w: Any, u: Any, b: Any, c: Any, alive: Any, backwards: bool, curve: str) -> Any:
    inputs = _plus(x @ w.T, b, c)
    state = h.copy()
    y = np.empty((len(x), h.shape[1]), x.dtype)
    before = np.empty_like(y)
    spans = _spans(alive, backwards)
    for start, end in spans:
        count = end - start
        before[start:end] = state[:count]
        found = inputs[start:end] + state[:count] @ u.T
        y[start:end] = state[:count] = np.tanh(found) if curve == "tanh" else np.maximum(found, 0)
    result = y.copy()

    def back(g: Any, of_state: Any) -> Any:
        carried = of_state.copy()
        gates = np.empty_like(y)
        for start, end in reversed(spans):
            count = end - start
            given = carried[:count] + g[start:end]
            part = y[start:end]
            gates[start:end] = given * (1 - part * part) if curve == "tanh" else given * (part > 0)
            carried[:count] = gates[start:end] @ u
        of_x, of_w, of_u, of_b, of_c = _gradients(x, before, gates, gates, w)
        return of_x, carried, of_w, of_u, of_b, of_c

    return (result, state), back


@keeps(0, 3, 4, 7)
@_in_float64
def _lstm(x: Any, h: Any, cell: Any, w: Any, u: Any, b: Any, c: Any, r: Any, alive: Any, backwards: bool) -> Any:
    size = cell.shape[1]
    gates = _plus(x @ w.T, b, c)
    state, memory = h.copy(), cell.copy()
    y, before = np.empty((len(x), h.shape[1]), x.dtype), np.empty((len(x), h.shape[1]), x.dtype)
    cells, bent, raw = (np.empty((len(x), size), x.dtype) for _ in range(3))
    spans = _spans(alive, backwards)
    for start, end in spans:
        count = end - start
        before[start:end], cells[start:end] = state[:count], memory[:count]
        part = gates[start:end]
        part += state[:count] @ u.T
        part[:, : 2 * size] = sigmoid_of(part[:, : 2 * size])
        part[:, 2 * size : 3 * size] = np.tanh(part[:, 2 * size : 3 * size])
        part[:, 3 * size :] = sigmoid_of(part[:, 3 * size :])
        let, keep, new, out = (part[:, n * size : (n + 1) * size] for n in range(4))
        memory[:count] = keep * memory[:count] + let * new
        bent[start:end] = np.tanh(memory[:count])
        raw[start:end] = out * bent[start:end]
        y[start:end] = state[:count] = raw[start:end] if r is None else raw[start:end] @ r.T

    def back(g: Any, of_state: Any, of_memory: Any) -> Any:
        carried, kept = of_state.copy(), of_memory.copy()
        turned = np.empty_like(gates)
        to_raw = np.zeros_like(y)
        for start, end in reversed(spans):
            count = end - start
            let, keep, new, out = (gates[start:end, n * size : (n + 1) * size] for n in range(4))
            to_raw[start:end] = carried[:count] + g[start:end]
            given = to_raw[start:end] if r is None else to_raw[start:end] @ r
            to_cell = kept[:count] + given * out * (1 - bent[start:end] ** 2)
            part = turned[start:end]
            part[:, :size] = to_cell * new * let * (1 - let)
            part[:, size : 2 * size] = to_cell * cells[start:end] * keep * (1 - keep)
            part[:, 2 * size : 3 * size] = to_cell * let * (1 - new * new)
            part[:, 3 * size :] = given * bent[start:end] * out * (1 - out)
            kept[:count] = to_cell * keep
            carried[:count] = part @ u
        of_x, of_w, of_u, of_b, of_c = _gradients(x, before, turned, turned, w)
        return of_x, carried, kept, of_w, of_u, of_b, of_c, lambda: to_raw.T @ raw

    return (y, state, memory), back


@keeps(0, 2, 3)
@_in_float64
def _gru(x: Any, h: Any, w: Any, u: Any, b: Any, c: Any, alive: Any, backwards: bool) -> Any:
    size = h.shape[1]
    inputs = _plus(x @ w.T, b)
    state = h.copy()
    y, before, inner = (np.empty((len(x), size), x.dtype) for _ in range(3))
    gates = np.empty_like(inputs)
    spans = _spans(alive, backwards)
    for start, end in spans:
        count = end - start
        before[start:end] = last = state[:count].copy()
        own = _plus(last @ u.T, c)
        both = sigmoid_of(inputs[start:end, : 2 * size] + own[:, : 2 * size])
        inner[start:end] = own[:, 2 * size :]
        new = np.tanh(inputs[start:end, 2 * size :] + both[:, :size] * own[:, 2 * size :])
        gates[start:end, : 2 * size], gates[start:end, 2 * size :] = both, new
        y[start:end] = state[:count] = new + both[:, size:] * (last - new)

    def back(g: Any, of_state: Any) -> Any:
        carried = of_state.copy()
        turned, of_own = np.empty_like(gates), np.empty_like(gates)
        for start, end in reversed(spans):
            count = end - start
            reset, update, new = (gates[start:end, n * size : (n + 1) * size] for n in range(3))
            given = carried[:count] + g[start:end]
            to_new = given * (1 - update) * (1 - new * new)
            part = turned[start:end]
            part[:, :size] = to_new * inner[start:end] * reset * (1 - reset)
            part[:, size : 2 * size] = given * (before[start:end] - new) * update * (1 - update)
            part[:, 2 * size :] = to_new
            of_own[start:end] = part
            of_own[start:end, 2 * size :] *= reset
            carried[:count] = given * update + of_own[start:end] @ u
        of_x, of_w, of_u, of_b, of_c = _gradients(x, before, turned, of_own, w)
        return of_x, carried, of_w, of_u, of_b, of_c

    return (y, state), back


def simple(x: Any, h: Any, weights: Sequence[Any], alive: Sequence[int], backwards: bool, curve: str) -> Any:
    """Outputs and last states of a plain recurrence with `tanh` or `relu`."""
    return computed(_simple, (x, h, *weights[:4]), alive, backwards, curve)


def lstm(x: Any, h: Any, cell: Any, weights: Sequence[Any], alive: Sequence[int], backwards: bool) -> Any:
    """Outputs, last states and last memories of a long short-term memory; a fifth weight projects its outputs."""
    projection = weights[4] if len(weights) > 4 else None
    return computed(_lstm, (x, h, cell, *weights[:4], projection), alive, backwards)


def gru(x: Any, h: Any, weights: Sequence[Any], alive: Sequence[int], backwards: bool) -> Any:
    """Outputs and last states of a gated recurrence."""
    return computed(_gru, (x, h, *weights[:4]), alive, backwards)
