"""Whose processor this is. In: what the operating system tells. Out: the vendor's name, and whether the numbers that
this folder draws are those of a program that ran on the same kind of processor.
"""

from __future__ import annotations

import functools
import platform
from pathlib import Path

INTEL = "GenuineIntel"
OTHER_STREAM = ("bernoulli", "dropout", "exponential", "multinomial")
"""Draws that the original framework takes from a stream of Intel's library on Intel's processors, seeded with one word
of the generator. This folder takes them from the generator everywhere, as on processors of other vendors."""


@functools.cache
def vendor() -> str:
    """The vendor's name as the processor gives it, such as AuthenticAMD; else the machine's architecture."""
    information = Path("/proc/cpuinfo")
    lines = information.read_text("utf-8", "replace").splitlines() if information.exists() else []
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("vendor_id")]
    return named[0] if named else _named(platform.processor()) or platform.machine()


def streams_agree() -> bool:
    """Whether a program that ran on this processor drew its `OTHER_STREAM` from the generator too."""
    return vendor() != INTEL


def _named(description: str) -> str:
    """The vendor in a description such as "Intel64 Family 6 Model 85 Stepping 7, GenuineIntel"."""
    return description.rpartition(",")[2].strip() if "," in description else ""
