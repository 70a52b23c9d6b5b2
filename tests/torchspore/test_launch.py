"""The launcher, with real processes: what it prints, how it ends, and with which code."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from harness import ADAPTER

from processes import HANGS, await_end

pytestmark = [pytest.mark.frameworks, pytest.mark.processes]

SAYS = """
import os, signal, sys, time
rank = int(os.environ["RANK"])
"""
CONNECTS = """
import os, sys, time
import numpy as np
from mindspore import Tensor
import torchspore.distributed as dist
dist.init_process_group()
rank = dist.get_rank()
value = Tensor(np.full(3, rank + 1, np.float32))
dist.all_reduce(value)
"""


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "torchspore.launch", *arguments]


def environment(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in ("OMP_NUM_THREADS", "MS_ROLE", "GLOG_v")}
    return kept | {"PYTHONPATH": str(ADAPTER)} | more


def launch(
    folder: Path, code: str, options: Sequence[str] = ("--nproc", "2"), arguments: Sequence[str] = (), **more: str
) -> subprocess.CompletedProcess[str]:
    (folder / "script.py").write_text(code)
    return subprocess.run(
        command(*options, "script.py", *arguments),
        cwd=folder,
        env=environment(**more),
        capture_output=True,
        text=True,
        timeout=HANGS,
        check=False,
    )


def test_what_each_rank_is_told_and_how_its_lines_look(tmp_path: Path) -> None:
    code = (
        SAYS
        + """
names = ["LOCAL_RANK", "WORLD_SIZE", "LOCAL_WORLD_SIZE", "MASTER_ADDR", "OMP_NUM_THREADS"]
print([os.environ[name] for name in names], os.environ["MASTER_PORT"].isdigit(), sys.argv[1:])
print("你好，世界", "\\x1b[31m红\\x1b[0m", file=sys.stderr)
print("old\\rnew"); print(); print("no end", end="")
"""
    )
    done = launch(tmp_path, code, ["--nproc", "2"], ["--epochs", "3", "-m", "--nproc", "x y"])
    assert done.returncode == 0
    for rank in (0, 1):
        mine = [line for line in done.stdout.split("\n") if line.startswith(f"[rank {rank}] ")]
        assert mine == [
            f"[rank {rank}] ['{rank}', '2', '2', '127.0.0.1', '1'] True ['--epochs', '3', '-m', '--nproc', 'x y']",
            f"[rank {rank}] new",
            f"[rank {rank}] ",
            f"[rank {rank}] no end",
        ]
        assert f"[rank {rank}] 你好，世界 \x1b[31m红\x1b[0m\n" in done.stderr


def test_several_machines_and_torchrun_s_spelling(tmp_path: Path) -> None:
    code = (
        SAYS
        + """
print(*(os.environ[name] for name in ["RANK", "LOCAL_RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT", "GROUP_RANK"]))
"""
    )
    options = ["--nproc_per_node", "2", "--nnodes", "3", "--node_rank", "1", "--master-addr", "10.1.1.1"]
    done = launch(tmp_path, code, options, OMP_NUM_THREADS="5")
    assert sorted(done.stdout.splitlines()) == [
        "[rank 2] 2 0 6 10.1.1.1 29500 1",
        "[rank 3] 3 1 6 10.1.1.1 29500 1",
    ]


def test_mindspore_tells_errors_only_unless_someone_asks_for_more(tmp_path: Path) -> None:
    code = "import os; print(os.environ['GLOG_v'])"
    assert launch(tmp_path, code, ["--nproc", "1"]).stdout == "[rank 0] 3\n"
    assert launch(tmp_path, code, ["--nproc", "1"], GLOG_v="1").stdout == "[rank 0] 1\n"


def test_threads_are_left_alone_where_someone_has_chosen(tmp_path: Path) -> None:
    code = "import os; print(os.environ.get('OMP_NUM_THREADS'))"
    assert sorted(launch(tmp_path, code, OMP_NUM_THREADS="3").stdout.splitlines()) == ["[rank 0] 3", "[rank 1] 3"]
    assert launch(tmp_path, code, ["--nproc", "1"]).stdout == "[rank 0] None\n"


def test_lines_are_whole_although_ranks_print_in_pieces(tmp_path: Path) -> None:
    code = (
        SAYS
        + """
for line in range(50):
    for piece in ("a", "b", "c" * 5000):
        sys.stdout.write(piece); sys.stdout.flush()
    sys.stdout.write("\\n")
