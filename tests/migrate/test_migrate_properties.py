"""What must hold of every rewrite, tried on programs that are put together at random: the new text parses, a second run
changes nothing, and lines that use no API are the same bytes, in the same order."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import chdir
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mapspore.migrate import run
from mapspore.migrate.run import MODES, Mode, Wanted, migrate
from mapspore.scan.files import find
from mapspore.scan.ruleset import Ruleset, load_ruleset

HOME = Path(__file__).resolve().parents[2]

IMPORTS = [
    "import torch",
    "import torch as t",
    "import torch.distributed as dist",
    "import torch.nn.functional as F, os",
    "import torch.nn as nn  # layers",
    "from torch import abs, cat as join, Tensor",
    "from torch import (\n    std,\n    dequantize,  # no entry\n)",
    "from torch.distributed import (all_reduce, barrier, monitored_barrier,)",
    "from torch import *",
    "import torch; torch.abs(1)",
    "import torch.distributed \\\n    as dist",
    "try:\n    import torch.distributed as dist\nexcept ImportError:\n    dist = None",
    "if x:\n    import torch\nelse:\n    import torch",
    "class B:\n    import torch\n    z = torch.argmin(y)\n\n    def f(self):\n        return self.torch.abs(1)",
    "import torch.nn.functional\nfrom torch.nn import functional as F",
]
USES = [
    "torch.abs(x)",
    "torch . abs ( x )",
    "(torch).abs(x)",
    "t.argmin(x, dim=0)",
    "torch.dequantize(x)",
    "torch.std(x, 1, True, out=y)",
    "torch.arange(0, 3, dtype=torch.float32)",
    "dist.all_reduce(x, op=dist.ReduceOp.MAX)",
    "dist.all_reduce(x, async_op=True).wait()",
    "dist.barrier()",
    "F.leaky_relu(\n    x,  # input\n    0.2,\n)",
    "F.leaky_relu(x, inplace=False)",
    "nn.Dropout(0.5)(x)",
    "nn.Linear(2, 3)",
    "abs(x)",
    "join([x, y], 1)",
    "barrier()",
    "monitored_barrier()",
    "f'{torch.abs(x)=} {torch.abs(y):>{torch.argmin(z)}}'",
    "[torch.abs(each) for each in x if torch.argmin(each)]",
    "(lambda torch: torch.abs(x))(y)",
    "x.view(2).item()",
    "torch.abs",
    "getattr(torch, 'abs')(x)",
    "torch.arange(5, dtype=torch.float32 if x else torch.long)",
    "torch.arange(end=5, dtype=torch.half,)",
    "(lambda mindspore: torch.abs(mindspore))(x)",
    "torch.arange((yield_ := 5), 7)",
    "torch.abs(x for x in y)",
    "torch.topk(x, 2)[0].view(-1)",
]
FRAMES = [
    "{use}",
    "x = {use}  # {noise}",
    "if {use}: pass",
    "if x: {use}; y = 1",
    "@made({use})\ndef f(a={use}):\n\treturn {use}",
    "class A:\n    x = {use}\n\n    def f(self, torch=None):\n        self.y = {use}",
    "with {use} as x, y:\n    {use}",
    "def g():\n    global torch\n    import torch\n    {use}",
    "def h():\n    import torch.distributed as dist\n    dist.barrier()",
    "async def k():\n    return [{use} async for x in y]",
    "try: {use}\nexcept E as torch: {use}\nfinally: {use}",
    "match x:\n    case torch.abs: {use}\n    case [torch, *_] if {use}: pass",
    "print({use},\n      {use})",
    "for torch in {use}: {use}\nelse: {use}",
    "while {use}:\n    {use}\n    torch = y",
    "match {use}:\n    case [torch] if {use}: pass\n    case _: {use}",
    "def patch():\n    global torch\n    torch = {use}\n    import torchspore",
    "if x: del torch\nelse: {use}",
]
NOISE = [
    "# a comment: torch.abs(x)",
    '"""torch.abs(x) in a text"""',
    "z  =  {  'torch' :1 ,}   ",
    "not_torch . abs( x )",
    "",
    "\x0c",
    "é = 'torch.distributed'; ß=1",
]


@st.composite
def programs(draw: st.DrawFn) -> tuple[bytes, list[str]]:
    """A program as bytes, and those of its lines that use nothing of torch."""
    parts = draw(st.lists(st.sampled_from(IMPORTS), min_size=1, max_size=3))
    quiet = []
    for _ in range(draw(st.integers(1, 5))):
        noise = draw(st.sampled_from(NOISE))
        quiet.append(noise)
        frame = draw(st.sampled_from(FRAMES))
        pieces = frame.split("{use}")
        single = "\n" not in frame
        uses = [draw(st.sampled_from([use for use in USES if single or "\n" not in use])) for _ in pieces[1:]]
        text = pieces[0] + "".join(use + piece for use, piece in zip(uses, pieces[1:], strict=True))
        parts += [noise, text.replace("{noise}", "why")]
    end = draw(st.sampled_from(["\n", "\r\n"]))
    text = end.join("\n".join(parts).split("\n")) + draw(st.sampled_from(["", end]))
    return draw(st.sampled_from([b"", b"\xef\xbb\xbf"])) + text.encode(), quiet


@pytest.fixture(scope="module")
def rules() -> Iterator[dict[Mode, Ruleset]]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run, "_registry", cache(run._registry))  # read once for all programs
        yield {"adapter": load_ruleset(HOME), "direct": load_ruleset(HOME, (), "Ascend")}


def migrated(content: bytes, mode: Mode, mixing: bool, rules: Ruleset) -> bytes:
    with TemporaryDirectory() as folder, chdir(folder):
        Path("a.py").write_bytes(content)
        files, _ = find(["a.py"])
        done = migrate(files, rules, Wanted(mode, mixing=mixing), HOME, (), ["a.py"], 1, False).files
    return done[0].content() if done and done[0].changed else content


def lines_of(content: bytes) -> list[str]:
    return content.decode("utf-8-sig").replace("\r\n", "\n").split("\n")


@pytest.mark.parametrize("mixing", [False, True], ids=["whole", "mixed"])
@pytest.mark.parametrize("mode", MODES)
@settings(max_examples=80, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(program=programs())
def test_a_rewrite_parses_is_final_and_leaves_the_rest_alone(
    program: tuple[bytes, list[str]], mode: Mode, mixing: bool, rules: dict[Mode, Ruleset]
) -> None:
    content, quiet = program
    ast.parse(content)
    made = migrated(content, mode, mixing, rules[mode])
    ast.parse(made)
    assert migrated(made, mode, mixing, rules[mode]) == made
    assert made.startswith(b"\xef\xbb\xbf") == content.startswith(b"\xef\xbb\xbf")
    assert made.endswith(b"\n") == content.endswith(b"\n")
    assert (b"\r\n" in made) == (b"\r\n" in content) and made.count(b"\n") - made.count(b"\r\n") in (
        0,
        made.count(b"\n"),
    )
    left = iter(lines_of(made))
    assert all(any(line == each for each in left) for line in quiet), "a line without an API has changed or moved"
