"""Recurrent layers and their cells: plain, long short-term memory, gated; of several layers, in both directions."""

from __future__ import annotations

import math
import numbers
import warnings
from typing import Any

import numpy as np

from ..functional import recurrence
from ..functional.computing import computed, keeps, kind_of, whole
from ..functional.dropping import dropout
from ..init import filling
from ..module import Module
from .making import buffer, parameter
from .sequences import PackedSequence

GATES = {"LSTM": 4, "GRU": 3, "RNN_TANH": 1, "RNN_RELU": 1}


@keeps()
def _beside(one: Any, other: Any) -> Any:
    width = one.shape[-1]
    return np.concatenate([one, other], -1), lambda g: (np.array(g[..., :width]), np.array(g[..., width:]))


@keeps()
def _stacked(*states: Any) -> Any:
    return np.stack(states), lambda g: tuple(np.array(each) for each in g)


class RNNBase(Module):
    """Recurrent layers above each other, in one direction or both."""

    def __init__(
        self, mode: str, input_size: int, hidden_size: int, num_layers: int = 1, bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0, bidirectional: bool = False, proj_size: int = 0, device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.mode = mode
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.num_layers = num_layers
        self.bias = bias
        self.batch_first = batch_first
        self.dropout = float(dropout)
        self.bidirectional = bidirectional
        self.proj_size = proj_size
        self._check_settings(dropout)
        self._flat_weights_names: list[str] = []
        self._all_weights: list[list[str]] = []
        for layer in range(num_layers):
            for direction in range(2 if bidirectional else 1):
                self._make_weights(layer, direction, device, dtype)
        self.reset_parameters()

    def _check_settings(self, dropout: Any) -> None:
        if isinstance(dropout, bool) or not isinstance(dropout, numbers.Number) or not 0 <= float(dropout) <= 1:  # type: ignore[arg-type]
            raise ValueError(
                "dropout should be a number in range [0, 1] representing the probability of an element being zeroed"
            )
        if dropout and self.num_layers == 1:
            warnings.warn(
                "dropout option adds dropout after all but last recurrent layer, so non-zero dropout expects "
                "num_layers "
                ""
                f"greater than 1, but got dropout={dropout} and num_layers={self.num_layers}",
                stacklevel=4,
            )
        for name, kind in (("input_size", int), ("hidden_size", int), ("bias", bool), ("batch_first", bool)):
            if not isinstance(getattr(self, name), kind):
                raise TypeError(f"{name} should be of type {kind.__name__}, got: {type(getattr(self, name)).__name__}")
        for name in ("input_size", "hidden_size"):
            if getattr(self, name) <= 0:
                raise ValueError(f"{name} must be greater than zero")
        if self.num_layers <= 0:
            raise ValueError("num_layers must be greater than zero")
        if self.proj_size < 0:
            raise ValueError("proj_size should be a positive integer or zero to disable projections")
        if self.proj_size >= self.hidden_size:
            raise ValueError("proj_size has to be smaller than hidden_size")
        if self.mode not in GATES:
            raise ValueError("Unrecognized RNN mode: " + self.mode)

    def _make_weights(self, layer: int, direction: int, device: Any, dtype: Any) -> None:
        rows = GATES[self.mode] * self.hidden_size
        state = self.proj_size or self.hidden_size
        width = self.input_size if layer == 0 else state * (2 if self.bidirectional else 1)
        shapes: dict[str, tuple[int, ...]] = {"weight_ih": (rows, width), "weight_hh": (rows, state)}
        if self.bias:
            shapes |= {"bias_ih": (rows,), "bias_hh": (rows,)}
        if self.proj_size:
            shapes["weight_hr"] = (self.proj_size, self.hidden_size)
        names = [f"{name}_l{layer}{'_reverse' if direction else ''}" for name in shapes]
        for name, shape in zip(names, shapes.values(), strict=True):
            setattr(self, name, parameter(shape, device, dtype))
        self._flat_weights_names += names
        self._all_weights.append(names)

    def reset_parameters(self) -> None:
        """Draw all weights anew."""
        bound = 1.0 / math.sqrt(self.hidden_size)
        for weight in self.parameters():
            filling.uniform_(weight, -bound, bound)

    def flatten_parameters(self) -> None:
        """Nothing: weights need not lie in one piece of memory here."""

    @property
    def all_weights(self) -> list[list[Any]]:
        return [[getattr(self, name) for name in names] for names in self._all_weights]

    @property
    def _flat_weights(self) -> list[Any]:
        return [getattr(self, name) for name in self._flat_weights_names]

    def extra_repr(self) -> str:
        text = f"{self.input_size}, {self.hidden_size}"
        for name, usual in (
            ("proj_size", 0),
            ("num_layers", 1),
            ("bias", True),
            ("batch_first", False),
            ("dropout", 0),
        ):
            value = getattr(self, name)
            if value != usual:
                text += f", {name}={value}"
        return text + (f", bidirectional={self.bidirectional}" if self.bidirectional else "")

    def _states(self) -> tuple[int, ...]:
        """The widths of the states: of a long short-term memory there are two."""
        own = self.proj_size or self.hidden_size
        return (own, self.hidden_size) if self.mode == "LSTM" else (own,)

    def _one(self, x: Any, states: list[Any], weights: list[Any], alive: Any, backwards: bool) -> Any:
        given = weights if self.bias else [*weights[:2], None, None, *weights[2:]]
        if self.mode == "LSTM":
            return recurrence.lstm(x, states[0], states[1], given, alive, backwards)
        if self.mode == "GRU":
            return recurrence.gru(x, states[0], given, alive, backwards)
        return recurrence.simple(x, states[0], given, alive, backwards, "tanh" if self.mode == "RNN_TANH" else "relu")

    def _all_layers(self, x: Any, alive: Any, shape: Any, starts: list[Any]) -> tuple[Any, list[Any]]:
        """The rows of the last layer, and the last states of all; `shape` is that of steps and samples if all sequences
        are of one length."""
        directions = 2 if self.bidirectional else 1
        ends: list[list[Any]] = [[] for _ in starts]
        for layer in range(self.num_layers):
            outputs = []
            for direction in range(directions):
                number = layer * directions + direction
                found = self._one(
                    x, [each[number] for each in starts], self.all_weights[number], alive, bool(direction)
                )
                outputs.append(found[0])
                for kept, each in zip(ends, found[1:], strict=True):
                    kept.append(each)
            x = outputs[0] if directions == 1 else computed(_beside, outputs)
            if self.dropout and self.training and layer < self.num_layers - 1:
                x = dropout(x.reshape(*shape, -1) if shape else x, self.dropout).reshape(x.shape)
        return x, [computed(_stacked, kept) for kept in ends]

    def _checked_input(self, input: Any) -> None:
        if kind_of(input) is not kind_of(self._flat_weights[0]):
            raise ValueError(
                f"RNN input dtype ({kind_of(input)}) does not match weight dtype ({kind_of(self._flat_weights[0])}). "
                "Convert input: input.to(weight.dtype), or convert model: model.to(input.dtype)"
            )
        if input.shape[-1] != self.input_size:
            raise RuntimeError(
                f"input.size(-1) must be equal to input_size. Expected {self.input_size}, got {input.shape[-1]}"
            )

    def _checked_states(self, states: list[Any], batch: int) -> None:
        count = self.num_layers * (2 if self.bidirectional else 1)
        for number, (each, width) in enumerate(zip(states, self._states(), strict=True)):
            if tuple(each.shape) != (count, batch, width):
                name = "hidden" if len(states) == 1 else f"hidden[{number}]"
                raise RuntimeError(f"Expected {name} size {(count, batch, width)}, got {list(each.shape)}")

    def _noughts(self, batch: int, like: Any) -> list[Any]:
        count = self.num_layers * (2 if self.bidirectional else 1)
        return [buffer((count, batch, width), 0, None, kind_of(like)) for width in self._states()]

    def forward(self, input: Any, hx: Any = None) -> Any:
        given = None if hx is None else list(hx) if self.mode == "LSTM" else [hx]
        if isinstance(input, PackedSequence):
            return self._of_packed(input, given)
        if input.ndim not in (2, 3):
            raise ValueError(f"{self._get_name()}: Expected input to be 2D or 3D, got {input.ndim}D instead")
        single = input.ndim == 2
        if given is not None:
            wanted = 2 if single else 3
            if any(each.ndim != wanted for each in given):
                kind = "unbatched 2-D" if single else "batched 3-D"
                raise RuntimeError(
                    f"For {kind} input, hx should also be {wanted}-D but got "
                    f"{', '.join(f'{each.ndim}-D' for each in given)} "
                    "tensor"
                )
            given = [each.unsqueeze(1) for each in given] if single else given
        x = input.unsqueeze(1) if single else input.transpose(0, 1) if self.batch_first else input
        steps, batch = x.shape[:2]
        self._checked_input(x)
        if not steps:
            raise RuntimeError("Expected sequence length to be larger than 0 in RNN")
        starts = self._noughts(batch, x) if given is None else given
        self._checked_states(starts, batch)
        rows, ends = self._all_layers(x.reshape(steps * batch, -1), [batch] * steps, (steps, batch), starts)
        output = rows.reshape(steps, batch, -1)
        if single:
            return output.squeeze(1), self._given_back([each.squeeze(1) for each in ends])
        return output.transpose(0, 1) if self.batch_first else output, self._given_back(ends)

    def _of_packed(self, input: Any, given: list[Any] | None) -> Any:
        alive = whole(input.batch_sizes).tolist()
        batch = int(alive[0])
        self._checked_input(input.data)
        starts = (
            self._noughts(batch, input.data)
            if given is None
            else [_permuted(each, input.sorted_indices) for each in given]
        )
        self._checked_states(starts, batch)
        rows, ends = self._all_layers(input.data, alive, None, starts)
        packed = PackedSequence(rows, input.batch_sizes, input.sorted_indices, input.unsorted_indices)
        return packed, self._given_back([_permuted(each, input.unsorted_indices) for each in ends])

    def _given_back(self, states: list[Any]) -> Any:
        return tuple(states) if self.mode == "LSTM" else states[0]


def _permuted(state: Any, order: Any) -> Any:
    return state if order is None else state[:, order]


class RNN(RNNBase):
    """Plain recurrent layers."""

    def __init__(
        self, input_size: int, hidden_size: int, num_layers: int = 1, nonlinearity: str = "tanh", bias: bool = True,
        batch_first: bool = False, dropout: float = 0.0, bidirectional: bool = False, device: Any = None,
        dtype: Any = None,
    ) -> None:  # fmt: skip
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(f"Unknown nonlinearity '{nonlinearity}'. Select from 'tanh' or 'relu'.")
        self.__dict__["nonlinearity"] = nonlinearity
        super().__init__(
            f"RNN_{nonlinearity.upper()}", input_size, hidden_size, num_layers, bias, batch_first, dropout,
            bidirectional,
            device=device, dtype=dtype,
        )  # fmt: skip
        self.nonlinearity = nonlinearity


class LSTM(RNNBase):
    """Long short-term memories."""

    def __init__(
        self, input_size: int, hidden_size: int, num_layers: int = 1, bias: bool = True, batch_first: bool = False,
        dropout: float = 0.0, bidirectional: bool = False, proj_size: int = 0, device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            "LSTM",
            input_size,
            hidden_size,
            num_layers,
            bias,
            batch_first,
            dropout,
            bidirectional,
            proj_size,
            device,
            dtype,
        )


class GRU(RNNBase):
    """Gated recurrent layers."""

    def __init__(
        self, input_size: int, hidden_size: int, num_layers: int = 1, bias: bool = True, batch_first: bool = False,
        dropout: float = 0.0, bidirectional: bool = False, device: Any = None, dtype: Any = None, **refused: Any,
    ) -> None:  # fmt: skip
        if "proj_size" in refused:
            raise ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")
        if refused:
            raise TypeError(f"GRU() got an unexpected keyword argument {next(iter(refused))!r}")
        super().__init__(
            "GRU", input_size, hidden_size, num_layers, bias, batch_first, dropout, bidirectional, 0, device, dtype
        )


class RNNCellBase(Module):
    """One step of a recurrent layer."""

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool, num_chunks: int, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__()
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.bias = bias
        rows = num_chunks * hidden_size
        self.weight_ih = parameter((rows, input_size), device, dtype)
        self.weight_hh = parameter((rows, hidden_size), device, dtype)
        self.register_parameter("bias_ih", parameter((rows,), device, dtype) if bias else None)
        self.register_parameter("bias_hh", parameter((rows,), device, dtype) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw all weights anew."""
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            filling.uniform_(weight, -bound, bound)

    def extra_repr(self) -> str:
        text = f"{self.input_size}, {self.hidden_size}" + (f", bias={self.bias}" if self.bias is not True else "")
        curve = self.__dict__.get("nonlinearity", "tanh")
        return text + (f", nonlinearity={curve}" if curve != "tanh" else "")

    def _step(self, input: Any, states: list[Any] | None, compute: Any) -> list[Any]:
        """The next states of a batch of inputs, or of a single one."""
        if input.ndim not in (1, 2):
            raise ValueError(f"{self._get_name()}: Expected input to be 1D or 2D, got {input.ndim}D instead")
        for each in states or ():
            if each.ndim not in (1, 2):
                raise ValueError(f"{self._get_name()}: Expected hidden to be 1D or 2D, got {each.ndim}D instead")
        single = input.ndim == 1
        x = input.unsqueeze(0) if single else input
        if x.shape[1] != self.input_size:
            raise RuntimeError(f"input has inconsistent input_size: got {x.shape[1]} expected {self.input_size}")
        if states is None:
            blank = buffer((x.shape[0], self.hidden_size), 0, None, kind_of(x))
            states = [blank, blank]
        else:
            states = [each.unsqueeze(0) if single else each for each in states]
        for each in states:
            if tuple(each.shape) != (x.shape[0], self.hidden_size):
                raise RuntimeError(
                    f"hidden has inconsistent shape: got {list(each.shape)}, expected {[x.shape[0], self.hidden_size]}"
                )
        weights = [self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh]
        if any(kind_of(each) is not kind_of(self.weight_ih) for each in (x, *states)):
            raise RuntimeError(
                f"mat1 and mat2 must have the same dtype, but got {kind_of(x)} and {kind_of(self.weight_ih)}"
            )
        found = compute(x, states, weights, [x.shape[0]])[1:]
        return [each.squeeze(0) if single else each for each in found]


class RNNCell(RNNCellBase):
    """One step of a plain recurrent layer."""

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        nonlinearity: str = "tanh",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 1, device, dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input: Any, hx: Any = None) -> Any:
        if self.nonlinearity not in ("tanh", "relu"):
            raise RuntimeError(f"Unknown nonlinearity: {self.nonlinearity}")
        return self._step(
            input,
            None if hx is None else [hx],
            lambda x, states, weights, alive: recurrence.simple(x, states[0], weights, alive, False, self.nonlinearity),
        )[0]


class LSTMCell(RNNCellBase):
    """One step of a long short-term memory."""

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 4, device, dtype)

    def forward(self, input: Any, hx: Any = None) -> Any:
        found = self._step(
            input,
            None if hx is None else list(hx),
            lambda x, states, weights, alive: recurrence.lstm(x, states[0], states[1], weights, alive, False),
        )
        return tuple(found)


class GRUCell(RNNCellBase):
    """One step of a gated recurrent layer."""

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 3, device, dtype)

    def forward(self, input: Any, hx: Any = None) -> Any:
        return self._step(
            input,
            None if hx is None else [hx],
            lambda x, states, weights, alive: recurrence.gru(x, states[0], weights, alive, False),
        )[0]
