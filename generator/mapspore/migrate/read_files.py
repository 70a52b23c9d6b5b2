"""Read the files for their data flows. Files, their content and what `scan` found go in; out come the flows, and the
texts that can be edited.

Files that do not speak of torch are read too: values pass through them. Each syntax tree is let go of when its file has
been read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from mapspore.migrate.flow_statements import read_flow
from mapspore.migrate.flows import FileFlow, Flows, Hindrance
from mapspore.scan.codes import FILE_CODES, UNPARSED
from mapspore.scan.exports import ExportTable
from mapspore.scan.file_uses import FileUses
from mapspore.scan.files import File, Problem, decode
from mapspore.scan.notebook import NotANotebook, read_notebook
from mapspore.scan.ruleset import Ruleset
from mapspore.scan.scan_file import Result, found_in, parsed, unread


class Read(NamedTuple):
    """All files as they were read."""

    flows: Flows
    texts: dict[str, str]
    """By path: the texts that can be edited."""
    raw: dict[str, bytes]


def read_flows(
    files: list[File], contents: Mapping[str, bytes | Problem], results: dict[str, Result], rules: Ruleset, mixing: bool
) -> Read:
    """The flows of all files. A file that turns out to be too deep gets a new result."""
    read = Read(Flows(rules, files, mixing), {}, {})
    packages = frozenset(file.module.partition(".")[0] for file in files) - {""}
    table = ExportTable(files)
    table.add((file, results[file.path]) for file in files if file.path in results)
    if not any(_speaks(result) for result in results.values()):
        return read
    for file in files:
        raw = contents[file.path]
        text = decode(raw, file.shown) if isinstance(raw, bytes) else raw
        result = results.get(file.path)
        if isinstance(text, Problem) or (result and any(row[0] in FILE_CODES for row in result.problems)):
            continue
        assert isinstance(raw, bytes)
        notebook = file.shown.endswith(".ipynb")
        try:
            text = read_notebook(text).text if notebook else text
            tree = parsed(text)
            linked = table.linked(result.takes) if result is not None else {}
            found = found_in(tree, text, file, rules, packages, linked) if result is not None else _nothing()
            flow = read.flows.files[file.path] = FileFlow(file, found, rules)
            read_flow(tree, read.flows, flow)
        except NotANotebook:
            continue
        except (SyntaxError, ValueError, RecursionError, MemoryError):  # a worker had more room
            read.flows.files.pop(file.path, None)
            results[file.path] = unread(Problem(UNPARSED, file.shown))
            continue
        flow.forget()
        _hold_back(read.flows, flow, notebook)
        if not notebook and result is not None and (_speaks(result) or found.imports or found.uses):
            read.texts[file.path], read.raw[file.path] = text, raw
    return read


def _speaks(result: Result) -> bool:
    return bool(result.uses or result.unknown or result.imports or result.exports)


def _nothing() -> FileUses:
    """What is found in a file that has nothing to do with torch."""
    return FileUses([], {}, [], [], [], [], frozenset(), [], {}, [])


def _hold_back(flows: Flows, flow: FileFlow, notebook: bool) -> None:
    """What keeps uses of a file with torch, whatever they are."""
    path = flow.file.path
    for name, line in flow.found.patched_by_name.items():  # something takes the place of an API, by a text
        cell = flows.cells.new()
        flows.hindrances.append(Hindrance(cell, path, line, 1, name, "replaced"))
        flows.shared.append((path, cell))
    if notebook:
        for number, use in enumerate(flow.found.uses):
            known = flow.cells[number]
            if known is not None:
                flows.hindrances.append(Hindrance(known, path, use.line, use.column, use.path, "notebook"))
