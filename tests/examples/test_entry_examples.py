"""The programs beside the entries run: with torch as they were, with the adapter after, and print the same."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from mapspore.recorded.run import run_all

MAPPINGS = Path(__file__).parents[2] / "mappings"
BEFORE = sorted((MAPPINGS / "torch" / "distributed").rglob("*.before.py"))
ALONE = sorted({*MAPPINGS.rglob("*.before.py")} - {*BEFORE})
RANKS = 2
PATIENCE = 120


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def run(program: Path, folder: Path) -> list[str]:
    """What the ranks print on standard output, sorted, each started with torch's own variables."""
    port = str(free_port())
    ranks = []
    for rank in range(RANKS):
        environment = {**os.environ, "RANK": str(rank), "WORLD_SIZE": str(RANKS), "LOCAL_RANK": str(rank)}
        environment |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port, "GLOG_v": "3", "OMP_NUM_THREADS": "1"}
        ranks.append(
            subprocess.Popen(
                [sys.executable, str(program)],
                env=environment,
                cwd=folder,  # MindSpore leaves a folder `rank_0` where it runs
                text=True,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
        )
    try:
        ended = [rank.communicate(timeout=PATIENCE) for rank in ranks]
    finally:
        for rank in ranks:
            rank.kill()
    for rank, (_, errors) in zip(ranks, ended, strict=True):
        assert rank.returncode == 0, errors[-3000:]
    return sorted(line for out, _ in ended for line in out.splitlines() if line[:1].isdigit())


def test_there_are_examples() -> None:
    assert len(BEFORE) >= 5 and len(ALONE) >= 20


def test_those_of_one_process_print_the_same() -> None:
    first, second = (
        run_all({str(path): path.with_name(path.name.replace(".before.", side)).read_text("utf-8") for path in ALONE})
        for side in (".before.", ".after.")
    )
    assert set(first) == {str(path) for path in ALONE} and all(first.values())
    assert second == first


@pytest.mark.parametrize("before", BEFORE, ids=lambda path: path.name.removesuffix(".before.py"))
def test_before_and_after_print_the_same(before: Path, tmp_path: Path) -> None:
    expected = run(before, tmp_path)
    assert len(expected) == RANKS
    assert run(before.with_name(before.name.replace(".before.", ".after.")), tmp_path) == expected
