"""Docstrings as the frameworks write them, and what is read out of them."""

from __future__ import annotations

import pytest

from mapspore.facts.diff import signature
from mapspore.facts.extract import docstring, docstring_signatures
from mapspore.facts.snapshot import Deprecation

MAX = """
max(input, *, out=None) -> Tensor

Returns the maximum value of all elements.

.. function:: max(input, dim, keepdim=False, *, out=None) -> (Tensor, LongTensor)
   :noindex:

Some text that calls max(input) again.
"""
COMM = """
`mindspore.communication.comm_func.comm_func.send` is deprecated from version 2.9.0
and will be removed in a future version. Please use :func:`mindspore.ops.communication.send`
instead.

Send tensors.

Returns:
    Tuple(Tensor, CommHandle), the shape is :math:`(N, x_1, ..., x_R)`. More about it.

Supported Platforms:
    Deprecated
"""
LAYER = """A layer.

Inputs:
    - **x** (Tensor) - The input.
      Of any shape.
    - **axis** (int, optional) - The axis. Default: ``0`` .

Outputs:
    - **values** (Tensor) - The values.
    - **indices** (Tensor) - Where they are.

Supported Platforms:
    ``Ascend`` ``GPU`` ``CPU``
"""


def test_signatures_are_read_where_docstrings_declare_them() -> None:
    forms = docstring_signatures.signatures(MAX, "max")
    assert [signature(form) for form in forms] == ["(input, *, out=None)", "(input, dim, keepdim=False, *, out=None)"]
    assert [form.returns for form in forms] == ["Tensor", "(Tensor, LongTensor)"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(start=0, end, step=1)", "(start=0, end, step=1)"),
        ("(A, *, bool pivot=True, out=None) -> (Tensor, Tensor)", "(A, *, pivot=True, out=None)"),
        ("(input, approximate = 'none') -> Tensor", "(input, approximate='none')"),
        ('(a, b="x, (y)")', "(a, b='x, (y)')"),
        ("(self: Store, arg0: str, *args, **kwargs) -> None", "(self, arg0, *args, **kwargs)"),
        ("(a, b, /, c)", "(a, b, /, c)"),
        ("(opts=<torch.Options object at 0x7f1618647b30>)", "(opts=...)"),
        ("(pre_tokens=2^63-1)", "(pre_tokens=2**63-1)"),
        ("(a,\n    b=1)", "(a, b=1)"),
        ("()", "()"),
    ],
)
def test_a_signature_is_read_leniently(text: str, expected: str) -> None:
    form = docstring_signatures.signature(" ".join(text.split()))
    assert form is not None and signature(form) == expected


@pytest.mark.parametrize("text", ["(a, b", "(1, 2)", "(a, ..., b)"])
def test_what_is_no_signature_gives_nothing(text: str) -> None:
    assert docstring_signatures.signature(text) is None


def test_described_arguments_stand_in_for_a_signature() -> None:
    doc = "Args:\n    a (int): One.\n    b (str, optional): Two.\n        Default: ``'x'`` .\n\n"
    doc += "Keyword Args:\n    c (int): Three."
    form = docstring_signatures.arguments(doc)
    assert form is not None and signature(form) == "(a, b='x', *, c)"
    assert docstring_signatures.arguments("Args:\n    something unreadable") is None
    call = docstring_signatures.inputs(LAYER)
    assert call is not None and signature(call) == "(x, axis=0, /)"
    assert docstring_signatures.inputs(COMM) is None


def test_returns_are_cut_to_what_comes_back() -> None:
    assert docstring.returned(COMM) == "Tuple(Tensor, CommHandle), the shape is :math:`(N, x_1, ..., x_R)`"
    assert docstring.returned(LAYER) == "values (Tensor); indices (Tensor)"
    assert docstring.returned(MAX) is None
    long = docstring.returned("Returns:\n    Tensor, " + "with many words, " * 20)
    assert long is not None and len(long) <= docstring.LONGEST_RETURN and long.endswith("with many words")


def test_platforms() -> None:
    assert docstring.platforms(LAYER) == ("Ascend", "GPU", "CPU")
    assert docstring.is_ended(docstring.platforms(COMM))
    assert docstring.platforms(MAX) == ()


@pytest.mark.parametrize(
    ("doc", "expected"),
    [
        (COMM, Deprecation("2.9.0", "mindspore.ops.communication.send")),
        ("X.\n\n.. warning::\n    This interface is deprecated and will be removed after version 2.9.0.",
         Deprecation(removal="2.9.0")),
        (".. warning::\n    :func:`torch.send` is deprecated in favor of :func:`torch.linalg.send`\n    and so on.",
         Deprecation(replacement="torch.linalg.send")),
        ("'nn.send' is deprecated from version 2.0, use 'ops.send' instead.", Deprecation("2.0", "ops.send")),
        ("Supported Platforms:\n    Deprecated", Deprecation()),
        ("The reduce argument is deprecated and will be removed.", None),
        ("reduce (bool, optional): Deprecated (see :attr:`reduction`).", None),
        (":func:`torch.other` is deprecated.", None),
        (MAX, None),
    ],
)  # fmt: skip
def test_deprecations_of_the_api_itself(doc: str, expected: Deprecation | None) -> None:
    assert docstring.deprecation(doc, "mindspore.communication.comm_func.send") == expected


def test_aliases_and_pointers() -> None:
    assert docstring.alias("absolute(input) -> Tensor\n\nAlias for :func:`torch.abs`\n") == "torch.abs"
    assert docstring.alias("Alias of :func:`mindspore.mint.trunc` .\n\nSupported Platforms:") == "mindspore.mint.trunc"
    assert docstring.alias("Returns the size. Alias for :attr:`size`.") is None
    assert docstring.alias("Alias for :func:`torch.div` with ``rounding_mode=None``.") is None
    assert docstring.pointer("sum() -> Tensor\n\nSee :func:`torch.sum`\n") == "torch.sum"
    assert docstring.pointer("For details, please refer to :func:`mindspore.ops.abs`.") == "mindspore.ops.abs"
    assert docstring.pointer("Computes. See :func:`torch.sum`.") is None
