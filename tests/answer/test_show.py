"""`mapspore show` answers to every name that people use, in both languages and three formats."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from mapspore.cli.main import main

HOME = Path(__file__).parents[2]
Shown = Callable[..., str]


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A registry of some entries of ours: what the others are, and how many, is nothing to these tests."""
    folder = tmp_path_factory.mktemp("registry")
    for part in ("distributed", "nn/Linear.yaml", "nn/ModuleList.yaml", "nn/functional/interpolate.yaml"):
        source, copy = (place / "mappings" / "torch" / part for place in (HOME, folder))
        copy.parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if source.is_dir() else shutil.copy)(source, copy)
    return folder


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("COLUMNS", "100")
    return tmp_path / "cache" / "mapspore"


@pytest.fixture
def shown(root: Path, capsys: pytest.CaptureFixture[str]) -> Shown:
    """What `show` answers to the arguments."""

    def show(*arguments: str) -> str:
        code = main(["show", *arguments, "--root", str(root)])
        out, err = capsys.readouterr()
        assert code == 0, err
        return out

    return show


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("torch.distributed.all_gather", "torch.distributed.all_gather"),
        ("distributed.all_gather", "torch.distributed.all_gather"),
        ("dist.all_gather", "torch.distributed.all_gather"),
        ("all_gather", "torch.distributed.all_gather"),
        ("allgather", "torch.distributed.all_gather"),
        ("mindspore.mint.distributed.all_gather", "torch.distributed.all_gather"),
        ("mint.distributed.gather", "torch.distributed.gather"),
        ("comm_func.gather_into_tensor", "torch.distributed.gather"),
        ("torch.nn.modules.linear.Linear", "torch.nn.Linear"),
        ("all_to_all_with_output_shape", "torch.distributed.all_to_all"),
        ("all_to_all_with_output_shape", "torch.distributed.all_to_all"),
    ],
)
def test_names_that_people_use(name: str, answer: str, shown: Shown) -> None:
    assert json.loads(shown(name, "--format", "json"))["torch"] == answer


def test_json_has_what_tools_rely_on(shown: Shown) -> None:
    data = json.loads(shown("gather", "--format", "json"))
    assert data["verdict"] == "required"
    assert [target["id"] for target in data["targets"]] == ["mint", "comm_func"]
    for target in data["targets"]:
        assert "evidence" in target
        names = [row["torch"] for row in target["parameters"]]
        assert names == ["tensor", "gather_list", "dst", "group", "async_op", "group_dst"]
        assert all(row["en"] and row["zh"] and row["kinds"] for row in target["parameters"])
    assert data["targets"][1]["deprecated"]["successor"] == "mindspore.ops.communication.gather_into_tensor"


@pytest.mark.parametrize(("language", "words"), [("en", "verdict"), ("zh", "结论")])
def test_text_in_both_languages(language: str, words: str, shown: Shown) -> None:
    text = shown("gather", "--lang", language)
    assert words in text
    from mapspore.base.terminal import width as columns

    assert max(columns(line) for line in text.splitlines()) <= 100


@pytest.mark.parametrize(
    ("language", "words"), [("en", "input: `3` or `4` dimensions;"), ("zh", "input：`3` 或 `4` 维；")]
)
def test_a_number_of_dimensions_is_called_so(language: str, words: str, shown: Shown) -> None:
    assert words in shown("torch.nn.functional.interpolate", "--lang", language)


