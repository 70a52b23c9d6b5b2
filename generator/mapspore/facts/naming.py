"""What can be told of a name that is no public API: the name and a framework's modules go in; its `Status` and the
sentence about it come out.

Needs no snapshot, so that a look-up can ask. Whether a name is public is the snapshot's to say.
"""

from collections.abc import Mapping
from typing import Literal

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


def unlisted(name: str, modules: Modules) -> tuple[tuple[str, str], tuple[str, str]] | None:
    """Sentence and next step about a name that no snapshot lists, in English and in Chinese; nothing for a name that is
    not there at all."""
    module = name.partition(".")[0]
    framework = FRAMEWORKS.get(module)
    status = status_of_unlisted(name, modules) if framework else "absent"
    if status == "private":
        return (
            (
                f"`{name}` is a private name of {framework}; the facts list public names only.",
                "A private name may change in any release; look for the public API that does the same.",
            ),
            (
                f"`{name}` 是 {framework} 的私有名称，事实快照只收录公开名称。",
                "私有名称随时可能变动，请查找功能相同的公开 API。",
            ),
        )
    if status == "module":
        return (
            (f"`{name}` is a module of {framework}, not an API.", "Name an API in it."),
            (f"`{name}` 是 {framework} 的模块，不是 API。", "请写出其中的某个 API。"),
        )
    if status == "uncovered":
        file, command = f"`facts/extract/{module}_names.py`", f"`mapspore facts extract {module}`"
        covering = module_of(name, modules)
        return (
            (
                f"The facts do not cover the module `{covering}`, so nothing is known of `{name}`.",
                f"To cover it, add it to `MODULES` in {file} and run {command}.",
            ),
            (
                f"事实快照未收录模块 `{covering}`，无从得知 `{name}`。",
                f"如需收录，请将其加入 {file} 的 `MODULES`，再运行 {command}。",
            ),
        )
    return None
