"""Runs whole programs on both sides. In: a program as it is. Out: what it did through the adapter, compared with torch:
the loss of every step, all first gradients, the state at the end. Each run has a process of its own, or one per rank;
torch runs once as it is and once with its weights perturbed, which tells how far apart the curves may be.

Watching a program is left to `observe`, comparing to `deviation`, keeping the result to `evidence.programs`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from mapspore.evidence.programs import FOLDER, Outcome, Program, ProgramRun
from mapspore.resolve.registry import Registry
from mapspore.verify.curves import observe
from mapspore.verify.curves.deviation import SORTS, Bound, Curve, Deviation, bound, deviation
from mapspore.verify.curves.names import named

LIMIT = 3600.0
"""Seconds of one run."""
DIGITS = 6
SEED = 0
"""Of the noise on the weights."""
PARTS = ("reference", "perturbed", "adapter")
ASKING = """
import sys
from torchspore._runtime.random.processor import vendor
from torchspore.run import is_here
print(vendor(), *(name for name in sys.argv[1:] if not is_here(name)), sep="\\n")
"""
Report = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Roots:
    """Where programs are run: the registry's root, and the folder that holds the adapter if it has one of its own."""

    root: Path
    adapter: Path | None


@dataclass(frozen=True, slots=True)
class Ran:
    """What one run left: its curve, or the last line of the error that ended it; and what of torch it used."""

    curve: Curve | None
    says: str = ""
    used: frozenset[str] = frozenset()


def run_program(
    program: Program, place: Roots, registry: Registry, versions: dict[str, str], report: Report
) -> ProgramRun:
    """Run a program three times and compare."""
    ran: dict[str, Ran] = {}
    with tempfile.TemporaryDirectory(prefix="mapspore-program-") as folder:
        for part in PARTS:
            report(part)
            ran[part] = _run(program, part, place, Path(folder, part))
            if ran[part].curve is None and part != "adapter":
                break
    names = named(program.text) | ran.get("perturbed", Ran(None)).used
    apis = tuple(sorted({found for name in names if (found := _api(name, registry))}))
    told = judged(ran)
    processor, missing = _asked(place, apis if told["outcome"] == "fails" else ())
    lacking = tuple(name for name in apis if name in missing or (missing and _only_raises(name, registry)))
    return ProgramRun(
        program=program.name, ranks=program.ranks, platform=program.platform, processor=processor, versions=versions,
        apis=apis, lacking=lacking, **told,
    )  # fmt: skip


def _api(name: str, registry: Registry) -> str | None:
    """The API that a name means, if torch has one of it; a member that the entry of its class answers for is itself."""
    found = registry.answering(name)
    if found is None:
        return registry.torch.resolve(name)
    return name if name.startswith(f"{found.name}.") else found.name


def _only_raises(name: str, registry: Registry) -> bool:
    """Whether the entry of a name has nothing but a sentence."""
    found = registry.answering(name)
    return found is not None and found.only_raises


def _asked(place: Roots, names: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """Whose processor it is, which decides some random streams; and for which of some names nothing stands in the
    adapter, whose tensors have more members than there are entries."""
    done = subprocess.run(
        [sys.executable, "-c", ASKING, *names], env=_environment("adapter", place), capture_output=True, text=True,
        timeout=LIMIT, check=True,
    )  # fmt: skip
    processor, *lacking = done.stdout.split("\n")
    return processor, tuple(name for name in lacking if name)


def judged(ran: dict[str, Ran]) -> dict[str, Any]:
    """The outcome, with what was measured for it."""
    unfinished = next((each for each in ran.values() if each.curve is None), None)
    if unfinished is not None:
        return {"outcome": "fails" if "adapter" in ran else "no_reference", "says": unfinished.says}
    reference, perturbed, adapter = (ran[part].curve or {} for part in PARTS)
    allowed, found = bound(reference, perturbed), deviation(reference, adapter)
    outcome: Outcome = "ill_posed" if allowed.ill_posed else "agrees" if allowed.holds(found) else "differs"
    sides = {"torch": reference, "mindspore": adapter}
    return {
        "outcome": outcome,
        "deviation": _by_sort(found),
        "worst": found.worst,
        "bound": _by_sort(allowed),
        "seconds": {side: float(f"{np.median(curve['seconds']):.3g}") for side, curve in sides.items()},
        "losses": {side: tuple(_short(loss) for loss in curve["loss"]) for side, curve in sides.items()},
    }


def _by_sort(measured: Deviation | Bound) -> dict[str, float | None]:
    values = {sort: float(getattr(measured, sort)) for sort in SORTS}
    return {sort: float(f"{value:.2e}") if np.isfinite(value) else None for sort, value in values.items()}


def _short(loss: float) -> float | None:
    return float(f"{loss:.{DIGITS}g}") if np.isfinite(loss) else None


def _run(program: Program, part: str, place: Roots, folder: Path) -> Ran:
    """One run in a folder of its own, where the program may leave files."""
    folder.mkdir()
    out, used = folder / "curve.npz", folder / "used.txt"
    options = ["--perturb", str(SEED), "--used", str(used)] if part == "perturbed" else []
    file = place.root / FOLDER / f"{program.name}.py"
    command = [*_starts(part, program.ranks), observe.__file__, *options, str(out), str(file)]
    try:
        done = subprocess.run(
            command, cwd=folder, env=_environment(part, place), stdin=subprocess.DEVNULL, capture_output=True,
            text=True, errors="replace", timeout=LIMIT, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return Ran(None, f"no end within {LIMIT:.0f} seconds")
    ranks: list[str | None] = [None] if program.ranks == 1 else [str(rank) for rank in range(program.ranks)]
    files = [observe.file_of(out, rank) for rank in ranks]
    if not all(each.is_file() for each in files):  # what ended its run after the curve was written does not matter
        return Ran(None, _said([observe.error_of(each) for each in files], done))
    known = frozenset(used.read_text("utf-8").split("\n")) if used.is_file() else frozenset()
    return Ran(together(_read(each) for each in files), used=known)


def _starts(part: str, ranks: int) -> list[str]:
    """What starts a script on one side."""
    alias = ["-m", "torchspore.run"]
    if ranks == 1:
        return [sys.executable, *(alias if part == "adapter" else [])]
    if part == "adapter":
        return [sys.executable, "-m", "torchspore.launch", "--nproc", str(ranks), *alias]
    return [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", str(ranks)]


def _environment(part: str, place: Roots) -> dict[str, str]:
    own = [str(place.adapter)] if part == "adapter" and place.adapter is not None else []
    path = [*own, *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "GLOG_v": "3", "PYTHONPATH": os.pathsep.join(path), "PYTHONUNBUFFERED": "1"}


def _read(file: Path) -> Curve:
    with np.load(file) as curve:
        return dict(curve)


def together(ranks: Iterable[Curve]) -> Curve:
    """The curves of all ranks as one: each name of a further rank says whose it is, after what sort it is."""
    first, *others = ranks
    whole = dict(first)
    for number, curve in enumerate(others, 1):
        for name, values in curve.items():
            sort, _, rest = name.partition("/")
            if sort in SORTS:
                whole[f"{sort}/rank {number}/{rest}"] = values
    return whole


def _said(errors: list[Path], done: subprocess.CompletedProcess[str]) -> str:
    """Why a run came to no end: the error of the first rank that had one, or else the last that was printed."""
    told = [file.read_text("utf-8") for file in errors if file.is_file()]
    lines = [*told[:1], *done.stderr.strip().splitlines()[-1:], f"exit code {done.returncode}"]
    return lines[0].strip().partition("\n")[0]
