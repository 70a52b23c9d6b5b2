"""What the adapter's hand-written runtime has. In: its source, read without importing it. Out: where each name that
generated code or an entry may use is imported from, what it is, and which members a class has.

What `__all__` of one of its parts lists is imported from that part, a function of the vocabulary from the module of
`words` that defines it. A name that two parts have is written behind its part: `init.uniform_`.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Literal

from mapspore.base.paths import adapter_folder

PACKAGE = "torchspore._runtime"
COLLECTIVES = f"{PACKAGE}.collectives"
INNER = ("calls", "core", "words")
"""Parts that generated calls are made of: no name of theirs stands for one of torch."""
MATERIAL = frozenset(
    [
        "Collective", "Group", "Reduction", "Root", "as_cell", "attach", "attach_inplace", "comm_func",
        "from_mindspore", "lowered", "mint", "record", "whole", "wrap",
    ]
)  # fmt: skip
"""Names of other parts that generated calls are made of, too."""

Sort = Literal["class", "function", "value"]


@cache
def homes() -> dict[str, str]:
    """The module that each name of the runtime is imported from; of a name in several parts, the first."""
    return dict(reversed([*offered()]))


def home_of(name: str) -> tuple[str, str]:
    """The module that a name of the runtime is imported from, and the name there; `part.name` says the part itself."""
    part, dot, last = name.rpartition(".")
    return (f"{PACKAGE}.{part}" if dot else homes()[name]), last


def offered() -> Iterator[tuple[str, str]]:
    """The names that generated code can import, each with its module: first those that it is made of itself, so that
    these are meant wherever a part has a name of torch that is the same."""
    inner = [part for part in parts() if part.name in INNER]
    yield from _of_parts(inner)
    for file in sorted((_folder() / "words").glob("[a-z]*.py")):
        functions = (node for node in ast.parse(file.read_text("utf-8")).body if isinstance(node, ast.FunctionDef))
        yield from ((node.name, f"{PACKAGE}.words.{file.stem}") for node in functions if node.name[0] != "_")
    yield from _of_parts(part for part in parts() if part not in inner)


def _of_parts(folders: Iterable[Path]) -> Iterator[tuple[str, str]]:
    for part in folders:
        yield from ((name, f"{PACKAGE}.{part.name}") for name in listed(part / "__init__.py"))


def parts() -> list[Path]:
    """The folders of the runtime."""
    return sorted(file.parent for file in _folder().glob("*/__init__.py"))


def _folder() -> Path:
    return adapter_folder().joinpath(*PACKAGE.split("."))


def listed(file: Path) -> list[str]:
    """The names in a module's `__all__`, read without importing it."""
    for node in ast.parse(file.read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "__all__" for t in node.targets):
            return [str(name) for name in ast.literal_eval(node.value)]
    return []


@cache
def nameable() -> frozenset[str]:
    """What `runtime` of an entry can say: every name that stands for one of torch behind its part, and alone where no
    other part has it."""
    count = Counter(name for name, _ in offered())
    outer = [part for part in parts() if part.name not in INNER]
    found = [(part.name, name) for part in outer for name in listed(part / "__init__.py") if name not in MATERIAL]
    alone = {name for _, name in found if count[name] == 1}
    return frozenset({f"{part}.{name}" for part, name in found} | alone)


@cache
def sort_of(name: str) -> Sort | None:
    """What a name of the runtime is, as its part defines it; None if that cannot be told from the source."""
    defined = _definition(name)
    if defined is not None:
        return "class" if isinstance(defined, ast.ClassDef) else "function"
    return "value" if name.rpartition(".")[2].isupper() else None


@cache
def parameters_of(name: str) -> tuple[str, ...] | None:
    """The parameters of a function of the runtime, in order; None if that cannot be told from the source."""
    defined = _definition(name)
    if not isinstance(defined, ast.FunctionDef):
        return None
    given = defined.args
    rest = (given.vararg, *given.kwonlyargs, given.kwarg)
    return tuple(each.arg for each in (*given.posonlyargs, *given.args, *rest) if each is not None)


