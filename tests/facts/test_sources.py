"""Source text as declarations: overloads, defaults in the author's words, what is private."""

from __future__ import annotations

from mapspore.facts.diff import signature
from mapspore.facts.extract.source import parse
from mapspore.facts.snapshot import Parameter

SOURCE = """
from typing import overload

def plain(a, b: "int | None" = None, *rest, c=mstype.float32, **more) -> Tensor: ...

def words(a="mean", b='it\\'s', c=1e-5, d=(0.9, 0.999), e=ReduceOp.SUM, f=(
    1,
    2,
)): ...

@overload
def many(a: int, b: str = ...) -> int: ...
@overload
def many(*args, **kwargs): ...
@typing.overload
def many(a: str) -> str: ...
def many(a, b="x"): ...

def private(a, _level=3, b=None): ...

class Layer:
    def __init__(self, size, /, *, bias=True): ...
    @staticmethod
    def make(size): ...
    class Inner:
        def method(self, x=0): ...

@dataclass(frozen=True)
class Options:
    size: int
    bias: bool = True
"""


def test_every_kind_of_parameter() -> None:
    (form,) = parse(SOURCE).forms("plain")
    assert form.returns == "Tensor"
    assert form.parameters == (
        Parameter("a"),
        Parameter("b", default="None", annotation="'int | None'"),
        Parameter("rest", "var_positional"),
        Parameter("c", "keyword_only", "mstype.float32"),
        Parameter("more", "var_keyword"),
    )


def test_defaults_keep_their_words() -> None:
    (form,) = parse(SOURCE).forms("words")
    assert [p.default for p in form.parameters] == [
        "'mean'", '"it\'s"', "1e-5", "(0.9, 0.999)", "ReduceOp.SUM", "(1, 2)",
    ]  # fmt: skip


def test_overloads_stand_for_the_implementation() -> None:
    forms = parse(SOURCE).forms("many")
    assert [signature(form) for form in forms] == ["(a, b='x')", "(a)"]
    assert [form.returns for form in forms] == ["int", "str"]


def test_what_follows_a_private_parameter_needs_its_name() -> None:
    (form,) = parse(SOURCE).forms("private")
    assert signature(form) == "(a, *, b=None)"


def test_members_of_classes() -> None:
    found = parse(SOURCE)
    assert [signature(form) for form in found.forms("Layer.__init__", bound=True)] == ["(size, /, *, bias=True)"]
    assert [signature(form) for form in found.forms("Layer.make", bound=True)] == ["(size)"]
    assert [signature(form) for form in found.forms("Layer.Inner.method", bound=True)] == ["(x=0)"]
    options = found.dataclass_form("Options")
    assert options is not None and signature(options) == "(size, bias=True)"
    assert found.dataclass_form("Layer") is None