"""
    )
    done = launch(tmp_path, code, ["--nproc", "4"])
    lines = done.stdout.splitlines()
    assert sorted(lines) == sorted(f"[rank {rank}] ab{'c' * 5000}" for rank in range(4) for _ in range(50))


def test_a_module(tmp_path: Path) -> None:
    (tmp_path / "job").mkdir()
    (tmp_path / "job" / "__main__.py").write_text("import os, sys; print(os.environ['RANK'], sys.argv[1:])")
    done = launch(tmp_path, "", ["--nproc", "2", "-m", "job"])
    assert sorted(done.stdout.splitlines()) == ["[rank 0] 0 ['script.py']", "[rank 1] 1 ['script.py']"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nothing.py"], "there is no script 'nothing.py'."),
        (["-m", "no_such_module.here"], "there is no module 'no_such_module.here'."),
        (["--nproc", "0", "script.py"], "--nproc and --nnodes must be at least 1."),
        (["--nnodes", "2", "script.py"], "with several machines, --master-addr must name the one of rank 0."),
        (["--nnodes", "2", "--node-rank", "2", "script.py"], "--node-rank must be between 0 and 1."),
        (["--nproc", "two", "script.py"], "argument --nproc: invalid int value: 'two'."),
        ([], "the following arguments are required: script, ...."),
    ],
)
def test_what_is_said_to_a_command_line_that_cannot_be_followed(
    arguments: list[str], sentence: str, tmp_path: Path
) -> None:
    (tmp_path / "script.py").write_text("")
    done = subprocess.run(
        command(*arguments), cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[0] == f"torchspore.launch: {sentence}"
    assert "Traceback" not in done.stderr


def test_inside_msrun_it_starts_nothing(tmp_path: Path) -> None:
    done = launch(tmp_path, "print('started')", MS_ROLE="MS_WORKER")
    assert (done.returncode, done.stdout) == (2, "") and "msrun has started this process" in done.stderr


def test_help_has_an_example() -> None:
    done = subprocess.run(command("--help"), env=environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "python -m torchspore.launch --nproc 4 train.py --epochs 3" in done.stdout


def test_it_needs_no_mindspore() -> None:
    code = "import sys; sys.modules['mindspore'] = None\nimport torchspore.launch\nprint(sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "numpy" not in done.stdout, done.stderr


FAILING = (
    SAYS
    + """
if rank == 2:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
with open(f"new{rank}", "w") as file:
    file.write(str(os.getpid()))
os.rename(f"new{rank}", f"pid{rank}")
while not all(os.path.exists(f"pid{each}") for each in range(3)):
    time.sleep(0.01)
if rank == 1:
    print("about to fail", file=sys.stderr)
    {how}
while True:
    signal.pause()
"""
)


@pytest.mark.parametrize(
    ("how", "code", "last"),
    [
        ("raise ValueError('坏了')", 1, ["  ValueError: 坏了"]),
        ("sys.exit(7)", 7, ["  about to fail"]),
        ("os.kill(os.getpid(), 9)", 137, ["  about to fail"]),
        ("os.abort()", 134, ["  about to fail"]),
    ],
)
def test_one_rank_fails_and_all_end(how: str, code: int, last: list[str], tmp_path: Path) -> None:
    """Also one that does not listen; the error of the first that failed is the last that is printed."""
    done = launch(tmp_path, FAILING.replace("{how}", how), ["--nproc", "3"])
    assert done.returncode == code
    lines = done.stderr.splitlines()
    assert lines[-1:] == last, done.stderr
    summary = next(line for line in lines if line.startswith("torchspore.launch: rank 1 "))
    assert {137: "was ended by SIGKILL", 134: "was ended by SIGABRT"}.get(
        code, f"failed with exit code {code}"
    ) in summary
    await_end(int((tmp_path / f"pid{rank}").read_text()) for rank in range(3))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_ends_all_without_a_trace(number: int, tmp_path: Path) -> None:
    """Also what a rank has started itself."""
    (tmp_path / "script.py").write_text(
        SAYS
        + """
import subprocess
child = subprocess.Popen([sys.executable, "-c", "import signal; signal.pause()"])
print("ready", os.getpid(), child.pid)
signal.pause()
"""
    )
    process = subprocess.Popen(
        command("--nproc", "2", "script.py"),
        cwd=tmp_path,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    lines = [process.stdout.readline(), process.stdout.readline()]
    pids = [int(word) for line in lines for word in line.split()[-2:]]
    process.send_signal(number)
    _, errors = process.communicate(timeout=HANGS)
    assert process.returncode == 128 + number
    assert errors == f"torchspore.launch: all ranks were ended by {signal.Signals(number).name}.\n"
    assert len(pids) == 4
    await_end(pids)


def test_whoever_reads_may_go(tmp_path: Path) -> None:
    """As in `... | head -1`: the job ends, and nobody is told of a broken pipe."""
    (tmp_path / "script.py").write_text("while True: print('again')")
    process = subprocess.Popen(
        command("--nproc", "2", "script.py"),
        cwd=tmp_path,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None and process.stderr is not None
    assert process.stdout.readline().endswith("again\n")
    process.stdout.close()
    assert process.wait(HANGS) == 128 + signal.SIGPIPE
    assert process.stderr.read() == ""


def test_ranks_that_communicate(tmp_path: Path) -> None:
    done = launch(tmp_path, CONNECTS + "print(value.asnumpy().tolist(), dist.get_node_local_rank())", ["--nproc", "4"])
    assert done.returncode == 0, done.stderr
    assert sorted(done.stdout.splitlines()) == [f"[rank {rank}] [10.0, 10.0, 10.0] {rank}" for rank in range(4)]


def test_a_rank_that_fails_while_the_others_wait_for_it(tmp_path: Path) -> None:
    code = (
        CONNECTS
        + """
if rank == 1:
    raise ValueError("rank 1 has a problem")
dist.all_reduce(value)
print("not reached")
"""
    )
    done = launch(tmp_path, code, ["--nproc", "3"])
    assert done.returncode == 1 and "not reached" not in done.stdout
    assert done.stderr.splitlines()[-1] == "  ValueError: rank 1 has a problem", done.stderr
