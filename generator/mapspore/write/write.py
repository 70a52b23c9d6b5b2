"""Stage 7, write or compare: artifacts in memory against a folder on disk.

Everything is staged beside its destination first and then put in place by renaming, so a full disk or an
interruption leaves either the old files or the new ones. A file is only ever deleted if its first line says
that it was generated.
"""

from __future__ import annotations

import contextlib
import difflib
import fcntl
import os
import signal
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from mapspore.base.artifact import MARK, Artifact
from mapspore.base.diagnostics import Refusal


@dataclass(frozen=True, slots=True)
class Plan:
    """What would change: artifacts that are new or differ, and generated files that nothing makes any more."""

    folder: Path
    changed: tuple[Artifact, ...]
    stale: tuple[str, ...]
    unchanged: int

    @property
    def empty(self) -> bool:
        return not self.changed and not self.stale


def compare(artifacts: Iterable[Artifact], folder: Path, owned: Iterable[str]) -> Plan:
    """The plan for a folder; in the `owned` subfolders, generated files without an artifact are stale."""
    changed: list[Artifact] = []
    expected: set[str] = set()
    unchanged = 0
    for artifact in artifacts:
        expected.add(artifact.path)
        if _read(folder / artifact.path) == artifact.text.encode("utf-8"):
            unchanged += 1
        else:
            changed.append(artifact)
    stale = [path for place in owned for path in _generated(folder, place) if path not in expected]
    return Plan(folder, tuple(changed), tuple(sorted(stale)), unchanged)


def difference(plan: Plan) -> Iterator[str]:
    """The plan as a unified diff."""
    for artifact in plan.changed:
        old = (_read(plan.folder / artifact.path) or b"").decode("utf-8", "replace")
        yield from _unified(artifact.path, old, artifact.text)
    for path in plan.stale:
        yield from _unified(path, (_read(plan.folder / path) or b"").decode("utf-8", "replace"), "")


def write(plan: Plan) -> None:
    """Carries the plan out, whole or not at all."""
    staged: list[tuple[Path, Path]] = []
    placed = 0
    try:
        for artifact in plan.changed:
            destination = plan.folder / artifact.path
            destination.parent.mkdir(parents=True, exist_ok=True)
            staging = destination.with_name(f".mapspore-{os.getpid()}-{len(staged)}")
            staged.append((staging, destination))  # before there is such a file: an interruption comes at any moment
            with staging.open("wb") as stream:
                stream.write(artifact.text.encode("utf-8"))
                os.fchmod(stream.fileno(), 0o644)
        with _uninterrupted():
            while staged:
                os.replace(*staged[0])
                del staged[0]
                placed += 1
            for path in plan.stale:
                (plan.folder / path).unlink(missing_ok=True)
    except OSError as problem:
        raise _unwritable(problem, plan.folder, placed) from None
    finally:
        for staging, _ in staged:
            with contextlib.suppress(OSError):
                staging.unlink()


@contextlib.contextmanager
def alone(root: Path) -> Iterator[None]:
    """Holds the registry for one writer at a time; a second one waits."""
    folder = os.open(root / "mappings", os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


@contextlib.contextmanager
def _uninterrupted() -> Iterator[None]:
    """Holds back Ctrl-C for the moment of renaming."""
    signals = {signal.SIGINT, signal.SIGTERM}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _generated(folder: Path, place: str) -> Iterator[str]:
    """The files below a place whose first line carries our mark."""
    for below, _, names in os.walk(folder / place):
        for name in names:
            if name.endswith(".py"):
                path = Path(below, name)
                with contextlib.suppress(OSError), open(path, "rb") as stream:
                    if MARK.encode() in stream.readline(300):
                        yield path.relative_to(folder).as_posix()


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except IsADirectoryError:
        raise Refusal(
            f"`{path.name}` is a folder, and a file is to be written there.",
            "Name a file, or remove the folder.",
            zh=(f"`{path.name}` 是文件夹，而此处要写入文件。", "请改用文件名，或删除该文件夹。"),
        ) from None
    except OSError as problem:
        reason = (problem.strerror or str(problem)).lower()
        raise Refusal(
            f"Cannot read `{path.name}`: {reason}.",
            "Check its permissions.",
            zh=(f"无法读取 `{path.name}`：{reason}。", "请检查文件权限。"),
        ) from None


def _unified(path: str, old: str, new: str) -> Iterator[str]:
    return difflib.unified_diff(old.splitlines(keepends=True), new.splitlines(keepends=True), f"a/{path}", f"b/{path}")


def _unwritable(problem: OSError, folder: Path, placed: int) -> Refusal:
    """The refusal for a place that cannot be written, and what has happened until then."""
    reason = (problem.strerror or str(problem)).lower()
    name = problem.filename2 or problem.filename
    where = ""
    if isinstance(name, str):
        where = f" `{Path(name).name}`"
        with contextlib.suppress(ValueError):
            where = f" in `{Path(name).parent.relative_to(folder).as_posix()}/`"
    so_far = f"{placed} files are new, the rest is as it was" if placed else "nothing was changed"
    happened = f"已更新 {placed} 个文件，其余保持原样" if placed else "没有任何改动"
    return Refusal(
        f"Cannot write{where}: {reason}; {so_far}.",
        "Free the place or mend its permissions and run it again.",
        zh=(f"无法写入{where}：{reason}；{happened}。", "请检查磁盘空间和权限后重新运行。"),
    )
