"""Mutated entries: whatever goes in, nothing but diagnostics comes out, and nothing is written elsewhere.

Entries of the registry and of the cases are damaged as text and as data. An entry that survives all checks
must then render everywhere without a fault.
"""

from __future__ import annotations

import ast
import io
import json
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mapspore import pipeline
from mapspore.base.diagnostics import Diagnostic
from mapspore.check.report import as_github, as_json, as_text
from mapspore.check.sarif import as_sarif
from mapspore.cli.main import main
from mapspore.entry.load import read
from mapspore.entry.repair import repair
from mapspore.pages.official import render_page
from mapspore.pipeline import Loaded, load_registry
from mapspore.view.entry_view import as_data
from mapspore.view.prepare import entry_view, registry_view
from mapspore.write.generated import artifacts

HOME = Path(__file__).resolve().parents[2]
SEEDS = sorted([*(HOME / "mappings").rglob("*.yaml"), *(HOME / "tests" / "check" / "cases").rglob("*.yaml")])
TOKENS = [
    "\t", "\r\n", "\n", "\n\n", "\x00", "\x1b[2J", "\ufeff", "\u2028", "\u202e", "😀", "汉", "，", ",", ":", ": ",
    "- ", "-", "? ", "{", "}", "[", "]", "{}", "[]", "&a ", "*a", "<<: ", "!!python/name:os.system ", "!x ", "---\n",
    "...\n", "%YAML 9\n",
    "#", " # x", "|\n", ">\n", "'", '"', "`", "\\", '"\\u0000"', "~", "null", "true", "1.10", "0x1f", ".inf", "9" * 40,
    "../../etc", "<script>", "{{ 7*7 }}", "{% x %}", "$(x)", '"""', "lambda", "torch.abs", "mindspore.mint.abs",
    "en: ", "zh: ",
    "from: ", "by: ", "value: ", "forms:\n", "handle", "out", "input", "unsupported", "into", "a" * 500,
]  # fmt: skip
SCALARS: st.SearchStrategy[Any] = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.sampled_from(TOKENS), st.text(max_size=12),
    st.sampled_from(["torch.std", "torch.nn.Linear", "mindspore.ops.std", "mindspore.nn.Adam", "tensor", "group", "dst",
                     "consistent", "renamed", "group_name", "join", "root_rank", "gathered", "M202", "result"]),
)  # fmt: skip
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)  # fmt: skip
BOUNDED = settings(
    max_examples=300, derandomize=True, deadline=None, database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)  # fmt: skip


@st.composite
def damaged_text(draw: st.DrawFn) -> bytes:
    """An entry with pieces cut out, doubled, moved or put in."""
    text = draw(st.sampled_from(SEEDS)).read_bytes()
    for _ in range(draw(st.integers(1, 5))):
        at = draw(st.integers(0, len(text)))
        end = min(len(text), at + draw(st.integers(0, 40)))
        kind = draw(st.sampled_from(["cut", "double", "put", "byte", "move"]))
        piece = text[at:end]
        if kind == "cut":
            text = text[:at] + text[end:]
        elif kind == "double":
            text = text[:end] + piece + text[end:]
        elif kind == "put":
            text = text[:at] + draw(st.sampled_from(TOKENS)).encode() + text[at:]
        elif kind == "byte":
            text = text[:at] + draw(st.binary(min_size=1, max_size=2)) + text[at + 1 :]
        else:
            rest = text[:at] + text[end:]
            to = draw(st.integers(0, len(rest)))
            text = rest[:to] + piece + rest[to:]
    return text


def _spots(node: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path]
    inner = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in inner:
        found += _spots(value, (*path, key))
    return found


@cache
def _sound() -> list[str]:
    """The data of all entries that have some, read once."""
    found = (read(seed, "x")[0].data for seed in SEEDS)
    return [json.dumps(data) for data in found if isinstance(data, dict)]


@st.composite
def damaged_data(draw: st.DrawFn) -> bytes:
    """An entry with values replaced, removed, renamed, copied or added."""
    data = json.loads(draw(st.sampled_from(_sound())))
    for _ in range(draw(st.integers(1, 3))):
        spots = [spot for spot in _spots(data) if spot]
        if not spots:
            break
        *path, last = draw(st.sampled_from(spots))
        node = data
        for step in path:
            node = node[step]
        kind = draw(st.sampled_from(["replace", "remove", "rename", "copy", "add"]))
        if kind == "replace":
            node[last] = draw(VALUES)
        elif kind == "remove":
            del node[last]
        elif kind == "copy":
            *other, end = draw(st.sampled_from(spots))
            value = data
            for step in (*other, end):
                value = value[step]
            node[last] = json.loads(json.dumps(value))
        elif isinstance(node, dict):
            keys = [spot[-1] for spot in spots if isinstance(spot[-1], str)]
            name = draw(st.one_of(st.sampled_from(keys), st.sampled_from(TOKENS)))
            node[name] = node.pop(last) if kind == "rename" else draw(VALUES)
    return yaml.safe_dump(data, allow_unicode=True, sort_keys=False).encode()


@cache
def _facts() -> Any:
    return load_facts(HOME)


