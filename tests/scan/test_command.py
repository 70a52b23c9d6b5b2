"""`scan` and `migrate` as commands: selection, baseline, settings, formats, overlays, the cache, git."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).resolve().parent
HOME = HERE.parents[1]
Run = Callable[..., Any]
CODE = """import torch
import torch.distributed as dist

dist.monitored_barrier()
dist.all_reduce(tensor, async_op=True)
torch.dequantize(tensor)
dist.barrier()
"""


@pytest.fixture
def unrun(without_entries: Callable[[list[str]], Path]) -> Path:
    """All entries, none of them with evidence: whether that holds is worked out anew where nothing is kept."""
    return without_entries([])


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    (folder / "a.py").write_text(CODE, "utf-8")
    return folder


def codes(mapspore: Run, *options: object) -> list[str]:
    out = mapspore("scan", "a.py", "--format", "json", "--root", HOME, *options).out
    return [f["code"] for f in json.loads(out)["findings"] if f["counts"]]


# Selection, comments, baseline, settings.


def test_codes_are_selected_and_ignored(here: Path, mapspore: Run) -> None:
    assert codes(mapspore) == ["S113", "S103"]
    assert codes(mapspore, "--select", "S113") == ["S113"]
    assert codes(mapspore, "--select", "S1") == ["S113", "S103", "S100"]
    assert codes(mapspore, "--select", "S201") == ["S201"]
    assert codes(mapspore, "--ignore", "s113, S103") == []
    assert mapspore("scan", "a.py", "--ignore", "S1", "--root", HOME).code == 0
    wrong = mapspore("scan", "a.py", "--jobs", "-1", "--root", HOME)
    assert wrong.code == 2 and "--jobs needs a number from 0 on." in wrong.err
    wrong = mapspore("scan", "a.py", "--select", "M102", "--root", HOME)
    assert wrong.code == 2 and "`M102` is no code of a finding (--select)." in wrong.err


def test_a_baseline_lets_only_new_findings_fail(here: Path, mapspore: Run) -> None:
    assert mapspore("scan", "a.py", "--format", "json", "--output", "base.json", "--root", HOME).code == 1
    known = mapspore("scan", "a.py", "--baseline", "base.json", "--root", HOME)
    assert known.code == 0 and known.out.splitlines()[-1].startswith("No findings. 2 in the baseline.")
    (here / "a.py").write_text("# moved down\n\n" + CODE + "dist.monitored_barrier()\n", "utf-8")
    assert codes(mapspore, "--baseline", "base.json") == ["S113"]
    (here / "base.json").write_text("[]")
    assert mapspore("scan", "a.py", "--baseline", "base.json", "--root", HOME).code == 2
    assert mapspore("scan", "a.py", "--baseline", "none.json", "--root", HOME).code == 2


def test_settings_of_the_nearest_pyproject(here: Path, mapspore: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = here / "pyproject.toml"
    settings.write_text('[tool.mapspore.scan]\nignore = ["S113"]\nexclude = ["b*.py"]\n', "utf-8")
    (here / "b.py").write_text(CODE, "utf-8")
    assert codes(mapspore) == ["S103"]
    monkeypatch.setenv("MAPSPORE_SITE", "https://example.net/")
    assert "https://example.net/en/api/" in mapspore("scan", "a.py", "--root", HOME).out
    assert codes(mapspore, "--ignore", "S103") == ["S113"]
    assert "b.py" not in mapspore("scan", ".", "--root", HOME).out
    for text, said in (
        ("ignor = []", "unknown key `ignor` in [tool.mapspore.scan].\n  hint: Did you mean `ignore`?"),
        ('ignore = "S113"', "needs a list of strings for `ignore`."),
        ('format = "pdf"', "has no such format `pdf`."),
        ("x = [", "is no TOML: "),
    ):
        settings.write_text(f"[tool.mapspore.scan]\n{text}\n", "utf-8")
        result = mapspore("scan", "a.py", "--root", HOME)
        assert result.code == 2 and said in result.err, text


# Formats.


def test_text_in_both_languages(here: Path, mapspore: Run) -> None:
    english = mapspore("scan", "a.py", "--root", HOME).out
    assert "a.py:4:1: S113 breaks torch.distributed.monitored_barrier\n" in english
    assert (
        "a.py:5:1: S103 needs a change torch.distributed.all_reduce → mindspore.mint.distributed.all_reduce\n"
        in english
    )
    assert "torch.dequantize" not in english.split("most used without an entry")[0]
    assert "a.py:6:1: S201" in mapspore("scan", "a.py", "--all", "--root", HOME).out
    assert "api/" not in english
    linked = mapspore("scan", "a.py", "--site", "https://example.org", "--root", HOME).out
    assert "    https://example.org/en/api/torch.distributed.monitored_barrier/\n" in linked
    chinese = mapspore("scan", "a.py", "--lang", "zh", "--root", HOME).out
    assert "a.py:4:1: S113 无法运行 torch.distributed.monitored_barrier\n" in chinese
    assert chinese.splitlines()[-1].startswith("1 个文件中有 2 条发现。")


def test_sarif_follows_its_schema(here: Path, mapspore: Run) -> None:
    log = json.loads(
        mapspore("scan", "a.py", "--format", "sarif", "--site", "https://example.org/", "--root", HOME).out
    )
    (run,) = log["runs"]
    assert [r["ruleId"] for r in run["results"]] == ["S113", "S103"]
    for result in run["results"]:
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
    first = run["results"][0]
    assert first["level"] == "error"
    assert first["properties"]["page"] == "https://example.org/en/api/torch.distributed.monitored_barrier/"
    assert first["locations"][0]["physicalLocation"]["region"] == {
        "startLine": 4, "startColumn": 1, "endLine": 4, "endColumn": 23,
    }  # fmt: skip


class Page(HTMLParser):
    """Collects what a page would load, and its rows."""

    def __init__(self) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.open: list[str] = []
        self.rows = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.loads += [value for name in ("src", "srcset", "data") if (value := given.get(name))]
        if tag == "link":
            self.loads.append(given.get("href") or "")
        self.rows += "data-code" in given
        if tag not in ("meta", "input", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("language", ["en", "zh"])
def test_html_is_whole_loads_nothing_and_shows_hostile_names_as_text(here: Path, mapspore: Run, language: str) -> None:
    hostile = here / "<img src=x onerror=alert(1)>.py"
    hostile.write_text(CODE, "utf-8")
    text = mapspore("scan", ".", "--format", "html", "--lang", language, "--root", HOME).out
    page = Page()
    page.feed(text)
    assert page.open == [] and page.loads == [] and page.rows == 4
    assert "<img" not in text and "url(" not in text and "&lt;img src=x" in text


def test_markdown_has_a_row_per_finding(here: Path, mapspore: Run) -> None:
    (here / "a|b.py").write_text(CODE, "utf-8")
    text = mapspore("scan", ".", "--format", "md", "--root", HOME).out
    rows = [line for line in text.splitlines() if "| S113 |" in line or "| S103 |" in line]
    assert len(rows) == 4 and r"`a\|b.py:4:1`" in text
    assert text.startswith("# Porting report\n")


def test_the_json_has_what_is_promised(here: Path, mapspore: Run) -> None:
    data = json.loads(mapspore("scan", "a.py", "--format", "json", "--root", HOME).out)
    assert data["format"] == 1 and set(data) == {"format", "tool", "registry", "summary", "findings"}
    assert data["summary"]["uses"] == 4 and data["summary"]["known_uses"] == 3 and data["summary"]["covered"] == 2
    first = data["findings"][0]
    assert set(first) == {
        "path", "cell", "line", "column", "end_line", "end_column", "code", "torch", "counterpart", "severity",
        "effort", "confidence", "parameter", "adapter", "page", "counts", "says",
    }  # fmt: skip
    assert set(first["says"]) == {"en", "zh"}


@pytest.mark.processes
def test_output_does_not_depend_on_hash_seed_jobs_cache_or_order(
    here: Path, mapspore_process: Run, unrun: Path
) -> None:
    for number in range(30):
        (here / f"m{number}.py").write_text(CODE * 40, "utf-8")
    runs = set()
    for seed, options in enumerate((["--jobs", "1"], ["--jobs", "2", "--no-cache"], ["--jobs", "2"], [])):
        asked = ("scan", ".", "--format", "json", "--root", unrun, *options)
        done = mapspore_process(*asked, env={"PYTHONHASHSEED": str(seed)}, cwd=here)
        assert done.code == 1 and done.err == ""
        runs.add(done.out)
    assert len(runs) == 1


# The cache.


def test_the_cache_can_be_damaged_or_missing(
    here: Path, mapspore: Run, monkeypatch: pytest.MonkeyPatch, unrun: Path
) -> None:
    cache = here / "cache"
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    first = mapspore("scan", "a.py", "--root", unrun)
    kept = sorted(cache.rglob("*.scan")) + sorted(cache.rglob("*.rules"))
    assert len(kept) == 2
    for file in kept:
        file.write_bytes(b"no such thing")
    assert mapspore("scan", "a.py", "--root", unrun) == first
    cache.rename(here / "away")
    cache.write_text("a file where the folder should be")
    assert mapspore("scan", "a.py", "--root", unrun) == first


def test_what_is_kept_of_a_tree_holds_for_its_content_alone(
    here: Path, mapspore: Run, monkeypatch: pytest.MonkeyPatch, unrun: Path
) -> None:
    """Each content of a module that others take from, and of one that says nothing of torch, in an order of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(here / "cache"))
    package = here / "package"
    package.mkdir()
    (package / "__init__.py").write_text("", "utf-8")
    torch, other = "import torch.distributed as comm\n", "import socket as comm\n"
    user, deaf = "from .b import comm\ncomm.all_reduce(1)\n", "from .b import other\n"

    def scanned(taken: str, taking: str, *options: str) -> str:
        (package / "b.py").write_text(taken, "utf-8")
        (package / "c.py").write_text(taking, "utf-8")
        return str(mapspore("scan", "package", "--all", "--root", unrun, *options).out)

    states = [(taken, taking) for taken in (torch, other) for taking in (user, deaf)]
    anew = [scanned(*state, "--no-cache") for state in states]
    assert [("c.py" in out, "b.py" in out) for out in anew[:2]] == [(True, False), (False, False)]
    for _ in range(2):
        assert [scanned(*state) for state in states] == anew
    assert [scanned(*state) for state in reversed(states)] == anew[::-1]


