"""Layers that change the size or the order of images: edges, another size, windows as columns, channels as places."""

from __future__ import annotations

from typing import Any

from ..functional import folding, resizing
from ..functional.padding import pad
from ..module import Module


class _Padding(Module):
    """Wider or narrower edges."""

    _rank = 0
    _mode = "constant"

    def __init__(self, padding: Any) -> None:
        super().__init__()
        self.padding = (padding,) * (2 * self._rank) if isinstance(padding, int) else tuple(padding)
        if len(self.padding) != 2 * self._rank:
            raise ValueError(f"{type(self).__name__} takes {2 * self._rank} numbers, but got {len(self.padding)}")

    def forward(self, input: Any) -> Any:
        return pad(input, self.padding, self._mode)

    def extra_repr(self) -> str:
        return f"{self.padding}"


class _ConstantPadding(_Padding):
    """Wider edges of one value."""

    def __init__(self, padding: Any, value: float) -> None:
        super().__init__(padding)
        self.value = value

    def forward(self, input: Any) -> Any:
        return pad(input, self.padding, "constant", self.value)

    def extra_repr(self) -> str:
        return f"padding={self.padding}, value={self.value}"


class _ZeroPadding(_ConstantPadding):
    """Wider edges of noughts."""

    def __init__(self, padding: Any) -> None:
        super().__init__(padding, 0.0)

    def extra_repr(self) -> str:
        return f"{self.padding}"


class _CircularPadding(_Padding):
    """Edges that go on at the other end."""

    _mode = "circular"

    def forward(self, input: Any) -> Any:
        if input.ndim not in (self._rank + 1, self._rank + 2):
            raise ValueError(f"expected {self._rank + 1}D or {self._rank + 2}D input (got {input.ndim}D input)")
        return super().forward(input)


class Upsample(Module):
    """Images in another size."""

    def __init__(
        self, size: Any = None, scale_factor: Any = None, mode: str = "nearest", align_corners: bool | None = None,
        recompute_scale_factor: bool | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.name = type(self).__name__
        self.size = size
        if isinstance(scale_factor, tuple):
            self.scale_factor: Any = tuple(float(each) for each in scale_factor)
        else:
            self.scale_factor = float(scale_factor) if scale_factor else None
        self.mode = mode
        self.align_corners = align_corners
        self.recompute_scale_factor = recompute_scale_factor

    def forward(self, input: Any) -> Any:
        return resizing.interpolate(
            input, self.size, self.scale_factor, self.mode, self.align_corners, self.recompute_scale_factor
        )

    def extra_repr(self) -> str:
        asked = f"scale_factor={self.scale_factor!r}" if self.scale_factor is not None else f"size={self.size!r}"
        return f"{asked}, mode={self.mode!r}"


class UpsamplingNearest2d(Upsample):
    """Images in another size, by the nearest element."""

    def __init__(self, size: Any = None, scale_factor: Any = None) -> None:
        super().__init__(size, scale_factor, mode="nearest")


class UpsamplingBilinear2d(Upsample):
    """Images in another size, by straight lines between the middles of the corners."""

    def __init__(self, size: Any = None, scale_factor: Any = None) -> None:
        super().__init__(size, scale_factor, mode="bilinear", align_corners=True)


class Unfold(Module):
    """The windows of images, each as a column."""

    def __init__(self, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.dilation = dilation
        self.padding = padding
        self.stride = stride

    def forward(self, input: Any) -> Any:
        return folding.unfold(input, self.kernel_size, self.dilation, self.padding, self.stride)

    def extra_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, dilation={self.dilation}, padding={self.padding}, stride={self.stride}"


class Fold(Module):
    """Images that columns of windows add up to."""

    def __init__(
        self, output_size: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
    ) -> None:
        super().__init__()
        self.output_size = output_size
        self.kernel_size = kernel_size
        self.dilation = dilation
        self.padding = padding
        self.stride = stride

    def forward(self, input: Any) -> Any:
        return folding.fold(input, self.output_size, self.kernel_size, self.dilation, self.padding, self.stride)

    def extra_repr(self) -> str:
        return (
            f"output_size={self.output_size}, kernel_size={self.kernel_size}, dilation={self.dilation}, "
            f"padding={self.padding}, stride={self.stride}"
        )


class PixelShuffle(Module):
    """Channels laid out as places of a greater image."""

    def __init__(self, upscale_factor: int) -> None:
        super().__init__()
        self.upscale_factor = upscale_factor

    def forward(self, input: Any) -> Any:
        return folding.pixel_shuffle(input, self.upscale_factor)

    def extra_repr(self) -> str:
        return f"upscale_factor={self.upscale_factor}"


class PixelUnshuffle(Module):
    """Places of an image laid out as channels."""

    def __init__(self, downscale_factor: int) -> None:
        super().__init__()
        self.downscale_factor = downscale_factor

    def forward(self, input: Any) -> Any:
        return folding.pixel_unshuffle(input, self.downscale_factor)

    def extra_repr(self) -> str:
        return f"downscale_factor={self.downscale_factor}"


class ChannelShuffle(Module):
    """Channels of groups taken in turn."""

    def __init__(self, groups: int) -> None:
        super().__init__()
        self.groups = groups

    def forward(self, input: Any) -> Any:
        return folding.channel_shuffle(input, self.groups)

    def extra_repr(self) -> str:
        return f"groups={self.groups}"


class ConstantPad1d(_ConstantPadding):
    """Edges of one value around sequences."""

    _rank = 1


class ConstantPad2d(_ConstantPadding):
    """Edges of one value around images."""

    _rank = 2


class ConstantPad3d(_ConstantPadding):
    """Edges of one value around volumes."""

    _rank = 3


class ZeroPad1d(_ZeroPadding):
    """Edges of noughts around sequences."""

    _rank = 1


class ZeroPad2d(_ZeroPadding):
    """Edges of noughts around images."""

    _rank = 2


class ZeroPad3d(_ZeroPadding):
    """Edges of noughts around volumes."""

    _rank = 3


class ReflectionPad1d(_Padding):
    """Edges that mirror sequences."""

    _rank = 1
    _mode = "reflect"


class ReflectionPad2d(_Padding):
    """Edges that mirror images."""

    _rank = 2
    _mode = "reflect"


class ReflectionPad3d(_Padding):
    """Edges that mirror volumes."""

    _rank = 3
    _mode = "reflect"


class ReplicationPad1d(_Padding):
    """Edges that repeat the border of sequences."""

    _rank = 1
    _mode = "replicate"


class ReplicationPad2d(_Padding):
    """Edges that repeat the border of images."""

    _rank = 2
    _mode = "replicate"


class ReplicationPad3d(_Padding):
    """Edges that repeat the border of volumes."""

    _rank = 3
    _mode = "replicate"


class CircularPad1d(_CircularPadding):
    """Edges that go on at the other end of sequences."""

    _rank = 1


class CircularPad2d(_CircularPadding):
    """Edges that go on at the other end of images."""

    _rank = 2


class CircularPad3d(_CircularPadding):
    """Edges that go on at the other end of volumes."""

    _rank = 3
