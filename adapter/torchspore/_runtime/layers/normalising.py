"""Normalisation as layers, with what they learn and the statistics that they keep."""

from __future__ import annotations

import os
import warnings
from typing import Any

from ..autograd.modes import no_grad
from ..core.errors import UnsupportedArgument
from ..functional import normalising
from ..init import filling
from ..module import Module
from ..module.states import load
from ..tensor import dtypes
from .making import buffer, parameter


class LayerNorm(Module):
    """Values normalised over the last dimensions."""

    def __init__(
        self, normalized_shape: Any, eps: float = 1e-5, elementwise_affine: bool = True, bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.normalized_shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        shape = self.normalized_shape
        self.register_parameter("weight", parameter(shape, device, dtype) if elementwise_affine else None)
        self.register_parameter("bias", parameter(shape, device, dtype) if elementwise_affine and bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Set weight and bias to one and nought."""
        _plain(self)

    def forward(self, input: Any) -> Any:
        return normalising.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        return (
            f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}, "
            f"bias={self.bias is not None}"
        )


def _plain(layer: Any) -> None:
    if layer.weight is not None:
        filling.ones_(layer.weight)
    if getattr(layer, "bias", None) is not None:
        filling.zeros_(layer.bias)


class RMSNorm(Module):
    """Values over the root of their mean square in the last dimensions."""

    def __init__(
        self,
        normalized_shape: Any,
        eps: float | None = None,
        elementwise_affine: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.normalized_shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        self.register_parameter(
            "weight", parameter(self.normalized_shape, device, dtype) if elementwise_affine else None
        )
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Set the weight to one."""
        _plain(self)

    def forward(self, x: Any) -> Any:
        return normalising.rms_norm(x, self.normalized_shape, self.weight, self.eps)

    def extra_repr(self) -> str:
        return f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"


class GroupNorm(Module):
    """Values normalised over groups of channels."""

    def __init__(
        self, num_groups: int, num_channels: int, eps: float = 1e-5, affine: bool = True, device: Any = None,
        dtype: Any = None,
        *, bias: bool = True,
    ) -> None:  # fmt: skip
        super().__init__()
        if num_channels % num_groups:
            raise ValueError(f"num_channels ({num_channels}) must be divisible by num_groups ({num_groups})")
        self.num_groups = num_groups
        self.num_channels = num_channels
        self.eps = eps
        self.affine = affine
        self.register_parameter("weight", parameter((num_channels,), device, dtype) if affine else None)
        self.register_parameter("bias", parameter((num_channels,), device, dtype) if affine and bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Set weight and bias to one and nought."""
        _plain(self)

    def forward(self, input: Any) -> Any:
        return normalising.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        return (
            f"{self.num_groups}, {self.num_channels}, eps={self.eps}, affine={self.affine}, "
            f"bias={self.bias is not None}"
        )


class LocalResponseNorm(Module):
    """Values over a power of the mean of squares in neighbouring channels."""

    def __init__(self, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0) -> None:
        super().__init__()
        self.size = size
        self.alpha = alpha
        self.beta = beta
        self.k = k

    def forward(self, input: Any) -> Any:
        return normalising.local_response_norm(input, self.size, self.alpha, self.beta, self.k)

    def extra_repr(self) -> str:
        return f"{self.size}, alpha={self.alpha}, beta={self.beta}, k={self.k}"


class _NormBase(Module):
    """A norm by channels that may keep statistics of what it saw."""

    _version = 2

    def __init__(
        self, num_features: int, eps: float = 1e-5, momentum: float | None = 0.1, affine: bool = True,
        track_running_stats: bool = True, device: Any = None, dtype: Any = None, *, bias: bool = True,
    ) -> None:  # fmt: skip
        super().__init__()
        self.num_features = num_features
        self.eps = eps
        self.momentum = momentum
        self.affine = affine
        self.track_running_stats = track_running_stats
        shape = (num_features,)
        self.register_parameter("weight", parameter(shape, device, dtype) if affine else None)
        self.register_parameter("bias", parameter(shape, device, dtype) if affine and bias else None)
        self.register_buffer("running_mean", buffer(shape, 0, device, dtype) if track_running_stats else None)
        self.register_buffer("running_var", buffer(shape, 1, device, dtype) if track_running_stats else None)
        counted = buffer((), 0, device, dtypes.int64) if track_running_stats else None
        self.register_buffer("num_batches_tracked", counted)
        self.reset_parameters()

    def reset_running_stats(self) -> None:
        """Forget what was seen."""
        if self.track_running_stats:
            with no_grad():
                self.running_mean.zero_()
                self.running_var.fill_(1)
                self.num_batches_tracked.zero_()

    def reset_parameters(self) -> None:
        """Forget what was seen, and set weight and bias to one and nought."""
        self.reset_running_stats()
        if self.affine:
            _plain(self)

    def _check_input_dim(self, input: Any) -> None:
        raise NotImplementedError

    def extra_repr(self) -> str:
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
            f"bias={self.bias is not None}, track_running_stats={self.track_running_stats}"
        )

    def _load_from_state_dict(
        self,
        state_dict: Any,
        prefix: str,
        local_metadata: Any,
        strict: bool,
        missing_keys: Any,
        unexpected_keys: Any,
        error_msgs: Any,
    ) -> None:
        """States of old programs lack the count of batches."""
        key = f"{prefix}num_batches_tracked"
        version = local_metadata.get("version", None)
        if (version is None or version < 2) and self.track_running_stats and key not in state_dict:
            state_dict[key] = self.num_batches_tracked
        load(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)


class _BatchNorm(_NormBase):
    """Values normalised channel by channel over the batch."""

    def forward(self, input: Any) -> Any:
        self._check_input_dim(input)
        share = 0.0 if self.momentum is None else self.momentum
        if self.training and self.track_running_stats and self.num_batches_tracked is not None:
            with no_grad():
                self.num_batches_tracked.add_(1)
            if self.momentum is None:
                share = 1.0 / float(self.num_batches_tracked)
        by_batch = self.training or (self.running_mean is None and self.running_var is None)
        kept = not self.training or self.track_running_stats
        return normalising.batch_norm(
            input,
            self.running_mean if kept else None,
            self.running_var if kept else None,
            self.weight,
            self.bias,
            by_batch,
            share,
            self.eps,
        )


def _ranks(input: Any, *allowed: int) -> None:
    if input.ndim not in allowed:
        raise ValueError(f"expected {' or '.join(f'{each}D' for each in allowed)} input (got {input.ndim}D input)")


class BatchNorm1d(_BatchNorm):
    """Batch normalisation of rows or sequences."""

    def _check_input_dim(self, input: Any) -> None:
        _ranks(input, 2, 3)


class BatchNorm2d(_BatchNorm):
    """Batch normalisation of images."""

    def _check_input_dim(self, input: Any) -> None:
        _ranks(input, 4)


class BatchNorm3d(_BatchNorm):
    """Batch normalisation of volumes."""

    def _check_input_dim(self, input: Any) -> None:
        _ranks(input, 5)


class SyncBatchNorm(_BatchNorm):
    """Batch normalisation over the processes of a group. In one process it is plain batch normalisation; several are
    refused when it is called in training."""

    def __init__(
        self, num_features: int, eps: float = 1e-5, momentum: float | None = 0.1, affine: bool = True,
        track_running_stats: bool = True, process_group: Any = None, device: Any = None, dtype: Any = None, *,
        bias: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)
        self.process_group = process_group

    def _check_input_dim(self, input: Any) -> None:
        if input.ndim < 2:
            raise ValueError(f"expected at least 2D input (got {input.ndim}D input)")

    def forward(self, input: Any) -> Any:
        if self.training and _processes() > 1:
            raise UnsupportedArgument(
                "SyncBatchNorm: statistics over several processes are not gathered here; train with BatchNorm, whose "
                "statistics are those of each process, or in one process."
            )
        return super().forward(input)

    @classmethod
    def convert_sync_batchnorm(cls, module: Any, process_group: Any = None) -> Any:
        """A module with every batch norm in it replaced by one of these, with the same weights."""
        made = module
        if isinstance(module, _BatchNorm):
            made = cls(
                module.num_features,
                module.eps,
                module.momentum,
                module.affine,
                module.track_running_stats,
                process_group,
            )
            for name in ("weight", "bias"):
                made._parameters[name] = module._parameters[name]
            for name in ("running_mean", "running_var", "num_batches_tracked"):
                made._buffers[name] = module._buffers[name]
            made.training = module.training
        for name, child in module.named_children():
            made.add_module(name, cls.convert_sync_batchnorm(child, process_group))
        return made


def _processes() -> int:
    return int(os.environ.get("MS_WORKER_NUM", "1"))


class _InstanceNorm(_NormBase):
    """Values normalised channel by channel in each sample."""

    _rank = 0

    def __init__(
        self, num_features: int, eps: float = 1e-5, momentum: float | None = 0.1, affine: bool = False,
        track_running_stats: bool = False, device: Any = None, dtype: Any = None, *, bias: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)

    def _check_input_dim(self, input: Any) -> None:
        _ranks(input, self._rank, self._rank + 1)

    def _normalised(self, input: Any) -> Any:
        return normalising.instance_norm(
            input,
            self.running_mean,
            self.running_var,
            self.weight,
            self.bias,
            self.training or not self.track_running_stats,
            0.0 if self.momentum is None else self.momentum,
            self.eps,
        )

    def forward(self, input: Any) -> Any:
        self._check_input_dim(input)
        place = input.ndim - self._rank
        if input.shape[place] != self.num_features:
            if self.affine:
                raise ValueError(
                    f"expected input's size at dim={place} to match num_features ({self.num_features}), but got: "
                    f"{input.shape[place]}."
                )
            warnings.warn(
                f"input's size at dim={place} does not match num_features. You can silence this warning by not passing "
                "in num_features, which is not used because affine=False",
                stacklevel=2,
            )
        if input.ndim == self._rank:
            return self._normalised(input.unsqueeze(0)).squeeze(0)
        return self._normalised(input)


class InstanceNorm1d(_InstanceNorm):
    """Instance normalisation of sequences."""

    _rank = 2


class InstanceNorm2d(_InstanceNorm):
    """Instance normalisation of images."""

    _rank = 3


class InstanceNorm3d(_InstanceNorm):
    """Instance normalisation of volumes."""

    _rank = 4