# Overlays.


def entry(mindspore: str) -> str:
    return f"""# yaml-language-server: $schema=../entry.schema.json
torch: torch.hypot
summary:
  en: The longest side of a triangle.
  zh: 求直角三角形的斜边。
targets:
  - mindspore: {mindspore}
"""


def test_an_overlay_adds_and_overrides_in_every_command(
    here: Path, mapspore: Run, without_entries: Callable[[list[str]], Path]
) -> None:
    (here / "a.py").write_text("import torch\n\ntorch.hypot(x, y)\n", "utf-8")
    file = here / "team" / "mappings" / "torch" / "hypot.yaml"
    file.parent.mkdir(parents=True)
    file.write_text(entry("mindspore.ops.hypot"), "utf-8")
    overlay = ("--overlay", "team", "--root", without_entries(["torch.hypot"]))
    out = json.loads(mapspore("scan", "a.py", "--format", "json", *overlay).out)
    known = [f for f in out["findings"] if f["torch"] == "torch.hypot"]
    shown = mapspore("show", "torch.hypot", *overlay)
    checked = mapspore("check", *overlay)
    if known[0]["code"] == "S201":
        pytest.fail(checked.out)
    assert known[0]["counterpart"] == "mindspore.ops.hypot"
    assert shown.code == 0 and "mindspore.ops.hypot" in shown.out
    assert checked.code == 0
    file.write_text(entry("mindspore.ops.no_such"), "utf-8")
    broken = mapspore("check", *overlay)
    assert broken.code == 1 and "team/mappings/torch/hypot.yaml:7:" in broken.out
    refused = mapspore("scan", "a.py", *overlay)
    assert refused.code == 2 and "The entries of `team` have problems." in refused.err
    wrong = mapspore("scan", "a.py", "--overlay", "nowhere", "--root", HOME)
    assert wrong.code == 2 and "`nowhere` holds no `mappings/`." in wrong.err


