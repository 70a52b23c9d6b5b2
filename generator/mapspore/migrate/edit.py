"""Edit: a file's text and its `Plan` go in, the new text comes out, by libcst, so that the rest stays as it is."""

from __future__ import annotations

import re
from typing import Any, TypeVar

import libcst as cst
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider

from mapspore.migrate.calls import Inexact, rewritten
from mapspore.migrate.plan import Note, Plan, Site, Span

T = TypeVar("T", bound=cst.CSTNode)
PACKAGE = "torchspore"


class Unsound(Exception):
    """libcst cannot read the file, or the plan does not fit it."""


class Entangled(Exception):
    """An import brings what moves and what stays, with comments in between that belong to one or the other."""


def edit(text: str, plan: Plan) -> tuple[str, set[Span]]:
    """The new text, and the calls that could not be rewritten after all."""
    try:
        wrapper = MetadataWrapper(cst.parse_module(text), unsafe_skip_copy=True)
        editor = _Editor(plan, wrapper.resolve(PositionProvider))
        edited = wrapper.module.visit(editor)
    except (cst.ParserSyntaxError, cst.CSTValidationError, RecursionError) as problem:
        raise Unsound from problem
    return edited.code, editor.failed


class _Editor(cst.CSTTransformer):
    def __init__(self, plan: Plan, places: Any) -> None:
        super().__init__()
        self.plan = plan
        self.places = places
        self.failed: set[Span] = set()
        self.open: list[tuple[cst.CSTNode, list[Note]]] = []
        self.behind: dict[cst.CSTNode, list[str]] = {}
        self.replaced = 0

    def on_visit(self, node: cst.CSTNode) -> bool:
        if _bears_comments(node):
            self.open.append((node, []))
        elif isinstance(node, (cst.Attribute, cst.Name)) and self.plan.notes:
            notes = self.plan.notes.get(self.span(node))
            if notes and self.open:
                known = self.open[-1][1]
                known.extend(note for note in notes if note not in known)
        return True

    def on_leave(self, original: Any, updated: Any) -> Any:
        if isinstance(original, cst.Name):
            return self.name(original, updated)
        if isinstance(original, cst.Call):
            return self.call(original, updated)
        if isinstance(original, cst.Import):
            return updated.with_changes(
                names=[self.alias(o, u) for o, u in zip(original.names, updated.names, strict=True)]
            )
        if isinstance(original, cst.ImportFrom):
            return self.import_from(original, updated)
        if _bears_comments(original):
            _, notes = self.open.pop()
            if notes:
                updated = self.commented(updated, notes)
            if isinstance(original, cst.SimpleStatementLine):
                return self.line(original, updated)
        return updated

    # Where things stand.

    def span(self, node: cst.CSTNode) -> Span:
        place: CodeRange = self.places[node]
        return (place.start.line, place.start.column + 1, place.end.line, place.end.column + 1)

    def site(self, node: cst.CSTNode) -> Site:
        place: CodeRange = self.places[node]
        return (place.start.line, place.start.column)

    # Names and calls.

    def name(self, original: cst.Name, updated: cst.Name) -> cst.Name:
        if self.plan.heads and original.value == "torch":
            line, column = self.site(original)
            if (line, column + 1) in self.plan.heads:
                return updated.with_changes(value=PACKAGE)
        return updated

    def call(self, original: cst.Call, updated: cst.Call) -> cst.Call:
        rewrite = self.plan.rewrites.get(self.span(original.func)) if self.plan.rewrites else None
        if rewrite is None:
            return updated
        try:
            return rewritten(updated, rewrite)
        except Inexact:
            self.failed.add(self.span(original.func))
            return updated

    # Imports.

    def alias(self, original: cst.ImportAlias, updated: cst.ImportAlias) -> cst.ImportAlias:
        site = self.site(original)
        if site in self.plan.renamed:
            return updated.with_changes(name=cst.Name(PACKAGE), asname=cst.AsName(cst.Name("torch")))
        if site in self.plan.moved:
            return updated.with_changes(name=_dotted(self.plan.moved[site]))
        return updated

    def import_from(self, original: cst.ImportFrom, updated: cst.ImportFrom) -> cst.ImportFrom:
        if isinstance(original.names, cst.ImportStar):
            return updated
        moved = [self.site(alias) in self.plan.moved for alias in original.names]
        if not all(moved) or updated.module is None:
            return updated
        return updated.with_changes(module=_with_head(updated.module))

    def line(self, original: cst.SimpleStatementLine, updated: cst.SimpleStatementLine) -> Any:
        """A line of statements: some of its imports may move to lines of their own behind it."""
        behind: list[str] = []
        for at, statement in enumerate(original.body):
            if isinstance(statement, cst.Import):
                for alias in statement.names:
                    behind += [f"import {module}" for module in self.plan.added.get(self.site(alias), ())]
            if isinstance(statement, cst.ImportFrom) and not isinstance(statement.names, cst.ImportStar):
                for alias in statement.names:
                    behind += [f"import {module}" for module in self.plan.added.get(self.site(alias), ())]
                moved = [alias for alias in statement.names if self.site(alias) in self.plan.moved]
                if moved and len(moved) < len(statement.names):
                    updated, taken = _split(updated, at, [alias in moved for alias in statement.names])
                    behind.insert(0, taken)
        if not behind:
            return updated
        made = [cst.parse_statement(line) for line in dict.fromkeys(behind)]
        return cst.FlattenSentinel([updated, *made])

    def commented(self, node: Any, notes: list[Note]) -> Any:
        lines = list(node.leading_lines)
        there = [line.comment.value for line in lines if line.comment is not None]
        for note in notes:  # one that an earlier run left, in whichever language, stays
            if not any(text.startswith(f"{_mark(note)}:") for text in there):
                lines.append(cst.EmptyLine(comment=cst.Comment(f"{_mark(note)}: {' '.join(note.text.split())}")))
        return node.with_changes(leading_lines=lines)


