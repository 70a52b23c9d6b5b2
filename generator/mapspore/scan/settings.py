"""What a scan is told: options of the command line over `[tool.mapspore.scan]` of the nearest `pyproject.toml`."""

from __future__ import annotations

import argparse
import os
import re
from pathlib import Path
from typing import Any, Literal, NamedTuple

from mapspore.base.diagnostics import Refusal
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
        raise Refusal(
            "--jobs needs a number from 0 on.", "0 means one process per core.", 2,
            zh=("--jobs 应为不小于 0 的整数。", "0 表示每核一个进程。"),
        )  # fmt: skip
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
        raise Refusal(
            f"`{values['site']}` is no address of a site.", "It begins with http:// or https://.", 2,
            zh=(f"`{values['site']}` 不是站点地址。", "地址应以 http:// 或 https:// 开头。"),
        )  # fmt: skip
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
            raise _wrong(file, f"is no TOML: {problem}", f"不是合法的 TOML：{problem}") from None
        except RecursionError:
            raise _wrong(file, "is nested too deeply", "嵌套过深") from None
        except Unreadable as problem:
            raise _wrong(file, f"cannot be read: {problem.en}", f"无法读取：{problem.zh}") from None
        for at, key in enumerate(TABLE, 1):
            data = data.get(key, {})
            if not isinstance(data, dict):
                name = ".".join(TABLE[:at])
                raise _wrong(file, f"needs a table for `{name}`", f"中 `{name}` 应为表")
        return _checked(data, file), folder
    return {}, Path()


_LISTS = ("select", "ignore", "exclude", "overlay")


def _checked(data: dict[str, Any], file: Path) -> dict[str, Any]:
    known = Settings._fields
    for key, value in data.items():
        if key not in known:
            import difflib

            near = difflib.get_close_matches(key, known, n=1)
            meant = (f"; did you mean `{near[0]}`?", f"，是否想写 `{near[0]}`？") if near else ("", "")
            raise _wrong(
                file,
                f"has an unknown key `{key}` in [tool.mapspore.scan]{meant[0]}",
                f"的 [tool.mapspore.scan] 中有未知的键 `{key}`{meant[1]}",
            )
        wanted = list if key in _LISTS else str
        if not isinstance(value, wanted) or (wanted is list and not all(isinstance(v, str) for v in value)):
            kind = ("a list of strings", "字符串列表") if wanted is list else ("a string", "字符串")
            raise _wrong(file, f"needs {kind[0]} for `{key}`", f"中 `{key}` 应为{kind[1]}")
        if key in ("select", "ignore"):
            _codes(",".join(value), f"{file.name}: {key}")
    if data.get("format", "text") not in FORMATS:
        raise _wrong(file, f"has no such format `{data['format']}`", f"中没有 `{data['format']}` 这种格式")
    return {key: tuple(value) if isinstance(value, list) else value for key, value in data.items()}


def _wrong(file: Path, en: str, zh: str) -> Refusal:
    hint = ("The keys are those of `mapspore scan --help`.", "可用的键见 `mapspore scan --help`。")
    return Refusal(
        f"`{file}` {en.rstrip('?')}{'?' if en.endswith('?') else '.'}", hint[0], 2, zh=(f"`{file}` {zh}。", hint[1])
    )


def _codes(text: str | None, where: str) -> tuple[str, ...]:
    """Codes, or their beginnings, from a list with commas."""
    found = tuple(part.strip().upper() for part in (text or "").split(",") if part.strip())
    for code in found:
        if not re.fullmatch(r"S\d{0,3}", code) or not any(known.startswith(code) for known in CODES):
            raise Refusal(
                f"`{code}` is no code of a finding ({where}).", "`mapspore explain` lists the codes.", 2,
                zh=(f"`{code}` 不是发现的代码（{where}）。", "全部代码见 `mapspore explain`。"),
            )  # fmt: skip
    return found
