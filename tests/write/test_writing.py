"""Writing when it does not go well: no permission, no space, two at once, Ctrl-C. Old or new, never half."""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from processes import HANGS

pytestmark = pytest.mark.processes

HOME = Path(__file__).resolve().parents[2]
ENV = {"PYTHONPATH": str(HOME / "generator")}
NOBODY = 65534
Run = Callable[..., Any]
Make = Callable[..., Path]
Tree = Callable[[Path], dict[str, str]]
Many = Callable[..., dict[str, str]]

# Everything is imported and cached by a first run, for after the change of user not even Python's own
# library may be readable. Root is made to act as nobody; anybody else has no privileges to begin with.
UNPRIVILEGED = """
import io, json, os, sys
from mapspore.cli.main import main
nobody = int(sys.argv[1])
first, *others = json.loads(sys.argv[2])
kept = sys.stdout, sys.stderr
sys.stdout = sys.stderr = io.StringIO()
main(first)
sys.stdout, sys.stderr = kept
if os.getuid() == 0:
    os.setgroups([])
    os.setgid(nobody)
    os.setuid(nobody)
for arguments in others:
    print("exit", main(arguments), flush=True)
"""


@pytest.fixture(autouse=True)
def interruptible() -> Iterator[None]:
    """What is started in the background ignores Ctrl-C, and passes that on to every process that it starts."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def open_place(many: Many) -> Iterator[Path]:
    """A registry with facts of its own in a folder that any user can reach; pytest's are private."""
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        for path, text in many().items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, "utf-8")
        shutil.copytree(HOME / "facts", root / "facts")
        root.chmod(0o755)
        yield root
        for folder in (root, *(path for path in root.rglob("*") if path.is_dir())):
            folder.chmod(0o755)


def _without_privileges(*commands: list[str]) -> subprocess.CompletedProcess[str]:
    code = [sys.executable, "-c", UNPRIVILEGED, str(NOBODY), json.dumps(commands)]
    return subprocess.run(code, env={**os.environ, **ENV}, capture_output=True, encoding="utf-8", timeout=HANGS)


def test_an_unreadable_entry(open_place: Path, tree: Tree) -> None:
    root = ["--root", str(open_place)]
    assert subprocess.run(_mapspore("generate", *root), env={**os.environ, **ENV}, timeout=HANGS).returncode == 0
    before = tree(open_place)
    (open_place / "mappings/torch/cos.yaml").chmod(0)
    warm = ["generate", "--root", str(HOME), "--check"]
    done = _without_privileges(
        warm, ["check", *root], ["generate", *root], ["fix", *root], ["check", *root, "--lang", "zh"]
    )
    assert "Traceback" not in done.stderr
    said = "mappings/torch/cos.yaml:1:1: error[M001] this file cannot be read: permission denied."
    assert said in done.stdout and said in done.stderr, done
    assert "mappings/torch/cos.yaml:1:1: error[M001] 无法读取该文件：没有读取权限。" in done.stdout
    assert done.stdout.count("exit 1") == 4
    (open_place / "mappings/torch/cos.yaml").chmod(0o644)
    assert tree(open_place) == before


def test_an_unreadable_folder_hides_nothing(open_place: Path) -> None:
    hidden = open_place / "mappings" / "torch" / "nn"
    hidden.mkdir()
    (hidden / "Linear.yaml").write_text("[")
    hidden.chmod(0)
    root = ["--root", str(open_place)]
    done = _without_privileges(["generate", "--check", "--root", str(HOME)], ["check", *root], ["generate", *root])
    assert "mappings/torch/nn:1:1: error[M001] this file cannot be read: permission denied." in done.stdout
    assert done.stdout.count("exit 1") == 2 and not (open_place / "adapter").exists()


@pytest.mark.parametrize("locked", [".", "adapter/torchspore", "mappings"])
def test_a_read_only_output_folder(locked: str, open_place: Path, tree: Tree, many: Many) -> None:
    root = ["--root", str(open_place)]
    assert subprocess.run(_mapspore("generate", *root), env={**os.environ, **ENV}, timeout=HANGS).returncode == 0
    _give_away(open_place)
    if locked == ".":  # as if nothing had been generated yet
        shutil.rmtree(open_place / "adapter")
    for path, text in many(" again").items():
        (open_place / path).write_text(text, "utf-8")
    (open_place / "mappings" / "entry.schema.json").unlink()
    folder = open_place / locked
    folder.chmod(0o555)
    before = tree(open_place)
    done = _without_privileges(["generate", "--check", "--root", str(HOME)], ["generate", *root])
    assert done.stdout == "exit 1\n", done
    first, hint = done.stderr.splitlines()
    assert first.startswith("error[C108] Cannot write") and first.endswith(": permission denied; nothing was changed.")
    assert hint.startswith("  hint: ")
    assert tree(open_place) == before


