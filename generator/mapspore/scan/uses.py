"""The names that are in reach while a file is read, and the uses of torch through them, as they are found.

The innermost part of the analysis: scopes go in, `Use`s come out, each with what its call meets.
"""

from __future__ import annotations

import ast
from array import array
from bisect import bisect_left
from typing import Any

from mapspore.scan.codes import KIND_CODES
from mapspore.scan.file_uses import Import, Linked, Site, Use
from mapspore.scan.judge_call import Judged, Taken, judge, only_always
from mapspore.scan.ruleset import KnownApi, Ruleset
from mapspore.scan.scopes import Scope
from mapspore.scan.values import Instance, Member, Own, Ref, Value
from mapspore.words.kinds import Kind

TENSOR = "torch.Tensor"
OURS = frozenset({"mindspore", "torchspore"})
"""Names that rewritten code needs for itself."""
BEHAVES = KIND_CODES[Kind.BEHAVIOUR]
_NOTHING_MET = Judged(-1, [], [], [], [])


class Uses:
    """One file while it is read: its scopes, and what was found so far."""

    def __init__(
        self, lines: list[str], rules: Ruleset, module: str, package: bool, packages: frozenset[str],
        linked: Linked,
    ) -> None:  # fmt: skip
        self.columns = _Columns(lines)
        self.rules = rules
        self.module = module
        self.package = package
        self.packages = packages
        self.linked = linked
        self.top = Scope()
        self.env: tuple[Scope, ...] = (self.top,)
        self.scope: Scope = self.top
        self.wild: dict[str, None] = {}
        """Modules of torch whose names `import *` brings."""
        self.stars: dict[str, None] = {}
        """Scanned modules whose names `import *` brings."""
        self.starred: dict[str, Ref] = {}
        """What of torch those bring, by name."""
        self.by_module = _by_module(linked)
        self.waiting: list[tuple[Any, tuple[Scope, ...], Own | None]] = []
        self.uses: list[Use] = []
        self.nodes: list[ast.AST] = []
        """Where in the syntax tree each of them stands."""
        self.takes: dict[str, None] = {}
        self.imports: list[Import] = []
        self.escapes: list[tuple[Site, int, int]] = []
        self.twins: list[tuple[Site, Site]] = []
        self.elsewhere: dict[str, Scope] = {}
        """Names that `global` or `nonlocal` binds in another scope than the current one."""
        self.own: Own | None = None
        self.quoted = False
        """Whether an annotation in quotes is read, of which nothing is rewritten."""
        self.patched: set[str] = set()
        """APIs that the file puts something else in the place of."""
        self.patched_by_name: dict[str, int] = {}
        """Those of them that are named by a text, which nothing rewrites, with the line."""
        self.rebound: set[Site] = set()
        """Imports whose name another function puts something else in the place of."""
        self.strangers = False
        """Whether an `import *` from somewhere else may bring any name."""
        self.bound: set[str] = set()

    def look_up(self, name: str) -> Value:
        for scope in self.env:
            if name in scope:
                return scope[name]
        for module in self.wild:
            path = f"{module}.{name}"
            if path in self.rules.known or path in self.rules.names or path in self.rules.modules:
                return Ref(path, None, not self.strangers)
        return self.starred.get(name)

    def dotted(self, node: ast.expr) -> str:
        """The name in torch that a dotted name surely stands for, or an empty text; nothing counts as a use."""
        behind = ""
        while type(node) is ast.Attribute:
            behind = f".{node.attr}{behind}"
            node = node.value
        value = self.look_up(node.id) if type(node) is ast.Name else None
        if type(value) is not Ref or not value.sure:
            return ""
        path = value.path + behind
        if path == "torch" or path.startswith("torch."):
            return path
        found, _, sure = self.across(path)
        return found if sure else ""

    def instance(self, declared: Value) -> Value:
        """What an annotation says of a value."""
        if type(declared) is Ref:
            api = self.rules.api(declared.path)
            if api is not None and not api.rest and self.rules.known.get(api.path, [""])[0] == "class":
                return Instance(api.path)
        return None

    def record(self, node: Any, value: Ref, call: ast.Call | None, taken: Taken) -> Value:
        """A use through a name: what it is, and what its call meets and gives."""
        if value.assigned and call is None:
            return value
        path, via, sure = value.path, "", value.sure
        if not (path.startswith("torch.") or path == "torch"):
            self.takes[path] = None
            path, via, known = self.across(path)
            if not path:
                return None if call is not None else value
            sure = sure and known
        site = None if self.quoted else value.site
        api = self.rules.api(path)
        if api is None:
            if call is None and site is not None:
                self.escapes.append((site, node.lineno, node.col_offset + 1))
            return Ref(path, site, sure) if call is None else None
        self.use(node, api, call, taken, sure, site, via, False)
        if call is None:
            return Ref(path, site, sure)
        gives = self.rules.gives(path if api.rest else api.path)
        return Instance(gives) if gives else None

    def across(self, path: str) -> tuple[str, str, bool]:
        """What another scanned module means by a name, which module that is, and whether it is sure."""
        linked = self.linked
        if linked:
            prefix, rest = path, ""
            while prefix:
                found = linked.get(prefix)
                if found is not None:
                    return found[0] + rest, found[1], found[2]
                prefix, _, last = prefix.rpartition(".")
                rest = f".{last}{rest}"
        return "", "", False

    def use(
        self, node: Any, api: KnownApi, call: ast.Call | None, taken: Taken, sure: bool, site: tuple[int, int] | None,
        via: str, inferred: bool,
    ) -> None:  # fmt: skip
        rule = api.rule
        confidence = "likely" if inferred or not sure else "certain"
        called = call is not None and not api.rest
        judged = _NOTHING_MET
        if rule is not None:
            if called:
                assert call is not None
                judged = judge(call, rule, taken, self.dotted)
            else:
                judged = _referred(rule, api.rest)
        line, column = node.lineno, node.col_offset
        end_line, end = node.end_lineno, node.end_col_offset
        if inferred:  # a method stands where its name stands: chains go over many lines
            line, column = end_line, end - len(node.attr.encode())
        self.nodes.append(node)
        column = self.columns.characters(line, column)
        end = self.columns.characters(end_line, end)
        self.uses.append(
            Use(
                line, column + 1, end_line, end + 1, api.path, api.name if rule is not None else "", api.rest,
                judged.form, judged.met, judged.open, judged.refused, judged.simple, called, confidence, site, via,
            )
        )  # fmt: skip

    def of_instance(self, node: Any, value: Value, call: ast.Call | None, taken: Taken = "whole") -> Value:
        """A method or property of something made by torch."""
        if type(value) is not Member:
            return value
        api = self.rules.member(value.of, value.name)
        if api is None:
            return None
        self.use(node, api, call, taken, False, None, "", True)
        gives = self.rules.gives(api.path)
        if call is not None:
            return Instance(gives) if gives else None
        return Instance(TENSOR) if value.of == TENSOR and value.name in ("T", "mT", "data", "grad", "real") else None

    def subclassed(self, use: Use) -> Use:
        """A base class: what the subclass overrides may have another name in MindSpore, and would be passed over."""
        rule = self.rules.rules.get(use.rule)
        if rule is None or use.called or rule["kind"] != "class" or rule["runtime"]:
            return use
        return use._replace(open=["class"])


