"""Activations as layers. Each holds the parameters of a curve; what it computes stands in `functional`."""

from __future__ import annotations

from typing import Any

from ..functional import activations, softmaxes
from ..init import filling
from ..module import Module
from .making import parameter


class _InPlace(Module):
    """A layer that may write its result into its input."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def extra_repr(self) -> str:
        return "inplace=True" if self.inplace else ""


class ReLU(_InPlace):
    """The positive part."""

    def forward(self, input: Any) -> Any:
        return activations.relu(input, self.inplace)


class SiLU(_InPlace):
    """The element times its sigmoid."""

    def forward(self, input: Any) -> Any:
        return activations.silu(input, self.inplace)


class Mish(_InPlace):
    """The element times the hyperbolic tangent of its softplus."""

    def forward(self, input: Any) -> Any:
        return activations.mish(input, self.inplace)


class SELU(_InPlace):
    """The scaled exponential unit."""

    def forward(self, input: Any) -> Any:
        return activations.selu(input, self.inplace)


class Hardsigmoid(_InPlace):
    """A sigmoid of three straight lines."""

    def forward(self, input: Any) -> Any:
        return activations.hardsigmoid(input, self.inplace)

    def extra_repr(self) -> str:
        return ""


class Hardswish(_InPlace):
    """The element times its hard sigmoid."""

    def forward(self, input: Any) -> Any:
        return activations.hardswish(input, self.inplace)

    def extra_repr(self) -> str:
        return ""


class GELU(Module):
    """The element times the share of normal numbers below it."""

    def __init__(self, approximate: str = "none") -> None:
        super().__init__()
        self.approximate = approximate

    def forward(self, input: Any) -> Any:
        return activations.gelu(input, approximate=self.approximate)

    def extra_repr(self) -> str:
        return f"approximate={self.approximate!r}"


class Sigmoid(Module):
    """The logistic function."""

    def forward(self, input: Any) -> Any:
        return activations.sigmoid(input)


class Tanh(Module):
    """The hyperbolic tangent."""

    def forward(self, input: Any) -> Any:
        return activations.tanh(input)


class LogSigmoid(Module):
    """The logarithm of the sigmoid."""

    def forward(self, input: Any) -> Any:
        return activations.logsigmoid(input)


class Softsign(Module):
    """The element over one more than its size."""

    def forward(self, input: Any) -> Any:
        return activations.softsign(input)


class Tanhshrink(Module):
    """The element without its hyperbolic tangent."""

    def forward(self, input: Any) -> Any:
        return activations.tanhshrink(input)


class _Exponential(Module):
    """An exponential unit with its alpha."""

    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        super().__init__()
        self.alpha = alpha
        self.inplace = inplace

    def extra_repr(self) -> str:
        return f"alpha={self.alpha}" + (", inplace=True" if self.inplace else "")


class ELU(_Exponential):
    """The element, or below nought an exponential that ends at -alpha."""

    def forward(self, input: Any) -> Any:
        return activations.elu(input, self.alpha, self.inplace)


class CELU(_Exponential):
    """The exponential unit whose slope is continuous for every alpha."""

    def forward(self, input: Any) -> Any:
        return activations.celu(input, self.alpha, self.inplace)


class LeakyReLU(Module):
    """The element, below nought times a slope."""

    def __init__(self, negative_slope: float = 1e-2, inplace: bool = False) -> None:
        super().__init__()
        self.negative_slope = negative_slope
        self.inplace = inplace

    def forward(self, input: Any) -> Any:
        return activations.leaky_relu(input, self.negative_slope, self.inplace)

    def extra_repr(self) -> str:
        return f"negative_slope={self.negative_slope}" + (", inplace=True" if self.inplace else "")


class PReLU(Module):
    """The element, below nought times a learnt slope."""

    def __init__(self, num_parameters: int = 1, init: float = 0.25, device: Any = None, dtype: Any = None) -> None:
        super().__init__()
        self.num_parameters = num_parameters
        self.init = init
        self.weight = parameter((num_parameters,), device, dtype)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Set the slopes back to the first one."""
        filling.constant_(self.weight, self.init)

    def forward(self, input: Any) -> Any:
        return activations.prelu(input, self.weight)

    def extra_repr(self) -> str:
        return f"num_parameters={self.num_parameters}"


