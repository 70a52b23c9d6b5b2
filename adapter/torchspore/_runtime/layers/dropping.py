"""Dropout as layers."""

from __future__ import annotations

from typing import Any

from ..functional import dropping
from ..module import Module


class _Dropout(Module):
    """A layer with the probability that something is made nought while training."""

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        super().__init__()
        if p < 0 or p > 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
        self.p = p
        self.inplace = inplace

    def extra_repr(self) -> str:
        return f"p={self.p}, inplace={self.inplace}"


class Dropout(_Dropout):
    """Elements made nought by chance."""

    def forward(self, input: Any) -> Any:
        return dropping.dropout(input, self.p, self.training, self.inplace)


class Dropout1d(_Dropout):
    """Channels of sequences made nought by chance."""

    def forward(self, input: Any) -> Any:
        return dropping.dropout1d(input, self.p, self.training, self.inplace)


class Dropout2d(_Dropout):
    """Channels of images made nought by chance."""

    def forward(self, input: Any) -> Any:
        return dropping.dropout2d(input, self.p, self.training, self.inplace)


class Dropout3d(_Dropout):
    """Channels of volumes made nought by chance."""

    def forward(self, input: Any) -> Any:
        return dropping.dropout3d(input, self.p, self.training, self.inplace)


class AlphaDropout(_Dropout):
    """Elements brought to the floor of the scaled exponential unit by chance."""

    def forward(self, input: Any) -> Any:
        return dropping.alpha_dropout(input, self.p, self.training, self.inplace)


class FeatureAlphaDropout(_Dropout):
    """Channels brought to the floor of the scaled exponential unit by chance."""

    def forward(self, input: Any) -> Any:
        return dropping.feature_alpha_dropout(input, self.p, self.training, self.inplace)
