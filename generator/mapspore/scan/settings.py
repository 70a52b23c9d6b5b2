"""What a scan is told: options of the command line over `[tool.mapspore.scan]` of the nearest `pyproject.toml`."""

from __future__ import annotations

import argparse
import os
import re
from pathlib import Path
from typing import Any, Literal, NamedTuple

from mapspore.base.diagnostics import WRONG_USAGE, Refusal
from mapspore.base.read_file import Unreadable, read_file
from mapspore.scan.codes import CODES

Format = Literal["text", "json", "sarif", "md", "html"]
FORMATS: tuple[Format, ...] = ("text", "json", "sarif", "md", "html")
TABLE = ("tool", "mapspore", "scan")
LARGEST = 4 * 1024 * 1024
_ADDRESS = re.compile(r"https?://[\w.\-\[\]:@]+(?:/[\w.\-~:/?#@!$&*+,;=%]*)?")
"""Nothing that a terminal, Markdown or HTML could take for something else."""


class Settings(NamedTuple):
    format: Format = "text"
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    baseline: str = ""
    site: str = ""
    overlay: tuple[Path, ...] = ()


def settings(args: argparse.Namespace) -> Settings:
    """The options of a run."""
    if args.jobs < 0:
        raise Refusal("C401", exit_code=WRONG_USAGE)
    configured, home = _configured(args.paths)
    given: dict[str, Any] = {
        "format": getattr(args, "format", None),
        "select": _codes(getattr(args, "select", None), "--select"),
        "ignore": _codes(getattr(args, "ignore", None), "--ignore"),
        "exclude": tuple(args.exclude or ()),
        "baseline": getattr(args, "baseline", None),
        "site": getattr(args, "site", None),
        "overlay": tuple(args.overlay or ()),
    }
    usual = {"site": os.environ.get("MAPSPORE_SITE", "")}
    values = {**usual, **configured, **{key: value for key, value in given.items() if value}}
    for key in ("baseline",):
        if key in configured and values[key] is configured[key]:
            values[key] = str(home / configured[key])
    if values.get("overlay") is configured.get("overlay") and "overlay" in configured:
        values["overlay"] = tuple(home / folder for folder in configured["overlay"])
    if values["site"] and not _ADDRESS.fullmatch(values["site"]):
        raise Refusal("C402", exit_code=WRONG_USAGE, given=values["site"])
    return Settings(**values)


def _configured(paths: list[str]) -> tuple[dict[str, Any], Path]:
    """The table of the nearest `pyproject.toml` at or above the first path, and the folder that it lies in."""
    first = Path(os.path.abspath(paths[0] if paths[0] != "-" else "."))
    for folder in (first, *first.parents):
        file = folder / "pyproject.toml"
        if not file.is_file():
            continue
        import tomllib

        try:
            data: Any = tomllib.loads(read_file(file, LARGEST).decode("utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
            raise _wrong(file, "toml", detail=str(problem)) from None
        except RecursionError:
            raise _wrong(file, "deep") from None
        except Unreadable as problem:
            raise _wrong(file, "unreadable", reason=problem.reason) from None
        for at, key in enumerate(TABLE, 1):
            data = data.get(key, {})
            if not isinstance(data, dict):
                raise _wrong(file, "table", key=".".join(TABLE[:at]))
        return _checked(data, file), folder
    return {}, Path()


_LISTS = ("select", "ignore", "exclude", "overlay")


def _checked(data: dict[str, Any], file: Path) -> dict[str, Any]:
    known = Settings._fields
    for key, value in data.items():
        if key not in known:
            import difflib

            near = "".join(difflib.get_close_matches(key, known, n=1))
            raise _wrong(file, "key", hint="near" if near else "", key=key, near=near)
        wanted = list if key in _LISTS else str
        if not isinstance(value, wanted) or (wanted is list and not all(isinstance(v, str) for v in value)):
            raise _wrong(file, "list" if wanted is list else "text", key=key)
        if key in ("select", "ignore"):
            _codes(",".join(value), f"{file.name}: {key}")
    if data.get("format", "text") not in FORMATS:
        raise _wrong(file, "format", given=data["format"])
    return {key: tuple(value) if isinstance(value, list) else value for key, value in data.items()}


def _wrong(file: Path, variant: str, hint: str = "", **values: str) -> Refusal:
    return Refusal("C403", variant, hint=hint, exit_code=WRONG_USAGE, file=file, **values)


def _codes(text: str | None, where: str) -> tuple[str, ...]:
    """Codes, or their beginnings, from a list with commas."""
    found = tuple(part.strip().upper() for part in (text or "").split(",") if part.strip())
    for code in found:
        if not re.fullmatch(r"S\d{0,3}", code) or not any(known.startswith(code) for known in CODES):
            raise Refusal("C404", exit_code=WRONG_USAGE, code=code, where=where)
    return found