def test_an_overlay_overrides_in_generate(registry: Callable[..., Path], mapspore: Run, tmp_path: Path) -> None:
    text = """# yaml-language-server: $schema=../entry.schema.json
torch: torch.abs
summary:
  en: The absolute value of each element.
  zh: 逐元素取绝对值。
targets:
  - mindspore: mindspore.{}.abs
"""
    root = registry({"mappings/torch/abs.yaml": text.format("mint")})
    over = tmp_path / "team" / "mappings" / "torch" / "abs.yaml"
    over.parent.mkdir(parents=True)
    over.write_text(text.format("ops"), "utf-8")
    assert mapspore("generate", "--root", root).code == 0
    made = root / "adapter" / "torchspore" / "_abs.py"
    assert "mindspore.mint.abs" in made.read_text("utf-8")
    assert mapspore("generate", "--root", root, "--overlay", tmp_path / "team").code == 0
    text = made.read_text("utf-8")
    assert "mindspore.ops.abs" in text and "mindspore.mint.abs" not in text
    assert text.startswith("# Generated by `mapspore generate` from team/mappings/torch/abs.yaml;")


# Writing.


def git(folder: Path, *arguments: str) -> None:
    who = ("-c", "user.name=x", "-c", "user.email=x@example.org")
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)


GOOD = "import torch.distributed as dist\n\ndist.barrier()\n"


