"""Generators of random numbers, and the one that is used where none is given. In: a seed or a state. Out: an object
that draws take their words from; its state is the same sequence of bytes that the original framework saves.
"""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Iterable, Iterator
from typing import Any

from ..core import arrays
from ..core.errors import UnknownDevice
from .engine import Engine
from .state import State, packed, unpacked

FIRST_SEED = 67280421310721
"""The seed of a generator that nobody has seeded."""
_LOWEST, _HIGHEST = -(2**63), 2**64 - 1


class Generator:
    """A stream of random numbers of its own. What draws need of it is `engine`, and `normal`: the second number of the
    last pair of normal ones, if nobody has taken it."""

    def __init__(self, device: Any = "cpu") -> None:
        if str(device).partition(":")[0] != "cpu":
            raise UnknownDevice(
                f"A generator's numbers are drawn on the processor; its device is 'cpu', not {device!r}."
            )
        self.device = device
        self.engine = Engine(FIRST_SEED)
        self.normal: float | None = None
        self._seed = FIRST_SEED

    def manual_seed(self, seed: int) -> Generator:
        """Begin anew with a seed; a negative one counts from the end of 64 bits."""
        if isinstance(seed, bool) or not isinstance(seed, int):
            raise RuntimeError(f"A seed is an integer; this is a {type(seed).__name__}.")
        if not _LOWEST <= seed <= _HIGHEST:
            raise ValueError(f"A seed has 64 bits: it lies between -2**63 and 2**64 - 1, and {seed} does not.")
        self._seed = seed % 2**64
        self.engine.seed(self._seed)
        self.normal = None
        return self

    def seed(self) -> int:
        """Begin anew with a seed that nobody can foretell; it is returned."""
        self.manual_seed(secrets.randbits(63))
        return self._seed

    def initial_seed(self) -> int:
        """The seed that it began with."""
        return self._seed

    def get_state(self) -> Any:
        """Its state, a tensor of bytes."""
        return arrays.to_tensor(packed(self._state))

    def set_state(self, new_state: Any) -> Generator:
        """Go on from a state, of this generator or of any other."""
        self._state = unpacked(arrays.to_array(new_state))
        return self

    def clone_state(self) -> Generator:
        """Another generator that goes on from here on its own."""
        other = Generator(self.device)
        other._state = self._state
        return other

    @property
    def _state(self) -> State:
        return State(self._seed, self.engine.position, self.normal)

    @_state.setter
    def _state(self, state: State) -> None:
        self._seed, self.engine.position, self.normal = state

    def __getstate__(self) -> dict[str, Any]:
        return {"device": self.device, "state": packed(self._state)}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__init__(kept["device"])  # type: ignore[misc]
        self._state = unpacked(kept["state"])


default_generator = Generator()


def chosen(generator: Generator | None) -> Generator:
    """The generator to draw from where a caller may give one."""
    return default_generator if generator is None else generator


def manual_seed(seed: Any) -> Generator:
    """Seed the default generator."""
    return default_generator.manual_seed(int(seed))


def seed() -> int:
    """Give the default generator a seed that nobody can foretell; it is returned."""
    return default_generator.seed()


def initial_seed() -> int:
    """The seed that the default generator began with."""
    return default_generator.initial_seed()


def get_rng_state() -> Any:
    """The state of the default generator, a tensor of bytes."""
    return default_generator.get_state()


def set_rng_state(new_state: Any) -> None:
    """Let the default generator go on from a state."""
    default_generator.set_state(new_state)


@contextlib.contextmanager
def fork_rng(
    devices: Iterable[Any] | None = None, enabled: bool = True, device_type: str = "cuda", **names: Any
) -> Iterator[None]:
    """What is drawn inside leaves no trace: afterwards the default generator stands where it stood. The devices and
    their names change nothing, since all numbers are drawn on the processor."""
    kept = default_generator._state
    try:
        yield
    finally:
        if enabled:
            default_generator._state = kept
