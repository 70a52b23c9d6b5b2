"""`check`, `fix`, `explain`, `list` and `facts`, run as people run them."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mapspore.author.explain import explanations, known
from mapspore.base.terminal import width
from mapspore.check.rules import CODES
from mapspore.entry.load import read
from mapspore.entry.renames import with_names_of_today
from mapspore.scan.codes import CODES as SCAN_CODES
from mapspore.text.phrases import contradiction_codes, refusal_codes

Run = Callable[..., Any]
Make = Callable[..., Path]
HOME = Path(__file__).resolve().parents[2]
MODELINE = "# yaml-language-server: $schema=../entry.schema.json\n"
SUMMARY = "summary:\n  en: The absolute value of each element.\n  zh: 逐元素取绝对值。\n"
TARGETS = "targets:\n  - mindspore: mindspore.mint.abs\n"
ABS = f"{MODELINE}torch: torch.abs\n{SUMMARY}{TARGETS}"
ACOS = ABS.replace("torch.abs", "torch.acos").replace("mint.abs", "mint.acos")
BROKEN = ABS.replace("mindspore: m", "mindspor: m")
UNMAPPED = f"""{MODELINE}torch: torch.asin
{SUMMARY}unmapped:
  why:
    en: It is missing.
    zh: 没有提供。
  instead:
    en: Write it yourself.
    zh: 请自行实现。