@pytest.mark.processes
def test_write_refuses_what_git_could_not_bring_back_unless_told(here: Path, mapspore: Run) -> None:
    (here / "a.py").write_text("# before\n", "utf-8")
    (here / "a.py").chmod(0o755)
    (here / "other.txt").write_text("one")
    git(here, "init", "-q")
    git(here, "add", ".")
    git(here, "commit", "-qm", "start")
    (here / "a.py").write_text(GOOD, "utf-8")
    refused = mapspore("migrate", "a.py", "--write", "--root", HOME)
    assert refused.code == 1 and "Git could not bring back `a.py` (changes not committed)" in refused.err
    assert (here / "a.py").read_text("utf-8") == GOOD
    assert mapspore("migrate", "a.py", "--write", "--force", "--root", HOME).code == 0
    assert (here / "a.py").read_text("utf-8") == GOOD.replace("torch.", "torchspore.")
    assert (here / "a.py").stat().st_mode & 0o777 == 0o755
    assert sorted(path.name for path in here.iterdir()) == [".git", "a.py", "other.txt"]
    git(here, "commit", "-qam", "moved")
    (here / "a.py").write_text(GOOD, "utf-8")
    git(here, "commit", "-qam", "back")
    (here / "other.txt").write_text("two")  # not to be written, so nothing of it can be lost
    assert mapspore("migrate", "a.py", "--write", "--root", HOME).code == 0


@pytest.mark.processes
def test_check_tells_without_a_diff_and_the_diff_applies(here: Path, mapspore: Run) -> None:
    (here / "a.py").write_text(GOOD.rstrip(), "utf-8")
    check = mapspore("migrate", "a.py", "--check", "--root", HOME)
    assert (check.code, check.out) == (1, "")
    diff = mapspore("migrate", "a.py", "--root", HOME)
    assert diff.code == 0
    subprocess.run(["git", "apply", "-"], input=diff.out, cwd=here, check=True, encoding="utf-8")
    assert (here / "a.py").read_text("utf-8") == GOOD.rstrip().replace("torch.", "torchspore.")
    assert mapspore("migrate", "a.py", "--check", "--root", HOME).code == 0


def test_standard_input_is_scanned_but_not_migrated(here: Path, mapspore: Run) -> None:
    refused = mapspore("migrate", "-", "--root", HOME)
    assert refused.code == 2 and "Standard input cannot be migrated." in refused.err


def test_what_was_done_and_left_is_told(here: Path, mapspore: Run) -> None:
    told = mapspore("migrate", "a.py", "--verbose", "--root", HOME).err
    assert "0 of 1 files that use torch can run on MindSpore after this; 0 of 1 programs.\n" in told
    assert "  torch.distributed.monitored_barrier (1 place): nothing can stand in for it\n" in told
    assert "left `torch.distributed.monitored_barrier`: nothing can stand in for it" in told
    assert (
        "a.py:7:1: left `torch.distributed.barrier`: it is in one data flow with `torch.distributed.monitored_barrier` "
        "(a.py:4), which has to stay.\n"
    ) in told
    chinese = mapspore("migrate", "a.py", "--root", HOME, "--lang", "zh").err
    assert "改写后，1 个使用 torch 的文件中有 0 个可在 MindSpore 上运行；1 个程序中有 0 个。" in chinese
    assert "  torch.dequantize（1 处）：尚无条目\n" in chinese


