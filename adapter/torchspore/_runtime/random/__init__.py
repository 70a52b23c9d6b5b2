"""The random numbers that ported programs know from a processor: the same seed gives the same numbers, in the same
order, whatever is drawn. In: a generator, a shape and the name of a dtype. Out: NumPy arrays; tensors are made by
others. Nothing here needs MindSpore, so a process that only loads data does not start it.
"""

from .generator import Generator, fork_rng, get_rng_state, initial_seed, manual_seed, seed, set_rng_state

__all__ = [
    "Generator",
    "fork_rng",
    "get_rng_state",
    "initial_seed",
    "manual_seed",
    "seed",
    "set_rng_state",
]
