"""What can be wrong with a file. Each error is a subclass of what ported programs catch in that place."""

from __future__ import annotations

import pickle


class NotReadable(RuntimeError):
    """A file that is damaged, cut off, or no file with tensors at all."""


class NotAllowed(pickle.UnpicklingError, RuntimeError):
    """A file that wants something beyond tensors and plain values. Nothing of it is run."""


class NotWritable(pickle.PicklingError, RuntimeError):
    """A value that would not be read again."""
