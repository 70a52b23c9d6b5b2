"""Before and after carry the output of a run of these very programs, or say that there is none."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from mapspore.cases.example_programs import programs
from mapspore.entry.load import EXAMPLE
from mapspore.evidence.files import PLATFORM
from mapspore.evidence.records import file_of, record_of, text
from mapspore.pages.site.api import api_page
from mapspore.pipeline import load_registry
from mapspore.resolve.registry import Mapping, Registry
from mapspore.text.phrases import LANGUAGES
from mapspore.view.prepare import entry_view
from mapspore.view.sentences import about

HOME = Path(__file__).resolve().parents[2]
NAME = "torch.distributed.all_gather"


def was_run(mapping: Mapping) -> bool:
    """Whether the adapter was verified, with some counterpart or with none."""
    return any(known.state == "verified" for known in (mapping.evidence, *(c.evidence for c in mapping.counterparts)))


def test_every_record_is_of_programs_that_a_page_shows(real: Registry) -> None:
    files = sorted((HOME / "runs").rglob("*.json"))
    assert len(files) > 30
    for file in files:
        name = json.loads(file.read_text("utf-8"))["entry"]
        found = programs(real.by_name[name])
        assert found is not None
        ran = record_of(HOME, name, found)
        assert ran is not None, f"{name} has changed since it was run; run `make verify`"
        page = api_page(entry_view(real.by_name[name], real), "en", root=HOME)
        assert "\n".join(ran.output) in page and found.after in page + "\n"


def test_every_example_beside_an_entry_has_a_record(real: Registry) -> None:
    for mapping in real.mappings:
        if {*mapping.source.examples} & {*EXAMPLE}:
            found = programs(mapping)
            assert found is not None and record_of(HOME, mapping.name, found) is not None, mapping.name


def test_every_before_and_after_shows_real_output(real: Registry) -> None:
    """What has no program to show needs none: it is refused by the adapter, only read, asked or let be, or a function
    or a class of the runtime that was run beside PyTorch in one process."""
    for mapping in real.mappings:
        for language, said in (("en", "Not run"), ("zh", "未运行")):
            page = api_page(entry_view(mapping, real), language, root=HOME)
            assert said not in page, mapping.name
        assert mapping.api is not None
        if "{: #example }" in page:
            continue
        refused = mapping.entry.unmapped is not None and mapping.entry.runtime is None
        let_be = mapping.port in ("value", "answer", "unneeded") or mapping.api.kind == "property"
        as_in_torch = mapping.api.kind in ("function", "method") or mapping.port == "runtime"
        plain = as_in_torch and not mapping.needs_ranks
        assert refused or let_be or (plain and was_run(mapping)), mapping.name
        assert programs(mapping) is None and not mapping.needs_example, mapping.name


def test_a_plain_function_needs_an_example_until_it_was_run(tmp_path: Path) -> None:
    """The import and a call are shown before there is evidence, and nothing then; an example is shown in any case."""
    for place in ("mappings/torch/cos.yaml", "mappings/torch/distributed/barrier.yaml"):
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(HOME / place, tmp_path / place)
    shutil.copytree(HOME / "adapter", tmp_path / "adapter", ignore=shutil.ignore_patterns("__pycache__"))

    def pages() -> dict[str, str]:
        registry = load_registry(tmp_path).registry
        return {each.name: api_page(entry_view(each, registry), "en", root=tmp_path) for each in registry.mappings}

    assert all("Not run" in page and "```python" in page for page in pages().values())
    for place in ("evidence/torch/cos.json", "evidence/torch/distributed/barrier.json"):
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(HOME / place, tmp_path / place)
    after = pages()
    assert "cases verified" in after["torch.cos"] and "{: #example }" not in after["torch.cos"]
    assert "cases verified" in after["torch.distributed.barrier"] and "Not run" in after["torch.distributed.barrier"]
    (tmp_path / "mappings/torch/cos.before.py").write_text("import torch\n\nprint(torch.cos(torch.ones(1)))\n", "utf-8")
    assert "{: #example }" in pages()["torch.cos"]


def test_where_the_two_differ_the_page_says_why(real: Registry) -> None:
    for name, shown in (
        (
            "torch.distributed.is_gloo_available",
            ("each answers for its own framework", "0 True\n1 True", "0 False\n1 False"),
        ),
        ("torch.distributed.get_backend", ("each answers for its own framework", "0 gloo\n1 gloo", "0 mccl\n1 mccl")),
    ):
        page = api_page(entry_view(real.by_name[name], real), "en", root=HOME)
        assert all(part in page for part in shown), name


def test_only_answers_about_the_own_framework_differ(real: Registry) -> None:
    told = {m.name: found for m in real.mappings if (found := programs(m))}
    ran = {name: record_of(HOME, name, found) for name, found in told.items()}
    apart = {name for name, each in ran.items() if each and each.after not in (None, each.output)}
    backends = ("get_backend", "get_default_backend_for_device", "is_gloo_available")
    assert apart == {f"torch.distributed.{name}" for name in backends}
    unable = {name for name, each in ran.items() if each and each.after is None}
    assert unable == {name for name in told if not was_run(real.by_name[name])}


def test_what_no_cpu_can_run_shows_what_the_first_program_printed(tmp_path: Path) -> None:
    for place in ("mappings/torch/einsum.yaml", "mappings/torch/einsum.before.py"):
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(HOME / place, tmp_path / place)
    registry = load_registry(tmp_path).registry
    found = programs(registry.by_name["torch.einsum"])
    assert found is not None
    ran = {"ranks": 1, "torch": "2.13.0", "mindspore": "2.10.0", "platform": PLATFORM}
    record = file_of(tmp_path, "torch.einsum")
    record.parent.mkdir(parents=True)
    record.write_text(text("torch.einsum", found, ran, ["70.0"], None), "utf-8")
    page = api_page(entry_view(registry.by_name["torch.einsum"], registry), "en", root=tmp_path)
    assert "MindSpore 2.10.0 has no CPU kernel for it" in page and "```text\n70.0\n```" in page


def test_what_was_run_in_one_process_speaks_of_none_and_what_imports_no_adapter_of_no_adapter(real: Registry) -> None:
    page = api_page(entry_view(real.by_name["torch.einsum"], real), "en", root=HOME)
    assert "Output of both programs, as recorded" in page and "processes" not in page.partition("{: #example }")[2]
    page = api_page(entry_view(real.by_name["torch.distributed.Store"], real), "en", root=HOME)
    assert "After (MindSpore)" in page and "through the adapter" not in page


def test_a_method_of_tensors_says_how_tensors_get_it(real: Registry) -> None:
    page = api_page(entry_view(real.by_name["torch.Tensor.to"], real), "en", root=HOME)
    line = "import torchspore\ntorchspore.install_tensor_methods()"
    assert f"<pre><code>{line}</code></pre>" in page


def test_an_api_that_the_adapter_refuses_is_not_called_verified(real: Registry) -> None:
    for name, chip in (
        ("torch.distributed.Store", "refusal verified in "),
        ("torch.distributed.all_gather", " cases verified · "),
    ):
        assert chip in api_page(entry_view(real.by_name[name], real), "en", root=HOME)


def test_what_a_behaviour_is_about_reads_in_both_languages(real: Registry) -> None:
    """A method and a parameter of the counterpart keep their names, and so does a constant; all else has words."""
    for mapping in real.mappings:
        for counterpart in mapping.counterparts:
            for difference in counterpart.behaviours:
                said = {about(difference).of(language) for language in LANGUAGES}
                names = {
                    "",
                    *counterpart.contract.methods,
                    *(name for row in counterpart.target.only for name in row),
                }
                assert len(said) > 1 or said <= names or said.pop().isupper(), (mapping.name, difference)


def test_programs_that_were_not_run_are_shown_without_output(tmp_path: Path) -> None:
    for folder in ("mappings/torch/distributed", "runs/torch/distributed"):
        (tmp_path / folder).mkdir(parents=True)
        for file in (HOME / folder).glob("all_gather.*"):
            shutil.copy(file, tmp_path / folder)
    changed = tmp_path / "mappings/torch/distributed/all_gather.before.py"
    changed.write_text(changed.read_text("utf-8") + "print()\n", "utf-8")
    registry = load_registry(tmp_path).registry
    page = api_page(entry_view(registry.by_name[NAME], registry), "en", root=tmp_path)
    assert "Not run" in page and "```text" not in page
