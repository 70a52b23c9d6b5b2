"""What the search reads keeps its words, and no line of a result begins with a full stop."""

from __future__ import annotations

import json
import re
from pathlib import Path

from mapspore.pages.site.search import lean

HOME = Path(__file__).resolve().parents[2]


def test_marks_stay_between_words_only() -> None:
    text = (
        "<p>\u200b张量\u200b归约\u200b，\u200bMindSpore \u200b返回\u200b <code>x</code>\u200b。（\u200b无\u200b）</p>"
    )
    index = {"config": {}, "docs": [{"location": "a/", "title": "移植\u200b前后", "text": text, "tags": ["归约"]}]}
    [page] = json.loads(lean(json.dumps(index)))["docs"]
    assert page["text"] == "<p>张量\u200b归约，MindSpore 返回 <code>x</code>。（无）</p>"
    assert (page["title"], page["tags"]) == ("移植\u200b前后", ["归约"])


def test_what_is_taken_away_separates_nothing_that_the_separator_does_not() -> None:
    stated = re.search(r"separator: '(.*)'", (HOME / "mkdocs.yml").read_text("utf-8"))
    assert stated is not None
    separator = re.compile(stated[1])
    text = "每个\u200b进程\u200b、\u200b全部\u200b；\u200b结果\u200b：\u200b一致\u200b。\u200b \u200b返回\u200b？"
    [page] = json.loads(lean(json.dumps({"docs": [{"title": "", "text": text}]})))["docs"]
    assert [w for w in separator.split(page["text"]) if w] == [w for w in separator.split(text) if w]
    assert len(page["text"]) < len(text)
