"""The rules that derive documentation addresses, against the links of the official mapping tables.

`tests/text/official_links.jsonl` holds every eighth row of the tables, all rows of torch.distributed and
those that stand for a rule of their own. Compared apart from how a host is spelt, doubled slashes, and an anchor
that repeats the name.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from mapspore.text.links import mindspore_url, torch_url

ROWS = [json.loads(line) for line in (Path(__file__).with_name("official_links.jsonl")).read_text("utf-8").splitlines()]
# Links that contradict how the sites are laid out, by name and address, each with the reason.
_LIST = "at 2.1 this page is a list without such anchors; most rows link the API's own page"
_HEADING = "the anchor of a heading instead of the API's own"
_SPELLING = "the table misspells the name, its link does not"
CONTRADICTIONS = {
    ("torch.nn.LogSoftMax", "pytorch.org/docs/1.8.1/generated/torch.nn.LogSoftmax.html"): _SPELLING,
    ("torch.nn.SeLU", "pytorch.org/docs/2.1/generated/torch.nn.SELU.html"): _SPELLING,
    (
        "mindspore.nn.LogSoftMax",
        "mindspore.cn/docs/zh-CN/r2.4.10/api_python/nn/mindspore.nn.LogSoftmax.html",
    ): _SPELLING,
    ("torch.nn.functional.max_unpool3d", "pytorch.org/docs/1.8.1/nn.functional.html#max-unpool3d"): _HEADING,
    ("torch.nn.functional.pixel_shuffle", "pytorch.org/docs/1.8.1/nn.functional.html#pixel-shuffle"): _HEADING,
    ("torch.Tensor.triu", "pytorch.org/docs/1.8.1/tensors.html?"): "an empty query",
    ("torch.nn.functional.batch_norm", "pytorch.org/docs/2.1/nn.functional.html"): _LIST,
    ("torch.nn.functional.interpolate", "pytorch.org/docs/2.1/nn.functional.html"): _LIST,
    ("torch.nn.functional.mish", "pytorch.org/docs/2.1/nn.functional.html"): _LIST,
    ("torch.nn.functional.relu6", "pytorch.org/docs/2.1/nn.functional.html"): _LIST,
    ("torch.nn.functional.softshrink", "pytorch.org/docs/2.1/nn.functional.html"): _LIST,
}


def plain(url: str, name: str) -> str:
    host, path = re.fullmatch(r"https?://([^/]+)/(.*)", url.strip()).groups()  # type: ignore[union-attr]
    address = f"{host.lower().removeprefix('www.')}/{re.sub('/+', '/', path)}"
    return address.removesuffix(f"#{name}")


def version_of(url: str) -> str:
    return re.search(r"/docs/+(?:zh-CN/)?r?([^/]+)/", url).group(1)  # type: ignore[union-attr]


def links() -> list[tuple[str, str, str]]:
    found = {(side, row[side], row[f"{side}_url"]): None for row in ROWS for side in ("torch", "mindspore")}
    return list(found)


@pytest.mark.parametrize(("side", "name", "official"), links())
def test_official_link(side: str, name: str, official: str) -> None:
    version = version_of(official)
    derived = torch_url(name, version) if side == "torch" else mindspore_url(name, version, "zh")
    agrees = plain(derived, name) == plain(official, name)
    assert agrees != ((name, plain(official, name)) in CONTRADICTIONS)


def test_every_contradiction_is_in_the_fixture() -> None:
    official = {(name, plain(url, name)) for _, name, url in links()}
    assert CONTRADICTIONS.keys() <= official


def test_english_documentation_differs_by_its_folder_only() -> None:
    name = "mindspore.mint.distributed.all_gather"
    assert mindspore_url(name, "2.10.0", "zh").replace("/zh-CN/", "/en/") == mindspore_url(name, "2.10.0", "en")


def test_newer_versions_of_torch_are_addressed_without_the_patch_number() -> None:
    assert torch_url("torch.abs", "2.13.0") == "https://pytorch.org/docs/2.13/generated/torch.abs.html"


def test_a_section_that_the_tables_have_no_row_of() -> None:
    name = "mindspore.parallel.distributed.DistributedDataParallel"
    assert mindspore_url(name, "2.10.0", "zh").endswith(f"/r2.10.0/api_python/parallel/{name}.html")
