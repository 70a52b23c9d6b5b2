"""The stream of random words under every draw, MT19937. In: a seed, or a state. Out: words of 32 and 64 bits, and
doubles between 0 and 1. NumPy computes the same words; this module adds how they are seeded, paired and counted.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np

Array: TypeAlias = Any
WORDS = 624
"""How many words the state has."""


class Position(NamedTuple):
    """Where a stream stands: its words, and how many of them are used; none yet, if it was only seeded."""

    words: Array
    used: int
    fresh: bool


class Engine:
    """A stream of words. All draws take whole words from it, so it never holds half of one."""

    def __init__(self, seed: int) -> None:
        self._bits = np.random.MT19937()
        self._fresh = True
        self.seed(seed)

    def seed(self, seed: int) -> None:
        """Begin anew; of the seed only the lower 32 bits count."""
        words = np.random.RandomState(seed % 2**32).get_state()[1]
        self.position = Position(words, 0, True)

    @property
    def position(self) -> Position:
        state = self._bits.state["state"]
        fresh = self._fresh and state["pos"] == WORDS
        return Position(state["key"], 0 if fresh else int(state["pos"]), fresh)

    @position.setter
    def position(self, position: Position) -> None:
        used = WORDS if position.fresh else position.used
        self._bits.state = {"bit_generator": "MT19937", "state": {"key": position.words, "pos": used}}
        self._fresh = position.fresh

    def words(self, count: int) -> Array:
        """The next words of 32 bits, as 64-bit integers."""
        self._fresh = self._fresh and not count
        return self._bits.random_raw(count)

    def pairs(self, count: int) -> Array:
        """The next words of 64 bits; the first of two words is the upper half."""
        words = self.words(2 * count)
        return words[0::2] << np.uint64(32) | words[1::2]

    def doubles(self, count: int) -> Array:
        """Numbers from 0 to below 1 with 53 bits each."""
        return (self.pairs(count) & np.uint64(2**53 - 1)).astype(np.float64) * 2.0**-53

    def singles(self, count: int) -> Array:
        """Numbers from 0 to below 1 with 24 bits each."""
        return (self.words(count) & np.uint64(2**24 - 1)).astype(np.float32) * np.float32(2.0**-24)

    def double(self) -> float:
        """One number from 0 to below 1, for draws that do not know how many they need."""
        self._fresh = False
        upper = int(self._bits.random_raw())
        return ((upper << 32 | int(self._bits.random_raw())) & (2**53 - 1)) * 2.0**-53
