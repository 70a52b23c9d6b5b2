"""What can be told of a name that is no public API: the name and a framework's modules go in; its `Status` and the
refusal of it come out.

Needs no snapshot, so that a look-up can ask. Whether a name is public is the snapshot's to say.
"""

from collections.abc import Mapping
from typing import Literal

from mapspore.base.diagnostics import Refusal

Status = Literal["public", "module", "private", "uncovered", "absent"]
"""What the facts know of a name: an API, another name of one or a member of a class; a module; a name with a leading
underscore, of which the facts hold none; something in a module that the facts do not cover; nothing, although the facts
cover its place: no such name, or a misspelt one."""

FRAMEWORKS = {"torch": "torch", "mindspore": "MindSpore"}
"""By package: what a sentence calls the framework."""

Modules = Mapping[str, bool]
"""By the full name of every public module of a framework: whether the facts cover it."""


def status_of_unlisted(name: str, modules: Modules) -> Status:
    """What a name that no snapshot lists is."""
    if name in modules:
        return "module"
    if is_private(name):
        return "private"
    module = module_of(name, modules)
    return "absent" if modules.get(module, True) else "uncovered"


def module_of(name: str, modules: Modules) -> str:
    """The innermost module that a name lies in, or an empty text."""
    while name and name not in modules:
        name = name.rpartition(".")[0]
    return name


def is_private(name: str) -> bool:
    """Whether a name, or what it lies in, has a leading underscore; names like `__init__` are Python's own."""
    return any(part.startswith("_") and not is_special(part) for part in name.split("."))


def is_special(part: str) -> bool:
    """Whether a name is one of Python's own, such as `__init__`."""
    return part.startswith("__") and part.endswith("__")


def unlisted(name: str, modules: Modules) -> Refusal | None:
    """What to say of a name that no snapshot lists; nothing of one that is not there at all."""
    package = name.partition(".")[0]
    framework = FRAMEWORKS.get(package)
    status = status_of_unlisted(name, modules) if framework else "absent"
    if status == "absent":
        return None
    module = module_of(name, modules)
    return Refusal("C205", status, name=name, framework=framework, module=module, package=package)
