"""The state of a generator as bytes, in the layout that saved programs contain. In: a position in the stream, the seed
and the normal number that is left over from a pair. Out: 5056 bytes, and back.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .engine import WORDS, Array, Position

LAYOUT = np.dtype(
    {
        "names": ["seed", "left", "seeded", "next", "words", "normal", "has_normal"],
        "formats": ["<u8", "<i4", "<i4", "<u8", ("<u8", WORDS), "<f8", "<i4"],
        "offsets": [0, 8, 12, 16, 24, 5024, 5040],
        "itemsize": 5056,
    }
)
OLD_SIZE = 5048
"""States of old programs lack the last fields, which no draw on a processor uses."""


class State(NamedTuple):
    """All that determines what a generator gives next."""

    seed: int
    position: Position
    normal: float | None


def packed(state: State) -> Array:
    """The bytes of a state."""
    position = state.position
    record = np.zeros((), LAYOUT)
    record["seed"] = state.seed
    record["left"] = 1 if position.fresh else WORDS + 1 - position.used
    record["seeded"] = 1
    record["next"] = position.used
    record["words"] = position.words
    if state.normal is not None:
        record["normal"], record["has_normal"] = state.normal, 1
    return np.frombuffer(record.tobytes(), np.uint8).copy()


def unpacked(data: Array) -> State:
    """The state in an array of bytes; anything else is refused."""
    array = np.ascontiguousarray(data)
    if array.dtype != np.uint8:
        raise TypeError(f"A generator's state consists of bytes (uint8), and this is {array.dtype}.")
    if array.size not in (LAYOUT.itemsize, OLD_SIZE):
        raise RuntimeError(
            f"A generator's state has {LAYOUT.itemsize} bytes or, in old programs, {OLD_SIZE}; this has {array.size}."
        )
    record = np.frombuffer(array.tobytes().ljust(LAYOUT.itemsize, b"\0"), LAYOUT)[0]
    used, left = int(record["next"]), int(record["left"])
    fresh = used == 0 and left == 1
    if not record["seeded"] or not (fresh or (1 <= used <= WORDS and left == WORDS + 1 - used)):
        raise RuntimeError("These bytes are not the state of a generator.")
    position = Position(record["words"].astype(np.uint32), used, fresh)
    return State(int(record["seed"]), position, float(record["normal"]) if record["has_normal"] else None)
