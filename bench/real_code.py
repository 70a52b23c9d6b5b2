"""Real code from the package index, fetched into a folder and never committed: what `scan` is tried on."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tarfile
import warnings
import zipfile
from pathlib import Path

PACKAGES = {"fairscale": "fairscale==0.4.13", "deepspeed": "deepspeed==0.19.8", "transformers": "transformers==5.22.2"}
PACONVERT = "paconvert==3.3.1"


def fetch(name: str, folder: Path) -> Path:
    """The unpacked source of one package."""
    target = folder / name
    if target.is_dir():
        return target
    loads = folder / f"{name}-download"
    command = [sys.executable, "-m", "pip", "download", "-qq", "--no-deps", PACKAGES[name]]
    subprocess.run([*command, "-d", str(loads)], env=_unconstrained(), check=True, stderr=subprocess.DEVNULL)
    (archive,) = loads.iterdir()
    if archive.suffix == ".whl":
        zipfile.ZipFile(archive).extractall(target)
    else:
        with tarfile.open(archive) as packed:
            packed.extractall(target, filter="data")
    return target


def paconvert(folder: Path) -> Path:
    """The program PaConvert in an environment of its own."""
    program = folder / "paconvert-env" / "bin" / "paconvert"
    if not program.exists():
        subprocess.run([sys.executable, "-m", "venv", str(program.parents[1])], check=True)
        pip = [str(program.with_name("pip")), "install", "-qq", PACONVERT]
        subprocess.run(pip, env=_unconstrained(), check=True, stderr=subprocess.DEVNULL)
    return program


def _unconstrained() -> dict[str, str]:
    """The environment without our pins, which are not meant for other programs."""
    return {key: value for key, value in os.environ.items() if not key.endswith("_CONSTRAINT")}


def parses(path: Path) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(path.read_bytes())
    except (SyntaxError, ValueError, RecursionError):
        return False
    return True
