"""A form as a line of text, for comparing in tests."""

from __future__ import annotations

from mapspore.facts.diff import signature
from mapspore.facts.snapshot import Facts


def calls(facts: Facts, name: str) -> list[str]:
    """The forms of an API, without annotations."""
    api = facts.get(name)
    assert api is not None, f"{name} is not in the facts"
    return [signature(form) for form in api.forms]


def instance_calls(facts: Facts, name: str) -> list[str]:
    """The forms of calling an instance of a class."""
    api = facts.get(name)
    assert api is not None, f"{name} is not in the facts"
    return [signature(form) for form in api.call]
