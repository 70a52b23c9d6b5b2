"""Pools as layers."""

from __future__ import annotations

from typing import Any

from ..functional import pooling
from ..module import Module
from .making import several


class _MaxPool(Module):
    """The greatest value of each window."""

    _computed: Any = None

    def __init__(
        self, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, return_indices: bool = False,
        ceil_mode: bool = False,
    ) -> None:  # fmt: skip
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding
        self.dilation = dilation
        self.return_indices = return_indices
        self.ceil_mode = ceil_mode

    def forward(self, input: Any) -> Any:
        return type(self)._computed(
            input, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode, self.return_indices
        )

    def extra_repr(self) -> str:
        return (
            f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}, dilation={self.dilation}, "
            f"ceil_mode={self.ceil_mode}"
        )


class _MaxUnpool(Module):
    """The greatest values put back where they were."""

    _computed: Any = None
    _rank = 0

    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0) -> None:
        super().__init__()
        self.kernel_size = several(kernel_size, self._rank)
        self.stride = several(kernel_size if stride is None else stride, self._rank)
        self.padding = several(padding, self._rank)

    def forward(self, input: Any, indices: Any, output_size: Any = None) -> Any:
        return type(self)._computed(input, indices, self.kernel_size, self.stride, self.padding, output_size)

    def extra_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class _AvgPool(Module):
    """The mean of each window."""

    _computed: Any = None

    def __init__(
        self, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
        count_include_pad: bool = True, divisor_override: int | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding
        self.ceil_mode = ceil_mode
        self.count_include_pad = count_include_pad
        self.divisor_override = divisor_override

    def forward(self, input: Any) -> Any:
        return type(self)._computed(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.ceil_mode,
            self.count_include_pad,
            self.divisor_override,
        )

    def extra_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class AvgPool1d(Module):
    """The mean of each window of sequences."""

    def __init__(
        self, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
        count_include_pad: bool = True,
    ) -> None:  # fmt: skip
        super().__init__()
        self.kernel_size = several(kernel_size, 1)
        self.stride = several(kernel_size if stride is None else stride, 1)
        self.padding = several(padding, 1)
        self.ceil_mode = ceil_mode
        self.count_include_pad = count_include_pad

    def forward(self, input: Any) -> Any:
        return pooling.avg_pool1d(
            input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad
        )

    def extra_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class _LPPool(Module):
    """The power mean of each window."""

    _computed: Any = None

    def __init__(self, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False) -> None:
        super().__init__()
        self.norm_type = norm_type
        self.kernel_size = kernel_size
        self.stride = stride
        self.ceil_mode = ceil_mode

    def forward(self, input: Any) -> Any:
        return type(self)._computed(input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode)

    def extra_repr(self) -> str:
        return (
            f"norm_type={self.norm_type}, kernel_size={self.kernel_size}, stride={self.stride}, "
            f"ceil_mode={self.ceil_mode}"
        )


class _AdaptiveAvgPool(Module):
    """The means of so many windows."""

    _computed: Any = None

    def __init__(self, output_size: Any) -> None:
        super().__init__()
        self.output_size = output_size

    def forward(self, input: Any) -> Any:
        return type(self)._computed(input, self.output_size)

    def extra_repr(self) -> str:
        return f"output_size={self.output_size}"


class _AdaptiveMaxPool(Module):
    """The greatest values of so many windows."""

    _computed: Any = None

    def __init__(self, output_size: Any, return_indices: bool = False) -> None:
        super().__init__()
        self.output_size = output_size
        self.return_indices = return_indices

    def forward(self, input: Any) -> Any:
        return type(self)._computed(input, self.output_size, self.return_indices)

    def extra_repr(self) -> str:
        return f"output_size={self.output_size}"


class MaxPool1d(_MaxPool):
    """The greatest value of each window of sequences."""

    _computed = staticmethod(pooling.max_pool1d)


class MaxPool2d(_MaxPool):
    """The greatest value of each window of images."""

    _computed = staticmethod(pooling.max_pool2d)


class MaxPool3d(_MaxPool):
    """The greatest value of each window of volumes."""

    _computed = staticmethod(pooling.max_pool3d)


class MaxUnpool1d(_MaxUnpool):
    """The greatest values of sequences put back where they were."""

    _computed = staticmethod(pooling.max_unpool1d)
    _rank = 1


class MaxUnpool2d(_MaxUnpool):
    """The greatest values of images put back where they were."""

    _computed = staticmethod(pooling.max_unpool2d)
    _rank = 2


class MaxUnpool3d(_MaxUnpool):
    """The greatest values of volumes put back where they were."""

    _computed = staticmethod(pooling.max_unpool3d)
    _rank = 3


class AvgPool2d(_AvgPool):
    """The mean of each window of images."""

    _computed = staticmethod(pooling.avg_pool2d)


class AvgPool3d(_AvgPool):
    """The mean of each window of volumes."""

    _computed = staticmethod(pooling.avg_pool3d)


class LPPool1d(_LPPool):
    """The power mean of each window of sequences."""

    _computed = staticmethod(pooling.lp_pool1d)


class LPPool2d(_LPPool):
    """The power mean of each window of images."""

    _computed = staticmethod(pooling.lp_pool2d)


class LPPool3d(_LPPool):
    """The power mean of each window of volumes."""

    _computed = staticmethod(pooling.lp_pool3d)


class AdaptiveAvgPool1d(_AdaptiveAvgPool):
    """The means of so many windows of sequences."""

    _computed = staticmethod(pooling.adaptive_avg_pool1d)


class AdaptiveAvgPool2d(_AdaptiveAvgPool):
    """The means of so many windows of images."""

    _computed = staticmethod(pooling.adaptive_avg_pool2d)


class AdaptiveAvgPool3d(_AdaptiveAvgPool):
    """The means of so many windows of volumes."""

    _computed = staticmethod(pooling.adaptive_avg_pool3d)


class AdaptiveMaxPool1d(_AdaptiveMaxPool):
    """The greatest values of so many windows of sequences."""

    _computed = staticmethod(pooling.adaptive_max_pool1d)


class AdaptiveMaxPool2d(_AdaptiveMaxPool):
    """The greatest values of so many windows of images."""

    _computed = staticmethod(pooling.adaptive_max_pool2d)


class AdaptiveMaxPool3d(_AdaptiveMaxPool):
    """The greatest values of so many windows of volumes."""

    _computed = staticmethod(pooling.adaptive_max_pool3d)