load_facts = pipeline.load_facts


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[bytes], Path]:
    """A registry of one entry, beside things that must stay as they are."""
    monkeypatch.setattr(pipeline, "load_facts", lambda root: _facts())  # the real ones, read once
    (tmp_path / "beside").mkdir()
    (tmp_path / "beside" / "precious.py").write_text("x = 1\n")

    def make(content: bytes) -> Path:
        root = tmp_path / "registry"
        name = "abs"
        for line in content.split(b"\n"):
            if line.startswith(b"torch: torch.") and line[13:].replace(b".", b"").replace(b"_", b"").isalnum():
                name = line[13:].decode().replace(".", "/")
                break
        file = root / "mappings" / "torch" / f"{name[:100]}.yaml"
        for old in root.rglob("*.yaml"):
            old.unlink()
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
        return root

    return make


def _report_everything(loaded: Loaded) -> None:
    diagnostics: list[Diagnostic] = loaded.diagnostics
    for language in ("en", "zh"):
        for line in as_text(diagnostics, loaded.sources, language):
            assert "\n" not in line and "\x1b" not in line
        assert all("\n" not in line for line in as_github(diagnostics, language))
        json.loads(as_sarif(diagnostics, language))
    json.loads(as_json(diagnostics, loaded.checked))


def _render_everything(loaded: Loaded, root: Path) -> None:
    json.dumps(as_data(registry_view(loaded.registry)))
    for artifact in artifacts(loaded.registry, root):
        assert artifact.path.startswith(("adapter/torchspore/", "mappings/entry.schema.json"))
        assert ".." not in artifact.path
        if artifact.path.endswith(".py"):
            ast.parse(artifact.text)
    for mapping in loaded.registry.mappings:
        for language in ("en", "zh"):
            render_page(entry_view(mapping, loaded.registry), language)


def _examine(content: bytes, root: Path) -> None:
    loaded = load_registry(root)
    _report_everything(loaded)
    for source in loaded.sources:
        file = root / source.path
        fixed = repair(file, source.path)
        if fixed.text is not None:
            file.write_text(fixed.text, "utf-8", newline="")
            again = repair(file, source.path)
            assert again.text is None and again.left == fixed.left
            file.write_bytes(content)
    if not loaded.errors:
        _render_everything(loaded, root)


@BOUNDED
@given(content=damaged_text())
def test_damaged_text(content: bytes, place: Callable[[bytes], Path]) -> None:
    _examine(content, place(content))


@BOUNDED
@given(content=damaged_data())
def test_damaged_data(content: bytes, place: Callable[[bytes], Path]) -> None:
    root = place(content)
    _examine(content, root)
    for source in load_registry(root).sources:  # most are not in canonical form, which hides what follows
        fixed = repair(root / source.path, source.path)
        if fixed.text is not None:
            _examine(fixed.text.encode(), place(fixed.text.encode()))


def _with_texts(node: Any, texts: dict[str, str]) -> Any:
    if isinstance(node, dict):
        return {key: texts[key] if key in texts else _with_texts(value, texts) for key, value in node.items()}
    return [_with_texts(item, texts) for item in node] if isinstance(node, list) else node


WRITTEN = st.lists(
    st.one_of(st.sampled_from(TOKENS), st.text(st.characters(codec="utf-8"), max_size=5)), min_size=1, max_size=8
).map("".join)


@BOUNDED
@given(seed=st.sampled_from([seed for seed in SEEDS if HOME / "mappings" in seed.parents]), en=WRITTEN, zh=WRITTEN)
def test_any_text(seed: Path, en: str, zh: str, place: Callable[[bytes], Path]) -> None:
    """Whatever a sentence consists of, it is either complained about or shown everywhere as it is."""
    data = json.loads(json.dumps(read(seed, "x")[0].data))
    content = yaml.safe_dump(_with_texts(data, {"en": en, "zh": f"汉{zh}"}), allow_unicode=True, sort_keys=False)
    root = place(content.encode())
    (file,) = root.rglob("*.yaml")
    fixed = repair(file, file.relative_to(root).as_posix())
    if fixed.text is not None:
        file.write_text(fixed.text, "utf-8", newline="")
    _examine(file.read_bytes(), root)
    loaded = load_registry(root)
    if not loaded.errors:
        (answer,) = as_data(registry_view(loaded.registry))["entries"]
        assert answer["summary"] == {"en": en, "zh": f"汉{zh}"}


@settings(BOUNDED, max_examples=60)
@given(content=st.one_of(damaged_text(), damaged_data()))
def test_nothing_is_written_outside_the_output_folders(
    content: bytes, place: Callable[[bytes], Path], tree: Callable[[Path], dict[str, str]]
) -> None:
    root = place(content)
    above = root.parent
    before = tree(above)
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        codes = [main([*command, "--root", str(root)]) for command in (["fix"], ["check"], ["generate"])]
    assert set(codes) <= {0, 1}
    after = tree(above)
    changed = {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}
    owned = ("registry/mappings/", "registry/adapter/torchspore/")
    assert all(path.startswith(owned) for path in changed), changed
    if codes[1] == 1:
        assert all(path.startswith("registry/mappings/torch") for path in changed), (
            "errors, and yet something is written"
        )
