"""Which MindSpore function the adapters call: force one, or ask. The same for all of the package."""

from torchspore._runtime import use, which

__all__ = ["use", "which"]
