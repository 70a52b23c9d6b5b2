"""What the tests of hostile input share by name: a program that `migrate` rewrites, and the types of fixtures."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

HOME = Path(__file__).resolve().parents[2]
GOOD = "import torch.distributed as dist\n\ndist.barrier()\n"
MOVED = GOOD.replace("torch.", "torchspore.")

Git = Callable[..., str]
Ended = Callable[..., "subprocess.CompletedProcess[str]"]
