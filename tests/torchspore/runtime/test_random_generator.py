"""A generator's seeds, states and copies are torch's, in both directions."""

from __future__ import annotations

import copy
import pickle

import mindspore  # noqa: F401 - loading it starts a process, which tests may not
import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from torchspore._runtime.core import arrays
from torchspore._runtime.random import draws, generator, processor
from torchspore._runtime.random.generator import Generator

pytestmark = pytest.mark.frameworks


@given(st.integers(-(2**63), 2**64 - 1), st.integers(0, 2000), st.integers(0, 5))
def test_states_travel_both_ways(seed: int, words: int, normals: int) -> None:
    theirs = torch.Generator().manual_seed(seed)
    torch.rand(words, generator=theirs)
    torch.randn(normals, generator=theirs)
    ours = Generator()
    assert ours.set_state(theirs.get_state().numpy()) is ours
    assert ours.initial_seed() == theirs.initial_seed()
    np.testing.assert_array_equal(draws.normal(ours, (3,)), torch.randn(3, generator=theirs).numpy())
    back = torch.Generator().set_state(torch.from_numpy(arrays.to_array(ours.get_state())))
    np.testing.assert_array_equal(draws.normal(ours, (40,)), torch.randn(40, generator=back).numpy())


@pytest.mark.parametrize("copied", [Generator.clone_state, copy.deepcopy, lambda g: pickle.loads(pickle.dumps(g))])
def test_copies_go_on_alone(copied: object) -> None:
    first = Generator().manual_seed(1)
    draws.normal(first, (3,))
    second = copied(first)  # type: ignore[operator]
    third = draws.uniform(first, (5,))
    np.testing.assert_array_equal(draws.uniform(second, (5,)), third)
    assert second.initial_seed() == 1


@pytest.mark.parametrize("seed", [2**64, -(2**63) - 1, 1.5, "a", True, None])
def test_seeds_that_torch_refuses(seed: object) -> None:
    with pytest.raises((RuntimeError, ValueError)) as wanted:
        torch.Generator().manual_seed(seed)  # type: ignore[arg-type]
    with pytest.raises(wanted.type):
        Generator().manual_seed(seed)  # type: ignore[arg-type]


@pytest.mark.parametrize("state", [np.zeros(5056, np.uint8), np.zeros(7, np.uint8), np.zeros(5056)])
def test_what_is_no_state_is_refused(state: np.ndarray) -> None:
    with pytest.raises((RuntimeError, TypeError)) as wanted:
        torch.Generator().set_state(torch.from_numpy(state))
    with pytest.raises(wanted.type):
        Generator().set_state(state)


def test_another_device_is_refused() -> None:
    assert Generator("cpu").device == "cpu"
    with pytest.raises(RuntimeError, match="cpu"):
        Generator("cuda")


def test_the_default_generator() -> None:
    default = generator.default_generator
    assert generator.manual_seed(5) is default and torch.manual_seed(5) is torch.default_generator
    assert generator.initial_seed() == torch.initial_seed() == 5
    assert generator.manual_seed("7").initial_seed() == 7
    with generator.fork_rng():
        inside = draws.uniform(default, (4,))
    np.testing.assert_array_equal(draws.uniform(default, (4,)), inside)
    with generator.fork_rng(enabled=False):
        inside = draws.uniform(default, (4,))
    assert not np.array_equal(draws.uniform(default, (4,)), inside)
    state = generator.get_rng_state()
    inside = draws.uniform(default, (4,))
    generator.set_rng_state(state)
    np.testing.assert_array_equal(draws.uniform(default, (4,)), inside)
    assert generator.seed() == generator.initial_seed() != 7
    assert Generator().initial_seed() == torch.Generator().initial_seed()


def test_a_fork_that_fails_leaves_no_trace() -> None:
    before = arrays.to_array(generator.get_rng_state())
    with pytest.raises(KeyError), generator.fork_rng():
        draws.uniform(generator.default_generator, (4,))
        raise KeyError
    np.testing.assert_array_equal(arrays.to_array(generator.get_rng_state()), before)


@pytest.mark.parametrize(
    ("text", "name"),
    [("Intel64 Family 6 Model 85 Stepping 7, GenuineIntel", "GenuineIntel"), ("arm", ""), ("", "")],
)
def test_the_vendor_of_a_processor(text: str, name: str) -> None:
    assert processor._named(text) == name
    assert processor.streams_agree() is (processor.vendor() != "GenuineIntel")