def test_fixing_a_read_only_folder(open_place: Path, tree: Tree) -> None:
    _give_away(open_place)
    entry = open_place / "mappings/torch/cos.yaml"
    entry.write_text(entry.read_text("utf-8") + "\n\n", "utf-8")
    entry.parent.chmod(0o555)
    before = tree(open_place)
    warm = ["fix", "--check", "--root", str(HOME)]
    done = _without_privileges(warm, ["fix", "--root", str(open_place)])
    assert "exit 1" in done.stdout and done.stderr.startswith("error[C108] Cannot write")
    assert tree(open_place) == before


def test_a_damaged_index_in_a_read_only_place(open_place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(open_place / "cache"))
    asking = ["show", "cos", "--root", str(open_place)]
    whole = subprocess.run(_mapspore(*asking), env={**os.environ, **ENV}, capture_output=True, encoding="utf-8")
    (index,) = (open_place / "cache").rglob("*.sqlite")
    index.write_bytes(index.read_bytes()[:5000])
    index.parent.chmod(0o555)
    done = _without_privileges(["show", "gather", "--root", str(HOME)], asking)
    assert (done.stdout, done.stderr) == (whole.stdout + "exit 0\n", "")
    assert index.stat().st_size == 5000


def _give_away(folder: Path) -> None:
    """Lets nobody own what lies in a folder, so that only the permissions of folders can stand in the way."""
    if os.getuid() == 0:
        for path in folder.rglob("*"):
            os.chown(path, NOBODY, NOBODY)


def _mapspore(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "mapspore", *map(str, arguments)]


def _limited(size: int) -> Callable[[], None]:
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


@pytest.mark.parametrize("limit", [0, 100, 1000, 4000])
def test_a_full_disk(limit: int, registry: Make, mapspore: Run, tree: Tree, many: Many) -> None:
    """The limit on the size of a file lets the first, smaller files pass and stops a later, larger one."""
    root = registry(many())
    assert mapspore("generate", "--root", root).code == 0
    registry(many(" again"))
    (root / "mappings/torch/abs.yaml").write_text(many(" long" * 60)["mappings/torch/abs.yaml"], "utf-8")
    (root / "mappings/entry.schema.json").write_text("{}")
    before = tree(root)
    env = {**os.environ, **ENV, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        _mapspore("generate", "--root", root),
        env=env,
        preexec_fn=_limited(limit),
        capture_output=True,
        text=True,
        timeout=HANGS,
    )
    assert done.returncode == 1
    assert done.stderr.splitlines()[0].startswith("error[C108] Cannot write")
    assert "file too large; nothing was changed." in done.stderr
    assert tree(root) == before
    assert mapspore("generate", "--root", root).code == 0
    assert mapspore("generate", "--check", "--root", root).code == 0


def test_fixing_on_a_full_disk(registry: Make, tree: Tree, many: Many) -> None:
    files = {path: f"\n{text}# {'x' * 50}\n" for path, text in many().items()}
    last = max(files)
    files[last] += "# " + "y" * 500
    root = registry(files)
    before = tree(root)
    env = {**os.environ, **ENV, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        _mapspore("fix", "--root", root),
        env=env,
        preexec_fn=_limited(700),
        capture_output=True,
        text=True,
        timeout=HANGS,
    )
    assert done.returncode == 1 and "nothing was changed." in done.stderr
    assert tree(root) == before


