"""Files that no contributor should write, and some will: each yields diagnostics, and `generate` writes nothing."""

from __future__ import annotations

import ast
import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
Make = Callable[..., Path]
Tree = Callable[[Path], dict[str, str]]
PATH = "mappings/torch/abs.yaml"
ABS = """# yaml-language-server: $schema=../entry.schema.json
torch: torch.abs
summary:
  en: The absolute value of each element.
  zh: 逐元素取绝对值。
targets:
  - mindspore: mindspore.mint.abs
"""


def _bomb(levels: int) -> str:
    lines = ['a0: &a0 ["x", "x"]']
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, levels)]
    return "\n".join(lines)


BAD: dict[str, tuple[str | bytes, set[str]]] = {
    "prose": ("An entry, surely: {", {"M008"}),
    "binary": (bytes(range(256)), {"M003"}),
    "empty": ("", {"M009"}),
    "blank": (" \n\n  \n", {"M009"}),
    "a number": ("42\n", {"M101"}),
    "a list": ("- torch: torch.abs\n", {"M101"}),
    "a list inside": (ABS.replace("  en: ", "  - ").replace("  zh: ", "  - "), {"M101"}),
    "10 MB": (ABS + "# " + "x" * 10_000_000, {"M002"}),
    "10 MB of brackets": ("[" * 10_000_000, {"M002"}),
    "deep lists": ("[" * 100_000, {"M011"}),
    "deep mappings": ("{a: " * 50_000, {"M011"}),
    "deep indentation": ("".join(f"{' ' * n}a:\n" for n in range(400)), {"M011"}),
    "deep in a text": (ABS.replace("en: The", "en: " + "[" * 1000), {"M011"}),
    "alias bomb": (_bomb(12), {"M104"}),
    "alias of itself": ("a: &a [*a]\n", {"M104"}),
    "alias of nothing": ("a: *nothing\n", {"M104", "M008"}),
    "python object": ("!!python/object/apply:os.system ['touch never']\n", {"M105"}),
    "python name": (ABS.replace("torch.abs", "!!python/name:os.system"), {"M105"}),
    "local tag": ("!<tag:example.org,2000:x> {a: 1}\n", {"M105"}),
    "yaml directive": ("%YAML 1.1\n---\n" + ABS, {"M701"}),
    "tag directive": ("%TAG ! tag:example.org,2000:\n---\n!x {}\n", {"M105"}),
    "not utf-8": (ABS.encode().replace(b"The", b"\xc3\x28"), {"M003"}),
    "utf-16": (ABS.encode("utf-16"), {"M003"}),
    "latin-1": (ABS.replace("The", "Thé").encode("latin-1", "ignore"), {"M003"}),
    "surrogates": (b"torch: \xed\xa0\x80\n", {"M003"}),
    "byte order mark": ("\ufeff" + ABS, {"M004"}),
    "byte order mark inside": (ABS.replace("The", "T\ufeffhe"), {"M004"}),
    "tabs": (ABS.replace("  ", "\t"), {"M006"}),
    "CRLF": (ABS.replace("\n", "\r\n"), {"M007"}),
    "CR": (ABS.replace("\n", "\r"), {"M007"}),
    "NUL": (ABS.replace("The", "T\x00he"), {"M005"}),
    "NUL escaped": (ABS.replace("The absolute value of each element.", '"T\\0he"'), {"M005"}),
    "escape sequences": (ABS.replace("The", "\x1b]0;x\x07"), {"M005"}),
    "escaped escape sequences": (ABS.replace("The absolute value of each element.", '"\\e[31mred\\e[0m"'), {"M005"}),
    "next line": (ABS.replace("The", "T\x85he"), {"M005"}),
    "right to left": (ABS.replace("The", "T\u202ehe"), {"M005"}),
    "two documents": (ABS + "---\n" + ABS, {"M010"}),
    "complex key": ("? {a: 1}\n: b\n", {"M108"}),
    "numbers as keys": (ABS + "1: 2\n1.0: 3\nnull: 4\n", {"M102"}),
    "merge key": (ABS + "<<: {note: x}\n", {"M104"}),
    "duplicate": (ABS + 'related: []\n"related": []\n', {"M103"}),
    "duplicate in braces": (ABS.replace("mindspore: mindspore.mint.abs", "{mindspore: a, mindspore: b}"), {"M103"}),
    "path as a name": (ABS.replace("torch.abs", '"../../../etc/passwd"'), {"M305"}),
    "path in a name": (ABS.replace("torch.abs", "torch/../../../x"), {"M305"}),
    "dots": (ABS.replace("torch: torch.abs", 'torch: "..."'), {"M305"}),
    "quote in a name": (ABS.replace("torch: torch.abs", "torch: 'torch.abs\"); import os; (\"'"), {"M305"}),
    "newline in a name": (ABS.replace("torch: torch.abs", 'torch: "torch.abs\\nimport os"'), {"M305"}),
    "newline after a name": (ABS.replace("torch: torch.abs", 'torch: "torch.abs\\n"'), {"M305"}),
    "backtick in a name": (ABS.replace("torch: torch.abs", 'torch: "torch.`abs`"'), {"M305"}),
    "fullwidth letters in a name": (ABS.replace("torch: torch.abs", "torch: torch.ａbs"), {"M305"}),
    "no name": (ABS.replace("torch: torch.abs", 'torch: ""'), {"M305"}),
    "huge name": (ABS.replace("torch: torch.abs", "torch: torch." + "a" * 100_000), {"M302"}),
    "keyword as a name": (ABS.replace("torch: torch.abs", "torch: torch.lambda"), {"M302"}),
    "odd target": (ABS.replace("mindspore.mint.abs", '"mindspore.mint.abs; import os"'), {"M305"}),
    "odd successor": (ABS + '    successor: "os.system(1)"\n', {"M305"}),
    "odd alias": (ABS.replace("summary", 'aliases: ["../x", "torch.abs"]\nsummary', 1), {"M305"}),
    "odd related": (ABS + 'related: ["javascript:alert(1)"]\n', {"M305"}),
    "odd source": (ABS + 'source: "javascript:alert(1)"\n', {"M608"}),
    "huge number": (ABS + "related: [" + "9" * 5000 + "]\n", {"M109", "M305"}),
    "infinite number": (ABS + "related: [.inf, .nan, 1e999]\n", {"M305"}),
    "infinite value": (ABS + "    arguments: {input: {value: 1e999}}\n", {"M401"}),
    "octal, sexagesimal, date": (ABS + "related: [0o17, 1:30, 2001-01-01]\n", {"M305"}),
    "odd value": (ABS + "    arguments: {input: {value: [1, 2]}}\n", {"M101"}),
    "odd option": (ABS + "    arguments: {input: {from: input, by: {item: {index: {a: b}}}}}\n", {"M502"}),
    "option that is a list": (ABS + "    arguments: {input: {from: input, by: {root_rank: {space: [a]}}}}\n", {"M502"}),
    "word that is a list": (ABS + "    arguments: {input: {from: input, by: [[join]]}}\n", {"M101"}),
    "word that is empty": (ABS + "    arguments: {input: {from: input, by: {}}}\n", {"M101"}),
    "everything twice": (ABS + "    absent: {input: unsupported}\n    leave_default: [input, input]\n", {"M405"}),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file(name: str, registry: Make, mapspore: Run, tree: Tree) -> None:
    content, codes = BAD[name]
    root = registry({PATH: content})
    before = tree(root.parent)
    started = time.process_time()
    result = mapspore("check", "--root", root, "--format", "json")
    assert time.process_time() - started < 5
    assert (result.code, result.err) == (1, "")
    problems = json.loads(result.out)["problems"]
    assert codes & {problem["code"] for problem in problems}, problems
    assert all(len(problem["sentence"][language]) < 1000 for problem in problems for language in ("en", "zh"))
    for language in ("en", "zh"):
        text = mapspore("check", "--root", root, "--lang", language)
        assert text.code == 1 and text.err == ""
        assert all(line.isprintable() or "　" in line for line in text.out.splitlines())
    for arguments in (("generate",), ("generate", "--check"), ("generate", "--diff"), ("show", "torch.abs")):
        refused = mapspore(*arguments, "--root", root)
        assert refused.code == 1 and "Traceback" not in refused.err
    assert tree(root.parent) == before
    fixed = mapspore("fix", "--root", root)
    assert fixed.code in (0, 1) and fixed.err == ""
    assert set(tree(root.parent)) == set(before)


def test_nothing_is_written_for_one_bad_file_among_good_ones(
    registry: Make, mapspore: Run, tree: Tree, many: Callable[..., dict[str, str]]
) -> None:
    root = registry(many())
    assert mapspore("generate", "--root", root).code == 0
    registry({**many(" now"), "mappings/torch/zeta.yaml": "["})
    before = tree(root)
    result = mapspore("generate", "--root", root)
    assert result.code == 1
    assert "zeta.yaml:2:1: error[M008]" in result.err
    assert tree(root) == before


@pytest.mark.parametrize("kind", ["pipe", "directory", "link to nowhere", "link to itself", "device"])
def test_what_is_no_ordinary_file(kind: str, registry: Make, mapspore: Run) -> None:
    root = registry({"mappings/torch/acos.yaml": ABS.replace("abs", "acos").replace("acosolute", "absolute")})
    path = root / PATH
    {
        "pipe": lambda: os.mkfifo(path),
        "directory": path.mkdir,
        "link to nowhere": lambda: path.symlink_to("nowhere"),
        "link to itself": lambda: path.symlink_to(path.name),
        "device": lambda: path.symlink_to("/dev/zero"),
    }[kind]()
    result = mapspore("check", "--root", root)
    if kind == "directory":  # a folder may be called anything; this one holds no entries
        assert result.code == 0
    else:
        assert result.code == 1 and "abs.yaml:1:1: error[M001] this file cannot be read: " in result.out
        assert mapspore("fix", "--root", root).code == 1
        assert path.is_symlink() or path.is_fifo()


@pytest.mark.parametrize("content", [b"(", b"\xff", b"x = 1\n" * 100_000, b"\x00", b"(" * 5000, None])
def test_a_bad_example(content: bytes | None, registry: Make, mapspore: Run) -> None:
    root = registry(
        {PATH: ABS, "mappings/torch/abs.after.py": "x = 1\n", "mappings/torch/abs.before.py": content or b""}
    )
    if content is None:
        (root / "mappings/torch/abs.before.py").unlink()
        os.mkfifo(root / "mappings/torch/abs.before.py")
    result = mapspore("check", "--root", root)
    assert result.code == 1 and result.err == ""
    assert "mappings/torch/abs.before.py:1:" in result.out


HOSTILE = [
    "{{ 7 * 7 }} {% raw %} {# comment #} {{ self.__init__.__globals__ }}",
    "<script>alert(1)</script> & &amp; <b>x</b> <!-- x -->",
    "a | b || c **bold** _em_ [x](javascript:alert(1)) ![i](u) # x",
    '""" \'\'\' \\ \\n \\" \\N{BULLET} %s {0} {name} ${HOME} $(touch x) `x`',
]


@pytest.mark.parametrize("text", HOSTILE)
def test_markup_in_texts_is_text(text: str, registry: Make, mapspore: Run) -> None:
    quoted = json.dumps(text)
    entry = ABS.replace("The absolute value of each element.", quoted).replace("逐元素取绝对值。", f'"绝对值" # {text}')
    root = registry({PATH: entry})
    assert mapspore("fix", "--root", root).code == 0
    assert mapspore("check", "--root", root).code == 0
    assert mapspore("generate", "--root", root).code == 0
    module = (root / "adapter" / "torchspore" / "_abs.py").read_text("utf-8")
    docs = [ast.get_docstring(node) or "" for node in ast.parse(module).body if isinstance(node, ast.FunctionDef)]
    assert any(text in " ".join(doc.split("\n")) for doc in docs)
    shown = json.loads(mapspore("show", "torch.abs", "--root", root, "--format", "json").out)
    assert shown["summary"]["en"] == text
    assert text.split()[0] in mapspore("show", "torch.abs", "--root", root).out


def _facts(root: Path, parameters: list[dict[str, str]]) -> None:
    """Facts that no extractor writes: somebody edited them."""
    record = {"name": "torch.abs", "kind": "function", "forms": [{"parameters": parameters}]}
    other = {"name": "mindspore.mint.abs", "kind": "function", "forms": [{"parameters": parameters}]}
    (root / "facts").mkdir()
    for framework, api in (("torch", record), ("mindspore", other)):
        content = {"format": 1, "framework": framework, "version": "1.0", "apis": [api]}
        (root / "facts" / f"{framework}-1.0.json").write_text(json.dumps(content), "utf-8")


@pytest.mark.parametrize(
    "parameter",
    [
        {"name": "lambda"}, {"name": "None"}, {"name": "a b"}, {"name": "x=1, *"}, {"name": ""}, {"name": "x\n"},
        {"name": "x", "default": "1 +"}, {"name": "x", "default": "import os"}, {"name": "x", "default": ""},
        {"name": "x", "default": "(" * 300}, {"name": "x", "default": "1\nimport os"}, {"name": "x", "default": "\x00"},
        {"name": "x", "default": "x := 1"},
    ],
)  # fmt: skip
def test_facts_that_are_no_python(parameter: dict[str, str], registry: Make, mapspore: Run, tree: Tree) -> None:
    root = registry({PATH: ABS})
    _facts(root, [{"name": "input"}, parameter])
    before = tree(root)
    result = mapspore("check", "--root", root)
    assert (result.code, result.err) == (1, "")
    assert "error[M409]" in result.out
    assert mapspore("generate", "--root", root).code == 1
    assert tree(root) == before


def test_a_soft_keyword_is_a_fine_name(registry: Make, mapspore: Run) -> None:
    root = registry({PATH: ABS})
    _facts(root, [{"name": "input"}, {"name": "match", "default": "None"}, {"name": "type", "default": "'x'"}])
    assert mapspore("check", "--root", root).code == 0
    assert mapspore("generate", "--root", root).code == 0
    ast.parse((root / "adapter" / "torchspore" / "_abs.py").read_text("utf-8"))