"""


# check


def test_a_clean_registry(registry: Make, mapspore: Run) -> None:
    root = registry({"mappings/torch/abs.yaml": ABS, "mappings/torch/acos.yaml": ACOS})
    assert mapspore("check", "--root", root) == (0, "2 entries, no problems. Next: `mapspore generate`.\n", "")


def test_our_own_registry_is_clean(mapspore: Run) -> None:
    result = mapspore("check", "--root", HOME)
    assert result.code == 0, result.out


def test_all_problems_come_in_one_run_in_order(registry: Make, mapspore: Run) -> None:
    root = registry({"mappings/torch/b.yaml": "[", "mappings/torch/a.yaml": BROKEN, "mappings/c.yaml": ""})
    result = mapspore("check", "--root", root)
    assert result.code == 1 and result.err == ""
    heads = [line for line in result.out.splitlines() if "error[" in line]
    assert [line.split(": ")[0] for line in heads] == [
        "mappings/c.yaml:1:1", "mappings/torch/a.yaml:2:8", "mappings/torch/a.yaml:7:5", "mappings/torch/b.yaml:2:1",
    ]  # fmt: skip
    assert result.out.splitlines()[-1] == "4 problems in 3 files. Next: `mapspore explain M009`."


def test_check_of_some_paths_reports_on_those_only(
    registry: Make, mapspore: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"torch/abs.yaml": BROKEN, "torch/abs.before.py": "(", "torch/nn/x.yaml": "", "torch/acos.yaml": ACOS}
    root = registry({f"mappings/{path}": text for path, text in files.items()})

    def reported(*paths: str) -> list[str]:
        out = mapspore("check", "--root", root, *paths, "--format", "json").out
        return sorted({problem["path"].removeprefix("mappings/torch/") for problem in json.loads(out)["problems"]})

    assert reported(f"{root}/mappings/torch/nn") == ["nn/x.yaml"]
    assert reported(f"{root}/mappings/torch/acos.yaml") == []
    monkeypatch.chdir(root / "mappings" / "torch")
    assert reported("abs.yaml") == ["abs.yaml"]
    assert reported("abs.before.py") == ["abs.yaml"]
    assert reported(".") == ["abs.yaml", "nn/x.yaml"]
    link = root.parent / "link"
    link.symlink_to(root, target_is_directory=True)
    assert reported(f"{link}/mappings/torch/abs.yaml") == ["abs.yaml"]


def test_a_path_outside_the_root_is_checked_too(registry: Make, mapspore: Run, tmp_path: Path) -> None:
    root = registry({"mappings/torch/acos.yaml": ACOS})
    other = tmp_path / "elsewhere.yaml"
    other.write_text(ABS, "utf-8")
    result = mapspore("check", other, "--root", root)
    assert "elsewhere.yaml:2:8: error[M301] the entry of `torch.abs` does not belong here." in result.out
    note = tmp_path / "note.txt"
    note.write_text("x")
    assert mapspore("check", note, "--root", root).err.startswith(f"error[C105] `{note}` is no entry.")


@pytest.mark.processes
def test_the_order_of_files_and_the_hash_seed_do_not_matter(registry: Make, mapspore_process: Run) -> None:
    names = ["torch/z.yaml", "torch/a.yaml", "torch/nn/a.yaml", "a.yaml"]
    root = registry({f"mappings/{name}": BROKEN for name in names})
    runs = {mapspore_process("check", "--root", root, env={"PYTHONHASHSEED": seed}) for seed in ("0", "1", "7")}
    assert len(runs) == 1


# fix


def test_fix_keeps_comments_and_is_done_after_one_run(registry: Make, mapspore: Run) -> None:
    text = f"# above everything\n{TARGETS}# 名称\n'torch':   torch.abs # 末尾\n\n\n{SUMMARY}# the end\n"
    root = registry({"mappings/torch/abs.yaml": text, "mappings/torch/acos.yaml": ACOS})
    file = root / "mappings" / "torch" / "abs.yaml"
    check = mapspore("fix", "--check", "--root", root)
    assert check.code == 1
    assert check.out == "would fix mappings/torch/abs.yaml\n1 of 2 files to fix. Next: `mapspore fix`.\n"
    assert file.read_text("utf-8") == text
    fixed = mapspore("fix", "--root", root)
    assert (fixed.code, fixed.err) == (0, "")
    assert fixed.out == "fixed mappings/torch/abs.yaml\n1 of 2 files fixed. Next: `mapspore check`.\n"
    assert file.read_text("utf-8") == (
        f"{MODELINE}# 名称\ntorch: torch.abs  # 末尾\n{SUMMARY}# above everything\n{TARGETS}# the end\n"
    )
    assert mapspore("check", "--root", root).code == 0
    assert mapspore("fix", "--root", root).out == "0 of 2 files fixed. Next: `mapspore check`.\n"


@pytest.mark.parametrize(
    "raw",
    [
        ABS.replace("\n", "\r\n").encode(),
        ABS.replace("\n", "\r").encode(),
        b"\xef\xbb\xbf" + ABS.encode(),
        ABS.replace("  - mindspore", "- mindspore").replace("  ", "\t").encode(),
        ABS.replace("torch: torch.abs", "torch:\ttorch.abs\t# why").replace("\n", "\t \n").encode(),
        ABS.replace("torch.abs", '"torch\\u002eabs"').encode(),
    ],
)
def test_fix_repairs_bytes(raw: bytes, registry: Make, mapspore: Run) -> None:
    root = registry({"mappings/torch/abs.yaml": raw})
    assert mapspore("check", "--root", root).code == 1
    assert mapspore("fix", "--root", root).code == 0
    assert mapspore("check", "--root", root).code == 0
    text = (root / "mappings" / "torch" / "abs.yaml").read_text("utf-8")
    assert text.replace("  # why", "") == ABS


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (ABS.replace("  en:", "\ten:"), "M006"),  # spaces elsewhere: nobody knows how wide the tab was meant to be
        (ABS.replace("absolute value", "absolute\tvalue"), "M006"),
        (ABS + "torch: torch.add\n", "M103"),
        (ABS + "related: [\n  torch.add\n]  # and others\n", "M702"),
        (ABS.replace("en: The", "en: &a The"), "M104"),
        ("", "M009"),
        ("[", "M008"),
        (BROKEN, "M102"),
    ],
)
def test_fix_leaves_alone_what_it_does_not_understand(text: str, code: str, registry: Make, mapspore: Run) -> None:
    root = registry({"mappings/torch/abs.yaml": text})
    result = mapspore("fix", "--root", root)
    assert result.code == 1
    assert f"error[{code}]" in result.out and "left for you" in result.out
    assert (root / "mappings" / "torch" / "abs.yaml").read_text("utf-8") == text


def test_fix_of_bytes_does_not_wait_for_the_rest(registry: Make, mapspore: Run) -> None:
    root = registry({"mappings/torch/abs.yaml": BROKEN.replace("\n", "\r\n")})
    result = mapspore("fix", "--root", root)
    assert result.code == 1 and "fixed mappings/torch/abs.yaml" in result.out and "error[M102]" in result.out
    assert (root / "mappings" / "torch" / "abs.yaml").read_bytes() == BROKEN.encode()


def test_fix_in_chinese_and_with_paths(registry: Make, mapspore: Run) -> None:
    root = registry({"mappings/torch/abs.yaml": ABS[len(MODELINE) :], "mappings/torch/acos.yaml": ACOS + "\n"})
    result = mapspore("fix", root / "mappings" / "torch" / "abs.yaml", "--root", root, "--lang", "zh")
    assert result.out == "已修复 mappings/torch/abs.yaml\n1 个文件中修复了 1 个。下一步：`mapspore check`。\n"
    assert (root / "mappings" / "torch" / "acos.yaml").read_text("utf-8") == ACOS + "\n"


def test_fix_says_the_same_as_before(registry: Make, mapspore: Run) -> None:
    texts = [file.read_text("utf-8") for file in sorted((HOME / "tests" / "check" / "cases").rglob("*.yaml"))]
    root = registry({f"mappings/torch/{number}.yaml": text for number, text in enumerate(texts)})
    files = sorted((root / "mappings").rglob("*.yaml"))
    before = [with_names_of_today(read(file, file.name)[0].data) for file in files]
    mapspore("fix", "--root", root)
    assert [with_names_of_today(read(file, file.name)[0].data) for file in files] == before


# explain


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_name_is_explained(language: str, mapspore: Run) -> None:
    codes = [*CODES, *refusal_codes(), *contradiction_codes(), *SCAN_CODES]
    listed = mapspore("explain", "--lang", language).out.splitlines()
    assert [line.split()[0] for line in listed[: len(codes)]] == codes
    for each in known():
        assert explanations(each.name) and all(explanations(key) for key in each.keys)
        assert all(text.of(language).strip() for text in (each.brief, *each.says))
        assert any(line.split()[0] == each.name for line in listed), each.name
    for code in codes:
        result = mapspore("explain", code, "--lang", language)
        assert result.code == 0
        lines = result.out.splitlines()
        assert lines[0] == code
        titles = ("why", "what to do") if language == "en" else ("原因", "处理办法")
        for title in titles:
            assert lines[lines.index(title) + 1].startswith("  ")
        assert not re.search(r"\{\w+(:\w+)?\}", result.out), "a place to fill was left open"


def test_explain_knows_fields_words_and_what_else_an_entry_names(mapspore: Run) -> None:
    once = mapspore("explain", "arguments").out.splitlines()
    assert once[:3] == ["targets[].arguments.NAME", "targets[].forms[].arguments.NAME", "targets[].call.arguments.NAME"]
    assert once[3].startswith("  By MindSpore parameter: what it receives.") and once[4].startswith("  optional; ")
    assert mapspore("explain", "targets.arguments.from").out.startswith("targets[].arguments.NAME.from\n")
    assert "needed; text" in mapspore("explain", "torch").out
    assert "按 MindSpore 参数：它接收什么。" in mapspore("explain", "arguments", "--lang", "zh").out
    for name, says in {
        "choose": "`True` becomes", "unsupported": "refused", "zero": "the value 0", "ties": "equal values",
        "renamed": "renamed", "VERIFY": "Inputs for `mapspore verify`", "iteration": "iteration",
    }.items():  # fmt: skip
        assert says in mapspore("explain", name).out, name
    # a name may mean several things
    both = mapspore("explain", "value").out
    assert "A fixed value, given instead of `from`." in both and "value transformed" in both


def test_explain_for_programs(mapspore: Run) -> None:
    told = json.loads(mapspore("explain", "choose", "--format", "json").out)
    assert told["format"] == 1 and [(each["name"], each["sort"]) for each in told["explanations"]] == [
        ("choose", "word")
    ]
    assert set(told["explanations"][0]["says"][0]) == {"en", "zh"}
    everything = json.loads(mapspore("explain", "--format", "json", "--lang", "zh").out)
    assert [each["name"] for each in everything["explanations"]] == [each.name for each in known()]


@pytest.mark.parametrize(("given", "near"), [("M999", "Did you mean `M"), ("argumnts", "Did you mean `arguments`"),
                                             ("qqqqqqq", "`mapspore explain` lists all names.")])  # fmt: skip
def test_what_nobody_can_explain(given: str, near: str, mapspore: Run) -> None:
    result = mapspore("explain", given)
    assert (result.code, result.out) == (1, "") and f"  hint: {near}" in result.err
    assert result.err.startswith(f"error[C210] There is nothing called `{given}` to explain.")


def test_explain_shows_what_hints_promise(mapspore: Run) -> None:
    from mapspore.words.situations import SITUATIONS, TOPICS
    from mapspore.words.vocabulary import POLICIES, WORDS

    words = mapspore("explain", "M501").out
    assert all(f"  {word} " in words for word in WORDS)
    policies = mapspore("explain", "m504").out
    assert all(f"  {policy} " in policies for policy in POLICIES)
    assert all(f"  {name} " in mapspore("explain", "M411").out for name in (*SITUATIONS, *TOPICS))
    fields = mapspore("explain", "[M101]").out
    assert "targets[].arguments.NAME.from " in fields and "summary.zh " in fields
    assert "`mapspore fix` repairs it" in mapspore("explain", "M701").out
    assert "allow: {M203: " in mapspore("explain", "M203").out


# list


def test_list_is_aligned_by_columns_on_the_screen(registry: Make, mapspore: Run) -> None:
    root = registry({"mappings/torch/abs.yaml": ABS, "mappings/torch/asin.yaml": UNMAPPED})
    lines = mapspore("list", "--root", root, "--lang", "zh").out.splitlines()
    assert lines[0].split() == ["torch", "MindSpore", "结论"]
    assert lines[1].split() == ["torch.abs", "mindspore.mint.abs", "一致"]
    assert lines[2].split()[:2] == ["torch.asin", "-"]
    starts = {width(line[: line.rindex("  ") + 2]) for line in lines[:3]}
    assert len(starts) == 1
    assert lines[3] == "共 2 个条目。用 `mapspore show 名称` 查看详情。"


def test_list_filters_names_targets_and_verdicts(registry: Make, mapspore: Run) -> None:
    files = {"torch/abs": ABS, "torch/acos": ACOS, "torch/asin": UNMAPPED}
    root = registry({f"mappings/{path}.yaml": text for path, text in files.items()})

    def found(text: str) -> list[str]:
        out = mapspore("list", "--filter", text, "--root", root, "--format", "json").out
        return [entry["torch"] for entry in json.loads(out)["entries"]]

    assert found("ACOS") == ["torch.acos"]
    assert found("mint") == ["torch.abs", "torch.acos"]
    assert found("一致 abs") == ["torch.abs"]
    assert found("unmapped") == ["torch.asin"]
    missing = mapspore("list", "--filter", "nothing-like-it", "--root", root)
    assert (missing.code, missing.out) == (1, "")
    assert missing.err.splitlines()[0] == "error[C209] No entry matches `nothing-like-it`."


def test_list_as_data(registry: Make, mapspore: Run) -> None:
    root = registry({"mappings/torch/abs.yaml": ABS})
    content = json.loads(mapspore("list", "--root", root, "--format", "json").out)
    target = {"id": "mint", "mindspore": "mindspore.mint.abs", "verdict": "consistent"}
    assert content == {
        "format": 1,
        "entries": [
            {
                "torch": "torch.abs", "aliases": [], "verdict": "consistent",
                "targets": [target], "path": "mappings/torch/abs.yaml",
            },
        ],
    }  # fmt: skip


def test_list_admits_what_it_could_not_read(registry: Make, mapspore: Run) -> None:
    root = registry({"mappings/torch/abs.yaml": ABS, "mappings/torch/acos.yaml": "["})
    result = mapspore("list", "--root", root)
    assert result.code == 1 and "torch.abs" in result.out
    assert result.err == "1 file with mistakes could not be listed; run `mapspore check`.\n"


# facts


def test_statistics_of_the_snapshots(mapspore: Run) -> None:
    result = mapspore("facts", "stats", "--root", HOME)
    head, *rows = result.out.splitlines()
    assert head.split()[:3] == ["framework", "version", "APIs"] and head.endswith("no signature")
    assert [row.split()[0] for row in rows] == ["mindspore", "torch"]
    assert all(int(row.split()[2]) > 2000 for row in rows)


def test_difference_of_snapshots(mapspore: Run, tmp_path: Path) -> None:
    file = HOME / "facts" / "torch-2.13.0.json"
    lines = [line for line in file.read_text("utf-8").splitlines() if '"name":"torch.abs"' not in line]
    older = tmp_path / "older.json"
    older.write_text("\n".join(lines), "utf-8")
    result = mapspore("facts", "diff", older, "torch-2.13.0", "--root", HOME)
    assert result.code == 0
    assert "added torch.abs" in result.out.splitlines()
    assert result.out.splitlines()[-1] == "torch 2.13.0 → torch 2.13.0: 1 added, 0 removed, 0 changed."
    same = mapspore("facts", "diff", "torch-2.13.0", file, "--root", HOME, "--lang", "zh")
    assert same.out == "torch 2.13.0 → torch 2.13.0：新增 0，移除 0，变更 0。\n"


def test_snapshots_of_two_frameworks_have_no_difference(mapspore: Run) -> None:
    result = mapspore("facts", "diff", "torch-2.13.0", "mindspore-2.10.0", "--root", HOME)
    assert (result.code, result.out) == (2, "")
    assert "error[C306] These are snapshots of two frameworks, torch and mindspore." in result.err


def test_options_may_stand_before_or_after_a_part(mapspore: Run) -> None:
    one = mapspore("facts", "--lang", "zh", "--root", HOME, "stats")
    other = mapspore("facts", "stats", "--lang", "zh", "--root", HOME)
    assert one == other and "无签名" in one.out


@pytest.mark.parametrize("content", ["", "{}", "[1]", '{"format": 99}', "\x00", '{"format":1,"apis":[3]}'])
def test_a_broken_snapshot_is_refused(content: str, registry: Make, mapspore: Run) -> None:
    root = registry({"mappings/torch/abs.yaml": ABS, "facts/torch-2.0.json": content, "facts/mindspore-2.0.json": ""})
    for command in ("check", "list", "facts stats"):
        result = mapspore(*command.split(), "--root", root)
        assert result.code == 1 and result.out == ""
        assert result.err.startswith("error[C") and "  hint: " in result.err


def test_a_registry_with_an_empty_facts_folder(registry: Make, mapspore: Run) -> None:
    root = registry({"mappings/torch/abs.yaml": ABS})
    (root / "facts").mkdir()
    result = mapspore("check", "--root", root)
    assert result.code == 1
    assert result.err.splitlines()[0] == "error[C301] There are no facts of torch in `facts/`."


@pytest.mark.processes
def test_extracting_without_the_framework_is_refused(registry: Make, mapspore_process: Run) -> None:
    # These tests run where no framework is installed; with one, `tests/facts` extracts for real.
    root = registry({})
    result = mapspore_process("facts", "extract", "torch", "--root", root)
    assert (result.code, result.out) == (1, "")
    assert result.err.splitlines()[0] == "error[C308] torch is not installed in this environment."
    assert os.listdir(root) == ["mappings"]
