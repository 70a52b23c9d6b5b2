"""Which punctuation of a Chinese text counts as half-width: that of sentences, not of code, numbers and names."""

from __future__ import annotations

import pytest

from mapspore.check.rules.texts import half_width_signs


@pytest.mark.parametrize(
    ("text", "signs"),
    [
        ("取绝对值,结果非负.", ",."),
        ("使用 group,然后返回。", ","),
        ("使用 `group`,然后返回。", ","),
        ("先调用 wait; 再读取结果。", ";"),
        ("注意:torch 不同。", ":"),
        ("MindSpore:不同。", ":"),
        ("返回 Tensor.", "."),
        ("版本为 2.0. 之后改变。", "."),
        ("为什么用 MPI?", "?"),
        ("张量(Tensor)写入列表。", "()"),
        ("MindSpore(昇思)返回结果。", "()"),
        ("形状为 (N, C),然后返回。", ","),
        ("结果非负.MindSpore 返回副本。", "."),
        ("支持 Ascend, GPU 和 CPU。", ","),
        ("传入 `dim`, `keepdim` 即可。", ","),
        ("张量 (Tensor) 写入列表。", "()"),
        ("张量(float16)写入列表。", "()"),
        ("组名(`group`)为字符串。", "()"),
        ("张量（Tensor)写入列表。", ")"),
        ("张量(Tensor）写入列表。", "("),
        ("参数 (见 f(x) 一节) 不变。", "()"),
    ],
)
def test_found(text: str, signs: str) -> None:
    assert "".join(text[at] for at in half_width_signs(text)) == signs


@pytest.mark.parametrize(
    "text",
    [
        "取绝对值，结果非负。",
        "默认值为 1.0，比例为 2:3，共 1,000 个。",
        "`a, b`、`f(x): y` 和 `x.`",
        "参见 torch.distributed 与 mindspore.mint.all_gather。",
        "f(x) 的值不变，g(x)的值也不变。",
        "形状为 (N, C, H, W) 的张量。",
        "用 all-to-all 和 PyTorch's API 交换。",
        "地址为 https://www.mindspore.cn 。",
        "读取 .pt 文件，例如 model.pt 等。",
        "支持 float16 等...",
        "The absolute value, of each.",
        "元组 (2, 3) 与 (N,) 均可。",
        "取 f(a, b) 与 max(x; y) 的值。",
        "后缀为 .pt 的文件，如 v2.13 或 2.10.0。",
        "张量（Tensor）写入列表（见 f(x)）。",
    ],
)
def test_not_found(text: str) -> None:
    assert half_width_signs(text) == []
