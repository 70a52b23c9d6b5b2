"""Edit: a file's text and its `Plan` go in, the new text comes out, by libcst, so that the rest stays as it is."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import libcst as cst
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider

from mapspore.migrate.plan import Note, Plan, Span
from mapspore.migrate.rewrite_call import Inexact, rewritten
from mapspore.scan.file_uses import Site

_Line = cst.SimpleStatementLine | cst.SimpleStatementSuite
PACKAGE = "torchspore"


class Unsound(Exception):
    """libcst cannot read the file, or the plan does not fit it."""


class Entangled(Exception):
    """An import brings what moves and what stays, with comments in between that belong to one or the other."""


def edit(text: str, plan: Plan) -> tuple[str, dict[Span, str]]:
    """The new text, and the calls that could not be rewritten after all, each with the reason."""
    try:
        module = cst.parse_module(text)
        if module.code != text:  # libcst itself would change something else, such as a form feed in an indentation
            raise Unsound
        wrapper = MetadataWrapper(module, unsafe_skip_copy=True)
        editor = _Editor(plan, wrapper.resolve(PositionProvider))
        edited = wrapper.module.visit(editor)
    except (cst.ParserSyntaxError, cst.CSTValidationError, RecursionError) as problem:
        raise Unsound from problem
    if not editor.done >= plan.moved.keys() | plan.renamed | plan.heads:
        raise Unsound
    missed = plan.rewrites.keys() - editor.done - editor.failed.keys()
    unwritten = plan.dtypes.keys() - editor.done
    remaining = plan.constants - editor.done
    return edited.code, {
        **dict.fromkeys(missed, "uncertain"),
        **dict.fromkeys(unwritten, "dtype"),
        **dict.fromkeys(remaining, "indirect"),
        **editor.failed,
    }


class _Editor(cst.CSTTransformer):
    def __init__(self, plan: Plan, places: Any) -> None:
        super().__init__()
        self.plan = plan
        self.places = places
        self.done: set[Site | Span] = set()
        """What of the plan has been carried out."""
        self.failed: dict[Span, str] = {}
        self.torches: dict[cst.CSTNode, Site] = {}
        """`torch` at the head of a dotted name, with the place where that begins."""
        self.open: list[tuple[cst.CSTNode, list[Note]]] = []
        self.printed = 0
        """How many `{…=}` of f-strings are open, which print their own text."""

    def on_visit(self, node: cst.CSTNode) -> bool:
        if _bears_comments(node):
            self.open.append((node, []))
        elif isinstance(node, cst.FormattedStringExpression):
            self.printed += node.equal is not None
        elif isinstance(node, (cst.Attribute, cst.Name)):
            self.mark(node)
        return True

    def mark(self, node: cst.Attribute | cst.Name) -> None:
        """Remember what the plan has for a dotted name."""
        if self.plan.notes:
            notes = self.plan.notes.get(self.span(node))
            if notes and self.open:
                known = self.open[-1][1]
                known.extend(note for note in notes if note not in known)
        if self.plan.heads and isinstance(node, cst.Attribute):
            place = self.span(node)[:2]
            if place in self.plan.heads:
                head: cst.CSTNode = node
                while isinstance(head, cst.Attribute):
                    head = head.value
                self.torches.setdefault(head, place)

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
        if isinstance(original, cst.FormattedStringExpression):
            self.printed -= original.equal is not None
        if _bears_comments(original):
            _, notes = self.open.pop()
            if notes:
                updated = self.commented(updated, notes)
        if isinstance(original, (cst.SimpleStatementLine, cst.SimpleStatementSuite)):
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
        place = self.torches.get(original)
        if place is None or original.value != "torch":
            return updated
        self.done.add(place)
        return updated.with_changes(value=PACKAGE)

    def call(self, original: cst.Call, updated: cst.Call) -> cst.Call:
        span = self.span(original.func)
        rewrite = self.plan.rewrites.get(span) if self.plan.rewrites else None
        if rewrite is None:
            return updated
        if self.printed:
            self.failed[span] = "printed"
            return updated
        arguments = [self.argument(*pair, rewrite.dtypes) for pair in zip(original.args, updated.args, strict=True)]
        if None in arguments:
            self.failed[span] = "dtype"
            return updated
        try:
            made = rewritten(updated.with_changes(args=arguments), rewrite)
        except Inexact:
            self.failed[span] = "uncertain"
            return updated
        self.done.add(span)
        if self.plan.constants:
            self.done.update(self.taken(original, made))
        return made

    def taken(self, original: cst.Call, made: cst.Call) -> Iterator[Span]:
        """The constants among the arguments that the new call has in another form."""
        written = {_code(argument.value) for argument in made.args}
        for argument in original.args:
            span = self.span(argument.value)
            if span in self.plan.constants and _code(argument.value) not in written:
                yield span

    def argument(self, original: cst.Arg, updated: cst.Arg, takes: tuple[str, ...]) -> cst.Arg | None:
        """The argument with MindSpore's dtype in place of torch's; None if that cannot be written."""
        dtypes = self.plan.dtypes
        if not dtypes:
            return updated
        found = dtypes.get(self.span(original.value))
        if found is None:
            return None if any(self.span(name) in dtypes for name in _names(original.value)) else updated
        if takes and found.removeprefix("mindspore.").rstrip("_") not in takes:
            return None
        self.done.add(self.span(original.value))
        return updated.with_changes(value=_dotted(found))

    # Imports.

    def alias(self, original: cst.ImportAlias, updated: cst.ImportAlias) -> cst.ImportAlias:
        site = self.site(original)
        self.done.add(site)
        if site in self.plan.renamed:
            return updated.with_changes(name=cst.Name(PACKAGE), asname=cst.AsName(cst.Name("torch")))
        if site in self.plan.moved:
            return updated.with_changes(name=_dotted(self.plan.moved[site]))
        return updated

    def import_from(self, original: cst.ImportFrom, updated: cst.ImportFrom) -> cst.ImportFrom:
        if isinstance(original.names, cst.ImportStar):
            return updated
        moved = [self.site(alias) in self.plan.moved for alias in original.names]
        self.done.update(self.site(alias) for alias in original.names)
        if not all(moved) or updated.module is None:
            return updated
        return updated.with_changes(module=_with_head(updated.module))

    def line(self, original: _Line, updated: _Line) -> Any:
        """Statements in a line: what its imports bring besides gets lines of its own behind it, or stands right behind
        the import if the line goes on."""
        rows: list[tuple[cst.BaseSmallStatement, list[str]]] = []
        for old, new in zip(original.body, updated.body, strict=True):
            behind: list[str] = []
            if isinstance(old, (cst.Import, cst.ImportFrom)) and not isinstance(old.names, cst.ImportStar):
                moved = [self.site(alias) in self.plan.moved for alias in old.names]
                if isinstance(new, cst.ImportFrom) and any(moved) and not all(moved):
                    new, taken = _split(new, moved)
                    behind.append(taken)
                for alias in old.names:
                    behind += [f"import {module}" for module in self.plan.added.get(self.site(alias), ())]
            rows.append((new, list(dict.fromkeys(behind))))
        if not any(behind for _, behind in rows):
            return updated
        if len(rows) == 1 and isinstance(updated, cst.SimpleStatementLine):
            ((new, behind),) = rows
            lines = [cst.parse_statement(line) for line in behind]
            return cst.FlattenSentinel([updated.with_changes(body=[new]), *lines])
        return updated.with_changes(body=[each for row in rows for each in _in_a_row(*row)])

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


def _names(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The dotted names in an expression, apart from those in calls, which have arguments of their own."""
    if isinstance(node, (cst.Attribute, cst.Name)):
        yield node
    if not isinstance(node, cst.Call):
        for child in node.children:
            yield from _names(child)


