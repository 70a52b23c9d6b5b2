"""The version of mapspore itself, as installed or, in a checkout that is not installed, as declared there."""

from __future__ import annotations

from functools import cache

from mapspore.base.paths import engine_home


@cache
def version() -> str:
    # Both ways are slow to import, and only `--version` and a few reports need them.
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as installed

    try:
        return installed("mapspore")
    except PackageNotFoundError:
        import tomllib

        with open(engine_home() / "pyproject.toml", "rb") as stream:
            return str(tomllib.load(stream)["project"]["version"])


ANSWER_FORMAT = 2
"""The number of the JSON format of `export json` and `show --format json`; the site's guide `json-format` has it."""
