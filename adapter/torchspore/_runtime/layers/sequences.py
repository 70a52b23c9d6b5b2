"""Sequences of different lengths together: padded to one length, or packed so that no step is spent on padding."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..functional.computing import computed, is_tensor, keeps, whole
from ..tensor.creating import from_numpy


class _Packed(NamedTuple):
    data: Any
    batch_sizes: Any
    sorted_indices: Any
    unsorted_indices: Any


class PackedSequence(_Packed):
    """The steps of several sequences in rows: all first ones, then all second ones; `batch_sizes` says how many."""

    __slots__ = ()

    def __new__(
        cls, data: Any, batch_sizes: Any = None, sorted_indices: Any = None, unsorted_indices: Any = None
    ) -> Any:
        if unsorted_indices is None:
            unsorted_indices = invert_permutation(sorted_indices)
        if batch_sizes is None:
            data, batch_sizes = data
        return super().__new__(cls, data, batch_sizes, sorted_indices, unsorted_indices)

    def to(self, *where: Any, **keywords: Any) -> Any:
        """The same with its rows in another dtype or on another device."""
        data = self.data.to(*where, **keywords)
        return (
            self
            if data is self.data
            else type(self)(data, self.batch_sizes, self.sorted_indices, self.unsorted_indices)
        )

    def cpu(self) -> Any:
        return self.to("cpu")

    def double(self) -> Any:
        return self._with(self.data.double())

    def float(self) -> Any:
        return self._with(self.data.float())

    def half(self) -> Any:
        return self._with(self.data.half())

    def _with(self, data: Any) -> Any:
        return type(self)(data, self.batch_sizes, self.sorted_indices, self.unsorted_indices)

    @property
    def is_cuda(self) -> bool:
        return bool(self.data.is_cuda)

    def is_pinned(self) -> bool:
        return False

    def pin_memory(self) -> Any:
        return self


def invert_permutation(permutation: Any) -> Any:
    """The order that undoes an order."""
    if permutation is None:
        return None
    return from_numpy(np.argsort(whole(permutation)))


@keeps()
def _taken(x: Any, steps: Any, samples: Any) -> Any:
    def back(g: Any) -> Any:
        found = np.zeros(x.shape, g.dtype)
        found[steps, samples] = g
        return (found,)

    return x[steps, samples], back


@keeps()
def _spread(x: Any, steps: Any, samples: Any, shape: tuple[int, ...], value: float) -> Any:
    y = np.full(shape, value, x.dtype)
    y[steps, samples] = x
    return y, lambda g: (g[steps, samples],)


def _places(alive: Any) -> tuple[Any, Any]:
    """Of each row of a packed sequence, its step and its sample."""
    steps = np.repeat(np.arange(len(alive)), alive)
    samples = np.concatenate([np.arange(count) for count in alive]) if len(alive) else np.zeros(0, np.int64)
    return steps, samples


def pack_padded_sequence(input: Any, lengths: Any, batch_first: bool = False, enforce_sorted: bool = True) -> Any:
    """Padded sequences as packed ones."""
    if not is_tensor(lengths):
        lengths = from_numpy(np.array(lengths, np.int64))
    counts = whole(lengths)
    if batch_first:
        input = input.transpose(0, 1)
    if counts.ndim != 1 or counts.size != input.shape[1]:
        raise RuntimeError(
            f"Expected `len(lengths)` to be equal to batch_size, but got {counts.size} (batch_size={input.shape[1]})"
        )
    order = None
    if not enforce_sorted:
        found = np.argsort(-counts, kind="stable")
        order, counts = from_numpy(found), counts[found]
    if counts.size and counts.min() <= 0:
        raise RuntimeError(
            "Length of all samples has to be greater than 0, but found an element in 'lengths' that is <= 0"
        )
    if (np.diff(counts) > 0).any():
        raise RuntimeError(
            "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You can pass "
            "`enforce_sorted=False` to pack_padded_sequence and/or pack_sequence to sidestep this requirement if you "
            "do "
            "not need ONNX exportability."
        )
    if counts.size and counts[0] > input.shape[0]:
        raise RuntimeError(f"Expected lengths of at most {input.shape[0]}, but got {int(counts[0])}")
    alive = (counts[None] > np.arange(int(counts[0]))[:, None]).sum(1)
    steps, samples = _places(alive)
    data = computed(_taken, (input,), steps, samples if order is None else whole(order)[samples])
    return PackedSequence(data, from_numpy(alive.astype(np.int64)), order, None)


def pad_packed_sequence(
    sequence: Any, batch_first: bool = False, padding_value: float = 0.0, total_length: int | None = None
) -> tuple[Any, Any]:
    """Packed sequences as padded ones, with their lengths."""
    alive = whole(sequence.batch_sizes)
    longest = len(alive)
    if total_length is not None:
        if total_length < longest:
            raise ValueError(
                "Expected total_length to be at least the length of the longest sequence in input, but got "
                f"total_length={total_length} and max sequence length being {longest}"
            )
        longest = total_length
    steps, samples = _places(alive)
    lengths = (alive[:, None] > np.arange(int(alive[0]))).sum(0)
    if sequence.unsorted_indices is not None:
        order, back_again = whole(sequence.sorted_indices), whole(sequence.unsorted_indices)
        samples, lengths = order[samples], lengths[back_again]
    shape = (longest, int(alive[0]), *sequence.data.shape[1:])
    padded = computed(_spread, (sequence.data,), steps, samples, shape, padding_value)
    return padded.transpose(0, 1) if batch_first else padded, from_numpy(lengths.astype(np.int64))


@keeps()
def _stacked(*given: Any) -> Any:
    *arrays, longest, value, first, left = given
    shape = (len(arrays), longest, *arrays[0].shape[1:])
    y = np.full(shape, value, arrays[0].dtype)
    parts = [slice(longest - len(each), longest) if left else slice(0, len(each)) for each in arrays]
    for number, (each, part) in enumerate(zip(arrays, parts, strict=True)):
        y[number, part] = each
    result = y if first else np.ascontiguousarray(y.swapaxes(0, 1))

    def back(g: Any) -> Any:
        rows = g if first else g.swapaxes(0, 1)
        return tuple(np.array(rows[number, part]) for number, part in enumerate(parts))

    return result, back


def pad_sequence(
    sequences: Sequence[Any], batch_first: bool = False, padding_value: float = 0.0, padding_side: str = "right"
) -> Any:
    """Sequences of different lengths in one tensor."""
    if padding_side not in ("left", "right"):
        raise RuntimeError(f"Expected padding_side to be one of left or right, but got {padding_side}.")
    if is_tensor(sequences):
        warnings.warn(
            "pad_sequence takes a list of tensors; a tensor is taken apart along its first dimension.", stacklevel=2
        )
    listed = list(sequences)
    if not listed:
        raise RuntimeError("received an empty list of sequences")
    rest = tuple(listed[0].shape[1:])
    for each in listed:
        if tuple(each.shape[1:]) != rest:
            raise RuntimeError(
                f"The size of tensor a {list(listed[0].shape)} must match the size of tensor b {list(each.shape)} in "
                "all "
                ""
                "dimensions but the first"
            )
    longest = max(each.shape[0] for each in listed)
    return computed(_stacked, listed, longest, padding_value, batch_first, padding_side == "left")


def unpad_sequence(padded_sequences: Any, lengths: Any, batch_first: bool = False) -> list[Any]:
    """The sequences that were padded, each of its own length."""
    rows = padded_sequences if batch_first else padded_sequences.transpose(0, 1)
    return [rows[number, : int(length)] for number, length in enumerate(whole(lengths))]


def pack_sequence(sequences: Sequence[Any], enforce_sorted: bool = True) -> Any:
    """Sequences of different lengths as packed ones."""
    lengths = from_numpy(np.array([each.shape[0] for each in sequences], np.int64))
    return pack_padded_sequence(pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)


def unpack_sequence(packed_sequences: Any) -> list[Any]:
    """Packed sequences one by one."""
    padded, lengths = pad_packed_sequence(packed_sequences, batch_first=True)
    return unpad_sequence(padded, lengths, batch_first=True)