def test_the_language_comes_from_the_locale(shown: Shown, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    assert "结论" in shown("gather")
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    assert "verdict" in shown("gather")


def test_markdown_is_the_page(shown: Shown) -> None:
    text = shown("gather", "--format", "md", "--lang", "zh")
    assert text.startswith("# torch.distributed.gather\n")
    assert "| 分类 | 子类 | PyTorch | MindSpore | 差异 |" in text


@pytest.mark.parametrize("typo", ["all_gahter", "dist.all_reduc", "torch.distributed.gathr"])
def test_a_typo_gets_the_nearest_names(typo: str, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", typo, "--root", str(root)]) == 1
    said = capsys.readouterr().err
    assert "Did you mean" in said and "torch.distributed." in said
    assert "Traceback" not in said


@pytest.mark.parametrize(
    ("name", "sentence", "hint"),
    [
        ("torch.addmv", "`torch.addmv` is an API of torch, but has no entry yet.", "`mapspore new torch.addmv`"),
        ("linalg.svdvals", "`torch.linalg.svdvals` is an API of torch", "`mapspore new torch.linalg.svdvals`"),
        ("svdvals", "`torch.linalg.svdvals` is an API of torch", "`mapspore new torch.linalg.svdvals`"),
        ("ADDMV", "`ADDMV` can mean `torch.addmv`, `torch.Tensor.addmv`; none", "`mapspore new torch.addmv`"),
        (
            "mindspore.ops.AdaptiveAvgPool2D",
            "is an API of MindSpore, but no entry names it",
            "mapspore new TORCH mindsp",
        ),
        (
            "ops.AdaptiveAvgPool2D",
            "`mindspore.ops.AdaptiveAvgPool2D` is an API of MindSpore",
            "mapspore new TORCH mindsp",
        ),
        ("torch.adddmv", "There is no entry for `torch.adddmv`.", "Did you mean `torch.addmv`"),
        ("torch.cuda.ipc_collect", "`torch.cuda.ipc_collect` is an API of torch", "`mapspore new torch.cuda.ipc_co"),
        ("torch.nn.parameter.Parameter", "`torch.nn.Parameter` is an API of torch", "`mapspore new torch.nn.Par"),
        ("torch._foreach_add_", "`torch._foreach_add_` is a private name of torch", "may change in any release"),
        ("torch._C._nn.gelu", "`torch._C._nn.gelu` is a private name of torch", "may change in any release"),
        ("torch.cuda", "`torch.cuda` is a module of torch, not an API.", "Name an API in it."),
        ("torch.ops.aten.mm", "The facts do not cover the module `torch.ops`", "`MODULES` in `facts/extract/torch_na"),
        ("mindspore.mint.gelu", "There is no entry", "`mindspore.mint.nn.functional.gelu`"),
        ("torch.all_gather", "There is no entry", "Did you mean `torch.distributed.all_gather`"),
        ("dist.allgather", "There is no entry", "Did you mean `torch.distributed.all_gather`"),
        ("%", "There is no entry for `%`.", "`mapspore list`"),
        ("a_dmv", "There is no entry for `a_dmv`.", "hint"),
    ],
)
def test_an_api_without_an_entry_is_told_apart_from_a_typo(
    name: str, sentence: str, hint: str, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["show", name, "--root", str(root)]) == 1
    said = capsys.readouterr().err
    assert sentence in said and hint in said


def test_the_index_follows_the_content(
    tmp_path: Path, own_cache: Path, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "registry"
    shutil.copytree(root / "mappings", copy / "mappings")
    assert main(["show", "gather", "--root", str(copy)]) == 0
    assert main(["show", "gather", "--root", str(copy)]) == 0
    assert len(list(own_cache.glob("*.sqlite"))) == 1
    entry = copy / "mappings/torch/distributed/gather.yaml"
    entry.write_text(entry.read_text("utf-8").replace("the others only send", "the rest only send"), "utf-8")
    capsys.readouterr()
    assert main(["show", "gather", "--lang", "en", "--root", str(copy)]) == 0
    assert "the rest only send" in capsys.readouterr().out


def test_without_a_cache_folder_it_still_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shown: Shown) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert "torch.distributed.gather" in shown("gather")


@pytest.mark.parametrize("damage", ["empty", "truncated", "overwritten", "altered", "other", "unreadable"])
def test_a_damaged_index_is_replaced_without_a_word(
    damage: str, own_cache: Path, root: Path, shown: Shown, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = shown("gather")
    (index,) = own_cache.glob("*.sqlite")
    content = index.read_bytes()
    if damage == "unreadable":  # a folder in its place, which cannot be replaced either
        index.unlink()
        index.mkdir()
    else:
        broken = {"empty": b"", "truncated": content[: len(content) // 2], "overwritten": b"\xff" * len(content)}
        broken["altered"] = content.replace(b"verdict", b"verdigt")  # still a database, with other texts in it
        broken["other"] = content.replace(b"answers", b"replies")  # one with other tables, of another version
        assert broken[damage] != content
        index.write_bytes(broken[damage])
    assert main(["show", "gather", "--root", str(root)]) == 0
    assert capsys.readouterr() == (whole, "")
    if damage != "unreadable":
        assert len(index.read_bytes()) == len(content)
        assert main(["show", "gather", "--root", str(root)]) == 0
        assert capsys.readouterr().out == whole


@pytest.mark.processes
def test_it_needs_neither_pydantic_nor_yaml_once_the_index_stands(root: Path, shown: Shown) -> None:
    shown("gather")
    code = (
        "import sys; from mapspore.cli.main import main; main(['show', 'gather', '--root', sys.argv[1]]);"
        "print([name for name in ('pydantic', 'yaml', 'jinja2') if name in sys.modules])"
    )
    ended = subprocess.run([sys.executable, "-c", code, str(root)], capture_output=True, text=True, check=True)
    assert ended.stdout.rstrip().endswith("[]")


WITHOUT_ADAPTER = {
    "torch/Tensor/uniform_": """targets:
  - mindspore: mindspore.Tensor.uniform_
    arguments: {from_: {from: from}}
""",
    "torch/Tensor/storage": """unmapped:
  why:
    en: Its memory is not accessible.
    zh: 无法访问其内存。
  instead:
    en: Use `asnumpy`.
    zh: 使用 `asnumpy`。
""",
}


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("form", ["text", "md", "json"])
@pytest.mark.parametrize("path", WITHOUT_ADAPTER)
def test_no_adapter_is_promised_where_there_is_none(
    path: str, form: str, language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = path.replace("/", ".")
    head = f"# yaml-language-server: $schema=../../entry.schema.json\ntorch: {name}\n"
    entry = tmp_path / "registry" / "mappings" / f"{path}.yaml"
    entry.parent.mkdir(parents=True)
    entry.write_text(f"{head}summary:\n  en: A layer.\n  zh: 一层网络。\n{WITHOUT_ADAPTER[path]}", "utf-8")
    assert main(["show", name, "--format", form, "--lang", language, "--root", str(tmp_path / "registry")]) == 0
    said = capsys.readouterr().out
    assert not any(word in said for word in ("adapter refuses", "raises an error", "适配器会报错", "调用时报错"))
    assert "the adapter" not in said.replace("## Using the adapter", "")
    assert said.count("适配器") <= 2  # a heading, and that there is none yet


@pytest.mark.parametrize("name", ["torch.nn.ModuleList.append", "nn.ModuleList.append", "ModuleList.append"])
def test_a_member_is_answered_by_its_class(name: str, shown: Shown) -> None:
    assert shown(name).splitlines()[0] == "torch.nn.ModuleList"
