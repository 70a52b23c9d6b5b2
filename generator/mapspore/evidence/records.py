"""What programs printed. In: a registry's root and a mapping. Out: the record of its last run, if it is of these very
programs. Needs no framework; the files under `runs/` are written by `mapspore record` only.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mapspore.base.cache import apart, digest_of
from mapspore.base.read_file import Unreadable, read_file
from mapspore.cases.programs import Programs
from mapspore.evidence.files import LARGEST, PLATFORMS, is_version, place

FORMAT = 1
FOLDER = "runs"


@dataclass(frozen=True, slots=True)
class Record:
    ranks: int
    torch: str
    mindspore: str
    platform: str
    output: tuple[str, ...]
    """What the program for torch printed: the lines of all ranks in the order of ranks."""
    after: tuple[str, ...] | None
    """The same of the other program; None where this platform cannot run it."""


def digest(programs: Programs) -> str:
    return digest_of(apart(text.encode() for text in (programs.before, programs.after)))


def file_of(root: Path, name: str) -> Path:
    return root / FOLDER / place(name)


def record_of(root: Path, name: str, programs: Programs) -> Record | None:
    """None where they were never run, or have changed since."""
    try:
        data = json.loads(read_file(file_of(root, name), LARGEST))
        if data["format"] != FORMAT or data["digest"] != digest(programs):
            return None
        output = tuple(str(line) for line in data["output"])
        other = data.get("after", output)  # told only where it is not the same
        after = None if other is None else tuple(str(line) for line in other)
        if data["platform"] not in PLATFORMS or not all(is_version(data[name]) for name in ("torch", "mindspore")):
            return None
        return Record(int(data["ranks"]), data["torch"], data["mindspore"], data["platform"], output, after)
    except (Unreadable, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def text(name: str, programs: Programs, ran: dict[str, Any], output: list[str], after: list[str] | None) -> str:
    """The file of an entry: the same run gives the same bytes."""
    data = {"format": FORMAT, "entry": name, "digest": digest(programs), **ran, "output": output}
    if after != output:
        data["after"] = after
    return json.dumps(data, ensure_ascii=False, indent=2, sort_keys=True) + "\n"