class RReLU(Module):
    """The element, below nought times a slope that is drawn while training."""

    def __init__(self, lower: float = 1.0 / 8, upper: float = 1.0 / 3, inplace: bool = False) -> None:
        super().__init__()
        self.lower = lower
        self.upper = upper
        self.inplace = inplace

    def forward(self, input: Any) -> Any:
        return activations.rrelu(input, self.lower, self.upper, self.training, self.inplace)

    def extra_repr(self) -> str:
        return f"lower={self.lower}, upper={self.upper}" + (", inplace=True" if self.inplace else "")


class Hardtanh(Module):
    """The values between two limits."""

    def __init__(
        self,
        min_val: float = -1.0,
        max_val: float = 1.0,
        inplace: bool = False,
        min_value: Any = None,
        max_value: Any = None,
    ) -> None:
        super().__init__()
        self.min_val = min_val if min_value is None else min_value
        self.max_val = max_val if max_value is None else max_value
        self.inplace = inplace
        if self.max_val <= self.min_val:
            raise AssertionError(f"max_val must be larger than min_val, but got {self.max_val} and {self.min_val}")

    def forward(self, input: Any) -> Any:
        return activations.hardtanh(input, self.min_val, self.max_val, self.inplace)

    def extra_repr(self) -> str:
        return f"min_val={self.min_val}, max_val={self.max_val}" + (", inplace=True" if self.inplace else "")


class ReLU6(Hardtanh):
    """The values between nought and six."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__(0.0, 6.0, inplace)

    def extra_repr(self) -> str:
        return "inplace=True" if self.inplace else ""


class Threshold(Module):
    """The elements above a limit, and one value for the others."""

    def __init__(self, threshold: float, value: float, inplace: bool = False) -> None:
        super().__init__()
        self.threshold = threshold
        self.value = value
        self.inplace = inplace

    def forward(self, input: Any) -> Any:
        return activations.threshold(input, self.threshold, self.value, self.inplace)

    def extra_repr(self) -> str:
        return f"threshold={self.threshold}, value={self.value}" + (", inplace=True" if self.inplace else "")


class Softplus(Module):
    """A smooth positive part."""

    def __init__(self, beta: float = 1.0, threshold: float = 20.0) -> None:
        super().__init__()
        self.beta = beta
        self.threshold = threshold

    def forward(self, input: Any) -> Any:
        return activations.softplus(input, self.beta, self.threshold)

    def extra_repr(self) -> str:
        return f"beta={self.beta}, threshold={self.threshold}"


class _Shrinking(Module):
    """A layer with the distance from nought within which values count for little."""

    def __init__(self, lambd: float = 0.5) -> None:
        super().__init__()
        self.lambd = lambd

    def extra_repr(self) -> str:
        return str(self.lambd)


class Softshrink(_Shrinking):
    """The values drawn towards nought by a distance."""

    def forward(self, input: Any) -> Any:
        return activations.softshrink(input, self.lambd)


class Hardshrink(_Shrinking):
    """The values, with those near nought made nought."""

    def forward(self, input: Any) -> Any:
        return activations.hardshrink(input, self.lambd)


class GLU(Module):
    """One half of a dimension times the sigmoid of the other."""

    def __init__(self, dim: int = -1) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, input: Any) -> Any:
        return activations.glu(input, self.dim)

    def extra_repr(self) -> str:
        return f"dim={self.dim}"


class _Shares(Module):
    """A layer that makes shares of a whole along a dimension."""

    def __init__(self, dim: int | None = None) -> None:
        super().__init__()
        self.dim = dim


class Softmax(_Shares):
    """The shares of a whole that scores stand for."""

    def forward(self, input: Any) -> Any:
        return softmaxes.softmax(input, self.dim, _stacklevel=5)

    def extra_repr(self) -> str:
        return f"dim={self.dim}"


class LogSoftmax(_Shares):
    """The logarithms of the shares."""

    def forward(self, input: Any) -> Any:
        return softmaxes.log_softmax(input, self.dim, _stacklevel=5)

    def extra_repr(self) -> str:
        return f"dim={self.dim}"


class Softmin(_Shares):
    """The shares of the scores with the other sign."""

    def forward(self, input: Any) -> Any:
        return softmaxes.softmin(input, self.dim, _stacklevel=5)

    def extra_repr(self) -> str:
        return f"dim={self.dim}"


class Softmax2d(Module):
    """The shares of channels at each place of an image."""

    def forward(self, input: Any) -> Any:
        if input.ndim not in (3, 4):
            raise ValueError(f"Softmax2d: expected input to be 3D or 4D, got {input.ndim}D instead")
        return softmaxes.softmax(input, -3, _stacklevel=5)