def _bears_comments(node: cst.CSTNode) -> bool:
    """Whether comments above it belong to it; those above a decorator belong to what is decorated."""
    return hasattr(node, "leading_lines") and not isinstance(node, cst.Decorator)


def _mark(note: Note) -> str:
    return f"# mapspore[{note.code}] {note.torch}"


def _dotted(path: str) -> Any:
    return cst.parse_expression(path)


def _with_head(module: Any) -> Any:
    """`torch.distributed` as `torchspore.distributed`, with whatever stands between its parts."""
    if isinstance(module, cst.Attribute):
        return module.with_changes(value=_with_head(module.value))
    return module.with_changes(value=PACKAGE)


def _split(line: cst.SimpleStatementLine, at: int, moved: list[bool]) -> tuple[cst.SimpleStatementLine, str]:
    """The line without the names that move, and the statement that imports those."""
    statement = cst.ensure_type(line.body[at], cst.ImportFrom)
    names = list(statement.names)  # type: ignore[arg-type]
    if "#" in cst.Module([]).code_for_node(statement):
        raise Entangled
    stay = [alias for alias, moves in zip(names, moved, strict=True) if not moves]
    stay[-1] = stay[-1].with_changes(comma=names[-1].comma)
    module = cst.Module([]).code_for_node(_with_head(statement.module))
    taken = ", ".join(
        cst.Module([]).code_for_node(alias.with_changes(comma=cst.MaybeSentinel.DEFAULT))
        for alias, moves in zip(names, moved, strict=True)
        if moves
    )
    body = [*line.body[:at], statement.with_changes(names=stay), *line.body[at + 1 :]]
    return line.with_changes(body=body), f"from {module} import {taken}"


def without_spare(text: str, plan: Plan) -> str:
    """Imports at the top that nothing uses any more are taken away: whole statements, and none with a comment."""
    spare = {name for name in plan.spare.values() if len(re.findall(rf"(?<![.\w]){re.escape(name)}\b", text)) == 1}
    if not spare:
        return text
    module = cst.parse_module(text)
    body: list[Any] = []
    blank: list[cst.EmptyLine] = []
    for statement in module.body:
        if isinstance(statement, cst.SimpleStatementLine) and _only(statement, spare):
            blank += statement.leading_lines
            continue
        body.append(statement.with_changes(leading_lines=[*blank, *statement.leading_lines]) if blank else statement)
        blank = []
    return module.with_changes(body=body).code


def _only(line: cst.SimpleStatementLine, spare: set[str]) -> bool:
    """Whether a line only imports from torch, binds nothing but spare names and bears no comment."""
    statement = line.body[0]
    if len(line.body) > 1 or line.trailing_whitespace.comment or any(each.comment for each in line.leading_lines):
        return False
    if not isinstance(statement, (cst.Import, cst.ImportFrom)) or isinstance(statement.names, cst.ImportStar):
        return False
    module = statement.module if isinstance(statement, cst.ImportFrom) else statement.names[0].name
    while isinstance(module, cst.Attribute):
        module = module.value  # type: ignore[assignment]
    if not (isinstance(module, cst.Name) and module.value == "torch"):
        return False
    bound = [alias.asname.name if alias.asname else alias.name for alias in statement.names]
    return all(isinstance(name, cst.Name) and name.value in spare for name in bound)
