"""Which MindSpore function the adapters call: force one, or ask. The same for all of the package."""

from torchspore._runtime.core.targets import use, which

__all__ = ["use", "which"]
