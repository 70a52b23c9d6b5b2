"""A program for torch, ported to the adapter. In: the program, and the API that it is an example of. Out: the same
program through the adapter.

Imports change, tensors are made by MindSpore, and all else stays: that is what the adapter promises. Where it is not
enough, the port is written by hand and lies beside the entry.
"""

from __future__ import annotations

import ast
from functools import cache

from mapspore.words.dtypes import DTYPES

MAKERS = {
    "tensor": "mindspore.tensor",
    **{name: f"mindspore.ops.{name}" for name in ("ones", "ones_like", "zeros", "zeros_like")},
}
"""By torch's name of what makes a tensor: MindSpore's."""
INSTALLS = "torchspore.install_tensor_methods()"


@cache
def ported(program: str, api: str) -> str:
    """The program through the adapter; `api` itself is never replaced by MindSpore's own."""
    try:
        tree = ast.parse(program)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return program  # `check` says so
    own = api.removeprefix("torch.")
    uses = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute) and _is_torch(node.value)]
    made = [node for node in uses if node.attr in MAKERS and node.attr != own]
    # What makes no tensor needs nothing of MindSpore, not even a dtype.
    dtypes = [node for node in uses if node.attr in DTYPES] if made else []
    methods = own.startswith("Tensor.")
    lines = program.splitlines(keepends=True)
    for node in sorted((*made, *dtypes), key=lambda node: (node.lineno, node.col_offset), reverse=True):
        line = lines[node.lineno - 1].encode()
        name = MAKERS.get(node.attr) or f"mindspore.{node.attr}"
        lines[node.lineno - 1] = (line[: node.col_offset] + name.encode() + line[node.end_col_offset :]).decode()
    imported = ["import mindspore\n"] if made else []
    if methods:
        imported.append("import torchspore\n")
    elif len(uses) > len(made) + len(dtypes):
        imported.append("import torchspore as torch\n")
    last = 0
    for statement in tree.body:
        if isinstance(statement, ast.Import | ast.ImportFrom):
            lines[statement.lineno - 1] = _import(lines[statement.lineno - 1], "".join(imported))
            last = statement.lineno
    if methods:
        lines.insert(last, f"\n{INSTALLS}\n")
    return "".join(lines)


def _is_torch(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "torch"


def _import(line: str, imported: str) -> str:
    """A line that imports: torch itself becomes what is needed in its place, a module of it the adapter's."""
    if line.rstrip() == "import torch":
        return imported
    for word in ("import", "from"):
        if line.startswith((f"{word} torch.", f"{word} torch ")):
            return line.replace(f"{word} torch", f"{word} torchspore", 1)
    return line
