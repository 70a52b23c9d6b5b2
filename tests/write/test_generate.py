"""Generated files: committed and up to date, the same bytes everywhere, and faithful to torch's signatures."""

from __future__ import annotations

import ast
import json
import os
import random
import re
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from mapspore.adapter.module import module_path
from mapspore.adapter.python_source import LINE
from mapspore.base.artifact import MARK
from mapspore.cli.main import main
from mapspore.entry import load
from mapspore.facts.defaults import is_literal
from mapspore.facts.snapshot import Parameter
from mapspore.pages.official import official_pages, render_page
from mapspore.pipeline import load_registry
from mapspore.resolve.overloads import needed_forms
from mapspore.text.phrases import LANGUAGES
from mapspore.view.entry_view import as_data
from mapspore.view.prepare import entry_view, registry_view
from mapspore.words.kinds import GENERAL_PARAMETERS
from mapspore.words.runtime import members_of, parameters_of
from mapspore.write.generated import artifacts

ROOT = Path(__file__).parents[2]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A copy of the registry to change at will."""
    shutil.copytree(ROOT / "mappings", tmp_path / "mappings")
    return tmp_path


def tree(folder: Path) -> dict[str, bytes]:
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_what_is_committed_is_up_to_date(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["generate", "--check", "--root", str(ROOT)])
    assert code == 0, capsys.readouterr().out


def test_generate_writes_once_and_then_nothing(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["generate", "--root", str(root)]) == 0
    first = {path: path.stat().st_mtime_ns for path in root.rglob("*") if path.is_file()}
    assert main(["generate", "--root", str(root)]) == 0
    assert {path: path.stat().st_mtime_ns for path in root.rglob("*") if path.is_file()} == first
    assert "0 written, 0 removed" in capsys.readouterr().out
    assert not list(root.rglob(".mapspore-*"))


@pytest.mark.processes
@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONHASHSEED": "1", "TZ": "Asia/Shanghai", "LC_ALL": "C"},
        {"PYTHONHASHSEED": "4242", "TZ": "America/New_York", "LC_ALL": "C.UTF-8", "LANG": "zh_CN.UTF-8"},
    ],
)
def test_the_same_bytes_anywhere(root: Path, environment: dict[str, str]) -> None:
    main(["generate", "--root", str(root)])
    here = tree(root)
    for what in ("json", "csv", "pages"):
        main(["export", what, "--root", str(root), "--output", str(root / "out" / what)])
    exported = tree(root / "out")
    shutil.rmtree(root / "adapter")
    shutil.rmtree(root / "out")
    (root / "mappings" / "entry.schema.json").unlink()
    run = [sys.executable, "-m", "mapspore"]
    options = {"env": {**os.environ, **environment}, "check": True, "capture_output": True}
    subprocess.run([*run, "generate", "--root", str(root)], **options)  # type: ignore[call-overload]
    assert tree(root) == here
    for what in ("json", "csv", "pages"):
        arguments = ["export", what, "--root", str(root), "--output", str(root / "out" / what)]
        subprocess.run([*run, *arguments], **options)  # type: ignore[call-overload]
    assert tree(root / "out") == exported


def test_the_same_bytes_in_any_file_order(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    registry = load_registry(root).registry
    expected = [*artifacts(registry, root), *official_pages(registry_view(registry))]
    walk = os.walk

    def shuffled(*args: object, **kwargs: object):  # type: ignore[no-untyped-def]
        for folder, folders, names in walk(*args, **kwargs):  # type: ignore[call-overload]
            random.Random(7).shuffle(folders)
            random.Random(8).shuffle(names)
            yield folder, folders, names

    monkeypatch.setattr(load.os, "walk", shuffled)
    registry = load_registry(root).registry
    assert [*artifacts(registry, root), *official_pages(registry_view(registry))] == expected


def test_with_an_error_nothing_is_written(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    entry = root / "mappings/torch/distributed/gather.yaml"
    entry.write_text(entry.read_text("utf-8").replace("absent:", "absnt:"), "utf-8")
    before = tree(root)
    assert main(["generate", "--root", str(root)]) == 1
    assert "did you mean `absent`" in capsys.readouterr().err
    assert tree(root) == before


def test_a_removed_entry_takes_its_module_along_and_nothing_else(root: Path) -> None:
    main(["generate", "--root", str(root)])
    mine = root / "adapter/torchspore/distributed/_mine.py"
    mine.write_text("x = 1\n", "utf-8")
    (root / "mappings/torch/distributed/gather.yaml").unlink()
    for example in (root / "mappings/torch/distributed").glob("gather.*.py"):
        example.unlink()
    module = root / "adapter/torchspore/distributed/_gather.py"
    assert module.exists()
    assert main(["generate", "--check", "--root", str(root)]) == 1
    assert main(["generate", "--root", str(root)]) == 0
    assert not module.exists()
    assert mine.exists()
    assert "gather import gather" not in (root / "adapter/torchspore/distributed/__init__.py").read_text(
        "utf-8"
    ).replace("all_gather import all_gather", "")


def test_diff_shows_what_would_change(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["generate", "--root", str(root)])
    entry = root / "mappings/torch/distributed/all_gather.yaml"
    entry.write_text(entry.read_text("utf-8").replace("by: at_least_1d", "by: join"), "utf-8")
    capsys.readouterr()
    assert main(["generate", "--diff", "--root", str(root)]) == 1
    shown = capsys.readouterr().out
    assert "-        tensor=at_least_1d(whole(tensor))," in shown
    assert "+        tensor=join(whole(tensor))," in shown


def test_every_entry_has_its_adapter_with_torchs_signature() -> None:
    registry = load_registry(ROOT).registry
    assert len(registry.mappings) >= 5
    for mapping in registry.mappings:
        assert mapping.has_adapter, mapping.name
        if mapping.is_runtime_member:  # it comes with its class
            own, last = members_of(mapping.entry.runtime or "") or (), mapping.name.rpartition(".")[2]
            assert last in own or f"mindspore.Tensor.{last}" in registry.mindspore, mapping.name
            continue
        text = (ROOT / module_path(mapping.name)).read_text("utf-8")
        assert MARK in text.split("\n", 1)[0]
        told = f"# {MARK} from {mapping.source.path}; do not edit."
        assert text.split("\n", 1)[0] == (told if len(told) <= LINE else f"# {MARK}; do not edit.")
        name = mapping.name.rpartition(".")[2]
        assert mapping.api is not None
        if mapping.api.kind not in ("function", "method", "property"):
            offered = {alias.asname or alias.name for alias in _imported(text)} | _classes(text) | _constants(text)
            assert name in offered, mapping.name
            continue
        bindings = mapping.counterparts[0].bindings if mapping.counterparts and mapping.entry.runtime is None else ()
        needed = needed_forms([each.torch for each in bindings], [(each.treatment,) for each in bindings])
        forms = [form.parameters for form in mapping.api.forms[:1]] or [()]  # a property takes the object only
        stated = [bindings[at].torch.parameters for at in needed] or forms
        functions = [n for n in ast.parse(text).body if isinstance(n, ast.FunctionDef) and n.name == name]
        assert ast.get_docstring(functions[-1])
        runtime = mapping.entry.runtime
        if runtime is not None and functions[-1].args.vararg and functions[-1].args.kwarg:
            # it takes calls by torch's forms, or as they are where the function behind it has torch's parameters
            wanted = [[p.name for p in form.parameters] for form in mapping.api.forms]
            of_method = ["self"] if mapping.api.kind == "method" else []  # which the facts of most methods leave out
            wanted += [[*of_method, *(name for name in names if name != "self")] for names in wanted]
            taken = _slots(text) or [[p for p in parameters_of(runtime) or () if p in wanted[0]]]
            assert all(each in wanted for each in taken), mapping.name
            continue
        for function, parameters in zip(functions, stated, strict=False):  # the last one takes all of the forms
            own = (
                []
                if (parameters and parameters[0].name == "self") or mapping.api.kind == "function"
                else [("self", None)]
            )
            assert _declared(function) == [*own, *((p.name, _spelled(p)) for p in parameters)], mapping.name
            assert function.returns is not None


def _slots(text: str) -> list[list[str]]:
    """Of a module whose function looks its call up among forms: by form, the names of the parameters."""
    forms = [n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Call) and ast.unparse(n.func) == "Form"]
    return [[ast.literal_eval(slot.args[0]) for slot in form.args if isinstance(slot, ast.Call)] for form in forms]


def _declared(function: ast.FunctionDef) -> list[tuple[str, str | None]]:
    """The parameters of a function, each with its default."""
    given = function.args
    placed = [*given.posonlyargs, *given.args]
    plain = [None] * (len(placed) - len(given.defaults)) + [ast.unparse(default) for default in given.defaults]
    by_name = [ast.unparse(default) if default else None for default in given.kw_defaults]
    rest = [(given.vararg.arg, None)] if given.vararg else []
    names = [*placed, *given.kwonlyargs]
    assert all(argument.annotation is not None for argument in names)
    pairs = list(zip((argument.arg for argument in names), [*plain, *by_name], strict=True))
    by_any_name = [(given.kwarg.arg, None)] if given.kwarg else []
    return [*pairs[: len(placed)], *rest, *pairs[len(placed) :], *by_any_name]


def _spelled(parameter: Parameter) -> str | None:
    """torch's default. A name that only torch has is `None` where that means the same: for the group, which is None
    when torch is imported, and for what functions have in common, such as `layout`; elsewhere there is some default."""
    default = parameter.default
    if default is None or default.startswith("ReduceOp."):
        return default
    if is_literal(default):
        return repr(ast.literal_eval(default))
    return "None" if default == "GroupMember.WORLD" or parameter.name in GENERAL_PARAMETERS else "..."


def _imported(text: str) -> list[ast.alias]:
    return [alias for node in ast.parse(text).body if isinstance(node, ast.ImportFrom) for alias in node.names]


def _classes(text: str) -> set[str]:
    body = ast.parse(text).body
    named = {node.target.id for node in body if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)}
    return named | {node.name for node in body if isinstance(node, ast.ClassDef)}


def _constants(text: str) -> set[str]:
    """The names that a module gives a value, each with the docstring right behind it."""
    body = ast.parse(text).body
    return {
        target.id
        for node, behind in pairwise(body)
        if isinstance(node, ast.Assign) and isinstance(behind, ast.Expr) and isinstance(behind.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def test_generated_files_name_no_machine_and_no_date() -> None:
    for artifact in artifacts(load_registry(ROOT).registry, ROOT):
        assert str(ROOT) not in artifact.text
        assert not re.search(rf"(?<!\w){re.escape(os.path.expanduser('~'))}/", artifact.text)


@pytest.mark.parametrize(
    ("entry", "said", "instead"),
    [
        ("gather", "space: global", "space: group"),
        ("all_gather", "by: split_per_rank", "by: into"),
        ("barrier", "device_ids: no_effect", "device_ids: unsupported"),
    ],
)
def test_one_word_changes_everything_that_follows_from_it(root: Path, entry: str, said: str, instead: str) -> None:
    """The adapter, the page in both languages, and the data that tools read."""

    def derived() -> list[str]:
        registry = load_registry(root).registry
        mapping = registry.by_name[f"torch.distributed.{entry}"]
        (module,) = (a.text for a in artifacts(registry, root) if a.path == module_path(mapping.name))
        view = entry_view(mapping, registry)
        return [module, *(render_page(view, language) for language in LANGUAGES), json.dumps(as_data(view))]

    path = root / f"mappings/torch/distributed/{entry}.yaml"
    before, text = derived(), path.read_text("utf-8")
    assert said in text
    path.write_text(text.replace(said, instead), "utf-8")
    assert all(one != other for one, other in zip(before, derived(), strict=True))
