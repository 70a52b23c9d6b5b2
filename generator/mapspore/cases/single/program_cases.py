"""Cases that are small programs. In: a program for torch, written beside an entry, in which a line `# case: name`
begins each case, and `# error: name` one that torch refuses; what stands before the first is the beginning of all. Out:
cases as data, each a program that leaves what it found in `result`, with the names of torch that it uses. It runs
nothing.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from mapspore.cases.single.case_builder import Case
from mapspore.cases.single.plan import CallPlan
from mapspore.entry.load import CASES

PROGRAM, PROGRAM_ERROR = "program", "program_error"
RESULT = "result"
_HEAD = re.compile(r"^# (?P<kind>case|error): (?P<name>[a-z0-9][a-z0-9 -]*)$")
_MEANT = re.compile(r"^# ?(case|error)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ProgramCase:
    """One case of a file: where it begins, what it is called, and its program."""

    line: int
    name: str
    fails: bool
    text: str

    @property
    def has_result(self) -> bool:
        """Whether it says what is compared; one that torch refuses has nothing to say."""
        bound = (node.id for node in ast.walk(ast.parse(self.text)) if isinstance(node, ast.Name) and _is_set(node))
        return self.fails or RESULT in bound


def _is_set(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Store)


def mistaken_heads(text: str) -> list[int]:
    """The lines, counted from one, that are meant to begin a case and do not."""
    lines = enumerate(text.split("\n"), start=1)
    return [number for number, line in lines if _MEANT.match(line) and not _HEAD.match(line)]


def program_cases(text: str) -> list[ProgramCase]:
    """The cases of a file. Lines keep their numbers, so that an error tells its place."""
    lines = text.split("\n")
    heads = [(number, found) for number, line in enumerate(lines) if (found := _HEAD.match(line))]
    if not heads:
        return []
    ends = [*(number for number, _ in heads[1:]), len(lines)]
    beginning = lines[: heads[0][0]]
    cases = []
    for (start, head), end in zip(heads, ends, strict=True):
        between = [""] * (start - len(beginning))
        own = "\n".join([*beginning, *between, *lines[start:end]])
        cases.append(ProgramCase(start + 1, head["name"], head["kind"] == "error", own.rstrip() + "\n"))
    return cases


def of_programs(plan: CallPlan) -> Iterator[Case]:
    """A case per program."""
    for case in program_cases(plan.programs[CASES]):
        names = dict.fromkeys((plan.name, *torch_names(case.text)))
        yield {
            "id": f"{plan.name}/{case.name.replace(' ', '-')}",
            "kind": PROGRAM_ERROR if case.fails else PROGRAM,
            "signature": 0,
            "given": {},
            "calls": [{"api": name, "args": [], "kwargs": {}} for name in names],
            "text": case.text,
            "quick": True,
        }


def torch_names(text: str) -> list[str]:
    """The names of torch that a program uses, in full, as far as imports tell."""
    tree = ast.parse(text)
    known: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            known |= {each.asname or each.name.partition(".")[0]: _bound(each) for each in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            known |= {each.asname or each.name: f"{node.module}.{each.name}" for each in node.names}
    return sorted({name for node in ast.walk(tree) if (name := _full(node, known)).startswith("torch.")})


def _bound(imported: ast.alias) -> str:
    return imported.name if imported.asname else imported.name.partition(".")[0]


def _full(node: ast.AST, known: dict[str, str]) -> str:
    if isinstance(node, ast.Name):
        return known.get(node.id, "")
    if isinstance(node, ast.Attribute) and (owner := _full(node.value, known)):
        return f"{owner}.{node.attr}"
    return ""