def test_two_at_once(registry: Make, mapspore: Run, tree: Tree, many: Many) -> None:
    root = registry(many())
    assert mapspore("generate", "--root", root).code == 0
    wanted = tree(root)
    shutil.rmtree(root / "adapter")
    (root / "mappings" / "entry.schema.json").unlink()
    env = {**os.environ, **ENV}
    running = [
        subprocess.Popen(
            _mapspore("generate", "--root", root), env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for _ in range(4)
    ]
    ended = [process.communicate(timeout=HANGS) for process in running]
    assert [process.returncode for process in running] == [0] * 4, ended
    assert tree(root) == wanted
    counts = sorted(int(out.split()[0]) for out, _ in ended)
    assert counts[:3] == [0, 0, 0] and counts[3] > 30, "one writes, the others find nothing to do"


# Sends the signal at an exact moment: when the n-th file is staged, while an object is finalised then, or when the file
# is put in place.
INTERRUPTED = """
import os, signal, sys
from mapspore.cli.main import main
moment, count = sys.argv[1], int(sys.argv[2])
name = "replace" if moment == "placing" else "fchmod"
def dropped():
    try:
        yield
    finally:
        os.kill(os.getpid(), getattr(signal, sys.argv[3]))
        for _ in range(10):
            pass
def drop():
    next(generator := dropped())
    del generator  # Python finalises it here, and raises nothing that happens then
original, calls = getattr(os, name), 0
def interrupting(*arguments, **options):
    global calls
    calls += 1
    if calls == count:
        if moment == "finalising":
            drop()
        else:
            os.kill(os.getpid(), getattr(signal, sys.argv[3]))
    return original(*arguments, **options)
setattr(os, name, interrupting)
sys.exit(main(sys.argv[4:]))
"""


@pytest.mark.parametrize("moment", ["staging", "finalising", "placing"])
@pytest.mark.parametrize("count", [1, 7, 20])
def test_interruption_at_an_exact_moment(
    moment: str, count: int, registry: Make, mapspore: Run, tree: Tree, many: Many
) -> None:
    root = registry(many())
    assert mapspore("generate", "--root", root).code == 0
    registry(many(" again"))
    old = tree(root)
    code = [sys.executable, "-c", INTERRUPTED, moment, str(count), "SIGINT", "generate", "--root", str(root)]
    done = subprocess.run(code, env={**os.environ, **ENV}, capture_output=True, text=True, timeout=HANGS)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "interrupted.\n")
    if moment != "placing":
        assert tree(root) == old
    else:
        now = tree(root)
        assert mapspore("generate", "--root", root).out.startswith("0 written")
        assert tree(root) == now != old


# Sends the signal after a share of all the calls of functions that a command makes; how many, it counts with a copy.
AT_A_CALL = """
import os, signal, sys
from mapspore.cli.main import main
share, copy, root = sys.argv[1:]
calls, moment = 0, None
def counting(frame, event, argument):
    global calls
    calls += event == "call"
    if calls == moment:
        os.kill(os.getpid(), signal.SIGINT)
def generate(root):
    global calls
    calls = 0
    sys.setprofile(counting)
    code = main(["generate", "--root", root])
    sys.setprofile(None)
    return code
assert main(["generate", "--check", "--root", copy]) == 1  # everything is imported now
assert generate(copy) == 0
moment = int(calls * float(share))
sys.exit(generate(root))
"""


@pytest.mark.parametrize("share", [0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.97, 0.99])
def test_interruption_at_any_moment(share: float, registry: Make, mapspore: Run, tree: Tree, many: Many) -> None:
    root = registry(many())
    assert mapspore("generate", "--root", root).code == 0
    registry(many(" again"))
    old = tree(root)
    copy = shutil.copytree(root, root.parent / "copy")
    code = [sys.executable, "-c", AT_A_CALL, str(share), str(copy), str(root)]
    done = subprocess.run(code, env={**os.environ, **ENV}, capture_output=True, text=True, timeout=HANGS)
    assert (done.returncode, done.stderr) == (130, "interrupted.\n")
    now = tree(root)
    assert mapspore("generate", "--root", root).code == 0
    new = tree(root)
    assert now in (old, new) and old != new


def test_files_get_ordinary_permissions(registry: Make, mapspore: Run, many: Many) -> None:
    root = registry(many())
    assert mapspore("generate", "--root", root).code == 0
    assert mapspore("fix", "--root", root).code == 0
    for path in (root / "adapter").rglob("*.py"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o644


def test_an_output_that_is_in_the_way(registry: Make, mapspore: Run, tree: Tree, many: Many) -> None:
    root = registry(many())
    (root / "adapter/torchspore/_tan.py").mkdir(parents=True)
    before = tree(root)
    result = mapspore("generate", "--root", root)
    assert result.code == 1 and result.err.startswith("error[C004] Cannot ")
    assert tree(root) == before
