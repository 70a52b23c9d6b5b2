"""Which MindSpore function the adapters call, and whether it runs before the call returns: choose, or ask. The same for
all of the package.
"""

from torchspore._runtime.core.targets import synchronous, use, which

__all__ = ["synchronous", "use", "which"]
