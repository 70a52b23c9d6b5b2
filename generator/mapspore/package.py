"""The adapter's packages: which generated and hand-written modules each one offers to its importer.

Mappings and the adapter's folder go in, artifacts come out. A hand-written module that stands beside generated
ones is offered too, by what its `__all__` lists.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path

from mapspore.emit import emit, has_adapter, module_of
from mapspore.python_source import WIDTH, as_sorted
from mapspore.render import Artifact, environment
from mapspore.resolve import Registry
from mapspore.write import MARK


@dataclass(frozen=True, slots=True)
class PackageView:
    source: str
    title: str
    imports: tuple[str, ...]
    names: tuple[str, ...]


def adapter_artifacts(registry: Registry, root: Path) -> list[Artifact]:
    """A module per entry and an `__init__` per package, the packages above included."""
    mapped = [mapping for mapping in registry.mappings if has_adapter(mapping)]
    template = environment().get_template("code/module.py.j2")
    made: list[Artifact] = []
    offered: dict[str, list[tuple[str, str]]] = {"torchspore": []}
    for mapping in mapped:
        view = emit(mapping)
        text = template.render(
            module=view, mark=MARK, typing=", ".join(view.typing), doc=_doc(view.public.doc), qualified=mapping.name
        )
        made.append(Artifact(view.path, text))
        package = module_of(mapping.name)
        offered.setdefault(package, []).append((f"{package}._{view.name}", view.name))
        while "." in package:
            package = package.rpartition(".")[0]
            offered.setdefault(package, [])
    for package, modules in offered.items():
        children = [other.rpartition(".")[2] for other in sorted(offered) if other.rpartition(".")[0] == package]
        made.append(_package(package, modules, children, root))
    return made


def _doc(text: str) -> str:
    """The docstring's text, indented, with its end on a line of its own if it has several."""
    lines = text.split("\n")
    return "\n".join(
        [lines[0], *(f"    {line}" if line else "" for line in lines[1:]), *(["    "] if lines[1:] else [])]
    )


def _package(package: str, modules: list[tuple[str, str]], children: list[str], root: Path) -> Artifact:
    folder = f"adapter/{package.replace('.', '/')}"
    torch = "torch" + package.removeprefix("torchspore")
    offers = {path: [name] for path, name in modules}
    generated = {name for _, name in modules}
    for path, names in _hand_written(root / folder, package):
        offers[path] = [name for name in names if name not in generated]
    if children:
        offers[package] = children
    view = PackageView(
        source=f"mappings/{torch.replace('.', '/')}/",
        title=f"{torch} on MindSpore: `import {package}` in place of `import {torch}`.",
        imports=tuple(line for path in sorted(offers) for line in _import(path, offers[path])),
        names=tuple(sorted({name for names in offers.values() for name in names}, key=as_sorted)),
    )
    text = environment().get_template("code/package.py.j2").render(package=view, mark=MARK)
    return Artifact(f"{folder}/__init__.py", text)


def _hand_written(folder: Path, package: str) -> list[tuple[str, list[str]]]:
    found = []
    for file in sorted(folder.glob("_[a-z]*.py")):
        text = file.read_text("utf-8")
        if MARK not in text.split("\n", 1)[0]:
            found.append((f"{package}.{file.stem}", _listed(text)))
    return [(path, names) for path, names in found if names]


def _listed(text: str) -> list[str]:
    """The names in a module's `__all__`, read without importing it."""
    for node in ast.parse(text).body:
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "__all__" for t in node.targets):
            return [str(name) for name in ast.literal_eval(node.value)]
    return []


def _import(path: str, names: list[str]) -> list[str]:
    ordered = sorted(names, key=as_sorted)
    line = f"from {path} import {', '.join(ordered)}"
    if len(line) <= WIDTH:
        return [line]
    return [f"from {path} import (", *(f"    {name}," for name in ordered), ")"]
