"""The adapter's packages: which generated and hand-written modules each one offers to its importer.

Mappings and the adapter's folder go in, artifacts come out. A hand-written module that stands beside generated
ones is offered too, by what its `__all__` lists, and `_choice` in every package. Subpackages, and at the top
everything, are imported when they are asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from mapspore.adapter.module import MEMBERS, emit, module_of
from mapspore.adapter.python_source import WIDTH, as_sorted, imports, repr_
from mapspore.base.artifact import MARK, Artifact
from mapspore.resolve.registry import Registry
from mapspore.text.templates import environment
from mapspore.words.runtime import listed

LAZY = "lazy_attributes"
"""The function that makes a package's `__getattr__`; it is none of the names that a package offers."""


@dataclass(frozen=True, slots=True)
class PackageView:
    source: str
    title: str
    imports: tuple[str, ...]
    names: tuple[str, ...]
    lazy: tuple[str, ...]
    """Names that are imported when they are asked for, each with its home, as items of a dict."""
    typed: tuple[str, ...]
    """The imports of the same names, for those who check types."""


TOP = "torchspore"
CHOICE = f"{TOP}._choice"
OF_TENSORS = module_of("torch.Tensor.abs")
"""The package that the runtime's class of tensors takes its further methods from, of which there may be none."""
RUNTIME = "adapter/torchspore/_runtime"


def adapter_artifacts(registry: Registry, root: Path) -> list[Artifact]:
    """A module per entry and an `__init__` per package, the packages above included."""
    mapped = [mapping for mapping in registry.mappings if mapping.has_adapter]
    made: list[Artifact] = []
    offered: dict[str, list[tuple[str, str]]] = {TOP: []}
    if (root / RUNTIME).is_dir():
        offered[OF_TENSORS] = []
    for mapping in mapped:
        if mapping.is_runtime_member:
            continue  # it comes with its class
        view = emit(mapping)
        text = environment().get_template(view.template).render(module=view, mark=MARK)
        made.append(Artifact(view.path, text))
        home = f"{module_of(mapping.name)}._{view.name}"
        for name in mapping.offered_names:
            package, last = module_of(name), name.rpartition(".")[2]
            offered.setdefault(package, []).append((home, view.name if last == view.name else f"{view.name} as {last}"))
            while "." in package:
                package = package.rpartition(".")[0]
                offered.setdefault(package, [])
    for package, modules in offered.items():
        children = [other.rpartition(".")[2] for other in sorted(offered) if other.rpartition(".")[0] == package]
        children = [child for child in children if not child.endswith(MEMBERS)]
        source = package
        while source != TOP and not any(module_of(mapping.name).startswith(source) for mapping in mapped):
            source = source.rpartition(".")[0]  # it only holds further names of what stands elsewhere
        made.append(_package(package, modules, children, root, source))
    return made


def _package(package: str, modules: list[tuple[str, str]], children: list[str], root: Path, source: str) -> Artifact:
    folder = f"adapter/{package.replace('.', '/')}"
    torch = _torch_name(package)
    now: dict[str, list[str]] = {}
    for path, name in modules:
        now.setdefault(path, []).append(name)
    generated = {name for _, name in modules}
    for path, names in _hand_written(root / folder, package):
        if path not in now:  # what stands where a generated module belongs is about to be replaced
            now[path] = [name for name in names if name not in generated]
    choice = root / "adapter" / f"{CHOICE.replace('.', '/')}.py"
    if modules and choice.exists() and not package.endswith(MEMBERS):
        now[CHOICE] = listed(choice)
    then = {package: children} if children else {}
    if package == TOP or package.endswith(MEMBERS):
        now, then = {}, {**now, **then}
    homes = {_called(name): _home(path, name) for path, names in then.items() for name in names}
    homes.update({name: f"{package}.{name}" for name in children})
    now[f"{TOP}._lazy"] = [LAZY]
    typing = ("from typing import TYPE_CHECKING", "") if homes else ()
    known = [_called(name) for names in (*now.values(), *then.values()) for name in names if name != LAZY]
    title = f"{torch} on MindSpore: `import {package}` in place of `import {torch}`."
    view = PackageView(
        source=f"mappings/{_torch_name(source).replace('.', '/')}/",
        title=title if len(title) <= WIDTH and not package.endswith(MEMBERS) else f"{torch} on MindSpore.",
        imports=(*typing, *imports(now)),
        names=tuple(sorted(set(known), key=as_sorted)),
        lazy=tuple(f"{repr_(name)}: {repr_(homes[name])}" for name in sorted(homes, key=as_sorted)),
        typed=tuple(imports(then)),
    )
    text = environment().get_template("code/package.py.j2").render(package=view, mark=MARK)
    return Artifact(f"{folder}/__init__.py", text)


def _torch_name(package: str) -> str:
    """What of torch a package stands for: a module, or a class whose members it holds."""
    _, *parts = package.split(".")
    named = (part.removeprefix("_").removesuffix(MEMBERS) if part.endswith(MEMBERS) else part for part in parts)
    return ".".join(["torch", *named])


def _home(path: str, name: str) -> str:
    """Where a name is found: in a module, after a colon by what it is called there if that is another name."""
    own, _, other = name.partition(" as ")
    return f"{path}:{own}" if other else path


def _called(name: str) -> str:
    """What `name` or `name as other` is called."""
    return name.rpartition(" ")[2]


def _hand_written(folder: Path, package: str) -> list[tuple[str, list[str]]]:
    found = []
    for file in sorted(folder.glob("_[a-z]*.py")):
        text = file.read_text("utf-8")
        if MARK not in text.split("\n", 1)[0]:
            found.append((f"{package}.{file.stem}", listed(file)))
    return [(path, names) for path, names in found if names]
