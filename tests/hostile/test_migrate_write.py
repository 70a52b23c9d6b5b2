"""`migrate --write` over other people's files: H1 to H4, H9, H17, H20."""

from __future__ import annotations

import os
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from programs import GOOD, HOME, MOVED, Ended, Git

pytestmark = pytest.mark.processes  # git is asked
Run = Callable[..., Any]
Committed = Callable[..., list[Path]]
EDITED = GOOD + "# an edit that nobody may lose\n"


def write(mapspore: Run, *arguments: object) -> Any:
    return mapspore("migrate", *arguments, "--write", "--no-cache", "--root", HOME)


def test_h1_an_edit_made_while_it_runs_stays(
    here: Path, committed: Committed, mapspore: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = committed(2)
    staged = os.fchmod

    def meanwhile(handle: int, mode: int) -> None:
        if os.readlink(f"/proc/self/fd/{handle}").startswith(str(here)):
            second.write_text(EDITED, "utf-8")
        staged(handle, mode)

    monkeypatch.setattr(os, "fchmod", meanwhile)
    done = write(mapspore, ".")
    assert second.read_text("utf-8") == EDITED and first.read_text("utf-8") == MOVED
    assert done.code == 1 and "m1.py: not written: it has changed since it was read; run it again." in done.err
    assert "1 of 2 files that use torch can run on MindSpore now; 1 of 2 programs." in done.err


def _another_owner(here: Path) -> None:
    if os.geteuid() == 0:
        for path in (here, *here.rglob("*")):
            os.chown(path, 1234, 1234, follow_symlinks=False)
    else:  # what git says there in either case
        (here / ".git" / "config").write_text("[broken")


FAILURES: dict[str, Callable[[Path, pytest.MonkeyPatch], None]] = {
    "another owner": lambda here, patch: _another_owner(here),
    "broken configuration": lambda here, patch: (here / ".git" / "config").write_text("[broken") and None,
    "broken head": lambda here, patch: (here / ".git" / "HEAD").write_text("no head") and None,
    "GIT_DIR leads nowhere": lambda here, patch: patch.setenv("GIT_DIR", str(here / "nowhere")),
    "no git": lambda here, patch: patch.setenv("PATH", str(here)),
    "empty .git": lambda here, patch: _empty(here / ".git"),
    ".git of elsewhere": lambda here, patch: _elsewhere(here),
}


def _empty(folder: Path) -> None:
    folder.rename(folder.with_name("was"))
    folder.mkdir()


def _elsewhere(here: Path) -> None:
    with open(here / ".git" / "config", "a", encoding="utf-8") as stream:
        stream.write(f"[core]\n\tworktree = {here.parent}\n")


@pytest.mark.parametrize("failure", FAILURES)
def test_h2_git_that_fails_is_no_leave_to_write(
    failure: str, here: Path, committed: Committed, mapspore: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    (file,) = committed()
    file.write_text(EDITED, "utf-8")
    FAILURES[failure](here, monkeypatch)
    done = write(mapspore, ".")
    assert file.read_text("utf-8") == EDITED
    assert done.code == 1 and "It cannot be told whether git could bring the files back" in done.err
    assert "--force" in done.err
    assert write(mapspore, ".", "--force").code == 0
    assert file.read_text("utf-8") == EDITED.replace("torch.", "torchspore.")


def test_h2_outside_of_a_repository_it_writes(here: Path, mapspore: Run) -> None:
    (here / "a.py").write_text(GOOD, "utf-8")
    assert write(mapspore, "a.py").code == 0
    assert (here / "a.py").read_text("utf-8") == MOVED


@pytest.mark.parametrize("state", ["untracked", "ignored", "no commit", "staged", "edited", "not fetched"])
def test_h3_what_git_does_not_have_is_refused(
    state: str, here: Path, git: Git, committed: Committed, mapspore: Run
) -> None:
    (here / ".gitignore").write_text("secret.py\n")
    name = "secret.py" if state == "ignored" else "u.py"
    if state == "no commit":
        git("init", "-q")
    else:
        committed()
    file = here / name
    file.write_text(GOOD + f"# {state}\n", "utf-8")
    if state in ("staged", "no commit"):
        git("add", name)
    if state in ("edited", "not fetched"):
        git("add", name)
        git("commit", "-qm", "more")
    if state == "edited":
        file.write_text(EDITED, "utf-8")
    if state == "not fetched":
        blob = git("rev-parse", f"HEAD:{name}").strip()
        (here / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    before = file.read_bytes()
    done = write(mapspore, name)
    assert file.read_bytes() == before
    assert done.code == 1 and f"Git could not bring back `{name}`" in done.err and "nothing was written" in done.err
    assert write(mapspore, name, "--force").code == 0
    assert file.read_bytes() == before.replace(b"torch.", b"torchspore.")


SETTINGS = {
    "core.fsmonitor": "{run}", "core.sshCommand": "{run}", "core.pager": "{run}", "core.editor": "{run}",
    "core.askPass": "{run}", "core.alternateRefsCommand": "{run}", "core.gitProxy": "{run}",
    "credential.helper": "!{run}", "diff.external": "{run}", "diff.py.textconv": "{run}", "diff.py.command": "{run}",
    "filter.py.clean": "{run}", "filter.py.smudge": "{run}", "filter.py.process": "{run}", "gpg.program": "{run}",
    "uploadpack.packObjectsHook": "{run}", "alias.status": "!{run}", "alias.ls-tree": "!{run}",
    "sequence.editor": "{run}", "interactive.diffFilter": "{run}", "merge.py.driver": "{run}",
    "remote.origin.uploadpack": "{run}", "remote.origin.vcs": "ext",
}  # fmt: skip
"""What a repository can let git run."""
HOOKS = ("post-index-change", "post-checkout", "reference-transaction", "pre-auto-gc", "fsmonitor-watchman")


@pytest.mark.parametrize("lost", [False, True], ids=["whole", "blob-missing"])
@pytest.mark.parametrize("configured", [*SETTINGS, "hooks", "core.hooksPath", "promisor ext", "promisor ssh"])
def test_h4_nothing_of_the_tree_is_run(
    configured: str, lost: bool, here: Path, tmp_path: Path, git: Git, committed: Committed, mapspore: Run
) -> None:
    (here / ".gitattributes").write_text("*.py filter=py diff=py merge=py\n")
    (file,) = committed()
    marker, script = tmp_path / "ran", tmp_path / "run.sh"
    script.write_text(f"#!/bin/sh\ntouch {marker}\nfalse\n")
    script.chmod(0o755)
    os.utime(file, (1, 1))  # so that git would have to look at it again
    if configured in ("hooks", "core.hooksPath"):
        folder = here / ".git" / "hooks" if configured == "hooks" else tmp_path / "hooks"
        folder.mkdir(exist_ok=True)
        for hook in HOOKS:
            (folder / hook).write_text(script.read_text())
            (folder / hook).chmod(0o755)
        git("config", "core.hooksPath", str(folder))
    elif configured.startswith("promisor"):
        git("config", "extensions.partialClone", "origin")
        git("config", "remote.origin.promisor", "true")
        git("config", "protocol.allow", "always")
        git("config", "protocol.ext.allow", "always")
        git("config", "core.sshCommand", str(script))
        git("config", "remote.origin.url", f"ext::{script}" if configured.endswith("ext") else "ssh://x.invalid/y")
    else:
        git("config", configured, SETTINGS[configured].format(run=script))
    if lost:
        for blob in {entry.split()[2] for entry in git_objects(here)}:
            (here / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    done = write(mapspore, ".")
    assert not marker.exists()
    assert done.code == (1 if lost else 0), done.err
    assert file.read_text("utf-8") == (GOOD if lost else MOVED)


def git_objects(here: Path) -> list[str]:
    """The blobs of the commit, read by a git that takes no settings from the repository."""
    index = subprocess.run(
        ["git", "-c", "core.fsmonitor=false", "-c", "alias.ls-tree=", "ls-tree", "HEAD"],
        cwd=here, capture_output=True, encoding="utf-8", check=True, env={**os.environ, "GIT_NO_LAZY_FETCH": "1"},
    )  # fmt: skip
    return [line for line in index.stdout.splitlines() if line.endswith(".py")]


def test_h9_links_that_lead_out_are_not_written_through(here: Path, tmp_path: Path, mapspore: Run) -> None:
    elsewhere, source = tmp_path / "elsewhere", here / "src"
    (elsewhere / "pack").mkdir(parents=True)
    source.mkdir()
    for file in (elsewhere / "lib.py", elsewhere / "pack" / "b.py", source / "own.py"):
        file.write_text(GOOD, "utf-8")
    (source / "l.py").symlink_to(elsewhere / "lib.py")
    (source / "vendor").symlink_to(elsewhere / "pack")
    (source / "again.py").symlink_to("own.py")
    done = write(mapspore, "src", "--verbose")
    assert (elsewhere / "lib.py").read_text("utf-8") == (elsewhere / "pack" / "b.py").read_text("utf-8") == GOOD
    assert (source / "own.py").read_text("utf-8") == MOVED and (source / "again.py").is_symlink()
    for path in ("src/l.py", "src/vendor/b.py"):
        assert f"{path}:3:1: left `torch.distributed.barrier`: a link leads from here out of the given" in done.err
    assert "src/again.py:1:1: left `torch`: this is another name of `src/own.py`, which is migrated." in done.err
    assert "2 of 4 files that use torch can run on MindSpore now; 2 of 4 programs." in done.err
    chosen = write(mapspore, "src/l.py")  # named by itself, a link is followed and stays one
    assert chosen.code == 0 and (elsewhere / "lib.py").read_text("utf-8") == MOVED
    assert (source / "l.py").is_symlink()


@pytest.mark.parametrize("becomes", ["def (", "", "\x00", None])
def test_h17_a_file_that_changes_between_two_looks(
    becomes: str | None, here: Path, mapspore: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mapspore.migrate import run

    file = here / "a.py"
    file.write_text(GOOD, "utf-8")
    scanned = run.scan

    def meanwhile(*arguments: Any) -> Any:
        found = scanned(*arguments)
        file.unlink() if becomes is None else file.write_text(becomes, "utf-8")
        return found

    monkeypatch.setattr(run, "scan", meanwhile)
    done = mapspore("migrate", "a.py", "--check", "--no-cache", "--root", HOME)
    assert done.code == 1 and "a.py: places changed: 1" in done.err
    file.write_text(GOOD, "utf-8")
    done = write(mapspore, "a.py")
    assert done.code == 1 and "a.py: not written: it has changed since it was read" in done.err
    assert file.exists() is (becomes is not None)


@pytest.mark.parametrize("sent", ["SIGINT", "SIGTERM", "SIGHUP"])
@pytest.mark.parametrize("count", [1, 3, 6])
def test_h20_an_interruption_tells_what_is_done_and_the_next_run_goes_on(
    sent: str, count: int, here: Path, committed: Committed, mapspore: Run, ended: Ended
) -> None:
    files = committed(6)
    arguments = ("migrate", ".", "--write", "--root", HOME)
    done = ended("replace", count, sent, here, *arguments)
    assert done.returncode == {"SIGINT": 130, "SIGTERM": 143, "SIGHUP": 129}[sent], done.stderr
    assert [file.read_text("utf-8") for file in files] == [MOVED] * count + [GOOD] * (6 - count)
    for number in range(6):
        assert (f"m{number}.py: places changed" in done.stderr) is (number < count)
    assert f"Ended early; each of these files is whole. To be written: {6 - count};" in done.stderr
    again = mapspore(*arguments)
    assert again.code == 0, again.err
    assert [file.read_text("utf-8") for file in files] == [MOVED] * 6
    assert sorted(path.name for path in here.iterdir()) == [".git", *(file.name for file in files)]


def test_h20_other_names_of_a_file_are_not_separated(here: Path, mapspore: Run) -> None:
    file, other = here / "a.py", here / "other.txt"
    file.write_text(GOOD, "utf-8")
    os.link(file, other)
    done = write(mapspore, "a.py")
    assert done.code == 1 and "a.py: not written: it has several names (hard links)" in done.err
    assert file.read_text("utf-8") == GOOD and file.samefile(other)
    done = write(mapspore, "a.py", "--force")
    assert done.code == 0 and "a.py: written, but it has several names (hard links)" in done.err
    assert file.read_text("utf-8") == MOVED and other.read_text("utf-8") == GOOD


def test_h20_owner_and_mode_stay(here: Path, mapspore: Run) -> None:
    file = here / "a.py"
    file.write_text(GOOD, "utf-8")
    if os.geteuid() == 0:
        os.chown(file, 1234, 4321)
    file.chmod(0o4751)
    before = file.stat()
    assert write(mapspore, "a.py").code == 0
    after = file.stat()
    assert (after.st_uid, after.st_gid, after.st_mode) == (before.st_uid, before.st_gid, before.st_mode)
    assert file.read_text("utf-8") == MOVED


def test_h20_an_owner_who_cannot_be_kept_is_told(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from mapspore.migrate import write

    def refused(*arguments: Any) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "chown", refused)
    (here / "a").write_text("")
    (here / "b").write_text("")
    state = SimpleNamespace(st_uid=54321, st_gid=54321, st_nlink=1, st_mode=stat.S_IFREG | 0o644)
    assert write._losses("a", "b", state) == ("owner",)  # type: ignore[arg-type]


def test_h20_a_file_that_may_not_be_written(here: Path, mapspore: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    file = here / "a.py"
    file.write_text(GOOD, "utf-8")
    file.chmod(0o444)
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # everything may be written by root
    done = write(mapspore, "a.py")
    assert done.code == 1 and "a.py: not written: it may not be written." in done.err
    assert file.read_text("utf-8") == GOOD


@pytest.mark.parametrize("possible", [True, False])
def test_h20_extended_attributes(possible: bool, here: Path, mapspore: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Attributes are kept in a table here, since not every file system has them."""
    file = here / "a.py"
    file.write_text(GOOD, "utf-8")
    table: dict[int, dict[str, bytes]] = {file.stat().st_ino: {"user.note": b"mine"}}

    def of(path: Any) -> dict[str, bytes]:
        return table.setdefault(os.stat(path).st_ino, {})

    def put(path: Any, name: str, value: bytes) -> None:
        if not possible:
            raise OSError(95, "not supported")
        of(path)[name] = value

    monkeypatch.setattr(os, "listxattr", lambda path: list(of(path)))
    monkeypatch.setattr(os, "getxattr", lambda path, name: of(path)[name])
    monkeypatch.setattr(os, "setxattr", put)
    done = write(mapspore, "a.py")
    if possible:
        assert done.code == 0 and file.read_text("utf-8") == MOVED
        assert of(file) == {"user.note": b"mine"}
    else:
        assert done.code == 1 and "a new file cannot be given its extended attributes" in done.err
        assert file.read_text("utf-8") == GOOD


def test_h20_a_folder_that_cannot_be_read_is_told(here: Path, mapspore: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "locked").mkdir()
    listed = os.scandir

    def denied(path: Any) -> Any:
        if os.fspath(path).endswith("locked"):
            raise PermissionError(13, "Permission denied")
        return listed(path)

    monkeypatch.setattr(os, "scandir", denied)
    done = mapspore("migrate", ".", "--root", HOME)
    assert done.code == 1 and "locked: S005 this cannot be read: permission is denied." in done.err
