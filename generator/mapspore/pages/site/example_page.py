"""The page of an example program, from the files that run: what `migrate` changed, what was ported by hand, the curves.

In go a folder of `examples/` and a language; out comes what the page prints. The program `train.py` communicates, and
its port is what `migrate` makes of it; `classifier.py` beside it is the framework's own part. The curves are the file
that `compare.py` of the example writes.
"""

from __future__ import annotations

import difflib
import json
from pathlib import Path

from mapspore.pages.page import Shown
from mapspore.pages.site.chart import Series, line_chart
from mapspore.text.phrases import Language, catalogue, fill

SIDES = BEFORE, AFTER = "before", "after"
PROGRAM, BY_HAND, CURVES = "train.py", "classifier.py", "curves.json"


def example(folder: Path, language: Language) -> Shown:
    """The program with the lines that `migrate` changed, as a diff; on either side the part that is ported by hand; and
    the runs of both, by number of ranks."""
    program, port = (_text(folder, side, PROGRAM) for side in SIDES)
    curves = json.loads(folder.joinpath(CURVES).read_text("utf-8"))
    changed = [line for line in difflib.ndiff(program.splitlines(), port.splitlines()) if line[0] in "-+"]
    by_hand = {side: _text(folder, side, BY_HAND) for side in SIDES}
    runs = [_run(int(ranks), run, language) for ranks, run in sorted(curves.items())]
    return {"changed": "\n".join(changed), "program": program, **by_hand, "runs": runs}


def _text(folder: Path, side: str, name: str) -> str:
    return (folder / side / name).read_text("utf-8").rstrip("\n")


def _run(ranks: int, run: dict[str, list[dict[str, float]]], language: Language) -> Shown:
    """Both programs on one number of ranks: how far the two loss curves are apart, and by program the loss and the
    accuracy after the last epoch."""
    texts = {key: each[language] for key, each in catalogue("site").items()}
    names = {"torch": "PyTorch", "mindspore": "MindSpore"}
    losses = {side: tuple(epoch["loss"] for epoch in run[side]) for side in names}
    gap = max(abs(one - other) for one, other in zip(*losses.values(), strict=True))
    last = tuple((names[side], f"{run[side][-1]['loss']:.4f}", f"{run[side][-1]['accuracy']:.3f}") for side in names)
    said = {"ranks": str(ranks), "gap": f"{gap:.0e}"}
    heading, title, apart = (fill(texts[f"example_{key}"], said, language) for key in ("ranks", "curve", "gap"))
    series = [Series(names[side], values) for side, values in losses.items()]
    picture = line_chart(title, texts["example_epoch"], series)
    return {"id": f"ranks-{ranks}", "heading": heading, "picture": picture, "gap": apart, "last": last}