def test_the_account_in_json_is_the_same_in_both_languages(here: Path, mapspore: Run) -> None:
    (here / "b.py").write_text(GOOD, "utf-8")
    done = mapspore("migrate", ".", "--format", "json", "--root", HOME)
    data = json.loads(done.out)
    assert data["files"] == {"total": 2, "ready": ["b.py"]} and data["programs"] == {"total": 2, "ready": ["b.py"]}
    assert [(each["name"], each["places"], each["reason"]) for each in data["because"]] == [
        ("torch.dequantize", 1, "no_entry"),
        ("torch.distributed.monitored_barrier", 1, "raises"),
    ]
    assert data["changed"] == [{"path": "b.py", "places": 1, "comments": 0}]
    assert {each["torch"]: each["reason"] for each in data["left"]}["torch.distributed.barrier"] == "flow"
    assert mapspore("migrate", ".", "--format", "json", "--lang", "zh", "--root", HOME).out == done.out


LEFT = """import torch

F = torch.nn.functional
F.leaky_relu(x)
torch.cat((x, y), axis=1)
optimiser = torch.optim.Adam(parameters)
optimiser.step()
print(f"{torch.abs(x)=}")
"""


# An optimiser whose entry says how its objects are called.
CALLED_OTHERWISE = """# yaml-language-server: $schema=../../entry.schema.json
torch: torch.optim.Adam
summary:
  en: An optimiser that scales each step by running means of the gradients.
  zh: 用梯度的滑动平均来调整步长的优化器。
contract:
  methods:
    step:
      takes: [gradients]
      calls: __call__
      en: It takes the gradients, in the order of the parameters.
      zh: 需传入梯度，与参数顺序一致。
targets:
  - mindspore: mindspore.mint.optim.Adam
    absent:
      foreach: no_effect
      capturable: no_effect
      differentiable: unsupported
      fused: no_effect
      decoupled_weight_decay: unsupported
"""


def test_each_use_that_stays_is_told_with_its_reason(here: Path, mapspore: Run) -> None:
    (here / "a.py").write_text(LEFT, "utf-8")
    file = here / "team" / "mappings" / "torch" / "optim" / "Adam.yaml"
    file.parent.mkdir(parents=True)
    file.write_text(CALLED_OTHERWISE, "utf-8")
    told = mapspore("migrate", "a.py", "--verbose", "--root", HOME, "--overlay", "team").err
    for line in (
        "a.py:4:1: left `torch.nn.functional.leaky_relu`: it is in one data flow with `torch` (a.py:3), which has to",
        "a.py:5:1: left `torch.cat`: its arguments fit none of the call forms that PyTorch declares.",
        "a.py:7:11: left `torch.optim.Adam.step`: it has to be called differently with the adapter too",
        "a.py:8:10: left `torch.abs`: it is in one data flow with `torch` (a.py:3), which has to stay.",
    ):
        assert line in told
    direct = mapspore("migrate", "a.py", "--mode", "direct", "--mix-frameworks", "--verbose", "--root", HOME).err
    assert direct.startswith("warning: with --mix-frameworks values may pass between torch and MindSpore")
    assert "a.py:8:10: left `torch.abs`: an f-string prints the text of the call there." in direct
    assert "a.py: places changed: 0, comments added: " in direct


def test_a_private_name_is_told_apart_from_an_unknown_one(here: Path, mapspore: Run) -> None:
    (here / "b.py").write_text("import torch\ntorch._foreach_add_(x, 1)\ntorch.abz(x)\ntorch.special.zeta(x, y)\n")
    said = mapspore("scan", "b.py", "--all", "--root", HOME).out
    assert "b.py:2:1: S201" in said and "this is a private name of torch" in said
    assert "b.py:3:1: S201" in said and "neither the registry nor the facts of torch know this name." in said
    assert "b.py:4:1: S201" in said and "torch has this API" in said
    assert "这是 torch 的私有名称" in mapspore("scan", "b.py", "--all", "--root", HOME, "--lang", "zh").out