def _code(node: cst.CSTNode) -> str:
    return cst.Module([]).code_for_node(node)


def _mark(note: Note) -> str:
    return f"# mapspore[{note.code}] {note.torch}"


def _dotted(path: str) -> Any:
    return cst.parse_expression(path)


def _with_head(module: Any) -> Any:
    """`torch.distributed` as `torchspore.distributed`, with whatever stands between its parts."""
    if isinstance(module, cst.Attribute):
        return module.with_changes(value=_with_head(module.value))
    return module.with_changes(value=PACKAGE)


def _in_a_row(statement: cst.BaseSmallStatement, behind: list[str]) -> list[cst.BaseSmallStatement]:
    """The statement and those behind it, in one line."""
    if not behind:
        return [statement]
    between = cst.Semicolon(whitespace_after=cst.SimpleWhitespace(" "))
    small = [cst.ensure_type(cst.parse_statement(line), cst.SimpleStatementLine).body[0] for line in behind]
    row = [statement, *small]
    last = row[-1].with_changes(semicolon=statement.semicolon)
    return [*(each.with_changes(semicolon=between) for each in row[:-1]), last]


def _split(statement: cst.ImportFrom, moved: list[bool]) -> tuple[cst.ImportFrom, str]:
    """The import without the names that move, and the statement that imports those."""
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
    return statement.with_changes(names=stay), f"from {module} import {taken}"


def without_spare(text: str, plan: Plan) -> str:
    """Imports at the top that nothing uses any more are taken away: whole statements, and none with a comment."""
    mentioned = Counter(re.findall(r"(?<![.\w])\w+", text))
    spare = {name for name in plan.spare.values() if mentioned[name] == 1}
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
    if "#" in cst.Module([]).code_for_node(statement):
        return False
    module = statement.module if isinstance(statement, cst.ImportFrom) else statement.names[0].name
    while isinstance(module, cst.Attribute):
        module = module.value  # type: ignore[assignment]
    if not (isinstance(module, cst.Name) and module.value == "torch"):
        return False
    bound = [alias.asname.name if alias.asname else alias.name for alias in statement.names]
    return all(isinstance(name, cst.Name) and name.value in spare for name in bound)
