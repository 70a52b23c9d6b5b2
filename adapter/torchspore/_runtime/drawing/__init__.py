"""Tensors of random numbers. In: a shape, or a tensor that says what each number is drawn by, and a generator or none.
Out: tensors with the numbers of the stream that ported programs know; what is drawn is no part of a gradient.
"""

from .each import bernoulli, multinomial, normal, poisson
from .shaped import rand, rand_like, randint, randint_like, randn, randn_like, randperm
from .written import (
    bernoulli_,
    cauchy_,
    exponential_,
    geometric_,
    log_normal_,
    normal_,
    random_,
    uniform_,
)

__all__ = [
    "bernoulli",
    "bernoulli_",
    "cauchy_",
    "exponential_",
    "geometric_",
    "log_normal_",
    "multinomial",
    "normal",
    "normal_",
    "poisson",
    "rand",
    "rand_like",
    "randint",
    "randint_like",
    "randn",
    "randn_like",
    "random_",
    "randperm",
    "uniform_",
]
