"""What whole programs did, as `verify --programs` found it. In: a registry's root and its mappings. Out: the result of
each program, and whether it still holds: the program's text, the adapter's code that it reaches and the judge are what
they were. Needs no framework; running programs is left to `verify`.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal

from mapspore.base.cache import apart, digest_of
from mapspore.base.paths import evidence_folder
from mapspore.base.read_file import Unreadable, read_file
from mapspore.cases.programs import ranks_of
from mapspore.evidence.files import LARGEST, PLATFORM, PLATFORM_OF_RANKS, is_version
from mapspore.evidence.fingerprint import Fingerprints
from mapspore.resolve.registry import Registry

FORMAT = 1
JUDGE = 1
"""The number of the judge: what is observed of a program, and how far its curves may be apart. Whoever changes that so
that an outcome can change raises it."""
FOLDER = "examples/programs"
KEPT = "programs"
"""The folder of results, below that of the evidence."""

Outcome = Literal["agrees", "differs", "fails", "ill_posed", "no_reference"]
"""Within its tolerance; not; stopped by an error; rounding alone takes torch's own curve too far away, so that nothing
is said; torch itself does not come to the end."""
OUTCOMES: tuple[Outcome, ...] = ("agrees", "differs", "fails", "ill_posed", "no_reference")


@dataclass(frozen=True, slots=True)
class Program:
    """A program as it stands in `examples/programs`."""

    name: str
    text: str

    @property
    def ranks(self) -> int:
        return ranks_of(self.text)

    @property
    def platform(self) -> str:
        return PLATFORM_OF_RANKS if self.ranks > 1 else PLATFORM

    @property
    def about(self) -> str:
        """What it says of itself, in its first sentence."""
        try:
            return (ast.get_docstring(ast.parse(self.text)) or "").partition("\n")[0]
        except (SyntaxError, ValueError):
            return ""


@dataclass(frozen=True, slots=True)
class ProgramRun:
    """What running a program on both sides has shown."""

    program: str
    outcome: Outcome
    ranks: int
    platform: str
    processor: str
    versions: dict[str, str]
    apis: tuple[str, ...]
    """What of torch it uses: by its text, and by what a run of torch recorded."""
    lacking: tuple[str, ...] = ()
    """Of these, where it did not come to its end, the names that no adapter stands behind."""
    says: str = ""
    """The last line of the error that ended it."""
    deviation: dict[str, float | None] | None = None
    """By sort, how far the curves are apart; None where they cannot be compared."""
    worst: str = ""
    bound: dict[str, float | None] | None = None
    seconds: dict[str, float] | None = None
    """By framework, the median time of a step."""
    losses: dict[str, tuple[float | None, ...]] | None = None
    """By framework, the loss of every backward pass, to six digits; None where it is no finite number."""
    holds: bool = False
    """Whether nothing of what was run has changed since."""

    @property
    def steps(self) -> int:
        return len(self.losses["torch"]) if self.losses else 0


def programs(root: Path) -> dict[str, Program]:
    """The programs of a registry by name; one elsewhere need not have any."""
    found = sorted((root / FOLDER).glob("[a-z]*.py"))
    return {file.stem: Program(file.stem, file.read_text("utf-8")) for file in found}


def file_of(root: Path, name: str) -> Path:
    return evidence_folder(root) / KEPT / f"{name}.json"


def fingerprint(program: Program, apis: tuple[str, ...], registry: Registry, prints: Fingerprints) -> dict[str, Any]:
    """What a result is bound to: the program, the adapter's code that its APIs reach, the judge."""
    answering = (registry.answering(name) for name in apis)
    code = prints.code_of(mapping.name for mapping in answering if mapping is not None)
    return {"text": digest_of(apart([program.text.encode()])), "code": code, "judge": JUDGE}


def write(root: Path, result: ProgramRun, bound_to: Mapping[str, Any]) -> None:
    """Keep a result."""
    file = file_of(root, result.program)
    file.parent.mkdir(parents=True, exist_ok=True)
    data = {"format": FORMAT, "fingerprint": dict(bound_to), **as_data(result)}
    file.write_text(json.dumps(data, ensure_ascii=False, indent=1, sort_keys=True) + "\n", "utf-8")


def as_data(result: ProgramRun) -> dict[str, Any]:
    """A result as JSON keeps it."""
    return {key: value for key, value in asdict(result).items() if key != "holds"}


def results(root: Path, registry: Registry) -> Iterator[tuple[Program, ProgramRun]]:
    """The results of the programs that are there, in order of names; what cannot be understood is as good as none."""
    there = {name: program for name, program in programs(root).items() if file_of(root, name).is_file()}
    prints = Fingerprints(root, registry.mappings, kept=KEPT)
    for name, program in there.items():
        file = file_of(root, name)
        try:
            data = json.loads(read_file(file, LARGEST))
            result = _result(data)
            now = fingerprint(program, result.apis, registry, prints)
            holds = data["format"] == FORMAT and data["fingerprint"] == now and result.program == name
        except (Unreadable, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            continue
        yield program, replace(result, holds=holds)
    if there:
        prints.save()


def _result(data: dict[str, Any]) -> ProgramRun:
    if data["outcome"] not in OUTCOMES or not all(is_version(each) for each in data["versions"].values()):
        raise ValueError(data["outcome"])
    losses = data["losses"]
    return ProgramRun(
        program=str(data["program"]),
        outcome=data["outcome"],
        ranks=int(data["ranks"]),
        platform=str(data["platform"]),
        processor=str(data["processor"]),
        versions={str(name): str(version) for name, version in data["versions"].items()},
        apis=tuple(str(name) for name in data["apis"]),
        lacking=tuple(str(name) for name in data["lacking"]),
        says=str(data["says"]),
        deviation=data["deviation"],
        worst=str(data["worst"]),
        bound=data["bound"],
        seconds=data["seconds"],
        losses=losses
        and {
            side: tuple(None if loss is None else float(loss) for loss in losses[side])
            for side in ("torch", "mindspore")
        },
    )