def _referred(rule: dict[str, Any], rest: str) -> Judged:
    """A function that is named without being called can be called in any way; a class or a constant just is."""
    if rest or not rule["forms"]:
        return _NOTHING_MET
    checks = rule["forms"][0]["checks"] or ()
    always, more = only_always(checks)
    if rule["kind"] != "function":  # what a class does differently may concern a subclass or an instance
        return Judged(0, [(at, "possible") for at in always if checks[at]["code"] == BEHAVES], [], [], [])
    return Judged(0, [(at, "certain") for at in always], ["()"] if more else [], [], [])


def _by_module(linked: Linked) -> dict[str, list[str]]:
    """The names of each scanned module that stand for something of torch."""
    found: dict[str, list[str]] = {}
    for path in linked:
        module, _, name = path.rpartition(".")
        found.setdefault(module, []).append(name)
    return found


class _Columns:
    """Columns in characters, where Python's parser counts bytes; of a line, everything is worked out once."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._number = 0
        self._inner = array("I")
        """Where bytes of the last line stand that do not begin a character."""

    def characters(self, number: int, offset: int) -> int:
        line = self._lines[number - 1]
        if line.isascii():
            return offset
        if number != self._number:
            self._number = number
            self._inner = array("I", (at for at, byte in enumerate(line.encode("utf-8")) if byte & 0xC0 == 0x80))
        return offset - bisect_left(self._inner, offset)
