"""The page of an example program, from the files that run: what changed in the port, both programs, both curves.

In go a folder of `examples/` and a language; out comes what the page prints. The curves are the file that
`compare.py` of the example writes.
"""

from __future__ import annotations

import difflib
import json
from dataclasses import dataclass
from pathlib import Path

from mapspore.chart import Series, line_chart
from mapspore.phrases import Language, catalogue, fill

PART = "# -- the distributed part "
BEFORE, AFTER, CURVES = "train_torch.py", "train_mindspore.py", "curves.json"


@dataclass(frozen=True, slots=True)
class RunView:
    """Both programs on one number of ranks."""

    id: str
    heading: str
    picture: str
    gap: str
    """How far the two loss curves are apart."""
    last: tuple[tuple[str, str, str], ...]
    """By program: its name, the loss and the accuracy after the last epoch."""


@dataclass(frozen=True, slots=True)
class ExampleView:
    imports: str
    """The lines of the distributed part and its imports that differ, as a diff."""
    distributed: str
    before: str
    after: str
    commands: str
    """How both are started, as their first lines say."""
    runs: tuple[RunView, ...]


def example(folder: Path, language: Language) -> ExampleView:
    before, after = (folder.joinpath(name).read_text("utf-8") for name in (BEFORE, AFTER))
    curves = json.loads(folder.joinpath(CURVES).read_text("utf-8"))
    return ExampleView(
        imports="\n".join(changed_imports(before, after)),
        distributed=distributed_part(before),
        before=before.rstrip("\n"),
        after=after.rstrip("\n"),
        commands="\n".join(line.strip() for text in (before, after) for line in text.splitlines()[2:3]),
        runs=tuple(_run(int(ranks), run, language) for ranks, run in sorted(curves.items())),
    )


def distributed_part(program: str) -> str:
    """The functions that communicate: what stands under their heading, up to the next one."""
    return program.partition(PART)[2].partition("\n")[2].partition("# -- ")[0].strip("\n")


def changed_imports(before: str, after: str) -> list[str]:
    """The imports that the distributed part uses and that differ."""
    one, other = (
        [line for line in text.splitlines() if line.startswith(("import ", "from ")) and "distributed" in line]
        for text in (before, after)
    )
    return [line for line in difflib.ndiff(one, other) if line[0] in "-+"]


def _run(ranks: int, run: dict[str, list[dict[str, float]]], language: Language) -> RunView:
    texts = {key: each[language] for key, each in catalogue("site").items()}
    names = {"torch": "PyTorch", "mindspore": "MindSpore"}
    losses = {side: tuple(epoch["loss"] for epoch in run[side]) for side in names}
    gap = max(abs(one - other) for one, other in zip(*losses.values(), strict=True))
    last = tuple((names[side], f"{run[side][-1]['loss']:.4f}", f"{run[side][-1]['accuracy']:.3f}") for side in names)
    said = {"ranks": str(ranks), "gap": f"{gap:.0e}"}
    heading, title, apart = (fill(texts[f"example_{key}"], said, language) for key in ("ranks", "curve", "gap"))
    series = [Series(names[side], values) for side, values in losses.items()]
    return RunView(f"ranks-{ranks}", heading, line_chart(title, texts["example_epoch"], series), apart, last)