def keyword_only_of(name: str) -> frozenset[str]:
    """The parameters that a function of the runtime takes by name only, which torch's stubs may not say."""
    defined = _definition(name)
    if not isinstance(defined, ast.FunctionDef):
        return frozenset()
    return frozenset(each.arg for each in defined.args.kwonlyargs)


def _definition(name: str) -> ast.ClassDef | ast.FunctionDef | None:
    if name not in nameable():
        return None
    home, last = home_of(name)
    return _defined_in(home.rpartition(".")[2]).get(last)


@cache
def _defined_in(part: str) -> dict[str, ast.ClassDef | ast.FunctionDef]:
    """The classes and functions that the modules of a part define; of a name that several do, the first."""
    found: dict[str, ast.ClassDef | ast.FunctionDef] = {}
    for file in sorted((_folder() / part).rglob("*.py")):
        for node in ast.parse(file.read_text("utf-8")).body:
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
                found.setdefault(node.name, node)
    return found


def communicates(name: str) -> bool:
    """Whether a name of the runtime is about several processes: it stands in the part for them."""
    part, dot, last = name.rpartition(".")
    return (f"{PACKAGE}.{part}" if dot else homes().get(last)) == COLLECTIVES


@cache
def runtime_members() -> dict[str, frozenset[str]]:
    """By class of the runtime: the public names that it defines or inherits from another of them, and what Python
    itself asks of objects, such as `__len__`."""
    found: dict[str, set[str]] = {}
    bases: dict[str, list[str]] = {}
    for file in sorted(_folder().rglob("*.py")):
        for node in ast.parse(file.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef):
                found.setdefault(node.name, set()).update(name for name in _defined(node) if _is_public(name))
                bases[node.name] = [_base(base) for base in node.bases]
    for name in list(found):
        waiting, seen = list(bases[name]), {name}
        while waiting:
            base = waiting.pop()
            if base in found and base not in seen:
                seen.add(base)
                found[name] |= found[base]
                waiting += bases[base]
    return {name: frozenset(members) for name, members in found.items()}


_PARTS_BY_PACKAGE = {
    "torch": ("operations", "random", "files", "tensor", "drawing", "autograd"),
    "torch.nn": ("layers", "module"),
    "torch.nn.functional": ("functional",),
    "torch.nn.init": ("init",),
    "torch.optim": ("optim",),
    "torch.optim.lr_scheduler": ("optim",),
    "torch.utils.data": ("data",),
    "torch.autograd": ("autograd",),
}
"""Where the runtime has what stands for the names of a package of torch."""
TENSOR = "tensor.Tensor"


def namesake(torch: str) -> str | None:
    """What the runtime has under the name of an API of torch, as an entry would say it."""
    package, _, last = torch.rpartition(".")
    if package == "torch.Tensor":
        return TENSOR if last in (members_of(TENSOR) or ()) else None
    homes_of_package = _PARTS_BY_PACKAGE.get(package, ())
    found = [f"{part}.{last}" for part in homes_of_package if f"{part}.{last}" in nameable()]
    if not found:
        return None
    return last if last in nameable() and package == "torch.utils.data" else found[0]


def members_of(name: str) -> frozenset[str] | None:
    """The members of a class of the runtime; None if the name is no class."""
    return runtime_members().get(name.rpartition(".")[2]) if sort_of(name) == "class" else None


def _is_public(name: str) -> bool:
    return name[0] != "_" or (name.startswith("__") and name.endswith("__"))


def _base(node: ast.expr) -> str:
    """What a class is derived from; of `Dataset[T]`, `Dataset`."""
    inner = node.value if isinstance(node, ast.Subscript) else node
    return inner.id if isinstance(inner, ast.Name) else getattr(inner, "attr", "")


def _defined(node: ast.ClassDef) -> Iterator[str]:
    """The names of a class: what its body binds, and what its methods give to `self`."""
    for part in ast.walk(node):
        if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield part.name
        elif isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store):
            yield part.attr
        elif isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
            yield part.target.id
    for statement in node.body:
        for target in statement.targets if isinstance(statement, ast.Assign) else ():
            yield from (each.id for each in ast.walk(target) if isinstance(each, ast.Name))
