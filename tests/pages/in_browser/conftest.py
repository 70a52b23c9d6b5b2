"""Gives the tests of this folder their fixtures; what they are is in `browser.py`."""

from browser import address, chromium, opened

__all__ = ["address", "chromium", "opened"]
