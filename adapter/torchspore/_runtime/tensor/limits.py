"""What a dtype can hold: `finfo` for fractions, `iinfo` for whole numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import dtypes

BFLOAT16 = {"bits": 16, "eps": 2.0**-7, "max": float(2.0**127 * (2 - 2.0**-7)), "tiny": 2.0**-126, "resolution": 0.01}


class finfo:
    """The limits of a dtype of fractions."""

    def __init__(self, type: Any = None) -> None:
        asked = dtypes.default() if type is None else dtypes.of(type)
        real = asked.to_real()
        if not real.is_floating_point:
            raise TypeError(f"torch.finfo() requires a floating point input type. Use torch.iinfo to handle {asked}")
        self.dtype = real.name
        if real == dtypes.bfloat16:
            limits = dict(BFLOAT16)
        else:
            found = np.finfo(dtypes.NUMPY[real])
            limits = {
                "bits": found.bits,
                "eps": float(found.eps),
                "max": float(found.max),
                "tiny": float(found.tiny),
                "resolution": float(f"1e-{found.precision}"),
            }
        self.bits = int(limits["bits"])
        self.eps = limits["eps"]
        self.max = limits["max"]
        self.min = -limits["max"]
        self.tiny = self.smallest_normal = limits["tiny"]
        self.resolution = limits["resolution"]

    def __repr__(self) -> str:
        shown = ", ".join(
            f"{name}={getattr(self, name):g}" for name in ("resolution", "min", "max", "eps", "smallest_normal", "tiny")
        )
        return f"finfo({shown}, dtype={self.dtype})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, finfo) and self.dtype == other.dtype

    def __hash__(self) -> int:
        return hash(("finfo", self.dtype))


class iinfo:
    """The limits of a dtype of whole numbers."""

    def __init__(self, type: Any) -> None:
        asked = dtypes.of(type)
        if asked.kind not in "ui":
            raise TypeError(f"torch.iinfo() requires an integer input type, and {asked} is none. Use torch.finfo")
        found = np.iinfo(dtypes.NUMPY[asked])
        self.bits, self.min, self.max, self.dtype = int(found.bits), int(found.min), int(found.max), asked.name

    def __repr__(self) -> str:
        return f"iinfo(min={self.min}, max={self.max}, dtype={self.dtype})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, iinfo) and self.dtype == other.dtype

    def __hash__(self) -> int:
        return hash(("iinfo", self.dtype))
