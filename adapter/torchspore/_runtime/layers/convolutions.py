"""Convolutions as layers, transposed ones among them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ..functional import convolutions
from ..functional.padding import pad
from ..init import filling
from ..module import Module
from .making import parameter, several

PADDING_MODES = ("zeros", "reflect", "replicate", "circular")


class _ConvNd(Module):
    """What all convolutions hold: how windows lie, a weight and perhaps a bias."""

    _rank = 0
    _transposed = False

    def _hold(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any, padding: Any, dilation: Any,
        output_padding: Any, groups: int, bias: bool, padding_mode: str, device: Any, dtype: Any,
    ) -> None:  # fmt: skip
        Module.__init__(self)
        rank = self._rank
        if groups <= 0:
            raise ValueError("groups must be a positive integer")
        if in_channels % groups:
            raise ValueError("in_channels must be divisible by groups")
        if out_channels % groups:
            raise ValueError("out_channels must be divisible by groups")
        if padding_mode not in PADDING_MODES:
            raise ValueError(f"padding_mode must be one of {set(PADDING_MODES)}, but got padding_mode='{padding_mode}'")
        if isinstance(padding, str):
            if padding not in ("same", "valid"):
                raise ValueError(f"Invalid padding string {padding!r}, should be one of {{'same', 'valid'}}")
            if padding == "same" and any(each != 1 for each in several(stride, rank)):
                raise ValueError("padding='same' is not supported for strided convolutions")
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = several(kernel_size, rank)
        self.stride = several(stride, rank)
        self.padding = padding if isinstance(padding, str) else several(padding, rank)
        self.dilation = several(dilation, rank)
        self.transposed = self._transposed
        self.output_padding = several(output_padding, rank)
        self.groups = groups
        self.padding_mode = padding_mode
        self._reversed_padding_repeated_twice = self._edges()
        first, second = (in_channels, out_channels) if self._transposed else (out_channels, in_channels)
        self.weight = parameter((first, second // groups, *self.kernel_size), device, dtype)
        self.register_parameter("bias", parameter((out_channels,), device, dtype) if bias else None)
        self.reset_parameters()

    def _edges(self) -> list[int]:
        """The widths of the edges as `pad` takes them: the last dimension first, before and after."""
        if isinstance(self.padding, str):
            if self.padding == "valid":
                return [0] * (2 * self._rank)
            total = [d * (k - 1) for d, k in zip(self.dilation, self.kernel_size, strict=True)]
            return [width for each in reversed(total) for width in (each // 2, each - each // 2)]
        return [each for each in reversed(self.padding) for _ in range(2)]

    def reset_parameters(self) -> None:
        """Draw weight and bias anew."""
        filling.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            inside = self.weight.shape[1] * math.prod(self.weight.shape[2:])
            if inside:
                bound = 1 / math.sqrt(inside)
                filling.uniform_(self.bias, -bound, bound)

    def extra_repr(self) -> str:
        text = f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}"
        if self.padding != (0,) * len(self.kernel_size):
            text += f", padding={self.padding}"
        if self.dilation != (1,) * len(self.kernel_size):
            text += f", dilation={self.dilation}"
        if self.output_padding != (0,) * len(self.kernel_size):
            text += f", output_padding={self.output_padding}"
        if self.groups != 1:
            text += f", groups={self.groups}"
        if self.bias is None:
            text += ", bias=False"
        if self.padding_mode != "zeros":
            text += f", padding_mode={self.padding_mode}"
        return text

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        self.__dict__.setdefault("padding_mode", "zeros")


class _Conv(_ConvNd):
    """A convolution of any number of dimensions."""

    _computed: Any = None

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1, bias: bool = True, padding_mode: str = "zeros", device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        self._hold(
            in_channels,
            out_channels,
            kernel_size,
            stride,
            padding,
            dilation,
            0,
            groups,
            bias,
            padding_mode,
            device,
            dtype,
        )

    def _conv_forward(self, input: Any, weight: Any, bias: Any) -> Any:
        compute = type(self)._computed
        if self.padding_mode == "zeros":
            return compute(input, weight, bias, self.stride, self.padding, self.dilation, self.groups)
        wide = pad(input, self._reversed_padding_repeated_twice, mode=self.padding_mode)
        return compute(wide, weight, bias, self.stride, 0, self.dilation, self.groups)

    def forward(self, input: Any) -> Any:
        return self._conv_forward(input, self.weight, self.bias)


class Conv1d(_Conv):
    """A convolution of sequences."""

    _rank = 1
    _computed = staticmethod(convolutions.conv1d)


class Conv2d(_Conv):
    """A convolution of images."""

    _rank = 2
    _computed = staticmethod(convolutions.conv2d)


class Conv3d(_Conv):
    """A convolution of volumes."""

    _rank = 3
    _computed = staticmethod(convolutions.conv3d)


class _ConvTranspose(_ConvNd):
    """A transposed convolution of any number of dimensions."""

    _transposed = True
    _computed: Any = None

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0,
        output_padding: Any = 0, groups: int = 1, bias: bool = True, dilation: Any = 1, padding_mode: str = "zeros",
        device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        if padding_mode != "zeros":
            raise ValueError(f'Only "zeros" padding mode is supported for {type(self).__name__}')
        self._hold(
            in_channels, out_channels, kernel_size, stride, padding, dilation, output_padding, groups, bias,
            padding_mode,
            device, dtype,
        )  # fmt: skip

    def _more(self, input: Any, output_size: Sequence[int] | None) -> tuple[int, ...]:
        """How much wider the result is than it must be, to have the size asked for."""
        if output_size is None:
            return tuple(self.output_padding)
        rank, asked = self._rank, list(output_size)
        extra = input.ndim - rank
        asked = asked[extra:] if len(asked) == rank + extra else asked
        if len(asked) != rank:
            raise ValueError(
                f"{type(self).__name__}: for {input.ndim}D input, output_size must have {rank} or {rank + extra} "
                "elements "
                ""
                f"(got {len(asked)})"
            )
        least = [
            (n - 1) * s - 2 * p + d * (k - 1) + 1
            for n, s, p, d, k in zip(
                input.shape[extra:], self.stride, self.padding, self.dilation, self.kernel_size, strict=True
            )
        ]
        if any(not low <= each <= low + s - 1 for each, low, s in zip(asked, least, self.stride, strict=True)):
            raise ValueError(
                f"requested an output size of {asked}, but valid sizes range from {least} to "
                f"{[low + s - 1 for low, s in zip(least, self.stride, strict=True)]} (for an input of "
                f"{list(input.shape[extra:])})"
            )
        return tuple(each - low for each, low in zip(asked, least, strict=True))

    def forward(self, input: Any, output_size: Sequence[int] | None = None) -> Any:
        return type(self)._computed(
            input,
            self.weight,
            self.bias,
            self.stride,
            self.padding,
            self._more(input, output_size),
            self.groups,
            self.dilation,
        )


class ConvTranspose1d(_ConvTranspose):
    """A transposed convolution of sequences."""

    _rank = 1
    _computed = staticmethod(convolutions.conv_transpose1d)


class ConvTranspose2d(_ConvTranspose):
    """A transposed convolution of images."""

    _rank = 2
    _computed = staticmethod(convolutions.conv_transpose2d)


class ConvTranspose3d(_ConvTranspose):
    """A transposed convolution of volumes."""

    _rank = 3
    _computed = staticmethod(convolutions.conv_transpose3d)
